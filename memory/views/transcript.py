"""A transcript as a conversation: what a session's lines say, the newest at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

NEWEST = 200


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a transcript. `who` "" where the line could not be understood: then `text` is the line itself."""

    who: str
    when: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The newest lines, and how many come before them."""

    said: Sequence[Said]
    earlier: int


def talk(text: str, zone: tzinfo) -> Talk:
    """A transcript of JSON lines with role, content and a timestamp in ms, by the bot's clock."""
    lines = [line for line in text.split("\n") if line.strip()]
    return Talk([_said(line, zone) for line in lines[-NEWEST:]], max(len(lines) - NEWEST, 0))


def _said(line: str, zone: tzinfo) -> Said:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return Said("", "", line)
    if not isinstance(found, dict) or not isinstance(found.get("content"), str):
        return Said("", "", line)
    return Said(str(found.get("role", "")), _when(found.get("timestamp"), zone), found["content"])


def _when(stamp: object, zone: tzinfo) -> str:
    if isinstance(stamp, bool) or not isinstance(stamp, int | float):
        return ""
    try:
        return datetime.fromtimestamp(stamp / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return ""
