"""Stretches of a text that stand out: what was looked for, or what is said elsewhere too."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from memory.web.base.shown_text import shown


def marked(text: str, spans: Iterable[tuple[int, int]]) -> SafeString:
    """A text, escaped, with these stretches of it in `<mark>`; they come in order, and one inside of another is left out."""
    parts, at = [], 0
    for start, end in spans:
        if at <= start:
            parts += [_plain(text[at:start]), "<mark>", _plain(text[start:end]), "</mark>"]
            at = end
    return mark_safe("".join([*parts, _plain(text[at:])]))  # noqa: S308 - each part is escaped


def _plain(text: str) -> str:
    return escape(shown(text))
