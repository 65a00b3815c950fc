"""Summaries renewed and facts learned by Kenoweb's own model, where it answers or stores deliveries: when, from what, and what of
the answer is written; whatever the model says, the last summary stays until a new one is accepted."""

from __future__ import annotations

import json

import pytest

from memory import index, journal
from memory.compaction import chats
from memory.dialects.discoclaw import durable
from memory.dialects.discoclaw.renewal import learning, summary
from memory.jobs import review
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.models import ChangeSet, ChatName, Job, ModelCall, Proposal
from tests.llm import server as play
from tests.support.amounts import some
from tests.support.attempts import done
from tests.webhook.conftest import Sender

pytestmark = pytest.mark.django_db
BY = journal.By("ana")
USER, SERVER = "710000000000000011", "610000000000000101"
NEW, CHAT = "discord:channel:990000000000000001", "discord:channel:820000000000000001"
SUMMARY, FACTS = f"rolling/{NEW}.json", f"durable/{USER}.json"
OLD = {"summary": "Ana plans a wall.", "updatedAt": 5, "turnsSinceUpdate": 0, "own": [1]}


@pytest.fixture
def at_once(sender):
    return given(sender, proposals="once", capture="write")


def given(sender: Sender, **settings: object) -> Sender:
    sender.bot.settings = {**sender.bot.settings, **settings}
    sender.bot.save()
    return sender


def say(sender, number=1, message="The wall is red.", response="Noted.", **fields):
    told = {"session_id": NEW, "user_id": USER, "group_id": SERVER, "chat_name": "walls", "message_id": f"m{number}"}
    answer = sender.post(message=message, **({"response": response} if response else {}), **{**told, **fields})
    assert answer.status_code == 200, answer.content
    return answer.json()


def write(sender, path, found):
    (sender.root / path).write_text(json.dumps(found))
    index.refresh(sender.bot, patience=5)


def read(sender, path=SUMMARY):
    return json.loads((sender.root / path).read_text())


def queued(kind=Job.Kind.SUMMARY):
    return list(Job.objects.filter(kind=kind).order_by("pk"))


def facts(*found):
    return play.answers({"facts": list(found)})


def fact(text, kind="preference", **more):
    return {"kind": kind, "text": text, **more}


# When a summary is due


def test_after_five_turns_the_first_summary_is_made(at_once, model):
    for number in range(4):
        say(at_once, number)
    assert (queued(), (at_once.root / SUMMARY).exists()) == ([], False)
    say(at_once, 5)
    (job,) = queued()
    model.plays(" The user talks of a red wall.\n")
    assert done(job).state == Job.State.APPLIED
    found = read(at_once)
    assert (found["summary"], found["turnsSinceUpdate"]) == ("The user talks of a red wall.", 0)
    assert found["updatedAt"] > 10**12


def test_the_bots_own_counter_says_when_and_begins_anew(at_once, model):
    write(at_once, SUMMARY, {**OLD, "turnsSinceUpdate": 3})
    say(at_once, 1)
    assert queued() == []
    say(at_once, 2)
    (job,) = queued()
    say(at_once, 3)  # while the model is asked
    assert queued() == [job]
    model.plays("Ana builds a red wall.")
    done(job)
    assert read(at_once) == {**OLD, "summary": "Ana builds a red wall.", "updatedAt": read(at_once)["updatedAt"]}
    say(at_once, 4)
    assert read(at_once)["turnsSinceUpdate"] == 1
    assert queued() == [job]


def test_turns_while_a_suggestion_waits_are_counted_on(sender, model):
    given(sender, capture="write")
    write(sender, SUMMARY, {**OLD, "turnsSinceUpdate": 4})
    say(sender, 1)
    (job,) = queued()
    model.plays("Ana builds a red wall.")
    planned = done(job)
    assert planned.state == Job.State.PLANNED
    for number in range(2, 9):
        say(sender, number)
    assert queued() == [job]  # nobody is asked for another before this one is decided
    assert isinstance(review.accept(planned, None, BY), Accepted)
    assert (read(sender)["summary"], read(sender)["turnsSinceUpdate"]) == ("Ana builds a red wall.", 7)


def test_a_suggestion_that_nobody_wants_is_not_asked_for_again_at_once(sender, model):
    given(sender, capture="write")
    write(sender, SUMMARY, {**OLD, "turnsSinceUpdate": 4})
    say(sender, 1)
    model.plays("No.")
    review.refuse(done(queued()[0]), None, BY)
    for number in range(2, 6):
        say(sender, number)
        assert len(queued()) == 1
    say(sender, 6)
    assert len(queued()) == 2
    assert read(sender)["summary"] == OLD["summary"]


