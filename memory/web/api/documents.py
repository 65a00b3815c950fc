"""Operations on documents: list, read, write."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memory.access import api_tokens
from memory.bots import open_bot
from memory.curation import documents as document_edits
from memory.domain.outcomes import Refused
from memory.domain.places import Kind, Tier
from memory.models import Bot, Document
from memory.text.ages import instant
from memory.web.api.authentication import READ, WRITE, bot_of, caller, fresh_bot_of
from memory.web.api.errors import WITH_BODY, Conflict, Problem, refusals, refused
from memory.web.api.fields import (
    Chat,
    Day,
    Given,
    Limit,
    OutputText,
    Path,
    Sent,
    Sha256,
    Slug,
    Text,
    given,
    like,
    page_of,
)
from memory.webhook import held_writes

router = Router(tags=["documents"])
NO_DOCUMENT = "There is no document of that name that may be seen here."


class DocumentShape(Schema):
    """One memory file, as the index knows it."""

    path: OutputText = Field(examples=["MEMORY.md"])
    kind: str = Field(examples=["long-term"])
    tier: str = Field(description="`global`, `chat` or `working`.", examples=["global"])
    scope: OutputText = Field(description="Whose it is: a chat's session id, or empty for the bot's own.")
    day: str = Field(description="The day that its name says, or empty.", examples=["2026-11-20"])
    size: int = Field(description="Bytes.")
    modified: datetime
    sha256: str = Field(description="Its version; empty while it cannot be read.")
    tokens: int = Field(description="What it costs, by estimate.")
    facts: int
    error: OutputText = Field(description="Why it cannot be read, or empty.")


class Documents(Schema):
    """A page of documents, by path."""

    documents: list[DocumentShape]
    next: OutputText | None = Field(description="Give it as `after` for the next page; null at the end.")


class DocumentText(Schema):
    """A document, fresh from its file."""

    path: OutputText
    text: OutputText = Field(description="With LF at line ends; the file's own bytes stay where you change nothing.")
    sha256: str = Field(description="The version: state it as `base` when you write.")
    size: int = Field(description="Bytes.")
    read_only: OutputText = Field(description="Why it cannot be written from here, or empty.")
    caution: OutputText = Field(
        description="What to know before it is changed, such as that a running bot overwrites it, or empty."
    )


class Where(Given):
    """Which documents, by what they are."""

    chat: Chat = ""
    kind: Kind | None = None
    tier: Tier | None = None
    scope: Chat | None = Field(None, description="Only this chat's own; empty for only the bot's own.")
    day: Day = ""


class DocumentsQuery(Where):
    """Which page of them."""

    after: Path = Field("", description="The `next` of the page before.")
    limit: Limit = 100


class DocumentQuery(Given):
    """Which document, and for whom."""

    path: Path = Field(json_schema_extra={"example": "MEMORY.md"})
    chat: Chat = ""


class NewText(Sent):
    """A text to be written."""

    model_config = like(
        path="MEMORY.md",
        text="# Memory\n\n- Lives in Porto\n",
        base="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        why="moved",
    )

    path: Path
    text: Text = Field(description="The whole document.")
    base: Sha256 | None = Field(None, description="The version that it was made from; null: there must be none yet.")
    why: Text = Field("", max_length=500, description="What the history says about it.")


class Written(Schema):
    """The file has it."""

    path: OutputText
    sha256: str = Field(description="The version that your text makes: the `base` of the next one.")
    change_set: int | None = Field(description="What undoes it; null: the document said so already.")
    joined: int = Field(description="Lines that others had added meanwhile; they are kept beside yours.", examples=[0])


class Held(Schema):
    """It waits for review, and no file has it. The same call again is answered the same, and waits once."""

    status: Literal["held"]
    paths: list[OutputText] = Field(description="The documents that it would change.")


@router.get("/documents", auth=READ, response={200: Documents, **refusals()}, summary="The documents, a page at a time")
def list_documents(request: HttpRequest, slug: Slug, which: Query[DocumentsQuery]) -> dict[str, Any]:
    """In the order of their paths, from the index, which is brought in step with the files at most 15 seconds before."""
    bot = fresh_bot_of(request, slug)
    page, more = page_of(wanted(bot, which).filter(path__gt=which.after).order_by("path"), which.limit)
    return {"documents": [_shape(row) for row in page], "next": page[-1].path if more else None}


@router.get("/document", auth=READ, response={200: DocumentText, **refusals()}, summary="The text of one document")
def read_document(request: HttpRequest, slug: Slug, which: Query[DocumentQuery]) -> dict[str, Any]:
    """Fresh from its file, with the version that a write has to name."""
    opened = _opened(bot_of(request, slug), which.path, which.chat)
    if opened.data is None:
        if opened.read_only:
            raise Problem(409, "unreadable", opened.read_only)
        raise Problem(404, "not_found", NO_DOCUMENT)
    named = {"path": opened.path, "text": opened.text, "sha256": opened.sha256, "read_only": opened.read_only}
    return {**named, "caution": opened.caution, "size": len(opened.data)}


@router.put(
    "/document", auth=WRITE, response={200: Written, 202: Held, **WITH_BODY, 409: Conflict}, summary="Write a document"
)
def write_document(request: HttpRequest, slug: Slug, new: NewText) -> dict[str, Any] | Status[dict[str, Any]]:
    """Never over what somebody else wrote: what was only added at the end since the version `base` is kept, and `joined` says so.
    If anything else was changed, nothing is written and the answer is 409 with the texts of all sides. What would remove much of
    the document may be held for review, as the bot's settings say; then the answer is 202, and nothing is written yet."""
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    opened = _opened(bot, new.path, "")
    if held_writes.document(bot, new.path, new.text, new.base or "", by, new.why):
        return Status(202, {"status": "held", "paths": [new.path]})
    outcome = document_edits.save(bot, new.path, new.text, new.base or "", by, new.why)
    if isinstance(outcome, Refused):
        raise refused(outcome)
    if isinstance(outcome, document_edits.Conflict):
        return Status(409, {"error": _conflict(bot, new, outcome, opened)})
    made = outcome.change_set
    joined = outcome.joined.lines if outcome.joined else 0
    return {"path": new.path, "sha256": outcome.sha256, "change_set": made.pk if made else None, "joined": joined}


