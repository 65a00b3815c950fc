"""What the table of entries is narrowed to, as an address says it: read with care, as a query, and as words for people."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.bots import open_bot
from memory.curation import pruning
from memory.domain.attributes import AttributesAbility
from memory.models import Bot, FactAttributes
from memory.search import engine
from memory.search.bounds import bounds
from memory.text.attributes import instant
from memory.text.storable import keepable
from memory.text.words.days import date_of
from memory.web.base import chat_names
from memory.web.base.responses import closed_by
from memory.web.base.translation import translate

LONGEST = 200  # characters of words and of a name
SOON = timedelta(days=30)
INDEXED = 3  # letters from which on the search index is asked
FEW = 1000  # entries that are few
FOLDED = {"important", "unimportant", "sure", "unsure", "expiry", "source", "status", "on", "chat", "order"}
EXPIRY: Mapping[str, Promise] = {
    "expired": later("Expired"),
    "soon": later("Within 30 days"),
    "never": later("Never expires"),
}
ORDERS: Mapping[str, tuple[Promise, tuple[str, ...]]] = {
    "": (later("Most recent first"), ("-updated", "-fact_id")),
    "importance": (later("Most important first"), ("-importance", "-updated", "-fact_id")),
    "expiry": (later("Expiring first"), ("expires", "-updated", "-fact_id")),
}


def choices(known: AttributesAbility) -> dict[str, object]:
    """What may be chosen in the filters, in the reader's language; nothing of what the bot's facts do not have. `about` says what
    they are."""
    return {
        "kinds": worded(known.kinds),
        "whose": worded(known.sorts),
        "expiries": {name: str(label) for name, label in EXPIRY.items() if known.has_expiry},
        "sources": worded(known.sources),
        "statuses": worded(known.statuses),
        "orders": {name: str(ORDERS[name][0]) for name in _orders(known)},
        "has_weights": known.has_weights,
        "is_by_chat": known.is_by_chat,
        "about": translate(known.sentences.page),
    }


def worded(labels: Mapping[str, str]) -> dict[str, str]:
    """A family's words in the reader's language."""
    return {name: translate(label) for name, label in labels.items()}


def ability(bot: Bot) -> AttributesAbility:
    """How the facts of this bot have attributes. Raises Http404 for a bot whose facts have none."""
    if found := open_bot(bot).attributes:
        return found
    raise Http404("The facts of this bot have no attributes.")


with_entries = closed_by(lambda bot: "" if open_bot(bot).attributes else pruning.NONE)


def _orders(known: AttributesAbility) -> list[str]:
    has = {"importance": known.has_weights, "expiry": known.has_expiry}
    return [name for name in ORDERS if has.get(name, True)]


@dataclass(frozen=True, slots=True)
class EntryFilters:
    """What the table is narrowed to; "" for all. `on` is the day when an entry was said last, as the bot writes it. `scope` is
    the name of one chat or user, `typed` what stands in its field, `problem` why nobody of that name is known. Numbers are text
    between 0 and 1."""

    kind: str = ""
    whose: str = ""
    scope: str = ""
    query: str = ""
    important: str = ""
    unimportant: str = ""
    sure: str = ""
    unsure: str = ""
    expiry: str = ""
    source: str = ""
    status: str = ""
    on: str = ""
    order: str = ""
    typed: str = ""
    problem: str = ""

    @property
    def narrows(self) -> bool:
        """Whether it leaves anything out."""
        return any(value for name, value in self.told.items() if name != "order")

    @property
    def more(self) -> int:
        """How many of the filters that are folded away are set."""
        return len(self.told.keys() & FOLDED)

    @property
    def told(self) -> dict[str, str]:
        """The filters that are set, as an address names them."""
        named = {"q": self.query, "chat": self.typed}
        own = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in ("query", "scope", "typed", "problem")
        }
        return {name: value for name, value in {**own, **named}.items() if value}

    @property
    def parameters(self) -> str:
        """The same filters as the end of an address."""
        return urlencode(self.told, errors="surrogateescape")


def asked(bot: Bot, given: QueryDict) -> EntryFilters:
    """The filters of an address or a form; what is none of them counts as all."""
    known = ability(bot)
    typed = keepable(given.get("chat", "")).strip()[:LONGEST] if known.is_by_chat else ""
    scope, problem = _scope(bot, typed)
    return EntryFilters(
        kind=_one_of(known.kinds, given.get("kind", "")),
        whose=_one_of(known.sorts, given.get("whose", "")),
        scope=scope,
        query=keepable(given.get("q", "")).strip()[:LONGEST],
        **{name: _number(given.get(name, "")) for name in ("important", "unimportant", "sure", "unsure")},
        expiry=_one_of(EXPIRY, given.get("expiry", "")),
        source=_one_of(known.sources, given.get("source", "")),
        status=_one_of(known.statuses, given.get("status", "")),
        on=str(date_of(given.get("on", "").strip()) or ""),
        order=_one_of(_orders(known), given.get("order", "")),
        typed=typed,
        problem=problem,
    )


def rows(bot: Bot, wanted: EntryFilters, now: datetime, few: bool = False) -> QuerySet[FactAttributes]:
    """The rows that are meant, in the order that is asked for; none where nobody of that name is known. `few`: it is known that
    they are, so that the search index is asked where they can be; of many, the first of an order are sooner met on the way."""
    found = FactAttributes.objects.filter(*_conditions(bot, wanted, now, few), bot=bot)
    return found.none() if wanted.problem else found.order_by(*ORDERS[wanted.order][1])


def _conditions(bot: Bot, wanted: EntryFilters, now: datetime, few: bool) -> Iterator[Q]:
    same = {"kind": wanted.kind, "whose": wanted.whose, "source": wanted.source, "status": wanted.status}
    yield from (Q(**{name: value}) for name, value in same.items() if value)
    bounds = {
        "importance__gte": wanted.important,
        "importance__lte": wanted.unimportant,
        "confidence__gte": wanted.sure,
        "confidence__lte": wanted.unsure,
    }
    yield from (Q(**{name: float(value)}) for name, value in bounds.items() if value)
    if wanted.on:
        yield Q(updated__gte=wanted.on, updated__lt=f"{wanted.on}U")  # after any time of that day
    if wanted.expiry:
        yield _expires(wanted.expiry, now)
    if wanted.scope:
        yield Q(document__bot=bot, document__path=ability(bot).path(wanted.scope))
    if wanted.query:
        yield _holds(bot, wanted.query, few)


def _holds(bot: Bot, letters: str, few: bool) -> Q:
    """Letters anywhere in the text."""
    holds = Q(fact__text__icontains=letters)
    if not few or len(letters) < INDEXED:
        return holds
    found = engine().parts(letters, bounds(bot, (), None, None)[0], FEW + 1)
    return holds if len(found) > FEW else holds & Q(pk__in=found)


def _expires(expiry: str, now: datetime) -> Q:
    at = instant(now)
    if expiry == "expired":
        return Q(expires__lt=at)
    return Q(expires=FactAttributes.NEVER) if expiry == "never" else Q(expires__gte=at, expires__lt=instant(now + SOON))


def _scope(bot: Bot, typed: str) -> tuple[str, str]:
    """(the name of the scope that somebody typed, why there is none)."""
    if not typed:
        return "", ""
    found = chat_names.chat_meant(bot, typed)
    return found.scope, found.problem or ("" if found.scope else _("No chat or user with this name."))


def _one_of(known: Collection[str], value: str) -> str:
    return value if value in known else ""


def _number(value: str) -> str:
    """A number between 0 and 1 as it was typed, "" for anything else."""
    try:
        found = float(value.strip().replace(",", "."))
    except ValueError:
        return ""
    return f"{found:g}" if math.isfinite(found) and 0 <= found <= 1 else ""
