"""What others wrote: notice the difference between a document and the history's last version, and record it.

Called under the bot's lock. Our own appends are known only by their offset until here: this is where they are found in the
document, and whatever stands between and after them is somebody else's.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from memory.bots import open_bot
from memory.domain.changes import digest
from memory.journal import lineage, versions as history
from memory.journal.lineage import DocumentSides
from memory.models import Bot, ChangeSet, Growth, Head, Revision, quick
from memory.storage import Stat
from memory.text.ages import instant
from memory.text.sentences import say

OUTSIDE = "outside"
LOOKS_LIKE_THE_BOT = "looks like the bot"
SAME_WALK = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class SeenDocument:
    """One document as it is now; `data` None: it is not there."""

    path: str
    data: bytes | None
    stat: Stat | None = None

    @property
    def sha256(self) -> str:
        return "" if self.data is None else digest(self.data)


@dataclass(frozen=True, slots=True)
class RecordedVersion:
    """What the history has of a document: its last whole version (None: never seen), and our appends since."""

    sha256: str | None
    pending: Sequence[Revision] = ()


def known(bot: Bot, paths: Sequence[str]) -> dict[str, RecordedVersion]:
    """What the history has of some documents, in two statements a few hundred paths."""
    found: dict[str, RecordedVersion] = {}
    for some in quick.batches(paths, history.ROWS_AT_ONCE):
        heads = {head.path: head for head in Head.objects.filter(bot=bot, path__in=some)}
        appends: dict[str, list[Revision]] = {}
        rows = Revision.objects.filter(bot=bot, path__in=some, action=Revision.Action.APPEND, done=True, after="")
        for row in rows.order_by("id"):
            if row.path not in heads or row.id > heads[row.path].upto:
                appends.setdefault(row.path, []).append(row)
        for path in some:
            head = heads.get(path)
            found[path] = RecordedVersion(head.sha256 if head else None, appends.get(path, ()))
    return found


def observe(bot: Bot, seen: Sequence[SeenDocument]) -> list[ChangeSet]:
    """Bring the history up to the documents as they are. Returns the change sets that record what others did."""
    if not seen:
        return []
    have = known(bot, [one.path for one in seen])
    new = [one for one in seen if _is_new(one, have[one.path])]
    is_later = bool(new) and _is_looked_over(bot)
    own = {one.path for one in new if is_later and writer(bot, one.path, b"", one.data or b"") == LOOKS_LIKE_THE_BOT}
    fresh = [one for one in new if one.path not in own]
    moved = [one for one in seen if one.path in own or _has_moved(one, have[one.path])]
    made: list[ChangeSet] = []
    if not fresh and not moved:
        return made
    with transaction.atomic():
        if fresh:
            made.append(_record_new(bot, fresh, is_later=is_later))
        for one in moved:
            if change_set := _record_difference(bot, one, have[one.path]):
                made.append(change_set)
    return made


def set_heads(bot: Bot, versions: dict[str, tuple[str, int]]) -> None:
    """The history now has these documents whole: path -> (sha256 or "", newest revision that is in it)."""
    Head.objects.bulk_create(
        [Head(bot=bot, path=path, sha256=sha256, upto=upto) for path, (sha256, upto) in versions.items()],
        update_conflicts=True,
        unique_fields=["bot", "path"],
        update_fields=["sha256", "upto"],
        batch_size=history.ROWS_AT_ONCE,
    )


def _is_new(one: SeenDocument, have: RecordedVersion) -> bool:
    return one.data is not None and have.sha256 is None and not have.pending


def _is_looked_over(bot: Bot) -> bool:
    """Whether all files were looked at once: a first walk beside somebody who writes is over, and leaves the look for later."""
    return ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.FOUND, bot__walked__isnull=False).exists()


def _has_moved(one: SeenDocument, have: RecordedVersion) -> bool:
    return bool(have.pending) or (have.sha256 is not None and have.sha256 != one.sha256)


def _record_new(bot: Bot, fresh: Sequence[SeenDocument], *, is_later: bool) -> ChangeSet:
    """Documents that lay there at the first look, or that somebody put there since."""
    if is_later:
        change_set = _new_set(bot, ChangeSet.Kind.OUTSIDE, OUTSIDE, "")
    else:
        change_set = _open_first_look(bot) or _new_set(bot, ChangeSet.Kind.FOUND, OUTSIDE, say("First import"))
    history.remember_all(bot, [one.data for one in fresh if one.data is not None])
    revisions = [_revision(change_set, one, Revision.Action.PUT, before="") for one in fresh]
    Revision.objects.bulk_create(revisions, batch_size=history.ROWS_AT_ONCE)
    set_heads(bot, {revision.path: (revision.after, revision.pk) for revision in revisions})
    return change_set


def _open_first_look(bot: Bot) -> ChangeSet | None:
    """A walk looks at documents in portions; they are one set as long as nothing else was done in between."""
    newest = bot.change_sets.first()
    if newest is None or newest.kind != ChangeSet.Kind.FOUND or timezone.now() - newest.created > SAME_WALK:
        return None
    return newest


def _record_difference(bot: Bot, one: SeenDocument, have: RecordedVersion) -> ChangeSet | None:
    base = _start(bot, one, have)
    strangers = _place(base, one, have.pending)
    if strangers is None or not (strangers or have.pending):  # the latter: it was gone and is there again, empty
        return _record_rewrite(bot, one, have, base)
    data = one.data or b""
    sha256 = history.remember(bot, data, like=have.sha256 or "")
    for mine in have.pending:
        Revision.objects.filter(pk=mine.pk).update(after=sha256, offset=mine.offset)
    if not strangers:
        set_heads(bot, {one.path: (sha256, have.pending[-1].pk)})
        return None
    return _record_growth(bot, one, sha256, strangers, joins=not have.pending, made=not base and not have.sha256)


def _start(bot: Bot, one: SeenDocument, have: RecordedVersion) -> bytes | None:
    """The bytes that our pending appends were added to; None if the history has lost them."""
    if have.sha256:
        return history.bytes_of_all(bot, [have.sha256]).get(have.sha256)
    if have.sha256 is None and have.pending and one.data is not None:
        return one.data[: have.pending[0].offset or 0]  # never seen before: what stood there is not ours
    return b""


def _place(base: bytes | None, one: SeenDocument, pending: Sequence[Revision]) -> list[tuple[int, bytes]] | None:
    """Where others' text stands between ours, as (offset, bytes); None if the document did not just grow."""
    data = one.data
    if data is None or base is None or not data.startswith(base):
        return None
    strangers: list[tuple[int, bytes]] = []
    at = len(base)
    for mine in sorted(pending, key=lambda revision: revision.offset or 0):
        text, offset = bytes(mine.added or b""), mine.offset or 0
        if offset < at or data[offset : offset + len(text)] != text:
            return None
        if offset > at:
            strangers.append((at, data[at:offset]))
        at = offset + len(text)
    if at < len(data):
        strangers.append((at, data[at:]))
    return strangers


