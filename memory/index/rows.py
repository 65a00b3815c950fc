"""One document's rows: brought in step by difference, so that facts keep their rows while lines move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Sum

from memory.bots import open_bot
from memory.domain.changes import digest
from memory.domain.dialect import Dialect
from memory.domain.places import Kind, Place
from memory.index import attributes, recent_versions, totals
from memory.index.recent_versions import ALL, FactRange
from memory.journal import versions
from memory.models import Bot, Document, Fact, quick
from memory.storage import Stat, locks
from memory.text.markdown.blocks import decode
from memory.text.markdown.context import headings, speaker
from memory.text.markdown.entries import FactAt
from memory.text.markdown.repeats import Standing, standings, standings_by_day
from memory.text.storable import is_keepable, keepable, text_problem
from memory.text.tokens.estimate import estimate, whole_tokens
from memory.text.words.days import leading_day
from memory.text.words.terms import words
from memory.text.words.traits import traits

# Raised when what facts a file has, or what they are found by, is not what it was: what was read by other rules is read anew.
RULES = 1

ROWS_AT_ONCE = 400
FACTS_AT_ONCE = 2000
FOUND_BY = 200_000  # characters of words of one fact: PostgreSQL takes no more than a megabyte; a longer one has each word once
PATIENCE = 10  # seconds to wait for somebody who saves many facts
OF_A_DOCUMENT = (
    *("kind", "tier", "scope", "day", "size", "mtime_ns", "ctime_ns", "inode", "mode"),
    *("sha256", "tokens", "facts_count", "error"),
)
# Of a fact: what it says and where it stands, which changes while it stays the same fact.
WHERE = ("ordinal", "line", "end_line", "time", "text", "heading", "since", "run", "until")
Where = tuple[int, int, int, str, str, str, str, int, str]
_where: Callable[[Fact], Where] = attrgetter(*WHERE)
# And what it is found by, which follows from its text and heading.
SAID = ("speaker", "words", "about", "traits")
FoundBy = tuple[str, str, str, int]
_said: Callable[[Fact], FoundBy] = attrgetter(*SAID)
SAME = ("bot", "document", "key", "nth")
FRESH = (*SAME, "tokens", *WHERE, *SAID)
_unmoved: Callable[[Fact], tuple[int, int, str, int, int]] = attrgetter("bot_id", "document_id", "key", "nth", "tokens")
READ = (*OF_A_DOCUMENT, "rules")
OF_A_FILE = ("size", "mtime_ns", "ctime_ns", "inode", "mode", "sha256", "error")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document as read and understood; `error` says for people why it could not be."""

    path: str
    place: Place
    stat: Stat
    data: bytes | None = None
    facts: Sequence[FactAt] = field(default=())
    headings: Sequence[str] = field(default=())  # of each fact
    error: str = ""
    unsure: bool = False  # written a moment ago, or not recorded in the history yet: look again next time

    @property
    def unread(self) -> bool:
        """Whether its bytes could not be had, so that its row stays as it is. What is no text was read, and has no facts."""
        return bool(self.error) and self.data is None


def parse(dialect: Dialect, path: str, place: Place, data: bytes, stat: Stat) -> Parsed:
    """Understand a document's bytes."""
    if place.is_text and (place.holds_facts or place.editable) and (why := text_problem(data)):
        return Parsed(path, place, stat, data, error=why)
    facts = dialect.facts(path, data) if place.holds_facts else []
    text = decode(data)
    above = [fact.heading for fact in facts] if any(fact.heading for fact in facts) else headings(text, facts)
    if not is_keepable(text):
        facts = [replace(fact, text=keepable(fact.text)) for fact in facts]
        above = [keepable(one) for one in above]
    return Parsed(path, place, stat, data, facts, above)


