"""A sample nanobot: a made-up bot's home, with workspace and database as the bot leaves them, counted back from today."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.dialects.nanobot import layout, lines, mirrors, scopes, states
from memory.dialects.shared.ids import id_of
from memory.text.attributes import instant

TOLD = tomllib.loads(Path(__file__).with_name("sample.toml").read_text(encoding="utf-8"))
AUTO, HAND, FILED = "auto_heuristic", "manual", "import"
TABLES = """
    CREATE TABLE IF NOT EXISTS memory_entries (
        id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, scope_type TEXT NOT NULL, scope_key TEXT NOT NULL,
        channel TEXT, chat_id TEXT, sender_id TEXT, kind TEXT NOT NULL, content TEXT NOT NULL,
        content_norm TEXT NOT NULL, content_hash TEXT NOT NULL, importance REAL NOT NULL, confidence REAL NOT NULL,
        source TEXT NOT NULL, source_message_id TEXT, source_role TEXT, meta_json TEXT NOT NULL DEFAULT '{}',
        created_at TEXT NOT NULL, updated_at TEXT NOT NULL, last_accessed_at TEXT, expires_at TEXT,
        is_deleted INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS idx_memory_scope_kind_updated
        ON memory_entries (workspace_id, scope_key, kind, is_deleted, updated_at DESC);
    CREATE UNIQUE INDEX IF NOT EXISTS idx_memory_dedupe_active
        ON memory_entries (workspace_id, scope_key, kind, content_hash, is_deleted);
    CREATE VIRTUAL TABLE IF NOT EXISTS memory_entries_fts USING fts5(entry_id UNINDEXED, content);
    CREATE TABLE IF NOT EXISTS memory_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_INSERT = """
    INSERT INTO memory_entries VALUES (
        :id, :workspace_id, :scope_type, :scope_key, :channel, :chat_id, :sender_id, :kind, :content, :content_norm,
        :content_hash, :importance, :confidence, :source, :source_message_id, :source_role, :meta_json, :created_at,
        :updated_at, :last_accessed_at, :expires_at, :is_deleted
    )
"""
CONFIG = {
    "agents": {"defaults": {"workspace": "workspace"}},
    "memory": {"enabled": True, "dbPath": "memory/longterm.db", "capture": {"minConfidence": 0.75}},
}
_WEIGHTS = {"preference": (0.85, 0.92), "fact": (0.80, 0.88), "decision": (0.90, 0.90), "episodic": (0.60, 0.75)}
_BY_HAND = {HAND: (0.8, 1.0), FILED: (0.7, 0.85)}
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}")
_DAYS = {"episodic": 90}
_FORGOTTEN = frozenset(text for *_, text, _source in TOLD["forgotten"])


@dataclass(frozen=True, slots=True)
class _Said:
    """One entry. `whose` is its scope key, "" for the workspace's; `mirrored` what its line in the mirrors says, "" for none."""

    whose: str
    kind: str
    text: str
    at: datetime
    source: str
    mirrored: str
    recalled: datetime | None = None
    is_deleted: bool = False

    @property
    def expires(self) -> datetime:
        return self.at + timedelta(days=_DAYS.get(self.kind, 3650))


def write(directory: Path, now: datetime) -> Path:
    """Write a bot's home as `directory`, once: what is there already stays as it is. Returns the workspace in it."""
    workspace = directory / "workspace"
    if not directory.exists():
        said = list(_said(now))
        for path, text in {**TOLD["workspace"], **_states(now), **_mirrors(said)}.items():
            target = workspace / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            os.utime(target, (_written(text, now),) * 2)
        (directory / "config.json").write_text(json.dumps(CONFIG, indent=2), encoding="utf-8")
        (directory / "memory").mkdir()
        _database(directory / "memory" / "longterm.db", scopes.workspace_id(str(workspace.resolve())), said)
    return workspace


def _written(text: str, now: datetime) -> float:
    """When a file was written: at the last time that it tells, or two weeks ago."""
    told = _TIME.findall(text)
    at = datetime.fromisoformat(max(told)).replace(tzinfo=UTC) if told else now - timedelta(days=14)
    return at.timestamp()


