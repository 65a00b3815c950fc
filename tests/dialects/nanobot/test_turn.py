"""A turn of a nanobot through the webhook: reported with its reply, or answered here, as the bot itself would write it down."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from memory import index, journal, registry
from memory.dialects.nanobot.states import exchanges
from memory.jobs import review
from memory.jobs.outcomes import Accepted
from memory.models import ChangeSet, Delivery, ModelCall, Proposal, Root
from tests.dialects.nanobot import golden
from tests.dialects.owners import sender_of
from tests.llm import server as playing

pytestmark = pytest.mark.django_db
STATE = "memory/session-state/telegram_123.md"
AT = "2026-06-01T09:30:15.123456+00:00"
RETRIEVED = "[Retrieved Memory]\nUse these as historical context. Prefer recent/high-score items."


@pytest.fixture
def sender(kenoweb_home, fresh_tally, there):
    bot = registry.add(there[0])
    index.refresh(bot, patience=5)
    return sender_of(bot, there[0])


@pytest.fixture
def file(there):
    return there[1]


def set_to(sender, **settings):
    sender.bot.settings = settings
    sender.bot.save()


def ask(sender, message="which database did we choose?", **fields):
    return sender.post(message=message, **{"channel": "telegram", "chat_id": "123", **fields})


def state(sender, name=STATE):
    path = sender.root / name
    return path.read_text() if path.exists() else ""


def added(file, before):
    return {row["content"]: row for name, row in golden.entries(file).items() if name not in before}


def test_a_message_is_answered_with_what_it_recalls_right_before_it(sender, model):
    model.plays("Postgres.")
    answer = ask(sender)
    assert (answer.status_code, answer.json()["response"]) == (200, "Postgres.")
    (asked,) = model.asked
    first, *history, recalled, last = asked.messages
    assert first["role"] == "system"
    assert first["content"] == (
        "## SOUL.md\n\nYou are nanobot.\n\n---\n\n# Memory\n\n[Legacy MEMORY.md]\n"
        "# Long-term Memory - Speaks Spanish - Works at night"
    )
    assert [one["role"] for one in history] == ["user", "assistant", "user"]
    assert recalled["role"] == "system"
    assert recalled["content"].startswith(f"{RETRIEVED}\n- (decision/chat score=")
    assert recalled["content"].endswith(") we decided to deploy on Fridays")
    assert "secret" not in json.dumps(asked.messages)
    assert (last["role"], last["content"]) == ("user", "which database did we choose?")
    counters = answer.json()["stored"]["counters"]
    assert counters["memory_recall_hit"] == 1
    assert counters["memory_prompt_chars"] == len(recalled["content"])
    assert Delivery.objects.get().answer["stored"]["counters"] == counters


def test_the_message_is_noted_before_the_model_is_asked_and_the_reply_after(sender, model):
    before = state(sender)
    ask(sender, "let's use Redis too", reply_to="41")
    after = state(sender).removeprefix(before)
    stamp = r"### \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00"
    assert re.fullmatch(
        rf"{stamp} PRE\n- user: let's use Redis too\n- reply_to_message_id: 41\n\n{stamp} POST\n- assistant: Good\.\n\n",
        after,
    )
    first, second = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER).order_by("id")
    assert set(first.revisions.values_list("path", flat=True)) == {STATE}
    assert b" PRE" in bytes(first.revisions.get().added)
    assert first.finished < ModelCall.objects.get().at < second.created
    assert Delivery.objects.get().change_set == second


@pytest.mark.parametrize(
    ("play", "status"),
    [(playing.broken(), 503), (playing.slow(5), 408), (playing.empty(), 503)],
    ids=["broken", "slow", "empty"],
)
def test_a_model_that_fails_leaves_a_turn_that_died_and_nothing_else(sender, file, model, settings, play, status):
    settings.LLM_TIMEOUT = 2
    rows, mirrors = golden.entries(file), state(sender, "memory/semantic/decisions.md")
    model.plays(*[play] * 5)
    assert ask(sender, "let's use Redis").status_code == status
    turn = exchanges(state(sender).encode())[-1]
    assert (turn.asked, turn.died) == ("let's use Redis", True)
    assert (golden.entries(file), state(sender, "memory/semantic/decisions.md")) == (rows, mirrors)
    assert Delivery.objects.get().status == status


def test_a_repeat_of_a_turn_that_cannot_be_finished_now_says_so_and_is_answered_later(sender, file, model):
    model.plays("Noted.", "Not asked for.")
    ask(sender, "let's use Redis", message_id="m-1")
    ChangeSet.objects.filter(pk=Delivery.objects.get().change_set_id).update(state=ChangeSet.State.WRITING)
    aside = file.rename(file.with_name("unmounted.db"))
    cut_off = ask(sender, "let's use Redis", message_id="m-1")
    assert (cut_off.status_code, cut_off.json()["status"]) == (503, "error")
    assert cut_off.json()["error"] == "the memory cannot be read, nothing was changed"
    aside.rename(file)
    again = ask(sender, "let's use Redis", message_id="m-1")
    assert (again.status_code, again.json()["response"]) == (200, "Noted.")
    assert state(sender).count("let's use Redis") == 1
    golden.check(file)


def test_without_a_model_or_with_a_bad_name_nothing_is_noted(sender, model, settings):
    before = state(sender)
    assert ask(sender, session_id="nobody").status_code == 400
    settings.LLM_BASE_URL = ""
    assert ask(sender).status_code == 503
    assert state(sender) == before


def test_beyond_the_bound_of_the_day_nothing_is_noted(sender, model):
    sender.bot.settings = {**sender.bot.settings, "daily_tokens": 1}
    sender.bot.save()
    before = state(sender)
    for _again in range(2):
        assert ask(sender, "let's use Redis").status_code == 503
    assert state(sender) == before
    assert model.asked == []


def test_an_answered_turn_makes_entries_mirrors_and_counters(sender, file, model):
    before = golden.entries(file)
    stored = ask(sender, "I prefer tea and let's use Redis", at=AT).json()["stored"]
    assert stored["counters"] == {
        "memory_recall_hit": 1,
        "memory_prompt_chars": stored["counters"]["memory_prompt_chars"],
        "memory_capture_saved": 2,
        "memory_capture_dropped_low_conf": 1,
    }
    assert [one["kind"] for one in stored["entries"]] == ["preference", "decision"]
    assert [(one["kind"], one["why"]) for one in stored["dropped"]] == [("episodic", "The bot isn’t confident enough.")]
    assert stored["documents"] == [
        *("@database/telegram:user:123.jsonl", "@database/telegram_123.jsonl"),
        *("memory/semantic/preferences.md", "memory/semantic/decisions.md"),
    ]
    golden.check(file)
    assert len(golden.entries(file)) == len(before) + 2
    for name in ("preferences", "decisions"):
        assert state(sender, f"memory/semantic/{name}.md").endswith(
            "- [2026-06-01 09:30:15 UTC] I prefer tea and let's use Redis\n"
        )


def test_of_a_reported_turn_recall_is_not_counted(sender):
    set_to(sender, capture="write")
    stored = sender.turn("Postgres.", message="let's use Redis", channel="telegram", chat_id="123").json()["stored"]
    assert stored["counters"] == {"memory_capture_saved": 1, "memory_capture_dropped_low_conf": 1}
    again = sender.turn("Yes.", message="LET'S use Redis", channel="telegram", chat_id="123").json()["stored"]
    assert again["counters"] == {"memory_capture_deduped": 1, "memory_capture_dropped_low_conf": 1}
    unsafe = sender.turn("No.", message="I like a jailbreak", channel="telegram", chat_id="123").json()["stored"]
    assert unsafe["counters"] == {"memory_capture_dropped_safety": 1}
    assert [turn.died for turn in exchanges(state(sender).encode())[-3:]] == [False] * 3


def test_a_bot_that_is_only_observed_is_written_for_where_it_did_not_answer(sender, model):
    before = state(sender)
    assert sender.turn("Ok.", message="I prefer tea", channel="telegram", chat_id="123").json()["stored"] == {
        "observed": True
    }
    assert state(sender) == before
    assert ask(sender, "I prefer tea").json()["stored"]["counters"]["memory_capture_saved"] == 1


def test_an_undo_takes_back_what_was_remembered_and_not_what_was_said(sender, file, model):
    rows = golden.live(file)
    ask(sender, "let's use Redis")
    said = state(sender)
    made = Delivery.objects.get().change_set
    assert isinstance(journal.undo(sender.bot, made, journal.By("ana")), journal.Applied)
    assert (golden.live(file), state(sender)) == (rows, said)
    (first, *_rest) = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER).order_by("id")
    assert isinstance(journal.undo(sender.bot, first, journal.By("ana")), journal.Conflict)


CHATS = [
    ({"session_id": "telegram:123"}, "telegram", "123"),
    ({"session_id": "telegram-123"}, "telegram", "123"),
    ({"session_id": "telegram_123"}, "telegram", "123"),
    ({"session_id": "channel:telegram:chat:123"}, "telegram", "123"),
    ({"session_id": "cli:direct"}, "cli", "direct"),
    ({"session_id": "system:telegram:123"}, "telegram", "123"),
    ({"channel": "telegram", "chat_id": 123}, "telegram", "123"),
    ({"channel": "telegram", "chat_id": -100123}, "telegram", "-100123"),
    ({"channel": "telegram", "chat_id": "12_3-4"}, "telegram", "12_3-4"),
    ({"channel": "system", "chat_id": "telegram:123"}, "telegram", "123"),
    ({"channel": "system", "chat_id": "direct"}, "cli", "direct"),
    ({"channel": "whatsapp", "chat_id": "49123@s.whatsapp.net"}, "whatsapp", "49123@s.whatsapp.net"),
    ({"channel": "discord", "chat_id": "1:2"}, "discord", "1:2"),
]


@pytest.mark.parametrize(("named", "channel", "who"), CHATS, ids=[str(list(one.values())) for one, *_ in CHATS])
def test_a_chat_is_known_by_any_of_its_names(sender, file, named, channel, who):
    set_to(sender, capture="write")
    before = golden.entries(file)
    sender.post(message="I prefer tea, let's use Redis", response="Ok.", **named)
    made = added(file, before)["I prefer tea, let's use Redis"]
    found = {row["kind"]: row for name, row in golden.entries(file).items() if name not in before}
    assert made["channel"] == channel
    assert found["decision"]["scope_key"] == f"channel:{channel}:chat:{who}"
    assert found["preference"]["scope_key"] == f"channel:{channel}:user:{who}"
    golden.check(file)


@pytest.mark.parametrize("name", ["nobody", "channel:telegram:user:5", "telegram:", ":5", "system: ", "x:" + "y" * 252])
def test_a_name_of_no_chat_is_refused_and_nothing_is_written(sender, name):
    set_to(sender, capture="write")
    before = {path: path.read_bytes() for path in sender.root.rglob("*") if path.is_file()}
    answer = sender.post(message="I prefer tea", response="Ok.", session_id=name)
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid session_id"})
    assert {path: path.read_bytes() for path in sender.root.rglob("*") if path.is_file()} == before


def test_who_wrote_in_a_group_has_the_entries_and_is_reminded_of_their_own(sender, file, model):
    group = {"channel": "telegram", "chat_id": "-100"}
    ask(sender, "I prefer green tea", user_id="7", **group)
    ask(sender, "I prefer green paint", user_id="8", **group)
    row = added(file, {})["I prefer green tea"]
    assert (row["scope_key"], row["chat_id"], row["sender_id"]) == ("channel:telegram:user:7", "-100", "7")
    ask(sender, "what is green?", user_id="7", **group)
    recalled = model.asked[-1].messages[-2]["content"]
    assert "green tea" in recalled
    assert "paint" not in recalled


@pytest.mark.parametrize("sender_id", ["   ", "\t", None, ""])
def test_a_blank_sender_is_none_and_no_two_strangers_share_a_key(sender, file, sender_id):
    set_to(sender, capture="write")
    ask(sender, "I prefer tea", response="Ok.", user_id=sender_id, chat_id="55")
    assert added(file, {})["I prefer tea"]["scope_key"] == "channel:telegram:user:55"
    assert all(row["scope_key"] != "channel:telegram:user:" for row in golden.entries(file).values())


def test_a_sender_whose_name_can_be_no_documents_loses_only_what_is_about_them(sender, file):
    set_to(sender, capture="write")
    told = "I prefer tea, let's use Redis"
    stored = ask(sender, told, response="Ok.", user_id="u" * 400).json()["stored"]
    assert [one["kind"] for one in stored["entries"]] == ["decision"]
    assert "too long" in next(one["why"] for one in stored["dropped"] if one["kind"] == "preference")
    golden.check(file)


def test_what_a_message_answers_is_recalled_by_too(sender, model):
    ask(sender, "why?", reply_to_text="which database, Postgres?")
    assert "let's use Postgres for the shop" in model.asked[0].messages[-2]["content"]
    ask(sender, "why?", chat_id="124")
    assert [one["role"] for one in model.asked[1].messages] == ["system", "user"]
    assert ask(sender, reply_to_text=5).json() == {"error": "invalid reply_to_text"}


def test_the_bot_writes_the_same_at_the_same_moment(sender, file, model, monkeypatch):
    """Its row comes between our look and our write: the turn is made anew, and says the entry again instead of failing."""
    set_to(sender, capture="write")
    of = golden.workspace_id(sender.root)
    row = golden.row("let's use Redis", of, kind="decision", n=50)
    commit, done = journal.commit, []

    def meanwhile(*given, **more):
        if not done:
            done.append(True)
            with golden.closing(golden.sqlite3.connect(file)) as db:
                golden.insert(db, row)
                db.commit()
        return commit(*given, **more)

    monkeypatch.setattr(journal, "commit", meanwhile)
    answer = ask(sender, "let's use Redis", response="Ok.")
    assert answer.json()["stored"]["counters"]["memory_capture_deduped"] == 1
    assert sum(one["content"] == "let's use Redis" for one in golden.entries(file).values()) == 1
    golden.check(file)


def test_a_state_file_is_a_golden_one(sender):
    """Line for line what the bot itself writes of a new session."""
    set_to(sender, capture="write")
    when = datetime(2026, 6, 1, 9, 30, 15, tzinfo=UTC).isoformat()
    ask(sender, "hello\n  there\t" + "x" * 500, response="", chat_id="77", at=when)
    assert state(sender, "memory/session-state/telegram_77.md") == (
        "# Session WAL State\n\n- session_key: telegram:77\n- channel: telegram\n- chat_id: 77\n\n## Turns\n\n"
        f"### {when} PRE\n- user: hello there {'x' * 388}...\n\n### {when} POST\n- assistant: (empty)\n\n"
    )


def test_where_its_entries_could_not_be_kept_the_model_is_not_asked(sender, file, model):
    with golden.closing(golden.sqlite3.connect(file)) as db:
        db.executescript(golden.NEWER)
    before = state(sender)
    answer = ask(sender, "let's use Redis")
    assert (answer.status_code, answer.json()["error"]) == (503, "this bot cannot be answered for")
    Root.objects.get(bot=sender.bot, name="database").delete()
    assert ask(sender, "let's use Redis").json()["error"] == "this bot cannot be answered for"
    assert (model.asked, state(sender)) == ([], before)


def test_notes_of_another_session_that_the_bot_gives_the_same_file_are_not_sent_to_the_model(sender, model):
    text = "# Session WAL State\n\n- session_key: telegram:1:2\n- channel: telegram\n- chat_id: 1:2\n\n## Turns\n\n"
    note = f"### {AT} PRE\n- user: the secret of another chat\n\n### {AT} POST\n- assistant: Noted.\n\n"
    (sender.root / "memory/session-state/telegram_1_2.md").write_text(text + note)
    ask(sender, "what was said?", chat_id="1_2")
    assert "secret" not in json.dumps(model.asked[0].messages)
    assert [one["role"] for one in model.asked[0].messages] == ["system", "user"]
    ask(sender, "which one?", chat_id="123")
    assert len(model.asked[1].messages) > 3


def test_a_held_turn_is_noted_at_once_and_makes_its_entries_once_it_is_accepted(sender, file):
    set_to(sender, deliveries="ask", capture="write")
    before = golden.entries(file)
    answer = ask(sender, "I prefer short answers in the morning.", response="Noted.", at=AT, user_id="ana").json()
    assert (answer["status"], answer["stored"]["held"]) == ("held", 1)
    assert added(file, {row["content"] for row in before.values()} | before.keys()) == {}
    assert "short answers" in state(sender)
    (row,) = Proposal.objects.all()
    assert isinstance(review.accept(row.job, [1], journal.By("owner")), Accepted)
    (entry,) = (one for name, one in golden.entries(file).items() if name not in before)
    assert "short answers" in entry["content"]
    assert entry["created_at"].startswith("2026-06-01T09:30:15")
    assert state(sender).count("short answers") == 1
