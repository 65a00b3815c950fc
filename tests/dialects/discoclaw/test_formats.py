"""What always holds of the bot's files: JSON goes in and comes out, budgets and caps hold in the bot's own units, facts stand where
they say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from memory.dialects.discoclaw import DIALECT, curate, durable, entries, javascript, layout, rolling, shortterm
from memory.dialects.discoclaw.budget import BudgetLine, selected
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.shared.json_parts import members, parts
from memory.domain.changes import Delete
from memory.text import utf16
from memory.text.markdown.blocks import decode
from tests.dialects.discoclaw.bot import memory

WORDS = st.text(st.sampled_from('ab 漢字🔔🪟\ud83c\n"\\\u2028\x01é]}'), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
OWN_ITEMS = st.fixed_dictionaries(
    {
        "text": WORDS,
        "kind": st.sampled_from(durable.KINDS),
        "status": st.sampled_from(["active", "deprecated"]),
        "updatedAt": st.integers(0, 2_000_000_000_000),
        "source": st.just({"type": "manual"}),
    },
    optional={"pinned": VALUES},
)
ITEMS = st.lists(OWN_ITEMS | VALUES, max_size=6)


def stored(items, **more):
    return {"version": 1, "updatedAt": 5, "items": items, **more}


@given(value=VALUES)
def test_json_comes_back_as_it_was_and_holds_no_half_character(value):
    data = javascript.written(value)
    assert javascript.read(data.decode()) == javascript.read(json.dumps(value))
    assert javascript.written(javascript.read(data.decode())) == data


@given(text=WORDS, size=st.integers(0, 50))
def test_a_text_is_cut_in_units_as_the_bot_does(text, size):
    units = text.encode("utf-16-le", "surrogatepass")
    assert utf16.count_units(text) == len(units) // 2
    assert javascript.cut(text, size).encode("utf-16-le", "surrogatepass") == units[: 2 * size]


@pytest.mark.parametrize("text", ["", "{", "[NaN]", "\ufeff{}", '{"a":1}x', "[" * 100_000])
def test_what_the_bot_cannot_parse_is_no_json(text):
    with pytest.raises(ValueError):
        javascript.read(text)


@given(items=ITEMS, name=WORDS, value=VALUES, indent=st.sampled_from([None, 0, 3]))
def test_items_stand_where_they_are_said_to(items, name, value, indent):
    data = json.dumps({name: value, **stored(items)}, indent=indent)
    places = [(part.start, part.end) for part in parts(data, members(data)["items"].start)]
    assert [json.loads(data[start:end]) for start, end in places] == json.loads(data)["items"]
    found = entries.numbered("durable/1.json", data.encode())
    assert len(found) == len(items)
    assert all((one.start, one.end) in places for one in found if one)


@given(lines=st.lists(WORDS, max_size=8), budget=st.integers(0, 120))
def test_a_budget_holds_and_only_its_end_is_left_out(lines, budget):
    chosen = selected([BudgetLine(at, text) for at, text in enumerate(lines)], budget)
    assert [line.text for line in chosen] == lines[: len(chosen)]
    text = "\n".join(line.text for line in chosen)
    assert utf16.count_units(text) <= budget
    if len(chosen) < len(lines):
        following = "\n".join(lines[: len(chosen) + 1])
        assert utf16.count_units(following) > budget or not chosen


@given(items=st.lists(OWN_ITEMS, max_size=6), most=st.integers(1, 6), text=WORDS)
def test_the_cap_holds_and_takes_forgotten_ones_first(items, most, text):
    store = javascript.read(json.dumps(stored(items)))
    before = list(store["items"])
    durable.add(store, text, {"type": "manual"}, 2_000_000_000_000, most)
    left = store["items"]
    assert len(left) <= max(most, len(before))
    assert any(one["text"] == javascript.read(json.dumps(text)) for _, one in durable.active(store))
    gone = [one for one in before if not any(one is other for other in left)]
    if any(one["status"] == "active" for one in gone):
        assert not [one for one in left if one["status"] == "deprecated"]


@given(items=ITEMS, most=st.integers(1, 3))
def test_the_cap_passes_over_what_is_no_item(items, most):
    store = stored(items)
    durable.add(store, "Likes tea", {"type": "manual"}, 1, most)
    assert [one for one in items if not isinstance(one, dict)] == [
        one for one in store["items"] if not isinstance(one, dict)
    ]


@given(items=ITEMS, extra=VALUES)
def test_forgetting_and_restoring_keeps_all_that_is_not_known(items, extra):
    data = javascript.written(stored(items, extra=extra))
    facts = entries.facts("durable/1.json", data)
    active = [fact for fact in facts if fact.attributes.status == "active"]
    gone = curate.forget("durable/1.json", data, active, 9)
    after = javascript.read(gone.data.decode())
    assert after["extra"] == javascript.read(json.dumps(extra))
    assert [one for one in after["items"] if not isinstance(one, dict)] == [
        one for one in javascript.read(json.dumps(items)) if not isinstance(one, dict)
    ]
    assert len(after["items"]) == len(items)
    assert not [fact for fact in entries.facts("durable/1.json", gone.data) if fact.attributes.status == "active"]


@pytest.mark.parametrize("path", [path for path in memory().documents if path.endswith(".json")])
def test_a_fact_of_each_file_is_reworded_and_forgotten(path):
    data = memory().read(path)
    facts = DIALECT.facts(path, data)
    if not facts:
        assert path.endswith(("66.json", "03.json", "33.json")) or not decode(data)
        return
    edited = DIALECT.edit(path, data, facts[-1], "Quite new 🔔")
    assert DIALECT.facts(path, edited.data)[-1].text == "Quite new 🔔"
    assert [fact.text for fact in DIALECT.facts(path, edited.data)[:-1]] == [fact.text for fact in facts[:-1]]
    assert DIALECT.refused(path, data, edited.data) == ""
    gone = DIALECT.forget(path, data, [facts[-1]])
    if isinstance(gone, Delete):
        assert path.startswith("rolling/")
    elif path.startswith("durable/") and facts[-1].attributes.status == "active":
        assert DIALECT.facts(path, gone.data)[-1].attributes.status == "deprecated"
        back = curate.restored(path, gone.data, [DIALECT.facts(path, gone.data)[-1]], 7)
        assert DIALECT.facts(path, back.data)[-1].attributes.status == "active"
    else:
        assert len(DIALECT.facts(path, gone.data)) == len(facts) - 1


def test_a_fact_that_is_forgotten_twice_is_gone():
    data = javascript.written(stored([{"text": "x", "status": "deprecated"}, {"text": "y", "status": "active"}]))
    facts = entries.facts("durable/1.json", data)
    after = curate.forget("durable/1.json", data, facts, None)
    assert javascript.read(after.data.decode())["items"] == [{"text": "y", "status": "deprecated"}]


def test_words_that_another_fact_has_are_not_taken():
    data = curate.add("durable/1.json", None, [("fact", "Likes tea")], 1, 200).data
    data = curate.add("durable/1.json", data, [("fact", "Likes coffee")], 2, 200).data
    with pytest.raises(ValueError, match="already says this"):
        curate.edit("durable/1.json", data, entries.facts("durable/1.json", data)[1], "likes  TEA")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("durable/1.json", b'{"version": 1, "items": {}}'),
        ("durable/1.json", b'{"items": []}'),
        ("durable/1.json", b'{"version": 1, "items": [],}'),
        ("durable/1.json", b'{"version": 1, "items": [], "x": "\xff"}'),
        ("rolling/discord:dm:1.json", b'{"summary": null}'),
        ("shortterm/1-2.json", b'{"version": 1}'),
    ],
)
def test_a_malformed_file_holds_no_facts_and_cannot_be_made_of_another(path, data):
    good = {
        "durable": b'{"version": 9, "items": []}',
        "rolling": b'{"summary": ""}',
        "shortterm": b'{"version":1,"entries":[]}',
    }
    before = good[path.split("/")[0]]
    assert DIALECT.facts(path, data) == []
    assert DIALECT.refused(path, before, data)
    assert DIALECT.refused(path, data, data) == ""
    assert DIALECT.refused(path, data, before) == ""


def test_what_is_malformed_is_written_by_nobody():
    with pytest.raises(Malformed):
        curate.add("durable/1.json", b"{", [("fact", "x")], 1, 200)
    with pytest.raises(ValueError, match="Facts are added to a user"):
        curate.add("rolling/x.json", None, [("fact", "x")], 1, 200)


@given(stamps=st.lists(st.integers(-100, 100), max_size=8), most=st.integers(1, 5))
def test_what_happened_lately_grows_no_longer_than_it_may(stamps, most):
    store = shortterm.new()
    for stamp in stamps:
        shortterm.append(store, {"timestamp": stamp, "summary": str(stamp)}, 100, most, 150)
    kept = [entry["timestamp"] for entry in store["entries"]]
    assert kept == [stamp for stamp in stamps if 100 - stamp < 150][-most:]


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [(0, "0 min"), (3_599_999, "59 min"), (3_600_000, "1 hr"), (7_200_000, "2 hrs"), (-1_680_000, "-28 min")],
)
def test_ages_are_said_as_the_bot_says_them(milliseconds, said):
    store = {"version": 1, "entries": [{"timestamp": 10**12, "channelName": "dev", "summary": "x"}]}
    (line,) = shortterm.lines(store, 10**12 + milliseconds, 10**9)
    assert line.text == f"- {said} ago in #dev: x"


def test_a_turn_in_short_is_cut_in_units_and_trimmed():
    assert shortterm.excerpt("a" * 99 + "🔔b", " yes ") == "User: " + "a" * 99 + "\ud83d | Bot: yes"


def test_a_summary_counts_its_turns():
    found = rolling.read(b'{"summary": "x", "turnsSinceUpdate": -1, "own": 1}')
    assert rolling.after_turn(found, 7) == {"summary": "x", "turnsSinceUpdate": 1, "own": 1, "updatedAt": 7}


@pytest.mark.parametrize(
    "path",
    [
        "durable/1.json.tmp.31877",
        "durable/a b.json",
        "durable/.json",
        "durable/x/1.json",
        "rolling/a b.json",
        "rolling/discord:user:1.json",
        "shortterm/1.json",
        "shortterm/-1.json",
        "@workspace/notes.md",
        "@workspace/memory/today.md",
        "other/1.json",
    ],
)
def test_what_the_bot_does_not_read_is_nothing(path):
    assert layout.describe(path) is None


@pytest.mark.parametrize(
    ("asked", "chat"),
    [
        (("discord:thread:7", "", ""), "discord:thread:7"),
        (("discord-7", "discord", "7"), "discord:channel:7"),
        (("discord-dm:7", "discord", "dm:7"), "discord:dm:7"),
        (("a b/c", "", ""), "a-b-c"),
        (("http-7", "http", "7"), "http-7"),
    ],
)
def test_a_chat_is_called_as_the_bot_calls_its_file(asked, chat):
    assert DIALECT.session(*asked) == chat


def test_who_writes_is_known_in_a_direct_message():
    assert DIALECT.beside("discord:dm:7") == ("discord:user:7",)
    assert DIALECT.beside("discord:channel:7") == ()
    assert DIALECT.beside("discord:channel:7", "8") == ("discord:user:8",)
    assert DIALECT.beside("discord:channel:7", "../8") == ()


ITEM = {"text": "Likes tea", "kind": "fact", "status": "active", "updatedAt": 5, "source": {"type": "manual"}}
ENTRY = {"timestamp": 5, "sessionKey": "a", "channelName": "b", "summary": "User: a | Bot: b"}


@pytest.mark.parametrize(
    ("path", "before", "after", "own"),
    [
        ("durable/1.json", stored([]), stored([ITEM], updatedAt=6), True),
        ("durable/1.json", None, stored([ITEM]), True),
        ("durable/1.json", stored([ITEM]), stored([ITEM | {"text": "Likes coffee"}]), False),
        ("rolling/a.json", {"summary": "a", "updatedAt": 5}, {"summary": "b", "updatedAt": 6}, True),
        ("rolling/a.json", {"summary": "a", "updatedAt": 5}, {"summary": "b", "updatedAt": 5}, False),
        ("shortterm/1-2.json", {"version": 1, "entries": []}, {"version": 1, "entries": [ENTRY]}, True),
        ("shortterm/1-2.json", {"version": 1, "entries": [ENTRY]}, {"version": 1, "entries": []}, False),
        ("@workspace/MEMORY.md", None, stored([ITEM]), False),
    ],
)
def test_a_file_that_says_a_later_time_is_the_bots(path, before, after, own):
    data = javascript.written(after)
    assert DIALECT.wrote(path, b"" if before is None else javascript.written(before), data) is own
    assert not DIALECT.wrote(path, b"", data.replace(b"  ", b" "))
    assert not DIALECT.wrote(path, b"{", data)
