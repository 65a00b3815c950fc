"""The one way to ask the language model for a bot: within its bound for the day, and with each call on record."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from memory import bots, llm
from memory.automation import automation_of
from memory.costs import costs_of
from memory.llm import Fault, ModelFailed, Reply
from memory.models import Bot, Delivery, Job, ModelCall
from memory.text.talk import Message

ANSWER = "answer"  # the purpose of what is no job
MICROS = 1_000_000


def ask(
    bot: Bot,
    purpose: str,
    messages: Sequence[Message],
    *,
    schema: dict[str, Any] | None = None,
    most: int = 2000,
    seconds: float | None = None,
    job: Job | None = None,
    delivery: Delivery | None = None,
) -> Reply:
    """Ask for a bot, as `llm.ask` does. Raises ModelFailed, also where no model is set up and where the bound of the day is
    reached; only calls that were made are on record."""
    where = llm.server()
    if where is None:
        raise ModelFailed(
            Fault.NONE_SET, "No language model is set up. LLM_BASE_URL and LLM_MODEL in the environment name one."
        )
    check(bot)
    began = time.perf_counter()
    failed: ModelFailed | None = None
    reply: Reply | None = None
    try:
        reply = llm.ask(where, messages, schema=schema, most=most, seconds=seconds)
    except ModelFailed as error:
        failed, reply = error, error.reply
    _record(bot, purpose, where.model, reply, failed, time.perf_counter() - began, job, delivery)
    if failed is not None:
        raise failed
    assert reply is not None  # noqa: S101 - one of the two
    return reply


def check(bot: Bot) -> None:
    """Raises ModelFailed if what the bot may spend on its day is spent."""
    limits = automation_of(bot)
    if not limits.daily_dollars and not limits.daily_tokens:
        return
    tokens, micros = spent(bot, bots.today(bot))
    if limits.daily_dollars and micros >= limits.daily_dollars * MICROS:
        what = f"${limits.daily_dollars:,.2f}"
    elif limits.daily_tokens and tokens >= limits.daily_tokens:
        what = f"{limits.daily_tokens:,} tokens"
    else:
        return
    raise ModelFailed(
        Fault.CAP, f"The language model may cost {what} a day, and today's are spent. It is asked again tomorrow."
    )


def spent(bot: Bot, day: str) -> tuple[int, int]:
    """(tokens, millionths of a dollar) that a bot's calls of a day (YYYY-MM-DD) took."""
    sums = ModelCall.objects.filter(bot=bot, day=day).aggregate(
        read=Sum("tokens_in"), written=Sum("tokens_out"), micros=Sum("micros")
    )
    return (sums["read"] or 0) + (sums["written"] or 0), sums["micros"] or 0


def _record(
    bot: Bot,
    purpose: str,
    model: str,
    reply: Reply | None,
    failed: ModelFailed | None,
    seconds: float,
    job: Job | None,
    delivery: Delivery | None,
) -> None:
    read, written = (reply.tokens_in, reply.tokens_out) if reply else (0, 0)
    ModelCall.objects.create(
        bot=bot,
        job=job,
        delivery=delivery if delivery is not None and delivery.pk else None,
        purpose=purpose,
        model=model[:200],
        at=timezone.now(),
        day=bots.today(bot),
        tokens_in=read,
        tokens_out=written,
        counted=reply.counted if reply else True,
        micros=_micros(bot, read, written),
        tries=reply.tries if reply else 1,
        milliseconds=round(seconds * 1000, 3),
        fault=failed.fault if failed else "",
    )


def _micros(bot: Bot, read: int, written: int) -> int:
    """Millionths of a US dollar: a price in dollars for a million tokens is one in millionths for each."""
    return round(read * costs_of(bot).token_price + written * automation_of(bot).answer_price)
