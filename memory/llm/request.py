"""One request to an OpenAI-compatible server: what is sent, and what is read of the answer.

Nothing tries again here or follows redirects, and no cookie is kept. What a server answers is not believed before it was looked
at."""

from __future__ import annotations

import email.utils
import ipaddress
import json
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import httpx2

from memory.llm.shapes import Server
from memory.text.message import Message
from memory.text.replies import without_unstorable

LARGEST = 16 << 20  # bytes of an answer that are read
ERROR = 64 << 10  # the same of an error
MANY = 1_000_000_000  # tokens that nobody believes
CONNECTING = 10.0  # seconds for one try to connect
ROLES = frozenset(("system", "user", "assistant"))
UNHEARD = (400, 415, 422, 501)  # with what servers answer to a field that they do not know

SCHEMA, OBJECT, PLAIN = "json_schema", "json_object", ""
_WEAKER = {SCHEMA: OBJECT, OBJECT: PLAIN}
_OLD, _NEW = "max_tokens", "max_completion_tokens"

Unreachable = (httpx2.HTTPError, OSError)


class NoCompletion(Exception):
    """The server answered, and not with a completion."""


class Answered(Exception):
    """The server answered with another status than 200. `wait`: seconds for which it asks to be left alone, 0 if it does not."""

    def __init__(self, status: int, wait: float = 0, text: str = "") -> None:
        super().__init__(status)
        self.status, self.wait, self.text = status, wait, text.lower()

    @property
    def is_too_long(self) -> bool:
        """Whether the question was longer than the model can read."""
        said = "context" in self.text and any(word in self.text for word in ("length", "size", "window"))
        return self.status == 413 or said

    @property
    def is_unpaid(self) -> bool:
        """Whether the account has nothing left."""
        return self.status == 402 or "insufficient_quota" in self.text


@dataclass(frozen=True, slots=True)
class Way:
    """How a server can be held to JSON, and its word for the most tokens that an answer may have."""

    form: str = SCHEMA
    most: str = _OLD  # unknown words are ignored by many, and more servers know this one

    def other(self, answer: Answered, held: bool) -> Way | None:
        """Another way to ask a server that refused this one; None if the refusal seems to have nothing to do with it. `held`: the
        answer was to follow a schema."""
        if answer.status not in UNHEARD or answer.is_too_long:
            return None
        if self.most == _OLD and _OLD in answer.text.replace(_NEW, _OLD):
            return replace(self, most=_NEW)
        return replace(self, form=_WEAKER[self.form]) if held and self.form in _WEAKER else None


def request(
    where: Server, way: Way, messages: Sequence[Message], schema: dict[str, Any] | None, most: int
) -> dict[str, Any]:
    """What is sent. `most` tokens; where the server cannot be held to the schema, the question says it. What of a file is no UTF-8
    goes as U+FFFD."""
    sent = [
        {"role": one.role if one.role in ROLES else "user", "content": without_unstorable(one.content)}
        for one in messages
    ]
    asked = {"model": where.model, "messages": sent, way.most: most}
    if schema is None:
        return asked
    if way.form == SCHEMA:
        named = {"name": "answer", "schema": schema, "strict": _is_strict(schema)}
        return {**asked, "response_format": {"type": SCHEMA, "json_schema": named}}
    if sent:
        sent[-1]["content"] += (
            "\n\nAnswer with one JSON object and nothing else. It follows this JSON Schema:\n"
            + json.dumps(schema, ensure_ascii=False)
        )
    return {**asked, "response_format": {"type": OBJECT}} if way.form == OBJECT else asked


def _is_strict(schema: object) -> bool:
    """Whether OpenAI would take a schema as strict: every object says all of its fields, and each of them is required."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(fields):
            return False
    return all(map(_is_strict, schema.values()))


async def answer(where: Server, asked: dict[str, Any], seconds: float) -> bytes:
    """What the server answers with status 200. Raises Answered, NoCompletion, and what is in Unreachable."""
    address = where.address.rstrip("/") + "/chat/completions"
    headers = {"Authorization": f"Bearer {where.key}"} if where.key else {}
    timeout = httpx2.Timeout(seconds, connect=min(CONNECTING, seconds))
    client = _client(os.getpid(), _is_here(where.address))
    async with client.stream("POST", address, json=asked, headers=headers, timeout=timeout) as response:
        if response.status_code != 200:
            said = (await _read(response, ERROR)).decode(errors="replace")
            raise Answered(response.status_code, _wait(response.headers.get("Retry-After", "")), said)
        found = await _read(response, LARGEST)
    if len(found) > LARGEST:
        raise NoCompletion
    return found


async def _read(response: httpx2.Response, most: int) -> bytes:
    """The body, or its beginning where it has more than `most` bytes."""
    found = bytearray()
    async for piece in response.aiter_bytes():
        found += piece
        if len(found) > most:
            break
    return bytes(found)


@cache
def _client(_process: int, is_here: bool) -> httpx2.AsyncClient:
    """The client of a process, which keeps connections; of one on this machine no proxy is asked, whatever the environment says."""
    refused = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.AsyncClient(verify=httpx2.create_ssl_context(), trust_env=not is_here, cookies=refused)


def _wait(header: str) -> float:
    """The seconds of a Retry-After, which says them or a moment; 0 for anything else."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0
    return max(0.0, seconds) if math.isfinite(seconds) else 0


def _is_here(address: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@dataclass(frozen=True, slots=True)
class Completion:
    """What a server answered. Tokens are None where it said none."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    declined: bool = False
    cut_off: bool = False


def read(raw: bytes) -> Completion:
    """A completion out of an answer's bytes. Raises NoCompletion, and Answered for an error that came with status 200."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        raise NoCompletion from None
    if not isinstance(data, dict):
        raise NoCompletion
    _look_for_error(data)
    try:
        choice = data["choices"][0]
        message, end = choice["message"], choice.get("finish_reason")
        text, refusal = _text(message.get("content")), message.get("refusal")
    except (LookupError, TypeError, AttributeError):
        raise NoCompletion from None
    usage = data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Completion(
        text,
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        declined=bool(refusal) or end == "content_filter",
        cut_off=end == "length",
    )


def _look_for_error(data: dict[str, Any]) -> None:
    """Raises Answered where a gateway says 200 and means an error."""
    error = data.get("error")
    if error and not data.get("choices"):
        code = error.get("code") if isinstance(error, dict) else None
        if isinstance(code, int) and 400 <= code <= 599:
            raise Answered(code, text=json.dumps(error))
        raise NoCompletion


def _text(content: object) -> str:
    """The text of a message: a string, none, or parts of which some are text. Raises TypeError."""
    if content is None:
        return ""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    if not isinstance(content, str):
        raise TypeError
    return content


def _count(value: object) -> int | None:
    """A number of tokens, if it can be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MANY else None
