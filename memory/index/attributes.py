"""What facts have besides their texts, as rows: how important, how sure, since when and until when; by difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from memory.bots import open_bot
from memory.domain.attributes import usual_status
from memory.index import recent_versions
from memory.index.recent_versions import ALL, FactRange
from memory.models import Bot, Fact, FactAttributes, quick
from memory.text.attributes import Attributes
from memory.text.markdown.entries import FactAt
from memory.text.storable import keepable

TOLD = ("kind", "whose", "source", "status", "importance", "confidence", "created", "updated", "expires")
ROW = ("fact", "bot", "document", *TOLD)
LONGEST = 40  # characters of a word or a time
ROWS_AT_ONCE = 2000
KEYS_AT_ONCE = 400

Told = tuple[int | str | float, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Those facts of a document that are compared, and where they stand among all."""

    facts: Sequence[FactAt]
    span: FactRange

    @property
    def now(self) -> FactRange:
        """Where they stand after their rows were saved."""
        return self.span if self.span == ALL else self.span._replace(had=self.span.end(len(self.facts)))


def usual(bot: Bot) -> QuerySet[FactAttributes]:
    """Those of the usual status, where a bot tells any: without what it has forgotten, for instance."""
    status = usual_status(open_bot(bot).attributes)
    return FactAttributes.objects.filter(bot=bot, **({"status": status} if status else {}))


def unusual(bot: Bot, facts: Sequence[int]) -> dict[int, str]:
    """Which of some facts, by their keys, have another status than the usual one, and which."""
    status = usual_status(open_bot(bot).attributes)
    if not status:
        return {}
    rows, found = FactAttributes.objects.exclude(status=status), dict[int, str]()
    for part in quick.batches(facts, KEYS_AT_ONCE):
        found.update(rows.filter(pk__in=part).values_list("pk", "status"))
    return found


def save(bot: Bot, read: Mapping[int, Read], dropped: Sequence[int] = ()) -> None:
    """Bring the rows of some documents whose facts have attributes, by their keys, in step with what was read. Their facts have
    rows already; those of `dropped` ones have none any more."""
    wanted = dict(_rows_read(read))
    known = dict(_rows_there(read, [pk for pk, (document, *_) in wanted.items() if read[document].span != ALL]))
    fresh = [(pk, bot.pk, *row) for pk, row in wanted.items() if known.get(pk) != row[1:]]
    gone = [*(pk for pk in known if pk not in wanted), *dropped]
    for part in quick.batches(gone, KEYS_AT_ONCE):
        FactAttributes.objects.filter(pk__in=part).delete()
    for rows in quick.batches(fresh, ROWS_AT_ONCE):
        with transaction.atomic():
            quick.upsert_all(FactAttributes, ROW, ("fact",), rows)


def _rows_read(read: Mapping[int, Read]) -> Iterator[tuple[int, tuple[int, *Told]]]:
    """(the fact's key, the document's and what the row says) of every fact with attributes."""
    compared = recent_versions.compared({document: one.now for document, one in read.items()})
    keys: dict[tuple[int, str, int], int] = {
        (document, key, nth): pk
        for pk, document, key, nth in Fact.objects.filter(compared).values_list("pk", "document_id", "key", "nth")
    }
    for document, one in read.items():
        for fact in one.facts:
            if fact.attributes and (pk := keys.get((document, fact.key, fact.nth))) is not None:
                yield pk, (document, *_values(fact.attributes))


def _rows_there(read: Mapping[int, Read], compared: Sequence[int]) -> Iterator[tuple[int, Told]]:
    """(the fact's key and what its row says) of whole documents, and of the facts that are compared in others."""
    whole = [document for document, one in read.items() if one.span == ALL]
    found = [FactAttributes.objects.filter(document__in=whole)]
    for part in quick.batches(compared, KEYS_AT_ONCE):
        found.append(FactAttributes.objects.filter(pk__in=part))
    for some in found:
        yield from ((pk, tuple(told)) for pk, *told in some.values_list("fact_id", *TOLD))


def _values(about: Attributes) -> Told:
    return (
        *(_short(about.kind), _short(about.whose)[:10], _short(about.source), _short(about.status)),
        *(_number(about.importance), _number(about.confidence)),
        *(_short(about.created), _short(about.updated), _short(about.expires) or FactAttributes.NEVER),
    )


def _short(text: str) -> str:
    return keepable(text)[:LONGEST]


def _number(value: float) -> float:
    """What both databases can hold: JSON has numbers that SQL has not."""
    return value if math.isfinite(value) else 0.0
