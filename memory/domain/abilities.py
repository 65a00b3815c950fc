"""What a family of bots may be able to do beside keeping facts; one that lacks an ability has None in its place."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from memory.domain.changes import Append, Change, Put
from memory.domain.memory import Memory
from memory.domain.plan import NOTHING_CHOSEN, Choice, Plan
from memory.domain.turns import Captured, Exchange, Turn
from memory.text.markdown.entries import FactAt
from memory.text.message import Message
from memory.text.sentences import say

NOT_REWORDED = say("This can’t be edited before it is accepted. Accept it, then edit the fact.")


class Capturing:
    """What the bot writes down of a turn; a family that captures is one of these."""

    by_reply = False  # whether the bot's own replies say what is to be remembered

    @property
    def capturing(self) -> Capturing:
        return self

    def writes_turns(self, settings: Any) -> bool:
        """Whether a turn that the bot had elsewhere is written down here; else its call is only logged."""
        return False

    def command(self, turn: Turn) -> str | None:
        """What the bot itself answers to a command of its own, without asking its model; None for any other message."""
        return None

    def begun(self, turn: Turn, memory: Memory, settings: Any) -> tuple[Change, ...]:
        """What the bot writes down of a message before it asks its model for the reply; nothing for most. Raises Unreadable."""
        return ()

    def capture(self, turn: Turn, memory: Memory, settings: Any) -> Captured:
        """The changes that a finished turn makes. Raises ValueError for a session id that cannot name files."""
        return observe(turn)

    def alone(self, turn: Turn) -> tuple[Turn, ...]:
        """The turn once for each thing that it asks to remember, with that alone; itself where it cannot be taken apart."""
        return (turn,)

    def reworded(self, turn: Turn, text: str) -> Turn:
        """A turn of `alone` that asks to remember this text in its place. Raises ValueError with a sentence."""
        raise ValueError(NOT_REWORDED)

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append | None:
        """A turn as the bot writes it into the chat's transcript; `said` is what the user saw. None where what `begun` and
        `capture` write is all. Raises Unreadable, and ValueError with a sentence where nobody but the bot can add to it."""
        return None


class Talking(ABC):
    """How transcripts of chats are read; a family that keeps them is one of these, or has one."""

    in_lines = True  # whether each line of one says something by itself; if not, a file is read as one

    @property
    def talking(self) -> Talking:
        return self

    @abstractmethod
    def history(self, data: bytes, limit: int) -> tuple[Message, ...]:
        """The newest `limit` messages in a transcript or, if it is in lines, in the end of one, oldest first, as a model is told
        them; what is no message is passed over."""

    def messages(self, path: str, data: bytes) -> Sequence[Message]:
        """All messages of a transcript that is not in lines, as people read them. Raises ValueError with a sentence."""
        return self.history(data, sys.maxsize)

    def exchanges(self, path: str, data: bytes) -> Sequence[Exchange] | None:
        """The turns that lines of a transcript note, where the family notes turns and not messages; None where it does not."""
        return None


class Compacting(Protocol):
    """How old daily logs are merged into long-term memory."""

    def compact(
        self, memory: Memory, today: str, scopes: Iterable[str], settings: Any, choice: Choice = NOTHING_CHOSEN
    ) -> Plan:
        """What compaction does with logs older than the retention on the day `today` (YYYY-MM-DD); scope "" is the bot's own."""

    def old_logs(self, paths: Iterable[str], today: str, scopes: Iterable[str], settings: Any) -> tuple[str, ...]:
        """Those of the paths that are logs of these scopes older than the retention on the day `today`, oldest first in each."""

    def entries(self, path: str, data: bytes) -> list[FactAt]:
        """The facts of a daily log that compaction may take out of it; prose stays. Raises ValueError, with a sentence, for a log
        that has to be left as it is."""

    def extended(self, path: str, data: bytes | None, facts: Iterable[str]) -> Put:
        """A long-term memory or an archive with these facts where compaction adds them (`data` None: there is none yet). Raises
        ValueError, with a sentence, where they would not read as facts."""

    def verify(self, plan: Plan, memory: Memory, results: Mapping[str, bytes | None]) -> str:
        """The gate: "" if every source fact is in the results or a named duplicate, else what is missing, for people."""


def observe(turn: Turn) -> Captured:
    """What a turn makes of which only the bot itself writes anything down."""
    return Captured(turn.response, (), {"memories": 0, "documents": [], "observed": True})
