"""Acts on facts from the command line: shown first, done with --yes, and taken back by undo."""

from __future__ import annotations

import pytest

from memory import journal
from memory.curation import pins
from memory.domain.changes import By
from memory.models import ChangeSet
from memory.text.markdown.normal import key

LOG = "2026-01-02.md"


def test_facts_are_shown_before_they_are_moved_and_come_back(terminal):
    before = terminal.tree()
    shown = terminal.json("move", f"{LOG}:1", f"{LOG}:3", "--heading", "KenoBot Memory")
    assert (shown["count"], shown["change_set"]) == (1, None)
    assert "+- 2026-01-02 09:00 — Owns a red bicycle" in shown["documents"][0]["diff"]
    assert terminal.tree() == before
    done = terminal.json("move", f"{LOG}:1", "--yes")
    assert "Owns a red bicycle" in terminal.read("MEMORY.md")
    assert terminal.json("undo", done["change_set"])["lost"] == 0
    assert terminal.tree() == before


def test_an_undo_that_leaves_a_fact_in_no_document_says_so(terminal):
    made = ChangeSet.objects.get(pk=terminal.json("move", f"{LOG}:1", "--yes")["change_set"])
    log, _memory = [journal.undo(terminal.bot, made, By("Ana"), [path]).change_set for path in (LOG, "MEMORY.md")]
    assert "No longer in any file: 1 fact." in terminal("undo", log.pk).out


def test_what_a_search_finds_goes_to_a_chat(terminal):
    terminal.json("move", "--search", "bicycle", "--to", "chat", "--chat", "telegram-5", "--yes")
    assert terminal.read("chats/telegram-5/MEMORY.md") == "- About a trip\n- 2026-01-02 09:00 — Owns a red bicycle\n"


def test_facts_are_merged_and_what_is_left_out_is_said(terminal):
    told = terminal.json("merge", "MEMORY.md:3", "MEMORY.md:4", "--text", "Likes tea in Lisbon", "--yes")
    assert told["left_out"] == ["Lives"]
    assert terminal.read("MEMORY.md") == "# KenoBot Memory\n\n- Likes tea in Lisbon\n"


def test_fact_is_split(terminal):
    terminal.json("split", "MEMORY.md:4", "Lives in Lisbon", "Has a cat", "--yes")
    assert terminal.read("MEMORY.md").endswith("- Lives in Lisbon\n- Has a cat\n")


def test_facts_are_pinned_after_a_look_and_let_go(terminal):
    shown = terminal.json("pin-fact", "MEMORY.md:3")
    assert (shown["count"], shown["alike"], shown["passing"], shown["change_set"]) == (1, 1, 0, None)
    assert pins.keys(terminal.bot) == frozenset()
    done = terminal.json("pin-fact", "MEMORY.md:3", "--yes")
    assert pins.keys(terminal.bot) == {key("Likes tea")}
    undone = terminal.json("undo", done["change_set"])
    assert pins.keys(terminal.bot) == frozenset()
    terminal.json("undo", undone["change_set"])
    assert pins.keys(terminal.bot) == {key("Likes tea")}
    terminal.json("unpin-fact", f"MEMORY.md:{key('Likes tea')}", "--yes")
    assert pins.keys(terminal.bot) == frozenset()


def test_words_are_replaced_in_all_files(terminal):
    assert terminal.json("replace", "tea", "coffee")["count"] == 2
    assert "tea" in terminal.read("MEMORY.md")
    terminal.json("replace", "tea", "coffee", "--yes")
    assert "Likes coffee" in terminal.read("MEMORY.md")
    assert "Likes coffee" in terminal.read(LOG)


@pytest.mark.parametrize(
    "words",
    [
        ["forget"],
        ["forget", "MEMORY.md:99", "--yes"],
        ["forget", "nothing.txt:1", "--yes"],
        ["move", "MEMORY.md:3", "--yes"],
        ["move", "MEMORY.md:3", "--to", "chat", "--yes"],
        ["merge", "MEMORY.md:3", "--yes"],
        ["split", "MEMORY.md:3", "One", "--yes"],
        ["pin-fact", "MEMORY.md:"],
        ["replace", " ", "x", "--yes"],
    ],
)
def test_what_cannot_be_done_changes_nothing(terminal, words):
    before = terminal.tree()
    assert terminal.refused(*words).code == 1
    assert terminal.tree() == before
