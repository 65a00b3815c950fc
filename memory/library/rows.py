"""One document's rows: brought in step by difference, so that facts keep their rows while lines move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction

from memory.changes import digest
from memory.dialects.base import Dialect, Place
from memory.models import Bot, Document, Fact, quick
from memory.text.blocks import decode
from memory.text.entries import FactAt
from memory.text.keep import is_keepable, keepable
from memory.text.tokens import estimate
from memory.vault import Stat

ROWS_AT_ONCE = 400
FACTS_AT_ONCE = 2000
OF_A_DOCUMENT = (
    *("kind", "tier", "scope", "day", "size", "mtime_ns", "ctime_ns", "inode", "mode"),
    *("sha256", "tokens", "facts_count", "error"),
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document as read and understood; `error` says for people why it could not be."""

    path: str
    place: Place
    stat: Stat
    data: bytes | None = None
    facts: Sequence[FactAt] = field(default=())
    error: str = ""
    unsure: bool = False  # written a moment ago, or not recorded in the history yet: look again next time


def parse(dialect: Dialect, path: str, place: Place, data: bytes, stat: Stat) -> Parsed:
    """Understand a document's bytes."""
    facts = dialect.facts(path, data) if place.holds_facts else []
    if not is_keepable(decode(data)):
        facts = [replace(fact, text=keepable(fact.text)) for fact in facts]
    return Parsed(path, place, stat, data, facts)


def save(bot: Bot, parsed: Sequence[Parsed]) -> None:
    """Bring the rows of some documents in step with what was read, in short transactions.

    Many facts take several; until the last of them the document counts as not looked at.
    """
    if sum(len(one.facts) for one in parsed) <= FACTS_AT_ONCE:
        with transaction.atomic():
            _save_documents(bot, parsed)
            _save_facts(bot, parsed)
        return
    _save_documents(bot, [replace(one, unsure=True) for one in parsed])
    _save_facts(bot, parsed)
    _save_documents(bot, parsed)


def note(bot: Bot, one: Parsed) -> None:
    """Keep what a document is without its facts, which the next walk will read."""
    _save_documents(
        bot, [replace(one, unsure=True)], ("size", "mtime_ns", "ctime_ns", "inode", "mode", "sha256", "error")
    )


def _save_documents(bot: Bot, parsed: Sequence[Parsed], fields: Sequence[str] = OF_A_DOCUMENT) -> None:
    Document.objects.bulk_create(
        [_document(bot, one) for one in parsed],
        update_conflicts=True,
        unique_fields=["bot", "path"],
        update_fields=fields,
        batch_size=ROWS_AT_ONCE,
    )


def drop(bot: Bot, paths: Sequence[str]) -> None:
    """Forget documents that are gone."""
    for start in range(0, len(paths), ROWS_AT_ONCE):
        Document.objects.filter(bot=bot, path__in=paths[start : start + ROWS_AT_ONCE]).delete()


def _document(bot: Bot, one: Parsed) -> Document:
    stat, place = one.stat, one.place
    return Document(
        bot=bot,
        path=one.path,
        kind=place.kind,
        tier=place.tier,
        scope=place.scope,
        day=place.day,
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        ctime_ns=0 if one.unsure else stat.ctime_ns,
        inode=stat.inode,
        mode=stat.mode,
        sha256=digest(one.data) if one.data is not None else "",
        tokens=estimate(one.data.decode("utf-8", "replace")) if one.data is not None and place.holds_facts else 0,
        facts_count=len(one.facts),
        error=one.error,
    )


def _save_facts(bot: Bot, parsed: Sequence[Parsed]) -> None:
    """The difference between the facts that were read and their rows, written in portions."""
    readable = {one.path: one.facts for one in parsed if not one.error}
    ids = dict(Document.objects.filter(bot=bot, path__in=list(readable)).values_list("path", "id"))
    there: dict[int, dict[tuple[str, int], Fact]] = {}
    for row in Fact.objects.filter(bot=bot, document_id__in=list(ids.values())):
        there.setdefault(row.document_id, {})[row.key, row.nth] = row
    fresh: list[Fact] = []
    moved: list[Fact] = []
    gone: list[int] = []
    for path, facts in readable.items():
        old = there.get(ids[path], {})
        for ordinal, fact in enumerate(facts):
            known = old.pop((fact.key, fact.nth), None)
            if known is None:
                fresh.append(_fact(bot, ids[path], ordinal, fact))
            elif _is_elsewhere(known, ordinal, fact):
                known.ordinal, known.line, known.end_line = ordinal, fact.line, fact.end_line
                known.time, known.text = fact.time, fact.text
                moved.append(known)
        gone += [known.pk for known in old.values()]
    for start in range(0, len(gone), ROWS_AT_ONCE):
        Fact.objects.filter(pk__in=gone[start : start + ROWS_AT_ONCE]).delete()
    for start in range(0, len(fresh), ROWS_AT_ONCE):
        Fact.objects.bulk_create(fresh[start : start + ROWS_AT_ONCE])
    for start in range(0, len(moved), ROWS_AT_ONCE):
        with transaction.atomic():
            quick.update_all(moved[start : start + ROWS_AT_ONCE], "ordinal", "line", "end_line", "time", "text")


def _is_elsewhere(row: Fact, ordinal: int, fact: FactAt) -> bool:
    now = (row.ordinal, row.line, row.end_line, row.time, row.text)
    return now != (ordinal, fact.line, fact.end_line, fact.time, fact.text)


def _fact(bot: Bot, document_id: int, ordinal: int, fact: FactAt) -> Fact:
    return Fact(
        bot=bot,
        document_id=document_id,
        ordinal=ordinal,
        line=fact.line,
        end_line=fact.end_line,
        time=fact.time,
        text=fact.text,
        key=fact.key,
        nth=fact.nth,
        tokens=estimate(fact.text),
    )
