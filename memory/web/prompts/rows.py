"""What the bot reads as rows: each line with its place and its cost, and the lines that budgets draw through them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, cast

from django.core.paginator import Page, Paginator

from memory.bots import open_bot
from memory.domain.dialect import Dialect
from memory.models import Bot
from memory.prompts.build import Priced, PricedLine, PricedSection
from memory.text.secrets import place_to_cut
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.fact_rows import fact_name
from memory.web.base.gauges import number_of
from memory.web.prompts.sums import Cut, own_directory, starts, tone

AT_ONCE = 80  # rows, by cost
WHOLE = 60  # rows of a part that is not folded
FIRST, LAST, NEAR = 20, 5, 3  # rows of a longer one that are shown: at its beginning, at its end, and around a cut
MORE = 500  # rows that are unfolded at once
SHOWN = 600  # characters of one row
_OPENED = re.compile(r"(\d{1,4})-(\d{1,6})", re.ASCII)
WIDE = 40  # of the bar beside a cost, for what costs most; the template draws it
BY_COST = "cost"


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A run of the prompt as a row. `url` leads to its document; `name` means its fact in forms and addresses, "" for none that
    can be edited. `weight` is how long its bar is, up to WIDE. `left` says how much is not shown; `goes_on`:
    it begins in the middle of a line."""

    shape: ClassVar = "line"
    id: str
    text: str
    tokens: int
    weight: int
    place: str = ""
    url: str = ""
    name: str = ""
    tier: str = ""
    left: str = ""
    beyond: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a headed part: its first line as the bot reads it, and what the whole part costs. `words`: what the bot
    itself says there, folded away."""

    shape: ClassVar = "head"
    text: str
    tier: str
    tokens: int
    at: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows in the middle of a part that are not shown; `opened` names the part with more of them."""

    shape: ClassVar = "fold"
    count: int
    tokens: int
    opened: str


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A headed part with its rows, of which the middle may be folded."""

    head: Head
    rows: Sequence[PromptRow | Cut | Fold]

    @property
    def at(self) -> str:
        """Which one it is, for its id."""
        return str(self.head.at)

    @property
    def loaded(self) -> str:
        """Which lines of its document it has, where it has not all of them."""
        return next((row.loaded for row in self.rows if isinstance(row, Cut)), "")


@dataclass(frozen=True, slots=True)
class Unfolded:
    """How many rows of which part are to be shown from its beginning on."""

    part: int = -1
    rows: int = 0

    @classmethod
    def named(cls, sent: str) -> Unfolded:
        """As an address has it: 2-520."""
        found = _OPENED.fullmatch(sent)
        return cls(int(found[1]), int(found[2])) if found else cls()


NOTHING_MORE = Unfolded()


@dataclass(frozen=True, slots=True)
class _Run:
    """What can be paged: a run of a part, or (`line` None) a part that is the bot's fixed words. `at` is its number among all
    lines of the prompt, `start` that of the part's first."""

    section: PricedSection
    start: int
    line: PricedLine | None
    at: int
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """The parts of a prompt as it reads, or a page of its facts by cost. `facts` counts those of the whole prompt."""

    facts: int
    parts: Sequence[PromptPart] = ()
    page: Page[_Run] | None = None
    rows: Sequence[PromptRow] = ()


def lines(
    bot: Bot, scope: str, priced: Priced, ends: Sequence[Cut], editable: bool = True, opened: Unfolded = NOTHING_MORE
) -> Lines:
    """The rows of a prompt as it reads. `ends` are the cuts through it; `editable`: its facts may be mended here."""
    runs = list(_runs(priced))
    facts = _facts(runs)
    maker = _Maker(bot, scope, facts, ends, editable)
    return Lines(len(facts), list(maker.parts(runs, _drawn(runs, ends), opened)))


def dearest(bot: Bot, scope: str, priced: Priced, number: str | None, editable: bool = True) -> Lines:
    """A page of its facts by falling cost."""
    facts = _facts(_runs(priced))
    maker = _Maker(bot, scope, facts, (), editable)
    dearest_first = sorted(facts, key=lambda run: -run.line.tokens if run.line else 0)
    page = Paginator(dearest_first, AT_ONCE).get_page(number)
    return Lines(len(facts), page=page, rows=[maker.line(run) for run in page])


def _facts(runs: Iterable[_Run]) -> list[_Run]:
    return [run for run in runs if run.line is not None and run.line.fact]


def _runs(priced: Priced) -> Iterator[_Run]:
    """The runs of each part, without its heading, which its Head shows, and without what is blank and costs nothing."""
    for section, start in zip(priced.sections, starts(priced), strict=False):
        if section.tier is None:
            yield _Run(section, start, None, start)
        else:
            yield from _of_part(section, start)


def _of_part(section: PricedSection, start: int) -> Iterator[_Run]:
    lines = section.lines
    for at, line in enumerate(lines):
        if (at or line.path) and (line.tokens or line.text.strip()):
            goes_on = at > 0 and not lines[at - 1].text.endswith("\n") and not line.text.startswith("\n")
            yield _Run(section, start, line, start + at, goes_on)


