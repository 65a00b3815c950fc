"""What a bot reads before it answers, in parts, and what it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memory.domain.places import Tier
from memory.text.markdown.entries import FactAt


class PromptLine(NamedTuple):
    """A run of the prompt's text that comes from one fact or document; `path` "" for the bot's own fixed words."""

    text: str
    path: str = ""
    line: int = 0
    fact: FactAt | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One headed part of the prompt. `"".join(line.text for line in lines)` is exactly its text."""

    heading: str
    tier: Tier | None
    lines: tuple[PromptLine, ...]

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document or fact that the bot will not read now, and why, for people. `age` like "12 days ago", or "". It may stand for
    several, `count`, of the same document."""

    path: str
    why: str
    age: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """The memory section as the bot reads it: the sections' texts joined are `text`, byte for byte. `counted` is what the bot
    itself counts of it, by its own names; `unsure` says for people what of it the running bot may read otherwise."""

    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...] = ()
    counted: Mapping[str, int] = field(default_factory=dict)
    unsure: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(section.text for section in self.sections)


NEARLY_FULL = 80  # percent of a limit


@dataclass(frozen=True, slots=True)
class Limit:
    """How many bytes of its long-term memory a bot reads well or, if it `cuts`, loads at all: the first or, if it `keeps` some of
    a longer one, so many of its beginning and end."""

    size: int
    cuts: bool = False
    keeps: int = 0

    def taken(self, size: int) -> int:
        """How many bytes it takes of so many, at most: less than the limit of what is longer, where that loses its middle."""
        return self.keeps if self.keeps and size > self.size else self.size

    def over(self, size: int) -> int:
        """By how many so many bytes are more than it takes."""
        return max(0, size - self.taken(size))

    def lost(self, size: int) -> int:
        """How many of so many bytes are never loaded."""
        return self.over(size) if self.cuts else 0

    @property
    def roomy(self) -> int:
        """How many bytes may be filled before it is nearly full."""
        return self.size * (NEARLY_FULL - 1) // 100
