"""The history for reading: change sets in words, their documents with differences, what an undo would do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import bots, history, journal
from memory.changes import Delete
from memory.editing import as_text
from memory.journal.undo import NEVER_WRITTEN, NOT_UNDONE
from memory.models import Bot, ChangeSet, Revision
from memory.text.diff import Hunk, Row, diff
from memory.vault import VaultError
from memory.views.measure import count

KINDS = {
    ChangeSet.Kind.EDIT: "Edits",
    ChangeSet.Kind.CAPTURE: "Turns",
    ChangeSet.Kind.COMPACTION: "Compaction",
    ChangeSet.Kind.UNDO: "Undone",
    ChangeSet.Kind.RESTORE: "Restored",
    ChangeSet.Kind.IMPORT: "Imports",
    ChangeSet.Kind.OUTSIDE: "From outside",
    ChangeSet.Kind.FOUND: "First looks",
}
STATES = {
    ChangeSet.State.WRITING: "not finished",
    ChangeSet.State.ABANDONED: "never written",
    ChangeSet.State.FAILED: "not written",
}
ABOUT_ALL = {ChangeSet.Kind.COMPACTION, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE}  # their headlines name no document
SHOWN_DOCUMENTS = 40  # differences of a set that touches more are shown a page at a time
_MARKS = re.compile(r"^(?:#{1,6}\s+)?(?:[-*+]\s+)?(?:\d{1,2}:\d{2}\s*(?:—|–|--|-)\s*)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A change set as one line of a list."""

    pk: int
    headline: str
    by: str
    when: datetime
    kind: str
    tier: str
    state: str
    can_undo: bool
    undone: bool
    others: int  # documents beside the one that the headline is about


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of a difference side by side; None where a side has nothing."""

    old: Row | None
    new: Row | None


@dataclass(frozen=True, slots=True)
class Block:
    """A hunk for both ways of showing it."""

    folded: int
    rows: Sequence[Row]
    pairs: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One document's part of a change set. `words` instead of blocks where there is nothing to compare."""

    revision: Revision
    path: str
    what: str
    blocks: Sequence[Block]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Foresight:
    """What an undo would do to each document now, or why it cannot be done."""

    sentences: Sequence[str] = ()
    refusal: str = ""


def entries(sets: Sequence[ChangeSet], bot: Bot) -> list[Entry]:
    """Change sets as lines, with few statements however many there are."""
    revisions: dict[int, list[Revision]] = {}
    wanted = [one.pk for one in sets if one.kind != ChangeSet.Kind.FOUND]
    for revision in Revision.objects.filter(change_set__in=wanted).defer("slot").order_by("id"):
        revisions.setdefault(revision.change_set_id, []).append(revision)
    undone = set(ChangeSet.objects.filter(undoes__in=[one.pk for one in sets]).values_list("undoes_id", flat=True))
    return [_entry(one, revisions.get(one.pk, []), one.pk in undone, bot) for one in sets]


def _entry(one: ChangeSet, revisions: Sequence[Revision], undone: bool, bot: Bot) -> Entry:
    first = revisions[0].path if revisions else ""
    place = bots.dialect(bot).describe(first) if first else None
    paths = {revision.path for revision in revisions}
    return Entry(
        pk=one.pk,
        headline=headline(one, revisions),
        by=author(one),
        when=one.finished or one.created,
        kind=KINDS[ChangeSet.Kind(one.kind)],
        tier=place.tier if place else "",
        state=STATES.get(ChangeSet.State(one.state), ""),
        can_undo=can_undo(one, revisions),
        undone=undone,
        others=0 if one.kind in ABOUT_ALL else max(len(paths) - 1, 0),
    )


def author(one: ChangeSet) -> str:
    """Who made a change, as far as it is known."""
    return {"outside": "from outside", "delivery": "the bot, by webhook"}.get(one.by, one.by)


def can_undo(one: ChangeSet, revisions: Sequence[Revision]) -> bool:
    """Whether a change set is of a kind that can be taken back."""
    blocked = ChangeSet.Kind(one.kind) in NOT_UNDONE or ChangeSet.State(one.state) in NEVER_WRITTEN
    return not blocked and any(revision.done for revision in revisions)


