"""The long lists on the pages of days. Written out here and not in a template, which takes some 20 µs for each word of them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.models import Bot, Document
from memory.templatetags.desk import addresses, shown
from memory.web.base.calendar import Listed, Month, Square
from memory.web.base.gauges import grouped, kilobytes
from memory.web.days.views import Whose

CURRENT = ' aria-current="true"'

register = template.Library()


@register.filter
def day_items(days: Iterable[Listed], kind: str = "") -> SafeString:
    """The `<li>` of each day; the links to them are of this class."""
    of = f' class="{escape(kind)}"' if kind else ""
    items = (
        f'<li data-row><span><a{of} href="{escape(one.day)}">{escape(one.name)}</a></span>'
        f'<span class="when">{escape(one.about)}</span></li>'
        for one in days
    )
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


@register.filter
def month_rows(month: Month) -> SafeString:
    """The `<tr>` of each week, a link for each day that has a log."""
    weeks = (f"<tr>{''.join(f'<td>{_square(one)}</td>' for one in week)}</tr>" for week in month.weeks)
    return mark_safe("\n".join(weeks))  # noqa: S308 - each part is escaped


def _square(one: Square | None) -> str:
    if one is None:
        return ""
    number = f'<span class="date">{one.number}</span>'
    if not one.entries and not one.is_today:
        return number
    name = escape(one.name)
    label = f"{name}: {escape(one.entries)}" if one.entries else name
    today, current = (" today", ' aria-current="date"') if one.is_today else ("", "")
    link = f'<a class="l{one.level}{today}" href="{one.day}"{current} aria-label="{label}" title="{name}">'
    return f'{link}{number}<span class="facts">{escape(one.figure)}</span></a>'


@register.simple_tag
def scope_chips(whose: Iterable[Whose], chosen: str | None) -> SafeString:
    """A link for each of those whose entries may be asked for; `chosen` is the scope that was."""
    links = (
        f'<a href="{escape(one.url)}"{CURRENT if one.scope == chosen else ""}><span class="tier '
        f'{"chat" if one.scope else "global"}">{escape(one.name)}</span><span class="count">{grouped(one.facts)}</span></a>'
        for one in whose
    )
    return mark_safe("\n".join(links))  # noqa: S308 - each part is escaped


@register.simple_tag
def log_items(bot: Bot, logs: Iterable[Document]) -> SafeString:
    """The `<li>` of each log as a file."""
    url_of, chip = addresses("document", bot), f'<span class="chip bad">{escape(_("unreadable"))}</span> '
    items = (
        f'<li><span><a class="mono" href="{escape(url_of(log.path))}">{escape(shown(log.path))}</a></span>'
        f'<span class="when">{chip if log.error else ""}{escape(kilobytes(log.size))}</span></li>'
        for log in logs
    )
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


@register.filter
def scope_options(others: Iterable[Whose]) -> SafeString:
    """The `<option>` of each chat whose entries may be asked for."""
    options = (
        f'<option value="{escape(one.scope)}">{escape(one.name)} ({grouped(one.facts)})</option>' for one in others
    )
    return mark_safe("".join(options))  # noqa: S308 - each part is escaped


@register.filter
def chat_options(chats: Iterable[tuple[str, str]]) -> SafeString:
    """The `<option>` of each (scope, name) that an input offers."""
    options = (f'<option value="{escape(shown(scope))}">{escape(name)}</option>' for scope, name in chats)
    return mark_safe("".join(options))  # noqa: S308 - each part is escaped
