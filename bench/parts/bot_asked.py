"""A nanobot's memory asked: what a message recalls and what a search finds, beside the bot's own FTS5 query for the same words."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.parts import bot_rows, lexicon, show
from bench.parts.bot_rows import Sizes

if TYPE_CHECKING:
    from memory.models import Bot

BARE = """
    SELECT e.id, e.content FROM memory_entries_fts f JOIN memory_entries e ON e.id = f.entry_id
    WHERE memory_entries_fts MATCH ? AND e.workspace_id = ? AND e.is_deleted = 0 {scopes}
    ORDER BY bm25(memory_entries_fts), e.updated_at DESC LIMIT 8
"""
OF_SCOPES = "AND e.scope_key IN (?, ?)"

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """A bot on the desk, with what is asked of it."""

    bot: Bot
    sizes: Sizes
    workspace: Path
    file: Path

    @property
    def workspace_id(self) -> str:
        return bot_rows.workspace_id(self.workspace)


def recalls(made: Made, questions: int) -> Iterator[Found]:
    """What a message brings back, beside the bot's own FTS5 query for the same words in the same scopes."""
    from memory import index
    from memory.bots import open_bot
    from memory.dialects.nanobot.prompt import recalled

    settings = open_bot(made.bot).settings
    for name, scopes in (("a chat", range(2, made.sizes.scopes, 2)), ("the long chat", [0])):
        bare, ours = [], []
        for scope, words in messages(made, scopes, questions):
            keys = [bot_rows.key(scope)[1], bot_rows.key(scope + 1)[1]]
            memory, chat, now = index.BotMemory(made.bot), f"{bot_rows.CHANNEL}_{scope}", datetime.now(UTC)
            with closing(sqlite3.connect(made.file)) as db:
                bare.append(clocked(partial(fts, db, made, words, keys)))
            ours.append(clocked(partial(recalled, memory, chat, " ".join(words), now, settings)))
        yield row(f"recalled in {name}", ours, bare)


def searches(made: Made, questions: int) -> Iterator[Found]:
    """The search for the same words, over everything."""
    from memory import search

    bare, ours = [], []
    for _, words in messages(made, range(2, made.sizes.scopes, 2), questions):
        with closing(sqlite3.connect(made.file)) as db:
            bare.append(clocked(partial(fts, db, made, words, [])))
        ours.append(clocked(partial(search.search, made.bot, " ".join(words), now=datetime.now(UTC))))
    yield row("searched for", ours, bare)


def messages(made: Made, scopes: Sequence[int], questions: int) -> Iterator[tuple[int, list[str]]]:
    """(scope, three words that one of its entries holds); the first one only warms up."""
    dice = random.Random(5)
    with closing(sqlite3.connect(made.file)) as db:
        for _ in range(questions + 1):
            scope = dice.choice(scopes)
            some = db.execute(
                "SELECT content FROM memory_entries WHERE scope_key = ? LIMIT 50", [bot_rows.key(scope)[1]]
            )
            words = [
                word
                for word in dice.choice(some.fetchall())[0].split()
                if word not in lexicon.COMMON and word.isalpha()
            ]
            yield scope, dice.sample(words, min(3, len(words))) or ["a", "the"]


def fts(db: sqlite3.Connection, made: Made, words: Sequence[str], keys: Sequence[str]) -> list[object]:
    sql = BARE.format(scopes=OF_SCOPES if keys else "")
    return db.execute(sql, [" OR ".join(words), made.workspace_id, *keys]).fetchall()


def row(name: str, ours: Sequence[float], bare: Sequence[float]) -> Found:
    """Without the first of each, which reads what is kept afterwards."""
    p50, p95, base = show.share(ours[1:], 0.5), show.share(ours[1:], 0.95), show.share(bare[1:], 0.5)
    return {
        **{
            "what": name,
            "first_seconds": round(ours[0], 6),
            "p50_seconds": round(p50, 6),
            "p95_seconds": round(p95, 6),
        },
        **{"bare_p50_seconds": round(base, 6), "of_bare": round(p50 / base, 2)},
    }


def clocked(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun
