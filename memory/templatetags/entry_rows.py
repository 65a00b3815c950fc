"""The rows of the table of entries. Written out here and not in a template, for the reason that facts.py has."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.web.entries.views import Line

register = template.Library()
LONGEST = 300  # characters of an entry that a row shows


@register.simple_tag(takes_context=True)
def entry_rows(context: Context, lines: Iterable[Line]) -> SafeString:
    """The `<tr>` of each entry; everything in them is escaped here."""
    words = [escape(one) for one in (_("Importance"), _("Confidence"), _("Last said"), _("Expires"), _("expired"))]
    words += [
        escape(_("Would a message bring it back?")),
        escape(reverse("memory:recalled", args=[context["bot"].slug])),
    ]
    return mark_safe("\n".join(_row(line, words) for line in lines))  # noqa: S308 - each part is escaped


def _row(line: Line, words: list[str]) -> str:
    important, sure, said, expires, expired, why, why_url = words
    text = line.text if len(line.text) <= LONGEST else line.text[:LONGEST] + "…"
    chip = f'<span class="chip warn">{expired}</span> ' if line.expired else ""
    return (
        f'<tr data-row><td class="said"><a href="{escape(line.url)}">{escape(text)}</a> '
        f'<a class="why" href="{why_url}?entry={escape(line.name)}" title="{why}" aria-label="{why}">?</a></td>'
        f'<td class="kind">{escape(line.kind)} <span class="soft">{escape(line.source)}</span></td>'
        f'<td class="whose"><a href="{escape(line.whose_url)}">{_breaking(line.whose)}</a></td>'
        f'<td class="num" data-label="{important}">{line.importance}</td>'
        f'<td class="num" data-label="{sure}">{line.confidence}</td>'
        f'<td class="num" data-label="{said}">{escape(line.updated)}</td>'
        f'<td class="num" data-label="{expires}">{chip}{escape(line.expires)}</td></tr>'
    )


def _breaking(name: str) -> str:
    """A name that may go on in a new line after its signs."""
    return escape(name).replace(":", ":<wbr>").replace("_", "_<wbr>")