def headline(one: ChangeSet, revisions: Sequence[Revision]) -> str:
    """What a change set did, in few words: the text that was added where that says it all."""
    details = one.details
    if one.kind == ChangeSet.Kind.FOUND:
        return "First look at the bot's documents"
    if one.kind == ChangeSet.Kind.COMPACTION and "moved" in details:
        return f"{count(details['moved'], 'fact')} moved, {count(details.get('removed', 0), 'log')} removed"
    added = [revision for revision in revisions if revision.action == Revision.Action.APPEND and revision.added]
    if added and one.kind == ChangeSet.Kind.CAPTURE and (text := _first_line(bytes(added[0].added or b""))):
        return text
    if one.why:
        return one.why
    if added and len(added) == len(revisions):
        return _first_line(bytes(added[-1].added or b"")) or f"Added to {added[-1].path}"
    if not revisions:
        return "Nothing was written"
    return " and ".join(_deed(revision) for revision in revisions[:2]) + (" and more" if len(revisions) > 2 else "")


def _first_line(added: bytes) -> str:
    lines = (_MARKS.sub("", line.strip(), count=1).strip() for line in added.decode("utf-8", "replace").splitlines())
    return next((line[:160] for line in lines if line), "")


def _deed(revision: Revision) -> str:
    if revision.action == Revision.Action.DELETE:
        return f"Removed {revision.path}"
    if revision.action == Revision.Action.APPEND:
        return f"Added to {revision.path}"
    return f"Changed {revision.path}" if revision.before else f"Made {revision.path}"


def sheet(revision: Revision) -> Sheet:
    """One document's difference."""
    what = _deed(revision).split(" ", 1)[0]
    if revision.action == Revision.Action.APPEND and not revision.after:
        added = bytes(revision.added or b"")
        return Sheet(revision, revision.path, "Added", blocks("", as_text(added)))
    try:
        before, after = history.sides(revision)
    except history.Forgotten as error:
        return Sheet(revision, revision.path, what, (), str(error))
    old, new = as_text(before or b""), as_text(after or b"")
    if old == new:
        return Sheet(revision, revision.path, what, (), "Only line ends or bytes that are not shown differ.")
    return Sheet(revision, revision.path, what, blocks(old, new))


def blocks(old: str, new: str) -> list[Block]:
    """A difference for both ways of showing it."""
    return [Block(hunk.folded, hunk.rows, _pairs(hunk)) for hunk in diff(old, new)]


def _pairs(hunk: Hunk) -> list[Pair]:
    pairs: list[Pair] = []
    for row in hunk.rows:
        last = pairs[-1] if pairs else None
        if row.kind == "added" and last and last.old and last.old.kind == "removed" and last.new is None:
            pairs[-1] = Pair(last.old, row)
        elif row.kind == "added":
            pairs.append(Pair(None, row))
        elif row.kind == "removed":
            pairs.append(Pair(row, None))
        else:
            pairs.append(Pair(row, row))
    return pairs


def foresee(bot: Bot, revisions: Sequence[Revision]) -> Foresight:
    """What taking these revisions back would do to the documents as they are now, in sentences."""
    try:
        found = journal.foresee(bot, revisions)
    except VaultError as error:
        return Foresight(refusal=str(error))
    if isinstance(found, journal.Conflict):
        return Foresight(refusal=found.reason)
    sentences = [_forecast(one) for one in found if one.now is not None]
    if back := len(found) - len(sentences):
        sentences.append(f"{count(back, 'document')} will be there again.")
    return Foresight(sentences) if sentences else Foresight(refusal="The documents already are as they were before.")


def _forecast(one: journal.Foreseen) -> str:
    kept = " What others wrote since stays." if one.joined else ""
    if isinstance(one.change, Delete):
        return f"{one.change.path} will be removed, as it did not exist before."
    rows = [row for hunk in diff(as_text(one.now or b""), as_text(one.change.data), 0) for row in hunk.rows]
    gone, again = (sum(row.kind == kind for row in rows) for kind in ("removed", "added"))
    return f"{one.change.path}: {count(gone, 'line')} out, {count(again, 'line')} in.{kept}"


def kinds_of(bot: Bot) -> Mapping[str, str]:
    """The kinds of change that this bot's history has, with their labels."""
    there = set(ChangeSet.objects.filter(bot=bot).order_by().values_list("kind", flat=True).distinct())
    return {kind.value: label for kind, label in KINDS.items() if kind in there}
