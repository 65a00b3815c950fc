"""Moments, days and ages in the reader's words."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import formats, timezone
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from memory.models import Bot
from memory.text.ages import instant

REMEMBERED = 2048  # moments that were said lately


def ago(moment: datetime | None) -> str:
    """How long ago, in words; "" for nothing."""
    return age_label(moment) if moment else ""


def age_label(moment: datetime) -> str:
    """How long ago a moment was, in whole units; from a week on the day, with its year if it is another one."""
    now = timezone.now()
    seconds = max(int((now - moment).total_seconds()), 0)
    if seconds < 60:
        return _("just now")
    if seconds < 3600:
        minutes = seconds // 60
        return ngettext("%(count)s min ago", "%(count)s min ago", minutes) % {"count": minutes}
    if seconds < 86_400:
        hours = seconds // 3600
        return ngettext("%(count)s hour ago", "%(count)s hours ago", hours) % {"count": hours}
    if (days := seconds // 86_400) < 7:
        return ngettext("%(count)s day ago", "%(count)s days ago", days) % {"count": days}
    return short_day(moment) if moment.year == now.year else formats.date_format(moment, pgettext("date", "j M Y"))


def short_day(when: date) -> str:
    """A day of this year as the axis of a chart has room for it: 16 Nov."""
    return formats.date_format(when, pgettext("date", "j M"))


def moment(when: datetime, bot: Bot) -> str:
    """A moment by the bot’s clock: 21 November 2026, 17:27, or as the reader’s language writes it."""
    return _moment(get_language(), bot.time_zone, when)


def near_moment(when: datetime, bot: Bot) -> str:
    """The same, of today the clock alone."""
    told = when.astimezone(ZoneInfo(bot.time_zone))
    today = timezone.now().astimezone(told.tzinfo).date()
    return f"{told:%H:%M}" if told.date() == today else moment(when, bot)


@lru_cache(REMEMBERED)
def _moment(language: str | None, zone: str, when: datetime) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return formats.date_format(when.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")


def day(when: date | str) -> str:
    """A day in words, from a date or from what a file is called: 21 November 2026; what is no day stays as it is."""
    try:
        return _day(get_language(), date.fromisoformat(when) if isinstance(when, str) else when)
    except ValueError:
        return str(when)


@lru_cache(REMEMBERED)
def _day(language: str | None, when: date) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return formats.date_format(when, "DATE_FORMAT")


def written(mtime_ns: int) -> str:
    """How long ago a file was written."""
    return age_label(instant(mtime_ns))


def near_day(when: datetime, bot: Bot) -> str:
    """The day of a moment by the bot's clock, by its name if it is near."""
    zone = ZoneInfo(bot.time_zone)
    told, today = when.astimezone(zone).date(), timezone.now().astimezone(zone).date()
    names = {today: _("Today"), today - timedelta(days=1): _("Yesterday")}
    return names.get(told) or day(told)
