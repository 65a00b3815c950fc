"""What a call says: the fields of a turn as the webhook and the command line take them, checked once at the door."""

from __future__ import annotations

import json
import re
import sys
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.access.request_body import RefusedCall
from memory.domain.dialect import Dialect
from memory.models import Delivery
from memory.text.storable import keepable

CHANNEL = "http"
SESSION_BYTES = 255
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
AHEAD = timedelta(days=366)

_MOST = sys.float_info.max  # a longer number is none to the bots, who write JavaScript's or Python's own
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class WebhookCall:
    """One call, checked. `response` None: the bot's answer is asked for. `at` None: now."""

    message: str
    response: str | None
    session_id: str
    channel: str
    message_id: str | None
    at: datetime | None
    by_session: bool  # the session id was given as such, not made of channel and chat
    user_id: str | None = None
    reply_to: str | None = None
    reply_to_text: str = ""
    group_id: str | None = None
    chat_name: str | None = None
    is_public: bool = False

    @property
    def asked(self) -> str:
        """What memory is asked about: the message, and the one that it answers."""
        return f"{self.message}\n{self.reply_to_text}" if self.reply_to_text else self.message

    @property
    def misnamed(self) -> RefusedCall:
        """How it is refused if its chat cannot name the bot's files."""
        return _invalid("session_id" if self.by_session else "chat_id")

    def body(self) -> dict[str, Any]:
        """What is kept of the call, in the words it came in."""
        kept = {
            "message": self.message,
            "response": self.response,
            "channel": self.channel,
            "user_id": self.user_id,
            "reply_to": self.reply_to,
            "reply_to_text": self.reply_to_text or None,
            "group_id": self.group_id,
            "chat_name": self.chat_name,
            "public": "yes" if self.is_public else None,
            "at": self.at.isoformat() if self.at else None,
        }
        return {name: keepable(value) for name, value in kept.items() if value is not None}


def call_of(delivery: Delivery) -> WebhookCall:
    """The call of a delivery, as it was kept; of one that was answered here, with the reply that was given."""
    body = delivery.body
    at = body.get("at")
    return WebhookCall(
        message=body.get("message", ""),
        response=body.get("response", body.get("reply")),
        session_id=delivery.session_id,
        channel=body.get("channel", CHANNEL),
        message_id=delivery.message_id,
        at=datetime.fromisoformat(at) if at else delivery.received,
        by_session=True,
        user_id=body.get("user_id"),
        reply_to=body.get("reply_to"),
        reply_to_text=body.get("reply_to_text", ""),
        group_id=body.get("group_id"),
        chat_name=body.get("chat_name"),
        is_public="public" in body,
    )


def parse(raw: bytes, now: datetime) -> WebhookCall:
    """The call in a body of JSON; `now` (aware) is what an absurd `at` is judged by. Raises RefusedCall."""
    try:
        payload = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise RefusedCall(400, "invalid json") from None
    if not isinstance(payload, dict) or not isinstance(payload.get("message"), str) or not payload["message"]:
        raise RefusedCall(400, "missing message field")
    return _call(payload, now)


def with_session(call: WebhookCall, dialect: Dialect) -> WebhookCall:
    """The same call with its chat as the bot's documents call it. Raises RefusedCall."""
    chat_id = "" if call.by_session else call.session_id.removeprefix(f"{call.channel}-")
    try:
        return replace(call, session_id=dialect.session(call.session_id, call.channel if chat_id else "", chat_id))
    except ValueError:
        raise call.misnamed from None


def session_trouble(session_id: str) -> str:
    """Why a session id cannot be used, for people; "" if it can. It names files and directories of the bot."""
    if session_id in ("", ".", "..") or "/" in session_id or "\0" in session_id:
        return "the session id cannot be a file name"
    try:
        size = len(session_id.encode("utf-8"))
    except UnicodeEncodeError:
        return "the session id is not valid text"
    return f"the session id is longer than {SESSION_BYTES} bytes" if size > SESSION_BYTES else ""


def _invalid(field: str) -> RefusedCall:
    """How a call is refused of which a field cannot be taken."""
    return RefusedCall(400, f"invalid {field}")


def _call(payload: dict[str, Any], now: datetime) -> WebhookCall:
    channel = _text(payload, "channel") or CHANNEL
    named, by_session = _session(payload, channel)
    response = payload.get("response")
    if response is not None and not isinstance(response, str):
        raise _invalid("response")
    message_id = _text(payload, "message_id") or None
    if message_id and (len(message_id) > SESSION_BYTES or "\0" in message_id):
        raise _invalid("message_id")
    return WebhookCall(
        message=whole(payload["message"]),
        response=None if response is None else whole(response),
        session_id=named,
        channel=channel,
        message_id=message_id,
        at=_at(payload.get("at"), now),
        by_session=by_session,
        user_id=_text(payload, "user_id") or None,
        reply_to=_text(payload, "reply_to") or None,
        reply_to_text=_optional_text(payload, "reply_to_text"),
        group_id=_text(payload, "group_id") or None,
        chat_name=_text(payload, "chat_name") or None,
        is_public=_is(payload, "public"),
    )


def _session(payload: dict[str, Any], channel: str) -> tuple[str, bool]:
    given = payload.get("session_id")
    if given is not None and not isinstance(given, str):
        raise _invalid("session_id")
    chat = _text(payload, "chat_id")
    if given:
        if session_trouble(given):
            raise _invalid("session_id")
        return given, True
    named = f"{channel}-{chat or uuid.uuid4()}"
    if session_trouble(named):
        raise _invalid("chat_id" if chat else "channel")
    return named, False


def _optional_text(payload: dict[str, Any], name: str) -> str:
    """A text that may be missing."""
    value = payload.get(name)
    if value is not None and not isinstance(value, str):
        raise _invalid(name)
    return whole(value or "")


def _text(payload: dict[str, Any], name: str) -> str:
    """A name given as text or number; "" for what counts as absent (missing, null, empty, 0, false)."""
    value = payload.get(name)
    if value is None or value is False:
        return ""
    if isinstance(value, str):
        if _SURROGATES.search(value):
            raise _invalid(name)
        return value
    if value is True or not isinstance(value, int | float) or not abs(value) <= _MOST:
        raise _invalid(name)
    if value == 0:
        return ""
    return str(int(value)) if isinstance(value, int) or value.is_integer() else repr(value)


def _is(payload: dict[str, Any], name: str) -> bool:
    """Yes or no; a missing one is no."""
    value = payload.get(name)
    if value is not None and not isinstance(value, bool):
        raise _invalid(name)
    return bool(value)


def _at(value: object, now: datetime) -> datetime | None:
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None or not EARLIEST.year <= at.year <= now.year + 2:
        raise _invalid("at")
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if not EARLIEST <= at <= now + AHEAD:
        raise _invalid("at")
    return at


def whole(text: str) -> str:
    """Text without halves of surrogate pairs: what a JavaScript bot writes for them is U+FFFD."""
    return _SURROGATES.sub("\ufffd", text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