def _drawn(runs: Sequence[_Run], ends: Sequence[Cut]) -> dict[int, list[Cut]]:
    """The cuts by the run above which they are drawn, or below."""
    found: dict[int, list[Cut]] = {}
    for end in ends:
        near = (
            [run.at for run in runs if run.at < end.at][-1:]
            if end.below
            else [r.at for r in runs if r.at >= end.at][:1]
        )
        for at in near:
            found.setdefault(at, []).append(end)
    return found


def _kept(runs: Sequence[_Run], drawn: Mapping[int, Sequence[Cut]], first: int) -> set[int]:
    """Which runs of a part are shown."""
    if len(runs) <= max(WHOLE, first):
        return set(range(len(runs)))
    kept = {*range(first), *range(len(runs) - LAST, len(runs))}
    for at, run in enumerate(runs):
        if run.at in drawn:
            kept.update(range(at - NEAR, at + NEAR + 1))
    return kept


class _Maker:
    """Makes rows of runs. What all of them need is asked for once."""

    def __init__(self, bot: Bot, scope: str, facts: Sequence[_Run], ends: Sequence[Cut], editable: bool) -> None:
        self.dialect = open_bot(bot).dialect
        self.scope, self.own = scope, own_directory(bot, scope)
        self.most = max((run.line.tokens for run in facts if run.line), default=0) or 1
        self.url_of = addresses("document", bot)
        self.ends = ends
        self.editable = editable
        self.documents: dict[str, tuple[int, str, str, bool]] = {}

    def parts(self, runs: Iterable[_Run], drawn: Mapping[int, Sequence[Cut]], opened: Unfolded) -> Iterator[PromptPart]:
        """The parts in the order of the prompt."""
        for number, (start, grouped_runs) in enumerate(groupby(runs, key=attrgetter("start"))):
            some = list(grouped_runs)
            first = max(FIRST, opened.rows if opened.part == number else 0)
            told = [run for run in some if run.line is not None]
            yield PromptPart(_head(self.dialect, some[0].section, start), list(self.rows(told, drawn, number, first)))

    def rows(
        self, runs: Sequence[_Run], drawn: Mapping[int, Sequence[Cut]], number: int, first: int
    ) -> Iterator[PromptRow | Cut | Fold]:
        """The rows of a part, with the cuts that are drawn between them."""
        kept = _kept(runs, drawn, first)
        for is_shown, some in groupby(enumerate(runs), key=lambda each: each[0] in kept):
            part = [run for _at, run in some]
            if not is_shown:
                yield Fold(len(part), sum(run.line.tokens for run in part if run.line), f"{number}-{first + MORE}")
                continue
            for run in part:
                near = drawn.get(run.at, ())
                yield from (end for end in near if not end.below)
                yield self.line(run)
                yield from (end for end in near if end.below)

    def line(self, run: _Run) -> PromptRow:
        """The row of a run that has a line."""
        line = cast(PricedLine, run.line)
        document, place, url, mends = self.document(line.path)
        text, fact = keepable(line.text.strip("\n")), line.fact
        end = place_to_cut(text, SHOWN)
        return PromptRow(
            id=f"{document}-{fact.key[:16]}-{fact.nth}" if fact else f"at-{run.at}",
            text=text[:end],
            tokens=line.tokens,
            weight=min(WIDE, -(-line.tokens * WIDE // self.most)) if fact else 0,
            place=f"{place}:{line.line}" if line.line else place,
            url=url,
            name=fact_name(line.path, fact.key, fact.nth) if fact and mends and self.editable else "",
            tier=tone(self.dialect, run.section),
            left=_left(len(text) - end),
            beyond=any(end.hides(run.at) for end in self.ends),
            goes_on=run.goes_on,
        )

    def document(self, path: str) -> tuple[int, str, str, bool]:
        """What all lines of a document share: its number on the page, what it is called, where it is, whether it can be edited."""
        if path not in self.documents:
            place = self.dialect.describe(path) if path else None
            called, url = self.called(path), self.url_of(path) if path else ""
            self.documents[path] = len(self.documents), called, url, place is not None and place.editable
        return self.documents[path]

    def called(self, path: str) -> str:
        """A path, short: the page is about one chat, so its id and the directory of its notes need not be told again."""
        short = path.removeprefix(self.own)
        return keepable(short.replace(self.scope, "…") if self.scope else short)


def _head(dialect: Dialect, section: PricedSection, at: int) -> Head:
    if section.tier is None:
        return Head(section.heading, "", section.tokens, at, section.text.strip())
    return Head(section.lines[0].text.strip() or section.heading, tone(dialect, section), section.tokens, at)


def _left(number: int) -> str:
    if number <= 0:
        return ""
    return number_of("… %(count)s more character", "… %(count)s more characters", number)
