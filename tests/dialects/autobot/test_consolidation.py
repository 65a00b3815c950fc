"""A chat is summed up, and no message can be lost by it: whatever the model says, whatever dies, whoever writes meanwhile."""

from __future__ import annotations

import json

import pytest

from memory import index, jobs, journal, llm
from memory.compaction import chats
from memory.dialects.autobot import layout, sessions
from memory.dialects.autobot.consolidation import blocks, job
from memory.domain.outcomes import Refused
from memory.jobs import review, steps
from memory.jobs.outcomes import NotAccepted
from memory.jobs.run import Run
from memory.models import ChangeSet, Job, Proposal
from tests.llm import server as play
from tests.support.amounts import some
from tests.support.attempts import done

BY = journal.By("ana")
CHAT = "whatsapp_15550134_s.whatsapp.net"
PATH = f"sessions/{CHAT}.jsonl"
ENTRY = "[2026-11-14 07:08] Lena counted visitors."
ADDED = "- Lena counts in the morning\n"


@pytest.fixture
def memory(owner):
    return owner.read(layout.MEMORY).decode()


def texts(data):
    return [line.message.content for line in sessions.parse(data).messages]


def everywhere(owner):
    """All messages of the chat that are in a file: those that wait first."""
    index.refresh(owner.bot)
    return [text for path in (*blocks.waiting(owner.bot, CHAT), PATH) for text in texts(owner.read(path))]


def at_once(owner):
    owner.bot.settings = {"proposals": "once"}
    owner.bot.save()


def says(memory, entry=ENTRY):
    return play.answers({"history_entry": entry, "memory_update": memory})


def set_aside(owner):
    moved = blocks.archive(owner.bot, CHAT, BY)
    assert isinstance(moved, blocks.Moved), moved
    return moved


def test_block_is_stored_and_the_transcript_shortened_as_one_change(owner):
    before = owner.read(PATH)
    moved = set_aside(owner)
    assert moved.count == 48  # of 58, with a window of 70: by hand
    assert texts(owner.read(moved.path)) + texts(owner.read(PATH)) == texts(before)
    assert owner.read(moved.path) in before
    assert isinstance(journal.undo(owner.bot, moved.change_set, by=BY), journal.Applied)
    assert owner.read(PATH) == before
    assert not (owner.root / moved.path).exists()


def test_second_run_on_a_chat_waits_for_the_first(owner):
    set_aside(owner)
    assert blocks.archive(owner.bot, CHAT, BY) == Refused(blocks.WAITS)
    assert blocks.archive(owner.bot, "cli_stock_take", BY) == Refused(blocks.NOTHING_DUE)


def test_put_back_they_stand_where_they_stood(owner):
    before = owner.read(PATH)
    moved = set_aside(owner)
    file = owner.root / PATH
    file.write_bytes(file.read_bytes() + sessions.said(sessions.SessionMessage("user", "later", "x")))
    assert isinstance(blocks.put_back(owner.bot, moved.path, BY), blocks.Moved)
    assert texts(owner.read(PATH)) == [*texts(before), "later"]
    assert blocks.waiting(owner.bot) == []
    assert blocks.put_back(owner.bot, moved.path, BY) == Refused(blocks.GONE)


def test_bot_that_ran_all_the_while_gets_no_message_twice(owner):
    before = owner.read(PATH)
    moved = set_aside(owner)
    (owner.root / PATH).write_bytes(before)  # it saves what it had in memory
    assert isinstance(blocks.put_back(owner.bot, moved.path, BY), blocks.Moved)
    assert owner.read(PATH) == before


def test_accepted_suggestion_writes_history_and_memory_and_ends_the_block(owner, memory, model):
    before, messages = owner.files(), texts(owner.read(PATH))
    model.plays(says(memory + ADDED))
    planned = done(job.start(owner.bot, set_aside(owner).path, BY))
    assert planned.state == Job.State.PLANNED
    assert "[2026-10-20T07:40] USER: 8 🙋 today" in model.asked[0].messages[1]["content"]
    assert owner.read(layout.HISTORY) == before[layout.HISTORY]
    accepted = review.accept(planned, None, BY)
    assert owner.read(layout.HISTORY) == before[layout.HISTORY] + f"{ENTRY}\n\n".encode()
    assert owner.read(layout.MEMORY).decode() == memory + ADDED
    assert everywhere(owner) == messages[-10:]
    for change in ChangeSet.objects.filter(bot=owner.bot).order_by("-id"):
        journal.undo(owner.bot, change, by=BY)
    assert {path: data for path, data in owner.files().items() if path in before} == before
    assert accepted.applied == (1, 2)


