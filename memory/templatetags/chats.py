"""The rows of long lists about chats. Written out here and not in templates, for the reason that facts.py has."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.templatetags.desk import here, written
from memory.web.base.gauges import grouped, kilobytes
from memory.web.base.said import said
from memory.web.chats.transcript import ROLES, Said
from memory.web.chats.views import Listed
from memory.web.chats.working import Pad

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


@register.simple_tag(takes_context=True)
def pad_items(context: Context, pads: Iterable[Pad], acts: bool) -> SafeString:
    """The `<li>` of each scratchpad, with what discards it if it `acts`; everything in them is escaped here."""
    word, token = escape(_("Discard")), escape(str(context.get("csrf_token", "")))
    action = reverse("memory:working_discard", args=[context["bot"].slug])
    hidden = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
    before = f'<form method="post" action="{action}">{hidden}<input type="hidden" name="path" value="'
    after = (
        f'"><input type="hidden" name="next" value="{escape(here(context))}"><button class="tiny" aria-label="{word}: '
    )
    items = (_pad(pad, (before, after, word) if acts and pad.base else None) for pad in pads)
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


def _pad(pad: Pad, form: tuple[str, str, str] | None) -> str:
    deed = ""
    if form is not None:
        path = quote(pad.path, safe="")
        version = f'{path}"><input type="hidden" name="base" value="{escape(pad.base)}'
        deed = f'{form[0]}{version}{form[1]}{escape(pad.name)}">{form[2]}</button></form>'
    bad = (
        f'<p><span class="chip bad">{escape(_("unreadable"))}</span> {escape(said(pad.error))}</p>' if pad.error else ""
    )
    cost = f"{escape(kilobytes(pad.size))} · {escape(pad.cost)}"
    return (
        f'<li data-row><div class="pad"><p class="called"><a href="{escape(pad.url)}" data-edit>{escape(pad.name)}</a>'
        f'{_aside(pad.aside)}</p>\n{bad or f"""<p class="fact soft">{escape(pad.first)}</p>"""}</div>\n'
        f'<span class="when"><span class="age">{escape(written(pad.written_ns))}</span> <span>{cost}</span></span>\n{deed}</li>'
    )


@register.simple_tag
def talk_items(lines: Iterable[Said]) -> SafeString:
    """The `<li>` of each line of a transcript; everything in them is escaped here."""
    roles = {who: escape(str(role)) for who, role in ROLES.items()}
    odd = f'<span class="chip warn">{escape(_("not understood"))}</span>'
    ours = f' <span class="chip">{escape(_("answered by Kenoweb"))}</span>'
    items = [_said(line, roles, odd, ours if line.ours else "") for line in lines]
    if items:
        items[-1] = items[-1].replace("data-row", 'data-row id="end"', 1)
    return mark_safe("".join(items))  # noqa: S308 - each part is escaped


def _said(line: Said, roles: dict[str, str], odd: str, ours: str) -> str:
    theirs = " theirs" if line.who == "user" else ""
    who = f"<strong>{roles.get(line.who) or escape(line.who)}</strong> {escape(line.when)}{ours}" if line.who else odd
    text = f'<p class="fact">{escape(line.text)}</p>{_left(line.left)}'
    return f'<li class="box{theirs}" data-row><p class="small">{who}</p>{text}</li>'


def _left(left: int) -> str:
    if not left:
        return ""
    words = ngettext("%(shown)s character more is not shown.", "%(shown)s characters more are not shown.", left)
    return f'<p class="small soft">{escape(words % {"shown": grouped(left)})}</p>'
