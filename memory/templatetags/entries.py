"""The lines of the history. Written out here and not in a template, as the items of `facts.py` are and for the same reason."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.facts import escape
from memory.web.base.change_rows import Entry

register = template.Library()


@register.simple_tag
def entry_items(entries: Iterable[Entry]) -> SafeString:
    """The `<li>` of each change set; everything in them is escaped here."""
    undo, undone = escape(_("Undo")), escape(_("undone"))
    return mark_safe("\n".join(_item(entry, undo, undone) for entry in entries))  # noqa: S308 - each part is escaped


def _item(entry: Entry, undo: str, undone: str) -> str:
    url, headline = escape(entry.url), escape(entry.headline)
    others = f' <span class="soft">{escape(entry.others)}</span>' if entry.others else ""
    chip = f'<span class="chip">{undone}</span> ' if entry.undone else ""
    chip = f'<span class="chip warn">{escape(entry.state)}</span> ' if entry.state else chip
    when = f'<time datetime="{entry.when.isoformat()}" title="{escape(entry.exactly)}">{escape(entry.ago)}</time>'
    button = (
        f' <button class="tiny" form="undoing" formaction="{url}/undo" aria-label="{undo}: {headline}">{undo}</button>'
    )
    return (
        f'<li><span class="tier {escape(entry.tier)}"><a href="{url}">{headline}</a>{others}</span> '
        f'<span class="when">{chip}{escape(entry.by)} · {when}</span>{button if entry.can_undo else ""}</li>'
    )
