"""What the API says when it does not do what was asked: one shape for all of it, `{"error": {"code", "message", …}}`."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

from memory.domain.errors import Unreadable, VaultError
from memory.domain.outcomes import Refused
from memory.journal import Busy
from memory.storage import database
from memory.webhook.deliveries import WHILE_PEOPLE_REVIEW
from memory.webhook.held import TooMany

MEANING = {
    400: "The body is no JSON, or it broke off.",
    401: "The API key is missing, wrong or revoked.",
    403: "The API key may not do this: it needs a wider scope.",
    404: "There is no such thing, or this API key is not for it.",
    405: "This address does not take this method; `Allow` names those it takes.",
    408: "The language model did not answer in time. Nothing was changed.",
    409: "It stands in the way of what is there now, or the memory is busy. Nothing was changed.",
    413: "The body is larger than 8 MB.",
    415: "The body is not declared as `application/json`.",
    422: "A value is not as it must be, or the memory's own rules refuse it. Nothing was changed.",
    429: "This API key calls too often, or too much waits for review; `Retry-After` says how many seconds to wait.",
    503: "The files or the disk cannot be used just now. Nothing was changed.",
}

log = logging.getLogger(__name__)


class Wrong(Schema):
    """One value that is not as it must be."""

    where: str = Field(description="`query`, `path` or `body`.", examples=["query"])
    field: str = Field(description="Its name, with dots where it lies deeper.", examples=["limit"])
    problem: str = Field(examples=["Input should be less than or equal to 200"])


class Error(Schema):
    """Why it was not done."""

    code: str = Field(description="For programs: does not change.", examples=["invalid"])
    message: str = Field(description="For people: may change.", examples=["limit: Input should be greater than 0"])
    fields: list[Wrong] | None = Field(None, description="With the code `invalid`: what is wrong where.")


class Failure(Schema):
    """The one shape of every answer that is not a success."""

    error: Error


class Side(Schema):
    """One side of a conflict."""

    sha256: str | None = Field(description="Its version; null where there is no document.")
    text: str | None = Field(description="null where there is none, or the history does not hold it any more.")


class Standing(Schema):
    """Somebody else wrote to the document since."""

    code: str = Field(examples=["conflict", "busy"])
    message: str
    path: str | None = None
    base: Side | None = Field(None, description="The version that yours was made from.")
    ours: Side | None = Field(None, description="What you sent.")
    theirs: Side | None = Field(
        None, description="What stands there now. Send yours again with its sha256 as the base."
    )
    merged: str | None = Field(None, description="Both in one text, where they do not touch each other.")


class Conflict(Schema):
    """Nothing was written; with the code `conflict`, the texts that do not go together."""

    error: Standing


class Problem(Exception):
    """The call ends here. `details` stand beside code and message."""

    def __init__(self, status: int, code: str, message: str, *, wait: int = 0, **details: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.wait, self.details = status, code, message, wait, details


def refusals(*more: int) -> dict[int, Any]:
    """The answers that every operation may give besides its own, and `more`."""
    return dict.fromkeys(sorted({401, 403, 404, 409, 422, 429, 503, *more}), Failure)


# What an operation that takes a body may refuse.
WITH_BODY = refusals(400, 413, 415)


def answer(problem: Problem) -> JsonResponse:
    """A problem as an answer."""
    body = {"code": problem.code, "message": problem.message, **problem.details}
    response = JsonResponse({"error": body}, status=problem.status)
    if problem.wait:
        response["Retry-After"] = str(problem.wait)
    if problem.status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="Kenoweb"'
    return response


def understood(error: Exception) -> Problem:
    """What an exception means to who called."""
    if isinstance(error, HttpError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # why a body could not be parsed
    if isinstance(error, Problem):
        return error
    if isinstance(error, ValidationError):
        return _invalid(error)
    if isinstance(error, ValueError | RecursionError | SuspiciousOperation):
        return Problem(400, "json", "The body is no JSON.")
    if isinstance(error, Http404):
        return Problem(404, "not_found", "There is no such thing.")
    if database.is_full(error):
        return Problem(503, "not_written", f"{database.FULL} Nothing was changed.")
    if isinstance(error, Busy | OperationalError):
        return Problem(409, "busy", "The memory is busy. Nothing was changed; call again.", wait=1)
    if isinstance(error, TooMany):
        return Problem(429, "too_many", str(error), wait=WHILE_PEOPLE_REVIEW)
    if isinstance(error, Unreadable):
        return Problem(409, "unreadable", str(error))
    return Problem(503, "not_written", f"{error} Nothing was changed.")


def refused(outcome: Refused, code: str = "refused", status: int = 422) -> Problem:
    """An act that was refused; where that passes, the caller is told to call again."""
    return Problem(409, "busy", outcome.reason, wait=1) if outcome.passes else Problem(status, code, outcome.reason)


def listen(api: NinjaAPI) -> None:
    """Let every exception be answered in the one shape."""

    def told(request: HttpRequest, error: Exception | type[Exception]) -> JsonResponse:
        return answer(understood(error if isinstance(error, Exception) else error()))

    def broken(request: HttpRequest, error: Exception | type[Exception]) -> JsonResponse:
        log.error("The API broke: %s %s", request.method, getattr(request.resolver_match, "route", ""), exc_info=True)
        return answer(Problem(500, "broken", "Something is broken here. It is in the log of the server."))

    for kind in (Problem, ValidationError, HttpError, Http404, Busy, OperationalError, VaultError):
        api.add_exception_handler(kind, told)
    api.add_exception_handler(Exception, broken)


def _invalid(error: ValidationError) -> Problem:
    wrong = [_wrong(one) for one in error.errors]
    first = wrong[0]
    more = f" {len(wrong) - 1} more." if len(wrong) > 1 else ""
    return Problem(422, "invalid", f"{first['field']}: {first['problem']}.{more}", fields=wrong)


def _wrong(one: dict[str, Any]) -> dict[str, str]:
    where, *names = one["loc"]
    given = one.get("ctx", {}).get("error")
    below = names[1:] if where == "body" and len(names) > 1 else names[-1:]
    return {
        "where": str(where),
        "field": ".".join(str(name) for name in below),
        "problem": str(given or one["msg"]).rstrip("."),
    }