def save(bot: Bot, parsed: Sequence[Parsed]) -> None:
    """Bring the rows of some documents in step with what was read, in short transactions.

    Many facts take several; until the last of them the document counts as not looked at.
    """
    if sum(_to_compare(bot, one) for one in parsed) > FACTS_AT_ONCE:
        _save_many(bot, parsed)
        return
    with transaction.atomic():
        written = _save_documents(bot, parsed)
        if _save_facts(bot, parsed, written) or written.touched:
            _say(bot, written.touched)
            _retell(bot, parsed)
    _remember(bot, parsed)


def _to_compare(bot: Bot, one: Parsed) -> int:
    """How many facts of a document are likely to be compared with their rows."""
    is_near = (
        recent_versions.is_long(one.place, one.facts)
        and one.data is not None
        and recent_versions.is_near(bot, one.path, one.data)
    )
    return 0 if is_near else len(one.facts)


def _remember(bot: Bot, parsed: Sequence[Parsed]) -> None:
    for one in parsed:
        if one.data is not None and not one.error:
            recent_versions.remember(bot, one.path, one.place, one.data, one.facts, one.headings)


def _save_many(bot: Bot, parsed: Sequence[Parsed]) -> None:
    """Save more facts than go into one transaction; nobody else does so meanwhile. Who waits in vain leaves them to the walk."""
    try:
        with locks.lock(f"facts-{bot.pk}", PATIENCE):
            written = note(bot, parsed, OF_A_DOCUMENT)
            _save_facts(bot, parsed, written)
            with transaction.atomic():
                _settle(parsed, written.rows)
                totals.bump(bot)
                _retell(bot, parsed)
        _remember(bot, parsed)
    except locks.Timeout:
        note(bot, parsed)


def note(bot: Bot, parsed: Sequence[Parsed], fields: Sequence[str] = OF_A_FILE) -> Written:
    """Keep what documents are without their facts, which the next walk will read."""
    with transaction.atomic():
        written = _save_documents(bot, [replace(one, unsure=True) for one in parsed], fields)
        if written.touched:
            _say(bot, written.touched)
    return written


def fail(bot: Bot, errors: Mapping[str, str]) -> None:
    """Say of documents why they cannot be read; everything else about them stays as it was."""
    if errors:
        with transaction.atomic():
            for path, error in errors.items():
                Document.objects.filter(bot=bot, path=path).update(error=error)
            totals.bump(bot)


def drop(bot: Bot, paths: Sequence[str]) -> None:
    """Forget documents that are gone."""
    for part in quick.batches(paths, ROWS_AT_ONCE):
        with transaction.atomic():
            gone = Document.objects.filter(bot=bot, path__in=part)
            if touched := list(gone.values_list("scope", "day")):
                told = gone.filter(kind=Kind.HISTORY).exists()
                gone.delete()
                _say(bot, touched, dropped=True)
                if told:
                    totals.retell(bot, ())


def _say(bot: Bot, touched: Collection[tuple[str, str]], *, dropped: bool = False) -> None:
    totals.bump(bot)
    totals.recount(bot, touched, dropped=dropped)


def _retell(bot: Bot, parsed: Sequence[Parsed]) -> None:
    """Count days anew if a history is among what was read."""
    histories = [one for one in parsed if one.place.kind is Kind.HISTORY and not one.unread]
    if histories:
        totals.retell(bot, {day for one in histories for fact in one.facts if (day := leading_day(fact.text))})


class Written(NamedTuple):
    """Rows of documents as they were written, and as they stood before by path; (scope, day) of those that say something new."""

    rows: Sequence[Document]
    before: Mapping[str, Document]
    touched: Sequence[tuple[str, str]]


def _save_documents(bot: Bot, parsed: Sequence[Parsed], fields: Sequence[str] = READ) -> Written:
    """Write the rows. What cannot be read keeps its numbers."""
    there = Document.objects.filter(bot=bot, path__in=[one.path for one in parsed]).only("path", *READ)
    before = {row.path: row for row in there.select_for_update()}
    fresh = [_document(bot, one, counts="tokens" in fields or one.path not in before) for one in parsed]
    unread = {one.path for one in parsed if one.unread}
    _upsert([row for row in fresh if row.path not in unread], fields)
    _upsert([row for row in fresh if row.path in unread], ["error"])
    touched = [(row.scope, row.day) for row in fresh if _is_news(before.get(row.path), row, fields)]
    return Written(fresh, before, touched)


