"""The rows of prompts that were fetched. Written out here and not in a template, since a page has fifty with their documents."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.web.tokens.served_prompts import Line, Paper

register = template.Library()


@register.simple_tag
def loaded_items(lines: Iterable[Line]) -> SafeString:
    """The `<li>` of each prompt; everything in them is escaped here."""
    by = escape(_("fetched with"))
    said: dict[Paper, str] = {}
    return mark_safe("\n".join(_item(line, by, said) for line in lines))  # noqa: S308 - each part is escaped


def _item(line: Line, by: str, said: dict[Paper, str]) -> str:
    """`said` remembers documents: a page has the same few again and again."""
    chat = escape(line.chat)
    whose = f'<a href="{escape(line.chat_url)}">{chat}</a>' if line.chat_url else chat
    question = f' <span class="soft">{escape(line.question)}</span>' if line.question else ""
    token = f"{by} {escape(line.token)} · " if line.token else ""
    papers = "".join(said.get(paper) or said.setdefault(paper, _paper(paper)) for paper in line.papers)
    told = (
        f'<span class="{line.level}">{escape(line.summary)}</span> '
        f'<span class="soft">{token}<span title="{escape(line.when)}">{escape(line.ago)}</span></span>'
    )
    folded = f"<details><summary>{told}</summary><ul>{papers}</ul></details>" if papers else f"<p>{told}</p>"
    return (
        f'<li data-row><div class="asked"><strong>{whose}</strong>{question}</div>'
        f'<span class="costs">{escape(line.cost)}</span>{folded}</li>'
    )


def _paper(paper: Paper) -> str:
    name = escape(paper.path)
    named = f'<a href="{escape(paper.url)}">{name}</a>' if paper.url else name
    return f'<li><code>{named}</code> <span class="{paper.level}">{escape(paper.state)}</span></li>'
