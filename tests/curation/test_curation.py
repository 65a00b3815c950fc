"""One fact mended at a time, in real files, while bots and others write to them too."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime

import pytest

from memory import index, journal
from memory.bots import open_bot
from memory.curation import facts, moving
from memory.curation.acts import Done
from memory.domain.outcomes import Refused
from memory.models import Bot, Fact, Root
from memory.text.markdown.normal import key

BY = journal.By("Ana")
LOG = "# 2026-02-07\n\n## 09:00 — One\n\n## 09:30 — Two\n\n"
DAY = "2026-02-07.md"


@pytest.fixture
def desk(db, tmp_path, kenoweb_home):
    root = tmp_path / "memory"
    bot = Bot.objects.create(slug="keno", name="KenoBot", dialect="kenobot")
    for name in ("memory", "sessions"):
        (tmp_path / name).mkdir()
        Root.objects.create(bot=bot, name=name, path=str(tmp_path / name))
    return Desk(bot, root)


class Desk:
    """The bot's files as the bot sees them."""

    def __init__(self, bot, root):
        self.bot, self.root = bot, root

    def write(self, path, data):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def read(self, path):
        return (self.root / path).read_bytes().decode()

    def name(self, path, number):
        """(path, key, nth) of a fact."""
        fact = open_bot(self.bot).dialect.facts(path, (self.root / path).read_bytes())[number]
        return path, fact.key, fact.nth


def test_added_entry_stands_in_todays_log_and_in_the_history(desk):
    path = f"{open_bot(desk.bot).today()}.md"
    done = facts.add(desk.bot, path, "Likes tea", BY)
    assert isinstance(done, Done)
    assert desk.read(path).endswith(" — Likes tea\n\n")
    assert (done.change_set.why, done.change_set.by, done.change_set.kind) == ("Added “Likes tea”", "Ana", "edit")
    assert Fact.objects.get(bot=desk.bot).text == "Likes tea"


def test_entry_is_added_to_a_chat_that_has_no_notes_yet(desk):
    now = datetime(2026, 2, 7, 23, 59, tzinfo=UTC)
    facts.add(desk.bot, f"chats/telegram-1/{DAY}", "Hello", BY, now)
    assert desk.read(f"chats/telegram-1/{DAY}") == "## 23:59 — Hello\n\n"


def test_nothing_is_added_to_another_day(desk):
    refused = facts.add(desk.bot, DAY, "Hello", BY)
    assert isinstance(refused, Refused)
    assert "Facts can only be added to today’s log" in refused.reason
    assert not (desk.root / DAY).exists()


def test_reworded_fact_can_be_taken_back(desk):
    desk.write(DAY, LOG)
    done = facts.edit(desk.bot, *desk.name(DAY, 0), "Uno", BY)
    assert desk.read(DAY) == LOG.replace("One", "Uno")
    assert done.change_set.why == "Changed “One” to “Uno”"
    assert done.change_set.details["facts"] == [key("One")]
    journal.undo(desk.bot, done.change_set, BY)
    assert desk.read(DAY) == LOG


def test_rewording_to_the_same_writes_nothing(desk):
    desk.write(DAY, LOG)
    assert facts.edit(desk.bot, *desk.name(DAY, 0), "One", BY) == Done(None, (DAY,))


def test_fact_that_moved_is_still_found(desk):
    desk.write(DAY, LOG)
    name = desk.name(DAY, 1)
    desk.write(DAY, "## 08:00 — Zero\n\n" + LOG)
    assert isinstance(facts.edit(desk.bot, *name, "Dos", BY), Done)
    assert desk.read(DAY) == "## 08:00 — Zero\n\n" + LOG.replace("Two", "Dos")


def test_fact_that_is_gone_is_refused_in_words(desk):
    desk.write(DAY, LOG)
    name = desk.name(DAY, 0)
    desk.write(DAY, LOG.replace("One", "Uno"))
    for refused in (
        facts.edit(desk.bot, *name, "x", BY),
        facts.forget(desk.bot, [name], BY),
        moving.promote(desk.bot, [name], BY),
    ):
        assert isinstance(refused, Refused)
        assert "This fact no longer exists or was changed." in refused.reason
    assert desk.read(DAY) == LOG.replace("One", "Uno")


def test_facts_of_many_documents_go_as_one_change_set(desk):
    desk.write(DAY, LOG)
    desk.write("chats/a/" + DAY, "## 10:00 — Three\n\n")
    desk.write("MEMORY.md", "- Four\n- Five\n")
    wanted = [desk.name(DAY, 0), desk.name("chats/a/" + DAY, 0), desk.name("MEMORY.md", 1), desk.name(DAY, 0)]
    done = facts.forget(desk.bot, wanted, BY)
    assert (desk.read(DAY), desk.read("MEMORY.md")) == ("# 2026-02-07\n\n## 09:30 — Two\n\n", "- Four\n")
    assert not (desk.root / "chats/a" / DAY).exists()
    assert done.change_set.why == "Forgot 3 facts"
    assert sorted(Fact.objects.filter(bot=desk.bot).values_list("text", flat=True)) == ["Four", "Two"]
    journal.undo(desk.bot, done.change_set, BY)
    assert (desk.read(DAY), desk.read("MEMORY.md")) == (LOG, "- Four\n- Five\n")
    assert desk.read("chats/a/" + DAY) == "## 10:00 — Three\n\n"


