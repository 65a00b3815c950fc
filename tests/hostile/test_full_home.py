"""No room left on the disk of Kenoweb's own database, or another file in its place: pages read on and say what is so."""

from __future__ import annotations

import os
import shutil
import sqlite3

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import OperationalError, connection

from memory import index, journal
from memory.checks import doctor
from memory.domain.changes import Put, digest
from memory.domain.errors import VaultError
from memory.journal import change_set_numbers
from memory.models import ChangeSet, Delivery, Fact
from memory.storage import database
from memory.web.api.errors import understood
from tests.journal.conftest import ANA
from tests.webhook.conftest import make_sender

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite" not in site.DATABASES["default"]["ENGINE"], reason="a file of one's own is SQLite's"),
]
PAGES = (
    *("", "memory", "days/", "days/2025-01-01", "days/2025-01-02", "documents/", "documents/MEMORY.md"),
    *("documents/2025-01-01.md", "documents/2025-01-02.md", "facts/MEMORY.md", "search/?q=tea", "chats/"),
    *("prompt/", "history/", "compaction", "findings/", "raw/MEMORY.md"),
)
NOISE = "".join(f"- {digest(str(number).encode())}\n" for number in range(6000))  # no compression makes room for it
ENTRY = "## 10:00 — Likes tea number {}\n\n"


class Room:
    """The room of the database, by SQLite's own bound: what it refuses, it refuses as on a full disk."""

    def end(self, tidied=True):
        with connection.cursor() as cursor:
            if tidied:
                cursor.execute("VACUUM")  # pages that other tests left free are room, too
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count={cursor.fetchone()[0]}")

    def begin(self):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count={1 << 30}")


@pytest.fixture
def room():
    found = Room()
    yield found
    found.begin()
    database._met.clear()


@pytest.fixture
def sender(ana, tmp_path):
    return make_sender(tmp_path / "sender", "signing", "a-secret-for-the-tests")


@pytest.fixture
def outgrown(ana, room):
    """Files that say much more than the index, which has no room for it."""
    ana.write("MEMORY.md", "# Memory\n\n- likes tea\n")
    ana.write("2025-01-01.md", "".join(ENTRY.format(number) for number in range(300)))
    index.refresh(ana.bot)
    room.end()
    ana.write("2025-01-02.md", "".join(ENTRY.format(number) for number in range(900)))
    ana.append("2025-01-01.md", "".join(f"## 11:00 — Something new {number}\n\n" for number in range(900)))
    ana.append("MEMORY.md", "".join(f"- something new {number}, said in more words\n" for number in range(2000)))
    return ana


@pytest.mark.slow
def test_every_page_reads_on(outgrown, room):
    answers = {page: outgrown.get(page) for page in PAGES}
    assert {page: one.status for page, one in answers.items()} == dict.fromkeys(PAGES, 200)
    assert "something new 1999" in answers["raw/MEMORY.md"].response.content.decode()
    assert "something new 1999" in answers["documents/MEMORY.md"].text
    assert "The disk with Kenoweb’s database is full." in outgrown.get("history/").text
    room.begin()
    outgrown.get("days/2025-01-01")
    assert Fact.objects.filter(document__path="2025-01-01.md").count() == 1200


@pytest.mark.slow
def test_save_that_finds_no_room_says_why_and_changes_nothing(outgrown, room):
    before, text = outgrown.read(), outgrown.read() + NOISE
    refused = outgrown.save(text)
    assert (refused.status, outgrown.read()) == (503, before)
    assert "The disk with Kenoweb’s database is full." in refused.text
    room.begin()
    assert outgrown.save(text).status == 200
    assert outgrown.read() == text


def test_change_that_the_file_has_is_said_to_stand(ana, room):
    """The room ends between the write of the file and the end of its record."""
    ana.write("MEMORY.md", "- old\n")

    def full_at_the_end(execute, sql, words, many, context):
        if sql.startswith('UPDATE "memory_changeset"'):
            room.end(tidied=False)
            with connection.cursor() as cursor:
                cursor.execute("CREATE TABLE no_room AS SELECT zeroblob(9000000)")
        return execute(sql, words, many, context)

    with connection.execute_wrapper(full_at_the_end):
        wrapped = journal.commit(ana.bot, [Put("MEMORY.md", b"- new\n", digest(b"- old\n"))], by=ANA, kind="edit")
    assert isinstance(wrapped, journal.Applied)
    assert ana.read() == "- new\n"
    room.begin()
    journal.recover(ana.bot)
    assert ChangeSet.objects.get(pk=wrapped.change_set.pk).state in ("applied", "settling")
    assert ana.read() == "- new\n"


