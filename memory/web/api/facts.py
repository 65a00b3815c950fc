"""Operations on facts: list, add, reword, forget."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import BeforeValidator, Field

from memory import index
from memory.access import api_tokens
from memory.bots import open_bot
from memory.curation import acts, facts as fact_edits, lineage
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.models import Bot, Document, Fact
from memory.search import log
from memory.web.api.authentication import READ, WRITE, bot_of, caller, fresh_bot_of
from memory.web.api.documents import NO_DOCUMENT, Held, Where, wanted
from memory.web.api.errors import WITH_BODY, Problem, refusals, refused
from memory.web.api.fields import (
    Chat,
    Given,
    Key,
    Limit,
    Nth,
    OutputText,
    Path,
    PlainSchema,
    Sent,
    Slug,
    Text,
    like,
    page_of,
)
from memory.webhook import held_writes

router = Router(tags=["facts"])
MOST = 5000  # facts of one call
How = Literal[
    "said", "added", "reworded", "moved", "promoted", "merged", "split", "superseded", "forgotten", "returned"
]


class FactShape(PlainSchema):
    """One remembered thing. (path, key, nth) names it, also while lines move."""

    path: OutputText = Field(examples=["2026-11-20.md"])
    key: str
    nth: int
    line: int = Field(description="From 1.")
    end_line: int
    time: Annotated[str | None, BeforeValidator(lambda said: said or None)] = Field(
        description="`HH:MM`, if its document says so.", examples=["09:30"]
    )
    text: OutputText = Field(examples=["Lives in Porto"])
    heading: OutputText = Field(description="What it stands under.")
    tokens: int = Field(description="What it costs, by estimate.")
    kind: str
    tier: str
    scope: OutputText
    day: str


class Facts(Schema):
    """A page of facts, by document and place in it."""

    facts: list[FactShape]
    next: OutputText | None = Field(description="Give it as `after` for the next page; null at the end.")


class FactsQuery(Where):
    """Which facts."""

    path: Path = ""
    after: str = Field("", max_length=5000, description="The `next` of the page before.")
    limit: Limit = 100


class Meant(Sent):
    """Which fact is meant."""

    path: Path
    key: Key
    nth: Nth = 0


class Named(Given):
    """A fact by a name that it has or had."""

    path: Path = Field(json_schema_extra={"example": "MEMORY.md"})
    key: Key = Field(json_schema_extra={"example": "0b7e2d5a9c4f13868a1de0f5c2b79e64"})


class NewFact(Sent):
    """A fact to be added."""

    model_config = like(text="Lives in Porto", path="MEMORY.md")

    text: Text = Field(min_length=1, examples=["Lives in Porto"])
    path: Path = Field("", description="Where to; today's log if it is left out.")
    chat: Chat = Field("", description="Without a path: whose log of today, the bot's own if it is left out.")


class Reworded(Meant):
    """A fact that shall say something else."""

    model_config = like(path="MEMORY.md", key="0b7e2d5a9c4f13868a1de0f5c2b79e64", nth=0, text="Lives in Lisbon")

    text: Text = Field(min_length=1, examples=["Lives in Lisbon"])


class Forgotten(Sent):
    """Facts that shall go, all of them or none."""

    model_config = like(facts=[{"path": "MEMORY.md", "key": "0b7e2d5a9c4f13868a1de0f5c2b79e64", "nth": 0}])

    facts: list[Meant] = Field(min_length=1, max_length=MOST)


class Step(Schema):
    """What a change made of a fact."""

    how: How = Field(description="`said`: it was added to its document, or came with it.")
    at: datetime
    by: str
    why: OutputText
    change_set: int
    path: OutputText
    key: str
    text: OutputText = Field(
        description="What it says since then; empty if it went, or if the history no longer tells."
    )
    beside: list[OutputText] = Field(description="What was merged into it, or split from it, by the same change.")
    chat: str | None = Field(description="The chat of the turn that it came with.")
    delivery: int | None


class Search(Schema):
    """A search that found a fact."""

    words: OutputText
    at: datetime


class Life(Schema):
    """One fact from its beginning to now."""

    path: OutputText = Field(description="Where it stands, or stood last.")
    key: str
    text: OutputText
    stands: bool = Field(description="Whether it is there now.")
    steps: list[Step] = Field(description="The oldest first.")
    searches: list[Search] = Field(
        description="Those of the last thousand over the API that found it, the newest first."
    )


class Done(Schema):
    """The files have it."""

    change_set: int | None = Field(description="What undoes it; null: the files said so already.")
    paths: list[OutputText] = Field(description="The documents that were written.")


@router.get("/facts", auth=READ, response={200: Facts, **refusals()}, summary="The facts, a page at a time")
def list_facts(request: HttpRequest, slug: Slug, which: Query[FactsQuery]) -> dict[str, Any]:
    """In the order of documents and lines: of one document, fresh from its file, or of all, as the index has them."""
    bot = bot_of(request, slug) if which.path else fresh_bot_of(request, slug)
    ordinal, behind = _behind(which.after)
    some = wanted(bot, which).filter(path__gte=behind, facts_count__gt=0).order_by("path")
    if which.path:
        some = some.filter(path=_looked_at(bot, which.path))
    documents = _enough(some[: which.limit + 2], behind, which.limit)
    rows = Fact.objects.filter(bot=bot, document__in=documents).order_by("document__path", "ordinal")
    found, more = page_of(rows.exclude(document__path=behind, ordinal__lte=ordinal), which.limit)
    page = [_shape(row, documents[row.document_id]) for row in found]
    return {"facts": page, "next": f"{found[-1].ordinal}:{page[-1]['path']}" if more else None}


@router.get("/facts/life", auth=READ, response={200: Life, **refusals()}, summary="One fact's life")
def get_life(request: HttpRequest, slug: Slug, which: Query[Named]) -> dict[str, Any]:
    """Where a fact came from, how it was reworded and moved, and what took it, by any key that it had in any document. A fact that
    is gone has one, too."""
    bot = bot_of(request, slug)
    index.look(bot, which.path)
    life = lineage.lineage_of(bot, which.path, which.key)
    if not life.steps and not life.stands:
        raise Problem(404, "not_found", "Nothing is known of such a fact.")
    return {**lineage.as_json(life), "searches": log.searches_of(bot, life.keys)}


@router.post("/facts", auth=WRITE, response={200: Done, 202: Held, **WITH_BODY}, summary="Remember one more fact")
def add_fact(request: HttpRequest, slug: Slug, new: NewFact) -> dict[str, Any] | Status[dict[str, Any]]:
    """As the bot itself would write it: an entry of today's log, or a line of a long-term memory. It may be held for review, as the
    bot's settings say; then the answer is 202, and nothing is written yet."""
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    path = new.path or open_bot(bot).dialect.path(Kind.DAILY, new.chat, open_bot(bot).today())
    if path is None:
        raise Problem(422, "refused", "This bot keeps no daily log; name a path.")
    if held_writes.adding(bot, path, new.text, by):
        return Status(202, {"status": "held", "paths": [path]})
    return _told(fact_edits.add(bot, path, new.text, by))


