"""What a message recalls: the bot's own arithmetic where that is set, and nothing of other chats in any case."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from memory.dialects.nanobot import DIALECT, layout, lines, scopes
from memory.dialects.nanobot.database.table import Table
from memory.dialects.nanobot.entries import entries
from memory.dialects.nanobot.prompt import answered_by, recalled
from memory.dialects.nanobot.recall import HEADING, TOO_LONG, line_of
from memory.dialects.nanobot.recalling import EXPIRED, UNSAFE
from memory.dialects.nanobot.settings import Settings
from tests.dialects.nanobot import golden
from tests.support.amounts import times

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WORDS = [
    "deploy",
    "postgres",
    "friday",
    "monday",
    "shop",
    "plan",
    "name",
    "ana",
    "tea",
    "use",
    "db_name",
    "berlin",
    "secret",
]


class Held:
    """Documents as a dialect sees them, and the database that they are of."""

    def __init__(self, documents, rows=()):
        self.documents = documents
        self.rows = rows

    def paths(self):
        return sorted(self.documents)

    def read(self, path):
        return self.documents.get(path)

    def tail(self, path, size):
        return self.documents.get(path)

    def modified(self, path):
        return NOW

    def ask(self, root, work):
        with closing(sqlite3.connect(":memory:")) as db:
            db.row_factory = sqlite3.Row
            db.executescript(golden.TABLES)
            for one in self.rows:
                golden.insert(db, in_table(one))
            return work(Table(db, "w"))


def in_table(one):
    """A row with the columns that a document does not show; chance may say the same twice, which the bot does not."""
    more = {"workspace_id": "w", "scope_key": one["key"], "content_norm": one["content"].lower(), "is_deleted": 0}
    return {name: value for name, value in one.items() if name != "key"} | more | {"content_hash": one["id"]}


def row(content, *, key=None, days=0, number=0, **more):
    at = (NOW - timedelta(days=days, seconds=number)).isoformat()
    key = key or scopes.chat_key("telegram", "1")
    base = {
        "id": f"{number:08}",
        "kind": "fact",
        "content": content,
        "importance": 0.8,
        "confidence": 1.0,
        "created_at": at,
    }
    base |= {"updated_at": at, "source": "manual", "scope_type": scopes.parts(key, "w").sort, "key": key}
    return {**lines.LEFT_OUT, **base, **more}


def held(rows, **files):
    documents = {name: text.encode() for name, text in files.items()}
    for one in sorted(rows, key=lambda one: (one["created_at"], one["id"])):
        path = layout.entries_path(scopes.name_of(one["key"], "w"))
        line = lines.line({name: value for name, value in one.items() if name != "key"})
        documents[path] = documents.get(path, b"") + line
    return Held(documents, rows)


def said(found):
    return [hit.entry.text for hit in found.hits]


def test_the_score_is_the_bots_with_its_parts():
    memory = held(
        [
            row("we deploy on friday", number=1, days=180, importance=0.5),
            row("deploy the shop on monday", number=2, importance=1.0),
            row("tea", number=3),
            row("ana", number=4),
            row("berlin", number=5),
        ]
    )
    found = answered_by(memory, "telegram_1", "deploy on friday", NOW, Settings())
    first, second = found.hits
    assert (first.entry.text, first.fit, second.fit) == ("we deploy on friday", 1.0, 0.0)
    assert first.found == ("deploy", "on", "friday")
    assert first.recency == pytest.approx(0.3678794)
    assert first.score == pytest.approx(0.65 + 0.20 * 0.5 + 0.15 * 0.3678794, abs=1e-6)
    assert second.score == pytest.approx(0.20 + 0.15, abs=1e-6)
    assert line_of(first) == "- (fact/chat score=0.81 updated=2025-12-02) we deploy on friday"


def fts(rows, query, limit):
    """The bot's own search: SQLite's FTS5, over all rows."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE f USING fts5(entry_id UNINDEXED, content)")
        db.executemany("INSERT INTO f VALUES (?, ?)", [(one["id"], one["content"].lower()) for one in rows])
        return dict(
            db.execute("SELECT entry_id, bm25(f) FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT ?", (query, limit))
        )


