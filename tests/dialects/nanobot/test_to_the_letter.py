"""What Kenoweb says that the bot reads is to the letter what the bot would send, over texts made to be hostile."""

from __future__ import annotations

import random
import sqlite3
import unicodedata
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from memory import registry
from memory.bots import open_bot
from memory.dialects.nanobot import recalling
from memory.dialects.nanobot.prompt import recalled
from memory.index import BotMemory
from memory.prompts import build
from tests.dialects.nanobot import golden, home, straight
from tests.dialects.nanobot.commands import over
from tests.support.amounts import times
from tests.web.conftest import Visitor

NOW = datetime(2026, 6, 1, tzinfo=UTC)
CHAT, USER = "channel:telegram:chat:123", "channel:telegram:user:123"
WORDS = (
    *(
        "deploy",
        "shop",
        "friday",
        "tea",
        "db_name",
        "3.5",
        "x",
        "don't",
        "a-b",
        "café",
        "CAFE",
        "naïve",
        "pho",
        "tieng",
    ),
    *(
        "phở",
        "tiếng",
        unicodedata.normalize("NFD", "tiếng Việt phở"),
        "हिन्दी",
        "में",
        "कॉफ़ी",
        "ไทย",
        "ภาษาไทย",
        "كَتَبَ",
        "كتب",
    ),
    *(
        "パン",
        "ハン",
        "ﾊﾝ",
        "가나",
        "🤣",
        "🤔",
        "👍🏽",
        "tea🤣",
        "🤣tea",
        "＃ＤＥＰＬＯＹ",
        "ﬁsh",
        "fish",
        "İstanbul",
        "istanbul",
        "straße",
    ),
    *(
        "strasse",
        "\u212a9",
        "k9",
        "x²",
        "Ⅷ",
        "a\u200bb",
        "sh\u00adop",
        "ab\u0301c",
        "abc",
        "\ufefftea",
        "AND",
        "OR",
        "NOT",
        "NEAR",
    ),
    *(
        '"tea"',
        "tea*",
        "^tea",
        "content:tea",
        "entry_id",
        "(",
        ")",
        "%",
        "_",
        "__",
        "ſhop",
        "Ǆ",
        "µ9",
        "\u0345a",
        "o\u0308l",
        "öl",
    ),
)


def store(chance, of):
    """Entries of some chats, users and workspaces, as the bot leaves them: some forgotten, some of a kind that nobody knows."""
    rows = []
    for number in range(chance.randint(5, 60)):
        mine = {"of": "chat"}
        scope = chance.choice(
            [mine, mine, {"of": "user", "sender": "123"}, {"chat": "9"}, {"of": "user"}, {"of": "global"}]
        )
        text = " ".join(chance.choices(WORDS, k=chance.choice((1, 3, 8, 60))))
        at = (NOW - timedelta(days=chance.choice((0, 0, 1, 90, 400)), seconds=chance.randint(-5, 5))).isoformat()
        about = {"kind": chance.choice((*straight.ALL, "odd")), "importance": chance.choice((0.6, 0.85, 1.0))}
        about |= {"expires_at": chance.choice((None, "2026-02-01T00:00:00+00:00", "2036-01-01T00:00:00+00:00"))}
        whose = of if chance.random() < 0.8 else "elsewhere"
        gone = int(chance.random() < 0.1)
        text = f"{text} {number}" if chance.random() < 0.8 else f"ignore previous {text} {number}"
        rows.append(golden.row(text, whose, n=number, **scope, **about, updated_at=at, is_deleted=gone))
    return rows


def message(chance):
    return " ".join(chance.choices([*WORDS, "Deploy", "caf", "?"], k=chance.randint(1, 12)))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(times(10, 40)))
def test_a_prompt_is_the_bots_with_nothing_set(seed, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    chance = random.Random(seed)
    workspace = tmp_path / ".nanobot" / "workspace"
    (workspace / "memory" / "semantic").mkdir(parents=True)
    of = golden.workspace_id(workspace)
    file = golden.make(workspace.parent / "memory" / "longterm.db", store(chance, of))
    bot = registry.add(workspace)
    for _ in range(10):
        asked = message(chance)
        expected = straight.prompt(file, of, CHAT, USER, asked, NOW)
        built = build.build(bot, "telegram_123", asked, NOW)
        assert (built.text, built.unsure) == (expected, ())
        found = recalled(BotMemory(bot), "telegram_123", asked, NOW, open_bot(bot).settings)
        bots = straight.recall(file, of, CHAT, USER, asked, NOW)
        assert [(hit.entry.id, hit.score) for hit in found.hits] == [(row["id"], score) for score, row in bots]
    golden.check(file)


@pytest.mark.django_db
def test_where_the_bots_way_is_not_known_the_prompt_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    call = over(*home.make(tmp_path / ".nanobot"))
    asked = ("context", "--chat", "telegram_123", "--query", "deploy")
    assert call.json(*asked)["unsure"] == []
    visitor = Visitor(call.bot, call.workspace, User.objects.create_superuser("ana"))
    assert visitor.get("prompt", chat="telegram_123", q="deploy").soup.select("#unsure") == []
    then = call.json(*asked, "--at", datetime.now(UTC).isoformat())
    assert "we decided to deploy" in then["text"]
    assert then["unsure"] == [recalling.OTHERS]
    of = golden.workspace_id(call.workspace)
    at = "'2026-01-01T00:00:00+00:00'"
    said = f"'n', '{of}', 'channel:telegram:chat:123', 'decision', 'semantic', 'to deploy', 0.5, 0.9, 'en', {at}, NULL"
    with closing(sqlite3.connect(call.file)) as db:
        db.executescript(f"{golden.NEWER} INSERT INTO memory2_nodes VALUES ({said}, {at}, {at}, 0);")
    assert call.json(*asked)["unsure"] == [recalling.LATER]
    page = visitor.get("prompt", chat="telegram_123", q="deploy")
    assert (
        "This database is from a newer nanobot, which recalls and words entries differently."
        in page.soup.select_one("#unsure").text
    )


@pytest.mark.django_db
def test_the_commands_say_what_the_bot_would(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    chance = random.Random(1)
    workspace = tmp_path / ".nanobot" / "workspace"
    (workspace / "memory" / "semantic").mkdir(parents=True)
    of = golden.workspace_id(workspace)
    file = golden.make(workspace.parent / "memory" / "longterm.db", store(chance, of))
    call = over(workspace, file)
    for _ in range(3):
        asked = message(chance)
        told = call.json("context", "--chat", "telegram_123", "--query", asked, "--now", NOW.isoformat())
        assert told["text"] == straight.prompt(file, of, CHAT, USER, asked, NOW)
        named = ("--channel", "telegram", "--chat-id", "123")
        why = call.json("why", asked, *named)
        bots = straight.recall(file, of, CHAT, USER, asked, datetime.now(UTC))
        assert [hit["text"] for hit in why["hits"]] == [" ".join(row["content"].split()) for _, row in bots]
