"""What an edit would do to the prompt is what saving it does."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory import index
from memory.prompts import build, what_if
from memory.text.markdown.entries import log_facts
from tests.web.conftest import desk

__all__ = ["desk"]


def effect(desk, path, data, chat="a"):
    return what_if.effect(desk.bot, chat, index.BotMemory(desk.bot), path, data)


def texts(lines):
    return sorted(line.fact.text for line in lines)


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("MEMORY.md", b"# KenoBot Memory\n\n- Only this \xf0\x9f\x8e\x89\n"),
        ("MEMORY.md", b""),
        ("chats/a/MEMORY.md", b"- New\n"),
        ("2026-03-01.md", b"## 10:00 \xe2\x80\x94 A day that was not there\n\n"),
        ("working/a.md", b"- Topic: taxes\r\n"),
        ("2026-03-01.md", b"\xff\xfe"),
    ],
)
def test_what_is_foretold_comes_true(desk, path, data):
    desk.write("working/a.md", "- Topic: none\n")
    foretold = effect(desk, path, data)
    assert foretold.before.text == build.build(desk.bot, "a").text
    desk.write(path, data)
    assert foretold.after.text == build.build(desk.bot, "a").text
    assert foretold.after.tokens == build.build(desk.bot, "a").tokens


def test_a_document_that_would_be_gone_is_not_read(desk):
    foretold = effect(desk, "MEMORY.md", None)
    (desk.root / "MEMORY.md").unlink()
    assert foretold.after.text == build.build(desk.bot, "a").text
    assert texts(foretold.leaving) == ["Likes Google Docs", "Prefers concise responses"]


def test_facts_that_enter_and_fall_out_are_named(desk):
    for number in (1, 2, 3):
        desk.write(f"2026-03-0{number}.md", f"## 10:00 — Entry {number}\n\n## 10:05 — Again\n\n")
    foretold = effect(desk, "2026-03-04.md", "## 10:00 — Entry 4\n\n## 10:01 — Entry 4\n\n".encode())
    assert texts(foretold.entering) == ["Entry 4", "Entry 4"]
    assert texts(foretold.leaving) == ["Again", "Entry 1"]


def test_a_fact_that_moves_within_its_document_neither_enters_nor_leaves(desk):
    foretold = effect(desk, "MEMORY.md", b"- Likes Google Docs\n- Prefers concise responses\n- Likes Google Docs\n")
    assert (texts(foretold.entering), foretold.leaving) == (["Likes Google Docs"], [])


def test_what_no_prompt_reads_is_known_to_be_unread(desk):
    assert not effect(desk, "chats/b/MEMORY.md", b"- For b\n").reads("chats/b/MEMORY.md")
    assert effect(desk, "MEMORY.md", b"- For all\n").reads("MEMORY.md")


def facts(*texts):
    return log_facts("".join(f"## 10:00 — {text}\n\n" for text in texts))


def edit(before, after):
    found = what_if.edited(facts(*before), facts(*after))
    return tuple([fact.text for fact in some] for some in (found.reworded, found.added, found.removed))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("abc", "abc", ([], [], [])),
        ("abc", "axc", (["x"], [], [])),
        ("abc", "cab", ([], [], [])),
        ("abc", "abcd", ([], ["d"], [])),
        ("abc", "ac", ([], [], ["b"])),
        ("aab", "ab", ([], [], ["a"])),
        ("", "ab", ([], ["a", "b"], [])),
        (("likes green tea", "sleeps"), ("likes black tea", "sleeps", "rides"), (["likes black tea"], ["rides"], [])),
        (
            ("likes green tea", "is well"),
            ("has a cat", "likes black tea"),
            (["likes black tea"], ["has a cat"], ["is well"]),
        ),
    ],
)
def test_an_edited_fact_is_reworded_and_one_that_moved_is_nothing(before, after, told):
    assert edit(before, after) == told


@given(st.lists(st.sampled_from("abcde")), st.lists(st.sampled_from("abcdef")))
def test_what_became_of_the_facts_adds_up(before, after):
    reworded, added, removed = edit(before, after)
    assert len(after) - len(before) == len(added) - len(removed)
    assert (reworded, added, removed) == ([], [], []) if before == after else True
    assert set(added) | set(reworded) <= set(after)
    assert set(removed) <= set(before)