def test_turn_and_api_say_that_the_disk_is_full_and_not_that_it_is_busy(sender, room):
    def turn(number):
        return sender.turn(f"<memory>{NOISE[:200000]}</memory>", message_id=f"m{number}")

    assert turn(1).status_code == 200
    room.end()
    refused = [turn(number) for number in range(2, 20)][-1]
    assert (refused.status_code, refused.json()["error"]) == (
        503,
        "the disk of the server's database is full, nothing was changed",
    )
    error = OperationalError("full")
    error.__cause__ = sqlite3.OperationalError("full")
    error.__cause__.sqlite_errorcode = sqlite3.SQLITE_FULL
    told = understood(error)
    assert (told.status, told.code, told.wait) == (503, "not_written", 0)
    room.begin()
    assert turn(19).status_code == 200
    assert Delivery.objects.get(message_id="m19").status == 200


@pytest.fixture
def moved():
    """Another file in the place of the database that this process has open, until the test ends."""
    name, aside = str(connection.settings_dict["NAME"]), str(connection.settings_dict["NAME"]) + ".aside"

    def move(other=True):
        connection.ensure_connection()
        os.rename(name, aside)
        if other:
            shutil.copyfile(aside, name)

    yield move
    if os.path.exists(aside):
        os.replace(aside, name)


@pytest.mark.parametrize("other", [False, True])
def test_database_that_was_removed_or_replaced_is_seen_before_anything_is_written(ana, sender, moved, other):
    ana.write("MEMORY.md", "- old\n")
    assert ana.save("- older\n").status == 200
    assert not database.is_lost()
    moved(other)
    before, sets = ana.read(), ChangeSet.objects.count()
    health = ana.client.get("/health")
    assert (health.status_code, health.json()["error"]) == (503, "the database was removed or replaced")
    assert "was removed or replaced" in ana.get("memory").text
    refused = ana.save("- new\n")
    assert refused.status == 503
    assert "was removed or replaced" in refused.text
    told = sender.turn("<memory>x</memory>")
    assert (told.status_code, "was removed or replaced" in told.json()["error"]) == (503, True)
    with pytest.raises(VaultError, match="removed or replaced"):
        journal.commit(ana.bot, [Put("MEMORY.md", b"- new\n", digest(before.encode()))], by=ANA, kind="edit")
    found = {one.name: one for one in doctor.examine(ana.bot)}["database"]
    assert (found.ok, "another database open" in found.text) == (False, True)
    assert (ana.read(), ChangeSet.objects.count()) == (before, sets)


def test_commands_see_that_a_server_has_another_database_open(ana, capsys):
    connection.ensure_connection()
    with database.noted():
        assert not database.server_has_another()
        note = site.KENOWEB_HOME / database.IN_USE
        device, inode = note.read_text().split()
        note.write_text(f"{device} {int(inode) + 1}")
        assert database.server_has_another()
        with pytest.raises(SystemExit):
            call_command("memory", "status")
        assert "Stop it and start it again." in capsys.readouterr().err
    assert not note.exists()
    note.write_text(f"{device} {int(inode) + 1}")  # of a server that was killed
    assert not database.server_has_another()
    with database.noted():
        assert note.read_text().split() == [device, inode]


def test_no_number_of_a_change_set_means_two_things_after_an_older_database_was_restored(ana):
    ana.write("MEMORY.md", "- 0\n")

    def save(text):
        made = journal.commit(ana.bot, [Put("MEMORY.md", text, digest(ana.read().encode()))], by=ANA, kind="edit")
        return made.change_set.pk

    first = save(b"- 1\n")
    given = [first, *(save(b"- %d\n" % number) for number in range(2, 5))]
    ChangeSet.objects.filter(pk__gt=first).delete()
    with connection.cursor() as cursor:  # as the older file has it
        cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = 'memory_changeset'", [first])
    change_set_numbers._kept_ahead.cache_clear()  # and a process that begins
    assert save(b"- 9\n") > max(given)
