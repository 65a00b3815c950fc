"""Documents from which somebody outside Kenoweb removed much at once: perhaps a bot that wrote its memory anew, half of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from memory.bots import open_bot
from memory.checks.subjects import Wrong
from memory.curation.trash import LARGEST, live_facts, subtract
from memory.domain.places import Kind
from memory.journal import versions
from memory.models import Blob, Bot, ChangeSet, Fact, Revision
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

NAME = "removal"
LATELY = timedelta(days=7)  # what nobody brought back for longer is meant to be gone
SHARE = 0.3  # of a document's bytes and of its facts
FEW = 3  # facts of a document that may go at once
MOST = 50  # edits that are looked at, the newest
NAMED = 3  # facts that are told of
LASTING = (Kind.LONG_TERM,)  # what is not to be deleted


def removed(bot: Bot) -> Iterator[tuple[str, Wrong]]:
    """The documents that are without much of what an edit took away, each by the newest such edit: (path, how much)."""
    edits = _edits(bot)
    kept = {**versions.bytes_of_all(bot, {name for one in edits for name in (one.before, one.after)}), "": b""}
    told = set[str]()
    for one in edits:
        if one.path in told or not {one.before, one.after} <= kept.keys():
            continue  # the latter: its versions are purged
        before, after = (live_facts(bot, one.path, kept[name]) for name in (one.before, one.after))
        lost = _still_lost(bot, one.path, subtract(before, after))
        if len(lost) >= FEW and len(lost) > SHARE * len(before):
            why = say("An edit outside Kenoweb removed %(lost)s of its %(all)s facts.", lost=len(lost), all=len(before))
            told.add(one.path)
            yield one.path, Wrong(str(one.change_set_id), why, "\n".join(fact.text for fact in lost[:NAMED]))


def _edits(bot: Bot) -> Sequence[Revision]:
    """Edits from outside that left a document much smaller than it was. A log that is deleted is its bot's own rule, and
    working memory is another for each topic."""
    size = Blob.objects.filter(bot=bot, sha256=OuterRef("before")).values("size")
    there = Revision.objects.filter(
        bot=bot,
        done=True,
        pruned=None,
        action__in=(Revision.Action.PUT, Revision.Action.DELETE),
        change_set__kind=ChangeSet.Kind.OUTSIDE,
        change_set__created__gt=timezone.now() - LATELY,
    ).annotate(had=Subquery(size))
    smaller = Q(size_after=None) | Q(had__gt=F("size_after") / (1 - SHARE))
    found = there.filter(smaller, had__lte=LARGEST).order_by("-pk")[:MOST]
    kinds = {one.path: _kind(bot, one.path) for one in found}
    return [one for one in found if kinds[one.path] != Kind.WORKING and (one.after or kinds[one.path] in LASTING)]


def _kind(bot: Bot, path: str) -> Kind | None:
    place = open_bot(bot).dialect.describe(path)
    return place.kind if place else None


def _still_lost(bot: Bot, path: str, gone: Sequence[FactAt]) -> list[FactAt]:
    """Those that were not brought back, and not moved elsewhere: what long-term memory lost and a log still says lasts as long as
    the log."""
    there = Fact.objects.filter(bot=bot)
    there = there.exclude(document__kind=Kind.DAILY) if _kind(bot, path) in LASTING else there
    said = set[str]()
    for some in versions.batches(sorted({fact.key for fact in gone})):
        said.update(there.filter(key__in=some).values_list("key", flat=True))
    return [fact for fact in gone if fact.key not in said]
