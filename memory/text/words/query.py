"""What somebody types into a search: words, "phrases", -not, and filters like `tier:chat` or `before:2026-10`.

Anything may be typed; what is no filter is words. What a filter says that cannot be, it says in `notes`, for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from memory.text.sentences import say
from memory.text.words.terms import query_words

LONGEST = 1000  # characters of a query that count
MOST = 32  # words of a query that count

_PART = re.compile(r'(-)?(?:([A-Za-z]+):)?(?:"([^"]*)"?|([^\s"]+))')
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
TIERS = ("global", "chat", "working")
ORDERS = ("best", "newest")
NEAR_DAYS = ("today", "yesterday")


@dataclass(frozen=True, slots=True)
class Term:
    """One word as it is indexed, and the letters that were typed. `is_start`: any word that begins so is meant."""

    word: str
    typed: str
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on where a fact stands: tier, chat, day, before, after, kind or in; not `wanted`: all others."""

    field: str
    value: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """A search as it was meant. A phrase is words that follow one another; `without` are phrases that must not be there. With
    `newest_first` (`sort:newest`) the best are shown by their days."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    filters: tuple[Filter, ...] = ()
    notes: tuple[str, ...] = ()
    newest_first: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is looked for."""
        return not self.terms


def parse(text: str, kinds: Collection[str], day_of: Callable[[str], str], *, typing: bool = False) -> Query:
    """Understand a query. `day_of` says which day "today" and "yesterday" are; `typing`: the last word may not be finished."""
    text = text[:LONGEST]
    terms: dict[str, Term] = {}
    phrases, without, filters, notes = [], [], [], []
    for minus, field, quoted, bare, is_last in _parts(text):
        value = quoted if bare is None else bare
        if field and (condition := _filter(field.lower(), value, not minus, kinds, day_of)):
            filters.append(condition) if isinstance(condition, Filter) else notes.append(condition)
            continue
        said = f"{field} {value}" if field else value
        found = query_words(said)
        phrase = tuple(word for word, _typed in found)
        if minus and found:
            without.append(phrase)
            continue
        if bare is None and len(found) > 1:
            phrases.append(phrase)
        for word, typed in found:
            is_open = typing and is_last and bare is not None and word == phrase[-1]
            terms.setdefault(word, Term(word, typed, is_open))
    some = tuple(terms.values())[:MOST]
    newest_first = Filter("sort", "newest") in filters
    conditions = tuple(one for one in filters if one.field != "sort")
    return Query(text, some, tuple(phrases), tuple(without), conditions, tuple(notes), newest_first)


def _parts(text: str) -> Iterator[tuple[str, str, str, str | None, bool]]:
    for part in _PART.finditer(text):
        minus, field, quoted, bare = part.groups()
        starts = part.start() == 0 or text[part.start() - 1].isspace()
        yield (minus if starts else "") or "", field or "", quoted or "", bare, part.end() == len(text)


def _filter(
    field: str, value: str, wanted: bool, kinds: Collection[str], day_of: Callable[[str], str]
) -> Filter | str | None:
    """The filter, or why it cannot be one, or None for what is no filter at all."""
    if field in ("chat", "in"):
        return Filter(field, value, wanted) if value else say("Add a value after %(field)s:", field=field)
    if field == "tier":
        return _one_of(field, value, wanted, TIERS)
    if field == "kind":
        return _one_of(field, value, wanted, kinds)
    if field == "sort":
        return _one_of(field, value, wanted, ORDERS)
    if field in ("day", "before", "after"):
        day = day_of(value.lower()) if value.lower() in NEAR_DAYS else value
        if _DAY.fullmatch(day):
            return Filter(field, day, wanted)
        return say("%(field)s: use a day like 2026-11-20, a month like 2026-11, today or yesterday.", field=field)
    return None


def _one_of(field: str, value: str, wanted: bool, known: Collection[str]) -> Filter | str:
    if value.lower() in known:
        return Filter(field, value.lower(), wanted)
    return say("%(field)s: use one of these: %(listed)s.", field=field, listed=", ".join(known))