def test_page_of_the_suggestion_shows_both_and_accepts_both(owner, memory, model):
    model.plays(says(memory + ADDED))
    planned = done(job.start(owner.bot, set_aside(owner).path, BY))
    shown = owner.page(f"jobs/{planned.pk}")
    assert "Lena counted visitors" in shown
    assert "Lena counts in the morning" in shown
    review.refuse(planned, [2], BY)
    assert review.accept(planned, [1], BY) == NotAccepted(job.APART)


def test_answer_without_doubt_is_applied_at_once_where_the_owner_said_so(owner, memory, model):
    at_once(owner)
    model.plays(says(memory + ADDED))
    assert done(job.start(owner.bot, set_aside(owner).path, BY)).state == Job.State.APPLIED
    assert owner.read(layout.MEMORY).decode() == memory + ADDED


def test_memory_that_would_shrink_waits_for_a_person(owner, model):
    at_once(owner)
    model.plays(says("- gone\n"))
    planned = done(job.start(owner.bot, set_aside(owner).path, BY))
    assert planned.state == Job.State.PLANNED
    assert "less than half" in Proposal.objects.get(job=planned, path=layout.MEMORY).flags[0]
    before = owner.files()
    assert review.accept(planned, None, BY) == NotAccepted(review.NOTHING_LEFT)  # all that have no warning
    assert owner.files() == before
    assert review.accept(planned, [1, 2], BY).applied == (1, 2)


@pytest.mark.parametrize(
    "fault",
    some(
        [
            play.good("I can't do that."),
            play.good(""),
            play.good('{"history_entry":"a","memory_up'),
            play.answers({"history_entry": None, "memory_update": None}),
            play.answers({"history_entry": "a", "memory_update": ""}),
            play.answers(["history_entry"]),
            play.Play("x", status=500),
            play.Play("x", status=401),
            play.Play("cut", finish="length"),
            play.Play(refusal="No."),
            play.Play(body=b"<html>"),
            play.Play(reset=True),
        ],
        3,
    ),
)
def test_no_fault_of_the_model_loses_a_byte_or_a_message(owner, model, fault):
    at_once(owner)
    messages, moved = texts(owner.read(PATH)), set_aside(owner)
    before = owner.files()
    model.plays(fault)
    failed = done(job.start(owner.bot, moved.path, BY))
    assert failed.state == Job.State.FAILED
    assert failed.trouble
    assert owner.files() == before
    assert everywhere(owner) == messages
    model.plays(says(before[layout.MEMORY].decode() + ADDED))
    assert done(job.start(owner.bot, moved.path, BY)).state == Job.State.APPLIED
    assert blocks.waiting(owner.bot) == []


def test_memory_edited_meanwhile_is_not_overwritten(owner, memory, model):
    model.plays(says(memory + ADDED))
    planned = done(job.start(owner.bot, set_aside(owner).path, BY))
    (owner.root / layout.MEMORY).write_text(memory + "- by hand\n")
    before = owner.files()
    assert review.accept(planned, None, BY) == NotAccepted(job.CHANGED)
    assert owner.files() == before


def test_only_what_the_bot_reads_where_that_is_set(owner, memory, model):
    owner.bot.settings = {"replies": "strict"}
    owner.bot.save()
    moved = set_aside(owner)
    model.plays(play.good("Here: " + json.dumps({"history_entry": ENTRY, "memory_update": memory})))
    assert done(job.start(owner.bot, moved.path, BY)).state == Job.State.FAILED
    owner.bot.settings = {}
    owner.bot.save()
    assert done(job.start(owner.bot, moved.path, BY)).state == Job.State.PLANNED


def test_from_the_page_without_a_model_they_wait_and_come_back(owner):
    before = owner.read(PATH)
    assert "consolidated in 8 turns" in owner.page("entries/consolidation")
    where = f"/{owner.bot.slug}/entries/consolidation"
    assert owner.client.post(f"{where}/archive", {"chat": CHAT}).status_code == 302
    shown = owner.page("entries/consolidation")
    assert "48 messages" in shown
    assert "No language model is set up" in shown
    block = blocks.waiting(owner.bot)[0]
    owner.client.post(f"{where}/back", {"block": block})
    assert texts(owner.read(PATH)) == texts(before)
    assert "isn’t waiting" not in owner.page("entries/consolidation")
    assert owner.client.post(f"{where}/archive", {"chat": "nobody"}).status_code == 404


def test_from_the_page_with_a_model_a_job_is_queued_once(owner, model):
    where = f"/{owner.bot.slug}/entries/consolidation"
    first = owner.client.post(f"{where}/archive", {"chat": CHAT})
    block = blocks.waiting(owner.bot)[0]
    again = owner.client.post(f"{where}/retry", {"block": block})
    assert first.url == again.url
    assert Job.objects.get().params == {"chat": CHAT, "block": block}
    jobs.cancel(Job.objects.get())
    assert everywhere(owner)[:48] == texts(owner.read(block))


