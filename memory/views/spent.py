"""What asking the language model cost, for people: tokens, money, calls."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Min, Q, Sum
from django.utils import formats

from memory.models import Job, ModelCall

MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """What a job's questions cost. `money` is "" where nobody said a price; `counted`: by the server, not by an estimate."""

    calls: int
    failed: int
    read: int
    written: int
    money: str
    counted: bool


def cost_of(job: Job) -> Cost:
    """What a job has cost so far."""
    sums = ModelCall.objects.filter(job=job).aggregate(
        calls=Count("pk"),
        failed=Count("pk", filter=~Q(fault="")),
        read=Sum("tokens_in", default=0),
        written=Sum("tokens_out", default=0),
        micros=Sum("micros", default=0),
        counted=Min("counted"),
    )
    return Cost(
        calls=sums["calls"],
        failed=sums["failed"],
        read=sums["read"],
        written=sums["written"],
        money=dollars(sums["micros"]),
        counted=bool(sums["counted"]),
    )


def dollars(micros: int) -> str:
    """`$1.20`, `$0.0031`: as many places as say something; "" for none."""
    if not micros:
        return ""
    amount = micros / MICROS
    return f"${formats.number_format(amount, 2 if amount >= 1 else 4, force_grouping=True)}"
