"""The bot's answer to a message, made here: the prompt that it would send, the chat's newest messages, a language model, and what
the reply asks to remember taken in like any turn's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import BoundedSemaphore

from django.conf import settings

from memory import index, llm
from memory.bots import open_bot
from memory.domain.changes import By
from memory.domain.turns import Captured
from memory.llm import Fault, ModelFailed, budget
from memory.models import Bot, Delivery
from memory.prompts import build, uses
from memory.text.markdown.tags import Extracted, extract
from memory.text.message import Message
from memory.text.replies import strip_thoughts
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.webhook import call as turn_calls, capture, chat_lock, held, transcripts
from memory.webhook.call import WebhookCall

AT_ONCE = 24  # answers that one process waits for; the server has threads left for everything else
MOST_TOKENS = 4096  # of a reply
WORTHWHILE = 10.0  # seconds that the model must have left when the chat's turn comes; of a short timeout half

FAULTS = {
    Fault.NONE_SET: (503, "no language model is configured"),
    Fault.TIMEOUT: (408, "timeout"),
    Fault.UNREACHABLE: (503, "the language model cannot be reached"),
    Fault.BUSY: (503, "the language model is busy"),
    Fault.BROKEN: (503, "the language model is out of order"),
    Fault.REFUSED: (503, "the language model refused the request"),
    Fault.DECLINED: (503, "the language model declined to answer"),
    Fault.EMPTY: (503, "the language model said nothing"),
    Fault.CUT_OFF: (503, "the answer of the language model was cut off"),
    Fault.NO_JSON: (503, "the answer of the language model cannot be read"),
    Fault.WRONG_SHAPE: (503, "the answer of the language model cannot be read"),
    Fault.CAP: (503, "the language model is not asked again today"),
}
CHAT_BUSY = "another message of this chat is being answered"
FULL = "too many messages are being answered"
NOT_HERE = "this bot cannot be answered for"
SPILLED = "the prompt held what belongs to another chat"
AGAIN = 5  # seconds after which a call that may go well the next time is sent again

_places = BoundedSemaphore(AT_ONCE)


class TakenOver(Exception):
    """Another copy of the call answers it, or did."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why there is no answer: the HTTP status, the words of `{"error": …}` and for people, seconds to wait before another try.
    Nothing was changed, but for what the bot itself notes of a message before it has the reply."""

    status: int
    error: str
    why: str = ""
    wait: int = 0


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What the model is sent, and what the bot counts of it."""

    messages: Sequence[Message]
    counted: Mapping[str, int]


def answer(bot: Bot, call: WebhookCall, delivery: Delivery, *, by: By) -> Captured | Unanswered:
    """Answer the message of a call, within LLM_TIMEOUT of its arrival. `delivery` is on record.

    Raises what the journal and the vault raise (Busy, VaultError), RefusedCall and TakenOver, each with nothing else changed.
    """
    ends = (delivery.started or time.perf_counter()) + settings.LLM_TIMEOUT
    left = ends - time.perf_counter()
    wait = left - min(WORTHWHILE, settings.LLM_TIMEOUT / 2)
    try:
        with _place(), chat_lock.turn(bot, call.session_id, wait=max(0.0, wait), seconds=left) as hold:
            return _answer(bot, call, delivery, ends, hold, by)
    except _Full:
        return Unanswered(429, FULL, wait=AGAIN)
    except chat_lock.Waited:
        return Unanswered(409, CHAT_BUSY, wait=AGAIN)
    except chat_lock.Lost:
        delivery.change_set = None  # it went with its transaction
        return Unanswered(409, CHAT_BUSY, wait=AGAIN)
    except ModelFailed as failed:
        status, error = FAULTS.get(failed.fault, FAULTS[Fault.BROKEN])
        return Unanswered(status, error, str(failed), AGAIN if failed.passes else 0)
    except build.Spilled as spilled:
        return Unanswered(503, SPILLED, str(spilled))
    except build.SessionRefused:
        raise call.misnamed from None


def _answer(
    bot: Bot, call: WebhookCall, delivery: Delivery, ends: float, hold: chat_lock.Hold, by: By
) -> Captured | Unanswered:
    if not Delivery.objects.filter(pk=delivery.pk, status=0, received=delivery.received).exists():
        raise TakenOver
    if told := capture.command(bot, call):
        return capture.take(bot, replace(call, response=told), delivery, by=by, hold=hold)
    asked = conversation(bot, call)
    if why := transcripts.unwritable(bot, call.session_id):
        return Unanswered(503, NOT_HERE, why)
    tokens = llm.question_tokens(asked.messages)
    budget.check(bot, tokens)  # before the message is noted: a refused one would be noted each time
    held.must_have_room_to_ask(bot)
    capture.begin(bot, call, hold, by)
    left = ends - time.perf_counter()
    reply = budget.ask(
        bot,
        budget.ANSWER,
        asked.messages,
        most=MOST_TOKENS,
        seconds=left,
        delivery=delivery,
        asking=tokens,
        is_empty=lambda reply: _says_nothing(reply.text),
    )
    if time.perf_counter() > ends:  # nobody waits for it any more
        raise ModelFailed(Fault.TIMEOUT, say("The language model answered too late. Its answer was dropped."))
    text = turn_calls.whole(reply.text)
    delivery.body = {**delivery.body, "reply": keepable(text)}
    transcripts.make_directory(bot)
    return capture.take(bot, replace(call, response=text), delivery, by=by, hold=hold, counted=asked.counted)


def conversation(bot: Bot, call: WebhookCall) -> ModelQuestion:
    """What the model is sent: who the bot is and what it remembers, the chat's newest messages, the message. Raises Unreadable,
    build.Spilled and build.SessionRefused."""
    memory, dialect, chosen = index.BotMemory(bot), open_bot(bot).dialect, open_bot(bot).settings
    read = build.read(bot, call.session_id, call.asked, memory=memory, sender=call.user_id or "", answers=True)
    uses.record_prompt(bot, (line for section in read.sections for line in section.lines))
    said = [
        Message("system", dialect.instructions(memory, read, chosen)),
        *transcripts.newest(bot, call.session_id, chosen.session_history_limit, memory),
        *([Message("system", reminder)] if (reminder := dialect.reminder(read)) else []),
        Message("user", call.message),
    ]
    return ModelQuestion([Message(one.role, keepable(one.content)) for one in said], read.counted)


def _says_nothing(reply: str) -> bool:
    """Whether a reply has nothing to read and nothing to keep. Tags alone, with something in them, are an answer as the bot gives
    one; behind them a thought that does not end is none."""
    found = extract(reply)
    return not strip_thoughts(found.clean_text) if found.clean_text else found == Extracted("")


class _Full(Exception):
    """As many answers are waited for as this process may."""


@contextmanager
def _place() -> Iterator[None]:
    """One of the places for answers; those who find none are not kept waiting for it, so that pages always have threads."""
    if not _places.acquire(blocking=False):
        raise _Full
    try:
        yield
    finally:
        _places.release()
