"""A sample bot's files: some weeks of made-up memory as a KenoBot writes it, counted back from today."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memory.dialects.shared.sample import moment, write_files

INES = "telegram-48213377"
FAMILY = "telegram--1001982734650"
SHOP = "http-http-workshop"
TOLD = tomllib.loads(Path(__file__).with_name("sample.toml").read_text(encoding="utf-8"))


def write(directory: Path, now: datetime) -> dict[str, Path]:
    """Write the sample below `directory`, once: what is there already stays as it is. Returns the bot's roots by name."""
    roots = {"memory": directory / "data" / "memory", "sessions": directory / "data" / "sessions"}
    if not roots["memory"].exists():
        write_files(directory / "data", files(now))
    return roots


def files(now: datetime) -> dict[str, tuple[str, datetime]]:
    """Every file's text and modification time, by its path below the data directory. The same `now` gives the same files."""
    found = {"memory/MEMORY.md": (TOLD["long_term"], now - timedelta(days=3))}
    found |= {f"memory/{path}": day for path, day in _logs(now).items()}
    for chat, text in TOLD["chat_long_term"].items():
        found[f"memory/chats/{chat}/MEMORY.md"] = (text, now - timedelta(days=9))
    for one in TOLD["working"]:
        found[f"memory/working/{one['chat']}.md"] = (one["text"], now - timedelta(hours=one["hours_ago"]))
    for chat in (INES, FAMILY, SHOP):
        found[f"sessions/{chat}.jsonl"] = _transcript([one for one in TOLD["transcripts"] if one["chat"] == chat], now)
    return found


def _logs(now: datetime) -> dict[str, tuple[str, datetime]]:
    days: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for days_ago, time, text, *chat in TOLD["notes"]:
        at = moment(days_ago, time, now)
        below = f"chats/{chat[0]}/" if chat else ""
        days[f"{below}{at:%Y-%m-%d}.md"].append((at, f"## {at:%H:%M} — {text}\n\n"))
    return {path: ("".join(text for _, text in sorted(entries)), max(entries)[0]) for path, entries in days.items()}


def _transcript(exchanges: list[dict[str, Any]], now: datetime) -> tuple[str, datetime]:
    lines = []
    at = now
    for one in exchanges:
        at = moment(one["days_ago"], one["time"], now)
        for seconds, role, text in ((0, "user", one["user"]), (6, "assistant", one["bot"])):
            stamp = int((at + timedelta(seconds=seconds)).timestamp() * 1000)
            lines.append(json.dumps({"role": role, "content": text, "timestamp": stamp}, ensure_ascii=False) + "\n")
    return "".join(lines), at