def visible(chat: str) -> tuple[str, str]:
    """The scopes that a chat may see."""
    return ("", chat)


def wanted(bot: Bot, which: Where) -> QuerySet[Document]:
    """The rows of such documents."""
    asked = given(kind=which.kind, tier=which.tier, scope=which.scope, day=which.day or None)
    rows = Document.objects.filter(bot=bot, **asked)
    return rows.filter(scope__in=visible(which.chat)) if which.chat else rows


def _shape(row: Document) -> dict[str, Any]:
    names = ("path", "kind", "tier", "scope", "day", "size", "sha256", "tokens", "error")
    named = {name: getattr(row, name) for name in names}
    return {**named, "facts": row.facts_count, "modified": instant(row.mtime_ns)}


def _opened(bot: Bot, path: str, chat: str) -> document_edits.OpenDocument:
    place = open_bot(bot).dialect.describe(path)
    if place is None or (chat and place.scope not in visible(chat)):
        raise Problem(404, "not_found", NO_DOCUMENT)
    return document_edits.open_document(bot, path)


def _conflict(
    bot: Bot, new: NewText, conflict: document_edits.Conflict, before: document_edits.OpenDocument
) -> dict[str, Any]:
    """All sides of it. Where the file changed again between two looks, the newest look is told."""
    now = document_edits.open_document(bot, new.path)
    base = document_edits.version(bot, before, new.base) if new.base else None
    return {
        "code": "conflict",
        "message": f"{conflict.who} {conflict.what} Nothing was written.",
        "path": new.path,
        "base": {"sha256": new.base, "text": None if base is None else document_edits.as_text(base)},
        "ours": {"sha256": None, "text": new.text},
        "theirs": {"sha256": now.sha256 or None, "text": None if now.data is None else now.text},
        "merged": None if conflict.merged is None else document_edits.as_text(conflict.merged),
    }
