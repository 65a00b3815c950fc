"""The operation that takes in a finished turn, as the webhook does."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema
from pydantic import Field

from memory.access import api_tokens
from memory.access.request_body import RefusedCall
from memory.web.api.authentication import WRITE, bot_of, caller
from memory.web.api.errors import WITH_BODY, Failure, Problem
from memory.web.api.fields import OutputText, Slug
from memory.webhook import call as turn_calls, deliveries

router = Router(tags=["turns"])
NO_MODEL = "No language model is configured, so the turn has to bring the bot's own response."
CODES = {408: "timeout", 409: "busy", 429: "too_many", 503: "not_answered"}
NAME = {"anyOf": [{"type": ["string", "number", "null"]}, {"const": False}]}  # what counts as absent may be said so
BODY = {
    "type": "object",
    "required": ["message"],
    "properties": {
        "message": {"type": "string", "minLength": 1, "description": "The user's words."},
        "response": {
            "type": ["string", "null"],
            "description": "The bot's raw reply, with its memory tags. Without it, the language model is asked to answer.",
        },
        "chat_id": {**NAME, "description": "With `channel` it makes the session id."},
        "session_id": {"type": ["string", "null"], "description": "Instead of `chat_id`."},
        "channel": {**NAME, "default": "http"},
        "message_id": {**NAME, "description": "A repeat is answered as the first one was."},
        "user_id": {**NAME, "description": "Who wrote."},
        "reply_to": {**NAME, "description": "The id of the message that this one answers."},
        "reply_to_text": {"type": ["string", "null"], "description": "Its text."},
        "group_id": {**NAME, "description": "The server or team that the chat is in."},
        "chat_name": {**NAME, "description": "What people call the chat."},
        "public": {"type": ["boolean", "null"], "description": "Whether everybody in the group may read the chat."},
        "at": {
            "type": ["string", "null"],
            "description": "Under which day and time it is written: ISO 8601, else now.",
        },
    },
    "example": {
        "session_id": "telegram-42",
        "message": "I moved to Porto",
        "response": "Noted. <memory>Lives in Porto</memory>",
        "message_id": "m-1",
    },
}


class Taken(Schema):
    """The turn is in the memory."""

    response: OutputText = Field(description="The reply without its tags: what the user may see.", examples=["Noted."])
    status: str = Field(examples=["ok"])
    stored: dict[str, Any] = Field(description="What went where.")


@router.post(
    "/turns",
    auth=WRITE,
    response={200: Taken, **WITH_BODY, 408: Failure},
    summary="Take in a turn, or have a message answered",
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": BODY}}}},
)
def take_turn(request: HttpRequest, slug: Slug) -> dict[str, Any]:
    """The body and what becomes of it are the webhook's: see docs/webhook.md. All of it is written or nothing."""
    bot, started, now = bot_of(request, slug), time.perf_counter(), timezone.now()
    try:
        call = turn_calls.parse(request.body, now)
    except RefusedCall as refused:
        code = "json" if refused.error == "invalid json" else "invalid"
        raise Problem(refused.status, code, f"{refused.error}.") from None
    by = api_tokens.by(caller(request))
    outcome = deliveries.receive(bot, call, deliveries.Letter(sha256(request.body).hexdigest(), now, started, by=by))
    if outcome.status != 200:
        raise _problem(outcome)
    return outcome.body


def _problem(outcome: deliveries.DeliveryAnswer) -> Problem:
    """Why a turn was not taken in."""
    if outcome.body == deliveries.NO_MODEL:
        return Problem(422, "no_model", NO_MODEL)
    if outcome.body == deliveries.BUSY:
        return Problem(409, "busy", "The memory is busy. Nothing was changed; call again.", wait=1)
    not_written = outcome.body in (deliveries.NOT_WRITTEN, deliveries.NOT_READ)
    code = "not_written" if not_written else CODES.get(outcome.status, "invalid")
    message = outcome.why or outcome.body["error"]
    return Problem(outcome.status, code, f"{message.removesuffix('.')}.", wait=outcome.wait)
