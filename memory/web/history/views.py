"""The history of a bot and of a document, one change set with its differences, undo and restore."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index, journal
from memory.access.permissions import may_operate
from memory.bots import open_bot
from memory.checks import recall_tests
from memory.compaction import runner
from memory.curation import parted
from memory.domain.errors import HalfWritten, VaultError
from memory.jobs import undoing
from memory.journal import pinning, versions
from memory.journal.reconcile import is_record
from memory.journal.undo import standing
from memory.journal.undone import NEVER_WRITTEN, redoes, root_of, undone
from memory.models import Bot, ChangeSet, Fact, Revision
from memory.models.history import LET_GO
from memory.text.sentences import say
from memory.text.storable import as_number, keepable
from memory.web.base.addresses import address
from memory.web.base.change_rows import (
    SHOWN_DOCUMENTS,
    RevisionDiff,
    became,
    can_undo,
    change_rows,
    kinds_of,
    light,
    not_standing,
    revision_diff,
    who,
)
from memory.web.base.chat_frame import around
from memory.web.base.differences import ROOM
from memory.web.base.fact_rows import excerpt
from memory.web.base.folds import folded
from memory.web.base.gauges import number_of
from memory.web.base.headlines import summary, undone_in
from memory.web.base.responses import back, by, ours, post_only
from memory.web.base.translation import translate
from memory.web.documents.editor_state import title
from memory.web.history.found import found
from memory.web.history.moves import MovedFile, both_ends, moved_files
from memory.web.history.undo_words import TOLD, brought_back, foresee, tell, title_of

AT_ONCE = 50
WAYS = ("one", "two")  # of showing a difference: in one column, or side by side
YOURS = "yours"  # what stands in an address in place of a kind
LONGEST = 200  # characters of what is looked for
FORESEEN = 200  # documents; what an undo of more would do is not worked out beforehand


@require_safe
def history(request: HttpRequest, bot: Bot) -> HttpResponse:
    kinds, kind = kinds_of(bot), request.GET.get("kind", "")
    query = keepable(request.GET.get("q", "")).strip()[:LONGEST]
    sets = light(ChangeSet.objects.filter(bot=bot))
    own = sets.filter(user=request.user.pk)
    first = sets.order_by("pk").values_list("created", flat=True).first()
    context = {"kinds": kinds, "kind": kind, "may_operate": may_operate(request.user), "query": query}
    context["filters"] = bool(first or kind or query)
    context |= {"yours": YOURS, "has_yours": bool(request.user.pk) and own.exists()}
    if first and not kind and not query:
        context["first"] = first
    some = own if kind == YOURS else sets.filter(kind=kind) if kind in kinds else sets
    context["undoing"] = _undoing(bot, some)
    return _list(request, bot, found(bot, some, query), context)


@require_safe
def document_history(request: HttpRequest, bot: Bot, path: str) -> HttpResponse:
    if open_bot(bot).dialect.describe(path) is None:
        raise Http404(_("This bot has no file with that name."))
    of_path = Revision.objects.filter(bot=bot, path=path).values("change_set")
    context: dict[str, object] = {"path": path, "title": title(bot, path), "tab": "history", **around(bot, path)}
    sets = light(ChangeSet.objects.filter(bot=bot, pk__in=of_path))
    context["undoing"] = _undoing(bot, sets, path)
    return _list(request, bot, sets, context)


def _list(request: HttpRequest, bot: Bot, sets: QuerySet[ChangeSet], context: dict[str, object]) -> HttpResponse:
    page = Paginator(sets, AT_ONCE).get_page(request.GET.get("page"))
    shown = {"bot": bot, "place": "history", "page": page, **context}
    here = list(page.object_list)
    shown["entries"] = change_rows(here, bot, request.user, folded(here))
    return render(request, "memory/history/history.html", shown)


def _undoing(bot: Bot, sets: QuerySet[ChangeSet], path: str = "") -> str:
    """Whether these changes can be undone: those whose text was pruned or purged can't, and a first look is none."""
    if not sets.exclude(kind=ChangeSet.Kind.FOUND).exists():
        return ""
    lost = Revision.objects.filter(LET_GO, bot=bot)
    if (lost.filter(path=path) if path else lost).exists():
        return _("Changes can be undone while History holds their text.")
    if sets.filter(kind=ChangeSet.Kind.FOUND).exists():
        return _("All but the first import can be undone.")
    return _("Every change can be undone.")


