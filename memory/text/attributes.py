"""What a bot says of a fact besides the fact itself, where it keeps such a thing: how important, how sure, until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of one fact; what its bot does not say stays empty. Times are ISO texts in UTC, so that they compare as
    text; weights go from 0 to 1."""

    id: str = ""  # what the bot itself calls it
    kind: str = ""
    whose: str = ""  # a chat's, a user's or everybody's, by the family's own word
    importance: float = 0.0
    confidence: float = 0.0
    source: str = ""
    status: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    expires: str = ""

    def is_expired(self, now: str) -> bool:
        """Whether it is past its time at `now`, an instant."""
        return bool(self.expires) and self.expires < now


def instant(at: datetime) -> str:
    """A moment as attributes have it."""
    return at.astimezone(UTC).isoformat()