@router.patch("/facts", auth=WRITE, response={200: Done, 202: Held, **WITH_BODY}, summary="Reword a fact")
def edit_fact(request: HttpRequest, slug: Slug, said: Reworded) -> dict[str, Any] | Status[dict[str, Any]]:
    """All around it stays byte for byte. It may be held for review like a new fact."""
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    if held_writes.editing(bot, FactRef.of(said), said.text, by):
        return Status(202, {"status": "held", "paths": [said.path]})
    return _told(fact_edits.edit(bot, said.path, said.key, said.nth, said.text, by))


@router.post("/facts/forget", auth=WRITE, response={200: Done, 202: Held, **WITH_BODY}, summary="Forget facts")
def forget_facts(request: HttpRequest, slug: Slug, meant: Forgotten) -> dict[str, Any] | Status[dict[str, Any]]:
    """Of any number of documents, as one change set that can be undone. What would remove much of a document may be held for
    review, as the bot's settings say; then the answer is 202, and nothing is forgotten yet."""
    wanted = [FactRef.of(one) for one in meant.facts]
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    if held_writes.forgetting(bot, wanted, by):
        return Status(202, {"status": "held", "paths": sorted({path for path, _key, _nth in wanted})})
    return _told(fact_edits.forget(bot, wanted, by))


def _told(outcome: acts.Done | Refused) -> dict[str, Any]:
    if isinstance(outcome, Refused):
        if outcome.reason == acts.NOT_THERE:
            raise Problem(409, "gone", outcome.reason)
        raise refused(outcome)
    made = outcome.change_set
    return {"change_set": made.pk if made else None, "paths": list(outcome.paths)}


def _looked_at(bot: Bot, path: str) -> str:
    looked = index.look(bot, path)
    if looked.error:
        raise Problem(409, "unreadable", looked.error)
    if looked.document is None:
        raise Problem(404, "not_found", NO_DOCUMENT)
    return path


def _behind(after: str) -> tuple[int, str]:
    """(ordinal, path) of the last fact of the page before."""
    if not after:
        return -1, ""
    ordinal, colon, path = after.partition(":")
    if not (colon and ordinal.isascii() and ordinal.isdecimal() and len(ordinal) < 10 and "\0" not in path):
        raise Problem(422, "invalid", "after: It is no `next` of a page.")
    return int(ordinal), path


def _enough(some: Iterable[Document], behind: str, limit: int) -> dict[int, Document]:
    """The first of these documents, as many as hold a page of facts and one more. Of the one that a page ended in, nothing
    may be left."""
    found: dict[int, Document] = {}
    for row in some:
        found[row.pk] = row
        limit -= row.facts_count if row.path != behind else 0
        if limit < 0:
            break
    return found


def _shape(row: Fact, document: Document) -> dict[str, Any]:
    own = {name: getattr(row, name) for name in ("key", "nth", "line", "end_line", "time", "text", "heading", "tokens")}
    of_document = {name: getattr(document, name) for name in ("path", "kind", "tier", "scope", "day")}
    return {**own, **of_document}
