"""Stretches of a text that stand out: what was looked for, or what is said elsewhere too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from memory.text.storable import as_utf8
from memory.web.base import markdown
from memory.web.base.markdown_secrets import MARKS

# Where a mark begins and ends while markdown is rendered: characters that no language has, and that a text loses here.
_BEGINS, _ENDS = MARKS
_LOST = str.maketrans(dict.fromkeys((_BEGINS, _ENDS), "\ufffd"))
_PARTS = re.compile(r"(<[^<>]*>)")
_IN_A_TAG = re.compile(f'[{_BEGINS}{_ENDS}]|%EE%80%8[01]| id="[^"]*"')  # a page has many texts with the same headings
IN_A_ROW = 4  # the level of headings in a text that is a row of a page


def marked(text: str, spans: Iterable[tuple[int, int]]) -> SafeString:
    """A text, escaped, with these stretches of it in `<mark>`; they come in order, and one inside of another is left out."""
    parts, at = [], 0
    for start, end in spans:
        if at <= start:
            parts += [_plain(text[at:start]), "<mark>", _plain(text[start:end]), "</mark>"]
            at = end
    return mark_safe("".join([*parts, _plain(text[at:])]))  # noqa: S308 - each part is escaped


def _plain(text: str) -> str:
    return escape(as_utf8(text))


def rendered(
    text: str,
    spans: Iterable[tuple[int, int]],
    *,
    links: bool = True,
    blocks: bool = False,
    leads: markdown.Leads = markdown.nowhere,
) -> SafeString:
    """Markdown as it reads, with these stretches of it in `<mark>`; they come in order, and one inside of another is left out.
    `links` and `leads`: as `markdown.line` has them; with `blocks` lists, headings and code of several lines are shown as such,
    too."""
    parts, at = [], 0
    for start, end in spans:
        if at <= start < end:
            parts += [_readable(text[at:start]), _BEGINS, _readable(text[start:end]), _ENDS]
            at = end
    whole = "".join([*parts, _readable(text[at:])])

    def unmarked(link: str) -> str:
        return leads(_IN_A_TAG.sub("", link))

    html = markdown.html(whole, IN_A_ROW, unmarked) if blocks else markdown.line(whole, links=links, leads=unmarked)
    return mark_safe("".join(_with_marks(html)))  # noqa: S308 - cleaned markdown, and tags of ours


def _with_marks(html: str) -> Iterable[str]:
    """The marks in its texts as tags, each closed where a tag begins and open again behind it."""
    is_open = False
    for part in _PARTS.split(html):
        if part.startswith("<"):
            yield _IN_A_TAG.sub("", part)
            continue
        began, is_open = is_open, part.rfind(_BEGINS) > part.rfind(_ENDS) or (is_open and _ENDS not in part)
        inside = part.replace(_BEGINS, "<mark>").replace(_ENDS, "</mark>")
        yield f"{'<mark>' if began else ''}{inside}{'</mark>' if is_open else ''}".replace("<mark></mark>", "")


def _readable(text: str) -> str:
    return as_utf8(text).translate(_LOST)
