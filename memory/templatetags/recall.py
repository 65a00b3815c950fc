"""The rows of recall tests. Written out here and not in a template, since a page has fifty of them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import shown
from memory.web.checks.recall_test_rows import Line

register = template.Library()


@register.simple_tag
def test_items(lines: Iterable[Line]) -> SafeString:
    """The `<li>` of each recall test; everything in them is escaped here. They stand in a form that posts to nowhere else."""
    words = {
        "follow": _("Go with it"),
        "remove": _("Remove"),
        "instead": _("First stands"),
        "asked": _("asked by %(chat)s"),
    }
    return mark_safe("\n".join(_item(line, words) for line in lines))  # noqa: S308 - each part is escaped


def _item(line: Line, words: dict[str, str]) -> str:
    asked = f' <span class="soft">{_plain(words["asked"] % {"chat": line.asked_by})}</span>' if line.asked_by else ""
    text = _plain(line.text)
    fact = f'<a href="{escape(line.url)}">{text}</a>' if line.url else text
    follow = (
        f'<button class="tiny" formaction="{line.pk}/follow">{escape(words["follow"])}</button>' if line.moves else ""
    )
    return (
        f'<li id="t-{line.pk}" data-row><span class="chip {line.level}">{escape(line.chip)}</span>'
        f'<div class="said"><p><a class="question" href="{escape(line.question_url)}">{_plain(line.question)}</a>{asked}</p>'
        f'<p class="fact">{fact} <span class="soft">{_plain(line.place)}</span></p>'
        f'<p class="soft">{_plain(line.words)}{_since(line)}</p>{_first(line, words["instead"])}</div>'
        f'<p class="deeds">{follow}<button class="link" formaction="{line.pk}/remove">{escape(words["remove"])}</button></p></li>'
    )


def _first(line: Line, words: str) -> str:
    if not line.first:
        return ""
    return f'<p class="soft">{escape(words)} <a href="{escape(line.first_url)}">{_plain(line.first)}</a></p>'


def _since(line: Line) -> str:
    if not line.when:
        return ""
    cause = f': <a href="{escape(line.since_url)}">{_plain(line.since)}</a>' if line.since else ""
    return f" {escape(line.when)}{cause}."


def _plain(text: str) -> str:
    return escape(shown(text))
