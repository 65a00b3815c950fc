"""The body of a request from a program: never more of it in memory than is allowed, chunked or not."""

from __future__ import annotations

from django.http import HttpRequest
from gunicorn.http.errors import ParseException

PART = 65536


class RefusedCall(Exception):
    """A call is not taken: the HTTP status, the words of `{"error": …}`, and after how many seconds it may be sent again."""

    def __init__(self, status: int, error: str, wait: int = 0) -> None:
        super().__init__(error)
        self.status, self.error, self.wait = status, error, wait


def read(request: HttpRequest, most: int) -> bytes:
    """The raw body, of at most `most` bytes. Raises RefusedCall."""
    declared = request.META.get("CONTENT_LENGTH") or ""
    if declared.isdigit() and int(declared[:12]) > most:
        raise RefusedCall(413, "body too large")
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
        raise RefusedCall(400, "failed to read body") from None
    if room <= 0:
        raise RefusedCall(413, "body too large")
    return b"".join(parts)