@require_safe
def change_set(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    one = get_object_or_404(bot.change_sets, pk=pk)
    files = moved_files(one)
    rest = one.revisions.exclude(pk__in=[pk for file in files for pk in (file.pk, file.gone_pk)])
    rest = rest.none() if one.state in NEVER_WRITTEN else rest  # what was meant, no file ever had
    only, others = _only(request, rest), rest.count()
    page = Paginator(only or rest, SHOWN_DOCUMENTS).get_page(request.GET.get("page"))
    here, count = list(page.object_list), others + 2 * len(files)
    first = here if page.number == 1 and not files and not only else list(one.revisions.all()[:SHOWN_DOCUMENTS])
    rows = request.GET.get("rows", "1") if page.paginator.count == 1 else ""
    diffs = [] if one.kind == ChangeSet.Kind.FOUND else _diffs(bot, here, rows)
    back = undone(bot, [one.pk]).get(one.pk)
    gone = back.paths if back else frozenset()
    undoable = can_undo(bot, one, first) and not (back and back.wholly)
    stands = _standing(one, first, count, gone) if undoable else []
    context = {
        "bot": bot,
        "place": "history",
        "set": one,
        "headline": title_of(bot, one, first[:3]),
        "state": not_standing(one),
        "why": translate(one.why),
        "by": who(bot, one, request.user.pk),
        "page": (diffs[0].page if len(diffs) == 1 else None) or page,
        "only": only,
        "diffs": diffs,
        "can_undo": undoable,
        "moved": files,
        "files": others + len(files),
        "foresight": foresee(
            bot, stands, {file.path: file.from_path for file in files}, diffs[0].whole if diffs else None
        )
        if 0 < len(stands) <= FORESEEN
        else None,
        "left": _left(bot, stands, files),
        "back": back,
        "gone": gone,
        "became": became(back, one),
        "tests": recall_tests.changed_by(one),
        "redoes": redoes(one),
        "undid": _undid(bot, one),
        "way": way if (way := request.GET.get("diff", "")) in WAYS else "",
        "brought": brought_back(one, rest[:TOLD], others + len(files))
        if first and one.kind == ChangeSet.Kind.UNDO
        else None,
        "marked": _marked(bot, one),
    }
    return render(request, "memory/history/change_set.html", context)


def _diffs(bot: Bot, here: Sequence[Revision], rows: str) -> list[RevisionDiff]:
    """The differences of a page, which share its room; of the only file the page of rows that is asked for."""
    return [revision_diff(bot, revision, ROOM // len(here), rows) for revision in here]


def _only(request: HttpRequest, revisions: QuerySet[Revision]) -> list[Revision]:
    """The one file that is asked for, to see all that changed in it; empty for none."""
    number = as_number(request.GET.get("file", ""))
    return list(revisions.filter(pk=number)) if number else []


def _marked(bot: Bot, one: ChangeSet) -> list[tuple[str, str, str]]:
    """What a change pinned or unpinned and is there still: text, document and its address."""
    facts = Fact.objects.filter(bot=bot).select_related("document").order_by("document__path", "ordinal")
    there = (fact for keys in versions.batches(pinning.marked(one)[0]) for fact in facts.filter(key__in=keys))
    return [
        (excerpt(fact.text)[0], title(bot, (path := fact.document.path)), address("document", bot, path))
        for fact in islice(there, SHOWN_DOCUMENTS)
    ]


def _undid(bot: Bot, one: ChangeSet) -> tuple[int, int] | None:
    """(logs, facts) that were put back, of the undo of a whole compaction."""
    about, is_redo = root_of(one)
    if one.kind != ChangeSet.Kind.UNDO or is_redo or about.kind != ChangeSet.Kind.COMPACTION:
        return None
    logs = sum(about.details.get(name, 0) for name in ("removed", "archived_logs"))
    return (logs, about.details.get("moved", 0)) if logs and not undone_in(bot, one) else None


def _standing(one: ChangeSet, first: list[Revision], count: int, gone: Collection[str]) -> list[Revision]:
    """What an undo would take back. `first` are the first revisions of the set, perhaps all `count` of them; `gone` is undone."""
    every = first if len(first) == count else one.revisions.all()
    return [revision for revision in every if revision.done and revision.path not in gone]


def _left(bot: Bot, stands: Sequence[Revision], moved: Sequence[MovedFile]) -> int:
    """How many files an undo would write, one that was moved once; what was said stays said."""
    paths = {revision.path for revision in stands if not is_record(bot, revision.path)}
    return len(paths - {file.from_path for file in moved if file.path in paths})


@post_only
def undo(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    one = get_object_or_404(bot.change_sets, pk=pk)
    paths = _paths(request, one)
    try:
        if "confirmed" not in request.POST and (lost := parted.foresee_lost(bot, one, paths)):
            question = {**_asked(bot, one, paths, lost), "next": ours(request.POST.get("next", ""))}
            return render(request, "memory/history/undo_part.html", question)
        if undoing.takes_long(meant := _meant(standing(one), paths)):
            return redirect("memory:job", bot.slug, undoing.start(bot, one, by(request), meant if paths else ()).pk)
        outcome = journal.undo(bot, one, by(request), paths or None)
    except (journal.Busy, VaultError) as error:
        return _in_the_way(request, bot, one, error, restored=False)
    return _after(request, bot, one, outcome, restored=False)


@post_only
def restore(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    one = get_object_or_404(bot.change_sets, pk=pk)
    paths = _paths(request, one)
    revisions = _meant(one.revisions.filter(done=True), paths)
    why = say("Went back to the files after: %(what)s", what=one.why or summary(bot, one, list(revisions[:3])))
    if undoing.back_takes_long(revisions):
        job = undoing.start_back(bot, one, by(request), why, revisions if paths else ())
        return redirect("memory:job", bot.slug, job.pk)
    try:
        outcome = journal.restore(bot, list(revisions), by(request), why)
    except (journal.Busy, VaultError, versions.Forgotten) as error:
        return _in_the_way(request, bot, one, error, restored=True)
    return _after(request, bot, one, outcome, restored=True)


def _in_the_way(
    request: HttpRequest, bot: Bot, one: ChangeSet, why: Exception | journal.Conflict, *, restored: bool
) -> HttpResponse:
    """The page that says what stands in the way."""
    conflict = why if isinstance(why, journal.Conflict) else journal.Conflict((), str(why))
    context = {"bot": bot, "place": "history", "set": one, "conflict": conflict, "restored": restored}
    context["is_half"] = isinstance(why, HalfWritten)
    return render(request, "memory/history/conflict.html", context, status=409)


def _paths(request: HttpRequest, one: ChangeSet) -> list[str]:
    """The documents of a change set that are meant, by path or by the number of their revision: a path may be no text."""
    numbers = [as_number(number) or 0 for number in request.POST.getlist("revision")]
    paths = [*request.POST.getlist("path"), *one.revisions.filter(pk__in=numbers).values_list("path", flat=True)]
    return both_ends(moved_files(one), paths) if paths else []


def _meant(revisions: QuerySet[Revision], paths: Collection[str]) -> QuerySet[Revision]:
    """Those of some documents; all where none is named."""
    return revisions.filter(path__in=paths) if paths else revisions


def _after(
    request: HttpRequest, bot: Bot, one: ChangeSet, outcome: journal.Applied | journal.Conflict, *, restored: bool
) -> HttpResponse:
    """To the change set that was made, or a page that says what stands in the way."""
    if isinstance(outcome, journal.Conflict):
        return _in_the_way(request, bot, one, outcome, restored=restored)
    made = outcome.change_set
    if made is None:
        messages.info(request, _("The files already match. Nothing was changed."))
        return redirect("memory:change_set", bot.slug, one.pk)
    index.look_all(bot, made.revisions.values_list("path", flat=True)[:SHOWN_DOCUMENTS])
    tell(request, bot, made)
    return back(request, reverse("memory:change_set", args=[bot.slug, made.pk]))


def _asked(bot: Bot, one: ChangeSet, paths: Collection[str], lost: Sequence[parted.Lost]) -> dict[str, object]:
    """Which documents are meant, how many facts no file would have then, and the way that keeps them."""
    about, again = root_of(one)[0], redoes(one)
    parts = [part for part in standing(one).order_by("id") if not paths or part.path in paths]
    into = {fact.path for fact in lost}
    way = parted.undo_of(bot, about, into) if again else about
    return {
        "bot": bot,
        "place": "history",
        "set": one,
        "parts": parts if paths else (),
        "file": _named(one, {part.path for part in parts}),
        "into": ", ".join(sorted(into)),
        "paths": sorted(into),
        "lost": runner.lost_facts(one, lost),
        "redoes": again,
        "way": way,
    }


def _named(one: ChangeSet, paths: set[str]) -> str:
    """The one document, or how many there are; one that was moved is one."""
    named = paths - {file.from_path for file in moved_files(one) if file.path in paths}
    words = number_of("%(count)s file", "%(count)s files", len(named))
    return min(named) if len(named) == 1 else words
