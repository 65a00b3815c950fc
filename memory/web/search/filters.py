"""Filters as words of a query: those that stand in it, and the same query with one more or one less."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.places import Kind
from memory.models import Bot
from memory.search import Counts, Spots
from memory.text.words.query import TIERS
from memory.web.base import frame
from memory.web.base.gauges import grouped
from memory.web.search import suggestions

DATES = ("day", "before", "after")
FIELDS = ("tier", "chat", *DATES, "kind", "in", "sort")
LATELY = 30  # days
SUGGESTED = 6  # chats
PLACES = {"chat": "chats", "working": "working"}  # a tier whose place a bot has no use for narrows nothing

_FILTER = re.compile(rf'(?<!\S)(-?)({"|".join(FIELDS)}):(?:"([^"]*)"?|([^\s"]+))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that a click puts into the query, or takes out of it (`is_on`). `tier` names the shape before its words; `number`
    says how many results it leaves, "" where that is not known."""

    label: str
    url: str
    is_on: bool = False
    tier: str = ""
    number: str = ""


_Offer = tuple[Callable[[Counts], int], Chip]  # how many results a filter leaves, and the filter


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The filters of a query, those that may be added, the chats that an unfinished `chat:` may mean, and the other order."""

    on: tuple[Chip, ...]
    more: tuple[Chip, ...]
    chats: tuple[Chip, ...]
    order: Chip

    @property
    def chips(self) -> tuple[Chip, ...]:
        """All of them, in the order in which they are shown."""
        return (*self.on, *self.chats, *self.more)


def narrowing(bot: Bot, query: str, around: Mapping[str, str], spots: Spots | None) -> Narrowing:
    """What narrows this query, or could. `around`: names of chats, by their scopes, that what was found belongs to; `spots`: where
    all of it stands, None if nobody knows: then a filter may leave all or nothing."""
    on = tuple(Chip(found[0], asked(without(query, found)), is_on=True) for found in _FILTER.finditer(query))
    offers = (*_more(bot, query), *_chats(query, around))
    more = filter(None, (_counted(chip, left, spots) for left, chip in offers))
    return Narrowing(on, tuple(more), tuple(_meant(bot, query)), _order(query))


def _counted(chip: Chip, left: Callable[[Counts], int], spots: Spots | None) -> Chip | None:
    """A filter with how many results it leaves; None where these are all or none."""
    if spots is None:
        return chip
    number = left(spots.counts)
    if not number or (number == spots.counts.total() and not spots.cut):
        return None
    return replace(chip, number=grouped(number) + ("+" if spots.cut else ""))


def asked(query: str) -> str:
    """The query string of a search."""
    return "?" + urlencode({"q": query})


def without(query: str, found: re.Match[str]) -> str:
    """A query without one of its filters."""
    return " ".join(f"{query[: found.start()]} {query[found.end() :]}".split())


def undated(query: str) -> str:
    """A query without the days that it names."""
    return _without_all(query, lambda found: found[2].lower() in DATES and not found[1])


def bare(query: str) -> str:
    """The words of a query."""
    return _without_all(query, lambda _found: True)


def _without_all(query: str, is_meant: Callable[[re.Match[str]], bool]) -> str:
    for found in reversed(list(_FILTER.finditer(query))):
        if is_meant(found):
            query = without(query, found)
    return query


def with_filter(query: str, field: str, value: str) -> str:
    """A query with this filter, in the place of others on the same field."""
    query = _without_all(query, lambda found: found[2].lower() == field and not found[1])
    word = f'{field}:"{value}"' if any(map(str.isspace, value)) else f"{field}:{value}"
    return f"{query.strip()} {word}".strip()


def chat_url(bot: Bot, scope: str) -> str:
    """Where a chat is searched; "" if a query cannot name it."""
    address = reverse("memory:search", args=[bot.slug])
    return address + asked(with_filter("", "chat", scope) + " ") if can_be_named(scope) else ""


def can_be_named(value: str) -> bool:
    """Whether a filter can say this: a query has no way to write a quotation mark."""
    return '"' not in value and bool(value.strip())


def _fields(query: str) -> set[str]:
    return {found[2].lower() for found in _FILTER.finditer(query)}


def _more(bot: Bot, query: str) -> Iterator[_Offer]:
    there, closed = _fields(query), frame.closed_pages(bot.dialect, has_chats=False)
    if "tier" not in there:
        labels = {"global": _("Shared"), "chat": _("Chats"), "working": _("Working memory")}
        for tier in (tier for tier in TIERS if PLACES.get(tier) not in closed):
            yield partial(_at, "tier", tier), Chip(labels[tier], asked(with_filter(query, "tier", tier)), tier=tier)
    if "kind" not in there and "days" not in closed:
        yield partial(_at, "kind", Kind.DAILY), Chip(_("Daily logs"), asked(with_filter(query, "kind", Kind.DAILY)))
    if not there & {*DATES}:
        today = open_bot(bot).now().date()
        first = (today - timedelta(days=LATELY + 1)).isoformat()
        lately = Chip(_("Last %(days)s days") % {"days": LATELY}, asked(with_filter(query, "after", first)))
        yield partial(_at, "day", today.isoformat()), Chip(_("Today"), asked(with_filter(query, "day", "today")))
        yield lambda counts: sum(number for day, number in counts.day.items() if day > first), lately


def _at(field: str, value: str, counts: Counts) -> int:
    number: int = getattr(counts, field)[value]
    return number


def _order(query: str) -> Chip:
    """The order that the results are not in."""
    if "sort" in _fields(query):
        return Chip(_("Best match"), asked(_without_all(query, lambda found: found[2].lower() == "sort")))
    return Chip(_("Newest first"), asked(with_filter(query, "sort", "newest")))


def _chats(query: str, around: Mapping[str, str]) -> Iterator[_Offer]:
    """The chats that most of what was found belongs to."""
    if "chat" not in _fields(query):
        for scope, name in list(around.items())[:SUGGESTED]:
            if can_be_named(scope):
                yield partial(_at, "scope", scope), Chip(name, asked(with_filter(query, "chat", scope)), tier="chat")


def _meant(bot: Bot, query: str) -> Iterator[Chip]:
    """The chats that the last `chat:` of a query may mean."""
    said = [found[3] or found[4] or "" for found in _FILTER.finditer(query) if found[2].lower() == "chat"]
    if said and said[-1].strip():
        for hit in suggestions.chats(bot, said[-1])[:SUGGESTED]:
            scope = hit.names[0]
            if scope != said[-1] and can_be_named(scope):
                yield Chip(hit.label, asked(with_filter(query, "chat", scope)), tier="chat")
