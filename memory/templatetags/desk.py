"""What templates need said: ages, sizes, labels, addresses of documents, the bots somebody may see."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.http import RFC3986_SUBDELIMS
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from memory.access.permissions import visible_bots
from memory.bots import families
from memory.models import Bot
from memory.web.base.counts import Beside, Tally, beside
from memory.web.base.frame import Door, doors
from memory.web.base.gauges import grouped, kilobytes
from memory.web.base.said import said

SHOWN = 1024 * 1024  # characters of a text that is only shown
REMEMBERED = 2048  # moments that were said lately
UNQUOTED = f"{RFC3986_SUBDELIMS}/~:@"  # characters that `reverse` leaves as they are in an address

register = template.Library()
register.filter("said", said)


@register.simple_tag
def bots_of(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Slug and name of the bots that who asks may see."""
    return tuple((bot.slug, bot.name) for bot in visible_bots(request))


@register.simple_tag(takes_context=True)
def beside_of(context: Context, bot: Bot) -> Beside:
    """The numbers beside the places of a bot, from the page if it has counted them."""
    known: Tally | Beside | None = context.get("tally") or context.get("beside")
    if known is None:
        return beside(bot)
    return Beside(known.chats, known.stale, known.broken, known.findings, known.deciding)


@register.simple_tag
def doors_of(slug: str, dialect: str, numbers: Beside) -> list[Door]:
    """The places of a bot, in the order in which they stand at the side."""
    return doors(slug, dialect, numbers)


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """The address of the page that somebody is on, also when only a part of it is asked for; one that moves on with the part
    says so itself."""
    if moved := context.get("here"):
        return str(moved)
    request = context["request"]
    details: HtmxDetails | None = getattr(request, "htmx", None)
    return (details and details.current_url_abs_path) or str(request.get_full_path())


@register.filter
def dialect_label(bot: Bot) -> str:
    """What people call the bot's family."""
    try:
        label = families.dialect(bot.dialect).label
    except LookupError:
        label = bot.dialect
    return _("%(dialect)s, a sample") % {"dialect": label} if bot.is_sample else label


@register.filter
def ago(moment: datetime | None) -> str:
    """How long ago, in words; "" for nothing."""
    return age_label(moment) if moment else ""


def age_label(moment: datetime) -> str:
    """How long ago a moment was, in whole units, exact to the second in the first minute."""
    seconds = max(int((timezone.now() - moment).total_seconds()), 0)
    if seconds < 60:
        return ngettext("%(count)s s ago", "%(count)s s ago", seconds) % {"count": seconds}
    if seconds < 3600:
        minutes = seconds // 60
        return ngettext("%(count)s minute ago", "%(count)s minutes ago", minutes) % {"count": minutes}
    if seconds < 86_400:
        hours = seconds // 3600
        return ngettext("%(count)s hour ago", "%(count)s hours ago", hours) % {"count": hours}
    days = seconds // 86_400
    return ngettext("%(count)s day ago", "%(count)s days ago", days) % {"count": grouped(days)}


@register.filter
def thousands(number: int) -> str:
    """1662 as 1,662, or as the reader's language writes it."""
    return grouped(number)


@register.filter
def size(count: int | None) -> str:
    """Bytes in words: 812 bytes, 8.4 KB, 1.2 MB; "" for nothing."""
    return "" if count is None else kilobytes(count)


@register.filter
def shown(text: str) -> str:
    """Text that can be sent: bytes that are no UTF-8 become the replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@register.filter
def document_url(bot: Bot, path: str) -> str:
    """Where a document is shown; "" if its name cannot stand in an address."""
    return address("document", bot, path)


@register.filter
def facts_url(bot: Bot, path: str) -> str:
    """Where a document's facts are listed."""
    return address("facts", bot, path)


@register.filter
def document_history_url(bot: Bot, path: str) -> str:
    """Where a document's history is shown."""
    return address("document_history", bot, path)


def address(name: str, bot: Bot, path: str) -> str:
    """The address of one of a document's pages."""
    try:
        return reverse(f"memory:{name}", args=[bot.slug, path])
    except UnicodeEncodeError:
        return ""


def addresses(name: str, bot: Bot) -> Callable[[str], str]:
    """The same for many documents: what makes a path an address, written as `reverse` does."""
    before = reverse(f"memory:{name}", args=[bot.slug, "-"]).removesuffix("-")

    def address_of(path: str) -> str:
        try:
            return before + quote(path, safe=UNQUOTED)
        except UnicodeEncodeError:
            return ""

    return address_of


@register.filter
def moment(when: datetime, bot: Bot) -> str:
    """A moment by the bot's clock: 2026-11-20 17:27, or as the reader's language writes it."""
    return _moment(get_language(), bot.time_zone, when)


@lru_cache(REMEMBERED)
def _moment(language: str | None, zone: str, when: datetime) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return formats.date_format(when.astimezone(ZoneInfo(zone)), "SHORT_DATETIME_FORMAT")


@register.filter
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


@register.filter
def written(mtime_ns: int) -> str:
    """How long ago a file was written."""
    return age_label(datetime.fromtimestamp(mtime_ns / 1e9, UTC))


@register.filter
def beginning(text: str) -> str:
    """As much of a text as a page shows."""
    if len(text) <= SHOWN:
        return text
    left = len(text) - SHOWN
    more = ngettext("… and %(count)s character more", "… and %(count)s characters more", left) % {
        "count": grouped(left)
    }
    return f"{text[:SHOWN]}\n{more}"


@register.filter
def lower_or_empty(value: bool | None) -> str:
    """A choice as a form sends it: true, false, or "" for none."""
    return "" if value is None else str(value).lower()


@register.filter
def undo_pk(tags: str) -> int | None:
    """The change set that a message offers to undo: `undo-12` among its tags."""
    for tag in (tags or "").split():
        if tag.startswith("undo-") and tag[5:].isdigit():
            return int(tag[5:])
    return None


@register.simple_tag
def family_tabs(bot: Bot) -> list[tuple[str, Any]]:
    """(address's name, words) of the pages that a bot's family has beside that of its facts."""
    return [(f"memory:{name}", words) for name, words in families.get(bot.dialect).tabs]