@pytest.mark.parametrize(
    ("chosen", "fields"),
    [
        ({"capture": "observe"}, {}),
        ({"summaries": False}, {}),
        ({"summary_turns": 6}, {}),
        ({}, {"message": "!memory show"}),
    ],
)
def test_none_is_asked_for(sender, model, chosen, fields):
    given(sender, **{"capture": "write", **chosen})
    for number in range(5):
        say(sender, number, **fields)
    assert queued() == []


def test_without_a_model_turns_are_counted_and_nothing_is_asked(sender):
    given(sender, capture="write")
    write(sender, SUMMARY, {**OLD, "turnsSinceUpdate": 4})
    say(sender, 1)
    assert (queued(), read(sender)["turnsSinceUpdate"]) == ([], 5)


def test_where_kenoweb_answers_it_sums_up(sender, model):
    given(sender, summary_turns=1)
    model.plays("It is red.")
    say(sender, response="", message="Which colour?")
    assert len(queued()) == 1


# What the model is asked, and what is done with its answer


def test_the_model_is_asked_with_the_last_summary_and_what_was_said_by_name(at_once, model):
    write(at_once, SUMMARY, OLD)
    ChatName.objects.create(bot=at_once.bot, scope=f"discord:user:{USER}", name="Ana")
    say(at_once, 1, "What of $& {recentExchange}?", "Nothing.")
    say(at_once, 2, "!memory show", "…")
    say(at_once, 3, "And red?", "r" * 600, user_id=None)
    model.plays("x")
    done(chats.summarise(at_once.bot, NEW, BY))
    asked = model.asked[0].messages[1]["content"]
    assert asked.startswith("Current summary:\nAna plans a wall.\n\nNew exchange:\n")
    told = f"[Ana]: What of $& {{recentExchange}}?\n[Discoclaw]: Nothing.\n[User]: And red?\n[Discoclaw]: {'r' * 500}"
    assert asked.endswith(told)


def test_a_summary_is_held_to_its_length_and_no_character_is_torn(at_once, model):
    given(at_once, summary_chars=11)
    say(at_once)
    model.plays("It is 🔔🔔🔔🔔 here")
    done(chats.summarise(at_once.bot, NEW, BY))
    assert read(at_once)["summary"] == "It is"
    given(at_once, summary_chars=0)
    model.plays("é" * 9000)
    done(chats.summarise(at_once.bot, NEW, BY))
    assert len(read(at_once)["summary"]) == 9000


FAULTS = (play.empty(), play.broken(500), play.denied(), play.refusal(), play.cut_off("Red and blue."), play.reset())


@pytest.mark.parametrize("fault", some([*FAULTS, play.wrong_type()], 3))
def test_whatever_fails_the_last_summary_stays(at_once, model, fault):
    write(at_once, SUMMARY, OLD)
    say(at_once)
    before = at_once.files()
    model.plays(fault)
    assert done(chats.summarise(at_once.bot, NEW, BY)).state == Job.State.FAILED
    assert at_once.files() == before


def test_an_answer_that_says_the_same_writes_nothing(at_once, model):
    write(at_once, SUMMARY, OLD)
    say(at_once)
    before = at_once.files()
    model.plays(OLD["summary"])
    ended = done(chats.summarise(at_once.bot, NEW, BY))
    assert (ended.state, ended.trouble, at_once.files()) == (Job.State.APPLIED, summary.SAME, before)


def test_what_nobody_said_waits_for_somebody(at_once, model):
    say(at_once)
    model.plays("The wall cost 4711 euros.")
    planned = done(chats.summarise(at_once.bot, NEW, BY))
    assert planned.state == Job.State.PLANNED
    assert "4711" in Proposal.objects.get(job=planned).flags[0]
    assert not (at_once.root / SUMMARY).exists()


def test_a_summary_that_changed_meanwhile_is_not_written_over(sender, model):
    given(sender, capture="write")
    write(sender, SUMMARY, OLD)
    say(sender)
    model.plays("Ana builds a wall.")
    planned = done(chats.summarise(sender.bot, NEW, BY))
    write(sender, SUMMARY, {**OLD, "summary": "The bot was faster."})
    assert review.accept(planned, None, BY) == NotAccepted(summary.REPLACED)
    (sender.root / SUMMARY).write_text("{")
    assert review.accept(planned, None, BY) == NotAccepted(durable.BROKEN)
    (sender.root / SUMMARY).unlink()
    assert review.accept(planned, None, BY) == NotAccepted(summary.REPLACED)


