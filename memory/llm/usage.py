"""What was asked of the language model and what it came to: a row for each call, summed when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import timedelta
from operator import add
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils import timezone

from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.bots.costs import costs_of
from memory.llm import Fault, ModelFailed, Reply
from memory.models import Bot, Delivery, Job, ModelCall, quick

KEPT = 366  # days that a call's row is kept
SUMS = {
    "calls": Count("pk"),
    "faults": Count("pk", filter=~Q(fault="")),
    "read": Sum("tokens_in", default=0),
    "written": Sum("tokens_out", default=0),
    "cost": Sum("micros", default=0),
}


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls came to. `micros` are millionths of a US dollar, 0 where no price is set; `faults` of the calls failed."""

    calls: int = 0
    faults: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    micros: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Spent) -> Spent:
        return Spent(*map(add, astuple(self), astuple(other)))


def micros(bot: Bot, read: int, written: int) -> int:
    """Millionths of a US dollar: a price in dollars for a million tokens is one in millionths for each."""
    return round(read * costs_of(bot).token_price + written * automation_of(bot).answer_price)


def begin(bot: Bot, purpose: str, model: str, asking: int, job: Job | None, delivery: Delivery | None) -> ModelCall:
    """The row of a call that is about to be made, with what its question (`asking` tokens) costs."""
    call = ModelCall(bot=bot, job=job, purpose=purpose, model=model[:200], at=timezone.now(), day=open_bot(bot).today())
    call.delivery = delivery if delivery is not None and delivery.pk else None
    call.tokens_in, call.micros, call.counted = asking, micros(bot, asking, 0), False
    call.fault = Fault.UNFINISHED
    quick.save(call)
    return call


def end(call: ModelCall, reply: Reply | None, failed: ModelFailed | None, seconds: float) -> None:
    """The call as it went. Of an answer that did not come in time nobody knows whether it cost: it keeps the estimate."""
    if reply is not None:
        call.tokens_in, call.tokens_out, call.counted = reply.tokens_in, reply.tokens_out, reply.counted
    elif failed is not None and not (failed.fault == Fault.TIMEOUT and failed.tries):
        call.tokens_in, call.counted = 0, True
    call.micros = micros(call.bot, call.tokens_in, call.tokens_out)
    call.tries = reply.tries if reply else failed.tries if failed else 1
    call.milliseconds, call.fault = round(seconds * 1000, 3), failed.fault if failed else ""
    quick.save(call, "tokens_in", "tokens_out", "counted", "micros", "tries", "milliseconds", "fault")


def forget_old(bot: Bot) -> None:
    """Let the rows of calls go that were made more than a year ago."""
    oldest = (open_bot(bot).now().date() - timedelta(days=KEPT)).isoformat()
    ModelCall.objects.filter(bot=bot, day__lt=oldest).delete()


def of_today(bot: Bot) -> Spent:
    """What a bot's calls of its day came to, with those that stand on the next ones since its time zone moved west over midnight:
    what was spent then is not there to be spent again. Zones are up to two dates apart."""
    today = open_bot(bot).now().date()
    return between(bot, today.isoformat(), (today + timedelta(days=3)).isoformat())


def between(bot: Bot, since: str, until: str) -> Spent:
    """What its calls of some days came to, from one (YYYY-MM-DD) up to another, which is not in it any more."""
    return _spent(ModelCall.objects.filter(bot=bot, day__gte=since, day__lt=until).aggregate(**SUMS))


def of_job(job: Job) -> Spent:
    """What a job's calls came to, over all of its attempts."""
    return _spent(ModelCall.objects.filter(job=job).aggregate(**SUMS))


def days(bot: Bot, count: int = 30) -> dict[str, dict[str, Spent]]:
    """day -> purpose -> what its calls came to, of the bot's last days, the newest first; days without calls are not there."""
    since = (open_bot(bot).now().date() - timedelta(days=count - 1)).isoformat()
    sums = ModelCall.objects.filter(bot=bot, day__gte=since).values("day", "purpose").annotate(**SUMS)
    found: dict[str, dict[str, Spent]] = {}
    for row in sums.order_by("-day", "purpose"):
        found.setdefault(row["day"], {})[row["purpose"]] = _spent(row)
    return found


def _spent(sums: Mapping[str, Any]) -> Spent:
    return Spent(*(sums[name] for name in SUMS))
