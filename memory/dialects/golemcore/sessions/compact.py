"""A session made smaller: its newest messages stay, and a summary or what an older one said stands before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.dialects.golemcore.sessions.flatten import flattened
from memory.dialects.golemcore.sessions.record import SUMMARY, Session, SessionMessage, WrittenLine
from memory.text.utf16 import count_units

OVERHEAD = 8000  # tokens that the bot takes its system prompt for
MODEL_MOST = 128_000  # tokens, of a model that it knows nothing of
_PER_TOKEN, _SHARE = 3.5, 0.8


@dataclass(frozen=True, slots=True)
class Cut:
    """A compaction, decided: `going` are the messages that leave, `carried` the numbers of older summaries among them."""

    session: Session
    first: int  # the number of the first message that stays
    carried: tuple[int, ...]

    @property
    def going(self) -> Sequence[SessionMessage]:
        """The messages that leave and are no summaries."""
        return [one for number, one in enumerate(self.session.messages[: self.first]) if number not in self.carried]

    @property
    def summaries(self) -> Sequence[SessionMessage]:
        """Older summaries, whole."""
        return [self.session.messages[number] for number in self.carried]

    def lines(self, summary: SessionMessage | None = None) -> list[WrittenLine]:
        """What stays: behind a new summary, or else behind the older ones."""
        head = [WrittenLine(told=summary)] if summary else [WrittenLine(number) for number in self.carried]
        return head + flattened(self.session.messages, self.first)


def cut(session: Session, keep: int) -> Cut | None:
    """What a compaction to `keep` messages takes out of a session; None where nothing but summaries is older."""
    first = len(session.messages) - max(0, keep)
    if first <= 0:
        return None
    older = session.messages[:first]
    carried = tuple(number for number, one in enumerate(older) if one.is_summary)
    return Cut(session, first, carried) if len(carried) < first else None


def summary(text: str, at: str, name: str) -> SessionMessage:
    """The message that a summary becomes."""
    return SessionMessage("system", SUMMARY + text.strip(), at, id=name)


def tokens(session: Session) -> int:
    """What the bot takes a session for: by the contents alone."""
    return int(sum(count_units(one.content) for one in session.messages) / _PER_TOKEN) + OVERHEAD


def threshold(most: int, model_most: int = MODEL_MOST) -> int:
    """The tokens beyond which the bot compacts a session by itself."""
    return min(int(model_most * _SHARE), most)
