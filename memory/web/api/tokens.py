"""Operations for those who look after the tokens of a bot: list, revoke."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from memory.access import credentials
from memory.models import ApiToken
from memory.web.api.authentication import ADMIN, bot_of
from memory.web.api.errors import Problem, refusals
from memory.web.api.fields import Number, Slug

router = Router(tags=["tokens"])
MOST = 200  # tokens that are listed, the newest


class TokenShape(Schema):
    """An API key; its text is shown once, when it is created on the desk."""

    id: int
    name: str
    scope: str = Field(description="`read`, `write` or `admin`: each may do what those before it may.")
    hint: str = Field(description="How it ends.")
    created: datetime
    last_used: datetime | None = Field(description="To the minute.")
    revoked: datetime | None


class Tokens(Schema):
    """The API keys of the bot, newest first."""

    tokens: list[TokenShape]


@router.get("/tokens", auth=ADMIN, response={200: Tokens, **refusals()}, summary="The bot's API keys")
def list_tokens(request: HttpRequest, slug: Slug) -> dict[str, Any]:
    """Also the revoked ones, of which nothing opens anything any more."""
    return {"tokens": list(ApiToken.objects.filter(bot=bot_of(request, slug)).order_by("-id")[:MOST])}


@router.delete("/tokens/{token}", auth=ADMIN, response={200: TokenShape, **refusals()}, summary="Revoke an API key")
def revoke_token(request: HttpRequest, slug: Slug, token: Number) -> ApiToken:
    """From then on it opens nothing. It cannot be brought back; API keys are created on the desk."""
    found = ApiToken.objects.filter(bot=bot_of(request, slug), pk=token).first()
    if found is None:
        raise Problem(404, "not_found", "This bot has no such API key.")
    credentials.revoke(found)
    found.refresh_from_db()
    return found
