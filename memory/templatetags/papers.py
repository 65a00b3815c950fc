"""The items of lists of documents. Written out here and not in a template, as those of `facts.py` and for the same reason."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.facts import escape
from memory.web.documents.listing import Paper

register = template.Library()


@register.simple_tag
def paper_items(papers: Iterable[Paper]) -> SafeString:
    """The `<li>` of each document; everything in them is escaped here."""
    chip = f'<span class="chip bad">{escape(_("unreadable"))}</span> '
    return mark_safe("\n".join(_item(paper, chip) for paper in papers))  # noqa: S308 - each part is escaped


@register.simple_tag
def broken_items(papers: Iterable[Paper]) -> SafeString:
    """The `<li>` of each document that cannot be read, with why."""
    chip = f'<span class="chip bad">{escape(_("unreadable"))}</span>'
    lines = (f"<li data-row>{_said(paper, paper.error)}{chip}</li>" for paper in papers)
    return mark_safe("\n".join(lines))  # noqa: S308 - each part is escaped


def _item(paper: Paper, chip: str) -> str:
    facts = f'<a href="{escape(paper.facts_url)}">{escape(paper.facts)}</a> · ' if paper.facts else ""
    when = f"{chip if paper.error else ''}{facts}{escape(paper.size)} · {escape(paper.written)}"
    return f'<li data-row>{_said(paper, paper.what)} <span class="when">{when}</span></li>'


def _said(paper: Paper, words: str) -> str:
    """The document's name, and what is said below it."""
    name = escape(paper.path)
    link = (
        f'<a class="mono" href="{escape(paper.url)}">{name}</a>' if paper.url else f'<span class="mono">{name}</span>'
    )
    return f'<span>{link}<br><span class="soft">{escape(words)}</span></span>'