def _upsert(rows: Sequence[Document], fields: Sequence[str]) -> None:
    Document.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["bot", "path"], update_fields=fields, batch_size=ROWS_AT_ONCE
    )


def _settle(parsed: Sequence[Parsed], rows: Sequence[Document]) -> None:
    """Say of documents that were noted that their facts are there."""
    told = [(row, one) for row, one in zip(rows, parsed, strict=True) if not (one.unsure or one.unread)]
    for row, one in told:
        row.ctime_ns = one.stat.ctime_ns
    _upsert([row for row, _one in told], ["ctime_ns", "rules"])


def _is_news(before: Document | None, row: Document, fields: Sequence[str]) -> bool:
    """Whether a row now says something else. When it has to be looked at again is nobody else's business."""
    told = ["error"] if row.error else [name for name in fields if name not in ("ctime_ns", "inode")]
    return before is None or any(getattr(before, name) != getattr(row, name) for name in told)


def _document(bot: Bot, one: Parsed, *, counts: bool) -> Document:
    stat, place = one.stat, one.place
    has_cost = counts and one.data is not None and place.holds_facts
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
        tokens=_tokens(bot, one.path, one.data) if one.data is not None and has_cost else 0,
        facts_count=len(one.facts),
        error=one.error,
        rules=RULES,
    )


def _tokens(bot: Bot, path: str, data: bytes) -> int:
    return whole_tokens(recent_versions.hundredths(bot, path, data)) if data else 0


def _save_facts(bot: Bot, parsed: Sequence[Parsed], written: Written) -> bool:
    """Write the difference between the facts that were read and their rows, in portions; whether there was any. Where the rows are
    known to be those of another version, only what may differ is compared."""
    readable = {one.path: one for one in parsed if not one.unread}
    ids = {row.path: row.pk for row in written.rows if row.path in readable}
    spans = {path: _span(bot, one, written.before.get(path)) for path, one in readable.items()}
    anew = {path for path in readable if path in written.before and not is_current(written.before[path])}
    is_saved = _save_spans(bot, readable, ids, spans, anew)
    wrong = [
        path for path, span in spans.items() if span != ALL and not _is_whole(bot, ids[path], len(readable[path].facts))
    ]
    if wrong:
        _save_spans(bot, {path: readable[path] for path in wrong}, ids, dict.fromkeys(wrong, ALL))
    return is_saved


def _span(bot: Bot, one: Parsed, before: Document | None) -> FactRange:
    if one.data is None or before is None or not is_current(before):
        return ALL
    if not recent_versions.is_long(one.place, one.facts):
        return ALL
    _recall(bot, one, before)
    return recent_versions.span(bot, before, one.data, one.facts, one.headings)


def is_near(bot: Bot, one: Parsed, before: Document) -> bool:
    """Whether little of a long document whose facts have attributes differs from the version that its row names."""
    if (
        one.data is None
        or before.error
        or not before.ctime_ns
        or not is_current(before)
        or not one.place.has_attributes
    ):
        return False
    _recall(bot, one, before)
    return recent_versions.knows(bot, before) and recent_versions.is_near(bot, one.path, one.data)


def is_current(row: Document) -> bool:
    """Whether a document's facts were read by the rules that hold."""
    return row.rules == RULES


def _recall(bot: Bot, one: Parsed, before: Document) -> None:
    """Remember the version that a document's row names, which another process saved, if the history holds it."""
    if recent_versions.knows(bot, before):
        return
    with suppress(versions.Forgotten):
        data = versions.bytes_of(bot, before.sha256)
        last = parse(open_bot(bot).dialect, one.path, one.place, data, one.stat)
        recent_versions.remember(bot, one.path, one.place, data, last.facts, last.headings)


