"""Operations on change sets: who changed what, one of them with its differences, undo."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memory import index, journal
from memory.access import api_tokens
from memory.bots import open_bot
from memory.compaction import runner
from memory.curation import parted
from memory.curation.documents import sides_as_text, version_as_text
from memory.domain.changes import Change, digest
from memory.journal import versions
from memory.journal.undone import Undone as Back, undone
from memory.models import Bot, ChangeSet, Revision
from memory.text.merge.diff import unified_diff
from memory.web.api.authentication import READ, WRITE, bot_of, caller, fresh_bot_of
from memory.web.api.errors import WITH_BODY, Conflict, Problem, refusals
from memory.web.api.fields import Given, Limit, Number, OutputText, Path, Sent, Slug, given, like, page_of
from memory.web.api.reviewed import may_write

router = Router(tags=["changes"])
NAMED = 20  # documents that a list names of one change set
LOOKED_AT = 50  # documents whose rows are brought in step at once
NO_SET = "This bot has no such change set."
ALREADY_SO = "The files already are like that. Nothing was written."
# Its own name in the schema: documents have kinds too.
ChangeKind = Literal["edit", "capture", "answer", "compaction", "undo", "restore", "import", "outside", "found"]


class ChangeShape(Schema):
    """Changes that were committed together."""

    id: int
    kind: str = Field(examples=["edit"])
    by: str = Field(description="Who it was, as far as it is known.", examples=["ana"])
    why: OutputText
    state: str = Field(description="`applied` and `settling` stand in the files.", examples=["applied"])
    note: OutputText = Field(description="What went differently.")
    created: datetime
    undoes: int | None = Field(description="The change set that this one took back.")
    undone: Literal["wholly", "in part"] | None = Field(description="What of it is undone now.")
    undone_by: int | None = Field(description="The newest that saw to that.")
    paths: list[OutputText] = Field(description="The first twenty of its documents.")


class Changes(Schema):
    """A page of change sets, newest first."""

    changes: list[ChangeShape]
    next: int | None = Field(description="Give it as `before` for the next page; null at the end.")


class RevisionShape(Schema):
    """One document's part of a change set."""

    path: OutputText
    action: str = Field(description="`put`, `append` or `delete`.")
    before: str | None = Field(description="The sha256 before; null where there was no document, or it is not known.")
    after: str | None
    done: bool = Field(description="The file has it.")
    diff: OutputText | None = Field(description="Unified; null where the history does not hold both sides.")


class ChangeDetail(ChangeShape):
    """A change set with a page of its documents."""

    documents: list[RevisionShape]
    next: int | None = Field(description="Give it as `after` for the next documents; null at the end.")


class ChangesQuery(Given):
    """Which change sets."""

    path: Path = Field("", description="Only those that touched this document.")
    kind: ChangeKind | None = None
    before: Number | None = Field(None, description="The `next` of the page before.")
    limit: Limit = 50


class Page(Given):
    """Which of a change set's documents."""

    after: Number | None = Field(None, description="The `next` of the page before.")
    limit: int = Field(20, ge=1, le=50)


class Undo(Sent):
    """What to take back."""

    model_config = like()

    paths: list[Path] | None = Field(
        None, min_length=1, max_length=1000, description="Only these documents' part of it."
    )


class Undone(Schema):
    """It is taken back."""

    change_set: int = Field(description="What takes the undo back.")
    joined: list[OutputText] = Field(description="Documents that others had written to since; their lines were kept.")
    lost: int = Field(description="Facts that no document has any more, as only one end of their move was taken back.")


@router.get("/changes", auth=READ, response={200: Changes, **refusals()}, summary="Who changed what")
def list_changes(request: HttpRequest, slug: Slug, which: Query[ChangesQuery]) -> dict[str, Any]:
    """Newest first, also what came from outside."""
    bot = fresh_bot_of(request, slug)
    sets = ChangeSet.objects.filter(bot=bot, **given(kind=which.kind, pk__lt=which.before)).defer("details")
    if which.path:
        sets = sets.filter(pk__in=Revision.objects.filter(bot=bot, path=which.path).values("change_set"))
    page, more = page_of(sets.order_by("-id"), which.limit)
    return {"changes": _shapes(bot, page), "next": page[-1].pk if more else None}


