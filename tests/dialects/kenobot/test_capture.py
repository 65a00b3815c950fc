"""What a turn makes: the bot's own bytes, in the bot's own places."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.dialects.kenobot import DIALECT
from memory.dialects.kenobot.settings import Settings
from memory.domain.changes import Append, Put, digest
from memory.domain.errors import Unreadable
from memory.domain.turns import Turn
from memory.text.markdown.entries import log_facts
from tests.dialects.memories import FakeMemory, unreadable

AT = datetime(2026, 3, 20, 10, 30, 59, tzinfo=UTC)


def captured(response, memory=None, *, at=AT, sid="telegram-1", **settings):
    turn = Turn(sid, "hello", response, at)
    return DIALECT.capture(turn, memory or FakeMemory({}), Settings(**settings))


def test_capture_writes_what_kenobot_writes():
    found = captured(
        "Sure. <memory>Likes Go</memory><memory>Uses vim</memory>\n<chat-memory>Topic: EU</chat-memory>"
        "<chat-context>- About: work</chat-context><working-memory>\n- Pending: slides\n</working-memory>"
    )
    assert found.clean_text == "Sure."
    assert found.changes == (
        Append("2026-03-20.md", "## 10:30 — Likes Go\n\n## 10:30 — Uses vim\n\n".encode()),
        Append("chats/telegram-1/2026-03-20.md", "## 10:30 — Topic: EU\n\n".encode()),
        Put("chats/telegram-1/context.md", b"- About: work", None, renew=True),
        Put("working/telegram-1.md", b"- Pending: slides", None, renew=True),
    )
    assert found.stored == {
        "memories": 2,
        "chat_memories": 1,
        "working_memory": True,
        "chat_context": True,
        "user": 0,
        "bootstrap_complete": False,
        "documents": [change.path for change in found.changes],
    }


def test_capture_of_a_reply_without_tags_changes_nothing():
    found = captured("Just talk. <bootstrap-complete/>")
    assert (found.clean_text, found.changes) == ("Just talk.", ())
    assert found.stored["bootstrap_complete"] is True
    assert found.stored["documents"] == []


def test_capture_takes_day_and_time_from_the_turn():
    late = datetime(2026, 3, 20, 23, 30, tzinfo=timezone(timedelta(hours=-6)))
    assert captured("<memory>x</memory>", at=late).changes == (Append("2026-03-20.md", "## 23:30 — x\n\n".encode()),)
    early = datetime(987, 1, 2, 3, 4, tzinfo=UTC)
    assert captured("<memory>x</memory>", at=early).changes[0].path == "0987-01-02.md"


def test_capture_replaces_whole_notes_from_the_version_that_stands():
    memory = FakeMemory({"working/telegram-1.md": "- old\n", "chats/telegram-1/context.md": b"\xff"})
    found = captured("<working-memory>- new</working-memory><chat-context>c</chat-context>", memory)
    assert Put("working/telegram-1.md", b"- new", digest(b"- old\n"), renew=True) in found.changes
    assert Put("chats/telegram-1/context.md", b"c", digest(b"\xff"), renew=True) in found.changes


def test_capture_does_not_replace_what_it_cannot_read():
    memory = FakeMemory({"working/telegram-1.md": unreadable("working/telegram-1.md")})
    with pytest.raises(Unreadable):
        captured("<working-memory>- new</working-memory>", memory)


@pytest.mark.parametrize(
    "text", ["Checklist\n- water\n## 09:00 — a quoted line\n- done", "a\n# title\nb", "## 09:00 — x\n## 10:00 — y"]
)
def test_capture_keeps_one_memory_one_fact(text):
    found = captured(f"<memory>{text}</memory><memory>next</memory>")
    facts = log_facts(found.changes[0].data.decode())
    assert [(fact.time, fact.text) for fact in facts] == [("10:30", text), ("10:30", "next")]


def test_capture_leaves_ordinary_lines_to_the_byte():
    text = "Recipe: pozole\nNeeds 2 chiles\n\n  * soak  \n#tag and #2\r\n会议"
    assert captured(f"<memory>{text}</memory>").changes[0].data == f"## 10:30 — {text}\n\n".encode()


def test_capture_turns_lone_surrogates_into_replacement_characters():
    found = captured("hi \ud800<memory>a\udc80b \ud83d\ude00</memory>")
    assert found.clean_text == "hi \ufffd"
    assert found.changes[0].data == "## 10:30 — a\ufffdb 😀\n\n".encode()


@pytest.mark.parametrize("sid", ["", "..", "../../x", "a/b", "a\0", "x" * 300])
def test_capture_refuses_session_ids_that_cannot_name_files(sid):
    with pytest.raises(ValueError, match="The chat ID "):
        captured("<memory>x</memory>", sid=sid)


def test_capture_only_observes_when_the_bot_writes_itself():
    found = captured("Ok <memory>x</memory><user>y</user><working-memory>z</working-memory>", capture="observe")
    assert (found.clean_text, found.changes) == ("Ok", ())
    assert found.stored["observed"] is True
    assert (found.stored["memories"], found.stored["user"], found.stored["documents"]) == (1, 1, [])


def test_capture_reports_an_entry_that_just_now_stood_there():
    log = "## 10:27 — likes go.\n\n## 09:00 — Uses vim\n\n"
    memory = FakeMemory({"2026-03-20.md": log, "2026-03-19.md": "## 10:30 — Other\n\n"})
    found = captured("<memory>Likes Go</memory><memory>Uses vim</memory><memory>Other</memory>", memory)
    assert found.changes == (Append("2026-03-20.md", "## 10:30 — Uses vim\n\n## 10:30 — Other\n\n".encode()),)
    assert (found.stored["memories"], found.stored["already"]) == (2, 1)


def test_capture_writes_nothing_when_everything_stands():
    memory = FakeMemory({"chats/telegram-1/2026-03-20.md": "## 10:30 — Topic\n\n"})
    found = captured("<chat-memory>Topic</chat-memory>", memory)
    assert (found.changes, found.stored["chat_memories"], found.stored["already"]) == ((), 0, 1)


def test_capture_keeps_repeats_within_one_reply():
    assert (
        captured("<memory>a</memory><memory>a</memory>").changes[0].data == "## 10:30 — a\n\n## 10:30 — a\n\n".encode()
    )


def test_capture_looks_only_at_the_end_of_a_long_log():
    class Watched(FakeMemory):
        def read(self, path):
            raise AssertionError("the whole log was read")

        def tail(self, path, size):
            assert size <= 65536
            return self.documents[path][-size:]

    memory = Watched({"2026-03-20.md": "## 08:00 — filler\n\n" * 20_000 + "## 10:29 — Likes Go\n\n"})
    assert captured("<memory>Likes Go</memory>", memory).stored["already"] == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "## Learned Preferences\n- Prefers lists\n- Speaks Spanish\n"),
        ("# User\n", "# User\n\n\n## Learned Preferences\n- Prefers lists\n- Speaks Spanish\n"),
        (
            "## Learned Preferences\n- Old\n\n## Next\n",
            "## Learned Preferences\n- Prefers lists\n- Speaks Spanish\n- Old\n\n## Next\n",
        ),
        (
            "## Learned Preferences\r\n- Old\r\n",
            "## Learned Preferences\r\n- Prefers lists\r\n- Speaks Spanish\r\n- Old\r\n",
        ),
        ("a\n## Learned Preferences", "a\n## Learned Preferences\n- Prefers lists\n- Speaks Spanish\n"),
        ("## Learned Preferences\n- prefers lists\n", "## Learned Preferences\n- Speaks Spanish\n- prefers lists\n"),
    ],
)
def test_capture_learns_about_the_user(before, after):
    documents = {"@identity/SOUL.md": "I am"}
    if before is not None:
        documents["@identity/USER.md"] = before
    found = captured(
        "<user>Prefers lists</user><user>Speaks Spanish</user><user>Prefers lists.</user>", FakeMemory(documents)
    )
    base = None if before is None else digest(before.encode())
    assert found.changes == (Put("@identity/USER.md", after.encode(), base),)
    assert found.stored["user"] == 3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "# User Preferences\n\n- learned: Prefers lists"),
        ("# User Preferences\n\n- learned: Old", "# User Preferences\n\n- learned: Old\n- learned: Prefers lists"),
    ],
)
def test_capture_learns_about_the_user_as_07_does(before, after):
    documents = {"identity/core.md": "I am"}
    if before is not None:
        documents["identity/preferences.md"] = before
    found = captured("<user>Prefers lists</user>", FakeMemory(documents), version="0.7")
    base = None if before is None else digest(before.encode())
    assert found.changes == (Put("identity/preferences.md", after.encode(), base),)


def test_capture_only_reports_user_items_without_an_identity():
    found = captured("<user>Prefers lists</user>", FakeMemory({"MEMORY.md": "x"}))
    assert (found.changes, found.stored["user"]) == ((), 1)


def test_capture_does_not_write_known_user_items_again():
    memory = FakeMemory({"@identity/USER.md": "## Learned Preferences\n- Prefers lists\n"})
    assert captured("<user>prefers  lists</user>", memory).changes == ()
