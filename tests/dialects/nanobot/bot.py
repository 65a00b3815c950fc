"""A bot in a process of its own, writing as the description says it does: `python bot.py FILE WORKSPACE COUNT`.

No busy timeout but Python's own, select before insert, no immediate transaction, a commit for each entry; it recalls in
between, which writes too. Prints how often the database was locked, how many entries it saved and its longest wait.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import time
import uuid
from datetime import UTC, datetime

KEY = "workspace_id = ? AND scope_key = ? AND kind = ? AND content_hash = ? AND is_deleted = 0"


def now():
    return datetime.now(UTC).isoformat()


class Bot:
    def __init__(self, file, workspace):
        self.db = sqlite3.connect(file)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=NORMAL")
        self.workspace = workspace

    def save(self, content, kind, scope_type, scope_key):
        norm = content.lower()
        key = (self.workspace, scope_key, kind, hashlib.sha256(norm.encode()).hexdigest())
        found = self.db.execute(f"SELECT id FROM memory_entries WHERE {KEY}", key).fetchone()
        at = now()
        if found:
            self.db.execute(
                "UPDATE memory_entries SET importance = max(importance, 0.85), updated_at = ?, last_accessed_at = ? WHERE id = ?",
                (at, at, found[0]),
            )
        else:
            name = str(uuid.uuid4())
            values = (
                name,
                self.workspace,
                scope_type,
                scope_key,
                "telegram",
                "123",
                "123",
                kind,
                content,
                norm,
                key[3],
            )
            rest = (0.8, 0.9, "auto_heuristic", None, "user", "{}", at, at, None, None, 0)
            self.db.execute(f"INSERT INTO memory_entries VALUES ({', '.join('?' * 22)})", (*values, *rest))
            self.db.execute("INSERT INTO memory_entries_fts (entry_id, content) VALUES (?, ?)", (name, norm))
        self.db.commit()
        return not found

    def recall(self, word):
        rows = self.db.execute(
            "SELECT e.id FROM memory_entries_fts f JOIN memory_entries e ON e.id = f.entry_id WHERE memory_entries_fts MATCH ?"
            " AND e.workspace_id = ? AND e.is_deleted = 0 ORDER BY bm25(memory_entries_fts), e.updated_at DESC LIMIT 8",
            (word, self.workspace),
        ).fetchall()
        self.db.executemany(
            "UPDATE memory_entries SET last_accessed_at = ? WHERE id = ?", [(now(), *row) for row in rows]
        )
        self.db.commit()


def main(file, workspace, count):
    bot = Bot(file, workspace)
    locked = saved = 0
    longest = 0.0
    for number in range(count):
        chat = number % 20
        start = time.monotonic()
        try:
            saved += bot.save(f"we decided on plan {number}", "decision", "chat", f"channel:telegram:chat:{chat}")
            if number % 50 == 0:
                bot.save("always use short answers", "preference", "user", "channel:telegram:user:0")
            if number % 20 == 0:
                bot.recall(f"plan {number // 2}")
        except sqlite3.OperationalError:
            locked += 1
            bot.db.rollback()
        longest = max(longest, time.monotonic() - start)
    print(locked, saved, f"{longest:.3f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
