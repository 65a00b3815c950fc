"""A sample Autobot: some weeks of a made-up allotment club, counted back from today."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from memory.dialects.autobot import history, layout, sessions
from memory.dialects.autobot.sessions import SessionMessage

_IDENTITY = {
    "AGENTS.md": "# How you work\n\n- Answer in the language of the message.\n- Look old things up in memory/HISTORY.md.\n",
    "SOUL.md": "# Soul\n\nPatient and brief.\n",
    "USER.md": "# People\n\n- An allotment club of twelve; Jana keeps the keys.\n",
}
_LONG_TERM = """\
# Long-term Memory

What matters from one chat to the next.

## User Information
- Jana keeps the keys and the cash box
- Tomás looks after the water pump
- Plot 7 is free from March

## Preferences
- Jana: short answers
- Tomás: litres, not gallons

## Club
- Meeting on the first Monday, 19:00, in the shed
- The pump needs a new seal every spring
- No bonfires before nine in the evening
"""
_TOLD = (
    ("Tomás measured {n} litres a minute at the pump and ordered a seal.", "Jana asked for the list of free plots."),
    ("{n} members came to the meeting.", "They agreed to lend the shredder only with a note in the book."),
    ("Jana counted {n} euros in the cash box.", "The compost delivery was moved to Saturday."),
    ("{n} seed trays are missing from the shed.", "Tomás repaired the hinge of the door."),
)
_TALKS = {
    "telegram_5550101": ("How many trays are out?", "{n} trays are out, two of them at plot 3."),
    "telegram_-1005550199": ("Jana: pump ran {n} minutes today", "Noted, {n} minutes."),
    "slack_C0GARDEN": ("Who has the shredder?", "Plot {n} has it until Sunday."),
}
_SIZES = {"telegram_5550101": 46, "telegram_-1005550199": 58, "slack_C0GARDEN": 12}  # messages; the window is 50
_ENTRIES = 24


def write(directory: Path, now: datetime) -> Path:
    """Write the sample workspace as `directory`, once: what is there already stays as it is. Returns the directory."""
    if not directory.exists():
        directory.mkdir(mode=0o700, parents=True)
        for path, (data, written) in files(now).items():
            target = directory / path
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(0o600)
            os.utime(target, (written.timestamp(), written.timestamp()))
    return directory


def files(now: datetime) -> dict[str, tuple[bytes, datetime]]:
    """Every file's bytes and modification time by its path. The same `now` gives the same files."""
    before = now - timedelta(days=2)
    found = {path: (text.encode(), before) for path, text in {**_IDENTITY, layout.MEMORY: _LONG_TERM}.items()}
    found[layout.HISTORY] = b"".join(_history(now)), before
    for scope, size in _SIZES.items():
        found[f"{layout.SESSIONS}/{scope}{layout.ENDING}"] = b"".join(_session(scope, size, now)), now
    return found


def _history(now: datetime) -> Iterator[bytes]:
    for back in range(_ENTRIES, 0, -1):
        at = now - timedelta(days=2 * back, hours=back % 7)
        first, second = (part.format(n=back % 9 + 4) for part in _TOLD[back % len(_TOLD)])
        yield history.appended(None, f"{history.stamp(at)} {first} {second}")


def _session(scope: str, size: int, now: datetime) -> Iterator[bytes]:
    asked, answered = _TALKS[scope]
    yield sessions.metadata(now - timedelta(days=60))
    for turn in range(size // 2):
        at = sessions.stamp(now - timedelta(hours=3 * (size // 2 - turn)))
        number = turn % 11 + 2
        tools = ("exec",) if turn % 5 == 4 else None
        yield sessions.said(SessionMessage("user", asked.format(n=number), at))
        yield sessions.said(SessionMessage("assistant", answered.format(n=number), at, tools))
