"""What the lower floors say, in the reader's language.

Text, dialects, vault, journal and library know no reader: they speak English, and some of their sentences are kept in rows.
`locale/sentences.txt` lists them as they stand in the code, with a placeholder for what varies (`make messages` collects
them), and the catalogs have them in the context `sentence`."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext, pgettext

from memory.text.sentences import Say

CONTEXT = "sentence"
BOOK = settings.BASE_DIR / "locale" / "sentences.txt"
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_END = re.compile(r"(?<=\.) ")
REMEMBERED = 2048  # sentences that were looked up lately


def said(text: str) -> str:
    """A text of the lower floors in the reader's language. What is no sentence of ours stays as it is."""
    if isinstance(text, Say):
        return _translated(text)
    language = get_language() or settings.LANGUAGE_CODE
    return text if not text or language.split("-")[0] == "en" else _said(language, text)


def _translated(text: Say) -> str:
    count = text.parameters.get("count")
    wording = ngettext(text.msgid, text.many, int(count or 0)) if text.many else gettext(text.msgid)
    values = {name: said(value) if isinstance(value, str) else value for name, value in text.parameters.items()}
    return wording % values if values else wording


@lru_cache(REMEMBERED)
def _said(language: str, text: str) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    whole = _whole(language, text)
    if whole is not None:
        return whole
    ends = [found.start() for found in _END.finditer(text)]
    for end in reversed(ends):
        if (head := _whole(language, text[:end])) is not None:
            return f"{head} {_said(language, text[end + 1 :])}"
    name, colon, rest = text.partition(": ")
    if colon:
        return f"{_whole(language, name) or name}: {_said(language, rest)}"
    return f"{text[: ends[0]]} {_said(language, text[ends[0] + 1 :])}" if ends else text


def _whole(language: str, text: str) -> str | None:
    """A text that is in the book as a whole; None if it is not."""
    exact, patterns = book()
    if text in exact:
        return pgettext(CONTEXT, text)
    for pattern, entry in patterns:
        if match := pattern.fullmatch(text):
            parts = {
                name: _said(language, value) if " " in value else value for name, value in match.groupdict().items()
            }
            return pgettext(CONTEXT, entry) % parts
    return None


@cache
def book() -> tuple[frozenset[str], list[tuple[re.Pattern[str], str]]]:
    """(sentences in which nothing varies, patterns of the others with their entries, those with most words first)."""
    entries = BOOK.read_text(encoding="utf-8").splitlines()
    varying = [entry for entry in entries if _PLACEHOLDER.search(entry)]
    varying.sort(key=lambda entry: len(_PLACEHOLDER.sub("", entry)), reverse=True)
    return frozenset(entries) - frozenset(varying), [(_pattern(entry), entry) for entry in varying]


def _pattern(entry: str) -> re.Pattern[str]:
    """What an entry looks like when it is said; a part is named once, so that a name said twice holds the same."""
    pieces = _PLACEHOLDER.split(entry)
    texts = [re.escape(piece.replace("%%", "%")) for piece in pieces[::2]]
    names: list[str] = []
    for name in pieces[1::2]:
        names.append(f"(?P={name})" if f"(?P<{name}>.+?)" in names else f"(?P<{name}>.+?)")
    return re.compile("".join(text + name for text, name in zip(texts, [*names, ""], strict=True)), re.DOTALL)
