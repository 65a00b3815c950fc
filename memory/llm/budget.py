"""The one way to ask the language model for a bot: within its bound for the day, and with each call on record.

A call is on record from before it is sent, with what its question costs by estimate: others who ask at the same time count with
it, and a process that dies leaves what it had begun. Afterwards it holds what the server counted (`usage.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import transaction

from memory import llm
from memory.bots.automation import automation_of
from memory.llm import Fault, ModelFailed, Reply, usage
from memory.llm.usage import Spent, days, of_job, of_today
from memory.models import Bot, Delivery, Job, ModelCall, quick
from memory.text.message import Message
from memory.text.replies import NoJson, read_json
from memory.text.sentences import say

__all__ = ["ANSWER", "MERGE", "MICROS", "TRIAL", "Spent", "ask", "ask_json", "check", "days", "of_job", "of_today"]

ANSWER, MERGE, TRIAL = "answer", "merge", "trial"  # the purposes of what is no job
MICROS = 1_000_000  # of a dollar

T = TypeVar("T")


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
    asking: int | None = None,
    is_empty: Callable[[Reply], bool] = lambda _reply: False,
) -> Reply:
    """Ask for a bot, as `llm.ask` does. Raises ModelFailed, also where no model is set up, and where the bound of the day is
    reached or would be passed by the question alone; only calls that were made are on record. `asking`: its tokens, where
    they are counted already; `is_empty`: which answers count as none besides those that are blank."""
    where = _server()
    call = _begin(bot, purpose, where, llm.question_tokens(messages) if asking is None else asking, job, delivery)
    return _ended(
        call,
        lambda: llm.ask(where, messages, schema=schema, most=most, seconds=seconds),
        lambda reply: _not_empty(reply, is_empty),
    )


def ask_json(
    bot: Bot,
    purpose: str,
    messages: Sequence[Message],
    *,
    schema: dict[str, Any],
    check: Callable[[Any], T],
    most: int = 2000,
    job: Job | None = None,
) -> T:
    """The same for an answer that is a JSON object: what `check` makes of it. Its ValueError means another shape than was asked
    for. Raises ModelFailed; what cannot be used is on record with its fault and what it cost."""
    where = _server()
    call = _begin(bot, purpose, where, llm.question_tokens(messages), job, None)
    return _ended(
        call,
        lambda: llm.ask(where, messages, schema=schema, most=most),
        lambda reply: _checked(reply, check),
    )


def check(bot: Bot, asking: int = 0) -> None:
    """Raises ModelFailed if what the bot may spend on its day is spent, or a question of so many tokens would cost more than is
    left. What it is answered is not known before, so that the last call of a day may pass the bound by its answer."""
    limits = automation_of(bot)
    if not limits.daily_dollars and not limits.daily_tokens:
        return
    today = of_today(bot)
    dollars, tokens = f"{limits.daily_dollars:,.2f}", f"{limits.daily_tokens:,}"
    if limits.daily_dollars:
        left = limits.daily_dollars * MICROS - today.micros
        if left <= 0:
            raise _capped(say("The daily limit of $%(dollars)s is reached.", dollars=dollars))
        if usage.micros(bot, asking, 0) > left:
            raise _capped(
                say(
                    "The daily limit is $%(dollars)s, and this request would exceed it.",
                    dollars=dollars,
                )
            )
    if limits.daily_tokens:
        if today.tokens >= limits.daily_tokens:
            raise _capped(say("The daily limit of %(tokens)s tokens is reached.", tokens=tokens))
        if today.tokens + asking > limits.daily_tokens:
            raise _capped(
                say(
                    "The daily limit is %(tokens)s tokens, and this request would exceed it.",
                    tokens=tokens,
                )
            )


def _capped(sentence: str) -> ModelFailed:
    return ModelFailed(Fault.CAP, say("%(sentence)s Requests resume tomorrow.", sentence=sentence), tries=0)


def _server() -> llm.Server:
    where = llm.server()
    if where is None:
        raise ModelFailed(Fault.NONE_SET, llm.NO_MODEL, tries=0)
    return where


def _begin(
    bot: Bot,
    purpose: str,
    where: llm.Server,
    asking: int,
    job: Job | None,
    delivery: Delivery | None,
) -> ModelCall:
    with transaction.atomic():
        # Two who ask at once do not both take the last of the day, and a job may have read its settings an hour ago.
        held = Bot.objects.select_for_update(no_key=True).filter(pk=bot.pk)
        said = held.values_list("settings", "time_zone").get()
        now = bot if said == (bot.settings, bot.time_zone) else held.get()
        check(now, asking)
        return usage.begin(now, purpose, where.model, asking, job, delivery)


def _ended(call: ModelCall, asked: Callable[[], Reply], read: Callable[[Reply], T]) -> T:
    """What is read of the answer, the call's row being ended either way."""
    began = time.perf_counter()
    quick.let_go()
    try:
        reply = asked()
        found = read(reply)
    except ModelFailed as failed:
        usage.end(call, failed.reply, failed, time.perf_counter() - began)
        raise
    usage.end(call, reply, None, time.perf_counter() - began)
    return found


def _not_empty(reply: Reply, is_empty: Callable[[Reply], bool]) -> Reply:
    if is_empty(reply):
        raise ModelFailed(Fault.EMPTY, llm.NOTHING, reply)
    return reply


def _checked(reply: Reply, check: Callable[[Any], T]) -> T:
    try:
        return check(read_json(reply.text))
    except NoJson as error:
        raise ModelFailed(Fault.CUT_OFF if error.cut_off else Fault.NO_JSON, str(error), reply) from None
    except ValueError:
        raise ModelFailed(
            Fault.WRONG_SHAPE, say("The language model’s answer didn’t have the requested form."), reply
        ) from None
