"""A nanobot's database made from the description of its format, and read back by nothing but SQL."""

from __future__ import annotations

import hashlib
import sqlite3
import uuid
from contextlib import closing

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
NEWER = """
    CREATE TABLE memory2_nodes (
        id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, scope_key TEXT NOT NULL, kind TEXT NOT NULL, sector TEXT NOT NULL,
        content TEXT NOT NULL, salience REAL NOT NULL, confidence REAL NOT NULL, language TEXT, valid_from TEXT,
        valid_to TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0
    );
"""


def tell(file, sql, *values):
    """One statement of somebody else's, written."""
    with closing(sqlite3.connect(file)) as db:
        db.execute(sql, values)
        db.commit()


def workspace_id(path):
    return hashlib.sha1(str(path.resolve()).encode()).hexdigest()[:16]


def scope(kind, *, channel="telegram", chat="123", sender="55", workspace=""):
    return {
        "chat": ("chat", f"channel:{channel}:chat:{chat}"),
        "user": ("user", f"channel:{channel}:user:{sender}"),
        "global": ("global", f"workspace:{workspace}:global"),
    }[kind]


def row(content, workspace, *, kind="fact", of="chat", day="2026-01-01", n=0, **more):
    scope_type, key = scope(
        of, workspace=workspace, **{k: more.pop(k) for k in ("channel", "chat", "sender") if k in more}
    )
    at = f"{day}T10:{n // 60:02}:{n % 60:02}.123456+00:00"
    return {
        "id": str(
            uuid.UUID(int=int.from_bytes(hashlib.md5(f"{content}{key}{day}{n}".encode()).digest(), "big"), version=4)
        ),
        "workspace_id": workspace,
        "scope_type": scope_type,
        "scope_key": key,
        "channel": None,
        "chat_id": None,
        "sender_id": None,
        "kind": kind,
        "content": content,
        "content_norm": content.lower(),
        "content_hash": hashlib.sha256(content.lower().encode()).hexdigest(),
        "importance": 0.8,
        "confidence": 0.88,
        "source": "auto_heuristic",
        "source_message_id": None,
        "source_role": "user",
        "meta_json": "{}",
        "created_at": at,
        "updated_at": at,
        "last_accessed_at": None,
        "expires_at": "2036-01-01T10:00:00+00:00",
        "is_deleted": 0,
        **more,
    }


def make(file, rows=(), *, wal=True):
    """A database at rest with these rows, indexed as the bot does it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA synchronous=OFF")
        db.execute(f"PRAGMA journal_mode={'WAL' if wal else 'DELETE'}")
        db.executescript(TABLES)
        for one in rows:
            insert(db, one)
        db.commit()
    return file


def insert(db, one):
    db.execute(
        f"INSERT INTO memory_entries ({', '.join(one)}) VALUES ({', '.join('?' * len(one))})", list(one.values())
    )
    if not one["is_deleted"]:
        db.execute("INSERT INTO memory_entries_fts VALUES (?, ?)", (one["id"], one["content_norm"]))


def entries(file, where="1", *values):
    """All rows as dicts, by id, whoever wrote them."""
    with closing(sqlite3.connect(file)) as db:
        db.row_factory = sqlite3.Row
        return {found["id"]: dict(found) for found in db.execute(f"SELECT * FROM memory_entries WHERE {where}", values)}


def live(file):
    return {found["content"] for found in entries(file, "is_deleted = 0").values()}


def meta(file, *, where=False):
    """What is noted beside the rows; `where`: also where the workspace lies, which Kenoweb notes when it first writes."""
    with closing(sqlite3.connect(file)) as db:
        rows = db.execute("SELECT key, value FROM memory_meta").fetchall()
    return {key: value for key, value in rows if where or not key.endswith(":path")}


def check(file):
    """What has to hold of every database, whoever wrote to it: it is sound, and its index says what its rows say."""
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        db.execute("INSERT INTO memory_entries_fts(memory_entries_fts) VALUES ('integrity-check')")
        rows = dict(db.execute("SELECT id, content_norm FROM memory_entries WHERE is_deleted = 0").fetchall())
        indexed = db.execute("SELECT entry_id, content FROM memory_entries_fts").fetchall()
        assert dict(indexed) == rows
        assert len(indexed) == len(rows)
        for content, norm, found in db.execute("SELECT content, content_norm, content_hash FROM memory_entries"):
            assert norm == content.lower()
            assert found == hashlib.sha256(norm.encode()).hexdigest()
        db.rollback()
