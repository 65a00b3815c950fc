from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.text.fidelity.judge import doubts, fact_problem, judge
from memory.text.fidelity.operations import Archive, Fact, Keep, Merge, Supersede, parse
from memory.text.fidelity.retention import missing_words

FACTS = (
    Fact("Ana lives in Porto", "2026-01-10", "08:00"),
    Fact("Ana lives in Lisbon now", "2026-01-12", "09:00"),
    Fact("Ana likes tea", "2026-01-12", "09:01"),
    Fact("Ana lives in Madrid", lasting=True),
    Fact("It rained", "2026-01-12"),
)


def op(action, facts, **more):
    return {"action": action, "facts": facts, **more}


def only(*operations):
    """The judgements of these operations, of which only they themselves matter."""
    return judge(FACTS, operations).judgements


def test_what_names_several_facts_is_one_operation_for_each():
    answer = {"operations": [op("keep", [1, "2", 1]), op("archive", [5]), op("supersede", [4], newer=2)]}
    assert parse(answer) == (Keep(1), Keep(2), Archive(5), Supersede(4, 2))
    assert parse({"operations": [op("merge", [3, 1, 3], text=" Ana. ")]}) == (Merge((3, 1), "Ana."),)
    assert parse({"operations": []}) == ()


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"operations": {}},
        {"operations": [1]},
        {"operations": [{}]},
        {"operations": [op("keep", [])]},
        {"operations": [op("keep", None)]},
        {"operations": [op("keep", [True])]},
        {"operations": [op("keep", [1.5])]},
        {"operations": [op("keep", ["one"])]},
        {"operations": [op("keep", ["9" * 5000])]},
        {"operations": [op("forget", [1])]},
        {"operations": [op("merge", [1, 2])]},
        {"operations": [op("merge", [1, 2], text=["Ana"])]},
        {"operations": [op("supersede", [1])]},
        {"operations": [op("keep", [1])] * 2001},
    ],
)
def test_any_other_answer_is_refused_with_a_sentence(answer):
    with pytest.raises(ValueError, match=r"^(The answer|Operation \d+) .*\.$"):
        parse(answer)


NAMES = st.sampled_from(["operations", "action", "facts", "text", "newer"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(NAMES, some),
)
OPERATIONS = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["keep", "merge", "supersede", "archive"]),
        "facts": st.lists(st.integers(-1, 7), max_size=3),
        "text": st.text(max_size=9),
        "newer": st.integers(-1, 7),
    }
)


@given(ANYTHING | st.fixed_dictionaries({"operations": st.lists(OPERATIONS, max_size=6)}))
def test_no_answer_breaks_it(answer):
    try:
        operations = parse(answer)
    except ValueError:
        return
    judge(FACTS, operations)


def test_every_fact_has_to_be_named_just_once():
    assert not judge(FACTS, [Keep(number) for number in range(1, 6)]).blocked
    judged = judge(FACTS, [Keep(1), Keep(2), Archive(2), Keep(5)])
    assert (judged.unnamed, judged.lost, judged.blocked) == ((3, 4), (2, 3, 4), True)
    assert only(Keep(0))[0].losses == ("Fact 0 doesn’t exist.",)
    assert only(Keep(6))[0].losses == ("Fact 6 doesn’t exist.",)
    assert only(Keep(-1))[0].lost == ()


def test_a_merge_says_all_of_each_fact():
    [good] = only(Merge((2, 3), "Ana lives in Lisbon now and likes tea"))
    assert (good.flags, good.losses, good.lost) == ((), (), ())
    [bad] = only(Merge((2, 3), "Ana lives in Lisbon and likes tea"))
    assert bad.losses == ("The line leaves out “now” from fact 2.",)
    assert bad.lost == (2,)
    assert only(Merge((2, 3), "Ana"))[0].lost == (2, 3)


NO_FACTS = ["", "# Ana", "- Ana", "```Ana", "Ana\nBob", "a" * 4001, "<!-- Ana -->", "Ana\0", "\udcff"]
LINES = ["Ana", "Ana: 1. tea 2. milk", "`make test`", "**Ana** likes tea", "我喜欢茶", "5. Januar: Ana", "-5 °C"]


