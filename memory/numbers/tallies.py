"""How many facts came and went, by day and source: counted once from the history, a portion at a time. An undo takes back what its
change counted, on the day of the change."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Min, QuerySet, Window
from django.db.models.functions import Lag

from memory.bots import open_bot
from memory.curation import trash
from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Growth, Revision, Tallied, Tally
from memory.text.markdown.entries import FactAt

PORTION = 100  # revisions whose versions are held at once
PATIENCE = 1.0  # seconds that one look takes
Source = Tally.Source
Kind = ChangeSet.Kind
SOURCES: Mapping[str, Source] = {
    Kind.CAPTURE: Source.TURNS,
    Kind.ANSWER: Source.TURNS,
    Kind.OUTSIDE: Source.OUTSIDE,
    Kind.FOUND: Source.OUTSIDE,  # a file that is new; what was there when it was first counted is FOUND
    Kind.EDIT: Source.EDITS,
    Kind.COMPACTION: Source.COMPACTION,
    Kind.IMPORT: Source.IMPORT,
    Kind.UNDO: Source.EDITS,  # of what the history has no more
    Kind.RESTORE: Source.EDITS,
}
Came = tuple[str, Source, bool, int]  # the day, the source, whether it came or went, and -1 where that is taken back


def count(bot: Bot, patience: float = PATIENCE) -> bool:
    """Count what the history has since the last time, for so many seconds. Whether all of it is counted now."""
    if bot.walked is None:
        return False
    ends = time.monotonic() + patience
    newest = Revision.objects.filter(bot=bot).order_by("-pk").values_list("pk", flat=True).first()
    mark = Tallied.objects.get_or_create(bot=bot, defaults={"first": newest or 0})[0]
    while _count_changes(bot, mark) or _count_growth(bot, mark):
        if time.monotonic() > ends:
            return False
    return True


def _count_changes(bot: Bot, mark: Tallied) -> bool:
    """Count the next change sets. What a set moved from one document to another is neither learned nor forgotten, so it is counted
    as a whole; of a first look, each document by itself."""
    rows = list(_ended(bot).filter(pk__gt=mark.revision).order_by("pk")[:PORTION])
    if not rows:
        return False
    last = rows[-1]
    if last.change_set.kind != Kind.FOUND:
        rows += _ended(bot).filter(change_set=last.change_set_id, pk__gt=last.pk).order_by("pk")
    upto = rows[-1].pk
    found, _large = trash.balances(bot, (one for one in rows if one.done and not one.pruned and not _grows(one)))
    _add(bot, mark, _changed(bot, found, mark.first), revision=upto)
    return True


def _ended(bot: Bot) -> QuerySet[Revision]:
    """What is not being written any more. The history is in order: the bot's lock is held for each change."""
    rows = Revision.objects.filter(bot=bot).select_related("change_set")
    writing = ChangeSet.objects.filter(bot=bot, state=ChangeSet.State.WRITING)
    begun = writing.aggregate(first=Min("revisions__pk"))["first"]
    return rows.filter(pk__lt=begun) if begun else rows


def _grows(one: Revision) -> bool:
    """Whether text from outside may still join it: that is counted by the steps of its growth."""
    return one.change_set.kind == Kind.OUTSIDE and one.action == Revision.Action.APPEND


def _changed(bot: Bot, found: Iterable[trash.Balance], first: int) -> Iterator[Came]:
    for one in found:
        took = [*((gone.revision, gone.fact, False) for gone in one.gone), *((*come, True) for come in one.come)]
        if not took:
            continue
        change_set = took[0][0].change_set
        if change_set.kind == Kind.FOUND:
            yield from (each for revision, fact, _came in took for each in _found(bot, revision, fact, first))
            continue
        made, is_again = root_of(change_set)
        is_back, day = made is not change_set and not is_again, _day(bot, made.created)
        grown = _days_grown(bot, made) if made is not change_set and made.kind == Kind.OUTSIDE else {}
        for revision, fact, came in took:
            when = grown.get((revision.path, fact.key), day)
            yield when, SOURCES[made.kind], came != is_back, -1 if is_back else 1