def _record_growth(
    bot: Bot, one: SeenDocument, sha256: str, strangers: list[tuple[int, bytes]], *, joins: bool, made: bool
) -> ChangeSet:
    """Text that somebody else appended, or that `made` the document. Consecutive growth of one document joins one change set."""
    last = Revision.objects.filter(bot=bot, path=one.path, done=True).select_related("change_set").last()
    if joins and last is not None and _goes_on(last, strangers[0][0]):
        added = bytes(last.added or b"") + strangers[0][1]
        size = (last.offset or 0) + len(added)
        Revision.objects.filter(pk=last.pk).update(after=sha256, added=added, size_after=size)
        Growth.objects.create(revision=last, at=_written_at(one, last), size=size)
        by = _appender(bot, one, last.offset or 0, added)
        ChangeSet.objects.filter(pk=last.change_set_id).update(finished=timezone.now(), by=by)
        set_heads(bot, {one.path: (sha256, last.pk)})
        return last.change_set
    by = _appender(bot, one, strangers[0][0], b"".join(text for _, text in strangers))
    change_set = _new_set(bot, ChangeSet.Kind.OUTSIDE, by, "")
    revisions = [
        Revision(
            bot=bot,
            change_set=change_set,
            path=one.path,
            action=Revision.Action.APPEND,
            done=True,
            added=text,
            offset=offset,
            after=sha256,
            size_before=None if made and offset == 0 else offset,
            size_after=offset + len(text),
        )
        for offset, text in strangers
    ]
    Revision.objects.bulk_create(revisions)
    at = _written_at(one, last)
    Growth.objects.bulk_create([Growth(revision=each, at=at, size=each.size_after or 0) for each in revisions])
    set_heads(bot, {one.path: (sha256, revisions[-1].pk)})
    return change_set


