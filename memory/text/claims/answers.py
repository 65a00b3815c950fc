"""The answers that facts give, in the one form they are compared in."""

from __future__ import annotations

import re

from memory.text.claims.vocabulary import COUNTRIES, Sort
from memory.text.fidelity.datetimes import DATE, date_form
from memory.text.words.terms import fold

MOST_WORDS = 6
_DATE = re.compile(DATE)
_MONTH_AND_DAY = re.compile(r"(?:[0-9]{4}\s?年\s?)?([0-9]{1,2})\s?月\s?([0-9]{1,2})\s?[日号]?")
_ZONE = re.compile(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?")
_ASIDE = re.compile(r"[ \t]?[(（\[][^()（）\[\]]{0,80}[)）\]]$")
_SINCE = re.compile(r",? (?:since|desde|seit|now|ahora|jetzt)\b.{0,40}$", re.IGNORECASE)
_SEVERAL = re.compile(r"[,;/、，；|]| (?:and|or|y|o|u|e|und|oder|but|pero|aber) |[和或]", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:not|no|never|unknown|none|tbd|n/a|maybe|probably|either|nunca|desconocid[oa]|quizás?|nicht|kein\w*|unbekannt|vielleicht)\b"
    "|不|未知|可能|[?？]",
    re.IGNORECASE,
)
_QUOTES = "\"'“”„‘’«»`"


def answer(sort: Sort, said: str) -> str:
    """An answer as answers of its sort are compared; "" for one that says nothing sure, or several things."""
    plain = _SINCE.sub("", _ASIDE.sub("", said.strip().rstrip(".。!！"))).strip(f" \t{_QUOTES}")
    return {Sort.DAY: _day, Sort.ZONE: _zone, Sort.PLACE: _place, Sort.PHRASE: _phrase}[sort](plain)


def agree(first: str, second: str) -> bool:
    """Whether two answers may both be meant by somebody who says the same: one of them only says more."""
    if first[:1] > "⺀" and (first in second or second in first):
        return True
    some, others = set(first.split()), set(second.split())
    return some <= others or others <= some


def _day(said: str) -> str:
    """MM-DD: who tells a birthday tells its year or leaves it out."""
    if found := _MONTH_AND_DAY.fullmatch(said):
        return f"{int(found[1]):02}-{int(found[2]):02}"
    for article in ("the ", "el ", "am ", "der "):
        said = said.removeprefix(article)
    whole = _DATE.fullmatch(said.removesuffix("."))
    form = date_form(whole) if whole else ""
    return form[5:] if len(form) == len("2026-01-05") else ""  # else it has no day


def _zone(said: str) -> str:
    return said if _ZONE.fullmatch(said) else ""


def _place(said: str) -> str:
    """A name: a town without the country behind it, a firm; not a country, and nothing in abbreviations."""
    name = said.partition(",")[0].rstrip() if said.count(",") == 1 else said
    if not name or fold(name) in COUNTRIES or not _is_a_name(name):
        return ""
    return _phrase(name)


def _is_a_name(text: str) -> bool:
    first = text[0]
    if first > "⺀":
        return len(text) <= MOST_WORDS
    return first.isupper() and not text.isupper() and len(text.split()) <= MOST_WORDS - 2


def _phrase(said: str) -> str:
    if not said or _SEVERAL.search(said) or _UNSURE.search(said) or len(said.split()) > MOST_WORDS:
        return ""
    return " ".join(fold(said).split())
