"""The operation that tells a bot's numbers day by day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memory.bots import open_bot
from memory.numbers import over_time
from memory.web.api.authentication import READ, bot_of
from memory.web.api.errors import refusals
from memory.web.api.fields import Given, Slug

router = Router(tags=["numbers"])
USUAL = timedelta(days=183)


class DayShape(Schema):
    """One day of the bot's. What was not noted on it is null."""

    day: str = Field(examples=["2026-11-22"])
    facts: int | None
    long_term_bytes: int | None = Field(description="Of its own long-term memory.")
    prompt_tokens: int | None = Field(description="Of the prompt before anything is said.")
    findings_open: int | None
    findings_settled: int | None = Field(description="Gone or ignored since the day before.")
    learned: dict[str, int] = Field(description="Facts by source.", examples=[{"turns": 3, "edits": 1}])
    forgotten: dict[str, int]


class Numbers(Schema):
    """The days that anything is known of, the oldest first."""

    days: list[DayShape]


class NumbersQuery(Given):
    """Since when."""

    since: date | None = Field(None, description="A day of the bot's; half a year ago unless given.")


@router.get(
    "/numbers", auth=READ, response={200: Numbers, **refusals()}, summary="Size, cost, facts and findings day by day"
)
def list_numbers(request: HttpRequest, slug: Slug, which: Query[NumbersQuery]) -> dict[str, Any]:
    """A row is noted at the start of each day; what was learned and forgotten is counted from the history."""
    bot = bot_of(request, slug)
    since = which.since or date.fromisoformat(open_bot(bot).today()) - USUAL
    return {"days": [_shape(one) for one in over_time.days(bot, since.isoformat())]}


def _shape(one: over_time.Day) -> dict[str, Any]:
    here = one.measure
    return {
        "day": one.day,
        "facts": here.facts if here else None,
        "long_term_bytes": here.size if here else None,
        "prompt_tokens": here.tokens if here else None,
        "findings_open": here.open if here else None,
        "findings_settled": here.settled if here else None,
        "learned": one.learned,
        "forgotten": one.forgotten,
    }
