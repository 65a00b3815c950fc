"""What the language model was asked, as rows: the last days by purpose, and single calls."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.bots import open_bot
from memory.llm import PASSING, Fault, budget
from memory.models import Bot, Delivery, ModelCall
from memory.web.base.dates import day
from memory.web.base.fact_rows import cost
from memory.web.base.gauges import grouped, money, number_of
from memory.web.jobs.words import KINDS
from memory.web.model.chart import DAYS, by_day
from memory.web.webhooks.outcome_words import took

AT_FIRST = 7  # days that are shown without being asked for
AT_ONCE = 50
SOME = timedelta(seconds=10)  # that ending a call may take
PURPOSES: Mapping[str, str | Promise] = {
    budget.ANSWER: later("Answers"),
    budget.MERGE: later("Merged facts"),
    budget.TRIAL: later("Connection tests"),
    **KINDS,
}
FAULTS: Mapping[str, str | Promise] = {
    Fault.UNREACHABLE: later("unreachable"),
    Fault.TIMEOUT: later("timed out"),
    Fault.BUSY: later("busy"),
    Fault.BROKEN: later("server error"),
    Fault.REFUSED: later("refused"),
    Fault.DECLINED: later("refused to answer"),
    Fault.EMPTY: later("empty"),
    Fault.CUT_OFF: later("cut off"),
    Fault.NO_JSON: later("invalid JSON"),
    Fault.WRONG_SHAPE: later("wrong form"),
    Fault.UNFINISHED: later("unfinished"),
}


def days_of(bot: Bot) -> dict[str, object]:
    """What the model was asked for on the bot's last days with calls, the newest first: what a day is called and its sums by
    purpose. `words` says what all came to."""
    days = budget.days(bot, DAYS)
    sums = {name: sum(purposes.values(), budget.Spent()) for name, purposes in days.items()}
    said = [(day(name), [_sum(purpose, spent) for purpose, spent in found.items()]) for name, found in days.items()]
    whole = summed(sum(sums.values(), budget.Spent()))
    return {"words": whole, "newest": said[:AT_FIRST], "others": said[AT_FIRST:], "chart": by_day(bot, sums)}


def summed(spent: budget.Spent) -> str:
    """What some calls came to, in one line."""
    calls = number_of("1 request", "%(count)s requests", spent.calls)
    return " · ".join(filter(None, (calls, _nothing(spent.faults), cost(spent.tokens), money(spent.micros))))


def calls_of(bot: Bot, before: int | None) -> dict[str, object]:
    """A page of a bot's calls: the newest, or those before one. `older` is the key to go on from."""
    wanted = ModelCall.objects.filter(bot=bot)
    found = list((wanted.filter(pk__lt=before) if before else wanted).order_by("-pk")[: AT_ONCE + 1])
    shown = found[:AT_ONCE]
    older = shown[-1].pk if len(found) > AT_ONCE else None
    return {"lines": [_call(bot, call) for call in shown], "older": older, "before": before}


def calls_for(bot: Bot, delivery: Delivery) -> list[dict[str, object]]:
    """What was asked to answer a message when it last came, the newest first."""
    day = delivery.received.astimezone(open_bot(bot).zone).date()
    # Days are named for the index, which knows no deliveries.
    days = [(day + timedelta(days=later)).isoformat() for later in (0, 1)]
    calls = ModelCall.objects.filter(bot=bot, day__in=days, purpose=budget.ANSWER, delivery=delivery)
    return [_call(bot, call) for call in calls.order_by("-pk")[:AT_ONCE]]


def _sum(purpose: str, spent: budget.Spent) -> dict[str, object]:
    """Calls of one day for one purpose, said already. `faults` and `money` are "" for none."""
    return {
        "purpose": str(PURPOSES.get(purpose, purpose)),
        "calls": number_of("1 request", "%(count)s requests", spent.calls),
        "faults": _nothing(spent.faults),
        "tokens": _tokens(spent.tokens_in, spent.tokens_out),
        "money": money(spent.micros),
    }


def _nothing(faults: int) -> str:
    return number_of("%(count)s failed", "%(count)s failed", faults) if faults else ""


def _call(bot: Bot, call: ModelCall) -> dict[str, object]:
    """One call. `url` leads to what it was for, "" if to nothing; `level` is its chip's."""
    outcome, level = _outcome(call)
    return {
        "pk": call.pk,
        "purpose": str(PURPOSES.get(call.purpose, call.purpose)),
        "url": _url(bot, call),
        "words": _words(call),
        "when": call.at,
        "outcome": outcome,
        "level": level,
    }


def _words(call: ModelCall) -> str:
    """What a call took."""
    tokens = _tokens(call.tokens_in, call.tokens_out) if call.tokens_in or call.tokens_out else ""
    if not call.counted:
        tokens = _("%(tokens)s (estimate)") % {"tokens": tokens}
    again = number_of("%(count)s attempt", "%(count)s attempts", call.tries) if call.tries > 1 else ""
    return " · ".join(filter(None, (call.model, tokens, money(call.micros), took(call.milliseconds), again)))


def _tokens(read: int, written: int) -> str:
    return number_of("%(count)s token in, %(out)s out", "%(count)s tokens in, %(out)s out", read, out=grouped(written))


def _outcome(call: ModelCall) -> tuple[str, str]:
    if not call.fault:
        return _("answered"), "good"
    if call.fault == Fault.UNFINISHED and call.at > timezone.now() - timedelta(seconds=settings.LLM_TIMEOUT) - SOME:
        return _("running"), ""
    return str(FAULTS.get(call.fault, call.fault)), "warn" if call.fault in PASSING else "bad"


def _url(bot: Bot, call: ModelCall) -> str:
    if call.job_id:
        return reverse("memory:job", args=[bot.slug, call.job_id])
    return reverse("memory:delivery", args=[bot.slug, call.delivery_id]) if call.delivery_id else ""
