"""The documents as they were at an earlier moment, from the history: those that a chat's prompt can be made of.

A change of ours counts from when it was made, one of somebody else's from when the file says it was written, if that can be, else
from when it was noticed. What the history does not know of a moment is named, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, OuterRef, Q, Subquery

from memory import index
from memory.bots import open_bot
from memory.domain.memory import Documents
from memory.domain.places import Kind, Tier
from memory.journal import versions
from memory.journal.outside_changes import SAME_WALK
from memory.models import Bot, ChangeSet, Document, Growth, Head, Revision
from memory.text.ages import instant
from memory.text.sentences import say

NEWEST = 32  # daily logs of a scope: more than any setting lets a bot read
_LOADED = (Kind.LONG_TERM, Kind.IDENTITY, Kind.HISTORY)
SEEN_LATE = say("First seen later; its content at that time is unknown.")
GREW = say("Added to around that time; how much is unknown.")
NOT_HELD = say("The version from that time isn’t in History.")
NOT_LOOKED_AT = say("Can’t be read right now, so recent additions are unknown.")
_TICK = timedelta(microseconds=1)
_NOTICED = (ChangeSet.Kind.FOUND, ChangeSet.Kind.OUTSIDE)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A document that is not known whole as of a moment, and why, for people. `since`: from when on it is known, if ever."""

    path: str
    why: str
    since: datetime | None = None


class Then(Documents):
    """Documents as they were at a moment, and those that are not known of it."""

    def __init__(
        self, moment: datetime, documents: Mapping[str, tuple[bytes, datetime]], unknown: Sequence[Unknown] = ()
    ) -> None:
        super().__init__(documents)
        self.moment = moment
        self.unknown = unknown


@dataclass(frozen=True, slots=True)
class _Version:
    """A version of a document: `size` bytes of `sha256` (None: all of them; "" for no document), as of `written`."""

    sha256: str
    written: datetime
    size: int | None = None


_Step = tuple[int, datetime]  # how large a document had grown, and since when
_Found = _Version | Unknown | None  # None: there was no document


def memory_at(bot: Bot, chat: str | None, moment: datetime, sender: str = "") -> Then:
    """What the prompt of a chat (None: none) was made of at `moment` (aware), for a message of `sender`, in a bounded number of
    statements. The documents are brought in step with their files first. A session id that can name no files has no documents."""
    chat = open_bot(bot).chat(chat or "") or None
    if chat and open_bot(bot).dialect.session_id_problem(chat):
        chat = None
    paths = _readable(bot, chat, moment, sender)
    index.look_all(bot, paths)
    found = _versions(bot, paths, moment, _first_after(bot, moment))
    held = versions.bytes_of_all(bot, (each.sha256 for each in found.values() if isinstance(each, _Version)))
    documents: dict[str, tuple[bytes, datetime]] = {}
    unknown = []
    for path, each in sorted(found.items()):
        if isinstance(each, Unknown):
            unknown.append(each)
        elif each is not None and each.sha256 not in held:
            unknown.append(Unknown(path, NOT_HELD))
        elif each is not None:
            documents[path] = held[each.sha256][: each.size], each.written
    return Then(moment, documents, unknown)


def moment_before(change_set: ChangeSet) -> datetime:
    """The last moment at which nothing of a change set was there yet."""
    times = [change_set.created]
    if change_set.kind == ChangeSet.Kind.OUTSIDE:
        times += Growth.objects.filter(revision__change_set=change_set).values_list("at", flat=True)
        times += filter(None, map(_written_unseen, change_set.revisions.select_related("change_set")))
    return min(times) - _TICK


def _written_unseen(revision: Revision) -> datetime | None:
    """When the file says that somebody wrote what was noticed later; None if it can not be so."""
    written = _at(revision.mtime_after)
    earlier = Revision.objects.filter(bot=revision.bot_id, path=revision.path, pk__lt=revision.pk, done=True)
    last = earlier.select_related("change_set").last()
    return written if written is not None and (last is None or written > _recorded(last)) else None


def _readable(bot: Bot, chat: str | None, moment: datetime, sender: str) -> list[str]:
    """The documents that may be in the prompt of a chat: those there is one of, and the newest logs of both scopes."""
    if open_bot(bot).dialect.directory("") is None:
        return _anywhere(bot, moment)
    family, then = open_bot(bot).dialect, moment.astimezone(open_bot(bot).zone).date().isoformat()
    kinds = [(Kind.LONG_TERM, ""), (Kind.DAILY, "")]
    if chat:
        kinds += [(kind, chat) for kind in (Kind.LONG_TERM, Kind.CONTEXT, Kind.WORKING, Kind.DAILY)]
        kinds += [(Kind.LONG_TERM, scope) for scope in family.beside(chat, sender)]
    paths = {path for kind, scope in kinds if (path := family.path(kind, scope, then))}
    first = _first_after(bot, moment)
    for scope in ("", chat) if chat else ("",):
        paths |= _logs(bot, scope, then, moment, first)
    return sorted(paths)


def _anywhere(bot: Bot, moment: datetime) -> list[str]:
    """The same for a family whose notes may lie in any directory: all that its bot loads at the start, and the newest notes."""
    family, last = open_bot(bot).dialect, moment.astimezone(open_bot(bot).zone).date()
    first = (last - timedelta(days=NEWEST)).isoformat()
    places = ((path, family.describe(path)) for path in Head.objects.filter(bot=bot).values_list("path", flat=True))
    return sorted(
        path
        for path, place in places
        if place and (place.kind in _LOADED or (place.kind is Kind.DAILY and first <= place.day <= last.isoformat()))
    )


