"""How many facts came and went, by day and source: counted once from the history, a portion at a time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from django.db import transaction
from django.db.models import F, Min, QuerySet, Window
from django.db.models.functions import Lag

from memory.bots import open_bot
from memory.curation import trash
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
    Kind.FOUND: Source.OUTSIDE,
    Kind.EDIT: Source.EDITS,
    Kind.COMPACTION: Source.COMPACTION,
    Kind.IMPORT: Source.IMPORT,
    Kind.UNDO: Source.UNDONE,
    Kind.RESTORE: Source.UNDONE,
}
Came = tuple[str, Source, bool]  # the day, the source, whether it came or went


def count(bot: Bot, patience: float = PATIENCE) -> bool:
    """Count what the history has since the last time, for so many seconds. Whether all of it is counted now."""
    if bot.walked is None:
        return False
    ends = time.monotonic() + patience
    mark = _mark(bot)
    while _count_changes(bot, mark) or _count_growth(bot, mark):
        if time.monotonic() > ends:
            return False
    return True


def _mark(bot: Bot) -> Tallied:
    newest = Revision.objects.filter(bot=bot).order_by("-pk").values_list("pk", flat=True).first()
    return Tallied.objects.get_or_create(bot=bot, defaults={"first": newest or 0})[0]


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
        for gone in one.gone:
            change_set = gone.revision.change_set
            yield _day(bot, change_set.created), SOURCES[change_set.kind], False
        for revision, fact in one.come:
            change_set = revision.change_set
            day = _day(bot, change_set.created)
            if change_set.kind == Kind.FOUND:
                day = _told_day(bot, revision, fact, day) or ("" if revision.pk <= first else day)
            if day:
                yield day, SOURCES[change_set.kind], True


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
    steps = Growth.objects.filter(revision__in={revision for _pk, revision in keys}, pk__lte=keys[-1][0])
    before = Window(Lag("size"), partition_by=F("revision"), order_by=F("pk").asc())
    rows = steps.select_related("revision").defer("revision__bot").annotate(before=before)
    fresh = [one for one in rows if one.pk > mark.growth]
    _add(bot, mark, (came for one in fresh for came in _grown(bot, one, one.before)), growth=keys[-1][0])
    return True


def _grown(bot: Bot, step: Growth, before: int | None) -> Iterator[Came]:
    one = step.revision
    if one.added is None or not trash.holds_facts(bot, one.path) or step.size > trash.LARGEST:
        return
    start = one.offset or 0
    text = bytes(one.added)[(before or start) - start : step.size - start]
    for _fact in trash.live(bot, one.path, text):
        yield _day(bot, step.at), Source.OUTSIDE, True


def _day(bot: Bot, when: datetime) -> str:
    return when.astimezone(open_bot(bot).zone).date().isoformat()


def _add(bot: Bot, mark: Tallied, found: Iterable[Came], **upto: int) -> None:
    """Add to the rows, once: whoever counted the same in the meantime has moved the mark."""
    sums: dict[tuple[str, Source], list[int]] = defaultdict(lambda: [0, 0])
    for day, source, came in found:
        sums[day, source][not came] += 1
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
