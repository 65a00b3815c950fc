"""Bots of March 2026, by setting: they count what they read, read by worth and by the words of the message, and forget much."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from memory.dialects.discoclaw import DIALECT, DiscoClaw, commands, durable, javascript, later
from memory.dialects.discoclaw.durable import Malformed
from memory.domain.turns import Turn
from memory.text.utf16 import count_units
from tests.dialects.discoclaw.bot import GOLDEN, NOW, memory

MS, DAY = GOLDEN["now"], 86_400_000
LATER = DIALECT.settings({"edition": "march", "capture": "write"})
BOT = DiscoClaw(later=True)
USER, SERVER, CHAT = "710000000000000011", "610000000000000101", "discord:channel:820000000000000001"
WORDS = st.text(st.sampled_from("ab 漢字🔔\ud83c"), max_size=160)


def item(text, days=0, hits=0, hit_days=0, status="active", **more):
    at = MS - days * DAY
    read = {"hitCount": hits, "lastHitAt": MS - hit_days * DAY if hits else 0}
    about = {"id": durable.item_id("fact", text), "kind": "fact", "tags": [], "source": {"type": "manual"}}
    return {"text": text, "status": status, "createdAt": at, "updatedAt": at, **about, **read, **more}


def store(*items, version=2):
    return {"version": version, "updatedAt": 5, "items": list(items)}


def texts(found, query="", budget=2000):
    chosen = durable.chosen(found, budget, is_later=True, query=query, now=MS)
    return [found["items"][line.at]["text"] for line in chosen]


def test_what_is_read_often_and_lately_comes_first():
    often, fresh, long_ago = item("often", 30, 4), item("fresh"), item("long ago", 300, 4, 300)
    assert texts(store(fresh, long_ago, often)) == ["often", "fresh", "long ago"]  # 0.5 + 2, 1, and 1/11 + 2/11
    assert texts(store(item("b"), item("a"))) == ["b", "a"]


def test_words_of_the_message_weigh_more_than_all_hits():
    found = store(item("often", 0, 100), item("Likes green tea", 90), item("Drinks tea", 90), item("x", tags=["green"]))
    assert texts(found, "Which GREEN tea?") == ["Likes green tea", "x", "Drinks tea", "often"]
    assert texts(found, "what is 緑茶 of it") == ["often", "x", "Likes green tea", "Drinks tea"]


def test_a_line_that_does_not_fit_is_left_out_alone():
    found = store(item("y" * 90), item("short", 3))
    assert texts(found, budget=60) == ["short"]
    assert durable.chosen(found, 60) == []


def test_what_is_too_much_is_forgotten_what_was_never_read_first():
    found = store(*[item(f"read {number}", number, 1) for number in range(25)], item("new"), item("newer"))
    durable.cool(found, MS)
    assert [one["text"] for _, one in durable.active(found)] == [f"read {number}" for number in range(25)]
    durable.add(found, "one more", {"type": "manual"}, MS + 1, 200, is_later=True)
    gone = {one["text"]: one["updatedAt"] for one in found["items"] if one["status"] == "deprecated"}
    assert gone == {"new": MS, "newer": MS, "one more": MS + 1}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({"hits": 0}, {"hits": 1, "hit_days": 900}),  # never read, before any worth and age
        ({"hits": 3, "hit_days": 300}, {"hits": 1, "hit_days": 1}),  # by worth: 3/11 before 30/31
        ({"hits": 1, "hit_days": 0}, {"hits": 2, "hit_days": 30}),  # of the same worth by hits
        ({"days": 9}, {"days": 2}),  # of never read ones the oldest
        ({"days": 2, "createdAt": 5}, {"days": 2, "createdAt": 6}),
        ({"id": "durable-1"}, {"id": "durable-2"}),
        ({"lastHitAt": 5}, {"lastHitAt": 6}),
    ],
)
def test_of_two_that_are_too_many_the_one_of_less_worth_is_forgotten(first, then):
    rest = [item(f"read {number}", 0, 9) for number in range(24)]
    for pair in ((first, then), (then, first)):
        found = store(*[item(f"text {number}", **about) for number, about in enumerate(pair)], *rest)
        durable.cool(found, MS)
        (gone,) = [one["text"] for one in found["items"] if one["status"] == "deprecated"]
        assert gone == f"text {pair.index(first)}"


@pytest.mark.parametrize(("more", "left"), [(0, 2), (1, 1)])
def test_two_thousand_units_of_lines_are_not_too_much(more, left):
    found = store(item("🔔" * 400, 1), item(""), item("", status="deprecated"))
    found["items"][1]["text"] = "x" * (2000 - count_units("\n".join(line.text for line in durable.lines(found))) + more)
    durable.cool(found, MS)
    assert len(list(durable.active(found))) == left


@given(found=st.lists(WORDS, max_size=40), hits=st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_what_stays_has_room(found, hits):
    made = store(*[item(text, number, hits[number]) for number, text in enumerate(found)])
    durable.cool(made, MS)
    left = durable.lines(made)
    assert len(left) <= later.HOT_ITEMS
    assert count_units("\n".join(line.text for line in left)) <= later.HOT_CHARS
    assert len(made["items"]) == len(found)

    assert all(one["updatedAt"] == MS for one in made["items"] if one["status"] == "deprecated")


def test_the_cap_takes_what_was_read_least():
    found = store(item("a", 1, 3), item("b", 9, 1), item("gone", 0, 9, status="deprecated"), item("c", 5))
    durable.add(found, "d", {"type": "manual"}, MS, 4, is_later=True)
    assert [one["text"] for one in found["items"]] == ["a", "b", "c", "d"]
    durable.add(found, "e", {"type": "manual"}, MS, 4, is_later=True)
    assert [one["text"] for one in found["items"]] == ["a", "b", "d", "e"]


def test_a_store_of_the_first_version_becomes_one_of_the_second():
    old = json.loads(memory().read(f"durable/{USER}.json"))
    found = durable.loaded(javascript.written(old), is_later=True)
    assert (found["version"], {one["hitCount"] for one in found["items"]}) == (2, {0})
    assert durable.loaded(javascript.written(old), is_later=False) == old
    added = javascript.read(DiscoClaw(later=True).add("durable/1.json", None, ["Likes tea"], NOW).data.decode())
    assert (added["version"], added["items"][0]["hitCount"], added["items"][0]["lastHitAt"]) == (1, 0, 0)


@pytest.mark.parametrize("head", [{"version": 3, "updatedAt": 1}, {"version": "2", "updatedAt": 1}, {"version": 2}])
def test_a_store_that_such_a_bot_takes_for_none_is_left_as_it_is(head):
    data = javascript.written({**head, "items": [item("x")]})
    assert durable.read(data)["items"]
    with pytest.raises(Malformed):
        durable.loaded(data, is_later=True)
    with pytest.raises(Malformed):
        BOT.add("durable/1.json", data, ["y"], NOW)
    assert BOT.refused("durable/1.json", javascript.written(store()), data)
    assert DIALECT.refused("durable/1.json", javascript.written(store()), data) == ""


def test_an_answer_counts_what_was_read_and_a_command_does_not():
    there = memory()
    turn = Turn(CHAT, "What about the wall?", "It is red.", NOW, answered=True, sender=USER)
    made = BOT.capture(turn, there, LATER)
    (written,) = [change for change in made.changes if change.path.startswith("durable/")]
    after = javascript.read(written.data.decode())
    lines = durable.chosen(
        durable.loaded(there.read(written.path), is_later=True), 2000, is_later=True, query=turn.message, now=MS
    )
    hit = {one["id"] for one in after["items"] if one["hitCount"] == 1 and one["lastHitAt"] == MS}
    assert hit == {after["items"][line.at]["id"] for line in lines}
    assert after["updatedAt"] == MS
    shown = Turn(CHAT, "!memory show", "", NOW, answered=True, sender=USER)
    assert BOT.capture(shown, there, LATER).changes == ()
    assert not [one for one in DIALECT.capture(turn, there, DIALECT.settings({})).changes if "durable" in one.path]


@pytest.mark.parametrize(("length", "gone"), [(1900, False), (2100, True)])
def test_an_answer_forgets_what_is_too_much_though_nothing_was_read(length, gone):
    there = memory()
    there.documents = {f"durable/{USER}.json": javascript.written(store(item("x" * length)))}
    asked = DIALECT.settings({"edition": "march", "capture": "write", "durable_chars": 50})
    made = BOT.capture(Turn(CHAT, "Hi", "Hello.", NOW, answered=True, sender=USER), there, asked).changes
    assert [json.loads(change.data)["items"][0]["status"] for change in made] == ["deprecated"] * gone


def test_show_tells_how_long_it_is_to_the_letter():
    there = memory()
    there.documents = {
        f"durable/{USER}.json": javascript.written(store(item("Likes 🔔"))),
        f"shortterm/{SERVER}-{USER}.json": javascript.written(
            {"version": 1, "entries": [{"timestamp": MS - 60_000, "channelName": "dev", "summary": "x"}]}
        ),
    }
    line = "- [fact] Likes 🔔 (src: manual, updated 2026-11-20)"
    assert commands.shown(there, CHAT, USER, LATER, server=SERVER, now=MS) == (
        f"**Durable memory:** (51 chars, ~13 tokens)\n{line}\n\n"
        "**Rolling summary:** (0 chars, ~0 tokens)\n(none)\n\n"
        "**Short-term memory:** (22 chars, ~6 tokens)\n- 1 min ago in #dev: x\n\n"
        "**Total prompt memory:** 73 chars, ~19 tokens"
    )
    assert count_units(line) == 51


def test_commands_end_at_their_word():
    assert commands.parse("!memoryshow") == commands.ChatCommand("show")
    assert commands.parse("!memoryshow", is_later=True) is None
    assert commands.parse(" !memory\tshow", is_later=True) == commands.ChatCommand("show")
    assert commands.parse("!memory", is_later=True) == commands.ChatCommand("show")


def test_a_summary_is_cut_when_it_is_read():
    there = memory()
    there.documents = {f"rolling/{CHAT}.json": javascript.written({"summary": "ab🔔c", "updatedAt": 1})}
    for chars, read in ((3, "ab\ud83d"), (0, "ab🔔c")):
        chosen = DIALECT.settings({"edition": "march", "summary_chars": chars})
        told = BOT.prompt(there, CHAT, "", NOW, chosen, USER)
        assert told.sections[0].lines[1].text == read


def test_what_such_a_bot_does_unless_it_is_told_otherwise():
    assert (LATER.short_term, LATER.learns) == (True, True)
    assert (DIALECT.settings({}).short_term, DIALECT.settings({}).learns) == (False, False)
    assert DIALECT.settings({"edition": "march", "learns": False}).learns is False
