"""What the values of a call may be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Self, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from ninja import Path as InAddress, Schema
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from memory.domain.changes import is_safe_path
from memory.text.storable import as_utf8, is_keepable
from memory.web.api.errors import Problem
from memory.webhook.call import AHEAD, EARLIEST, session_trouble

LONGEST_PATH = 4096
LONGEST_NAME = 100  # of a field that is not known, as it is said
LONGEST_TEXT = 1024 * 1024
Row = TypeVar("Row", bound=Model)


def _kept(text: str) -> str:
    if not is_keepable(text):
        raise ValueError("It holds NUL or half a character, which cannot be kept.")
    return text


def _mended(text: object) -> object:
    """A text with a mark for NUL and for halves of surrogate pairs; what is no text is not ours to judge."""
    if not isinstance(text, str) or is_keepable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")


def _path(path: str) -> str:
    if path and not (is_keepable(path) and is_safe_path(path)):
        raise ValueError("It cannot be the name of a document.")
    return path


def _session(chat: str) -> str:
    if chat and (trouble := session_trouble(chat) or ("" if is_keepable(chat) else "the session id is not valid text")):
        raise ValueError(f"{trouble[0].upper()}{trouble[1:]}.")
    return chat


def _moment(at: datetime) -> datetime:
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if not EARLIEST <= at <= datetime.now(UTC) + AHEAD:
        raise ValueError("It must lie between the year 2000 and a year from now.")
    return at


OutputText = Annotated[str, BeforeValidator(as_utf8)]  # what an answer says of files
Text = Annotated[str, AfterValidator(_kept), Field(max_length=LONGEST_TEXT)]
Sought = Annotated[str, BeforeValidator(_mended), Field(max_length=LONGEST_TEXT)]  # odd characters are no error
Path = Annotated[
    str,
    AfterValidator(_path),
    Field(
        max_length=LONGEST_PATH,
        description="A document, relative to the bot's memory, like `MEMORY.md`.",
    ),
]
Chat = Annotated[
    str,
    AfterValidator(_session),
    Field(
        max_length=255,
        description="A chat's session id: only what this chat may see, which is what is shared and its own.",
    ),
]
Moment = Annotated[datetime, AfterValidator(_moment)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="The sha256 of a version, in hex.")]
Key = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="Names the fact in its document, with `nth`.")]
Nth = Annotated[int, Field(ge=0, le=2**31 - 1, description="Which of the facts with this key, from 0.")]
Number = Annotated[int, Field(ge=1, le=2**63 - 1)]
Limit = Annotated[int, Field(ge=1, le=200, description="At most so many.")]
Day = Annotated[str, Field(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$", description="Like 2026-11-20.")]
Slug = Annotated[
    str,
    InAddress(
        description="The bot's name in addresses. Of one that the API key is not for, the answer is 404.",
        example="my-bot",
    ),
]


class Given(Schema):
    """What a call sends: a field that nobody knows is a mistake and said so. A filter that is misspelt must not be no filter."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="after")
    def _knows_all(self, info: ValidationInfo) -> Self:
        request: HttpRequest = (info.context or {})["request"]
        unknown = sorted(set(request.GET) - set(type(self).model_fields)) if request.method == "GET" else []
        if unknown:
            wrong = {"where": "query", "field": unknown[0][:LONGEST_NAME], "problem": "It is not known here"}
            raise Problem(422, "invalid", f"{wrong['field']}: It is not known here.", fields=[wrong])
        return self


class PlainSchema(BaseModel):
    """What an answer says much of: read as it is, where ninja's own shapes ask for each value by a call."""

    model_config = ConfigDict(from_attributes=True)


def page_of(rows: QuerySet[Row], limit: int) -> tuple[list[Row], bool]:
    """The first of some rows, and whether there are more of them."""
    found = list(rows[: limit + 1])
    return found[:limit], len(found) > limit


def given(**filters: Any) -> dict[str, Any]:
    """Those of some filters that a call gave."""
    return {name: value for name, value in filters.items() if value is not None}


class Sent(Given):
    """A body: a number is no text and 0 is no `false`."""

    model_config = ConfigDict(extra="forbid", strict=True)


def like(**example: Any) -> ConfigDict:
    """A body's configuration with one of its kind as people would send it."""
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": example})