@router.get(
    "/changes/{change_set}",
    auth=READ,
    response={200: ChangeDetail, **refusals()},
    summary="One change set with its differences",
)
def read_change(request: HttpRequest, slug: Slug, change_set: Number, page: Query[Page]) -> dict[str, Any]:
    """Some of its documents at a time, each with its difference."""
    one = _named(bot_of(request, slug), change_set)
    here, more = page_of(one.revisions.filter(pk__gt=page.after or 0).order_by("id"), page.limit)
    for row in here:
        row.bot = one.bot  # it would be asked for again
    documents = [] if one.kind == ChangeSet.Kind.FOUND else [_revision(one.bot, row) for row in here]
    return {**_shapes(one.bot, [one])[0], "documents": documents, "next": here[-1].pk if more else None}


@router.post(
    "/changes/{change_set}/undo",
    auth=WRITE,
    response={200: Undone, **WITH_BODY, 409: Conflict},
    summary="Take a change set back",
)
def undo_change(
    request: HttpRequest, slug: Slug, change_set: Number, what: Undo
) -> dict[str, Any] | Status[dict[str, Any]]:
    """What others wrote since is kept. An undo is a change set itself and can be undone."""
    bot = bot_of(request, slug)
    one = _named(bot, change_set)
    may_write(bot, _inverse(bot, one, what.paths))
    lost = runner.lost_facts(one, parted.foresee_lost(bot, one, what.paths))
    outcome = journal.undo(bot, one, api_tokens.by(caller(request)), what.paths)
    if isinstance(outcome, journal.Conflict):
        return Status(409, {"error": _conflict(bot, outcome)})
    if outcome.change_set is None:
        raise Problem(409, "already_so", ALREADY_SO)
    index.look_all(bot, outcome.change_set.revisions.values_list("path", flat=True)[:LOOKED_AT])
    return {"change_set": outcome.change_set.pk, "joined": list(outcome.joined), "lost": lost}


def _inverse(bot: Bot, one: ChangeSet, paths: Collection[str] | None) -> list[Change]:
    """What taking it back would write; nothing where something stands in the way, which the undo says."""
    revisions = [row for row in one.revisions.order_by("pk") if paths is None or row.path in paths]
    seen = journal.foresee(bot, revisions)
    return [] if isinstance(seen, journal.Conflict) else [found.change for found in seen]


def _named(bot: Bot, number: int) -> ChangeSet:
    one = bot.change_sets.filter(pk=number).first()
    if one is None:
        raise Problem(404, "not_found", NO_SET)
    return one


def _shapes(bot: Bot, sets: list[ChangeSet]) -> list[dict[str, Any]]:
    """Change sets as they are told, with three statements however many there are."""
    wanted = [one.pk for one in sets if one.kind != ChangeSet.Kind.FOUND]
    paths: dict[int, list[str]] = {}
    for pk, path in Revision.objects.filter(change_set__in=wanted).order_by("id").values_list("change_set", "path"):
        paths.setdefault(pk, []).append(path)
    gone = undone(bot, [one.pk for one in sets])
    names = ("id", "kind", "by", "why", "state", "note", "created")
    return [
        {
            **{name: getattr(one, name) for name in names},
            "undoes": one.undoes_id,
            **_undone(gone.get(one.pk)),
            "paths": list(dict.fromkeys(paths.get(one.pk, [])))[:NAMED],
        }
        for one in sets
    ]


def _undone(back: Back | None) -> dict[str, str | int | None]:
    if back is None:
        return {"undone": None, "undone_by": None}
    return {"undone": "wholly" if back.wholly else "in part", "undone_by": back.by}


def _revision(bot: Bot, row: Revision) -> dict[str, Any]:
    named = {name: getattr(row, name) for name in ("path", "action", "done")}
    return {**named, "before": row.before or None, "after": row.after or None, "diff": _diff(bot, row)}


def _diff(bot: Bot, row: Revision) -> str | None:
    if row.action == Revision.Action.APPEND and not row.after:
        before, after = b"", bytes(row.added or b"")
    else:
        try:
            old, new = versions.sides(row)
        except versions.Forgotten:
            return None
        before, after = old or b"", new or b""
    sides = sides_as_text(open_bot(bot).dialect, row.path, before, after)
    return unified_diff(*sides)


def _conflict(bot: Bot, outcome: journal.Conflict) -> dict[str, Any]:
    told: dict[str, Any] = {"code": "conflict", "message": f"Nothing was taken back. {outcome.reason}"}
    if outcome.clashes:
        first = outcome.clashes[0]
        told["path"] = first.path
        for side in ("base", "ours", "theirs"):
            data = getattr(first, side)
            text = version_as_text(open_bot(bot).dialect, first.path, data)
            told[side] = {"sha256": digest(data) if data else None, "text": text}
    return told
