"""The rows of deliveries and of refused calls, and the chats that a filter offers. Written out here and not in a template, since
a page has fifty of each."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.models import Bot, RefusedCalls
from memory.templatetags.desk import moment, shown
from memory.turns.refused_calls import UNKNOWN
from memory.web.base.gauges import grouped
from memory.web.webhooks.list import Line

register = template.Library()


@register.simple_tag
def call_items(lines: Iterable[Line]) -> SafeString:
    """The `<li>` of each delivery; everything in them is escaped here."""
    undo = escape(_("Undo"))
    return mark_safe("\n".join(_item(line, undo) for line in lines))  # noqa: S308 - each part is escaped


@register.simple_tag
def chat_options(chats: Iterable[tuple[str, str]]) -> SafeString:
    """An `<option>` for each (session id, name), "" for a chat without a name."""
    named = ((shown(scope), format_html_join("", ' label="{}"', [(name,)] if name else [])) for scope, name in chats)
    return format_html_join("", '<option value="{}"{}></option>', named)


@register.simple_tag
def refused_rows(calls: Iterable[RefusedCalls], bot: Bot) -> SafeString:
    """The `<tr>` of what was refused from one address in one minute; everything in them is escaped here."""
    nobody = escape(_("many, or not known"))
    return mark_safe("".join(_refused(one, bot, nobody) for one in calls))  # noqa: S308 - each part is escaped


def _refused(one: RefusedCalls, bot: Bot, nobody: str) -> str:
    address = nobody if one.address == UNKNOWN else escape(one.address)
    return (
        f'<tr><td>{escape(moment(one.minute, bot))}</td><td class="mono">{address}</td>'
        f'<td><code>{escape(shown(one.reason))}</code></td><td class="num">{escape(grouped(one.count))}</td></tr>'
    )


def _item(line: Line, undo: str) -> str:
    also = f' <span class="chip">{escape(line.also)}</span>' if line.also else ""
    deed = (
        f'<button class="tiny" id="undo-{line.undo}" formaction="../changes/{line.undo}/undo" '
        f'aria-label="{escape(line.undo_label)}">{undo}</button>'
        if line.undo
        else ""
    )
    return (
        f'<li data-row><a class="clock mono" id="call-{line.pk}" href="{line.pk}">{line.clock}</a>\n'
        f'<div class="said"><strong>{escape(line.chat)}</strong> <span class="soft">{escape(line.words)}</span></div>\n'
        f'<p class="marks"><span class="chip {line.level}">{escape(line.word)}</span>{also}</p>\n'
        f'<span class="took soft">{escape(line.cost)}</span>\n'
        f'<span class="deed">{deed}</span></li>'
    )