def _written_at(one: SeenDocument, last: Revision | None) -> datetime:
    """When a document was last written: as its file says, unless it was seen otherwise since then; else now."""
    now = timezone.now()
    if one.stat is None:
        return now
    written = instant(one.stat.mtime_ns)
    known = (last.change_set.finished or last.change_set.created) if last is not None else None
    return written if written < now and (known is None or written > known) else now


def _goes_on(last: Revision, offset: int) -> bool:
    return (
        last.action == Revision.Action.APPEND
        and last.change_set.kind == ChangeSet.Kind.OUTSIDE
        and last.size_after == offset
        and not last.change_set.undone_by.exists()
    )


def _record_rewrite(bot: Bot, one: SeenDocument, have: RecordedVersion, base: bytes | None) -> ChangeSet:
    """The document was changed, removed or replaced by somebody else, perhaps after we appended to it."""
    before, upto = have.sha256 or "", 0
    assembled = (base or b"") + b"".join(bytes(mine.added or b"") for mine in have.pending)
    if have.pending and base is not None:
        before = history.remember(bot, assembled, like=have.sha256 or "")
        at = len(base)
        for mine in have.pending:
            Revision.objects.filter(pk=mine.pk).update(after=before, offset=at)
            at += len(bytes(mine.added or b""))
            upto = mine.pk
        if before == one.sha256:
            set_heads(bot, {one.path: (before, upto)})
    action = Revision.Action.DELETE if one.data is None else Revision.Action.PUT
    if one.data is not None:
        history.remember(bot, one.data, like=before)
    by = OUTSIDE if base is None or one.data is None else writer(bot, one.path, assembled, one.data)
    change_set = _new_set(bot, ChangeSet.Kind.OUTSIDE, by, "")
    revision = _revision(change_set, one, action, before=before)
    last = Revision.objects.filter(bot=bot, path=one.path, done=True).last()
    if last is not None:
        revision.mode_before, revision.mtime_before = last.mode_after, last.mtime_after
    revision.save()
    if base is not None:
        sides = DocumentSides(one.path, assembled if have.sha256 or have.pending else None, one.data)
        lineage.record(change_set, lineage.read(bot, [sides]))
    set_heads(bot, {one.path: (revision.after, revision.pk)})
    return change_set


def _appender(bot: Bot, one: SeenDocument, offset: int, added: bytes) -> str:
    """Who seems to have appended this to what stood there up to `offset`."""
    before = (one.data or b"")[:offset]
    return writer(bot, one.path, before, before + added)


def writer(bot: Bot, path: str, before: bytes, after: bytes) -> str:
    """Who seems to have made `after` of what stood there before, as far as its form tells."""
    return LOOKS_LIKE_THE_BOT if open_bot(bot).dialect.wrote(path, before, after) else OUTSIDE


def _new_set(bot: Bot, kind: ChangeSet.Kind, by: str, why: str) -> ChangeSet:
    now = timezone.now()
    return ChangeSet.objects.create(
        bot=bot,
        token=secrets.token_hex(6),
        kind=kind,
        by=by,
        why=why,
        state=ChangeSet.State.APPLIED,
        created=now,
        finished=now,
    )


def _revision(change_set: ChangeSet, one: SeenDocument, action: Revision.Action, *, before: str) -> Revision:
    return Revision(
        bot=change_set.bot,
        change_set=change_set,
        path=one.path,
        action=action,
        done=True,
        before=before,
        after=one.sha256,
        size_after=None if one.data is None else len(one.data),
        mode_after=one.stat.mode if one.stat else None,
        mtime_after=one.stat.mtime_ns if one.stat else None,
    )
