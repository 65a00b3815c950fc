"""Which part of a long document stands in the editor's field, and how the text of a part becomes that of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.text.markdown.parts import TextPart, part_of, part_with, parts, put_back
from memory.text.merge.common_ends import common_start


@dataclass(frozen=True, slots=True)
class PartBounds:
    """A part of a text by what stands before and behind it, in characters: so it is the same part after it was saved."""

    start: int
    rest: int

    def __str__(self) -> str:
        return f"{self.start}-{self.rest}"

    def of(self, text: str) -> str:
        """The part of a text that has the same before and behind it."""
        return text[self.start : len(text) - self.rest]

    def fits(self, text: str) -> bool:
        """Whether a text is long enough to have this part."""
        return self.start + self.rest <= len(text)

    def put_back(self, text: str, typed: str) -> str:
        """A text with this part of it as somebody typed it."""
        return put_back(text, self.start, len(text) - self.rest, typed)


@dataclass(frozen=True, slots=True)
class SectionPage:
    """A part on its page. `number` counts from 1, `line` and `last` are its first and last line in the document."""

    span: PartBounds
    number: int
    line: int
    last: int
    all: Sequence[TextPart]

    @property
    def title(self) -> str:
        return self.all[self.number - 1].title

    @property
    def before(self) -> int:
        """The number of the part before it, 0 if there is none."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the part behind it, 0 if there is none."""
        end = self.all[-1].end - self.span.rest
        return next((at for at, part in enumerate(self.all, 1) if part.start >= end > 0 and part.end > part.start), 0)


def span_of(sent: str) -> PartBounds | None:
    """The part that a form names as `12-4000`; None for the whole document."""
    start, _, rest = sent.partition("-")
    return PartBounds(int(start), int(rest)) if rest else None


def shown(base: str, text: str, asked: PartBounds | None, number: int = 0, line: int = 0) -> SectionPage | None:
    """The part of a document that is shown: the one that was asked for, by its place, its number or a line in it; of a text that
    differs from `base`, which it was made from, all parts that do. None: it is short enough to be shown whole."""
    every = parts(base)
    if len(every) == 1 and asked is None:
        return None
    if asked is not None and asked.fits(base) and asked.fits(text):
        return _shown(base, asked, part_of(every, asked.start), every)
    if text != base:
        first, last = _differing(every, base, text)
    else:
        first = last = part_with(every, line) if line else min(max(number, 1), len(every)) - 1
    return _shown(base, PartBounds(every[first].start, len(base) - every[last].end), first, every)


def part_number(text: str, span: PartBounds | None) -> int:
    """Which part of a text, from 1, begins where this one does; 0 for the whole."""
    return part_of(parts(text), span.start) + 1 if span else 0


def _shown(base: str, span: PartBounds, first: int, every: tuple[TextPart, ...]) -> SectionPage:
    line = base.count("\n", 0, span.start) + 1
    last = line + base.count("\n", span.start, max(span.start, len(base) - span.rest - 1))
    return SectionPage(span, first + 1, line, last, every)


def _differing(every: tuple[TextPart, ...], base: str, text: str) -> tuple[int, int]:
    """The first and the last part of `base` that an edit to it reaches into."""
    start = common_start(base, text)
    behind = common_start(base[start:][::-1], text[start:][::-1])
    return part_of(every, start), part_of(every, max(start, len(base) - behind - 1))