def _said(now: datetime) -> Iterator[_Said]:
    """Everything the bot was told and kept, oldest first, with what became of it."""
    found = []
    for back, minute, channel, chat, sender, kind, text, source in (
        *TOLD["kept"],
        *TOLD["expired"],
        *TOLD["forgotten"],
    ):
        at = _at(now, back, minute)
        whose = "" if source == FILED else _whose(kind, channel, chat, sender)
        recalled = _at(now, back // 3, minute + 7) if back > 2 and minute % 3 else None
        mirrored = "" if source == FILED else TOLD["reworded"].get(text, text)
        found.append(_Said(whose, kind, text, at, source, mirrored, recalled, text in _FORGOTTEN))
    yield from sorted(found, key=lambda one: one.at)


def _whose(kind: str, channel: str, chat: str, sender: str) -> str:
    if kind in ("preference", "fact"):
        return scopes.user_key(channel, sender, chat)
    return scopes.chat_key(channel, chat)


def _at(now: datetime, back: int, minute: int) -> datetime:
    """A moment some days ago, in the working hours of the studio; never so late that a turn might still be answered."""
    day = (now - timedelta(days=back)).astimezone(UTC).replace(hour=8, minute=0, second=0, microsecond=0)
    return min(day + timedelta(minutes=minute, microseconds=minute * 7919 % 1_000_000), now - timedelta(hours=1))


def _states(now: datetime) -> dict[str, str]:
    """The sessions' state files. A turn without an answer died."""
    found: dict[str, str] = {}
    for back, minute, channel, chat, asked, *answers in sorted(TOLD["turns"], key=lambda turn: (-turn[0], turn[1])):
        key = f"{channel}:{chat}"
        path = f"{layout.STATES}/{scopes.session_file(key)}.md"
        at = _at(now, back, minute)
        text = found.get(path) or states.head(key, channel, chat)
        text += states.before(instant(at), asked)
        for answer in answers:
            text += states.after(instant(at + timedelta(seconds=6)), answer)
        found[path] = text
    return found


def _mirrors(said: list[_Said]) -> dict[str, str]:
    """What the bot wrote into its files when it made the entries, which it never touches again, and a line of nobody's."""
    found: dict[str, str] = {}
    for one in said:
        if one.mirrored:
            path = mirrors.path_of(one.kind, one.at)
            found[path] = (found.get(path) or mirrors.head(path)) + mirrors.line(one.mirrored, one.at)
    return {path: text + TOLD["stray"].get(path, "") for path, text in found.items()}


def _database(file: Path, workspace: str, said: list[_Said]) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(TABLES)
        for one in said:
            row = _row(one, workspace)
            db.execute(_INSERT, row)
            if not one.is_deleted:
                db.execute("INSERT INTO memory_entries_fts VALUES (?, ?)", [row["id"], row["content_norm"]])
        db.execute("INSERT INTO memory_meta VALUES (?, 'done')", [f"workspace:{workspace}:backfill:v1"])
        db.commit()


def _row(one: _Said, workspace: str) -> dict[str, object]:
    key = one.whose or scopes.global_key(workspace)
    found = scopes.parts(key, workspace)
    importance, confidence = _WEIGHTS[one.kind] if one.source == AUTO else _BY_HAND[one.source]
    about: dict[str, object] = {"channel": found.channel or None, "chat_id": None, "sender_id": None}
    if found.sort != scopes.GLOBAL:
        about["chat_id" if found.sort == scopes.CHAT else "sender_id"] = found.who
    return {
        "id": id_of(f"{key}{one.text}{one.at}"),
        "workspace_id": workspace,
        "scope_type": found.sort,
        "scope_key": key,
        **about,
        "kind": one.kind,
        "content": one.text,
        "content_norm": lines.normal(one.text),
        "content_hash": lines.content_hash(one.text),
        "importance": importance,
        "confidence": confidence,
        "source": one.source,
        "source_message_id": None,
        "source_role": "user",
        "meta_json": '{"file": "memory/MEMORY.md"}' if one.source == FILED else "{}",
        "created_at": instant(one.at),
        "updated_at": instant(one.at),
        "last_accessed_at": instant(one.recalled) if one.recalled else None,
        "expires_at": instant(one.expires),
        "is_deleted": int(one.is_deleted),
    }
