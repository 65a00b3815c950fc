"""Facts as rules look at them, with what their documents are; found by their rows and by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from memory.domain.places import Kind, Tier
from memory.models import Bot, Fact, quick

KEYS_AT_ONCE = 500
ABOUT = (
    *("pk", "document__path", "key", "nth", "line", "text"),
    *("document__tier", "document__kind", "document__scope", "document__day", "time", "heading"),
)
# Asked for many keys at once, SQLite would rather go through all facts of a bot: a cross join keeps the order as it is written.
_ALIKE = """
WITH wanted(key) AS (VALUES {keys})
SELECT fact.id, document.path, fact.key, fact.nth, fact.line, fact.text,
    document.tier, document.kind, document.scope, document.day, fact.time, fact.heading
FROM wanted CROSS JOIN memory_fact fact JOIN memory_document document ON document.id = fact.document_id
WHERE fact.bot_id = %s AND fact.key = wanted.key
"""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong with a document: which of its rule's, why for people, and what stands there at which line."""

    what: str
    why: str
    text: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """A fact as a rule looks at it, with what its document is."""

    pk: int
    path: str
    key: str
    nth: int
    line: int
    text: str
    tier: str
    kind: str
    scope: str
    day: str
    time: str
    heading: str

    @property
    def is_shared(self) -> bool:
        """Whether it stands where every chat reads: long-term memory and logs of the bot's own."""
        return self.tier == Tier.GLOBAL and not self.scope and self.kind in (Kind.LONG_TERM, Kind.DAILY)

    @property
    def is_private(self) -> bool:
        """Whether it is one chat's."""
        return bool(self.scope) and self.tier != Tier.GLOBAL

    @property
    def is_in_the_global_scope(self) -> bool:
        """Whether its document has a scope's name and every chat reads it."""
        return bool(self.scope) and self.tier == Tier.GLOBAL


def by_row(bot: Bot, rows: Sequence[int]) -> Iterator[Subject]:
    """Those of some facts, by the keys of their rows, that are this bot's."""
    for part in quick.batches(rows, KEYS_AT_ONCE):
        some = Fact.objects.filter(pk__in=part).order_by()
        yield from (Subject(*about) for of, *about in some.values_list("bot_id", *ABOUT) if of == bot.pk)


def by_key(bot: Bot, keys: Iterable[str]) -> Iterator[Subject]:
    """Every fact that says one of these things, a statement for a few hundred of them."""
    return alike(bot, keys, _ALIKE)


def alike(bot: Bot, keys: Iterable[str], statement: str) -> Iterator[Subject]:
    """What a statement finds for some keys, a few hundred of them at once; it has Subject's columns, `{keys}` and the bot's key."""
    with connection.cursor() as cursor:
        for some in quick.batches(sorted(set(keys)), KEYS_AT_ONCE):
            cursor.execute(statement.format(keys=", ".join(["(%s)"] * len(some))), [*some, bot.pk])
            yield from (Subject(*row) for row in cursor.fetchall())
