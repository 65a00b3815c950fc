"""Operations on the prompt: what the bot reads, and what was fetched before."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from memory.domain.changes import digest
from memory.models import Fetched
from memory.prompts import build, served, uses
from memory.prompts.build import Priced, PricedSection
from memory.web.api.authentication import READ, bot_of, caller
from memory.web.api.errors import WITH_BODY, Problem, refusals
from memory.web.api.fields import (
    Chat,
    Given,
    Limit,
    Moment,
    Number,
    OutputText,
    Sent,
    Slug,
    Sought,
    given,
    like,
    page_of,
)

router = Router(tags=["prompt"])


class FactCost(Schema):
    """A fact in the prompt and what it costs there."""

    path: OutputText
    line: int
    key: str
    nth: int
    text: OutputText
    tokens: int


class SectionShape(Schema):
    """One headed part; the texts of all of them joined are the text of the whole."""

    heading: OutputText
    tier: str | None = Field(description="null for the bot's fixed words.")
    text: OutputText
    tokens: int
    documents: dict[OutputText, int] = Field(description="Path -> tokens.")
    facts: list[FactCost]


class LeftOutShape(Schema):
    """What the bot does not read now, and why."""

    path: OutputText
    why: OutputText
    age: str
    count: int = Field(description="How many facts of the document it stands for; 1 for the whole document.")


class DocumentVersion(Schema):
    """A document in the prompt, and which version of it."""

    path: OutputText
    sha256: str | None
    tokens: int


class PromptShape(Schema):
    """The memory section of the prompt, byte for byte as the bot reads it."""

    fetched: int = Field(description="Under which number the desk lists it.")
    text: OutputText
    sha256: str = Field(description="Of the text.")
    tokens: int
    counter: str = Field(description="Who counted the tokens, as in `estimate, cl100k_base`.")
    own_words: int = Field(description="Tokens of the bot's fixed words: with those of the documents they are all.")
    documents: list[DocumentVersion]
    sections: list[SectionShape]
    left_out: list[LeftOutShape]
    unsure: list[OutputText] = Field(description="What of it the running bot may read otherwise, in sentences.")


class PromptRequest(Sent):
    """For whom the prompt is, and when."""

    model_config = like(chat="telegram-42", query="Where do I live?")

    chat: Chat = Field("", description="The chat's session id; none if it is left out.", examples=["telegram-42"])
    query: Sought = Field("", description="The user's message, for bots that choose by it.")
    sender: Sought = Field(
        "", description="Who writes, for bots that keep entries by user; the chat itself if it is left out."
    )
    now: Moment | None = Field(None, strict=False, description="Another time than now; without an offset it is UTC.")


class FetchedVersion(Schema):
    """A document as it was in the prompt; `current`: it is still that version."""

    path: OutputText
    sha256: str
    current: bool


class FetchedShape(Schema):
    """A prompt that was fetched."""

    id: int
    at: datetime
    chat: str
    query: str
    tokens: int
    sha256: str = Field(description="Of the text.")
    token: str | None = Field(description="The name of the API key that fetched it.")
    documents: list[FetchedVersion]


class FetchedList(Schema):
    """Prompts that were fetched, newest first."""

    fetched: list[FetchedShape]
    next: int | None = Field(description="Give it as `before` for the next page; null at the end.")


class FetchedPromptsQuery(Given):
    """Which fetched prompts."""

    chat: Chat = Field("", description="Only those for this chat.")
    before: Number | None = Field(None, description="The `next` of the page before.")
    limit: Limit = 50


@router.post("/prompt", auth=READ, response={200: PromptShape, **WITH_BODY}, summary="The prompt")
def fetch_prompt(request: HttpRequest, slug: Slug, asked: PromptRequest) -> dict[str, Any]:
    """The memory section for a chat and a question, with what each section, document and fact costs and what is left out. That
    it was fetched is kept, with the version of each document in it. The question is in the body, so that no log of addresses has
    it."""
    bot = bot_of(request, slug)
    memory = served.Noted(bot)
    try:
        priced = build.build(bot, asked.chat, asked.query, asked.now, memory, asked.sender)
    except build.PromptRefused as refused:
        raise Problem(409 if isinstance(refused, build.Spilled) else 422, "refused", str(refused)) from None
    uses.record_prompt(bot, priced.lines)
    row = served.record(caller(request), timezone.now(), asked.chat, asked.query, priced, memory.versions)
    return _shape(priced, row.pk, memory.versions)


@router.get(
    "/fetched", auth=READ, response={200: FetchedList, **refusals()}, summary="Was it loaded? Prompts that were fetched"
)
def list_fetched(request: HttpRequest, slug: Slug, which: Query[FetchedPromptsQuery]) -> dict[str, Any]:
    """Newest first, each with the versions of its documents and whether they are still those. The newest ten thousand are kept."""
    bot = bot_of(request, slug)
    found = Fetched.objects.filter(bot=bot, **given(chat=which.chat or None, pk__lt=which.before))
    page, more = page_of(found.select_related("token").order_by("-at", "-id"), which.limit)
    now = served.versions_now(bot, page)
    return {"fetched": [_fetched(row, now) for row in page], "next": page[-1].pk if more else None}


def _fetched(row: Fetched, now: dict[str, str]) -> dict[str, Any]:
    named = {name: getattr(row, name) for name in ("id", "at", "chat", "query", "tokens", "sha256")}
    documents = [
        {"path": path, "sha256": sha256, "current": now.get(path) == sha256} for path, sha256 in row.documents.items()
    ]
    return {**named, "token": row.token.name if row.token else None, "documents": documents}


def _shape(priced: Priced, number: int, versions: dict[str, str]) -> dict[str, Any]:
    documents = [
        {"path": path, "sha256": versions.get(path), "tokens": cost} for path, cost in priced.documents.items()
    ]
    return {
        "fetched": number,
        "text": priced.text,
        "sha256": digest(priced.text.encode("utf-8", "surrogatepass")),
        "tokens": priced.tokens,
        "counter": priced.counter.name,
        "own_words": priced.own_words,
        "documents": documents,
        "sections": [_section(section) for section in priced.sections],
        "left_out": [asdict(one) for one in priced.left_out],
        "unsure": list(priced.unsure),
    }


def _section(section: PricedSection) -> dict[str, Any]:
    facts = [
        {
            "path": line.path,
            "line": line.line,
            "key": line.fact.key,
            "nth": line.fact.nth,
            "text": line.fact.text,
            "tokens": line.tokens,
        }
        for line in section.lines
        if line.fact
    ]
    own = {"heading": section.heading, "text": section.text, "tokens": section.tokens}
    return {**own, "tier": section.tier, "documents": section.documents, "facts": facts}
