"""A long-term memory before and after a run as bars on one scale: what it had, what is new, what is over the limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from memory.bots.costs import Costs
from memory.domain.prompt import Limit
from memory.web.base.gauges import dollars, kilobytes, limit_words, surplus

WIDE = 1000  # units of a drawing
ROOM = 1.2  # of the limit or of what is there now; what is longer ends in an arrow


@dataclass(frozen=True, slots=True)
class Bar:
    """Lengths of its parts one behind the other, `past` of what is over the limit; `limit` is where the line of that stands, None
    for none."""

    label: str
    size: int
    old: int
    new: int
    past: int
    limit: int | None
    beyond: bool

    @property
    def past_at(self) -> int:
        return self.old + self.new


@dataclass(frozen=True, slots=True)
class Size:
    """One long-term document before and after. `limit` says it in words, `cuts` whether the bot loads no more; `over`: by how much
    it is more than that already, or, where that is done, still. `tokens`, by estimate, are None where nobody counted them."""

    path: str
    before: int
    after: int
    bars: Sequence[Bar]
    limit: str
    over: int
    cuts: bool = False
    whole: int = 0
    tokens: tuple[int, int] | None = None
    money: str = ""  # what it costs more with each message, in dollars

    @property
    def limit_at(self) -> str:
        """Where the line of the limit stands, as SVG says it in any language."""
        return f"{self._limit_at:.1f}%"

    @property
    def anchor(self) -> str:
        """Which part of the words of the limit stands at its line, so that they stay within the drawing."""
        return "start" if self._limit_at < 30 else "end" if self._limit_at > 70 else "middle"

    @property
    def _limit_at(self) -> float:
        return (self.bars[0].limit or 0) * 100 / WIDE


def size(
    path: str,
    before: int,
    after: int,
    limit: Limit | None,
    *,
    whole: int = 0,
    less: bool = False,
    tokens: tuple[int, int] | None = None,
    done: bool = False,
) -> Size:
    """A document with its bars; `whole` is what it would be if all moved that could, `less` whether less does."""
    held = after if done else before
    over = _surplus(held, limit) if limit and limit.cuts else 0
    drawn = _bars(before, after, whole if less else after, limit, done)
    words = limit_words(limit, max(before, after))
    return Size(path, before, after, drawn, words, over, bool(limit and limit.cuts), whole, tokens)


def priced(one: Size, costs: Costs) -> Size:
    """With what each message costs more then, where a price is set and it does."""
    more = costs.dollars(one.tokens[1] - one.tokens[0]) if one.tokens else 0.0
    return replace(one, money=dollars(more)) if more > 0 else one


def passing(sizes: Iterable[Size], limit: Limit | None) -> str:
    """By how much the documents that grow would pass what the bot loads, in words; "" where none does."""
    grown = [one for one in sizes if one.after > one.before] if limit else []
    over = sum(_surplus(one.after, limit) for one in grown)
    if not over:
        return ""
    if already := sum(_surplus(one.before, limit) for one in grown):
        more = sum(one.after - one.before for one in grown)
        words = {"over": kilobytes(already), "more": kilobytes(more)}
        return _("Already %(over)s over the limit. Your selection adds %(more)s.") % words
    return _("Your selection passes the limit by %(over)s.") % {"over": kilobytes(over)}


def _surplus(size: int, limit: Limit | None) -> int:
    return surplus(size, limit.taken(size)) if limit else 0


def sizes_of(details: Iterable[Mapping[str, Mapping[str, Sequence[int]]]], limit: Limit | None) -> list[Size]:
    """Of runs that stand, by the details of their change sets, oldest first: long-term memory before the first and after the
    last."""
    told: dict[str, list[int]] = {}
    for one in details:
        for path, (before, after) in one.get("sizes", {}).items():
            told[path] = [told.get(path, [before])[0], after]
    return [size(path, before, after, limit, done=True) for path, (before, after) in told.items()]


def _bars(before: int, after: int, whole: int, limit: Limit | None, done: bool) -> list[Bar]:
    """Before and afterwards, and, where more could move than does, if all of it did."""
    scale = max(limit.size, before) * ROOM if limit else max(before, after, 1)
    told = [(_("Before") if done else _("Now"), before), (_("After"), after)]
    if whole > after:
        told.append((_("Move all"), whole))
    line = limit.taken(max(before, after)) if limit else None
    return [_bar(label, before, length, scale, limit, line) for label, length in told]


def _bar(label: str, before: int, size: int, scale: float, limit: Limit | None, line: int | None) -> Bar:
    within = max(size - limit.over(size), min(size, line or 0)) if limit else size
    ends = [min(WIDE, round(end * WIDE / scale)) for end in (min(before, within), within, size)]
    limit_at = None if line is None else round(line * WIDE / scale)
    return Bar(label, size, ends[0], ends[1] - ends[0], ends[2] - ends[1], limit_at, size > scale)
