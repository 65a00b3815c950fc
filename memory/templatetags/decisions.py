"""The rows of a plan of compaction. Written out here and not in a template, since a page has two hundred of them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from memory.domain.dialect import Fate
from memory.templatetags.desk import shown
from memory.web.base.said import said
from memory.web.compaction.plan_rows import Line

register = template.Library()


@register.simple_tag
def decision_rows(lines: Iterable[Line]) -> SafeString:
    """The `<tr>` of each line; everything in them is escaped here."""
    return mark_safe("".join(_row(line) for line in lines))  # noqa: S308 - each part is escaped


def _row(line: Line) -> str:
    decision = line.decision
    first = _text(line.first) if decision.is_fact else f'<span class="mono">{_text(line.first)}</span>'
    rest = f'\n<span class="rest">{_text(line.rest)}</span>' if line.rest else ""
    note = f' <span class="soft">· {_text(said(decision.note))}</span>' if decision.note else ""
    soft = "" if decision.fate is Fate.MOVE else " soft"
    return (
        f'<tr><td class="from mono soft">{_text(line.place)}</td><td>{first}{rest}</td>'
        f'<td class="goes{soft}">{_text(line.goes)}{note}</td>'
        f'<td class="fate"><span class="chip {line.level}">{escape(line.fate)}</span></td></tr>'
    )


def _text(text: str) -> str:
    return escape(shown(text))
