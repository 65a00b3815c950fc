"""What is written unasked where the owner said so: what somebody said, all of it and nothing else. All else waits with a flag."""

from __future__ import annotations

import pytest

from memory.compaction.chats.verbatim import Passage, Record, lines_of
from tests.compaction.chats.conftest import WORKING, rows
from tests.llm import server as play

pytestmark = pytest.mark.database(cases=1)

OLD = """\
- Rent: 500 to Luis, 900 to Marta
- Bob flies on Monday at 10:00 with TAP
- Password of the bank: hunter horse"""

KEPT = [
    ("I like tea", "The user likes tea"),
    ("I don't like tea.", "The user doesn't like tea"),
    ("I do not smoke.", "User does not smoke"),
    ("Hi, I moved to Porto last week.", "The user moved to Porto last week"),
    ("A lot. My sister Marta visits on 2026-04-03.", "Their sister Marta visits on 2026-04-03"),
    ("I'm allergic to nuts", "The user is allergic to nuts"),
    ("I've moved to Porto", "The user has moved to Porto"),
    ("Bob flies on Monday at 10:00 with TAP", "- Bob flies on Monday at 10:00 with TAP."),
    ("Me mudé a Oporto", "Me mudé a Oporto"),
    ("我不喜欢茶。", "我不喜欢茶"),
    ("I have a cat. It is called Miau. Bye", "The user has a cat. It is called Miau."),
    ("Dr. Silva is my dentist.", "Dr. Silva is the user's dentist"),
    ("Should I move to Lisbon in June?", "Should the user move to Lisbon in June?"),
    ("My PIN at BBVA ends in 12 and at ING in 77", "The user's PIN at BBVA ends in 12 and at ING in 77"),
]
CHANGED = [
    ("My PIN at BBVA ends in 12 and at ING in 77", "The PIN at BBVA ends in 77 and at ING in 12"),
    ("Ana hates Bob and Eve loves tea", "Ana loves Bob"),
    ("Ana hates Bob and Eve loves tea", "Ana hates Bob"),
    ("Should I move to Lisbon in June?", "user moves to Lisbon in June"),
    ("I move to Lisbon in June?", "The user moves to Lisbon in June"),
    ("Can I stay here?", "The user can stay here"),
    ("If it rains I stay at home", "The user stays at home"),
    ("I stay at home if it rains", "The user stays at home"),
    ("Ana says I moved to Porto", "The user moved to Porto"),
    ("Maybe I move to Porto", "The user moves to Porto"),
    ("I wish I lived in Porto", "The user lived in Porto"),
    ('Ana told me: "I moved. I hate Bob."', "The user hates Bob"),
    ("I never gave Ana my key, only Bob has it", "Ana has the key"),
    ("I never gave Ana my key, only Bob has it", "user gave Bob the key"),
    ("I weigh 70 kg", "The user weighs 70 lb"),
    ("I paid 500", "The user paid 500 euros"),
    ("I owe Ana 500", "Ana owes the user 500"),
    ("I hate you", "The assistant hates the user"),
    ("You owe me 5", "The user owes the assistant 5"),
    ("Bob hates me", "The user hates Bob"),
    ("My allergies:\n- nuts", "nuts"),
    ("Rent: 500 to Luis, 900 to Marta", "Rent: 900 to Luis, 500 to Marta"),
    ("我不喜欢茶", "我喜欢茶"),
    ("Juan odia a Eva y Ana ama el té", "Juan ama a Eva y Ana odia el té"),
]


def one(text):
    (line,) = lines_of(text)
    return line


@pytest.mark.parametrize(("said", "line"), KEPT)
def test_all_that_was_said_may_be_said_of_the_user_by_name(said, line):
    assert Record(lines_of(said, "user")).says(one(line))


@pytest.mark.parametrize(("said", "line"), CHANGED)
def test_what_is_left_out_turned_round_or_no_question_any_more_is_something_else(said, line):
    assert not Record(lines_of(said, "user")).says(one(line))


def test_a_line_that_goes_under_another_heading_is_another_line():
    record = Record(lines_of("## Allergies\n- nuts\n## Likes\n- Ana:\n  - tea"))
    assert record.says(Passage("nuts", ("## Allergies",)))
    assert not record.says(Passage("nuts", ("## Likes",)))
    assert not record.says(Passage("nuts"))
    assert record.says(Passage("tea", ("## Likes", "Ana:")))
    assert not record.says(Passage("tea", ("## Likes", "Bob:")))


