"""The rows of a bot's database besides their facts: how important, how sure, since when and until when; by difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from memory.dialects.nanobot import entries as rows_of
from memory.dialects.nanobot.entries import Entry
from memory.dialects.nanobot.layout import is_of_entries
from memory.index import recent_versions
from memory.index.recent_versions import ALL, Span
from memory.models import Bot, EntryRow, Fact, quick
from memory.text.markdown.entries import FactAt
from memory.text.storable import keepable

TOLD = ("kind", "whose", "source", "importance", "confidence", "created", "updated", "expires")
ROW = ("fact", "bot", "document", *TOLD)
LONGEST = 40  # characters of a word or a time
ROWS_AT_ONCE = 2000
KEYS_AT_ONCE = 400

Told = tuple[int | str | float, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A document as read, with those of its facts that are compared, and where they stand among all."""

    path: str
    data: bytes
    facts: Sequence[FactAt]
    span: Span

    @property
    def now(self) -> Span:
        """Where they stand after their rows were saved."""
        return self.span if self.span == ALL else self.span._replace(had=self.span.end(len(self.facts)))


def save(bot: Bot, read: Mapping[int, Read], dropped: Sequence[int] = ()) -> None:
    """Bring the rows of some documents, by their keys, in step with what was read. Their facts have rows already; those of
    `dropped` ones have none any more."""
    databases = {pk: one for pk, one in read.items() if is_of_entries(one.path)}
    if not databases:
        return
    wanted = dict(_wanted(databases))
    known = dict(_known(databases, [pk for pk, (document, *_) in wanted.items() if databases[document].span != ALL]))
    fresh = [(pk, bot.pk, *row) for pk, row in wanted.items() if known.get(pk) != row[1:]]
    gone = [*(pk for pk in known if pk not in wanted), *dropped]
    for start in range(0, len(gone), KEYS_AT_ONCE):
        EntryRow.objects.filter(pk__in=gone[start : start + KEYS_AT_ONCE]).delete()
    for start in range(0, len(fresh), ROWS_AT_ONCE):
        with transaction.atomic():
            quick.upsert_all(EntryRow, ROW, ("fact",), fresh[start : start + ROWS_AT_ONCE])


def _wanted(databases: Mapping[int, Read]) -> Iterator[tuple[int, tuple[int, *Told]]]:
    """(the fact's key, the document's and what the row says) of every entry."""
    compared = recent_versions.compared({document: one.now for document, one in databases.items()})
    keys: dict[tuple[int, str, int], int] = {
        (document, key, nth): pk
        for pk, document, key, nth in Fact.objects.filter(compared).values_list("pk", "document_id", "key", "nth")
    }
    for document, one in databases.items():
        for entry in rows_of.of_facts(one.path, one.data, one.facts):
            if (pk := keys.get((document, entry.fact.key, entry.fact.nth))) is not None:
                yield pk, (document, *_told(entry))


def _known(databases: Mapping[int, Read], compared: Sequence[int]) -> Iterator[tuple[int, Told]]:
    """(the fact's key and what its row says) of whole documents, and of the facts that are compared in others."""
    whole = [document for document, one in databases.items() if one.span == ALL]
    found = [EntryRow.objects.filter(document__in=whole)]
    for start in range(0, len(compared), KEYS_AT_ONCE):
        found.append(EntryRow.objects.filter(pk__in=compared[start : start + KEYS_AT_ONCE]))
    for some in found:
        yield from ((pk, tuple(told)) for pk, *told in some.values_list("fact_id", *TOLD))


def _told(entry: Entry) -> Told:
    return (
        *(_short(entry.kind), _short(entry.scope)[:10], _short(entry.source)),
        *(_number(entry.importance), _number(entry.confidence)),
        *(_short(entry.created), _short(entry.updated), _short(entry.expires) or EntryRow.NEVER),
    )


def _short(text: str) -> str:
    return keepable(text)[:LONGEST]


def _number(value: float) -> float:
    """What both databases can hold: JSON has numbers that SQL has not."""
    return value if math.isfinite(value) else 0.0
