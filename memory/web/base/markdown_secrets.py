"""Secrets in a text while it is rendered: what looks like Markdown in one is a part of it, and no name may come apart from what it
names. A placeholder stands for each while the text is rendered, and the secret is put back behind."""

from __future__ import annotations

import re
from functools import partial
from html import escape, unescape
from secrets import randbelow
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.toc import slugify_unicode as slugify
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

from memory.text.personal import is_mail
from memory.text.secrets import mask, mask_secret, spans, spans_read, without_escapes
from memory.web.base.masking import KEPT, KEPT_ENDS

MARKS = "\ue000", "\ue001"  # where a mark begins and ends, in and around a secret, too
_MARK = re.compile("|".join(MARKS))
# A placeholder is a word, so that it may be what names a note or a language of code: some letters that nobody knows, for whoever
# could write one would have a secret put into a link of his own, and one more for which secret it stands.
_FIRST, _LETTERS = 0x20000, 0xA6D7  # rare characters of Chinese
_UNKNOWN, _UNKNOWN_MAIL = ("".join(chr(_FIRST + randbelow(_LETTERS)) for _number in range(5)) for _kind in range(2))
_ONE = f"[{chr(_FIRST)}-{chr(_FIRST + _LETTERS - 1)}]"
_PLACEHOLDER = re.compile(f"(?:{_UNKNOWN}|{_UNKNOWN_MAIL}){_ONE}")
_TAG = re.compile(r"(<[^<>]*>)")
_ATTRIBUTE = re.compile(r'(\s[a-z-]+=")([^"]+)')
_BEHIND_ADDRESSES = 84.8  # of the web, which the renderer finds with 85
_ID = re.compile(r'\sid="([^"]+)"')
_LOOKED_AT = ' href="', ' title="'  # by pages, which hide what they find there


class MailLinks(Extension):  # type: ignore[misc]
    """Lays a mail address out as a link to it, as the renderer does where none stands for one."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.inlinePatterns.register(
            _MailLink(f"<?({_UNKNOWN_MAIL}{_ONE})>?", md), "placeholder-of-mail", _BEHIND_ADDRESSES
        )


class _MailLink(InlineProcessor):  # type: ignore[misc]
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[ElementTree.Element, int, int]:
        link = ElementTree.Element("a", href=f"mailto:{m[1]}")
        link.text = AtomicString(m[1])
        is_whole = m[0][0] == "<" and m[0][-1] == ">"
        return link, *m.span(0 if is_whole else 1)


class WithoutSecrets(NamedTuple):
    """A text with placeholders for its secrets, and they."""

    text: str
    secrets: tuple[str, ...] = ()

    def put_back(self, html: str) -> str:
        """What was rendered, with the secrets that pages then hide, or show to who asks."""
        if not self.secrets:
            return html
        named = {self._whole_name(name): self._name(name) for name in _ID.findall(html) if _PLACEHOLDER.search(name)}
        parts = _TAG.split(html)
        parts[::2] = (_PLACEHOLDER.sub(self._in_text, text) for text in parts[::2])
        parts[1::2] = (_ATTRIBUTE.sub(partial(self._in_attribute, named), tag) for tag in parts[1::2])
        return "".join(parts)

    def link(self, link: str) -> str:
        """A link with its secrets, as it was written."""
        return _PLACEHOLDER.sub(self._secret, link) if self.secrets else link

    def _secret(self, found: re.Match[str]) -> str:
        return self.secrets[_number(found)]

    def _in_text(self, found: re.Match[str]) -> str:
        return f"{KEPT}{escape(self._secret(found))}{KEPT_ENDS}"

    def _in_attribute(self, named: dict[str, str], found: re.Match[str]) -> str:
        """No tag can say in an attribute what is a secret: it is put back where pages find it again, and told elsewhere. Names of
        places in the text, and links to them, say its number only."""
        beginning, value = found[1], unescape(found[2])
        if beginning == ' id="':
            return beginning + escape(self._name(value))
        if beginning == ' href="' and value.startswith("#"):
            return f"{beginning}#{escape(named.get(self._whole_name(value[1:]), self._name(value[1:])))}"
        whole = _MARK.sub("", self.link(value))
        if whole == value:
            return found[0]
        hidden = _PLACEHOLDER.sub(lambda one: mask_secret(_MARK.sub("", self._secret(one))), value)
        is_found = beginning in _LOOKED_AT and mask(whole) == mask(hidden)
        return beginning + escape(whole if is_found else hidden)

    def _name(self, name: str) -> str:
        return _PLACEHOLDER.sub(lambda one: f"secret-{_number(one) + 1}", name)

    def _whole_name(self, name: str) -> str:
        """A name as it would be if the secrets in it were none: links may be written so."""
        return str(slugify(self.link(unquote(_MARK.sub("", name))), "-"))


def _number(found: re.Match[str]) -> int:
    """For which secret a placeholder stands."""
    return ord(found[0][-1]) - _FIRST


def without_secrets(text: str) -> WithoutSecrets:
    """A text with placeholders for its secrets, the same for the same secret."""
    numbers: dict[str, int] = {}
    parts, at = [], 0
    for start, end in spans_read(_MARK, text, spans):
        number = numbers.setdefault(text[start:end], len(numbers))
        unknown = _UNKNOWN_MAIL if is_mail(without_escapes(_MARK.sub("", text[start:end]))) else _UNKNOWN
        parts += [text[at:start], unknown, chr(_FIRST + number)]
        at = end
    return WithoutSecrets("".join([*parts, text[at:]]) if parts else text, tuple(map(without_escapes, numbers)))
