"""Full text search as bots have it without us: SQLite's FTS5 as it comes, the words of a question joined by OR, by bm25."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

_WORD = re.compile(r"[a-z0-9]+")


_ROOM = "PRAGMA journal_mode=WAL; PRAGMA mmap_size=134217728; PRAGMA cache_size=-16000"  # as much as we have


class Plain:
    """An index of its own over texts, numbered from 0; in memory, or in a file."""

    def __init__(self, texts: Iterable[str], path: Path | None = None) -> None:
        self.database = sqlite3.connect(path or ":memory:")
        self.database.executescript(_ROOM)
        with self.database:
            self.database.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='unicode61')")
            self.database.executemany("INSERT INTO plain (rowid, text) VALUES (?, ?)", enumerate(texts))

    def find(self, question: str, limit: int) -> list[int]:
        """The numbers of the texts that answer best."""
        asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(question.lower())))
        if not asked:
            return []
        sql = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"
        return [row for (row,) in self.database.execute(sql, [asked, limit])]

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()
