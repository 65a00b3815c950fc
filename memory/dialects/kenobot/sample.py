"""A sample bot's files: some weeks of made-up memory as a KenoBot writes it, counted back from today."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

from memory.dialects.kenobot import sample_text
from memory.dialects.kenobot.sample_text import Note, Said


def write(directory: Path, now: datetime) -> dict[str, Path]:
    """Write the sample below `directory`, once: what is there already stays as it is. Returns the bot's roots by name."""
    roots = {"memory": directory / "data" / "memory", "sessions": directory / "data" / "sessions"}
    if not roots["memory"].exists():
        for path, (text, written) in files(now).items():
            _write(directory / "data" / path, text, written)
    return roots


def files(now: datetime) -> dict[str, tuple[str, datetime]]:
    """Every file's text and modification time, by its path below the data directory. The same `now` gives the same files."""
    found = {"memory/MEMORY.md": (sample_text.LONG_TERM, now - timedelta(days=3))}
    found |= {f"memory/{path}": day for path, day in _logs(now).items()}
    for chat, text in sample_text.CHAT_LONG_TERM.items():
        found[f"memory/chats/{chat}/MEMORY.md"] = (text, now - timedelta(days=9))
    for chat, hours, text in sample_text.WORKING:
        found[f"memory/working/{chat}.md"] = (text, now - timedelta(hours=hours))
    for chat, turns in sample_text.TRANSCRIPTS.items():
        found[f"sessions/{chat}.jsonl"] = _transcript(turns, now)
    return found


def _logs(now: datetime) -> dict[str, tuple[str, datetime]]:
    days: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for note in sample_text.NOTES:
        at = _moment(note, now)
        below = f"chats/{note.chat}/" if note.chat else ""
        days[f"{below}{at:%Y-%m-%d}.md"].append((at, f"## {at:%H:%M} — {note.text}\n\n"))
    return {path: ("".join(text for _, text in sorted(entries)), max(entries)[0]) for path, entries in days.items()}


def _moment(note: Note | Said, now: datetime) -> datetime:
    hour, minute = map(int, note.time.split(":"))
    at = (now - timedelta(days=note.days_ago)).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return min(at, now)


def _transcript(turns: tuple[Said, ...], now: datetime) -> tuple[str, datetime]:
    lines = []
    at = now
    for turn in turns:
        at = _moment(turn, now)
        for seconds, role, text in ((0, "user", turn.user), (6, "assistant", turn.bot)):
            stamp = int((at + timedelta(seconds=seconds)).timestamp() * 1000)
            lines.append(json.dumps({"role": role, "content": text, "timestamp": stamp}, ensure_ascii=False) + "\n")
    return "".join(lines), at


def _write(path: Path, text: str, written: datetime) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (written.timestamp(), written.timestamp()))