def _is_whole(bot: Bot, document: int, facts: int) -> bool:
    """Whether a document has so many rows of facts, numbered one after the other."""
    rows = Fact.objects.filter(bot=bot, document=document).aggregate(number=Count("pk"), sum=Sum("ordinal"))
    return rows["number"] == facts and (rows["sum"] or 0) == facts * (facts - 1) // 2


def _save_spans(
    bot: Bot,
    readable: Mapping[str, Parsed],
    ids: Mapping[str, int],
    spans: Mapping[str, FactRange],
    anew: Collection[str] = (),
) -> bool:
    """`anew` are those whose facts are written even where nothing differs."""
    there: dict[int, dict[tuple[str, int], Fact]] = {}
    compared = recent_versions.compared({ids[path]: span for path, span in spans.items()})
    for row in Fact.objects.filter(compared, bot=bot):
        there.setdefault(row.document_id, {})[row.key, row.nth] = row
    changed: list[tuple[int | str, ...]] = []
    gone: list[int] = []
    for path, one in readable.items():
        old = there.get(ids[path], {})
        first, end = spans[path].first, len(one.facts) - spans[path].behind
        stand = _standings(one.place, one.facts[first:end])
        told = zip(one.facts[first:end], one.headings[first:end], stand, strict=True)
        for ordinal, (fact, above, standing) in enumerate(told, first):
            where = (ordinal, fact.line, fact.end_line, fact.time, fact.text, above, *standing)
            known = old.pop((fact.key, fact.nth), None)
            if known is None or path in anew or (known.text, known.heading) != (fact.text, above):
                changed.append(_fact_row(bot, ids[path], fact, where))
            elif _where(known) != where:
                changed.append((*_unmoved(known), *where, *_said(known)))
        gone += [known.pk for known in old.values()]
    for part in quick.batches(gone, ROWS_AT_ONCE):
        Fact.objects.filter(pk__in=part).delete()
    # one statement: each writes a piece of both full text indexes
    for some in quick.batches(changed, quick.PORTIONS[0]):
        with transaction.atomic():  # another process may have been here since the rows were compared
            quick.upsert_all(Fact, FRESH, SAME, some)
    if read := {ids[path]: _attributes(one, spans[path]) for path, one in readable.items() if one.place.has_attributes}:
        attributes.save(bot, read, gone)
    return bool(changed or gone)


def _attributes(one: Parsed, span: FactRange) -> attributes.Read:
    return attributes.Read(one.facts[span.first : len(one.facts) - span.behind], span)


def _standings(place: Place, facts: Sequence[FactAt]) -> list[Standing]:
    """How facts stand among those that they are shown with: of a history those of the same day."""
    if place.kind is Kind.HISTORY:
        return standings_by_day((fact.text[:11], fact.time, fact.text) for fact in facts)  # "[2026-01-31"
    return standings((fact.time, fact.text) for fact in facts)


def _fact_row(bot: Bot, document_id: int, fact: FactAt, where: Where) -> tuple[int | str, ...]:
    """The row of a fact that had none, or said something else: values of FRESH."""
    *_place, text, heading, _since, _run, _until = where
    return bot.pk, document_id, fact.key, fact.nth, estimate(text), *where, *_search_columns(text, heading)


def _search_columns(text: str, heading: str) -> FoundBy:
    who = speaker(text)
    return who, _words(text), _about(heading, who), traits(text)


def _words(text: str) -> str:
    found = words(text)
    said = " ".join(found)
    return said if len(said) <= FOUND_BY else " ".join(dict.fromkeys(found))[:FOUND_BY]


@lru_cache(64)  # of a log all facts stand under the same
def _about(heading: str, who: str) -> str:
    return " ".join(words(f"{heading} {who}"))
