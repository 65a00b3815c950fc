"""The body of a request from a program: never more of it in memory than is allowed, chunked or not."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from gunicorn.http.errors import ParseException

PART = 65536


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """Why a call is not taken: the HTTP status and the words of `{"error": …}`."""

    status: int
    error: str


def read(request: HttpRequest, most: int) -> bytes | RefusedCall:
    """The raw body, of at most `most` bytes."""
    declared = request.META.get("CONTENT_LENGTH") or ""
    if declared.isdigit() and int(declared[:12]) > most:
        return RefusedCall(413, "body too large")
    # Django sees no body where there is no length; a server that ends chunked input itself says so.
    chunked = not declared and request.META.get("wsgi.input_terminated")
    stream = request.META["wsgi.input"] if chunked else request
    parts: list[bytes] = []
    room = most + 1
    try:
        while room > 0 and (part := stream.read(min(room, PART))):
            parts.append(part)
            room -= len(part)
    except (OSError, ParseException):  # broken off, or chunks that are none
        return RefusedCall(400, "failed to read body")
    return RefusedCall(413, "body too large") if room <= 0 else b"".join(parts)
