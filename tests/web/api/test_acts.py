"""Acts on facts for programs: what would be done is told first, and only that is done."""

from __future__ import annotations

import pytest

from memory.models import Pinned
from tests.web.api.test_operations import MEMORY, full

__all__ = ["full"]


def named(full, path="MEMORY.md"):
    facts = full.get("facts", path=path)[1]["facts"]
    return [{name: one[name] for name in ("path", "key", "nth")} for one in facts]


def test_facts_are_moved_as_they_were_shown(full):
    facts = named(full)[:1]
    status, shown = full.post("facts/move", facts=facts, to="chat", chat="tg-1")
    assert (status, shown["count"], shown["change_set"], full.read()) == (200, 1, None, MEMORY)
    assert {one["path"] for one in shown["documents"]} == {"MEMORY.md", "chats/tg-1/MEMORY.md"}
    sent = {"facts": facts, "to": "chat", "chat": "tg-1"}
    status, told = full.post("facts/move", **sent, print="0" * 64)
    assert (status, told["error"]["code"], full.read()) == (409, "changed", MEMORY)
    status, done = full.post("facts/move", **sent, print=shown["print"])
    assert status == 200
    assert full.read() != MEMORY
    undo = f"changes/{done['change_set']}/undo"
    part = full.call("POST", undo, {"paths": ["chats/tg-1/MEMORY.md"]})[1]
    assert (part["lost"], full.read() != MEMORY) == (1, True), "one end of the move alone"
    assert full.call("POST", undo, {})[1]["lost"] == 0
    assert full.read() == MEMORY


def test_facts_are_merged_and_split_again(full):
    facts = named(full)[:2]
    shown = full.post("facts/merge", facts=facts, text="One. Two")[1]
    status, done = full.post("facts/merge", facts=facts, text="One. Two", print=shown["print"])
    assert (status, done["count"]) == (200, 2)
    merged = next(one for one in full.get("facts", path="MEMORY.md")[1]["facts"] if one["text"] == "One. Two")
    sent = {**{name: merged[name] for name in ("path", "key", "nth")}, "parts": ["One", "Two"]}
    shown = full.post("facts/split", **sent)[1]
    assert full.post("facts/split", **sent, print=shown["print"])[0] == 200
    assert {"One", "Two"} <= {one["text"] for one in full.get("facts", path="MEMORY.md")[1]["facts"]}


def test_facts_are_pinned_as_they_were_shown_and_let_go(full):
    facts = named(full)[:2]
    status, shown = full.post("facts/pin", facts=facts)
    assert (status, shown["count"], shown["alike"], shown["passing"], shown["change_set"]) == (200, 2, 0, 0, None)
    assert not Pinned.objects.exists()
    assert full.post("facts/pin", facts=facts, print="0" * 64)[1]["error"]["code"] == "changed"
    done = full.post("facts/pin", facts=facts, print=shown["print"])[1]
    assert Pinned.objects.count() == 2
    full.call("POST", f"changes/{done['change_set']}/undo", {})
    assert not Pinned.objects.exists()
    full.post("facts/pin", facts=facts, print=shown["print"])
    off = full.post("facts/pin", facts=facts, pinned=False)[1]
    full.post("facts/pin", facts=facts, pinned=False, print=off["print"])
    assert not Pinned.objects.exists()


def test_words_are_replaced_as_they_were_shown(full):
    shown = full.post("replace", find="kettle", instead="pot")[1]
    assert shown["count"] > 0
    assert "pot" not in full.read("2026-01-05.md")
    done = full.post("replace", find="kettle", instead="pot", print=shown["print"])[1]
    assert done["change_set"]
    assert "kettle" not in full.read("2026-01-05.md")


@pytest.mark.parametrize(
    ("where", "body"),
    [
        ("facts/move", {"to": "chat", "chat": ""}),
        ("facts/move", {"to": "working", "chat": "tg-1"}),
        ("facts/move", {"to": "shared"}),
        ("facts/merge", {"text": "# a"}),
        ("replace", {"find": " ", "instead": "x"}),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(full, where, body):
    facts = {} if where == "replace" else {"facts": named(full)[:1]}
    status, told = full.post(where, **facts, **body)
    assert (status, told["error"]["code"]) == (422, "refused")
    assert full.read() == MEMORY
