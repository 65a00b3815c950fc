"""The language model: any server that speaks OpenAI's `/chat/completions`. Nothing of it is imported before it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.conf import settings

from memory.text.talk import Message


class Fault(StrEnum):
    """What can go wrong with an answer; kept with the call."""

    NONE_SET = "none set"  # no language model is set up
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"  # all of it: connecting, waiting, trying again
    BUSY = "busy"  # 429 to the last
    BROKEN = "broken"  # 5xx to the last
    REFUSED = "refused"  # another 4xx: the key, the model's name, the request
    DECLINED = "declined"  # the model would not answer
    EMPTY = "empty"
    CUT_OFF = "cut off"
    NO_JSON = "no json"
    WRONG_SHAPE = "wrong shape"
    CAP = "cap"  # the bot's bound for the day


# What may go well the next time without anybody changing anything.
PASSING = frozenset((Fault.UNREACHABLE, Fault.TIMEOUT, Fault.BUSY, Fault.BROKEN, Fault.EMPTY, Fault.CUT_OFF))


class ModelFailed(Exception):
    """The model gave no answer that can be used; the message is a sentence for people, without addresses and keys.

    `reply` is the answer that could not be used, if there was one: it cost tokens all the same."""

    def __init__(self, fault: Fault, sentence: str, reply: Reply | None = None) -> None:
        super().__init__(sentence)
        self.fault, self.reply = fault, reply

    @property
    def passes(self) -> bool:
        """Whether it may go well the next time."""
        return self.fault in PASSING


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is asked. `timeout` in seconds, for an answer with all its tries."""

    address: str
    key: str
    model: str
    timeout: float


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `counted`: the server said the tokens, else they are an estimate; `tries` requests were sent for it."""

    text: str
    tokens_in: int
    tokens_out: int
    counted: bool
    tries: int
    seconds: float


def server() -> Server | None:
    """The language model of the environment; None if none is set up."""
    if not (settings.LLM_BASE_URL and settings.LLM_MODEL):
        return None
    return Server(settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL, settings.LLM_TIMEOUT)


def ask(
    where: Server,
    messages: Sequence[Message],
    *,
    schema: dict[str, Any] | None = None,
    most: int = 2000,
    seconds: float | None = None,
) -> Reply:
    """The model's answer. `schema`: JSON Schema of an object that it should answer with, where the server can hold it to that;
    `most` tokens; `seconds` in place of the server's timeout. Raises ModelFailed."""
    raise ModelFailed(Fault.NONE_SET, "No language model is set up.")