@pytest.mark.parametrize(("said", "fact"), [pair for pair in CHANGED if "\n" not in pair[0]])
def test_a_fact_that_says_something_else_than_the_user_waits(desk, model, said, fact):
    desk.set(proposals="once")
    desk.say(("user", said), ("assistant", "Noted."))
    model.plays(play.answers({"facts": [{"turn": 1, "text": fact}]}))
    job = desk.picked()
    assert (job.state, [bool(row.flags) for row in rows(job)], desk.facts()) == ("planned", [True], [])


@pytest.mark.parametrize(("said", "fact"), KEPT[:8])
def test_a_fact_in_the_words_of_the_user_is_written(desk, model, said, fact):
    desk.set(proposals="once")
    desk.say(("user", said), ("assistant", "Noted."))
    model.plays(play.answers({"facts": [{"turn": 1, "text": fact}]}))
    job = desk.picked()
    assert (job.state, len(desk.facts()), job.done, job.total) == ("applied", 1, 1, 1)


def test_what_only_the_assistant_said_waits(desk, model):
    desk.set(proposals="once")
    desk.say(("user", "Should I move to Lisbon?"), ("assistant", "Lisbon is nice in June."))
    model.plays(play.answers({"facts": [{"turn": 1, "text": "Lisbon is nice in June."}]}))
    job = desk.picked()
    assert (job.state, [row.flags for row in rows(job)], desk.facts()) == (
        "planned",
        [["Not from a single sentence of the user."]],
        [],
    )


SUMMARIES = [
    "- Rent: 900 to Luis, 500 to Marta\n- Bob flies Monday at 10:00\n- Password of the bank",
    "- Rent: 900 to Luis, 500 to Marta\n- Bob flies on Monday at 10:00 with TAP\n- Password of the bank: hunter horse",
    "- Rent: 500 to Luis, 900 to Marta\n- Bob flies on Monday at 10:00\n- Password of the bank: hunter horse",
    "- Rent: 500 to Luis, 900 to Marta\n- Bob flies on Monday at 10:00 with TAP\n- Password of the bank",
    "- Rent: 500 to Luis, 900 to Marta\n- Bob flies on Monday at 10:00 with TAP",
    f"{OLD}\n- Ana loves Bob\n- Eve hates tea",
    f"{OLD}\n- User moves to Lisbon in June",
    f"# Never\n{OLD}",
]


@pytest.mark.parametrize("text", SUMMARIES)
def test_a_summary_that_changes_or_drops_something_waits(desk, model, text):
    desk.set(proposals="once")
    desk.write(WORKING, OLD.encode())
    desk.say(("user", "Ana hates Bob and Eve loves tea. Should I move to Lisbon in June?"), ("assistant", "Yes."))
    model.plays(play.answers({"summary": text}))
    job = desk.summed_up()
    assert (job.state, desk.read(WORKING)) == ("planned", OLD.encode())
    assert rows(job)[0].flags


def test_a_summary_that_drops_lines_names_them(desk, model):
    desk.set(proposals="once")
    desk.write(WORKING, OLD.encode())
    desk.say(("user", "Hello"), ("assistant", "Hi."))
    model.plays(play.answers({"summary": OLD.split("\n")[0]}))
    assert rows(desk.summed_up())[0].flags == [
        "Would be removed or changed: “Bob flies on Monday at 10:00 with TAP”.",
        "Would be removed or changed: “Password of the bank: hunter horse”.",
    ]


def test_a_summary_that_holds_all_and_adds_what_was_said_is_written(desk, model):
    desk.set(proposals="once")
    desk.write(WORKING, OLD.encode())
    desk.say(("user", "Ana hates Bob and Eve loves tea. I moved to Porto."), ("assistant", "I will remind you of Eve."))
    *first, last = OLD.split("\n")
    text = "\n".join(
        [
            last,
            "- Ana hates Bob and Eve loves tea",
            "- User moved to Porto",
            "- The assistant will remind the user of Eve",
            *first,
        ]
    )
    model.plays(play.answers({"summary": text}))
    job = desk.summed_up()
    assert (rows(job)[0].flags, job.state, desk.read(WORKING).decode()) == ([], "applied", text)
    assert (job.done, job.total) == (3, 3)
