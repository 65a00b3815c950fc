"""Facts picked out of turns: what the model is asked, and what of any answer counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from memory.compaction.chats.extraction import Exchange, Picked, read, request, schema
from memory.text.replies import NoJson, strip_thoughts

KINDS = ("preference", "fact", "project")


def said(*facts):
    return json.dumps({"facts": list(facts)})


def fact(text, kind="fact", **more):
    return {"kind": kind, "text": text, **more}


def test_valid_entries_are_taken_in_order_and_the_first_three():
    reply = said(*(fact(f" fact {number} ") for number in range(5)))
    assert [one.text for one in read(reply, KINDS)] == ["fact 0", "fact 1", "fact 2"]
    assert len(read(reply, KINDS, most=10)) == 5


@pytest.mark.parametrize(
    "entry",
    [
        None,
        7,
        "Ana moved",
        [],
        {},
        fact("Ana", kind="Fact"),
        fact("Ana", kind="secret"),
        fact("Ana", kind=None),
        fact("Ana", kind=["fact"]),
        fact(" \n"),
        fact(""),
        fact(None),
        fact(["Ana"]),
        fact("x" * 501),
        {"kind": "fact"},
    ],
)
def test_an_entry_that_is_none_is_passed_over_and_the_others_are_not(entry):
    reply = said(fact("before"), entry, fact("after"))
    assert read(reply, KINDS) == (Picked("fact", "before", "", 1), Picked("fact", "after", "", 1))


@pytest.mark.parametrize(
    "reply",
    [
        '[{"kind": "fact", "text": "Uses [vim]"}]',
        'Here:\n```json\n[{"kind": "fact", "text": "Uses [vim]"}]\n```\nThat is all [1].',
        '{"items": [{"kind": "fact", "text": "Uses [vim]"}]}',
        '{"memories": [{"kind": "fact", "text": "Uses [vim]"},]}',
        '{"kind": "fact", "text": "Uses [vim]"}',
        '<think>[{"kind": "fact"}]</think> [{"kind": "fact", "text": "Uses [vim]"}]',
    ],
)
def test_a_list_is_found_however_it_is_wrapped(reply):
    assert read(strip_thoughts(reply), KINDS) == (Picked("fact", "Uses [vim]", "", 1),)


@pytest.mark.parametrize("reply", ["[]", '{"facts": []}', '{"facts": [], "text": "none"}', '{"text": ""}'])
def test_nothing_worth_remembering_is_no_error(reply):
    assert read(reply, KINDS) == ()


@pytest.mark.parametrize("reply", ["", "I would rather not.", '[{"kind": "fact", "te', '{"facts": [{"text": "a"'])
def test_an_answer_without_json_is_an_error(reply):
    with pytest.raises(NoJson):
        read(reply, KINDS)


@pytest.mark.parametrize("reply", ['{"facts": "none"}', '{"answer": 42}', "{}", '{"facts": {"text": "a"}}'])
def test_an_answer_without_a_list_is_an_error(reply):
    with pytest.raises(ValueError):
        read(reply, KINDS)


def test_facts_are_counted_for_each_turn():
    reply = said(*(fact(f"{turn}.{number}", turn=turn) for turn in (1, 2, 3) for number in range(4)))
    assert [one.text for one in read(reply, KINDS, most=2, turns=2)] == ["1.0", "1.1", "2.0", "2.1"]


@pytest.mark.parametrize("turn", [0, -1, 3, "2", 1.0, True, None, [1]])
def test_a_turn_that_is_none_is_unknown(turn):
    (picked,) = read(said(fact("a", turn=turn)), KINDS, turns=2)
    assert picked.turn == 0


def test_without_kinds_none_is_asked_for_and_none_is_kept():
    assert read(said({"text": "a", "kind": 3}, {"text": "b"})) == (Picked("", "a", "", 1), Picked("", "b", "", 1))
    assert "kind" not in schema()["properties"]["facts"]["items"]["properties"]
    assert '"kind"' not in request([Exchange("hi")])[0].content


def test_what_a_fact_replaces_is_named():
    (picked,) = read(said(fact("Lives in Porto", supersedes=" Lives in Lisbon ")), KINDS)
    assert picked.supersedes == "Lives in Lisbon"
    (picked,) = read(said(fact("Lives in Porto", supersedes=None)), KINDS)
    assert picked.supersedes == ""
    assert "supersedes" in request([Exchange("hi")], supersedes=True)[0].content
    wanted = schema(KINDS, supersedes=True)["properties"]["facts"]["items"]
    assert wanted["required"] == ["turn", "kind", "text", "supersedes"]


def test_turns_are_quoted_and_numbered_below_what_is_known():
    rules, told = request([Exchange("I moved {kind}", "Oh"), Exchange("Yes")], known=["Likes\n tea"], kinds=KINDS)
    assert told.content == (
        "Known already:\n- Likes tea\n\nTurn 1\nuser: I moved {kind}\nassistant: Oh\n\nTurn 2\nuser: Yes"
    )
    assert '"kind": "preference|fact|project"' in rules.content
    assert "moved" not in rules.content


def test_halves_of_characters_and_nul_do_not_come_through():
    (picked,) = read('{"facts": [{"kind": "fact", "text": "a\\u0000b\\ud83d"}]}', KINDS)
    assert picked.text == "a\ufffdb\ufffd"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["facts", "text", "kind", "turn"]), inner)
    ),
    max_leaves=20,
)


@given(st.lists(values, max_size=6) | st.dictionaries(st.sampled_from(["facts", "items"]), values), st.integers(1, 4))
def test_whatever_is_answered_only_valid_facts_come_of_it(value, turns):
    try:
        picked = read(json.dumps(value), KINDS, most=2, turns=turns)
    except ValueError:
        assert not isinstance(value, list)
        return
    assert len(picked) <= 2 * turns
    for one in picked:
        assert one.kind in KINDS
        assert one.text.strip() == one.text != ""
        assert 0 <= one.turn <= turns
