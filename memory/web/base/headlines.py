"""What change sets did, in few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count

from memory.bots import open_bot
from memory.domain.places import Place
from memory.journal.reconcile import is_record
from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Lineage, Revision
from memory.text.markdown.lead import plain_text
from memory.text.sentences import Say, join_sentences, say, say_number
from memory.web.base.changed_words import LONGEST, line_of
from memory.web.base.translation import translate


class PrefetchedChanges(NamedTuple):
    """What was asked of the database for many change sets at once, by their numbers: their revisions, and what they did with how
    many facts."""

    revisions: Mapping[int, Sequence[Revision]]
    facts: Mapping[int, Counter[str]]


def prefetch(sets: Iterable[ChangeSet]) -> PrefetchedChanges:
    """What the headlines of chained change sets ask the database for: two statements for all of them."""
    pks = {each.pk for one in sets if one.kind != ChangeSet.Kind.FOUND for each in (one, root_of(one)[0])}
    revisions: dict[int, list[Revision]] = {}
    about = ("change_set", "path", "action", "before", "after", "size_before", "size_after", "done", "added")
    for revision in Revision.objects.filter(change_set__in=pks).only(*about).order_by("id"):
        revisions.setdefault(revision.change_set_id, []).append(revision)
    return PrefetchedChanges(revisions, facts_of(pks))


def facts_of(sets: Iterable[int]) -> dict[int, Counter[str]]:
    """What change sets did with how many facts, in all their documents, as far as it is written down."""
    found: dict[int, Counter[str]] = {}
    rows = Lineage.objects.filter(change_set__in=sets).order_by().values_list("change_set", "how")
    for one, how, number in rows.annotate(Count("pk")):
        found.setdefault(one, Counter())[how] = number
    return found


def headline(
    bot: Bot,
    one: ChangeSet,
    revisions: Sequence[Revision],
    known: PrefetchedChanges | None = None,
    *,
    folds: bool = False,
) -> str:
    """What a change set did, in few words and the reader's language."""
    return translate(summary(bot, one, revisions, known, folds=folds))


def summary(
    bot: Bot,
    one: ChangeSet,
    revisions: Sequence[Revision],
    known: PrefetchedChanges | None = None,
    *,
    folds: bool = False,
) -> str:
    """What a change set did, as a sentence: the text that was added where that says it all; of an undo what it undid, of a redo
    perhaps with the undo that it `folds`. What is asked of the database where it is not `known` is asked for this one alone."""
    if one.kind == ChangeSet.Kind.FOUND:
        return say("First import")
    if one.kind == ChangeSet.Kind.COMPACTION and "moved" in one.details:
        return _compacted(one.details)
    about, is_redo = root_of(one)
    if about is not one:
        what = summary(bot, about, known.revisions.get(about.pk, ()) if known else _of(about), known)
        return _undone(what, _undone_in(bot, one, known), is_redo=is_redo, folds=folds)
    written = [revision for revision in revisions if not is_record(bot, revision.path)]
    added = [revision for revision in written if revision.action == Revision.Action.APPEND and revision.added]
    if added and one.kind in ChangeSet.TURNS and (text := remembered(bot, added[0])):
        return text
    why: str = one.why
    if why:
        return why
    if added and len(added) == len(revisions):
        last = added[-1]
        return _first_line(last, open_bot(bot).dialect.describe(last.path)) or _deed(last)
    if not revisions:
        return say("Nothing was written")
    if did := _did((known or PrefetchedChanges({}, facts_of([one.pk]))).facts.get(one.pk, Counter())):
        return did
    first, *others = [_deed(revision) for revision in revisions[:3]]
    if len(others) > 1:
        return say("%(first)s, %(second)s and more", first=first, second=others[0])
    return say("%(first)s and %(second)s", first=first, second=others[0]) if others else first


def _undone(what: str, where: str, *, is_redo: bool, folds: bool) -> str:
    """What an undo is called, of all of a change or of its part in `where`."""
    if not is_redo:
        return (
            say("Undone in %(where)s: %(what)s", where=where, what=what)
            if where
            else say("Undone: %(what)s", what=what)
        )
    if folds:
        if where:
            return say("Undone and redone in %(where)s: %(what)s", where=where, what=what)
        return say("Undone and redone: %(what)s", what=what)
    return say("Redone in %(where)s: %(what)s", where=where, what=what) if where else say("Redone: %(what)s", what=what)


