"""The memory tool for programs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from memory.access import api_tokens
from memory.dialects.golemcore import layout, tool_calls
from memory.domain.outcomes import Refused
from memory.web.api.authentication import WRITE, bot_of, caller
from memory.web.api.errors import WITH_BODY, Problem, refused
from memory.web.api.fields import OutputText, Sent, Slug, Text, like

router = Router(tags=["memory tool"])


class ToolCall(Sent):
    """The arguments of one call; which of them count depends on the operation."""

    model_config = like(operation="memory_add", content="Likes tea", type="preference", tags=["drinks"])

    operation: Text = Field(
        description="`memory_add`, `memory_search`, `memory_update`, `memory_promote` or `memory_forget`."
    )
    content: Text | None = None
    title: Text | None = None
    type: Text | None = Field(None, description="In any case, such as `preference`.")
    layer: Text | None = Field(None, description="`semantic` or `procedural`.")
    id: Text | None = None
    fingerprint: Text | None = None
    query: Text | None = None
    tags: list[Text] | None = None
    references: list[Text] | None = None
    confidence: float | Text | None = None
    salience: float | Text | None = None
    ttl_days: float | Text | None = None
    limit: float | Text | None = Field(None, description="So many items of each layer.")


class ToolAnswer(Schema):
    """What the tool says."""

    success: bool
    output: OutputText | None = None
    error: OutputText | None = None
    data: dict[str, Any] | None = None
    change_set: int | None = Field(description="What undoes it; null: nothing was written.")


@router.post(
    "/memory-tool", auth=WRITE, response={200: ToolAnswer, **WITH_BODY}, summary="Call the bot's own memory tool"
)
def call_memory_tool(request: HttpRequest, slug: Slug, said: ToolCall) -> dict[str, Any]:
    """Only for bots that have one. It answers as the bot's own tool does; a call that it refuses has `success` false."""
    bot = bot_of(request, slug)
    if bot.dialect != layout.NAME:
        raise Problem(404, "not_found", "This bot has no memory tool.")
    outcome = tool_calls.call(bot, said.dict(exclude_none=True), api_tokens.by(caller(request)))
    if isinstance(outcome, Refused):
        raise refused(outcome)
    answer, change = outcome
    return {**answer.told, "change_set": change.pk if change else None}
