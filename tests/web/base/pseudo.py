"""A language in which every translation is its original in brackets, and a reader for what stands outside of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import django
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from bs4 import BeautifulSoup, Comment, Doctype, NavigableString, Tag

from tests.support import messages

LANGUAGE = "el"  # any that has no catalog here; its dates are numbers
OPEN, CLOSE = "⟦", "⟧"

# Texts that are nobody's to translate: what bots and people wrote, a prompt as the bot reads it, names of files, keys on a
# keyboard, names of languages.
NOT_OURS = frozenset({"script", "style", "code", "kbd", "samp", "pre", "textarea", "datalist"})
CLASSES_NOT_OURS = frozenset({"mono", "verbatim", "fact", "prose", "reading", "as-read"})
PARTS_NOT_OURS = {b"diff": ".diff .text", b"shares": ".shares + .legend"}  # of what has such a word
ATTRIBUTES = ("aria-label", "title", "placeholder", "alt", "aria-description", "data-confirm", "data-silent")
EDITOR = ("data-clean", "data-removed", "data-one", "data-other")
# The product, bot and model families and who serves them, units and protocols, variables and paths.
NAMES = re.compile(
    r"\b(?:Kenoweb|KenoBot|GPT-4|Llama 2|Ollama|OpenAI|UTC|HMAC|curl|Python|JavaScript|Node|Ctrl|K|localhost|https?://\S+|[A-Z]+_[A-Z_]+)\b"
    r"|\bllama\.cpp\b|\S+\.(?:md|jsonl?|zip)(?::\d+)?\b|(?<!\S)/\S+"
)
WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]{2,}")


def write_language(folder: Path) -> None:
    """Make the language in `folder`, for every text of ours and of Django."""
    catalog = Catalog(locale=LANGUAGE, fuzzy=False)
    for context, one, many in messages.collected():
        _add(catalog, context, one, many)
    for path in Path(django.__file__).parent.rglob("locale/es/LC_MESSAGES/django.mo"):
        with path.open("rb") as file:
            for message in read_mo(file):
                one, many = (message.id, "") if isinstance(message.id, str) else message.id
                context = message.context or ""
                if isinstance(context, bytes):  # by Babel before 2.19
                    context = context.decode()
                if one and not catalog.get(one, context or None):
                    _add(catalog, context, one, many)
    target = folder / LANGUAGE / "LC_MESSAGES"
    target.mkdir(parents=True)
    (target / "django.mo").write_bytes(messages.compiled(catalog))


def _add(catalog: Catalog, context: str, one: str, many: str) -> None:
    bracketed = tuple(f"{OPEN}{text}{CLOSE}" for text in (one, many) if text)
    catalog.add((one, many) if many else one, bracketed if many else bracketed[0], context=context or None)


def bypassing(html: bytes) -> list[str]:
    """What a page says outside of brackets: texts and attributes with a word in them."""
    soup = BeautifulSoup(html, "lxml")
    found = [text for text in _attributes(soup) if _is_bare(text)]
    for element in [*filter(_is_not_ours, soup.find_all(True)), *_parts_not_ours(soup, html)]:
        element.decompose()
    depth = 0
    for node in soup.find_all(string=True):
        if isinstance(node, Comment | Doctype) or not isinstance(node, NavigableString):
            continue
        bare, depth = _outside(str(node), depth)
        if WORD.search(NAMES.sub(" ", bare)):
            found.append(" ".join(bare.split()))
    return found


def _attributes(soup: BeautifulSoup) -> list[str]:
    """In one walk: a selector for each would be most of the time that a page takes."""
    texts = []
    for element in soup.find_all(True):
        texts += [element[name] for name in (*ATTRIBUTES, *EDITOR) if name in element.attrs]
        if element.name == "input" and element.get("type") in ("submit", "button"):
            texts.append(element.get("value", ""))
        if element.name == "meta" and element.get("name") == "description":
            texts.append(element.get("content", ""))
    return texts


def _is_not_ours(element: Tag) -> bool:
    return (
        element.name in NOT_OURS
        or not CLASSES_NOT_OURS.isdisjoint(element.get("class") or ())
        or (element.name != "html" and "lang" in element.attrs)
    )


def _parts_not_ours(soup: BeautifulSoup, html: bytes) -> Iterator[Tag]:
    for word, selector in PARTS_NOT_OURS.items():
        if word in html:  # to look for one takes as long as all else
            yield from soup.select(selector)


def _is_bare(text: str) -> bool:
    return bool(WORD.search(NAMES.sub(" ", _outside(text, 0)[0])))


def _outside(text: str, depth: int) -> tuple[str, int]:
    """The part of a text outside of brackets, when `depth` of them are open before it."""
    kept = []
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        kept.append(sign if depth == 0 else " ")
    return "".join(kept).replace(CLOSE, " "), depth
