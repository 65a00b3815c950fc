"""Half a year of days as squares, drawn on the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from django.db.models import Count
from django.db.models.functions import Substr
from django.urls import reverse
from django.utils import formats
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.bots import open_bot
from memory.index import cached
from memory.models import Bot, Day, FactAttributes
from memory.web.base.calendar import entries, name_of

WEEKS = 26
STEP, SIDE, LEFT, TOP = 20, 16, 34, 16  # of squares, in units of the drawing
LEVELS = 4


@dataclass(frozen=True, slots=True)
class Heatmap:
    """The days as drawn (the inside of an SVG), those with entries, the newest first, and all of them as told."""

    svg: SafeString
    rows: Sequence[Filled]
    width: int
    height: int
    span: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A day that has entries."""

    name: str
    words: str
    facts: int
    url: str


def heatmap(bot: Bot) -> Heatmap:
    """The last 26 weeks of a bot's days; one statement at most. A bot with a database has its entries on the day they were said
    last."""
    today = date.fromisoformat(open_bot(bot).today())
    start = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    if open_bot(bot).attributes:
        return _drawn(_said(bot, start, today), start, today, f"{reverse('memory:entries', args=[bot.slug])}?on=")
    days = Day.objects.filter(bot=bot, day__gte=start.isoformat(), day__lte=today.isoformat(), facts__gt=0)
    facts = tuple(days.order_by("day").values_list("day", "facts"))
    return _drawn(facts, start, today, reverse("memory:days", args=[bot.slug]))


def _said(bot: Bot, start: date, today: date) -> tuple[tuple[str, int], ...]:
    """(day, entries that were said last on it) in order; of a large database it is counted once for each look at it."""

    def counted() -> tuple[tuple[str, int], ...]:
        since = FactAttributes.objects.filter(
            bot=bot, updated__gte=start.isoformat(), updated__lt=f"{today.isoformat()}U"
        )
        days = since.annotate(day=Substr("updated", 1, 10)).order_by().values("day").annotate(number=Count("pk"))
        return tuple(sorted((day, number) for day, number in days.values_list("day", "number") if _is_day(day)))

    return cached.while_indexed(bot, f"said-{today}", counted)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _drawn(found: tuple[tuple[str, int], ...], start: date, today: date, base: str) -> Heatmap:
    facts = dict(found)
    filled = _filled(facts, base)
    span = _("%(first)s to %(last)s") % {"first": _month(start), "last": _month(today)}
    return Heatmap(
        svg=mark_safe("".join([*_labels(start), *_squares(start, today, filled)])),  # noqa: S308 - words are escaped
        rows=tuple(reversed(filled.values())),
        width=LEFT + WEEKS * STEP,
        height=TOP + 7 * STEP,
        span=span,
        sentence=_told(facts, today),
    )


def _filled(facts: Mapping[str, int], base: str) -> dict[str, Filled]:
    words = _("%(day)s: %(entries)s")
    said = {number: entries(number) for number in set(facts.values())}
    found = {}
    for day, number in facts.items():
        name = name_of(day)
        found[day] = Filled(name, words % {"day": name, "entries": said[number]}, number, f"{base}{day}")
    return found


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


def _squares(start: date, today: date, filled: Mapping[str, Filled]) -> Iterator[str]:
    """A link for each day with entries; the newest is where the tab key stops, the arrow keys go on from there."""
    most, newest = max((one.facts for one in filled.values()), default=0), max(filled, default="")
    for number in range((today - start).days + 1):
        week, weekday = divmod(number, 7)
        day = (start + timedelta(days=number)).isoformat()
        one = filled.get(day)
        level = -(-one.facts * LEVELS // most) if one else 0
        mark = f'class="l{level}{" today" if day == today.isoformat() else ""}"'
        rect = f'<rect {mark} x="{LEFT + week * STEP}" y="{TOP + weekday * STEP}" width="{SIDE}" height="{SIDE}" rx="3"'
        if one is None:
            yield f"{rect}/>"
        else:
            stop = 0 if day == newest else -1
            words = escape(one.words)
            link = f'<a href="{escape(one.url)}" tabindex="{stop}" aria-label="{words}">'
            yield f"{link}{rect}><title>{words}</title></rect></a>"


def _told(facts: Mapping[str, int], today: date) -> str:
    if not facts:
        return _("No facts in the last six months. The bot adds one when a reply is worth remembering.")
    days = ngettext("%(count)s day with facts", "%(count)s days with facts", len(facts)) % {"count": len(facts)}
    yesterday = facts.get((today - timedelta(days=1)).isoformat(), 0)
    words = {"days": days, "median": f"{median(facts.values()):g}", "yesterday": yesterday}
    return _("%(days)s, usually %(median)s a day, %(yesterday)s yesterday") % words
