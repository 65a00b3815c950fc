"""The change that takes one revision back. What others wrote since is the merge's business, not decided here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory.bots import open_bot
from memory.domain.changes import Change, Delete, Put, Stamp, digest
from memory.domain.errors import Refusal
from memory.journal import versions
from memory.journal.reconcile import Vaults, is_record, vault_of
from memory.journal.shapes import Staged, untold
from memory.models import Bot, Revision
from memory.text.merge.lines import gaps
from memory.text.sentences import say
from memory.text.storable import quote


def inverses(
    bot: Bot, revisions: Sequence[Revision], vaults: Vaults, seen: list[bytes] | None = None, looking: Staged = untold
) -> list[Change]:
    """The changes that bring documents back to before `revisions`; what was said stays said. What they were made from goes into
    `seen`; `looking` hears how many of how many there are. Raises Refusal and Forgotten."""
    by_path: dict[str, list[Revision]] = {}
    for revision in (one for one in revisions if not is_record(bot, one.path)):
        by_path.setdefault(revision.path, []).append(revision)
    changes: list[Change | None] = []
    for of_path in by_path.values():
        looking(len(changes), len(by_path))
        changes.append(_inverse(bot, of_path, vaults, [] if seen is None else seen))
    return [change for change in changes if change is not None]


def possible(bot: Bot, changes: Sequence[Change], vaults: Vaults) -> tuple[list[Change], str]:
    """These inverses without what is there again by now, and a sentence about that, "" if nothing is. Raises Refusal if nothing
    else is left, and what the vault raises."""
    kept: list[Change] = []
    texts: list[str] = []
    for change in changes:
        left, again = _returning(bot, change, vaults) if isinstance(change, Put) else (change, ())
        texts += again
        kept += [left] if left else []
    if not texts:
        return kept, ""
    if not kept:
        raise Refusal(say("%(text)s exists again. Nothing to restore.", text=quote(texts[0])))
    if len(texts) == 1:
        return kept, say("%(text)s exists again and was not restored.", text=quote(texts[0]))
    return kept, say(
        "%(count)s entries exist again and were not restored, %(text)s among them.",
        count=len(texts),
        text=quote(texts[0]),
    )


def _returning(bot: Bot, change: Put, vaults: Vaults) -> tuple[Put | None, Sequence[str]]:
    vault, below = vault_of(vaults, change.path)
    content = vault.read(below)
    had = versions.bytes_or_none(bot, change.base or "")
    if had is None:
        return change, ()
    data, again = open_bot(bot).dialect.returning(change.path, change.data, had, content.data if content else b"")
    return (replace(change, data=data) if data != had else None) if again else change, again


def _inverse(bot: Bot, revisions: Sequence[Revision], vaults: Vaults, seen: list[bytes]) -> Change | None:
    """Several revisions of one document in one set are always appends: text of others around ours."""
    first = revisions[0]
    for revision in revisions:
        versions.must_be_kept(revision)
    if first.action == Revision.Action.APPEND:
        return _without(revisions, vaults, seen)
    stamp = _stamp(first)
    if not first.before:
        return Delete(first.path, first.after)
    before = versions.bytes_of(bot, first.before)
    versions.must_not_return(first, before, versions.bytes_of(bot, first.after) if first.purged else b"")
    if first.action == Revision.Action.DELETE:
        return Put(first.path, before, None, stamp)
    if anew := _anew(bot, first, before, vaults):
        return Put(first.path, anew, None)
    return Put(first.path, before, first.after, stamp)


def _anew(bot: Bot, revision: Revision, before: bytes, vaults: Vaults) -> bytes:
    """What this revision took out of a document that was removed since, if that is all it did: it can stand there alone."""
    vault, below = vault_of(vaults, revision.path)
    if vault.stat(below) is not None:
        return b""
    had, has = (data.splitlines(keepends=True) for data in (before, versions.bytes_of(bot, revision.after)))
    taken = gaps(has, had)
    if any(gap.hi > gap.lo for gap in taken):
        return b""
    return b"".join(line for gap in taken for line in had[gap.new_lo : gap.new_hi])


def _stamp(revision: Revision) -> Stamp | None:
    if revision.mode_before is None or revision.mtime_before is None:
        return None
    return Stamp(revision.mode_before, revision.mtime_before)


def _without(revisions: Sequence[Revision], vaults: Vaults, seen: list[bytes]) -> Change | None:
    """The document without the appended texts, wherever they stand by now."""
    first = min(revisions, key=lambda revision: revision.offset or 0)
    vault, below = vault_of(vaults, first.path)
    content = vault.read(below)
    if content is None:
        return None
    seen.append(content.data)
    left = content.data
    for text, offset in _appended(revisions, are_rows=vault.transactional):
        at = _nearest(left, text, offset)
        if at is None:
            raise Refusal(
                say(
                    "%(path)s: the added text is no longer there; someone changed or removed it.",
                    path=first.path,
                )
            )
        left = left[:at] + left[at + len(text) :]
    base = digest(content.data)
    if not left and first.size_before is None:
        return Delete(first.path, base)
    untouched_since = len(left) == first.size_before == first.offset
    return Put(first.path, left, base, _stamp(first) if untouched_since else None)


def _appended(revisions: Sequence[Revision], *, are_rows: bool) -> Iterator[tuple[bytes, int]]:
    """The texts that were appended and where, the last one first. Rows stand apart: their vault has an order of its own."""
    for revision in sorted(revisions, key=lambda revision: revision.offset or 0, reverse=True):
        text = bytes(revision.added or b"")
        for one in text.splitlines(keepends=True) if are_rows else [text]:
            yield one, revision.offset or 0


def _nearest(data: bytes, text: bytes, offset: int) -> int | None:
    """Where `text` stands in `data`, nearest to where it was written."""
    if data[offset : offset + len(text)] == text:
        return offset
    before, after = data.rfind(text, 0, offset + len(text)), data.find(text, offset)
    places = [place for place in (before, after) if place >= 0]
    return min(places, key=lambda place: abs(place - offset)) if places else None
