"""What change sets did, in few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.bots import open_bot
from memory.journal.reconcile import is_record
from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Lineage, Revision
from memory.text.markdown.lead import plain
from memory.web.base.changed_words import LONGEST, line_of
from memory.web.base.gauges import grouped
from memory.web.base.said import said
from memory.web.base.shown_text import isolated


class Known(NamedTuple):
    """What was asked of the database for many change sets at once, by their numbers: their revisions, and what they did with how
    many facts."""

    revisions: Mapping[int, Sequence[Revision]]
    facts: Mapping[int, Counter[str]]


def known_of(sets: Iterable[ChangeSet]) -> Known:
    """What the headlines of chained change sets ask the database for: two statements for all of them."""
    pks = {each.pk for one in sets if one.kind != ChangeSet.Kind.FOUND for each in (one, root_of(one)[0])}
    revisions: dict[int, list[Revision]] = {}
    about = ("change_set", "path", "action", "before", "after", "size_before", "size_after", "done", "added")
    for revision in Revision.objects.filter(change_set__in=pks).only(*about).order_by("id"):
        revisions.setdefault(revision.change_set_id, []).append(revision)
    return Known(revisions, facts_of(pks))


def facts_of(sets: Iterable[int]) -> dict[int, Counter[str]]:
    """What change sets did with how many facts, in all their documents, as far as it is written down."""
    found: dict[int, Counter[str]] = {}
    rows = Lineage.objects.filter(change_set__in=sets).order_by().values_list("change_set", "how")
    for one, how, number in rows.annotate(Count("pk")):
        found.setdefault(one, Counter())[how] = number
    return found


def headline(
    bot: Bot, one: ChangeSet, revisions: Sequence[Revision], known: Known | None = None, *, folds: bool = False
) -> str:
    """What a change set did, in few words: the text that was added where that says it all; of an undo what it undid, of a redo
    perhaps with the undo that it `folds`. What is asked of the database where it is not `known` is asked for this one alone."""
    if one.kind == ChangeSet.Kind.FOUND:
        return _("First import")
    if one.kind == ChangeSet.Kind.COMPACTION and "moved" in one.details:
        return compacted(one.details)
    about, is_redo = root_of(one)
    if about is not one:
        what = {"what": headline(bot, about, known.revisions.get(about.pk, ()) if known else _of(about), known)}
        where = undone_in(bot, one, known)
        return _undone(where, is_redo=is_redo, folds=folds) % {"where": where, **what}
    written = [revision for revision in revisions if not is_record(bot, revision.path)]
    added = [revision for revision in written if revision.action == Revision.Action.APPEND and revision.added]
    if added and one.kind in ChangeSet.TURNS and (text := _remembered(bot, added[0])):
        return text
    if one.why:
        return said(one.why)
    if added and len(added) == len(revisions):
        return _first_line(bytes(added[-1].added or b"")) or _deed(added[-1])
    if not revisions:
        return _("Nothing was written")
    if did := _did((known or Known({}, facts_of([one.pk]))).facts.get(one.pk, Counter())):
        return did
    first, *others = [_deed(revision) for revision in revisions[:3]]
    if len(others) > 1:
        return _("%(first)s, %(second)s and more") % {"first": first, "second": others[0]}
    return _("%(first)s and %(second)s") % {"first": first, "second": others[0]} if others else first


def _undone(where: str, *, is_redo: bool, folds: bool) -> str:
    """What an undo is called, of all of a change or of its part in `where`."""
    if not is_redo:
        return _("Undone in %(where)s: %(what)s") if where else _("Undone: %(what)s")
    if folds:
        return _("Undone and redone in %(where)s: %(what)s") if where else _("Undone and redone: %(what)s")
    return _("Redone in %(where)s: %(what)s") if where else _("Redone: %(what)s")


def undone_in(bot: Bot, one: ChangeSet, known: Known | None = None) -> str:
    """Where an undo took back a part of a change: its file, or how many of them; "" where it took back all."""
    here, there = (_files(bot, _every(each, known)) for each in (one, root_of(one)[0]))
    if not 0 < len(here) < len(there):
        return ""
    return isolated(next(iter(here))) if len(here) == 1 else _("%(count)s of its files") % {"count": grouped(len(here))}


def _every(one: ChangeSet, known: Known | None) -> Iterable[Revision]:
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
    whole = {
        ngettext("%(count)s fact reworded", "%(count)s facts reworded", reworded): reworded,
        ngettext("%(count)s fact added", "%(count)s facts added", added): added,
        ngettext("%(count)s fact removed", "%(count)s facts removed", removed): removed,
    }
    more = {
        ngettext("%(count)s added", "%(count)s added", added): added if reworded else 0,
        ngettext("%(count)s removed", "%(count)s removed", removed): removed if reworded or added else 0,
    }
    told = [words % {"count": grouped(count)} for words, count in whole.items() if count][:1]
    return ", ".join([*told, *(words % {"count": grouped(count)} for words, count in more.items() if count)])


def compacted(counts: Mapping[str, int]) -> str:
    """What a compaction did to facts and logs, as a headline, by the counts beside its change set ("moved", "removed", …)."""
    moved, superseded, archived, removed, logs = (
        counts.get(name, 0) for name in ("moved", "superseded", "archived", "removed", "archived_logs")
    )
    parts = {
        ngettext("%(count)s fact moved", "%(count)s facts moved", moved): moved,
        ngettext("%(count)s fact replaced", "%(count)s facts replaced", superseded): superseded,
        ngettext("%(count)s fact archived", "%(count)s facts archived", archived): archived,
        ngettext("%(count)s log removed", "%(count)s logs removed", removed): removed,
        ngettext("%(count)s log archived", "%(count)s logs archived", logs): logs,
    }
    done = [words % {"count": grouped(count)} for words, count in parts.items() if count]
    return ", ".join(done) or _("No facts moved")


def _remembered(bot: Bot, revision: Revision) -> str:
    """The first of what a turn added to a document."""
    added = bytes(revision.added or b"")
    dialect = open_bot(bot).dialect
    place = dialect.describe(revision.path)
    if place is None or not place.has_attributes:
        return _first_line(added)
    facts = dialect.facts(revision.path, added)
    return plain(facts[0].text, LONGEST) if facts else ""


def _first_line(added: bytes) -> str:
    lines = (line_of(line, LONGEST) for line in added.decode("utf-8", "replace").splitlines())
    return next(filter(None, lines), "")


def _deed(revision: Revision) -> str:
    if revision.action == Revision.Action.DELETE:
        words = _("Removed %(path)s")
    elif revision.action == Revision.Action.APPEND:
        words = _("Added to %(path)s")
    else:
        words = _("Changed %(path)s") if revision.before else _("Created %(path)s")
    return words % {"path": isolated(revision.path)}
