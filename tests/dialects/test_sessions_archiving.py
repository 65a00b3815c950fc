"""Old messages put into words: which ones, what the model is asked, and what of its answer is taken."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dialects.sessions.archiving import (
    Consolidated,
    Pending,
    Reason,
    Rejected,
    Spoken,
    keeps,
    lines,
    pending_from,
    read,
    read_as_upstream,
    request,
    split,
)
from memory.text.message import Message

MEMORY = "# Long-term Memory\n\n## User Information\n" + "".join(f"- fact number {at}\n" for at in range(40))
ENTRY = "[2026-02-19 18:04] Ana moved to Porto."


def talk(count):
    return [Message("user" if at % 2 else "assistant", f"m{at}") for at in range(1, count + 1)]


def answer(entry=ENTRY, update=MEMORY):
    return json.dumps({"history_entry": entry, "memory_update": update})


def test_half_of_the_window_stays_between_two_and_ten():
    table = {1: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 5, 11: 5, 18: 9, 19: 9, 20: 10, 50: 10, 1000: 10, -4: 2}
    assert {window: keeps(window) for window in table} == table


@pytest.mark.parametrize(
    ("window", "stored", "archived"),
    [
        *((50, 50, 0), (50, 51, 41), (50, 52, 42), (20, 20, 0), (20, 21, 11), (0, 10, 0), (0, 11, 1), (0, 12, 2)),
        *((1, 2, 0), (1, 3, 1), (6, 10, 7), (-4, 2, 0), (-4, 3, 1)),
    ],
)
def test_archived_is_what_is_more_than_the_window(window, stored, archived):
    parts = split(talk(stored), window)
    assert [*parts.cut, *parts.kept] == talk(stored)
    assert len(parts.cut) == archived


@given(st.integers(0, 120), st.integers(-60, 60))
def test_nothing_is_lost_by_a_split(stored, window):
    parts = split(talk(stored), window)
    assert [*parts.cut, *parts.kept] == talk(stored)
    assert not parts.cut or len(parts.kept) >= 2


def test_messages_are_told_with_minute_speaker_and_tools():
    assert lines(
        [
            Spoken("user", "Hi\nthere", "2026-02-19T18:04:59Z"),
            Spoken("assistant", "Ho", "2026-02-19T18:05:00Z", tools_used=("web", "shell")),
            Spoken("assistant", "", "2026-02-19T18:05:00Z"),
            Spoken("assistant", " ", "", tools_used=()),
        ]
    ) == [
        "[2026-02-19T18:04] USER: Hi\nthere",
        "[2026-02-19T18:05] ASSISTANT [tools: web, shell]: Ho",
        "[] ASSISTANT [tools: ]:  ",
    ]


def test_the_model_is_given_memory_and_conversation_whole():
    role, told = request(MEMORY, [Spoken("user", "x" * 9000, "2026-02-19T18:04:59Z")])
    assert (role.role, told.role) == ("system", "user")
    assert f"\n\n## Current Long-term Memory\n{MEMORY}\n\n## Conversation to Process\n[2026" in told.content
    assert "x" * 9000 in told.content
    assert "## Current Long-term Memory\n(empty)\n\n" in request("", [])[1].content


def test_a_good_answer_is_taken_and_an_equal_memory_is_left_alone():
    assert read(answer(), MEMORY) == Consolidated(ENTRY, None)
    assert read(answer(update=MEMORY + "- new\n"), MEMORY) == Consolidated(ENTRY, MEMORY + "- new\n")
    assert read(json.dumps({"history_entry": ENTRY}), MEMORY) == Consolidated(ENTRY, None)
    assert read(f"Sure:\n```json\n{answer()}\n```\nDone.", MEMORY) == Consolidated(ENTRY, None)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", Reason.NO_JSON),
        ("Error calling LLM: 500", Reason.NO_JSON),
        (answer()[:60], Reason.NO_JSON),
        ("[1]", Reason.NO_JSON),
        (json.dumps({"memory_update": MEMORY}), Reason.MISSING),
        (answer(entry=None), Reason.NOT_TEXT),
        (answer(entry=["Ana moved"]), Reason.NOT_TEXT),
        (answer(entry=" \n"), Reason.EMPTY),
        (answer(update=None), Reason.NOT_TEXT),
        (answer(update={"facts": []}), Reason.NOT_TEXT),
        (answer(update=""), Reason.EMPTY),
        (answer(update="\n"), Reason.EMPTY),
        (answer(update=MEMORY[: len(MEMORY) // 2 - 1]), Reason.SHRUNKEN),
        (answer(update="- Ana"), Reason.SHRUNKEN),
    ],
)
def test_an_answer_that_would_lose_something_is_not_taken(reply, reason):
    with pytest.raises(Rejected) as rejected:
        read(reply, MEMORY)
    assert rejected.value.reason == reason
    assert str(rejected.value).endswith(".")


def test_a_small_memory_may_shrink_and_the_bounds_are_the_caller_s():
    assert read(answer(update="- Ana"), "x" * 400).memory_update == "- Ana"
    with pytest.raises(Rejected):
        read(answer(update="- Ana"), "x" * 400, small=399)
    assert read(answer(update="- Ana"), MEMORY, least=0).memory_update == "- Ana"


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        (answer(), Consolidated(ENTRY, None)),
        (f"```json\n{answer()}\n```", Consolidated(ENTRY, None)),
        (answer(entry=None, update=None), Consolidated("null", "null")),
        (answer(entry="", update=""), Consolidated(None, "")),
        (answer(entry={"a": [1, "é"]}), Consolidated('{"a":[1,"é"]}', None)),
        ("{}", Consolidated(None, None)),
    ],
)
def test_upstream_takes_what_it_takes(reply, made):
    assert read_as_upstream(reply, MEMORY) == made


@pytest.mark.parametrize(
    "reply", [None, "", "[]", f"Sure: {answer()}", answer() + " Done.", f"```{answer()}```", '{"a": NaN}', "```\n"]
)
def test_upstream_takes_nothing_else(reply):
    with pytest.raises(ValueError):
        read_as_upstream(reply, MEMORY)


@given(st.text(), st.lists(st.text()), st.text())
def test_what_waits_to_be_archived_is_kept_line_by_line(session, kept, since):
    pending = Pending(session, tuple(kept), since)
    assert pending_from(pending.to_text()) == pending
    assert "\n" not in pending.to_text()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"lines": 3}'])
def test_what_is_no_record_of_waiting_messages_is_refused(text):
    with pytest.raises(ValueError):
        pending_from(text)