def test_each_version_is_in_the_history_and_is_undone(at_once, model):
    write(at_once, SUMMARY, OLD)
    before = (at_once.root / SUMMARY).read_bytes()
    say(at_once)
    counted = (at_once.root / SUMMARY).read_bytes()
    for text in ("The wall is red.", "Red is the wall."):
        model.plays(text)
        done(chats.summarise(at_once.bot, NEW, BY))
    assert read(at_once)["summary"] == "Red is the wall."
    sets = list(ChangeSet.objects.filter(bot=at_once.bot).order_by("-pk"))
    for change, text in zip(sets, ("The wall is red.", json.loads(counted)["summary"]), strict=False):
        journal.undo(at_once.bot, change, by=BY)
        assert read(at_once)["summary"] == text
    journal.undo(at_once.bot, sets[2], by=BY)
    assert (at_once.root / SUMMARY).read_bytes() == before


@pytest.mark.parametrize("chat", ["discord:channel:5", f"discord:user:{USER}"])
def test_without_any_message_there_is_nothing_to_sum_up(sender, model, chat):
    ended = done(chats.summarise(sender.bot, chat, BY))
    wanted = summary.NO_SUMMARY if "user" in chat else summary.NOTHING_SAID
    assert (ended.state, ended.trouble) == (Job.State.FAILED, wanted)
    assert not ModelCall.objects.exists()


def test_a_malformed_summary_is_left_as_it_is(at_once, model):
    say(at_once)
    (at_once.root / SUMMARY).write_text('{"summary": 1}')
    ended = done(chats.summarise(at_once.bot, NEW, BY))
    assert (ended.trouble, (at_once.root / SUMMARY).read_text()) == (durable.BROKEN, '{"summary": 1}')
    assert not ModelCall.objects.exists()


# Facts


@pytest.fixture
def learning_one(at_once):
    return given(at_once, learns=True, summary_turns=2)


def learned(sender, model, *answers):
    """The job that learns, after two turns and their summary."""
    say(sender, 1, "I live in Lugo.", "Nice.")
    say(sender, 2, "I like [red] walls and Mondays.", "Good.")
    model.plays("The user talks of walls.", *answers)
    done(queued()[0])
    return done(queued(Job.Kind.EXTRACTION)[0])


def items(sender, path=FACTS):
    return [item for item in read(sender, path)["items"] if item["source"].get("channelName") == "walls"]


def test_facts_are_learned_after_a_summary_with_where_they_were_said(learning_one, model):
    ended = learned(learning_one, model, facts(fact("I like [red] walls"), fact("I like Mondays", "fact")))
    assert ended.state == Job.State.APPLIED
    assert "I live in Lugo" not in model.asked[1].messages[1]["content"]  # the bot asks about the last message alone
    one, two = items(learning_one)
    place = {"channelId": NEW.split(":")[2], "messageId": "m2", "guildId": SERVER, "channelName": "walls"}
    assert (one["kind"], one["text"], one["source"]) == (
        "preference",
        "I like [red] walls",
        {"type": "summary", **place},
    )
    assert (two["id"], two["status"]) == (durable.item_id("fact", "I like Mondays"), "active")


def test_a_later_bot_asks_about_every_message_since_the_last_summary(learning_one, model):
    given(learning_one, edition="march")
    learned(learning_one, model, facts(fact("I live in Lugo", "fact", turn=1), fact("I like Mondays", turn=2)))
    assert [item["source"]["messageId"] for item in items(learning_one)] == ["m1", "m2"]


IN_A_FENCE = """```json
[{"kind": "FACT", "text": "x"}, {"kind": "fact", "text": " "}, 7, {"kind": "fact", "text": "I like Mondays"}]
```"""
FOUR = json.dumps([fact(f"I like {word}") for word in ("red", "walls", "Mondays", "red walls")])


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ('Here: [{"kind": "fact", "text": "I like [red] walls"}] [done]', ["I like [red] walls"]),
        (IN_A_FENCE, ["I like Mondays"]),
        (FOUR, ["I like red", "I like walls", "I like Mondays"]),
        ("[]", []),
    ],
)
def test_answers_are_read_wherever_their_list_ends(learning_one, model, answer, texts):
    ended = learned(learning_one, model, answer)
    assert (ended.state, [item["text"] for item in items(learning_one)]) == (Job.State.APPLIED, texts)