def test_all_of_the_facts_go_or_none(desk):
    desk.write(DAY, LOG)
    wanted = [desk.name(DAY, 0), (DAY, "0" * 32, 0)]
    assert isinstance(facts.forget(desk.bot, wanted, BY), Refused)
    assert desk.read(DAY) == LOG


def test_one_of_several_equal_facts_goes(desk):
    desk.write(DAY, "## 09:00 — Same\n\n## 09:30 — Same\n\n## 10:00 — Same\n\n")
    facts.forget(desk.bot, [desk.name(DAY, 1)], BY)
    assert desk.read(DAY) == "## 09:00 — Same\n\n## 10:00 — Same\n\n"


def test_promoted_entry_moves_within_its_scope(desk):
    path = "chats/a/" + DAY
    desk.write(path, LOG)
    desk.write("MEMORY.md", "- Global\n")
    done = moving.promote(desk.bot, [desk.name(path, 1)], BY)
    assert desk.read("chats/a/MEMORY.md") == "- 2026-02-07 09:30 — Two\n"
    assert desk.read(path) == "# 2026-02-07\n\n## 09:00 — One\n\n"
    assert desk.read("MEMORY.md") == "- Global\n"
    assert done.change_set.why == "Moved “Two” to chats/a/MEMORY.md"
    assert set(done.paths) == {path, "chats/a/MEMORY.md"}


def test_entry_of_an_archived_log_is_promoted_too(desk):
    path = "archive/" + DAY
    desk.write(path, LOG)
    desk.write("MEMORY.md", "- Global\n")
    moving.promote(desk.bot, [desk.name(path, 1)], BY)
    assert desk.read("MEMORY.md") == "- Global\n- 2026-02-07 09:30 — Two\n"


def test_what_is_said_already_is_not_promoted(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", "# Memory\n\n- **one**.\n")
    refused = moving.promote(desk.bot, [desk.name(DAY, 0)], BY)
    assert "MEMORY.md already says this in line 3." in refused.reason
    assert desk.read(DAY) == LOG


def test_only_entries_of_logs_are_promoted(desk):
    desk.write("MEMORY.md", "- a\n")
    assert "daily log" in moving.promote(desk.bot, [desk.name("MEMORY.md", 0)], BY).reason


@pytest.mark.django_db(transaction=True)
def test_what_the_bot_appends_meanwhile_is_kept(desk):
    desk.write(DAY, "".join(f"## 09:{number:02} — Old {number}\n\n" for number in range(10)))
    index.refresh(desk.bot)
    names = [desk.name(DAY, number) for number in range(10)]
    new = [f"## 10:{number:02} — New {number}\n\n" for number in range(40)]

    def append():
        for entry in new:
            with (desk.root / DAY).open("a") as file:
                file.write(entry)
            time.sleep(0.002)

    thread = threading.Thread(target=append)
    thread.start()
    for name in names[:6]:
        assert isinstance(facts.forget(desk.bot, [name], BY), Done)
    thread.join()
    wanted = sorted(f"## 09:0{number} — Old {number}" for number in range(6, 10)) + [entry.strip() for entry in new]
    for _ in range(50):
        journal.settle_and_recover(desk.bot, 1)
        if (lines := sorted(line for line in desk.read(DAY).splitlines() if line)) == wanted:
            break
        time.sleep(0.1)
    assert lines == wanted


@pytest.mark.parametrize("path", [DAY, "MEMORY.md"])
def test_document_that_is_no_text_is_left_alone(desk, path):
    data = b"# x\n- One\n" + b"- caf\xe9\n"
    desk.write(path, data)
    refused = facts.edit(desk.bot, *desk.name(path, 0), "Uno", BY)
    assert refused.reason.startswith("Line 3 isn’t valid UTF-8.")
    assert (desk.root / path).read_bytes() == data


def test_unreadable_document_is_refused_and_not_taken_for_empty(desk):
    os.mkfifo(desk.root / DAY)
    refused = facts.forget(desk.bot, [(DAY, "0" * 32, 0)], BY)
    assert "isn’t a regular file" in refused.reason


@pytest.mark.parametrize(
    "path", ["nonsense.txt", "../MEMORY.md", "@sessions/a.jsonl", "@elsewhere/x.md", "chats/a\0/MEMORY.md"]
)
def test_no_document_no_change(desk, path):
    for refused in (
        facts.add(desk.bot, path, "x", BY),
        facts.edit(desk.bot, path, "0" * 32, 0, "x", BY),
        facts.forget(desk.bot, [(path, "0" * 32, 0)], BY),
        moving.promote(desk.bot, [(path, "0" * 32, 0)], BY),
    ):
        assert isinstance(refused, Refused)
        assert refused.reason.endswith(".")
