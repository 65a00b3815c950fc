"""One day of a bot: the entries of all its logs in one order, machine-made repeats and the hours of a long day folded, a page at
a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Substr
from django.utils.translation import gettext as _

from memory import index
from memory.bots import open_bot
from memory.curation import pins
from memory.domain.places import LOGS, Kind
from memory.models import Bot, Document, Fact
from memory.text.markdown.lead import truncate
from memory.text.storable import as_utf8
from memory.web.base.calendar import fact_count
from memory.web.base.chat_names import names_of
from memory.web.base.fact_rows import FactRow, find_row, fitting, rows
from memory.web.base.gauges import grouped
from memory.web.chats.authors import sources

AT_ONCE = 148  # of a day of 2,500 facts with 166 chats they make less than 200 KB
BYTES = 4  # of a token, about
LOOKED_AT = 50  # logs of a day that are compared with their files before the page is shown; the walk sees to the others
MOST_SCOPES = 40  # of a day, of which one may be chosen
MANY = 20  # entries, from which on there is a field to filter them, and of those with a time the hours are shown
AT_SIGHT = 50  # rows; of a longer page each hour is one
TITLE = 40  # characters of an entry that name it where its hour is folded
NAMED = 24  # entries of an hour: more than its one line shows on any screen
HOURS = tuple(f"{hour:02}" for hour in range(24))
BAR, GAP, HIGHEST = 26, 4, 36  # of the bars that show them
HALF = 12  # hours, side by side with the others, or above them on a phone


@dataclass(frozen=True, slots=True)
class DayFilters:
    """What of a day somebody wants to see. `scope` None: of everybody, "": the bot's own. `run` names one that is unfolded by its
    first fact; `whole`: nothing is to be folded."""

    query: str = ""
    scope: str | None = None
    hour: str = ""  # HH; "" for the whole day
    run: int = 0
    whole: bool = False
    page: str = "1"
    at: str = ""  # the row that is opened, on whichever page it is

    def address(self, **other: object) -> str:
        """The query string of this with something else in it; a run is unfolded for one look."""
        held = {"q": self.query, "hour": self.hour, "open": int(self.whole)}
        wanted = {"scope": self.scope, **{name: value or None for name, value in held.items()}, **other}
        return "?" + urlencode({name: value for name, value in wanted.items() if value is not None})

    @property
    def narrows(self) -> bool:
        """Whether not all facts are wanted."""
        return bool(self.query) or self.scope is not None

    @property
    def folds(self) -> bool:
        """Whether hours are folded: nobody looks for something in them."""
        return not (self.query or self.hour or self.run or self.whole)


@dataclass(frozen=True, slots=True)
class Fold:
    """An hour of a long day as one row: `name` it, `entries` in words, what their `titles` are, and the rows behind it."""

    name: str
    entries: str
    titles: str
    rows: Sequence[FactRow]

    @property
    def opened(self) -> bool:
        """Whether a row in it is."""
        return any(row.opened for row in self.rows)


@dataclass(frozen=True, slots=True)
class DayPage:
    """A page of a day. `logs` are those that were asked for, `all_logs` the day's; `hits` counts what a search found. `histories`
    tell of this day among others, in `happened` entries."""

    rows: Sequence[FactRow]
    page: Page[int]
    logs: Sequence[Document]
    all_logs: Sequence[Document]
    # whose logs there are, with their number; the bot's own and those with most entries first
    scopes: Mapping[str, int]
    names: Mapping[str, str]  # what people call the scopes
    hits: int | None
    tokens: int  # of the entries that were asked for, by estimate
    histories: Sequence[Document] = ()
    happened: int = 0
    hours: Sequence[dict[str, Any]] = ()
    folds: Sequence[Fold] = ()  # the rows by hour, where there are many of them

    @property
    def busiest(self) -> int:
        """How many entries the fullest hour has."""
        return max((hour["entries"] for hour in self.hours), default=0)

    @property
    def halves(self) -> tuple[Sequence[dict[str, Any]], Sequence[dict[str, Any]]]:
        """The hours before noon, and those after it."""
        return self.hours[:HALF], self.hours[HALF:]

    @property
    def entries(self) -> int:
        """How many entries the logs that were asked for hold, and the histories of this day."""
        return sum(log.facts_count for log in self.logs) + self.happened

    @property
    def are_many(self) -> bool:
        """Whether somebody may want to filter them."""
        return self.entries >= MANY

    @property
    def timed(self) -> bool:
        """Whether any entry here has a time."""
        return any(row.time for row in self.rows)

    @property
    def errors(self) -> list[Document]:
        """The logs that cannot be read."""
        return [log for log in (*self.all_logs, *self.histories) if log.error]


def day_page(bot: Bot, day: str, asked: DayFilters, reader: int | None) -> DayPage:
    """A page of a day. What was written to its logs a moment ago is on it."""
    found = _logs(bot, day, asked.scope)
    everything = [log for log in found if log.day]
    logs = everything if asked.scope is None else [log for log in everything if log.scope == asked.scope]
    histories = [] if asked.scope else [log for log in found if not log.day]
    every = _in_order(bot, day, asked.scope, histories)
    facts = every.filter(since__startswith=f"{asked.hour}:") if asked.hour else every
    at = find_row(every, asked.at) if asked.at else None
    asked = _unfolded(every, at, asked) if at else asked
    documents = {log.pk: log for log in (*logs, *histories)}
    longest = max((log.path for log in documents.values()), key=len, default="")
    page, there = (_found if asked.query else _folded)(facts, asked, longest, at)
    shown = [fact for fact in there if fact.document_id in documents]  # the walk may have been here meanwhile
    scopes = _scopes(everything, asked.scope)
    names = names_of(bot, {*scopes, *(documents[fact.document_id].scope for fact in shown)})
    told = _rows(bot, shown, documents, names if any(log.scope for log in found) else None, day, asked, reader)
    return DayPage(
        rows=told,
        page=page,
        logs=logs,
        all_logs=everything,
        scopes=scopes,
        names=names,
        hits=page.paginator.count if asked.query else None,
        tokens=every.order_by().aggregate(tokens=Sum("tokens"))["tokens"] or 0,
        histories=histories,
        happened=every.filter(document__in=histories).count() if histories else 0,
        hours=_hours(every, asked),
        folds=_folds(told, shown) if asked.folds and len(told) > AT_SIGHT else (),
    )


def _logs(bot: Bot, day: str, scope: str | None) -> list[Document]:
    """The documents of a day, the bot's own first, and the histories, which are of no day; compared with their files as far as a
    page is likely to show them."""
    of_day = Q(kind__in=LOGS, day=day) | Q(kind=Kind.HISTORY, day="")
    rows_of_day = Document.objects.filter(of_day, bot=bot).order_by("scope", "path")
    known = {row.path: row for row in rows_of_day}
    wanted = sorted((row for row in known.values() if scope in (None, row.scope)), key=lambda row: -row.mtime_ns)
    own = open_bot(bot).dialect.path(Kind.DAILY, scope or "", day)
    paths = dict.fromkeys([*([own] if own else []), *(row.path for row in wanted)])
    changed = index.look_behind(bot, known, list(paths)[:LOOKED_AT])
    return list(rows_of_day.all()) if changed else list(known.values())


def _in_order(bot: Bot, day: str, scope: str | None, histories: Sequence[Document]) -> QuerySet[Fact]:
    """The entries by time. One without a time stays behind the one that it follows in its log."""
    of_day = Q(document__bot=bot, document__kind__in=LOGS, document__day=day)
    if histories:
        of_day |= Q(bot=bot, document__in=histories, text__startswith=f"[{day}")
    facts = Fact.objects.filter(of_day)
    facts = facts if scope is None else facts.filter(document__scope=scope)
    return facts.order_by("since", "document__scope", "document__path", "ordinal")


def _hours(facts: QuerySet[Fact], asked: DayFilters) -> list[dict[str, Any]]:
    """How a day's entries are spread over its hours; nothing of a day that is short, or whose entries have no times. Each is a bar:
    `height` of HIGHEST, from the `top`, `x` where it stands, `url` asks for its entries alone; every third `is_named`. `stops`: the
    tab key stops at it, and the arrow keys go on from there."""
    timed = facts.exclude(since="").order_by().annotate(hour=Substr("since", 1, 2))
    found = dict(timed.values_list("hour").annotate(Count("pk")))
    if sum(found.values()) < MANY:
        return []
    most, stop = max(found.values()), asked.hour if asked.hour in found else min(found)
    return [
        {
            "name": f"{hour}:00",
            "entries": found.get(hour, 0),
            "x": number % HALF * (BAR + GAP),
            "height": height,
            "top": HIGHEST - height,
            "is_named": number % 3 == 0,
            "url": asked.address(hour=hour, open=None),
            "is_shown": hour == asked.hour,
            "stops": hour == stop,
        }
        for number, hour in enumerate(HOURS)
        for height in [math.ceil(found.get(hour, 0) * HIGHEST / most)]
    ]


def _unfolded(facts: QuerySet[Fact], at: Fact, asked: DayFilters) -> DayFilters:
    """What is asked for, with the repeats unfolded that a fact is one of."""
    first = (
        at
        if at.run
        else facts.filter(document=at.document_id, ordinal__lt=at.ordinal, run__gt=1).order_by("-ordinal").first()
    )
    return replace(asked, run=first.pk) if first and first.run > 1 else asked


def _folded(facts: QuerySet[Fact], asked: DayFilters, path: str, at: Fact | None) -> tuple[Page[int], list[Fact]]:
    """A page of all of them, repeats folded but for the run that is to be seen; of an hour, which may begin within one, all."""
    shown = Q() if asked.hour or asked.whole else Q(run__gt=0)
    first = facts.filter(pk=asked.run, run__gt=1).first() if asked.run else None
    if first is not None:
        others = (first.ordinal + 1, first.ordinal + first.run - 1)
        shown |= Q(document=first.document_id, ordinal__range=others)
    return _page(list(facts.filter(shown).values_list("pk", "tokens")), asked, path, at)


def _found(facts: QuerySet[Fact], asked: DayFilters, path: str, at: Fact | None) -> tuple[Page[int], list[Fact]]:
    """A page of those that hold the words. Compared here, for SQLite knows upper and lower case of ASCII only."""
    wanted = asked.query.casefold()
    found = facts.values_list("pk", "tokens", "text")
    return _page([(pk, tokens) for pk, tokens, text in found if wanted in text.casefold()], asked, path, at)


def _page(
    found: Sequence[tuple[int, int]], asked: DayFilters, path: str, at: Fact | None
) -> tuple[Page[int], list[Fact]]:
    """Some of the facts, those around `at`, fewer where long texts are all shown. Their keys are counted and put in order first:
    thousands of whole rows take longer to sort."""
    shows_all = asked.whole or asked.query
    room = fitting([BYTES * tokens for _pk, tokens in found], path) if shows_all else AT_ONCE
    pks, at_once = [pk for pk, _tokens in found], min(room, AT_ONCE)
    number = pks.index(at.pk) // at_once + 1 if at and at.pk in pks else asked.page
    page = Paginator(pks, at_once).get_page(number)
    there = Fact.objects.in_bulk(list(page))
    return page, [there[pk] for pk in page if pk in there]


def _scopes(logs: Sequence[Document], asked: str | None) -> dict[str, int]:
    facts: dict[str, int] = {}
    for log in logs:
        facts[log.scope] = facts.get(log.scope, 0) + log.facts_count
    first = sorted(facts, key=lambda scope: (scope != "", scope != asked, -facts[scope], scope))
    return {scope: facts[scope] for scope in first[:MOST_SCOPES]}


def _rows(
    bot: Bot,
    facts: Sequence[Fact],
    logs: Mapping[int, Document],
    names: Mapping[str, str] | None,
    day: str,
    asked: DayFilters,
    reader: int | None,
) -> list[FactRow]:
    documents = {fact.document_id: logs[fact.document_id] for fact in facts}
    known = sources(bot, facts, documents, reader)
    made = rows(
        bot,
        facts,
        documents,
        sources=known,
        whose=names,
        query=asked.query,
        files=_files(logs),
        pinned=pins.keys(bot),
        day=day,
        at=asked.at,
    )
    folds = not (asked.query or asked.hour or asked.whole)
    return [
        _with_others(row, fact, asked) if folds and fact.run > 1 and fact.pk != asked.run else row
        for row, fact in zip(made, facts, strict=True)
    ]


def _files(logs: Mapping[int, Document]) -> dict[int, str]:
    """What tells the files of a day apart where several are of one scope: their paths."""
    of_scope = Counter(log.scope for log in logs.values())
    return {pk: as_utf8(log.path) for pk, log in logs.items() if of_scope[log.scope] > 1}


def _with_others(row: FactRow, first: Fact, asked: DayFilters) -> FactRow:
    """A row that stands for a whole run. What is done to one of them is done when they can be seen."""
    words = {"number": grouped(first.run), "time": first.until}
    more = _("%(number)s alike until %(time)s") if first.since else _("%(number)s alike")
    url = f"{asked.address(run=first.pk, page=asked.page)}#f-{row.id}"
    return replace(row, more=more % words, more_url=url, editable=False)


def _folds(rows: Sequence[FactRow], facts: Sequence[Fact]) -> list[Fold]:
    """The rows by the hour in which each fact was noted."""
    pairs = groupby(zip(rows, facts, strict=True), key=lambda pair: pair[1].since[:2])
    return [_fold(hour, *zip(*some, strict=True)) for hour, some in pairs]


def _fold(hour: str, rows: Sequence[FactRow], facts: Sequence[Fact]) -> Fold:
    number = sum(fact.run if row.more else 1 for row, fact in zip(rows, facts, strict=True))
    first = zip(rows[:NAMED], facts[:NAMED], strict=True)
    titles = dict.fromkeys(row.title or truncate(fact.text, TITLE) for row, fact in first)
    return Fold(f"{hour}:00" if hour else _("No time"), fact_count(number), ", ".join(titles), rows)
