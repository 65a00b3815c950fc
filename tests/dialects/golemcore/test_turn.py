"""Turns through the webhook: remembered as the bot remembers them, or only logged."""

from __future__ import annotations

import pytest

from memory import journal
from memory.dialects.golemcore import items
from memory.dialects.golemcore.layout import EPISODIC, PROCEDURAL, SEMANTIC, items_path
from memory.jobs import review
from memory.jobs.outcomes import Accepted
from memory.models import ChangeSet, Proposal

pytestmark = pytest.mark.django_db
AT = "2026-02-22T18:30:00Z"
NOTES, EPISODES = "memory/2026-02-22.md", items_path(EPISODIC, "2026-02-22")
ASKED = "The build failed. We should always run BookingTest first."
ANSWERED = "Fixed in pom.xml."


def say(sender, message=ASKED, response=ANSWERED, **settings):
    sender.bot.settings = {"capture": "write", **settings}
    sender.bot.save()
    return sender.post(channel="telegram", chat_id="7", message=message, response=response, at=AT).json()


def items_in(sender, path):
    return items.read((sender.root / path).read_bytes())


def test_a_turn_makes_a_note_and_items_and_promotes_those_that_last(sender):
    before = {path: (sender.root / path).read_bytes() for path in (items_path(SEMANTIC), items_path(PROCEDURAL))}
    stored = say(sender)["stored"]
    assert (sender.root / NOTES).read_text() == f"[19:30] User: {ASKED} | Assistant: {ANSWERED}\n"
    found = items_in(sender, EPISODES)
    assert sorted(item.type for item in found) == ["CONSTRAINT", "FAILURE", "FIX", "TASK_STATE"]
    told = next(item for item in found if item.type == "TASK_STATE")
    assert (told.title, told.content) == (f"User asked: {ASKED}", f"User: {ASKED}\nAssistant: {ANSWERED}")
    assert (told.tags, told.references) == (("tests", "xml"), ("pom.xml", "BookingTest"))
    assert items_in(sender, items_path(SEMANTIC))[-1].type == "CONSTRAINT"
    lasting = items_in(sender, items_path(PROCEDURAL))[-2:]
    assert {item.type for item in lasting} == {"FAILURE", "FIX"}
    assert {item.id for item in lasting} < {item.id for item in found}
    assert stored == {**stored, "items": 4, "promoted": 3, "memories": 4}
    (change,) = ChangeSet.objects.filter(bot=sender.bot).order_by("-pk")[:1]
    journal.undo(sender.bot, change, by=journal.By("owner"))
    assert {path: (sender.root / path).read_bytes() for path in before} == before
    assert not (sender.root / NOTES).exists()


def test_durable_items_do_not_decay_unless_it_is_set(sender):
    say(sender)
    left = items_in(sender, items_path(SEMANTIC))
    assert any(f"{item.updated:%Y-%m-%d}" < "2026-01-23" for item in left)
    assert not any(f"{item.updated:%Y-%m-%d}" < "2026-01-23" for item in items_in(sender, items_path(PROCEDURAL)))
    say(sender, message="You must rest.", durableDecay=True)
    assert not any(f"{item.updated:%Y-%m-%d}" < "2026-01-23" for item in items_in(sender, items_path(SEMANTIC)))


def test_a_turn_that_the_bot_wrote_down_itself_is_not_written_again(sender):
    say(sender)
    before = (sender.root / EPISODES).read_bytes()
    assert say(sender, ASKED.upper())["stored"]["already"] == 1
    assert (sender.root / EPISODES).read_bytes() == before


@pytest.mark.parametrize("held", [{"capture": "observe"}, {"enabled": False}])
def test_nothing_is_written_where_the_bot_writes_or_has_no_memory(sender, held):
    say(sender, **held)
    assert not (sender.root / EPISODES).exists()
    assert not (sender.root / NOTES).exists()


def test_what_is_turned_off_is_not_made(sender):
    stored = say(sender, legacyDailyNotesEnabled=False, codeAwareExtractionEnabled=False, promotionEnabled=False)
    assert stored["stored"]["documents"] == [EPISODES, "sessions/telegram:7.pb"]
    assert [item.type for item in items_in(sender, EPISODES)] == ["TASK_STATE"]


def test_a_blank_answer_is_noted(sender):
    say(sender, "Hello", " ")
    assert (sender.root / NOTES).read_text() == "[19:30] User: Hello | Assistant: \n"


def test_a_held_turn_makes_its_note_and_its_items_once_it_is_accepted(sender):
    answer = say(sender, deliveries="ask")
    assert (answer["status"], answer["stored"]) == ("held", {"documents": ["sessions/telegram:7.pb"], "held": 1})
    assert not (sender.root / NOTES).exists()
    (row,) = Proposal.objects.all()
    assert isinstance(review.accept(row.job, [1], journal.By("owner")), Accepted)
    assert (sender.root / NOTES).read_text() == f"[19:30] User: {ASKED} | Assistant: {ANSWERED}\n"
    assert len(items_in(sender, EPISODES)) == 4
    assert items_in(sender, items_path(SEMANTIC))[-1].type == "CONSTRAINT"
