"""The rows of long lists about chats. Written out here and not in templates, for the reason that facts.py has."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import conditional_escape as escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import written
from memory.views.chats import Listed
from memory.views.measure import kilobytes

register = template.Library()


@register.simple_tag
def chat_items(listed: Iterable[Listed]) -> SafeString:
    """The `<li>` of each chat; everything in them is escaped here."""
    chips = {
        "fresh": f'<span class="chip good">{escape(_("working memory fresh"))}</span>',
        "stale": f'<span class="chip">{escape(_("working memory stale"))}</span>',
        "": "",
    }
    due = f'<span class="chip warn">{escape(_("compaction due"))}</span>'
    items = (_chat(chat, f"{due if chat.due else ''}{chips[chat.working]}") for chat in listed)
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


def _chat(chat: Listed, chips: str) -> str:
    size, age = escape(kilobytes(chat.size)), escape(written(chat.written_ns))
    return (
        f'<li data-row><span class="called">{_called(chat.name, chat.url)}{_aside(chat.aside)}</span>\n'
        f'<span class="chips">{chips}</span>\n'
        f'<span class="when">{escape(chat.notes)} · {size}</span><span class="when age">{age}</span></li>'
    )


def _called(name: str, url: str) -> str:
    return f'<a href="{escape(url)}">{escape(name)}</a>' if url else escape(name)


def _aside(words: str) -> str:
    return f' <span class="soft">{escape(words)}</span>' if words else ""