def _found(bot: Bot, revision: Revision, fact: FactAt, first: int) -> Iterator[Came]:
    """What a first look found. Of what was there before, nobody knows the day unless it says so."""
    day = _day(bot, revision.change_set.created)
    is_first = revision.pk <= first
    if told := _told_day(bot, revision, fact, day) or ("" if is_first else day):
        yield told, Source.FOUND if is_first else SOURCES[Kind.FOUND], True, 1


def _told_day(bot: Bot, revision: Revision, fact: FactAt, today: str) -> str:
    """The day that a fact or its log names, unless that is none or is still to come."""
    place = open_bot(bot).dialect.describe(revision.path)
    day = fact.attributes.created[:10] if fact.attributes else place.day if place else ""
    try:
        return day if date.fromisoformat(day).isoformat() == day and day <= today else ""
    except ValueError:
        return ""


def _count_growth(bot: Bot, mark: Tallied) -> bool:
    """Count what files have grown by from outside."""
    upto = Growth.objects.filter(revision__bot=bot, pk__gt=mark.growth).order_by("pk")[:PORTION]
    keys = list(upto.values_list("pk", "revision"))
    if not keys:
        return False
    steps = _growth(bot, revision__in={revision for _pk, revision in keys}, pk__lte=keys[-1][0])
    fresh = [one for one in steps if one.pk > mark.growth]
    came = ((day, Source.OUTSIDE, True, 1) for one in fresh for day, _fact in _grown(bot, one))
    _add(bot, mark, came, growth=keys[-1][0])
    return True


def _growth(bot: Bot, **which: Any) -> QuerySet[Any]:
    """Steps of growth, each with the size `before` it."""
    before = Window(Lag("size"), partition_by=F("revision"), order_by=F("pk").asc())
    steps = Growth.objects.filter(revision__bot=bot, **which).order_by("pk")
    return steps.select_related("revision").defer("revision__bot").annotate(before=before)


def _grown(bot: Bot, step: Any) -> Iterator[tuple[str, FactAt]]:
    """The facts that a step of growth brought, and its day."""
    one = step.revision
    if one.added is None or not trash.holds_facts(bot, one.path) or step.size > trash.LARGEST:
        return
    start = one.offset or 0
    text = bytes(one.added)[(step.before or start) - start : step.size - start]
    for fact in trash.live_facts(bot, one.path, text):
        yield _day(bot, step.at), fact


def _days_grown(bot: Bot, change_set: ChangeSet) -> dict[tuple[str, str], str]:
    """On which day documents grew by each fact of a change set from outside."""
    steps = _growth(bot, revision__change_set=change_set)
    return {(step.revision.path, fact.key): day for step in steps for day, fact in _grown(bot, step)}


def _day(bot: Bot, when: datetime) -> str:
    return when.astimezone(open_bot(bot).zone).date().isoformat()


def _add(bot: Bot, mark: Tallied, found: Iterable[Came], **upto: int) -> None:
    """Add to the rows, once: whoever counted the same in the meantime has moved the mark."""
    sums: dict[tuple[str, Source], list[int]] = defaultdict(lambda: [0, 0])
    for day, source, came, number in found:
        sums[day, source][not came] += number
    with transaction.atomic():
        here = Tallied.objects.filter(bot=bot, revision=mark.revision, growth=mark.growth)
        if here.update(**upto):
            there = Tally.objects.filter(bot=bot, day__in={day for day, _source in sums})
            for one in there:
                if (key := (one.day, Source(one.source))) in sums:
                    sums[key] = [sums[key][0] + one.learned, sums[key][1] + one.forgotten]
            Tally.objects.bulk_create(
                [
                    Tally(bot=bot, day=day, source=source, learned=learned, forgotten=forgotten)
                    for (day, source), (learned, forgotten) in sums.items()
                ],
                update_conflicts=True,
                unique_fields=["bot", "day", "source"],
                update_fields=["learned", "forgotten"],
            )
    mark.refresh_from_db()
