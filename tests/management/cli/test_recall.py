"""Recall tests from the command line."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError

from memory.models import Fact, RecallTest, Vector
from memory.search import embedders, embedding
from tests.search.endpoint import serving

QUESTION = "what colour is the bicycle"


def test_without_tests_it_says_how_to_make_one(terminal):
    assert "memory pin" in terminal("recall").out
    assert terminal.json("recall") == {"ok": True, "tests": []}


def test_fact_at_a_line_is_pinned_and_looked_for(terminal):
    made = terminal.json("pin", QUESTION, "2026-01-02.md:1")
    assert (made["state"], made["rank"], made["text"]) == ("found", 1, "Owns a red bicycle")
    told = terminal.json("recall")
    assert told["ok"] is True
    assert told["tests"] == [made]
    assert "Owns a red bicycle" in terminal("recall").out


def test_broken_test_is_exit_1_with_one_line(terminal):
    terminal.json("pin", QUESTION, "2026-01-02.md:1")
    (terminal.root / "2026-01-02.md").write_text("## 09:05 — Likes tea\n\n")
    done = terminal("recall", "--json")
    assert done.code == 1
    assert done.err == "1 recall test of 1 failed.\n"
    assert (done.json["ok"], done.json["tests"][0]["state"]) == (False, "gone")


def test_compaction_keeps_a_test_whole(terminal):
    terminal.json("pin", QUESTION, "2026-01-02.md:1")
    terminal.json("compact", "--today", "2026-11-20")
    (told,) = terminal.json("recall")["tests"]
    assert (told["state"], told["elsewhere"]) == ("moved", "MEMORY.md")


def test_test_may_want_the_prompt_to_hold_its_fact(terminal):
    terminal.json("pin", "when is the trip", "chats/telegram-5/MEMORY.md:1", "--reads")
    done = terminal("recall", "--json")
    assert (done.code, done.json["tests"][0]["state"]) == (1, "unread")
    RecallTest.objects.all().delete()
    terminal.json("pin", "when is the trip", "chats/telegram-5/MEMORY.md:1", "--reads", "--chat", "telegram-5")
    assert terminal("recall").code == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((QUESTION, "MEMORY.md:99"), "There is no fact at MEMORY.md:99"),
        ((QUESTION, "nowhere.md:1"), "There is no fact"),
        (("???", "MEMORY.md:3"), "no searchable word"),
        ((QUESTION, "MEMORY.md:3", "--chat", "a/b"), "No test was added."),
        (("trip", "chats/telegram-5/MEMORY.md:1", "--chat", "telegram-9"), "belongs to another chat"),
    ],
)
def test_what_cannot_be_pinned_is_refused_in_words(terminal, words, reason):
    assert reason in terminal.refused("pin", *words).err
    assert not RecallTest.objects.exists()


@pytest.mark.parametrize(
    "words", [("pin", QUESTION), ("pin", QUESTION, "MEMORY.md"), ("pin", "q", "a:1", "--within", "7")]
)
def test_what_is_no_place_or_number_is_a_matter_of_usage(terminal, words):
    with pytest.raises(CommandError):
        terminal(*words)


def test_reindex_makes_every_vector_or_says_why_not(terminal, settings):
    embedders.forget()
    settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_TIMEOUT = "openai", "words", 5
    with serving() as server:
        settings.EMBEDDER_BASE_URL = server.address
        assert terminal("reindex").code == 0
        texts = Fact.objects.values("key").distinct().count()
        assert Vector.objects.count() == texts
        assert "embedder" in terminal("doctor").out
        server.mood = "broken"
        Vector.objects.all().delete()
        embedding.forget()
        done = terminal("reindex")
    assert (done.code, done.err) == (1, "The embedder answered with status 500.\n")
    embedders.forget()
    embedding.forget()
