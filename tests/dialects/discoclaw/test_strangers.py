"""Files and calls as no bot and no person would make them: whatever stands there is read, left as it is, or refused."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, strategies as st

from memory.dialects.discoclaw import DIALECT, DiscoClaw, curate, durable, javascript, layout
from memory.domain.changes import Delete
from memory.domain.turns import Turn
from memory.text.utf16 import count_units
from tests.dialects.discoclaw.bot import NOW
from tests.dialects.memories import FakeMemory

WORDS = st.text(st.sampled_from('ab 漢🔔\ud83c\n"\\é]}#'), max_size=12)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
ITEM = st.fixed_dictionaries(
    {},
    optional={
        "id": ANYTHING,
        "kind": st.sampled_from(durable.KINDS) | ANYTHING,
        "text": WORDS | ANYTHING,
        "tags": ANYTHING,
        "status": st.sampled_from(["active", "deprecated"]) | ANYTHING,
        "source": st.fixed_dictionaries({"type": ANYTHING}, optional={"channelName": ANYTHING, "channelId": ANYTHING})
        | ANYTHING,
        "createdAt": ANYTHING,
        "updatedAt": st.integers(0, 2_000_000_000_000) | ANYTHING,
        "hitCount": ANYTHING,
        "lastHitAt": ANYTHING,
    },
)
ENTRY = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("timestamp", "channelName", "summary", "sessionKey"), ANYTHING)
)
NUMBER = st.sampled_from([1, 2, 2.0]) | ANYTHING
STORE = st.fixed_dictionaries(
    {"version": NUMBER, "items": st.lists(ITEM | ANYTHING, max_size=4)}, optional={"updatedAt": NUMBER}
)
LATELY = st.fixed_dictionaries({"version": NUMBER, "entries": st.lists(ENTRY | ANYTHING, max_size=4)})
SUMMARY = st.fixed_dictionaries(
    {"summary": WORDS | ANYTHING}, optional={"updatedAt": NUMBER, "turnsSinceUpdate": ANYTHING}
)
USER, CHAT = "discord:user:7", "discord:channel:5"
PATHS = ("durable/7.json", "rolling/discord:channel:5.json", "shortterm/3-7.json")
ASKED = ("Which tea?", "!memory show", "!memory remember x 🔔", "!memory forget x", "!memory reset rolling")
SETTINGS = {"short_term": True, "capture": "write", "durable_chars": 60, "durable_items": 2, "short_term_chars": 60}
EDITIONS = (
    (DIALECT, DIALECT.settings(SETTINGS)),
    (DiscoClaw(later=True), DIALECT.settings({**SETTINGS, "edition": "march"})),
)


@given(store=STORE, summary=SUMMARY, lately=LATELY, message=st.sampled_from(ASKED) | WORDS)
def test_whatever_stands_there_both_versions_read_and_answer(store, summary, lately, message):
    documents = dict(zip(PATHS, map(javascript.written, (store, summary, lately)), strict=True))
    for dialect, settings in EDITIONS:
        there = FakeMemory(documents)
        for path, data in documents.items():
            assert all(fact.text for fact in dialect.facts(path, data))
        read = dialect.prompt(there, CHAT, message, NOW, settings, "7")
        assert all(
            count_units(section.text) < 200 for section in read.sections if section.heading != "Conversation memory"
        )
        turn = Turn(
            CHAT, message, "Fine.", NOW, answered=True, sender="7", group_id="3", chat_name="a#b", is_public=True
        )
        for change in dialect.capture(turn, there, settings).changes:
            before, after = documents[change.path], getattr(change, "data", b"")
            assert dialect.refused(change.path, before, after) == ""
            is_malformed = curate.is_malformed(change.path, before, is_later=settings.is_later)
            assert not is_malformed or isinstance(change, Delete)  # what the user wants gone


@given(store=STORE, extra=ANYTHING)
def test_what_is_not_known_stays_through_every_command(store, extra):
    items = [*store["items"], {"text": "x", "status": "active", "own": extra}]
    data = javascript.written({"version": 1, "updatedAt": 1, "items": items, "own": extra})
    for dialect, settings in EDITIONS:
        for message in ("!memory remember y", "!memory forget x"):
            turn = Turn(CHAT, message, "", NOW, answered=True, sender="7")
            roomy = DIALECT.settings({"edition": settings.edition, "durable_items": 99})
            (change,) = dialect.capture(turn, FakeMemory({PATHS[0]: data}), roomy).changes
            after, known = javascript.read(change.data.decode()), javascript.read(json.dumps(extra))
            own = next(one["own"] for one in after["items"] if isinstance(one, dict) and "own" in one)
            assert (after["own"], own) == (known, known)
            odd = [one for one in javascript.read(data.decode())["items"] if not isinstance(one, dict)]
            assert [one for one in after["items"] if not isinstance(one, dict)] == odd


@pytest.mark.parametrize("number", ["1e400", "-1e999", "9" * 5000])
def test_a_number_that_the_bot_would_lose_is_never_written(number):
    data = b'{"version": 1, "items": [], "own": %s}' % number.encode()
    assert curate.is_malformed(PATHS[0], data, is_later=False)
    turn = Turn(CHAT, "!memory remember y", "", NOW, answered=True, sender="7")
    told = DIALECT.capture(turn, FakeMemory({PATHS[0]: data}), DIALECT.settings({}))
    assert (told.changes, told.clean_text[:21]) == ((), "Memory command error:")


@pytest.mark.parametrize("sender", ["7:8", "../7", "7/8", "", "7\0", "é", "a" * 300, "7 8"])
def test_who_cannot_name_a_file_writes_none(sender):
    turn = Turn("discord:channel:5", "!memory remember y", "", NOW, answered=True, sender=sender)
    changes = DIALECT.capture(turn, FakeMemory({}), DIALECT.settings({})).changes
    assert [change.path for change in changes] == ([f"durable/{sender}.json"] if sender.startswith("aaa") else [])


@pytest.mark.parametrize(
    ("chat", "path"),
    [
        ("discord:dm:7:8", "rolling/discord:dm:7:8.json"),
        ("discord:thread:7:8", "rolling/discord:thread:7:8.json"),
        (":::", "rolling/:::.json"),
        ("a/../b", "rolling/a-b.json"),
        ("漢字", "rolling/-.json"),
    ],
)
def test_a_conversation_with_odd_signs_keeps_to_one_file(chat, path):
    assert layout.rolling_path(DIALECT.session(chat, "", "")) == path
    assert layout.describe(path)
    assert DIALECT.prompt(FakeMemory({}), chat, "", NOW, DIALECT.settings({})).left_out == ()


@pytest.mark.parametrize("edge", range(96, 104))
def test_an_emoji_on_the_edge_of_a_budget_is_in_or_out_as_a_whole(edge):
    text = "x" * 40 + "🔔"
    data = curate.add(PATHS[0], None, [("fact", text)], 1, 200).data
    line = durable.lines(durable.read(data))[0].text
    budget = count_units(line) + edge - 100
    chosen = durable.chosen(durable.read(data), budget)
    assert [one.text for one in chosen] == ([line] if edge >= 100 else [])


@pytest.mark.parametrize("length", [99, 100, 101])
def test_an_emoji_on_the_edge_of_what_is_noted_is_cut_as_the_bot_cuts_it(length):
    turn = Turn(
        CHAT, "x" * (length - 1) + "🔔", "y" * (length - 1) + "🔔", NOW, True, "7", group_id="3", is_public=True
    )
    (change,) = DIALECT.capture(turn, FakeMemory({}), DIALECT.settings({"short_term": True})).changes
    noted = json.loads(change.data)["entries"][0]["summary"]
    kept = {99: "🔔", 100: "\ud83d", 101: ""}[length]
    assert noted == f"User: {'x' * (length - 1)}{kept} | Bot: {'y' * (length - 1)}{kept}"
    assert b"\\ud83d" in change.data or length != 100


@pytest.mark.parametrize("is_later", [False, True])
def test_a_file_of_fifty_thousand_facts_is_brought_under_its_cap_at_once(is_later):
    about = {"kind": "fact", "tags": [], "source": {"type": "manual"}, "updatedAt": 5, "status": "active"}
    store = {"version": 1, "updatedAt": 5, "items": [{**about, "id": str(n), "text": f"x{n}"} for n in range(50_000)]}
    began = time.process_time()
    durable.add(store, "y", {"type": "manual"}, 6, 200, is_later=is_later)
    assert (len(store["items"]), store["items"][-1]["text"]) == (200, "y")
    assert time.process_time() - began < 5  # one after the other they took minutes
