"""A nanobot's home of a given size, as the bot leaves it; and, run as a script, the bot, which commits entry after entry: `python
bot_rows.py`, told what to do by JSON on stdin. It says how long each commit took, as JSON, and imports nothing of Kenoweb."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

CHANNEL = "telegram"
KINDS = ("preference", "decision", "fact", "episodic")
INSERT = f"INSERT INTO memory_entries VALUES ({', '.join('?' * 22)})"
INDEX = "INSERT INTO memory_entries_fts (entry_id, content) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class Sizes:
    """So many entries in so many scopes, half of them chats and half users; `long` of them in the first chat."""

    entries: int
    scopes: int
    long: int


def write(home: Path, sizes: Sizes, texts: Iterator[str]) -> Path:
    """A workspace beside its database, with a session state for each chat; where the workspace is."""
    from memory.dialects.nanobot.sample import TABLES

    workspace, file = home / "workspace", home / "memory" / "longterm.db"
    (workspace / "memory" / "session-state").mkdir(parents=True)
    file.parent.mkdir()
    (workspace / "memory" / "MEMORY.md").write_text("# Memory\n\n- Speaks Spanish\n")
    for number in range(0, sizes.scopes, 2):
        state = f"# Session WAL State\n\n- session_key: {CHANNEL}:{number}\n\n## Turns\n\n"
        (workspace / "memory" / "session-state" / f"{CHANNEL}_{number}.md").write_text(state)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(TABLES)
        for number, text in zip(range(sizes.entries), texts, strict=False):
            scope = 0 if number < sizes.long else number % sizes.scopes
            at = datetime.now(UTC) - timedelta(days=1, minutes=sizes.entries - number)
            save(db, workspace_id(workspace), scope, KINDS[number % 4], f"{text} no. {number}", at)
        db.commit()
    return workspace


def workspace_id(workspace: Path) -> str:
    return hashlib.sha1(str(workspace.resolve()).encode(), usedforsecurity=False).hexdigest()[:16]


def key(scope: int) -> tuple[str, str]:
    """The sort of a scope and its key: even ones are chats, and the next one is whoever writes there."""
    return ("user", f"channel:{CHANNEL}:user:{scope - 1}") if scope % 2 else ("chat", f"channel:{CHANNEL}:chat:{scope}")


def save(db: sqlite3.Connection, workspace: str, scope: int, kind: str, text: str, at: datetime) -> None:
    """One new entry, as the bot saves it."""
    name, norm, written = str(uuid.uuid4()), text.lower(), at.isoformat()
    about = (name, workspace, *key(scope), CHANNEL, str(scope - scope % 2), str(scope - scope % 2))
    hashed = hashlib.sha256(norm.encode()).hexdigest()
    expires = (at + timedelta(days=90 if kind == "episodic" else 3650)).isoformat()
    weights = (0.5 + hash(text) % 5 / 10, 0.9, "auto_heuristic", None, "user", "{}")
    db.execute(INSERT, (*about, kind, text, norm, hashed, *weights, written, written, None, expires, 0))
    db.execute(INDEX, (name, norm))


def commit(
    file: Path, workspace: str, scopes: Sequence[int], name: str, seconds: float, pause: float
) -> dict[str, object]:
    """Entries one after the other, a commit each, as the bot does it: with no busy timeout but Python's own."""
    took: list[float] = []
    saved = locked = 0
    dice, until = random.Random(name), time.monotonic() + seconds
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA synchronous=NORMAL")
        while time.monotonic() < until:
            begun = time.perf_counter()
            try:
                save(db, workspace, dice.choice(scopes), "fact", f"{name} {len(took)}", datetime.now(UTC))
                db.commit()
                saved += 1
            except sqlite3.OperationalError:
                db.rollback()
                locked += 1
            took.append(time.perf_counter() - begun)
            time.sleep(pause)
    took.sort()
    shares = {f"p{share}_seconds": round(took[len(took) * share // 100], 6) for share in (50, 99)}
    return {"saved": saved, "locked": locked, **shares, "slowest_seconds": round(took[-1], 4)}


if __name__ == "__main__":
    told = json.loads(sys.stdin.read())
    print(json.dumps(commit(Path(told.pop("file")), **told)))
