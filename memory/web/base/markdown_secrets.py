"""Secrets in a text while it is rendered: what looks like Markdown in one is a part of it, and no name may come apart from what it
names. Each is set aside as one character before, and put back behind."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from html import escape, unescape
from typing import NamedTuple
from urllib.parse import unquote

from memory.text.secrets import Span, masked, spans, told
from memory.web.base.masking import KEPT, KEPT_ENDS

MARKS = "\ue000", "\ue001"  # where a mark begins and ends, in and around a secret, too
_MARK = re.compile("|".join(MARKS))
_FIRST = 0x100000  # of the characters that stand for secrets: no language has them
_STANDS = re.compile("[\U00100000-\U0010fffd]")
_STANDS_IN_A_TAG = re.compile(f"{_STANDS.pattern}|%F4%8[0-9A-F](?:%[89AB][0-9A-F]){{2}}", re.IGNORECASE)
_SPLIT = re.compile(r"(<[^<>]*>)")
_VALUE = re.compile(r'(\s[a-z-]+=")([^"]+)')
_LOOKED_AT = re.compile(r'\s(?:href|title)="')


class Aside(NamedTuple):
    """A text without its secrets, and they."""

    text: str
    secrets: tuple[str, ...] = ()

    def address(self, link: str) -> str:
        """Where a link leads that may hold some."""
        return _STANDS_IN_A_TAG.sub(self._one, link) if self.secrets else link

    def back(self, html: str) -> str:
        """What was rendered, with the secrets that pages then hide, or show to who asks."""
        if not self.secrets:
            return html
        parts = _SPLIT.split(html)
        parts[::2] = (_STANDS.sub(self._kept, text) for text in parts[::2])
        parts[1::2] = (_VALUE.sub(self._valued, tag) for tag in parts[1::2])
        return "".join(parts)

    def _one(self, found: re.Match[str]) -> str:
        number = ord(unquote(found[0])) - _FIRST
        return self.secrets[number] if number < len(self.secrets) else found[0]

    def _kept(self, found: re.Match[str]) -> str:
        return f"{KEPT}{escape(self._one(found))}{KEPT_ENDS}"

    def _valued(self, found: re.Match[str]) -> str:
        """An attribute, in which no tag can stand: its secrets are told only where pages would not find them, and in what a
        heading or a note is called."""
        value = unescape(found[2])
        whole = _MARK.sub("", self.address(value))
        if whole == value:
            return found[0]
        hidden = _STANDS_IN_A_TAG.sub(lambda one: told(_MARK.sub("", self._one(one))), value)
        is_found = _LOOKED_AT.fullmatch(found[1]) and not value.startswith("#") and masked(whole) == masked(hidden)
        return found[1] + escape(whole if is_found else hidden)


def aside(text: str) -> Aside:
    """A text without its secrets."""
    found = _found(text)
    if not found:
        return Aside(text)
    parts, at = [], 0
    for number, (start, end) in enumerate(found):
        parts += [_STANDS.sub("\ufffd", text[at:start]), chr(_FIRST + number)]
        at = end
    parts.append(_STANDS.sub("\ufffd", text[at:]))
    return Aside("".join(parts), tuple(text[start:end] for start, end in found))


def _found(text: str) -> list[Span]:
    """Where secrets stand, whatever marks are in them."""
    marks = [found.start() - number for number, found in enumerate(_MARK.finditer(text))]
    found = spans(_MARK.sub("", text))
    return [(start + bisect_right(marks, start), end + bisect_left(marks, end)) for start, end in found]
