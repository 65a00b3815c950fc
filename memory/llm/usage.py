"""What was asked of the language model and what it came to: a row for each call, and the sums of each day and purpose."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from operator import add, sub

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.bots.costs import costs_of
from memory.llm import Fault, ModelFailed, Reply
from memory.models import Bot, Delivery, Job, ModelCall, Spending, quick

KEPT = 366  # days that a call's row is kept; the sums stay


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
        return Spent(*map(add, self._numbers(), other._numbers()))

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*map(sub, self._numbers(), other._numbers()))

    def _numbers(self) -> tuple[int, ...]:
        return self.calls, self.faults, self.tokens_in, self.tokens_out, self.micros


def micros(bot: Bot, read: int, written: int) -> int:
    """Millionths of a US dollar: a price in dollars for a million tokens is one in millionths for each."""
    return round(read * costs_of(bot).token_price + written * automation_of(bot).answer_price)


def begin(bot: Bot, purpose: str, model: str, asking: int, job: Job | None, delivery: Delivery | None) -> ModelCall:
    """The row of a call that is about to be made, with what its question (`asking` tokens) costs. The caller has a transaction."""
    call = ModelCall(bot=bot, job=job, purpose=purpose, model=model[:200], at=timezone.now(), day=open_bot(bot).today())
    call.delivery = delivery if delivery is not None and delivery.pk else None
    call.tokens_in, call.micros, call.counted = asking, micros(bot, asking, 0), False
    call.fault = Fault.UNFINISHED
    quick.save(call)
    if _add(call, Spent(1, 1, asking, 0, call.micros)):
        _forget_old(bot)
    return call


def end(call: ModelCall, reply: Reply | None, failed: ModelFailed | None, seconds: float) -> None:
    """The call as it went. Of an answer that did not come in time nobody knows whether it cost: it keeps the estimate."""
    read, written, counted = call.tokens_in, 0, False
    if reply is not None:
        read, written, counted = reply.tokens_in, reply.tokens_out, reply.counted
    elif failed is not None and not (failed.fault == Fault.TIMEOUT and failed.tries):
        read, counted = 0, True
    after = Spent(1, 1 if failed else 0, read, written, micros(call.bot, read, written))
    with transaction.atomic():
        ended = {
            "tokens_in": read,
            "tokens_out": written,
            "counted": counted,
            "micros": after.micros,
            "tries": reply.tries if reply else failed.tries if failed else 1,
            "milliseconds": round(seconds * 1000, 3),
            "fault": failed.fault if failed else "",
        }
        if quick.update(ModelCall, {"id": call.pk}, ended):  # it is gone if the bot is
            _add(call, after - Spent(1, 1, call.tokens_in, 0, call.micros))


def _add(call: ModelCall, more: Spent) -> bool:
    """Add to the sums of the call's day. Returns whether they had not been begun."""
    row = {"bot": call.bot_id, "day": call.day, "purpose": call.purpose}
    added = {name: count for name, count in asdict(more).items() if count}
    if not added or quick.update(Spending, row, {}, added):
        return False
    Spending.objects.create(**{**row, "bot": call.bot}, **asdict(more))
    return True


def _forget_old(bot: Bot) -> None:
    oldest = (open_bot(bot).now().date() - timedelta(days=KEPT)).isoformat()
    ModelCall.objects.filter(bot=bot, day__lt=oldest).delete()


def of_day(bot: Bot, day: str) -> Spent:
    """What a bot's calls of a day (YYYY-MM-DD) came to."""
    return sum((_spent(row) for row in Spending.objects.filter(bot=bot, day=day)), Spent())


def between(bot: Bot, since: str, until: str) -> Spent:
    """The same of several days, from one up to another, which is not in it any more."""
    return sum((_spent(row) for row in Spending.objects.filter(bot=bot, day__gte=since, day__lt=until)), Spent())


def of_job(job: Job) -> Spent:
    """What a job's calls came to, over all of its attempts."""
    sums = ModelCall.objects.filter(job=job).aggregate(
        calls=Count("pk"),
        faults=Count("pk", filter=~Q(fault="")),
        read=Sum("tokens_in", default=0),
        written=Sum("tokens_out", default=0),
        cost=Sum("micros", default=0),
    )
    return Spent(sums["calls"], sums["faults"], sums["read"], sums["written"], sums["cost"])


def days(bot: Bot, count: int = 30) -> dict[str, dict[str, Spent]]:
    """day -> purpose -> what its calls came to, of the bot's last days, the newest first; days without calls are not there."""
    since = (open_bot(bot).now().date() - timedelta(days=count - 1)).isoformat()
    found: dict[str, dict[str, Spent]] = {}
    for row in Spending.objects.filter(bot=bot, day__gte=since).order_by("-day", "purpose"):
        found.setdefault(row.day, {})[row.purpose] = _spent(row)
    return found


def _spent(row: Spending) -> Spent:
    return Spent(row.calls, row.faults, row.tokens_in, row.tokens_out, row.micros)
