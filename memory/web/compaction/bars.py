"""A long-term memory before and after a run as bars on one scale: what it had, what is new, what the bot does not load."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.domain.dialect import Limit

WIDE = 1000  # units of a drawing
ROOM = 1.2  # of the limit or of what is there now; what is longer ends in an arrow


@dataclass(frozen=True, slots=True)
class Bar:
    """Lengths of its parts one behind the other; `limit` is where the line of the limit stands, None for none."""

    label: str
    size: int
    old: int
    new: int
    unread: int
    limit: int | None
    beyond: bool

    @property
    def new_at(self) -> int:
        return self.old

    @property
    def unread_at(self) -> int:
        return self.old + self.new


def bars(before: int, after: int, whole: int, limit: Limit | None) -> list[Bar]:
    """Now and afterwards, and, where more could move than does, if all of it did."""
    scale = max(limit.size, before) * ROOM if limit else max(before, after, 1)
    told = [(_("Now"), before), (_("After"), after)]
    if whole > after:
        told.append((_("Move all"), whole))
    return [_bar(label, before, size, scale, limit) for label, size in told]


def _bar(label: str, before: int, size: int, scale: float, limit: Limit | None) -> Bar:
    loaded = min(size, limit.size) if limit and limit.cuts else size
    old = min(before, loaded)
    ends = [min(WIDE, round(end * WIDE / scale)) for end in (old, loaded, size)]
    line = round(limit.size * WIDE / scale) if limit else None
    return Bar(label, size, ends[0], ends[1] - ends[0], ends[2] - ends[1], line, size > scale)
