"""One day of a bot: the entries of all its logs in one order, machine-made repeats folded, a page at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from memory import bots, library
from memory.dialects.base import Kind
from memory.models import Bot, Document, Fact
from memory.text.repeats import likeness, runs
from memory.views.measure import grouped
from memory.views.names import names_of
from memory.views.rows import Row, rows
from memory.views.sources import sources

AT_ONCE = 100
LOOKED_AT = 50  # logs of a day that are compared with their files before the page is shown; the walk sees to the others
REMEMBERED = 3600  # seconds
Run = tuple[int, ...]  # facts by their pk: one, or several that are alike


@dataclass(frozen=True, slots=True)
class Log:
    """One document of the day, as the index knows it. `error` says for people why it cannot be read."""

    version: str  # another one whenever its facts may be others; "" while it has to be looked at again
    pk: int
    path: str
    scope: str
    tier: str
    facts: int
    tokens: int
    size: int
    error: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a day somebody wants to see. `scope` None: of everybody, "": the bot's own. `unfolded` names a run by its first
    fact."""

    query: str = ""
    scope: str | None = None
    unfolded: int = 0
    page: str = "1"

    def address(self, **other: object) -> str:
        """The query string of this with something else in it."""
        wanted = {"q": self.query or None, "scope": self.scope, "open": self.unfolded or None} | other
        return "?" + urlencode({name: value for name, value in wanted.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of a day. `logs` are those that were asked for, `all_logs` the day's; `hits` counts what a search found."""

    rows: Sequence[Row]
    page: Page[Run]
    logs: Sequence[Log]
    all_logs: Sequence[Log]
    hits: int | None

    @property
    def entries(self) -> int:
        """How many entries the logs that were asked for hold."""
        return sum(log.facts for log in self.logs)

    @property
    def tokens(self) -> int:
        """What the logs that were asked for cost, by estimate."""
        return sum(log.tokens for log in self.logs)

    @property
    def timed(self) -> bool:
        """Whether any entry here has a time."""
        return any(row.time for row in self.rows)

    @property
    def errors(self) -> list[Log]:
        """The logs that cannot be read."""
        return [log for log in self.all_logs if log.error]


def logs_of(bot: Bot, day: str) -> list[Log]:
    """The documents of a day, the bot's own first."""
    found = Document.objects.filter(bot=bot, kind=Kind.DAILY, day=day).order_by("scope", "path")
    fields = ("pk", "path", "scope", "tier", "facts_count", "tokens", "size", "error")
    stamps = found.values_list("sha256", "mtime_ns", "ctime_ns", *fields)
    return [
        Log(f"{sha256}{mtime_ns}.{ctime_ns}" if ctime_ns else "", *about)
        for sha256, mtime_ns, ctime_ns, *about in stamps
    ]


def look_at(bot: Bot, day: str, scope: str | None) -> None:
    """Bring those logs of a day in step with their files that a page is likely to show, the one of its scope first."""
    own = bots.dialect(bot).path(Kind.DAILY, scope or "", day)
    latest = Document.objects.filter(bot=bot, kind=Kind.DAILY, day=day).order_by("-mtime_ns")
    if scope is not None:
        latest = latest.filter(scope=scope)
    paths = [*([own] if own else []), *latest.values_list("path", flat=True)[:LOOKED_AT]]
    library.look_all(bot, list(dict.fromkeys(paths))[:LOOKED_AT])


def sheet(bot: Bot, day: str, asked: Asked) -> Sheet:
    """A page of a day as the index knows it."""
    everything = logs_of(bot, day)
    logs = everything if asked.scope is None else [log for log in everything if log.scope == asked.scope]
    found = _found(bot, logs, asked.query) if asked.query else _unfolded(_folded(bot, logs), asked.unfolded)
    page = Paginator(found, AT_ONCE).get_page(asked.page)
    return Sheet(
        rows=_rows(bot, page, asked),
        page=page,
        logs=logs,
        all_logs=everything,
        hits=len(found) if asked.query else None,
    )


def _folded(bot: Bot, logs: Sequence[Log]) -> list[Run]:
    """All entries in order, repeats folded. Remembered as long as none of the logs is another version."""
    versions = [(log.pk, log.version) for log in logs]
    if not all(version for _pk, version in versions):
        return _fold(_in_order(bot, logs))
    name = f"day-{bot.pk}-{hashlib.sha256(repr(versions).encode()).hexdigest()}"
    found: list[Run] | None = cache.get(name)
    if found is None:
        found = _fold(_in_order(bot, logs))
        cache.set(name, found, REMEMBERED)
    return found


def _fold(entries: Sequence[tuple[int, int, str]]) -> list[Run]:
    together = runs((document, likeness(text)) for _pk, document, text in entries)
    return [tuple(pk for pk, _document, _text in entries[start : start + count]) for start, count in together]


def _unfolded(found: Sequence[Run], first: int) -> Sequence[Run]:
    """With the entries of one run one by one."""
    at = next((at for at, run in enumerate(found) if run[0] == first and len(run) > 1), None)
    return found if at is None else [*found[:at], *((pk,) for pk in found[at]), *found[at + 1 :]]


def _found(bot: Bot, logs: Sequence[Log], query: str) -> list[Run]:
    """The entries that hold the words, each by itself."""
    wanted = query.casefold()
    return [(pk,) for pk, _document, text in _in_order(bot, logs) if wanted in text.casefold()]


def _in_order(bot: Bot, logs: Sequence[Log]) -> list[tuple[int, int, str]]:
    """(fact, document, text) of all entries by time. One without a time stays behind the one that it follows in its log."""
    place = {log.pk: at for at, log in enumerate(logs)}
    facts = Fact.objects.filter(bot=bot, document__in=place).order_by("document", "ordinal")
    found: list[tuple[str, int, int, int, int, str]] = []
    last, since = 0, ""
    for pk, document, time, text in facts.values_list("pk", "document_id", "time", "text"):
        since = time or (since if document == last else "")
        last = document
        found.append((since, place[document], len(found), pk, document, text))
    return [(pk, document, text) for *_place, pk, document, text in sorted(found)]


def _rows(bot: Bot, page: Page[Run], asked: Asked) -> list[Row]:
    ends = {pk for run in page for pk in (run[0], run[-1])}
    facts = Fact.objects.in_bulk(ends)
    documents = Document.objects.in_bulk({fact.document_id for fact in facts.values()})
    here = {pk for pk, fact in facts.items() if fact.document_id in documents}  # the walk may have been here meanwhile
    there = [run for run in page if run[0] in here and run[-1] in here]
    names = names_of(bot, {document.scope for document in documents.values()})
    firsts = [facts[run[0]] for run in there]
    said_by = sources(bot, firsts, documents)
    shown = rows(bot, firsts, documents, sources=said_by, whose=names, query=asked.query)
    return [
        _with_others(row, run, facts[run[-1]].time, asked, page.number) if len(run) > 1 else row
        for row, run in zip(shown, there, strict=True)
    ]


def _with_others(row: Row, run: Run, until: str, asked: Asked, number: int) -> Row:
    """A row that stands for a whole run. What is done to one of them is done when they can be seen."""
    words = {"number": grouped(len(run)), "since": row.time, "until": until}
    timed = row.time and until
    more = _("%(number)s like this, %(since)s to %(until)s") if timed else _("%(number)s like this")
    url = f"{asked.address(open=run[0], page=number if number > 1 else None)}#f-{row.id}"
    return replace(row, more=more % words, more_url=url, editable=False)
