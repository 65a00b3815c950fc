"""Where the messages of a chat are at this moment, as its family knows: in the prompt, set aside, summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages in a row that are in one place. `words` name it for people ("in the prompt"), `mark` is how it looks: `good`,
    `warn`, `bad` or "". In the transcript they are the lines that begin at its bytes [start, end). Others left it: then `lines` has
    them, as far as they are shown, and `change_set` is what took them, 0 for none that is known."""

    words: str
    count: int
    mark: str = ""
    start: int = 0
    end: int = 0
    lines: Sequence[bytes] = ()
    change_set: int = 0

    @property
    def is_inside(self) -> bool:
        return self.end > self.start


@dataclass(frozen=True, slots=True)
class Timeline:
    """All messages of a chat, the oldest first, and what is said of them as a whole."""

    stretches: Sequence[Stretch]
    notes: Sequence[str] = ()

    def at(self, offset: int) -> Stretch | None:
        """The stretch of the line that begins at a byte of the transcript."""
        return next((one for one in self.stretches if one.start <= offset < one.end), None)
