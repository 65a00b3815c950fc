"""A message without a reply: Kenoweb answers in the bot's place, with the bot's own prompt, or says why not and changes nothing."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection
from django.utils import timezone

from memory import journal
from memory.bots import families
from memory.models import Answering, ChangeSet, Delivery, ModelCall, Proposal, Root, Use
from memory.text.markdown.normal import key
from memory.webhook import held
from tests.llm import server as playing
from tests.support.reading import counted

CHAT = "http-7"
LINES = f"sessions/{CHAT}.jsonl"


def ask(sender, message="What do I like?", chat="7", **fields):
    return sender.post(message=message, chat_id=chat, **fields)


def transcript(sender, chat=CHAT):
    path = sender.root.parent / "sessions" / f"{chat}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def said(sender, chat=CHAT):
    return [(line["role"], line["content"]) for line in transcript(sender, chat)]


def write(sender, path, text):
    target = sender.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def sessions(sender, chat=CHAT, data=b""):
    """A directory of transcripts that is known, as most bots have it."""
    directory = sender.root.parent / "sessions"
    directory.mkdir(exist_ok=True)
    Root.objects.get_or_create(bot=sender.bot, name="sessions", defaults={"path": str(directory)})
    (directory / f"{chat}.jsonl").write_bytes(data)
    return directory / f"{chat}.jsonl"


def test_message_is_answered_and_all_of_it_is_written(sender, model):
    write(sender, "MEMORY.md", "- Likes tea\n")
    model.plays(
        "Tea. <memory>Asked about tea</memory>\n\n\n<chat-memory>Small talk</chat-memory><working-memory>- tea</working-memory>"
    )
    answer = ask(sender)
    assert answer.status_code == 200
    assert answer.json()["response"] == "Tea."
    assert answer.json()["status"] == "ok"
    stored = answer.json()["stored"]
    assert (stored["memories"], stored["chat_memories"], stored["working_memory"]) == (1, 1, True)
    assert said(sender) == [("user", "What do I like?"), ("assistant", "Tea.")]
    files = sender.files()
    assert any("— Asked about tea\n" in text for path, text in files.items() if path.count("/") == 0)
    assert files[f"working/{CHAT}.md"] == "- tea"
    (made,) = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER)
    (call,) = Delivery.objects.all()
    assert (call.status, call.change_set, call.body["reply"][:4]) == (200, made, "Tea.")
    assert set(stored["documents"]) == set(made.revisions.values_list("path", flat=True))
    assert Use.objects.filter(key=key("Likes tea")).exists()
    (asked,) = ModelCall.objects.all()
    assert (asked.delivery, asked.purpose, asked.fault) == (call, "answer", "")
    assert not Answering.objects.exists()


def test_model_is_sent_the_bots_own_prompt_the_history_and_the_message(sender, model):
    write(sender, "MEMORY.md", "- Likes tea\n")
    write(sender, "identity/SOUL.md", "not of this version")
    write(sender, "identity/core.md", "I am Keno.")
    sessions(sender, data=b"".join(b'{"role":"user","content":"m%d","timestamp":1}\n' % n for n in range(30)))
    ask(sender, "Do I like tea?")
    (asked,) = model.asked
    assert [one["role"] for one in asked.messages] == ["system", *["user"] * 21]
    assert asked.messages[0]["content"].startswith("I am Keno.\n\n---\n\n## Memory\n")
    assert "- Likes tea" in asked.messages[0]["content"]
    assert [one["content"] for one in asked.messages[1:]] == [f"m{n}" for n in range(10, 30)] + ["Do I like tea?"]


@pytest.mark.parametrize("limit", [0, 1, 200])
def test_history_is_as_long_as_is_set(sender, model, limit):
    sender.bot.settings = {"session_history_limit": limit}
    sender.bot.save()
    line = json.dumps({"role": "assistant", "content": "x" * 3000, "timestamp": 1}).encode() + b"\n"
    sessions(sender, data=line * 250)
    ask(sender)
    assert len(model.asked[0].messages) == limit + 2


def test_of_a_long_transcript_only_the_end_is_read(sender, model, monkeypatch):
    path = sessions(sender)
    with path.open("wb") as file:
        file.truncate(100 << 20)  # holes: nothing that could be a message
        file.seek(0, 2)
        file.write(b'\n{"role":"user","content":"the last","timestamp":1}\n')
    answer, read = counted(lambda: ask(sender))
    assert answer.status_code == 200
    assert read < 20 << 20
    assert [one["content"] for one in model.asked[0].messages[1:]] == ["the last", "What do I like?"]
    with path.open("rb") as file:
        file.seek(100 << 20)
        assert file.read().count(b"\n") == 4


def test_second_message_knows_the_first(sender, model):
    model.plays("Ana.", "Ana, as you said.")
    ask(sender, "I am Ana")
    ask(sender, "Who am I?")
    assert [one["content"] for one in model.asked[1].messages[1:]] == ["I am Ana", "Ana.", "Who am I?"]
    assert [text for _, text in said(sender)] == ["I am Ana", "Ana.", "Who am I?", "Ana, as you said."]


def test_line_that_a_dying_bot_left_open_swallows_nothing(sender, model):
    path = sessions(sender, data=b'{"role":"user","content":"before","timestamp":1}\n{"role":"assis')
    ask(sender)
    assert path.read_bytes().startswith(
        b'{"role":"user","content":"before","timestamp":1}\n{"role":"assis\n{"role":"user"'
    )
    ask(sender, "Again")
    assert [one["content"] for one in model.asked[1].messages[1:]] == ["before", "What do I like?", "Good.", "Again"]


def test_directory_of_transcripts_is_made_where_the_bot_would(sender, model):
    assert not Root.objects.filter(name="sessions").exists()
    ask(sender)
    assert Root.objects.get(bot=sender.bot, name="sessions").path == str(sender.root.parent / "sessions")
    assert len(transcript(sender)) == 2


def test_of_07_they_lie_in_data(sender, model):
    (sender.root.parent / "data").mkdir()
    ask(sender)
    assert (sender.root.parent / "data" / "sessions" / f"{CHAT}.jsonl").exists()


def test_bot_that_writes_its_own_files_is_written_for_where_it_did_not_answer(sender, model):
    sender.bot.settings = {"capture": "observe"}
    sender.bot.save()
    model.plays("Noted. <memory>Likes tea</memory>")
    assert ask(sender).json()["stored"]["memories"] == 1
    assert "Likes tea" in "".join(sender.files().values())
    assert sender.turn("<memory>Likes coffee</memory>").json()["stored"]["observed"]
    assert "coffee" not in "".join(sender.files().values())


@pytest.mark.parametrize(
    ("reply", "seen"),
    [
        ("<memory>Only this</memory>", ""),
        ("Half <memory>left open", "Half <memory>left open"),
        ("a\x00b", "a\ufffdb"),
        ("é 😀 \u2028", "é 😀"),
        ("long " * 20_000, ("long " * 20_000).strip()),
    ],
)
def test_reply_is_taken_as_the_bot_takes_it(sender, model, reply, seen):
    model.plays(reply)
    answer = ask(sender, message_id="m-1")
    assert (answer.status_code, answer.json()["response"]) == (200, seen)
    assert said(sender)[-1] == ("assistant", seen)
    again = ask(sender, message_id="m-1")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json()["response"] == seen


def test_half_a_character_of_the_model_becomes_a_mark(sender, model):
    model.plays(
        playing.Play(
            body={
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "a\ud83db"}}
                ]
            }
        )
    )
    assert ask(sender).json()["response"] == "a\ufffdb"
    assert said(sender)[-1] == ("assistant", "a\ufffdb")


def test_repeat_is_answered_from_the_first(sender, model):
    model.plays("One. <memory>First</memory>", "Two.")
    first = ask(sender, message_id="m-1")
    again = ask(sender, message_id="m-1")
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(model.asked) == 1
    assert len(transcript(sender)) == 2


def test_without_a_model_the_message_is_kept_and_can_be_sent_again(sender, settings, model):
    url, settings.LLM_BASE_URL = settings.LLM_BASE_URL, ""
    refused = ask(sender, message_id="m-1")
    assert (refused.status_code, refused.json()) == (
        503,
        {"error": "no language model is configured", "status": "error"},
    )
    assert Delivery.objects.get().body["message"] == "What do I like?"
    assert transcript(sender) == []
    settings.LLM_BASE_URL = url
    assert ask(sender, message_id="m-1").status_code == 200
    assert Delivery.objects.get().status == 200


FAULTS = [
    (playing.slow(5), 408, "timeout"),
    (playing.trickling(), 408, "timeout"),
    (playing.broken(), 503, "the language model is out of order"),
    (playing.denied(), 503, "the language model refused the request"),
    (playing.refusal(), 503, "the language model declined to answer"),
    (playing.filtered(), 503, "the language model declined to answer"),
    (playing.empty(), 503, "the language model said nothing"),
    (playing.good("<memory> </memory><user></user>"), 503, "the language model said nothing"),
    (playing.good("<think>Tea, they said"), 503, "the language model said nothing"),
    (playing.good("<memory>Likes tea</memory><think>Tea, they"), 503, "the language model said nothing"),
    (playing.cut_off("A long story. <memory>Half of it</memory>"), 503, "the answer of the language model was cut off"),
    (playing.wrong_type(), 503, "the answer of the language model cannot be read"),
    (playing.html(), 503, "the answer of the language model cannot be read"),
]


def test_no_model_is_paid_for_what_could_not_even_wait(sender, model, monkeypatch):
    sender.bot.settings = {"deliveries": "ask"}
    sender.bot.save()
    monkeypatch.setattr(held, "MOST", 1)
    model.plays("Tea. <memory>Likes tea</memory><memory>Likes Go</memory>")
    assert ask(sender).json()["status"] == "held"  # there was room, and nobody asks twice for what was paid
    full = ask(sender, "And boats?")
    assert (full.status_code, full["Retry-After"]) == (429, "3600")
    assert (ModelCall.objects.count(), len(said(sender))) == (1, 2)
    assert Proposal.objects.count() == 2


@pytest.mark.parametrize(("play", "status", "error"), FAULTS)
def test_model_that_fails_changes_nothing_and_the_message_is_kept(sender, model, settings, play, status, error):
    write(sender, "MEMORY.md", "- Likes tea\n")
    settings.LLM_TIMEOUT = 2 if status == 408 else 20
    model.plays(play)
    before = sender.files()
    answer = ask(sender, message_id="m-1")
    assert (answer.status_code, answer.json()) == (status, {"error": error, "status": "error"})
    assert sender.files() == before
    assert transcript(sender) == []
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER).exists()
    (call,) = Delivery.objects.all()
    assert (call.status, call.answer, call.body["message"]) == (status, answer.json(), "What do I like?")
    model.plays("Better.")
    settings.LLM_TIMEOUT = 20
    again = ask(sender, message_id="m-1")
    assert (again.status_code, again.json()["response"]) == (200, "Better.")
    assert said(sender) == [("user", "What do I like?"), ("assistant", "Better.")]


def test_server_that_is_not_there_is_said_without_its_address(sender, model, settings):
    settings.LLM_BASE_URL, settings.LLM_TIMEOUT = "http://127.0.0.1:9/v1", 2
    answer = ask(sender)
    assert (answer.status_code, answer.json()["error"]) in (
        (503, "the language model cannot be reached"),
        (408, "timeout"),
    )
    assert "127.0.0.1" not in answer.content.decode()


def test_bound_of_the_day_is_held(sender, model):
    sender.bot.settings = {"daily_tokens": 3000}
    sender.bot.save()
    model.plays(playing.good(usage={"prompt_tokens": 2000, "completion_tokens": 1000, "total_tokens": 3000}))
    assert ask(sender).status_code == 200
    refused = ask(sender, "And now?")
    assert (refused.status_code, refused.json()["error"]) == (503, "the language model is not asked again today")
    assert len(model.asked) == 1


def test_late_answer_is_nobodys(sender, model, settings):
    late = Event()
    model.plays(
        lambda messages: "For the second." if messages[-1]["content"] == "second" else late.wait(20) and "Late."
    )
    settings.LLM_TIMEOUT = 1
    assert ask(sender, "first").status_code == 408
    settings.LLM_TIMEOUT = 20
    second = ask(sender, "second")
    assert second.json()["response"] == "For the second."
    late.set()
    time.sleep(0.3)
    assert said(sender) == [("user", "second"), ("assistant", "For the second.")]


def test_undo_takes_back_what_was_remembered_and_not_what_was_said(sender, model):
    model.plays("Noted. <memory>Likes tea</memory>")
    ask(sender)
    (made,) = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER)
    outcome = journal.undo(sender.bot, made, journal.By("Ana"))
    assert isinstance(outcome, journal.Applied)
    assert "tea" not in "".join(sender.files().values())
    assert said(sender) == [("user", "What do I like?"), ("assistant", "Noted.")]
    again = journal.undo(sender.bot, made, journal.By("Ana"))
    assert isinstance(again, journal.Conflict)


def test_undo_of_an_answer_that_remembered_nothing_says_so(sender, model):
    ask(sender)
    (made,) = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER)
    outcome = journal.undo(sender.bot, made, journal.By("Ana"))
    assert isinstance(outcome, journal.Conflict)
    assert "This only added to the transcript." in outcome.reason
    assert len(transcript(sender)) == 2


def test_memory_that_cannot_be_read_is_not_answered_from(sender, model):
    sender.root.rename(sender.root.with_name("elsewhere"))
    answer = ask(sender)
    assert (answer.status_code, answer.json()["error"]) == (503, "the memory cannot be read, nothing was changed")
    assert model.asked == []


# One turn of a chat at a time.


def test_chat_whose_turn_is_taken_is_busy_after_a_while(sender, model, settings):
    settings.LLM_TIMEOUT = 1
    Answering.objects.create(
        bot=sender.bot, session_id=CHAT, holder="elsewhere", until=timezone.now() + timedelta(seconds=600)
    )
    answer = ask(sender, message_id="m-1")
    settings.LLM_TIMEOUT = 20
    assert (answer.status_code, answer.json()["error"]) == (409, "another message of this chat is being answered")
    assert int(answer.headers["Retry-After"]) > 0
    assert Delivery.objects.get().status == 409
    assert ask(sender, chat="8").status_code == 200
    Answering.objects.filter(session_id=CHAT).update(until=timezone.now() - timedelta(seconds=1))
    assert ask(sender, message_id="m-1").status_code == 200
    assert not Answering.objects.exists()


def test_turns_that_the_dead_left_are_cleared_away(sender, model):
    for name, days in (("http-gone", 2), ("http-late", 0)):
        until = timezone.now() - timedelta(days=days, seconds=1)
        Answering.objects.create(bot=sender.bot, session_id=name, holder="dead", until=until)
    ask(sender)
    assert [row.session_id for row in Answering.objects.all()] == ["http-late"]


def test_repeat_of_a_message_that_is_being_answered_waits_outside(sender, model):
    row = Delivery.objects.create(
        bot=sender.bot,
        message_id="m-1",
        body_sha256="x",
        session_id=CHAT,
        body={"message": "?"},
        received=timezone.now(),
    )
    until = timezone.now() + timedelta(seconds=60)
    Answering.objects.create(bot=sender.bot, session_id=CHAT, holder="elsewhere", until=until)
    for again in (ask(sender, message_id="m-1"), sender.turn("<memory>x</memory>", message_id="m-1")):
        assert (again.status_code, again.json()["error"]) == (409, "another message of this chat is being answered")
    row.refresh_from_db()
    assert row.status == 0
    assert model.asked == []


@pytest.mark.django_db(transaction=True)
def test_turn_that_was_lost_writes_nothing(sender, model):
    def steal(_messages):
        Answering.objects.update(holder="somebody else")
        connection.close()
        return "Mine. <memory>Mine</memory>"

    model.plays(steal)
    answer = ask(sender)
    assert (answer.status_code, answer.json()["error"]) == (409, "another message of this chat is being answered")
    assert transcript(sender) == []
    assert sender.files() == {}


@pytest.mark.parametrize("name", ["x" * 252, "é" * 125])
def test_chat_whose_files_cannot_be_named_is_a_bad_call(sender, model, name):
    answer = sender.post(message="Hi", session_id=name)
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid session_id"})
    assert model.asked == []
    assert not Delivery.objects.exclude(status=400).exists()


class Alone:
    """A family whose transcripts only the bot itself can write."""

    def __init__(self, known):
        self._known = known

    def __getattr__(self, name):
        return getattr(self._known, name)

    @property
    def capturing(self):
        return self

    def spoken(self, turn, said, memory):
        raise ValueError("Only the bot adds to it.")


def test_bot_that_nobody_can_answer_for_is_not_asked_about(sender, model, monkeypatch):
    monkeypatch.setattr(type(families.get("kenobot")), "dialect", Alone(families.dialect("kenobot")))
    answer = ask(sender)
    assert (answer.status_code, answer.json()["error"]) == (503, "this bot cannot be answered for")
    assert model.asked == []
