"""The operation that finds facts by their words."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import AfterValidator, Field

from memory import search
from memory.bots import open_bot
from memory.domain.places import Tier
from memory.prompts import uses
from memory.search import log
from memory.web.api.authentication import READ, fresh_bot_of
from memory.web.api.errors import refusals
from memory.web.api.facts import FactShape
from memory.web.api.fields import Chat, Given, Limit, OutputText, PlainSchema, Slug, Sought

router = Router(tags=["facts"])
Worth = Annotated[float, AfterValidator(lambda worth: round(worth, 4))]  # four digits of it


class WhyShape(PlainSchema):
    """Where a score comes from, each number in the same unit."""

    words: list[OutputText] = Field(description="Of those that were asked for, the ones it says itself.")
    about: list[OutputText] = Field(description="The ones in its heading or its speaker.")
    beside: list[OutputText] = Field(description="The ones that only a neighbour says.")
    own: Worth
    neighbours: Worth
    document: Worth
    speaks: bool = Field(description="It is said by whom the question names.")
    alike: Worth = Field(description="What a language model's vectors add.")


class HitShape(FactShape):
    """A fact that was found."""

    score: float = Field(description="Higher is better; scores of two questions cannot be compared.")
    why: WhyShape
    marks: list[tuple[int, int]] = Field(description="What in the text was meant: [start, end) in characters.")


class Hits(PlainSchema):
    """What was found, best first."""

    hits: list[HitShape]
    found: int = Field(description="How many were ranked, at most 200.")
    more: bool = Field(description="There may be others beyond those.")
    nowhere: list[OutputText] = Field(description="Words that no fact has.")
    notes: list[OutputText] = Field(description="What has to be said about the query, for people.")
    walked: datetime | None = Field(description="When the files were last looked over; the index is as old as that.")


class SearchQuery(Given):
    """What is looked for."""

    q: Sought = Field(
        description='Words, "phrases", -not, and tier:, chat:, day:, before:, after:, kind:, in:PATH. Nothing typed is an error.',
        json_schema_extra={"example": "moved to porto"},
    )
    chat: Chat = ""
    tier: Tier | None = None
    limit: Limit = search.FEW
    offset: int = Field(0, ge=0, le=search.MOST)


@router.get("/facts/search", auth=READ, response={200: Hits, **refusals()}, summary="Find facts by their words")
def search_facts(request: HttpRequest, slug: Slug, which: Query[SearchQuery]) -> dict[str, Any]:
    """Ranked, each with the reason. A limit or an offset only cuts: the order stays."""
    bot = fresh_bot_of(request, slug)
    tier = which.tier.value if which.tier else None
    found = search.search(
        bot,
        which.q,
        now=open_bot(bot).now(),
        chat=which.chat or None,
        tier=tier,
        limit=which.limit,
        offset=which.offset,
    )
    with transaction.atomic():  # one commit for what it leaves behind
        uses.record(bot, (hit.key for hit in found.hits))
        log.note(bot, which.q, [hit.key for hit in found.hits], timezone.now())
    said = {"found": found.found, "more": found.more, "nowhere": found.nowhere, "notes": found.notes}
    return {"hits": found.hits, **said, "walked": bot.walked}
