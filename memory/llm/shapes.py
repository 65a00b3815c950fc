"""What is said about a language model: where it is asked, what it answers, what can go wrong with an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.text.message import Message
from memory.text.sentences import say
from memory.text.tokens.estimate import estimate

# What is said where a model is wanted and none is set up.
NO_MODEL = say("No language model set up. Set LLM_BASE_URL and LLM_MODEL in the environment.")

NOTHING = say("The language model’s answer was empty.")

MESSAGE = 4  # tokens that a message takes besides its text


class Fault(StrEnum):
    """What can go wrong with an answer; kept with the call."""

    NONE_SET = "none set"  # no language model is set up
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"  # all of it: connecting, waiting, trying again
    BUSY = "busy"  # 429 to the last
    BROKEN = "broken"  # 5xx to the last
    REFUSED = "refused"  # another 4xx: the key, the model's name, the request; or an address that leads elsewhere
    DECLINED = "declined"  # the model would not answer
    EMPTY = "empty"
    CUT_OFF = "cut off"
    NO_JSON = "no json"
    WRONG_SHAPE = "wrong shape"
    CAP = "cap"  # the bot's bound for the day
    UNFINISHED = "unfinished"  # the process that asked ended before the answer came; only ever kept, never raised


# What may go well the next time without anybody changing anything.
PASSING = frozenset((Fault.UNREACHABLE, Fault.TIMEOUT, Fault.BUSY, Fault.BROKEN, Fault.EMPTY, Fault.CUT_OFF))


class ModelFailed(Exception):
    """The model gave no answer that can be used; the message is a sentence for people, without addresses and keys.

    `reply` is the answer that could not be used, if there was one: it cost tokens all the same. `tries` requests were sent."""

    def __init__(self, fault: Fault, sentence: str, reply: Reply | None = None, tries: int = 1) -> None:
        super().__init__(sentence)
        self.fault, self.reply, self.tries = fault, reply, reply.tries if reply else tries

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


def question_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens a question costs."""
    return sum(estimate(message.content) + MESSAGE for message in messages)