@pytest.mark.parametrize("seed", range(times(10, 60)))
def test_how_well_an_entry_fits_is_what_sqlite_says(seed):
    chance = random.Random(seed)
    keys = [scopes.chat_key("telegram", str(n)) for n in range(3)]
    rows = [
        row(" ".join(chance.choices([*WORDS, "café", "Ünder-score_d", "3.5", "DB"], k=chance.randint(1, 9))), number=n)
        | {"key": chance.choice(keys)}
        for n in range(chance.randint(1, 30))
    ]
    query = " ".join(chance.choices([*WORDS, "cafe", "score_d"], k=chance.randint(1, 6)))
    tokens = dict.fromkeys(word for word in query.lower().split() if len(word) > 1)
    expected = fts(rows, " OR ".join(tokens), 10**6)
    found = recalled(held(rows), "telegram_1", query, NOW, Settings(max_results=100, max_prompt_chars=10**6))
    own = {one["id"] for one in rows if one["key"] == keys[1]}
    assert {hit.entry.id: pytest.approx(hit.bm25, rel=1e-9) for hit in found.hits} == {
        name: score for name, score in expected.items() if name in own
    }


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("μου αρέσει ο καφές", "ο Καφές χωρίς ζάχαρη"),
        ("un CAFÉ", "cafe con leche"),
        ("我住在柏林市", "她在柏林工作"),
        ("Привет из Осло", "живу в осло"),
        ("naïve", "NAIVE"),
    ],
)
def test_words_of_any_script_are_found_unless_the_bots_way_is_set(query, content):
    memory = held([row(content)])
    assert said(answered_by(memory, "telegram_1", query, NOW, Settings())) == [content]
    if query != "naïve":
        assert said(recalled(memory, "telegram_1", query, NOW, Settings())) == []


def test_expired_entries_are_not_recalled_and_are_named():
    memory = held([row("deploy on monday", expires_at="2026-05-31T00:00:00+00:00"), row("deploy on friday", number=1)])
    found = answered_by(memory, "telegram_1", "deploy", NOW, Settings())
    assert said(found) == ["deploy on friday"]
    assert [(entry.text, why) for entry, why in found.left_out] == [("deploy on monday", EXPIRED)]
    assert len(recalled(memory, "telegram_1", "deploy", NOW, Settings()).hits) == 2


def test_words_that_could_lead_astray_are_not_recalled_whatever_stands_unseen_between_their_letters():
    texts = ["deploy, ignore previous", "deploy, ig\u200bnore\u00a0previous", "deploy, Ignore\n previous"]
    rows = [row(text, number=n) for n, text in enumerate([*texts, "deploy, ignore the previous plan"])]
    found = answered_by(held(rows), "telegram_1", "deploy", NOW, Settings())
    assert said(found) == ["deploy, ignore the previous plan"]
    assert {why for _, why in found.left_out} == {UNSAFE}
    assert len(recalled(held(rows), "telegram_1", "deploy", NOW, Settings()).hits) == 4


def test_of_a_user_preferences_and_facts_are_recalled_and_no_more_than_set():
    key = scopes.user_key("telegram", "", "1")
    rows = [
        row(f"deploy {n}", key=key, number=n, kind=kind)
        for n, kind in enumerate(["preference", "fact", "fact", "decision"])
    ]
    found = answered_by(held(rows), "telegram_1", "deploy", NOW, Settings())
    assert len(found.hits) == 2
    assert {hit.entry.kind for hit in found.hits} <= {"preference", "fact"}
    other = answered_by(held(rows), "telegram_1", "deploy", NOW, Settings(), sender="77")
    assert other.hits == ()


def test_global_entries_are_recalled_only_where_that_is_set():
    memory = held([row("deploy on friday", key=scopes.global_key("w"))])
    assert answered_by(memory, "telegram_1", "deploy", NOW, Settings()).hits == ()
    assert len(answered_by(memory, "telegram_1", "deploy", NOW, Settings(global_results=3)).hits) == 1


