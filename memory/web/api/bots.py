"""Operations on bots: which one a token sees."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from memory.bots import open_bot
from memory.models import Bot
from memory.web.api.authentication import READ, bot_of, caller
from memory.web.api.errors import refusals
from memory.web.api.fields import Slug

router = Router(tags=["bots"])


class BotShape(Schema):
    """One bot."""

    slug: str = Field(description="Its name in addresses.", examples=["my-bot"])
    name: str = Field(examples=["My bot"])
    dialect: str = Field(description="How it writes.")
    time_zone: str = Field(examples=["Europe/Madrid"])
    today: str = Field(description="The bot's day.", examples=["2026-11-22"])
    walked: datetime | None = Field(description="When its files were last looked over; the index is as old as that.")
    trouble: str = Field(description="What could not be looked at then; empty if all went well.")


class Bots(Schema):
    """The bots that the token is for."""

    bots: list[BotShape]
    scope: str = Field(description="What the API key may do.", examples=["read"])


@router.get("/bots", auth=READ, response={200: Bots, **refusals()}, summary="The API key's bot, as a list")
def list_bots(request: HttpRequest) -> dict[str, Any]:
    """An API key is for one bot, so the list has one entry. It also says what the key may do."""
    token = caller(request)
    return {"bots": [_shape(token.bot)], "scope": token.scope}


@router.get("/bots/{slug}", auth=READ, response={200: BotShape, **refusals()}, summary="One bot")
def read_bot(request: HttpRequest, slug: Slug) -> dict[str, Any]:
    """Its name, its day, and when its files were last looked over."""
    return _shape(bot_of(request, slug))


def _shape(bot: Bot) -> dict[str, Any]:
    named = {name: getattr(bot, name) for name in ("slug", "name", "dialect", "time_zone", "walked", "trouble")}
    return {**named, "today": open_bot(bot).today()}