def test_job_says_its_steps_like_any_other(owner, memory, model, monkeypatch):
    at_once(owner)
    model.plays(says(memory + ADDED))
    said = []
    monkeypatch.setattr(Run, "say", lambda self, number, count, words: said.append(words))
    queued = job.start(owner.bot, set_aside(owner).path, BY)
    Job.objects.update(state=Job.State.RUNNING, doing=steps.ASKING)
    shown = owner.page(f"jobs/{queued.pk}")
    Job.objects.update(state=Job.State.QUEUED, doing="")
    assert [step in shown for step in ("Summarising", "Read the chat", "Ask the language model")] == [True] * 3
    assert done(queued).state == Job.State.APPLIED
    assert [steps.at(queued.kind, words) for words in said] == [0, 1, 2, 2]


def test_button_of_the_chats_page_sets_messages_aside_and_sums_them_up(owner, memory, model):
    model.plays(says(memory + ADDED))
    at = f"/{owner.bot.slug}/chats/{CHAT}"
    assert "Consolidate all but the newest messages" in owner.page(f"chats/{CHAT}/transcript")
    asked = owner.client.post(f"{at}/summarise")
    queued = Job.objects.get()
    assert asked.url.endswith(f"/jobs/{queued.pk}")
    assert owner.client.post(f"{at}/summarise").url == asked.url
    planned = done(queued)
    (path,) = blocks.waiting(owner.bot, CHAT)
    assert (planned.state, planned.outcome["path"], planned.outcome["messages"]) == ("planned", path, 48)
    assert review.accept(planned, None, BY).applied == (1, 2)
    assert len(everywhere(owner)) == 10


def test_button_takes_what_waits_already_and_says_where_there_is_too_little(owner, memory, model):
    path = set_aside(owner).path
    model.plays(says(memory + ADDED))
    planned = done(chats.summarise(owner.bot, CHAT, BY))
    assert planned.outcome["path"] == path
    short = done(chats.summarise(owner.bot, "cli_stock_take", BY))
    assert (short.state, short.trouble) == (Job.State.FAILED, blocks.NOTHING_DUE)


def test_chat_has_one_consolidation_at_a_time_whoever_asks(owner, model):
    path = set_aside(owner).path
    assert job.start(owner.bot, path, BY) == chats.summarise(owner.bot, CHAT, BY)


def test_damaged_transcript_is_left_alone(owner):
    file = owner.root / PATH
    file.write_bytes(file.read_bytes() + b"{cut")
    before = owner.files()
    assert "damaged" in blocks.archive(owner.bot, CHAT, BY).reason
    assert owner.files() == before
    assert "damaged" in owner.page("entries/consolidation")


def test_turn_that_fills_a_chat_sums_it_up_where_kenoweb_writes(owner, memory, model):
    owner.bot.settings = {"capture": "write", "memory_window": 58, "proposals": "once"}
    owner.bot.save()
    model.plays(says(memory + ADDED))
    owner.sender.turn("12, thanks!", channel="whatsapp", chat_id="15550134@s.whatsapp.net")
    queued = Job.objects.get()
    assert done(queued).state == Job.State.APPLIED
    assert everywhere(owner)[-1] == "12, thanks!"
    assert len(everywhere(owner)) == 10


def test_bot_that_sums_nothing_up_keeps_ten(owner):
    owner.bot.settings = {"capture": "write", "memory_window": 0}
    owner.bot.save()
    before = texts(owner.read(PATH))
    owner.sender.turn("12, thanks!", channel="whatsapp", chat_id="15550134@s.whatsapp.net")
    assert texts(owner.read(PATH)) == [*before[-10:], "hello", "12, thanks!"]
    assert llm.server() is None


def test_damaged_line_is_taken_out_so_that_the_bot_loads_the_rest_and_stays_in_the_history(owner):
    file = owner.root / PATH
    before = file.read_bytes()
    file.write_bytes(before + b"{cut")
    where = f"/{owner.bot.slug}/entries/consolidation"
    assert "Remove 1 damaged line" in owner.page("entries/consolidation")
    owner.client.post(f"{where}/repair", {"chat": CHAT})
    assert owner.read(PATH) == before
    assert blocks.repair(owner.bot, CHAT, BY) == Refused(blocks.WHOLE)
    change = ChangeSet.objects.filter(bot=owner.bot).latest("id")
    assert "{cut" in owner.page(f"changes/{change.pk}")
    assert "load the whole chat as empty" in journal.undo(owner.bot, change, by=BY).reason
    assert owner.read(PATH) == before