def _logs(bot: Bot, scope: str, then: str, moment: datetime, first: int) -> set[str]:
    """The newest logs of a scope up to the day `then`, and those of later days that were there all the same."""
    family = open_bot(bot).dialect
    oldest, last, newest = (family.path(Kind.DAILY, scope, day) for day in ("0000-00-00", then, "9999-99-99"))
    if not oldest or not last or not newest:
        return set()
    heads = Head.objects.filter(bot=bot, path__gte=oldest, path__lte=last).order_by("-path")
    older = heads.values_list("path", flat=True)[:NEWEST]
    tier, ns = (Tier.CHAT if scope else Tier.GLOBAL), int(moment.timestamp() * 10**9)
    seen = Document.objects.filter(bot=bot, tier=tier, scope=scope, kind=Kind.DAILY, day__gt=then, mtime_ns__lte=ns)
    changed = Revision.objects.filter(bot=bot, path__gt=last, path__lte=newest)
    changed = changed.filter(Q(pk__lt=first) | Q(mtime_after__lte=ns))
    later = [*seen.values_list("path", flat=True), *changed.order_by().values_list("path", flat=True).distinct()]
    return {path for path in (*older, *later) if (place := family.describe(path)) and place.kind is Kind.DAILY}


def _first_after(bot: Bot, moment: datetime) -> int:
    """The first revision of change sets that were made after a moment; beyond the last one if there is none."""
    after = Revision.objects.filter(change_set__bot=bot, change_set__created__gt=moment)
    first = after.order_by("change_set__created", "pk").values_list("pk", flat=True).first()
    return first if first is not None else 2**62


def _versions(bot: Bot, paths: Sequence[str], moment: datetime, first: int) -> dict[str, _Found]:
    """The version of each document as of a moment, from the revisions on either side of it."""
    done = Revision.objects.filter(bot=bot, path=OuterRef("path"), done=True)
    sides = Head.objects.filter(bot=bot, path__in=paths).annotate(
        last=Subquery(done.filter(pk__lt=first).order_by("-pk").values("pk")[:1]),
        coming=Subquery(done.filter(pk__gte=first).order_by("pk").values("pk")[:1]),
    )
    pairs = {path: (last, coming) for path, last, coming in sides.values_list("path", "last", "coming")}
    keys = {key for pair in pairs.values() for key in pair if key is not None}
    revisions = Revision.objects.filter(pk__in=keys).select_related("change_set").defer("added").in_bulk()
    grown = _grown(keys, moment)
    found: dict[str, _Found] = {}
    for path, (last, coming) in pairs.items():
        sooner, later = revisions.get(last), revisions.get(coming)
        found[path] = _version(sooner, later, grown.get(last), grown.get(coming), moment)
    return found


def _grown(revisions: Iterable[int], moment: datetime) -> dict[int, _Step]:
    """How far revisions by growth from outside had come by then; those that had not begun are missing."""
    steps = Growth.objects.filter(revision__in=list(revisions), at__lte=moment).order_by()
    sums = steps.values_list("revision").annotate(Max("size"), Max("at"))
    return {revision: (size, at) for revision, size, at in sums}


def _version(
    last: Revision | None, coming: Revision | None, last_step: _Step | None, next_step: _Step | None, moment: datetime
) -> _Found:
    """What a document was, given the last revision recorded by then and the first one after."""
    if last is not None and _is_early(last, moment):
        last, coming = None, last
    if coming is not None and _reaches_back(coming, last, next_step, moment):
        return _after(coming, next_step, moment)
    if last is not None:
        return _after(last, last_step, moment)
    if coming is None or not _was_there_before(coming):
        return None
    return Unknown(coming.path, SEEN_LATE, _first_known(coming))


def _is_early(last: Revision, moment: datetime) -> bool:
    """Whether a document is in a first look that had begun by then, but was only written and noticed later."""
    written, begun = _at(last.mtime_after), last.change_set.created
    found = last.change_set.kind == ChangeSet.Kind.FOUND and written is not None
    return found and written is not None and moment < written <= begun + SAME_WALK


def _reaches_back(coming: Revision, last: Revision | None, step: _Step | None, moment: datetime) -> bool:
    """Whether what was noticed after a moment was written before it."""
    if coming.change_set.kind not in _NOTICED:
        return False
    if coming.action == Revision.Action.APPEND:
        return step is not None
    written = _at(coming.mtime_after)
    return written is not None and written <= moment and (last is None or written > _recorded(last))


def _after(revision: Revision, step: _Step | None, moment: datetime) -> _Found:
    """A document as of a moment at or after a revision of it."""
    change_set = revision.change_set
    if revision.action != Revision.Action.APPEND:
        written = _at(revision.mtime_after) or change_set.created
        return _Version(revision.after, written) if revision.after else None
    if not revision.after:
        return Unknown(revision.path, NOT_LOOKED_AT)
    if step is not None:
        return _Version(revision.after, step[1], step[0])
    if change_set.kind != ChangeSet.Kind.OUTSIDE or _recorded(revision) <= moment:
        return _Version(revision.after, _recorded(revision), revision.size_after)
    return Unknown(revision.path, GREW, _recorded(revision))


def _was_there_before(coming: Revision) -> bool:
    """Whether a document may have been there before the first thing that is known of it."""
    if coming.action == Revision.Action.APPEND:
        return coming.size_before is not None
    return coming.change_set.kind in _NOTICED or bool(coming.before)


def _first_known(coming: Revision) -> datetime:
    written, noticed = _at(coming.mtime_after), coming.change_set.created
    return min(written, noticed) if written and coming.change_set.kind in _NOTICED else noticed


def _recorded(revision: Revision) -> datetime:
    return revision.change_set.finished or revision.change_set.created


def _at(mtime_ns: int | None) -> datetime | None:
    return None if mtime_ns is None else instant(mtime_ns)
