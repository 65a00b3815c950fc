"""Chats and days in sums: always what a recount of the documents' rows would say."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index
from memory.domain.changes import Append
from memory.models import Bot, Chat, Day, Document
from tests.index.test_refresh import entry, make_old
from tests.journal.conftest import (
    desk,
    make_desk,
)
from tests.support.amounts import times

__all__ = ["desk"]

ONE, TWO = "2026-01-01", "2026-01-02"
OF_A_CHAT = (
    *("scope", "written_ns", "notes", "logs", "oldest_day", "newest_day", "size", "working_ns"),
    "transcript_size",
)
OF_A_DAY = ("day", "facts", "logs", "chats", "size", "written_ns")


def kept(bot):
    """The sums as the library keeps them."""
    chats = Chat.objects.filter(bot=bot).order_by("scope").values_list(*OF_A_CHAT)
    return list(chats), list(Day.objects.filter(bot=bot).order_by("day").values_list(*OF_A_DAY))


def counted(bot):
    """The same, counted here from the documents."""
    rows = list(Document.objects.filter(bot=bot))
    chats = [chat_of(scope, rows) for scope in sorted({row.scope for row in rows} - {""})]
    logs = [row for row in rows if row.kind == "daily"]
    return chats, [day_of(day, logs) for day in sorted({row.day for row in logs})]


def chat_of(scope, rows):
    rows = [row for row in rows if row.scope == scope]
    logs = [row for row in rows if row.kind == "daily"]
    notes = [row for row in rows if row.tier == "chat" and row.kind != "transcript"]
    working = [row.mtime_ns for row in rows if row.tier == "working"]
    transcript = [row.size for row in rows if row.kind == "transcript"]
    return (
        scope,
        max(row.mtime_ns for row in rows),
        sum(row.facts_count for row in notes if row.kind in ("daily", "long-term")),
        len(logs),
        min((row.day for row in logs), default=""),
        max((row.day for row in logs), default=""),
        sum(row.size for row in notes),
        working[0] if working else None,
        transcript[0] if transcript else None,
    )


def day_of(day, logs):
    logs = [row for row in logs if row.day == day]
    return (
        day,
        sum(row.facts_count for row in logs),
        len(logs),
        sum(bool(row.scope) for row in logs),
        sum(row.size for row in logs),
        max(row.mtime_ns for row in logs),
    )


def with_sessions(desk):
    """The desk with a second root, in which transcripts lie."""
    sessions = desk.root.parent / "sessions"
    sessions.mkdir()
    desk.bot.roots.create(name="sessions", path=str(sessions))
    desk.bot = Bot.objects.get(pk=desk.bot.pk)
    return sessions


@pytest.mark.database
def test_chat_is_the_sum_of_its_documents(desk):
    sessions = with_sessions(desk)
    desk.write("chats/telegram-1/MEMORY.md", b"- a\n- b\n")
    desk.write("chats/telegram-1/context.md", b"About gardens\n")
    desk.write(f"chats/telegram-1/{ONE}.md", entry(1, "c"))
    desk.write(f"chats/telegram-1/{TWO}.md", entry(1, "d") + entry(2, "e"))
    desk.write("working/telegram-1.md", b"Talking\n")
    (sessions / "telegram-1.jsonl").write_bytes(b"{}\n")
    os.utime(sessions / "telegram-1.jsonl", (2_000_000_000, 2_000_000_000))
    index.refresh(desk.bot)
    chat = Chat.objects.get()
    assert (chat.scope, chat.notes, chat.logs, chat.oldest_day, chat.newest_day) == ("telegram-1", 5, 2, ONE, TWO)
    assert chat.written_ns == 2_000_000_000 * 10**9
    assert chat.working_ns == (desk.root / "working/telegram-1.md").stat().st_mtime_ns
    assert (chat.size, chat.transcript_size) == (8 + 14 + len(entry(1, "c") * 3), 3)


@pytest.mark.database
def test_day_is_the_sum_of_its_logs(desk):
    desk.write(f"{ONE}.md", entry(1, "a"))
    desk.write(f"chats/telegram-1/{ONE}.md", entry(1, "b") + entry(2, "c"))
    index.refresh(desk.bot)
    day = Day.objects.get()
    assert (day.day, day.facts, day.logs, day.chats, day.size) == (ONE, 3, 2, 1, 3 * len(entry(1, "a")))


@pytest.mark.database
def test_chats_and_days_without_documents_are_gone(desk):
    desk.write(f"chats/telegram-1/{ONE}.md", entry(1, "a"))
    desk.write("working/telegram-2.md", b"x")
    index.refresh(desk.bot)
    (desk.root / f"chats/telegram-1/{ONE}.md").unlink()
    index.look(desk.bot, f"chats/telegram-1/{ONE}.md")
    (desk.root / "working/telegram-2.md").unlink()
    index.look_all(desk.bot, ["working/telegram-2.md"])
    assert kept(desk.bot) == ([], [])


@pytest.mark.database
def test_another_bot_with_the_same_chats_keeps_its_own_sums(desk):
    other = make_desk(desk.root.parent.parent, "other")
    for one in (desk, other):
        one.write(f"chats/telegram-1/{ONE}.md", entry(1, "a"))
        index.refresh(one.bot)
    desk.add(f"chats/telegram-1/{ONE}.md", entry(2, "b"))
    index.refresh(desk.bot)
    assert [Chat.objects.get(bot=one.bot).notes for one in (desk, other)] == [2, 1]
    index.reindex(desk.bot)
    (desk.root / f"chats/telegram-1/{ONE}.md").unlink()
    index.refresh(desk.bot, accept_vanished=True)
    assert Chat.objects.get().bot == other.bot
    assert Day.objects.get().bot == other.bot


def test_document_that_becomes_unreadable_keeps_its_last_numbers(desk):
    desk.write(f"chats/telegram-1/{ONE}.md", entry(1, "a") + entry(2, "b"))
    index.refresh(desk.bot)
    before = kept(desk.bot)
    (desk.root / f"chats/telegram-1/{ONE}.md").unlink()
    os.mkfifo(desk.root / f"chats/telegram-1/{ONE}.md")
    index.refresh(desk.bot)
    row = Document.objects.get()
    assert row.error
    assert row.facts_count == row.facts.count() == 2
    assert kept(desk.bot) == before


def number(bot):
    return Bot.objects.get(pk=bot.pk).indexed


def test_number_of_the_index_grows_with_every_change_and_only_then(desk):
    path = f"{ONE}.md"

    def grew(act):
        before = number(desk.bot)
        act()
        return number(desk.bot) > before

    desk.write(path, entry(1, "a"))
    assert grew(lambda: index.refresh(desk.bot))
    assert not grew(lambda: index.refresh(desk.bot))  # the file is still young, so it was read again
    assert not grew(lambda: index.look(desk.bot, path))
    make_old(desk)
    assert grew(lambda: index.refresh(desk.bot))  # when it was written is shown
    assert not grew(lambda: index.look_all(desk.bot, [path, "MEMORY.md"]))
    desk.write(path, entry(1, "b"))
    assert grew(lambda: index.look(desk.bot, path))
    (desk.root / path).unlink()
    (desk.root / path).symlink_to("/etc/passwd")
    assert grew(lambda: index.look_all(desk.bot, [path]))
    assert not grew(lambda: index.look(desk.bot, path))
    (desk.root / path).unlink()
    assert grew(lambda: index.refresh(desk.bot, accept_vanished=True))
    assert not grew(lambda: index.look(desk.bot, path))


PATHS = [
    *("MEMORY.md", f"{ONE}.md", "chats/a/MEMORY.md", f"chats/a/{ONE}.md", f"chats/a/{TWO}.md", f"chats/b/{ONE}.md"),
    *("chats/b/context.md", "chats/c/2026-13-45.md", "working/a.md", "working/d.md"),
]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "add", "remove", "append", "break", "age"]),
        st.sampled_from(PATHS),
        st.lists(st.sampled_from([b"- a\n", b"## 10:00 \xe2\x80\x94 x\n", b"plain\n", b"\xff\n"]), max_size=4),
        st.sampled_from(["refresh", "look", "look all", "reindex", "nothing"]),
    ),
    max_size=12,
)


def act(desk, how, path, text):
    target = desk.root / path
    if how == "append" and text and not target.is_symlink():
        desk.commit(Append(path, text))
    elif how in ("remove", "write", "break"):
        target.unlink(missing_ok=True)
    if how == "write":
        desk.write(path, text)
    elif how == "break":
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to("/etc/passwd")
    elif target.is_file() and not target.is_symlink():
        if how == "add":
            desk.add(path, text)
        elif how == "age":
            os.utime(target, (1_700_000_000, 1_700_000_000))


def see(desk, how, path):
    match how:
        case "refresh":
            index.refresh(desk.bot, accept_vanished=True)
        case "look":
            index.look(desk.bot, path)
        case "look all":
            index.look_all(desk.bot, [path, *PATHS[::2]])
        case "reindex":
            index.reindex(desk.bot)


@settings(max_examples=times(6, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.slow
def test_sums_equal_a_recount_whatever_happened(desk, steps):
    one = make_desk(desk.root.parent / os.urandom(4).hex(), os.urandom(4).hex())
    for how, path, text, look in steps:
        act(one, how, path, b"".join(text))
        see(one, look, path)
        assert kept(one.bot) == counted(one.bot)
    index.refresh(one.bot, accept_vanished=True)
    before = {row.path for row in Document.objects.filter(bot=one.bot, error="")}, kept(one.bot)
    if not Document.objects.filter(bot=one.bot).exclude(error="").exists():
        index.reindex(one.bot)
        assert ({row.path for row in Document.objects.filter(bot=one.bot)}, kept(one.bot)) == before
