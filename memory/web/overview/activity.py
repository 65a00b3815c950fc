"""What happened lately: what was learned, by whom and from which chat as far as that is known, and what people did."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.journal.reconcile import is_record
from memory.journal.undone import Undone, redoes, undone
from memory.models import Bot, ChangeSet, Delivery, Revision
from memory.text.markdown.lead import plain_text
from memory.web.base.change_rows import (
    ABOUT_ALL,
    became,
    changes_of,
    light,
    more_facts,
    more_files,
    not_standing,
    offers_undo,
    who,
)
from memory.web.base.changed_words import LARGEST, LONGEST, Changed, Piece
from memory.web.base.chat_names import names_of
from memory.web.base.folds import folded
from memory.web.base.gauges import number_of
from memory.web.base.headlines import PrefetchedChanges, headline, prefetch

# Change sets that are looked at, and where they are few rows, as of one that was undone and redone often.
NEWEST = (30, 1000)
SETS = 6  # that are told, with the undos and redos that they took back
LINES = 8  # that are shown
REVISIONS = 10  # documents of a set that are looked at
EDITS = (ChangeSet.Kind.EDIT, ChangeSet.Kind.OUTSIDE)


def lately(bot: Bot, user: Visitor) -> list[dict[str, object]]:
    """The latest lines; a fixed number of statements."""
    every = ChangeSet.objects.filter(bot=bot)
    sets, rows = _newest(every)
    first = every.filter(kind=ChangeSet.Kind.FOUND).order_by("id").values_list("pk", flat=True).first()
    pks = [one.pk for one in sets]
    revisions = _revisions(bot, [pk for pk in pks if pk != first])  # the first import may have ten thousand
    turns = [one.pk for one in sets if one.kind in ChangeSet.TURNS]
    # the chat of a test is nobody's: it is told by the file, as History does
    delivered = Delivery.objects.filter(change_set__in=turns, trial=False).values_list("change_set", "session_id")
    sessions = dict(delivered) if turns else {}
    names = names_of(bot, {*sessions.values(), *_scopes(bot, revisions.values())})
    rewritten = {
        one.pk: parts[0]
        for one in sets
        if (parts := revisions.get(one.pk))
        and not rows[one.pk]
        and _tells_words(one, parts)
        and parts[0].done
        and parts[0].action == Revision.Action.PUT
    }
    imported = (first, Revision.objects.filter(change_set=first).count()) if first in pks else None
    undoing = prefetch([one for one in sets if one.kind == ChangeSet.Kind.UNDO])
    folds = {pk for pk, steps in rows.items() if steps}
    told = changes_of(bot, rewritten)
    teller = _Teller(bot, user, sessions, undone(bot, pks), names, told, undoing, folds, imported)
    return [line for one in sets for line in teller.lines(one, revisions.get(one.pk, []))][:LINES]


def _newest(every: QuerySet[ChangeSet]) -> tuple[list[ChangeSet], dict[int, list[int]]]:
    """Those that are told, and what is folded in each row."""
    for many in NEWEST:
        newest = list(light(every)[:many])
        rows = folded(newest)
        sets = [one for one in newest if one.pk in rows][:SETS]
        if len(sets) == SETS or len(newest) < many:
            break
    return sets, rows


def _revisions(bot: Bot, pks: Sequence[int]) -> dict[int, list[Revision]]:
    found: dict[int, list[Revision]] = {}
    nth = Window(RowNumber(), partition_by="change_set_id", order_by="id")
    count = Window(Count("id"), partition_by="change_set_id")
    of_sets = Revision.objects.filter(change_set__in=pks).defer("slot").annotate(nth=nth, of_set=count)
    for revision in of_sets.filter(nth__lte=REVISIONS).order_by("-change_set_id", "id"):
        found.setdefault(revision.change_set_id, []).append(revision)
    return {pk: [one for one in some if not is_record(bot, one.path)] or some for pk, some in found.items()}


def _tells_words(one: ChangeSet, parts: Sequence[Revision]) -> bool:
    """Whether what changed in the first document says what a change set did."""
    return one.kind in EDITS or (one.kind == ChangeSet.Kind.UNDO and len(parts) == 1)


def _scopes(bot: Bot, revisions: Iterable[Sequence[Revision]]) -> set[str]:
    places = (open_bot(bot).dialect.describe(one.path) for some in revisions for one in some)
    return {place.scope for place in places if place and place.scope}


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells change sets as lines, with what was asked of the database for all of them at once."""

    bot: Bot
    user: Visitor
    sessions: Mapping[int, str]
    undone: Mapping[int, Undone]
    names: Mapping[str, str]
    changed: Mapping[int, Changed]
    undoing: PrefetchedChanges  # what undos and what they undo are said by
    folds: Collection[int]  # those that have undos and redos folded in them
    imported: tuple[int | None, int] | None  # the first import, and of how many files

    def lines(self, one: ChangeSet, revisions: Sequence[Revision]) -> list[dict[str, object]]:
        """A line for each document in which something was learned; else one for the whole set, as the first import is."""
        if self.imported and one.pk == self.imported[0]:
            row = self._row(one, (), [Piece(headline(self.bot, one, ()))], "")
            return [{**row, "where": _counted(self.imported[1])}]
        learned = [(revision, texts) for revision in revisions if (texts := self._learned(one, revision))]
        if learned:
            parts = len(revisions) > 1
            return [
                self._row(one, [part], [Piece(plain_text(texts[0], LONGEST), "ins")], more_facts(len(texts) - 1), parts)
                for part, texts in learned
            ]
        others = 0 if one.kind in ABOUT_ALL else _files(revisions) - 1
        if found := self.changed.get(one.pk):
            return [self._row(one, revisions, found.pieces, more_files(others) or more_facts(found.more))]
        known = self.undoing if one.kind == ChangeSet.Kind.UNDO else None
        said = Piece(" ".join(headline(self.bot, one, revisions, known, folds=one.pk in self.folds).split())[:LONGEST])
        return [self._row(one, revisions, [said], more_files(others))]

    def _learned(self, one: ChangeSet, revision: Revision) -> list[str]:
        if one.kind not in (*ChangeSet.TURNS, *EDITS) or not revision.added:
            return []
        added = bytes(revision.added)[:LARGEST]
        return [fact.text for fact in open_bot(self.bot).dialect.facts(revision.path, added)]

    def _row(
        self, one: ChangeSet, revisions: Sequence[Revision], pieces: Sequence[Piece], more: str, is_part: bool = False
    ) -> dict[str, object]:
        """One thing that happened: its words, in `pieces` what went and came of them, and `text` as they are now, or as they were.
        `where` names the chat or the document, `path` the document whose part of the change set an undo takes back, "" for all of
        it. `became`: what became of it since; it `can_undo`, and is not undone yet; `redoes`: taking it back does again what it
        undid."""
        place = open_bot(self.bot).dialect.describe(revisions[0].path) if revisions else None
        back = self.undone.get(one.pk)
        if back and is_part:
            back = replace(back, wholly=True) if revisions[0].path in back.paths else None
        scope = self.sessions.get(one.pk) or (place.scope if place else "")
        return {
            "pk": one.pk,
            "pieces": pieces,
            "text": "".join(piece.text for piece in pieces if piece.kind != "del") or pieces[0].text,
            "more": more,
            "url": reverse("memory:change_set", args=[self.bot.slug, one.pk]),
            "tier": place.tier if place else "",
            "where": self.names.get(scope) or scope or ("" if one.kind in ABOUT_ALL else _called(revisions)),
            "who": who(self.bot, one, self.user.pk),
            "when": one.finished or one.created,
            "path": revisions[0].path if is_part and revisions[0].path.isprintable() else "",
            "state": not_standing(one),
            "became": became(back, one),
            "can_undo": offers_undo(self.bot, one, revisions, back),
            "redoes": redoes(one),
        }


def _called(revisions: Sequence[Revision]) -> str:
    """The document, or how many."""
    number = _files(revisions)
    return revisions[0].path.rpartition("/")[2] if number == 1 else _counted(number)


def _counted(number: int) -> str:
    return number_of("%(count)s file", "%(count)s files", number) if number else ""


def _files(revisions: Sequence[Revision]) -> int:
    """How many documents a change set touched, of which these are the first."""
    every: int = revisions[0].of_set if revisions else 0  # type: ignore[attr-defined]  # annotated
    return every if every > REVISIONS else len({revision.path for revision in revisions})
