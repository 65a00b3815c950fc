"""The history for reading: change sets as rows, and their documents with differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.curation.documents import as_text, sides_as_text
from memory.journal import pinning, versions
from memory.journal.reconcile import is_record
from memory.journal.undo import NOT_UNDONE
from memory.journal.undone import NEVER_WRITTEN, Undone, chain, redoes, root_of, undone
from memory.models import Bot, ChangeSet, Revision
from memory.text.merge.diff import Difference
from memory.text.storable import as_utf8
from memory.web.base.authors import BY_THE_BOT, author
from memory.web.base.changed_words import LARGEST, Changed, Piece, changed
from memory.web.base.dates import near_day
from memory.web.base.differences import ROOM, Block, paged
from memory.web.base.gauges import number_of
from memory.web.base.headlines import PrefetchedChanges, headline, prefetch
from memory.web.base.translation import translate

KINDS = {
    ChangeSet.Kind.EDIT: gettext_lazy("Edits"),
    ChangeSet.Kind.CAPTURE: gettext_lazy("Deliveries"),
    ChangeSet.Kind.ANSWER: gettext_lazy("Answers"),
    ChangeSet.Kind.COMPACTION: gettext_lazy("Compactions"),
    ChangeSet.Kind.UNDO: gettext_lazy("Undone"),
    ChangeSet.Kind.RESTORE: gettext_lazy("Went back"),
    ChangeSet.Kind.IMPORT: gettext_lazy("Imports"),
    ChangeSet.Kind.OUTSIDE: gettext_lazy("Edited outside Kenoweb"),
    ChangeSet.Kind.FOUND: gettext_lazy("Imports"),
}
STATES = {
    ChangeSet.State.WRITING: gettext_lazy("unfinished"),
    ChangeSet.State.ABANDONED: gettext_lazy("not written"),
    ChangeSet.State.FAILED: gettext_lazy("not saved"),
}
ABOUT_ALL = {ChangeSet.Kind.COMPACTION, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE}  # their headlines name no document
SHOWN_DOCUMENTS = 15  # differences of a set that touches more are shown a page at a time


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change set as one line of a list. Everything is said already: a page of them computes nothing."""

    pk: int
    url: str
    headline: str
    by: str
    when: datetime
    tier: str
    state: str
    can_undo: bool  # and is not undone yet
    became: str  # what became of it since
    redoes: bool  # taking it back does again what it undid
    others: str  # how many documents beside the one that the headline is about, "" for none
    day: str = ""
    file: str = ""  # the first one, where `pieces` say what changed in it, or it is too large for that
    pieces: Sequence[Piece] = ()
    more: str = ""  # how many facts beside those
    folds: Sequence[ChangeRow] = ()  # the undos and redos that it took back, shown below it


@dataclass(frozen=True, slots=True)
class RevisionDiff:
    """One document's part of a change set. `words` instead of blocks where there is nothing to compare."""

    revision: Revision
    path: str
    what: str
    blocks: Sequence[Block]
    words: str = ""
    page: Page[Any] | None = None  # which of its rows these are, where not all are shown at once
    whole: Difference | None = None  # then: of which these are some


def light(sets: QuerySet[ChangeSet]) -> QuerySet[ChangeSet]:
    """For a list, with what they undo: without the details, in which one may name all facts of a bot."""
    names = ("undoes", "undoes__undoes")
    return sets.select_related(names[-1]).defer("details", *(f"{name}__details" for name in names))


def became(back: Undone | None, one: ChangeSet | None = None) -> str:
    """What became of a change since, as a chip has it: `back` is what of it is undone. An undo that is undone is redone, a redo
    undone again. "" where all of it stands."""
    if back is None:
        return ""
    if one is not None and redoes(one):
        return _("redone") if back.wholly else _("redone in part")
    if one is not None and one.kind == ChangeSet.Kind.UNDO:
        return _("undone again") if back.wholly else _("undone again in part")
    return _("undone") if back.wholly else _("undone in part")


def change_rows(
    sets: Sequence[ChangeSet], bot: Bot, reader: Visitor | None = None, rows: Mapping[int, Sequence[int]] | None = None
) -> list[ChangeRow]:
    """Change sets as lines, with few statements however many there are. `reader` is "you"; `rows`: those that are lines of their
    own, each with what is folded below it, None for all."""
    chain(sets)
    rows = {one.pk: () for one in sets} if rows is None else rows
    known = prefetch(sets)
    back = undone(bot, [one.pk for one in sets])
    above = reverse("memory:change_set", args=[bot.slug, 0]).removesuffix("0")
    firsts = {
        one.pk: first
        for one in sets
        if one.kind not in ABOUT_ALL and (first := _first(bot, known.revisions.get(one.pk, ())))
    }
    told = changes_of(bot, firsts)
    lines = {
        one.pk: _with_words(
            _row(one, known, back.get(one.pk), bot, above, reader, folds=bool(rows.get(one.pk))),
            firsts.get(one.pk),
            told.get(one.pk),
            known.facts.get(one.pk, Counter()).total(),
        )
        for one in sets
    }
    return [replace(lines[pk], folds=[lines[step] for step in steps]) for pk, steps in rows.items()]


def _first(bot: Bot, revisions: Iterable[Revision]) -> Revision | None:
    """The revision that a line is about."""
    return next((one for one in revisions if one.done and not is_record(bot, one.path)), None)


