"""What a session says, whichever form its file has, and what is to be written of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

SUMMARY = "[Conversation summary]\n"  # what the text of a compacted chat's first message begins with
STATES = ("ACTIVE", "PAUSED", "TERMINATED")


class Unread(ValueError):
    """The file says no session; the message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the bot called."""

    id: str = ""
    name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """One message. `calls`: tools that it calls; `call_id` and `tool`: of the result of one. `at` is an instant as Java writes it.
    What is blank or missing is "", which is all the same to the bot."""

    role: str = ""
    content: str = ""
    at: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    tool: str = ""
    id: str = ""
    sender: str = ""
    channel: str = ""
    chat: str = ""

    @property
    def is_summary(self) -> bool:
        """Whether a compaction left it in the place of older messages."""
        return self.role == "system" and self.content.startswith(SUMMARY)


@dataclass(frozen=True, slots=True)
class Session:
    """A chat as its file has it."""

    id: str
    channel: str
    chat: str
    messages: tuple[SessionMessage, ...] = ()
    state: str = STATES[0]
    created: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A message of what is to be written: the file's own at `source` (from 0) as it is; the same saying `text` in the bot's name,
    its calls and results being in that text; or, without a source, `told`."""

    source: int | None = None
    text: str | None = None
    told: SessionMessage = SessionMessage()


def as_it_is(session: Session) -> list[WrittenLine]:
    """All messages of a session, untouched."""
    return [WrittenLine(number) for number in range(len(session.messages))]


def named(name: str) -> tuple[str, str, str]:
    """(id, channel, chat) of a session that says none of them itself, by its file's name without the ending."""
    channel, _, chat = name.partition(":")
    return name, channel, chat


def instant(at: datetime) -> str:
    """A moment as Java writes it: UTC with 0, 3 or 6 digits of a second."""
    moment = at.astimezone(UTC)
    digits = "seconds" if not moment.microsecond else "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.replace(tzinfo=None).isoformat(timespec=digits) + "Z"