def undone_in(bot: Bot, one: ChangeSet) -> str:
    """Where an undo took back a part of a change: its file, or how many of them; "" where it took back all."""
    return translate(_undone_in(bot, one, None))


def _undone_in(bot: Bot, one: ChangeSet, known: PrefetchedChanges | None) -> str:
    here, there = (_files(bot, _every(each, known)) for each in (one, root_of(one)[0]))
    if not 0 < len(here) < len(there):
        return ""
    return join_sentences(*here) if len(here) == 1 else say("%(count)s of its files", count=len(here))


def _every(one: ChangeSet, known: PrefetchedChanges | None) -> Iterable[Revision]:
    if known:
        return known.revisions.get(one.pk, ())
    return one.revisions.only("change_set", "path", "action", "before", "after", "done")


def _files(bot: Bot, revisions: Iterable[Revision]) -> set[str]:
    """The files that were written, one that was moved by where it is now."""
    done = [one for one in revisions if one.done and not is_record(bot, one.path)]
    there = {one.after for one in done if one.after}
    return {one.path for one in done if one.action != Revision.Action.DELETE or one.before not in there}


def _of(one: ChangeSet) -> Sequence[Revision]:
    return list(one.revisions.all()[:3])


def _did(number: Counter[str]) -> str:
    """What was done to how many facts: 2 facts reworded, 1 removed; "" where nobody knows."""
    how = Lineage.How
    reworded, added, removed = number[how.REWORDED], number[how.ADDED] + number[how.RETURNED], number[how.FORGOTTEN]
    whole = (
        say_number("%(count)s fact reworded", "%(count)s facts reworded", count=reworded),
        say_number("%(count)s fact added", "%(count)s facts added", count=added),
        say_number("%(count)s fact removed", "%(count)s facts removed", count=removed),
    )
    more = (
        say_number("%(count)s added", "%(count)s added", count=added if reworded else 0),
        say_number("%(count)s removed", "%(count)s removed", count=removed if reworded or added else 0),
    )
    return join_sentences(*_any(whole)[:1], *_any(more), by=", ")


def compacted(counts: Mapping[str, int]) -> str:
    """What a compaction did to facts and logs, as a headline, by the counts beside its change set ("moved", "removed", …)."""
    return translate(_compacted(counts))


def _compacted(counts: Mapping[str, int]) -> str:
    moved, superseded, archived, removed, logs = (
        counts.get(name, 0) for name in ("moved", "superseded", "archived", "removed", "archived_logs")
    )
    parts = (
        say_number("%(count)s fact moved", "%(count)s facts moved", count=moved),
        say_number("%(count)s fact replaced", "%(count)s facts replaced", count=superseded),
        say_number("%(count)s fact archived", "%(count)s facts archived", count=archived),
        say_number("%(count)s log removed", "%(count)s logs removed", count=removed),
        say_number("%(count)s log archived", "%(count)s logs archived", count=logs),
    )
    return join_sentences(*_any(parts), by=", ") or say("No facts moved")


def _any(counted: Iterable[str]) -> list[str]:
    """Of sentences that count something those that count any."""
    return [one for one in counted if isinstance(one, Say) and one.parameters["count"]]


def remembered(bot: Bot, revision: Revision) -> str:
    """The first of what a turn added to a document, as one line."""
    dialect = open_bot(bot).dialect
    place = dialect.describe(revision.path)
    if place is None or not place.has_attributes:
        return _first_line(revision, place)
    facts = dialect.facts(revision.path, bytes(revision.added or b""))
    return plain_text(facts[0].text, LONGEST) if facts else ""


def _first_line(revision: Revision, place: Place | None) -> str:
    """The first line that was added and says more than of which day the document is."""
    lines = (line_of(line, LONGEST) for line in bytes(revision.added or b"").decode("utf-8", "replace").splitlines())
    return next((line for line in lines if line not in ("", place.day if place else "")), "")


def _deed(revision: Revision) -> str:
    if revision.action == Revision.Action.DELETE:
        return say("Removed %(path)s", path=revision.path)
    if revision.action == Revision.Action.APPEND:
        return say("Added to %(path)s", path=revision.path)
    if revision.before:
        return say("Changed %(path)s", path=revision.path)
    return say("Created %(path)s", path=revision.path)