def changes_of(bot: Bot, revisions: Mapping[int, Revision]) -> dict[int, Changed]:
    """The words that changed in each of these that is not too large; one statement."""
    near = {pk: one for pk, one in revisions.items() if not _is_large(one)}
    wanted = [one for one in near.values() if one.action != Revision.Action.APPEND]
    known = versions.bytes_of_all(bot, {name for one in wanted for name in (one.before, one.after)})
    sides = {pk: versions.sides_of(one, known) for pk, one in near.items()}
    dialect = open_bot(bot).dialect
    found = {pk: changed(dialect, near[pk].path, *pair) for pk, pair in sides.items() if pair}
    return {pk: one for pk, one in found.items() if one}


def _is_large(one: Revision) -> bool:
    """Whether its document is too large to be compared for a line."""
    return max(one.size_before or 0, one.size_after or 0) > LARGEST


def _with_words(row: ChangeRow, first: Revision | None, told: Changed | None, facts: int) -> ChangeRow:
    """A line with the words that changed first, and of how many `facts` others did, in whichever document."""
    if first is None or told is None:
        return replace(row, file=as_utf8(first.path)) if first and _is_large(first) else row
    return replace(row, file=as_utf8(first.path), pieces=told.pieces, more=more_facts(max(told.more, facts - 1)))


def _row(
    one: ChangeSet,
    known: PrefetchedChanges,
    back: Undone | None,
    bot: Bot,
    above: str,
    reader: Visitor | None,
    *,
    folds: bool,
) -> ChangeRow:
    revisions = known.revisions.get(one.pk, [])
    first = revisions[0].path if revisions else ""
    place = open_bot(bot).dialect.describe(first) if first else None
    when = one.finished or one.created
    return ChangeRow(
        pk=one.pk,
        url=f"{above}{one.pk}",
        headline=as_utf8(headline(bot, one, revisions, known, folds=folds)),
        by=who(bot, one, reader.pk if reader else None),
        when=when,
        day=near_day(str(when.astimezone(open_bot(bot).zone).date()), open_bot(bot).today()),
        tier=place.tier if place else "",
        state=not_standing(one),
        can_undo=offers_undo(bot, one, revisions, back),
        became=became(back, one),
        redoes=redoes(one),
        others="" if one.kind in ABOUT_ALL else more_files(len({revision.path for revision in revisions}) - 1),
    )


def more_facts(number: int) -> str:
    """How many others a change is about besides the fact that its line tells, "" for none."""
    return number_of("and %(count)s more fact", "and %(count)s more facts", number) if number > 0 else ""


def more_files(number: int) -> str:
    """The same of files."""
    return number_of("and %(count)s more file", "and %(count)s more files", number) if number > 0 else ""


def author_of(one: ChangeSet, reader: int | None) -> str:
    """Who made a change, as far as it is known; what lay there when a bot was added, Kenoweb took in."""
    return "Kenoweb" if one.kind == ChangeSet.Kind.FOUND else author(one.by, one.user_id, reader)


def who(bot: Bot, one: ChangeSet, reader: int | None) -> str:
    """Who made a change, for one of the people: you, somebody's name, or the bot's."""
    return bot.name if one.by in BY_THE_BOT else author_of(one, reader)


def not_standing(one: ChangeSet) -> str:
    """Why what a change set says isn't in the files, as a chip has it; "" where it was written."""
    return str(STATES.get(ChangeSet.State(one.state), ""))


def can_undo(bot: Bot, one: ChangeSet, revisions: Sequence[Revision]) -> bool:
    """Whether a change set is of a kind that can be taken back."""
    blocked = ChangeSet.Kind(one.kind) in NOT_UNDONE or ChangeSet.State(one.state) in NEVER_WRITTEN
    written = any(revision.done and not is_record(bot, revision.path) for revision in revisions)
    return not blocked and (written or (not revisions and pinning.is_mark(one)))


def offers_undo(bot: Bot, one: ChangeSet, revisions: Sequence[Revision], back: Undone | None) -> bool:
    """Whether its row has Undo: of what was redone the row of the change itself has it, not that of the redo, too."""
    return not (back and back.wholly) and not root_of(one)[1] and can_undo(bot, one, revisions)


def _what_happened(revision: Revision) -> str:
    """What happened to a document, as a word before its name."""
    if revision.action == Revision.Action.DELETE:
        return _("Removed")
    if revision.action == Revision.Action.APPEND:
        return _("Added to")
    return _("Changed") if revision.before else _("Created")


def revision_diff(bot: Bot, revision: Revision, room: int = ROOM, number: str = "") -> RevisionDiff:
    """One document's difference; `room` and `number` as for `paged`."""
    what = _what_happened(revision)
    compared = _compared(bot, revision)
    if isinstance(compared, str):
        return RevisionDiff(revision, revision.path, what, (), compared)
    whole = Difference(*compared)
    found, page = paged(whole, room, number)
    return RevisionDiff(revision, revision.path, what, found, page=page, whole=whole if page else None)


def _compared(bot: Bot, revision: Revision) -> tuple[str, str] | str:
    """The two texts, or why there are none to compare."""
    if revision.action == Revision.Action.APPEND and not revision.after:
        return "", as_text(bytes(revision.added or b""))
    try:
        before, after = versions.sides(revision)
    except versions.Forgotten as error:
        return translate(str(error))
    old, new = sides_as_text(open_bot(bot).dialect, revision.path, before, after)
    return (old, new) if old != new else _("Only line endings or invisible bytes differ.")


def kinds_of(bot: Bot) -> Mapping[str, str | Promise]:
    """The kinds of change that this bot's history has, with their labels."""
    there = set(ChangeSet.objects.filter(bot=bot).order_by().values_list("kind", flat=True).distinct())
    return {kind.value: label for kind, label in KINDS.items() if kind in there}