@pytest.mark.parametrize("text", NO_FACTS)
def test_a_line_that_would_not_read_as_one_fact_is_none(text):
    assert fact_problem(text)


@pytest.mark.parametrize("text", LINES)
def test_a_line_that_reads_as_one_fact_is_one(text):
    assert fact_problem(text) == ""


def test_only_what_is_newer_and_about_the_same_supersedes():
    assert only(Supersede(1, 2), Keep(2))[0].losses == ()
    assert only(Supersede(1, 2), Keep(2))[0].flags == ()
    assert "The replacement is the older fact." in only(Supersede(2, 1), Keep(1))[0].losses[0]
    assert "neither kept nor merged" in only(Supersede(1, 2), Archive(2))[0].losses[0]
    assert "Fact 1 doesn’t exist or is the same fact." in only(Supersede(1, 1))[0].losses[0]
    assert "Fact 9 doesn’t exist or is the same fact." in only(Supersede(1, 9))[0].losses[0]
    assert "has no word in common with it" in only(Supersede(1, 5), Keep(5))[0].losses[0]
    assert only(Supersede(1, 3), Keep(3))[0].flags == ("The newer fact has little in common with it: “Ana”.",)
    assert only(Supersede(1, 2), Merge((2, 3), "Ana lives in Lisbon now, likes tea"))[0].losses == ()


def test_a_newer_fact_about_somebody_else_is_for_a_person():
    facts = (Fact("Ana's port is 80", "2026-01-10"), Fact("Bob's port is 81", "2026-01-12"))
    assert judge(facts, [Supersede(1, 2), Keep(2)]).judgements[0].flags == (
        "The newer fact may be about something else: it doesn’t mention “Ana”.",
    )


def test_what_cannot_be_told_is_for_a_person():
    undated = "It isn’t clear which fact is newer: long-term memory has no dates."
    assert undated in only(Supersede(4, 2), Keep(2))[0].flags[0]
    assert undated in only(Supersede(1, 4), Keep(4))[0].flags[0]
    same = (Fact("Ana is in Porto", "2026-01-10", "08:00"), Fact("Ana is in Lisbon", "2026-01-10"))
    same_day = "It isn’t clear which fact is newer: both are from the same day."
    assert same_day in judge(same, [Supersede(1, 2), Keep(2)]).judgements[0].flags[0]
    assert same_day in judge(same, [Supersede(2, 1), Keep(1)]).judgements[0].flags[0]


def test_one_newer_fact_for_many_and_much_of_it_archived_are_for_a_person():
    many = tuple(Fact(f"Ana lives in town {n}", f"2026-01-{n:02}") for n in range(1, 11))
    judged = judge(many, [*(Supersede(n, 10) for n in range(1, 10)), Keep(10)])
    assert all("One newer fact would replace 9 others." in " ".join(one.flags) for one in judged.judgements[:9])
    assert all(one.flags for one in judge(many, [Archive(n) for n in range(1, 11)]).judgements)
    few = judge(many, [*(Archive(n) for n in range(1, 4)), *(Keep(n) for n in range(4, 11))])
    assert not any(one.flags for one in few.judgements)
    assert only(Archive(4))[0].flags == ("It would leave long-term memory, which the bot always reads.",)


def test_the_day_on_which_something_was_noted_is_no_invention():
    assert list(doubts("Ana moved (noted 2026-01-12)", ["Ana moved"], ["2026-01-12"])) == []
    assert list(doubts("Ana moved on 2026-01-12", ["Ana moved on"], ["2026-01-12"])) == [
        "No source contains “2026-01-12”."
    ]


@given(st.lists(st.sampled_from([fact.text for fact in FACTS]), min_size=1, max_size=4, unique=True), st.data())
def test_a_merge_that_passes_holds_every_fact(texts, data):
    line = " and ".join(data.draw(st.permutations(texts)))
    words = line.split(" ")
    line = " ".join(word for word in words if word != data.draw(st.sampled_from(["", *words])))
    facts = [Fact(text) for text in texts]
    [judged] = judge(facts, [Merge(tuple(range(1, len(texts) + 1)), line)]).judgements
    assert bool(judged.losses) == (not line or any(missing_words(text, line) for text in texts))
