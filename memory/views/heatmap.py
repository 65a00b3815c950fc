"""Half a year of days as squares, drawn on the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from django.urls import reverse
from django.utils import formats
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory import bots
from memory.models import Bot, Day
from memory.views.calendar import entries

WEEKS = 26
STEP, SIDE, LEFT, TOP = 20, 16, 34, 16  # of squares, in units of the drawing
LEVELS = 4


@dataclass(frozen=True, slots=True)
class Filled:
    """A day that has entries."""

    day: str
    name: str
    facts: int
    url: str


@dataclass(frozen=True, slots=True)
class Heatmap:
    """The days, as drawn and as told. `filled` are those with entries, the newest first."""

    svg: SafeString
    filled: Sequence[Filled]
    width: int
    height: int
    span: str
    sentence: str


def heatmap(bot: Bot) -> Heatmap:
    """The last 26 weeks of a bot's days; one statement."""
    today = date.fromisoformat(bots.today(bot))
    start = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    rows = Day.objects.filter(bot=bot, day__gte=start.isoformat(), day__lte=today.isoformat(), facts__gt=0)
    facts = dict(rows.values_list("day", "facts"))
    base = reverse("memory:days", args=[bot.slug])
    dates = [start + timedelta(days=number) for number in range((today - start).days + 1)]
    filled = {day: _filled(day, facts[day.isoformat()], base) for day in dates if day.isoformat() in facts}
    svg = mark_safe("".join([*_labels(start), *_squares(dates, filled, today)]))  # noqa: S308 - words are escaped
    span = _("%(first)s to %(last)s") % {"first": _month(start), "last": _month(today)}
    width, height = LEFT + WEEKS * STEP, TOP + 7 * STEP
    return Heatmap(svg, list(filled.values())[::-1], width, height, span, _told(facts, today))


def _filled(day: date, facts: int, base: str) -> Filled:
    return Filled(day.isoformat(), formats.date_format(day), facts, f"{base}{day.isoformat()}")


def _month(day: date) -> str:
    return formats.date_format(day, "F")


def _labels(start: date) -> list[str]:
    """Every other weekday at the side, and above the squares the months where they begin."""
    words = [
        f'<text x="0" y="{TOP + 14 + number * STEP}">{escape(WEEKDAYS_ABBR[number])}</text>' for number in (0, 2, 4)
    ]
    for week in range(WEEKS - 1):
        monday = start + timedelta(weeks=week)
        if monday.day <= 7:
            name = escape(formats.date_format(monday, "M"))
            words.append(f'<text x="{LEFT + week * STEP}" y="10">{name}</text>')
    return words


def _squares(dates: Sequence[date], filled: Mapping[date, Filled], today: date) -> list[str]:
    """A link for each day with entries; the newest is where the tab key stops, the arrow keys go on from there."""
    most = max((one.facts for one in filled.values()), default=0)
    newest = max(filled, default=None)
    squares = []
    for number, day in enumerate(dates):
        week, weekday = divmod(number, 7)
        level = -(-filled[day].facts * LEVELS // most) if day in filled else 0
        mark = " today" if day == today else ""
        at = f'x="{LEFT + week * STEP}" y="{TOP + weekday * STEP}" width="{SIDE}" height="{SIDE}" rx="3"'
        rect = f'<rect class="l{level}{mark}" {at}'
        squares.append(_link(filled[day], rect, 0 if day == newest else -1) if day in filled else f"{rect}/>")
    return squares


def _link(one: Filled, rect: str, stop: int) -> str:
    words = escape(_("%(day)s: %(entries)s") % {"day": one.name, "entries": entries(one.facts)})
    return (
        f'<a href="{escape(one.url)}" tabindex="{stop}" aria-label="{words}">{rect}><title>{words}</title></rect></a>'
    )


def _told(facts: Mapping[str, int], today: date) -> str:
    if not facts:
        return _(
            "No entries in the last half year. The bot writes one when a reply says something is worth remembering."
        )
    days = ngettext("%(count)s day with entries", "%(count)s days with entries", len(facts)) % {"count": len(facts)}
    yesterday = facts.get((today - timedelta(days=1)).isoformat(), 0)
    words = {"days": days, "median": f"{median(facts.values()):g}", "yesterday": yesterday}
    return _("%(days)s, %(median)s a day at the median. Yesterday: %(yesterday)s.") % words
