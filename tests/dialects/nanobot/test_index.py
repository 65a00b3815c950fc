"""The bot's search index keeps step with entries that go or change, whatever they say."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory.dialects.nanobot import lines
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.changes import digest
from tests.dialects.nanobot import golden

CHAT = "telegram_123.jsonl"
ODD = (
    *(
        'a "quoted" word',
        '"',
        "!!!",
        "…",
        "😀",
        "café CAFÉ",
        "中文没有空格",
        "NEAR(a b)",
        "a AND b OR NOT c",
        "-x",
        "x*",
        "{content} : x",
    ),
    *(
        "a" * 5000,
        "word " * 3000,
        "тест Ёлка",
        "line\u2028end",
        "tab\tin it",
        "zero\u200bwidth",
        "ﬁ ligature",
        "e\u0301",
    ),
)


def forget(vault, wanted):
    data = vault.read(CHAT).data
    left = [line for line in lines.split(data) if lines.row(line)["content"] not in wanted]
    vault.replace(CHAT, "s-0", b"".join(left), digest(data))


@pytest.mark.parametrize("others", [0, 60])
def test_whatever_an_entry_says_it_leaves_the_index(tmp_path, others):
    """Also where so many chats say the same that its words alone do not find it."""
    rows = [golden.row(text, "w" * 16, n=n) for n, text in enumerate(ODD)]
    rows += [golden.row(text, "w" * 16, chat=str(chat), n=chat) for chat in range(others) for text in ODD[:3]]
    file = golden.make(tmp_path / "db", sorted(rows, key=lambda row: row["scope_key"] == "channel:telegram:chat:123"))
    vault = RowsVault(file, "w" * 16)
    for text in ODD:
        forget(vault, {text})
        golden.check(file)
    assert len(golden.live(file)) == (3 if others else 0)


def test_a_row_that_is_no_text_leaves_the_index(tmp_path):
    file = golden.make(tmp_path / "db", [golden.row("let's use Postgres", "w" * 16), golden.row("tea", "w" * 16, n=1)])
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE memory_entries SET content = CAST(x'ff41' AS TEXT) WHERE content LIKE '%Postgres'")
        db.commit()
    vault = RowsVault(file, "w" * 16)
    forget(vault, {"\udcffA"})
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT content FROM memory_entries_fts").fetchall() == [("tea",)]
