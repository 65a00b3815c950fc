"""What counts as an answer to a consolidation, as the bot reads it and more kindly, and what it must never do to the memory."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from memory.dialects.autobot.question import conversation, messages
from memory.dialects.autobot.reply import NO_ENTRY, NO_JSON, NO_MEMORY, NOT_TEXT, SHRINKS, MemoryUpdate, answer, doubts
from memory.dialects.autobot.sessions import SessionMessage

GOOD = '{"history_entry":"[2026-01-01 10:00] Tea.","memory_update":"- tea"}'
WANTED = MemoryUpdate("[2026-01-01 10:00] Tea.", "- tea")


@pytest.mark.parametrize(
    ("text", "strictly"),
    [
        (GOOD, True),
        (f"\u3000\u00a0{GOOD}\n", True),
        (f"```json\n{GOOD}\n```", True),
        (f"```\n{GOOD}\n``` and that is it", True),
        (f"```json {GOOD}```", False),
        (f"Here it is:\n{GOOD}", False),
        (f"{GOOD} Anything else?", False),
        (GOOD.replace('"}', '",}'), False),
    ],
)
def test_answer_is_read_as_the_bot_does_or_more_kindly(text, strictly):
    assert answer(text, strict=False) == WANTED
    if strictly:
        assert answer(text, strict=True) == WANTED
        return
    with pytest.raises(ValueError, match="isn’t the JSON object"):
        answer(text, strict=True)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", NO_JSON),
        ("Error calling LLM: timeout", NO_JSON),
        ("[1]", NO_JSON),
        (GOOD[:-9], NO_JSON),
        ('{"memory_update":"- tea"}', NO_ENTRY),
        ('{"history_entry":null,"memory_update":"- tea"}', NO_ENTRY),
        ('{"history_entry":{"time":1},"memory_update":"- tea"}', NO_ENTRY),
        ('{"history_entry":" ","memory_update":"- tea"}', NO_ENTRY),
        ('{"history_entry":"a","memory_update":null}', NO_MEMORY),
        ('{"history_entry":"a","memory_update":""}', NO_MEMORY),
        ('{"history_entry":"a","memory_update":["- tea"]}', NO_MEMORY),
        ('{"history_entry":"a\\u0000","memory_update":"b"}', NOT_TEXT),
    ],
)
def test_answer_that_would_lose_something_is_none(text, why, strict):
    with pytest.raises(ValueError) as trouble:
        answer(text, strict=strict)
    if strict or why in (NO_ENTRY, NO_MEMORY):
        assert str(trouble.value) == str(why)


def test_memory_that_is_not_told_of_stays():
    assert answer('{"history_entry":"a"}', strict=True) == MemoryUpdate("a")
    assert doubts("- tea\n", None) == ()


@given(text=st.text(max_size=60), strict=st.booleans())
def test_any_text_is_an_answer_or_a_sentence(text, strict):
    with suppress(ValueError):
        assert answer(text, strict=strict).entry.strip()


@given(entry=st.text(min_size=1, max_size=30), memory=st.text(min_size=1, max_size=30))
def test_what_is_written_as_json_is_read_back(entry, memory):
    said = json.dumps({"history_entry": entry, "memory_update": memory})
    try:
        assert answer(said, strict=True) == MemoryUpdate(entry, memory)
    except ValueError as trouble:
        assert str(trouble) in (NO_ENTRY, NO_MEMORY, NOT_TEXT)  # noqa: PT017 - which of them depends on the texts


def test_facts_that_would_go_and_a_sharp_shrink_are_named():
    before = "# Memory\n\n" + "".join(f"- fact number {number}, with some words\n" for number in range(14))
    assert doubts(before, before + "- more\n") == []
    found = doubts(before, "- fact number 0, with some words\n")
    assert found[0] == SHRINKS
    assert found[1] == "Would be removed or changed: “fact number 1, with some words”."
    assert found[-1] == "And 3 more lines would be removed."


def test_messages_are_shown_as_the_bot_shows_them():
    told = [
        SessionMessage("user", "hi\nthere", "2026-02-19T18:04:11Z"),
        SessionMessage("assistant", "", "2026-02-19T18:05:00Z"),
        SessionMessage("assistant", " ", "x", ("exec", "exec")),
        SessionMessage("tool", "a", "2026", ()),
    ]
    said = "[2026-02-19T18:04] USER: hi\nthere\n[x] ASSISTANT [tools: exec, exec]:  \n[2026] TOOL [tools: ]: a"
    assert conversation(told) == said
    asked = messages("", told)[1].content
    assert "## Current Long-term Memory\n(empty)\n\n## Conversation to Process\n" + said in asked