def test_an_answer_without_a_list_learns_nothing_and_the_summary_stays(learning_one, model):
    before = (learning_one.root / FACTS).read_bytes()
    assert learned(learning_one, model, "I cannot do that.").state == Job.State.FAILED
    assert read(learning_one)["summary"] == "The user talks of walls."
    assert (learning_one.root / FACTS).read_bytes() == before


def test_what_is_known_or_was_forgotten_is_not_learned_unasked(learning_one, model):
    store = durable.new()
    durable.add(store, "I like mondays", {"type": "manual"}, 5, 200)
    durable.forget(store, [0], 6)
    durable.add(store, "I like  RED walls", {"type": "manual"}, 7, 200, "project")
    write(learning_one, FACTS, store)
    planned = learned(learning_one, model, facts(fact("I like red walls"), fact("I like Mondays")))
    assert planned.state == Job.State.PLANNED
    (row,) = Proposal.objects.filter(job=planned)
    assert (row.text, row.flags) == ("I like Mondays", [learning.WAS_FORGOTTEN])
    assert read(learning_one, FACTS) == store


def test_what_the_user_did_not_say_waits_for_somebody(learning_one, model):
    planned = learned(learning_one, model, facts(fact("Has 3 cats called Rex")))
    assert planned.state == Job.State.PLANNED
    assert items(learning_one) == []
    assert isinstance(review.accept(planned, [1], BY), Accepted)
    assert [item["text"] for item in items(learning_one)] == ["Has 3 cats called Rex"]


def test_nothing_is_learned_unless_it_is_set(at_once, model):
    say(at_once)
    model.plays("Red.")
    done(chats.summarise(at_once.bot, NEW, BY))
    assert queued(Job.Kind.EXTRACTION) == []


def test_a_worker_that_died_behind_the_summary_still_has_facts_learned(learning_one, model):
    learned(learning_one, model, facts())
    job = queued()[0]
    Job.objects.filter(kind=Job.Kind.EXTRACTION).delete()
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, holder="", lease=None)
    done(job)
    assert len(queued(Job.Kind.EXTRACTION)) == 1
    assert ChangeSet.objects.filter(job=job).count() == 1


def test_a_malformed_file_is_not_written_by_a_fact(learning_one, model):
    say(learning_one, 1, user_id="710000000000000066")
    say(learning_one, 2, user_id="710000000000000066")
    before = (learning_one.root / "durable/710000000000000066.json").read_bytes()
    model.plays("Red.")
    done(queued()[0])
    ended = done(queued(Job.Kind.EXTRACTION)[0])
    assert (ended.state, ended.trouble) == (Job.State.FAILED, durable.BROKEN)
    assert (learning_one.root / "durable/710000000000000066.json").read_bytes() == before


def test_facts_of_a_delivery_are_picked_where_the_owner_wants_it(sender, model):
    given(sender, facts_per_turn=1, proposals="once", capture="write")
    say(sender, 1, "I like red. I like blue.")
    model.plays(facts(fact("I like red"), fact("I like blue")))
    assert done(queued(Job.Kind.EXTRACTION)[0]).state == Job.State.APPLIED
    assert [item["text"] for item in items(sender)] == ["I like red"]


def test_a_suggestion_is_compared_with_the_summary_sentence_by_sentence(sender, model, visitor):
    write(sender, SUMMARY, {**OLD, "summary": "Ana plans a wall. It is tall \ud83c."})
    say(sender)
    model.plays("Ana plans a wall. It is red.")
    planned = done(chats.summarise(sender.bot, NEW, BY))
    shown = visitor.get(f"/{sender.bot.slug}/jobs/{planned.pk}").content.decode()
    assert "turnsSinceUpdate" not in shown
    assert "no line ending" not in shown
    assert "It is " in shown


def test_the_button_is_there_where_messages_came_by_webhook(sender, model, visitor):
    page = f"/{sender.bot.slug}/documents/rolling/{CHAT}.json"
    assert "/summarise" not in visitor.get(page).content.decode()
    say(sender, session_id=CHAT)
    shown = visitor.get(page).content.decode()
    assert ("Suggest a new summary from the newest deliveries" in shown, "/pick" in shown) == (True, False)
    sent = visitor.post(f"/{sender.bot.slug}/chats/{CHAT}/summarise")
    assert sent["Location"] == f"/{sender.bot.slug}/jobs/{queued()[0].pk}"


def test_there_is_no_button_without_a_model(sender, visitor):
    say(sender, session_id=CHAT)
    assert "/summarise" not in visitor.get(f"/{sender.bot.slug}/documents/rolling/{CHAT}.json").content.decode()
