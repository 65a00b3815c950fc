"""An Autobot beside the KenoBot: a HISTORY.md of a given size, and a chat that is nearly full."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.parts import text

if TYPE_CHECKING:
    from memory.models import Bot

HISTORY = "memory/HISTORY.md"
CHAT = "telegram_1"
MESSAGES = 50
BEGUN = datetime(2024, 1, 1, 9, tzinfo=UTC)
AN_ENTRY = timedelta(hours=3)
AN_HOUR = 3600.0
FACTS_OF_AN_ENTRY = 4  # some 250 bytes


def write(workspace: Path, size: int) -> Path:
    """The workspace, with a history of about so many bytes, as if it had been written an hour ago."""
    for path in (HISTORY, f"sessions/{CHAT}.jsonl"):
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
    (workspace / HISTORY).write_text("".join(_entries(size)), encoding="utf-8")
    (workspace / "memory/MEMORY.md").write_text("# Memory\n\n- Lives in Porto\n", encoding="utf-8")
    (workspace / f"sessions/{CHAT}.jsonl").write_text("".join(_lines()), encoding="utf-8")
    then = time.time() - AN_HOUR
    for file in workspace.glob("*/*"):
        os.utime(file, (then, then))
    return workspace


def add(workspace: Path) -> Bot:
    """The bot, walked."""
    from memory import index, registry

    bot = registry.add(workspace, "autobot", name="Keeper")
    index.refresh(bot)
    return bot


def day(number: int) -> str:
    """The day of an entry."""
    return (BEGUN + number * AN_ENTRY).date().isoformat()


def _entries(size: int) -> Iterator[str]:
    made, number, facts = 0, 0, text.facts(size, seed=7)
    while made < size:
        told = ". ".join(next(facts) for _ in range(FACTS_OF_AN_ENTRY))
        entry = f"[{BEGUN + number * AN_ENTRY:%Y-%m-%d %H:%M}] {told}.\n\n"
        made, number = made + len(entry), number + 1
        yield entry


def _lines() -> Iterator[str]:
    yield '{"_type":"metadata","created_at":"2024-01-01T09:00:00Z","updated_at":"2024-01-01T09:00:00Z","metadata":{}}\n'
    for number, said in enumerate(text.facts(MESSAGES, seed=8)):
        role = ("user", "assistant")[number % 2]
        yield f'{{"role":"{role}","content":"{said}","timestamp":"2026-01-01T09:00:00Z"}}\n'