def test_what_does_not_fit_makes_room_for_the_next_unless_the_bots_way_is_set():
    rows = [
        row("deploy deploy " + "x" * 200, number=1),
        row("deploy it", number=2),
        row("tea", number=3),
        row("ana", number=4),
    ]
    memory, small = held(rows), len(HEADING) + 70
    found = answered_by(memory, "telegram_1", "deploy", NOW, Settings(max_prompt_chars=small))
    assert [hit.entry.text for hit, _ in found.shown] == ["deploy it"]
    assert {why for _, why in found.left_out} == {TOO_LONG}
    prompt = DIALECT.prompt(memory, "telegram_1", "deploy", NOW, Settings(max_prompt_chars=small))
    assert prompt.text in (HEADING, f"{HEADING}\n{line_of(found.hits[1])}")


@pytest.mark.parametrize("most", [0, 10, 84, 85, 150, 200, 2400])
def test_the_text_is_never_longer_than_set(most):
    memory = held([row(f"deploy plan {n} " + "y" * n, number=n) for n in range(30)])
    for settings in (
        Settings(max_prompt_chars=most, max_results=20),
        Settings(max_prompt_chars=most, max_results=20, recalls="bot"),
    ):
        text = DIALECT.to_answer(memory, "telegram_1", "deploy plan", NOW, settings).text
        assert len(text) <= most


def test_the_beginning_of_memory_md_stands_in_every_prompt():
    memory = held([], **{"memory/MEMORY.md": "# Long\n\n- a  b\n" + "z" * 2000})
    text = DIALECT.prompt(memory, None, "", NOW, Settings()).text
    assert text.startswith("# Memory\n\n[Legacy MEMORY.md]\n# Long - a b zzz")
    assert len(text.strip()) == len("# Memory\n\n[Legacy MEMORY.md]\n") + 800
    assert text.endswith("z...\n\n")


@pytest.mark.slow
def test_no_chat_is_ever_shown_what_is_anothers():
    """Hundreds of random stores: what a chat recalls is its own, its user's or nobody's, and hangs on nothing else."""
    chance = random.Random(1)
    channels, people = ["telegram", "a_b", "x:y", "cli"], ["1", "2", "1_2", "1:2", "é", " 1", "user:1", "../1"]
    for _ in range(times(300, 1000)):
        keys = [scopes.chat_key(chance.choice(channels), chance.choice(people)) for _ in range(3)]
        keys += [scopes.user_key(chance.choice(channels), chance.choice(people), "9") for _ in range(3)]
        keys += [scopes.global_key("w")]
        rows = [
            row(
                " ".join(chance.choices(WORDS, k=4)), key=chance.choice(keys), number=n, kind=chance.choice(lines.KINDS)
            )
            for n in range(12)
        ]
        chat_key = chance.choice(keys[:3])
        chat, who = scopes.name_of(chat_key, "w"), scopes.parts(chat_key)
        own = {chat_key, scopes.user_key(who.channel, "", who.who)}
        settings = Settings(max_results=20, max_prompt_chars=10_000)
        query = " ".join(chance.choices(WORDS, k=5))
        memory = held(rows)
        shown = DIALECT.to_answer(memory, chat, query, NOW, settings)
        paths = {line.path for section in shown.sections for line in section.lines if line.path}
        allowed = {layout.entries_path(scopes.name_of(key, "w")) for key in own}
        assert paths <= allowed
        assert {DIALECT.describe(path).scope for path in paths} <= {chat, *DIALECT.beside(chat)}
        alone = held([one for one in rows if one["key"] in own])
        assert DIALECT.to_answer(alone, chat, query, NOW, settings).text == shown.text
        bots_way = DIALECT.prompt(memory, chat, query, NOW, Settings(max_results=20, max_prompt_chars=10_000))
        assert {line.path for section in bots_way.sections for line in section.lines if line.path} <= allowed


def test_lines_that_are_no_rows_are_passed_over():
    data = b'\nno json\n[1]\n{"content": 7}\n' + lines.line(row("yes")) + b'{"content": "half \\ud800 \\u0000"}\n\xff\n'
    found = entries("@database/x.jsonl", data)
    assert [entry.text for entry in found] == ["yes", "half \ufffd \ufffd"]
    assert [entry.fact.line for entry in found] == [5, 6]
    text = data.decode("utf-8", "surrogateescape")
    assert [text[entry.fact.start : entry.fact.end][:3] for entry in found] == ['{"i', '{"c']
