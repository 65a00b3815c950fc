"""Moments, days and ages in the reader's words."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext as _, pgettext

from memory.models import Bot
from memory.web.base.gauges import number_of

MINUTE, HOUR = 60, 3600  # seconds
MOST_OF_A_YEAR = 300  # days, in which a day and a month mean no other year
REMEMBERED = 2048  # moments that were said lately


def ago(when: datetime, bot: Bot | None = None) -> str:
    """How long ago a moment was while that is less than an hour, then when it was: just now, 26 min ago, 08:05. Of a bot by its
    clock."""
    seconds = int((timezone.now() - when).total_seconds())
    if abs(seconds) < MINUTE:
        return _("just now")
    if 0 < seconds < HOUR:
        minutes = seconds // MINUTE
        return number_of("%(count)s min ago", "%(count)s min ago", minutes)
    return at(when, bot)


def at(when: datetime, bot: Bot | None = None) -> str:
    """When a moment was or will be, as short as can be: 08:05, yesterday, Fri, 8 Oct, 8 Oct 2025."""
    told = when.astimezone(clock_of(bot))
    today = timezone.now().astimezone(told.tzinfo).date()
    return f"{told:%H:%M}" if told.date() == today else _near(told.date(), today)


def _near(told: date, today: date) -> str:
    """A day as short as can be."""
    days = (today - told).days
    if days in (0, 1):
        return _("yesterday") if days else _("today")
    if 0 < days < 7:
        return formats.date_format(told, pgettext("date", "D"))
    return _brief(get_language(), told, told.year == today.year)


@lru_cache(REMEMBERED)
def _brief(language: str | None, told: date, is_this_year: bool) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return short_day(told) if is_this_year else formats.date_format(told, pgettext("date", "j M Y"))


def day_in(told: str, today: str) -> tuple[date | datetime, str] | None:
    """A day that stands in a text, perhaps with a clock (YYYY-MM-DD HH:MM), and in words as short as `as_of`; None for no day."""
    on, _space, clock = told.partition(" ")
    try:
        day = date.fromisoformat(on)
        if on != day.isoformat():  # a week (2026-W48-4), or a number
            return None
        near = _near(day, date.fromisoformat(today))
        if not clock:
            return day, near
        return datetime.fromisoformat(told), clock if on == today else f"{clock}, {near}"
    except ValueError:
        return None


def near(told: str, today: str) -> str:
    """A day as short as can be: today, yesterday, Fri, 8 Oct, 8 Oct 2025; "" for one that no calendar has."""
    there = day_in(told, today)
    return there[1] if there else ""


def as_of(when: datetime, bot: Bot | None = None) -> str:
    """When a moment was, with its time of day, for what is shown as it was then: 08:05; 08:05, Fri; 08:05, 8 Oct."""
    told, time = at(when, bot), f"{when.astimezone(clock_of(bot)):%H:%M}"
    return told if told == time else f"{time}, {told}"


def clock_of(bot: Bot | None) -> tzinfo:
    """Whose clock the times of a page follow: the bot's, or where it is about none Kenoweb's."""
    return ZoneInfo(bot.time_zone) if bot else timezone.get_current_timezone()


def short_day(when: date) -> str:
    """A day of this year as the axis of a chart has room for it: 16 Nov."""
    return formats.date_format(when, pgettext("date", "j M"))


def moment(when: datetime, bot: Bot | None = None) -> str:
    """A moment in full: 21 November 2026, 17:27, or as the reader’s language writes it."""
    return _moment(get_language(), clock_of(bot), when)


def in_full(when: date | datetime) -> str:
    """A day, or a moment by the clock that it has, in full."""
    return formats.date_format(when, "DATETIME_FORMAT" if isinstance(when, datetime) else "DATE_FORMAT")


@lru_cache(REMEMBERED)
def _moment(language: str | None, zone: tzinfo, when: datetime) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return in_full(when.astimezone(zone))


def day(when: date | str) -> str:
    """A day where no age is said, from a date or from what a file is called: 8 Oct, 8 Oct 2025; what is no day stays as it is."""
    try:
        told = date.fromisoformat(when) if isinstance(when, str) else when
    except ValueError:
        return str(when)
    return _brief(get_language(), told, told.year == timezone.localdate().year)


def near_day(told: str, today: str) -> str:
    """A day (YYYY-MM-DD) above a list: Today, Yesterday, Friday 20 November, and of long ago with its year."""
    try:
        on, days = date.fromisoformat(told), (date.fromisoformat(today) - date.fromisoformat(told)).days
    except ValueError:
        return told
    if days in (0, 1):
        return _("Yesterday") if days else _("Today")
    if not 0 < days < MOST_OF_A_YEAR:
        return in_full(on)
    return capfirst(" ".join(formats.date_format(on, form) for form in ("l", "MONTH_DAY_FORMAT")))
