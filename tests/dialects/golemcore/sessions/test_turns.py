"""Turns that come by the webhook: two messages more in the chat's session, or a command carried out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory import index
from memory.dialects.golemcore.sessions import files
from memory.dialects.golemcore.sessions.commands import COMPACT, NEW, STATUS, ChatCommand, parse
from memory.jobs.tasks import run_job
from memory.models import ChangeSet, Job
from tests.dialects.golemcore.sessions.conftest import LIN, OTHER
from tests.llm import server as play

PATH = f"sessions/{OTHER}.pb"
CHAT = {"channel": "telegram", "chat_id": "5550199"}


@pytest.fixture
def writes(owner):
    """An owner for whose bot Kenoweb writes turns down."""
    owner.bot.settings = {"capture": "write"}
    owner.bot.save()
    return owner


def _messages(owner, path=PATH):
    return files.read(path, owner.read(path)).messages


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("/status", ChatCommand(STATUS)),
        (" /new \n", ChatCommand(NEW)),
        ("/compact", ChatCommand(COMPACT, 10)),
        ("/compact 25", ChatCommand(COMPACT, 25)),
        ("/compact 0", ChatCommand(COMPACT, 1)),
        ("/compact -3", ChatCommand(COMPACT, 1)),
        ("/compact 999999999", ChatCommand(COMPACT, 100)),
        ("/compact many", ChatCommand(COMPACT, 10)),
        ("/compactor", None),
        ("status", None),
        ("say /new", None),
        ("", None),
    ],
)
def test_a_command_is_read(message, wanted):
    assert parse(message) == wanted


@given(st.text())
def test_any_text_is_a_command_or_none(message):
    told = parse(message)
    assert told is None or 1 <= told.keep <= 100


def test_a_turn_is_added_to_its_session(writes):
    had = _messages(writes)
    answer = writes.sender.turn("Use *yeast*. 🍞", message="And bread?", user_id="77", message_id="m1", **CHAT).json()
    assert PATH in answer["stored"]["documents"]
    *before, said, replied = _messages(writes)
    assert tuple(before) == had
    assert (said.role, said.content, said.id, said.sender) == ("user", "And bread?", "m1", "77")
    assert (said.channel, said.chat) == ("telegram", "5550199")
    assert (replied.role, replied.content, replied.at) == ("assistant", "Use *yeast*. 🍞", said.at)
    assert ChangeSet.objects.latest("id").revisions.filter(path=PATH).exists()


def test_a_new_chat_gets_a_session_as_the_bot_begins_one(writes):
    writes.sender.turn("Hello!", message="hi", channel="web", chat_id="new")
    session = files.read("sessions/web:new.pb", writes.read("sessions/web:new.pb"))
    assert (session.id, session.channel, session.chat, session.state) == ("web:new", "web", "new", "ACTIVE")
    assert session.created == session.updated == session.messages[0].at
    index.refresh(writes.bot)
    assert "Hello!" in writes.page("chats/web:new/transcript")


def test_a_turn_goes_into_the_form_that_is_there(writes):
    writes.sender.turn("好", message="再见", channel="web", chat_id=LIN.removeprefix("web:"))
    assert _messages(writes, f"sessions/{LIN}.json")[-1].content == "好"
    assert not (writes.root / f"sessions/{LIN}.pb").exists()


def test_a_turn_that_the_bot_wrote_down_itself_is_not_doubled(writes):
    last = _messages(writes)[-2:]
    writes.sender.turn(last[1].content, message=last[0].content, **CHAT)
    assert _messages(writes)[-2:] == last
    assert len(_messages(writes)) == 6


def test_an_unreadable_session_is_left_as_it_is(writes):
    (writes.root / PATH).write_bytes(b"\x0a\x7f")
    assert writes.sender.turn("Use yeast.", message="And bread?", **CHAT).status_code == 200
    assert writes.read(PATH) == b"\x0a\x7f"


def test_nothing_is_written_where_the_bot_does_so(owner):
    before = owner.read(PATH)
    owner.sender.turn("New conversation.", message="/new", **CHAT)
    owner.sender.turn("Use yeast.", message="And bread?", **CHAT)
    assert owner.read(PATH) == before


def test_status_says_how_large_the_session_is(writes):
    answer = writes.sender.turn("", message="/status", **CHAT).json()
    assert answer["response"] == "6 messages, about 8,257 tokens. Compacted beyond 10,300 tokens. Memory is on."
    assert answer["stored"] == {"memories": 0, "documents": [], "command": "status"}


def test_new_clears_the_session_and_nothing_else(writes):
    before = {path: path.read_bytes() for path in (writes.root / "memory").rglob("*") if path.is_file()}
    answer = writes.sender.turn("", message="/new", **CHAT).json()
    assert answer["stored"]["documents"] == [PATH]
    assert _messages(writes) == ()
    assert {path: path.read_bytes() for path in before} == before
    assert writes.sender.turn("", message="/new", channel="web", chat_id="none").json()["stored"]["documents"] == []


def test_compact_keeps_as_many_as_it_is_told(writes):
    answer = writes.sender.turn("", message="/compact 2", **CHAT).json()
    assert answer["response"] == "4 messages cut. The newest 2 stay."
    assert len(_messages(writes)) == 2
    answer = writes.sender.turn("", message="/compact 2", message_id="again", **CHAT).json()
    assert answer["response"] == "2 messages, nothing to compact."


def test_compact_in_a_chat_has_the_model_sum_up(writes, model):
    model.plays(play.answers({"summary": "Pancakes, and no nuts."}))
    answer = writes.sender.turn("", message="/compact 2", **CHAT).json()
    assert answer["response"] == "4 messages are being summed up. The newest 2 stay."
    queued = Job.objects.get(bot=writes.bot)
    run_job.call(queued.pk)
    assert Job.objects.get(pk=queued.pk).state == Job.State.APPLIED
    assert _messages(writes)[0].content == "[Conversation summary]\nPancakes, and no nuts."
    assert len(_messages(writes)) == 3


def test_an_answer_in_the_bots_place_knows_what_was_said(owner, model):
    model.plays("Rye, from the fish market.")
    answer = owner.sender.post(message="Which bread did I ask for?", **CHAT).json()
    assert answer["response"] == "Rye, from the fish market."
    told = model.asked[0].messages
    assert {one["role"] for one in told} <= {"system", "user", "assistant"}
    assert any("[Tool: memory | Args:" in one["content"] for one in told)
    assert [one.content for one in _messages(owner)[-2:]] == [
        "Which bread did I ask for?",
        "Rye, from the fish market.",
    ]
    before = owner.read(PATH)
    assert owner.sender.post(message="/status", **CHAT).json()["stored"]["command"] == "status"
    assert (len(model.asked), owner.read(PATH)) == (1, before)
