"""Changes that others make in a bot's files are in the index soon, and nobody is left behind where they cannot be watched."""

from __future__ import annotations

import os
import shutil
import threading
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from watchfiles._rust_notify import WatchfilesRustInternalError

from memory.index import watch
from memory.index.watch import State
from memory.models import Document, Fact
from memory.storage import mounts
from tests.journal.conftest import make_desk
from tests.support.together import until


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home, monkeypatch):
    monkeypatch.setattr(watch, "NET", 3600)  # what is noticed in a test was not found by the walk
    return make_desk(tmp_path)


@contextmanager
def watching(bot, wanted=State.WATCHED):
    """A thread that watches, once it does."""
    over = threading.Event()

    def work():
        try:
            while not over.is_set():
                watch.watch(over)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert until(lambda: watch.state(bot) is wanted)
        yield over
    finally:
        over.set()
        thread.join()


def texts():
    return set(Fact.objects.values_list("text", flat=True))


def test_what_others_write_is_in_the_index_soon(desk):
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        assert until(lambda: texts() == {"Likes tea"})
        desk.write("MEMORY.md", b"- Likes tea\n- Likes Go\n")
        assert until(lambda: texts() == {"Likes tea", "Likes Go"})
        (desk.root / "MEMORY.md").unlink()
        assert until(lambda: texts() == set())


def test_a_new_directory_is_watched_too(desk):
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        desk.write("chats/telegram-1/MEMORY.md", b"- Has a cat\n")
        assert until(lambda: "Has a cat" in texts())
        until(lambda: watch.state(desk.bot) is State.WATCHED)
        desk.write("chats/telegram-1/MEMORY.md", b"- Has a dog\n")
        assert until(lambda: "Has a dog" in texts())


def test_a_directory_that_goes_and_comes_back(desk):
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        assert until(texts)
        shutil.rmtree(desk.root)
        assert until(lambda: watch.state(desk.bot) is State.GONE)
        assert texts() == {"Likes tea"}  # a disk that is not mounted
        desk.root.mkdir()
        desk.write("MEMORY.md", b"- Likes Go\n")
        assert until(lambda: watch.state(desk.bot) is State.WATCHED)
        assert until(lambda: texts() == {"Likes Go"})


def test_what_we_put_aside_is_no_news(desk, monkeypatch):
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        assert until(texts)
        looked = []
        monkeypatch.setattr(watch, "refresh", lambda bot, patience: looked.append(bot))
        (desk.root / ".kenoweb-new").write_bytes(b"x")
        time.sleep(0.5)
        assert looked == []


def test_a_directory_whose_name_is_no_text_keeps_no_other_from_being_watched(desk):
    (desk.root / os.fsdecode(b"caf\xe9")).mkdir()
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        assert until(lambda: texts() == {"Likes tea"})


def test_what_was_missed_is_found_by_the_walk(desk, monkeypatch):
    monkeypatch.setattr(watch, "NET", 0.1)
    monkeypatch.setattr(watch, "HIDDEN", "")  # deaf: every path has this in it
    desk.write("MEMORY.md", b"- Likes tea\n")
    with watching(desk.bot):
        assert until(texts)
        desk.write("MEMORY.md", b"- Likes Go\n")
        assert until(lambda: texts() == {"Likes Go"})


def test_it_ends_when_it_is_told_and_leaves_nothing(desk):
    before = threading.enumerate()  # those of other tests may end meanwhile
    desk.write("MEMORY.md", b"- Likes tea\n")
    for _ in range(3):
        with watching(desk.bot):
            pass
    assert watch.state(desk.bot) is None
    assert {*threading.enumerate()} <= {*before}


def test_one_process_watches(desk):
    with watching(desk.bot):
        watch.watch(threading.Event())  # returns at once
        assert watch.state(desk.bot) is State.WATCHED


@pytest.mark.parametrize("error", [OSError, WatchfilesRustInternalError])  # watches, and who watches
def test_beyond_the_systems_limit_it_is_said(desk, monkeypatch, error):
    def refuses(*_given):
        raise error("Too many")

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuses)
    with watching(desk.bot, State.LIMIT):
        pass


def test_a_disk_of_another_machine_is_left_to_the_walk(desk, monkeypatch):
    monkeypatch.setattr(mounts, "file_system", lambda at: "nfs4")
    with watching(desk.bot, State.SHARED):
        pass


def test_one_bot_that_fails_keeps_no_other_from_being_watched(desk, monkeypatch):
    def refresh(bot, patience):
        raise RuntimeError(bot.pk)

    monkeypatch.setattr(watch, "refresh", refresh)
    with watching(desk.bot):
        desk.write("MEMORY.md", b"- Likes tea\n")
        time.sleep(0.3)
        assert watch.state(desk.bot) is State.WATCHED
    assert not Document.objects.exists()


@pytest.mark.parametrize(
    ("ago", "state", "walks"),
    [
        (5, None, False),
        (20, None, True),
        (20, State.WATCHED, False),
        (20, State.LIMIT, True),
        (400, State.WATCHED, True),
    ],
)
def test_a_call_walks_where_nobody_watches(desk, monkeypatch, rf, ago, state, walks):
    from memory.web.api import authentication

    walked = []
    monkeypatch.setattr(authentication.watch, "state", lambda bot: state)
    monkeypatch.setattr(authentication.index, "refresh", walked.append)
    monkeypatch.setattr(authentication, "bot_of", lambda request, slug: desk.bot)
    desk.bot.walked = timezone.now() - timedelta(seconds=ago)
    authentication.fresh_bot_of(rf.get("/"), desk.bot.slug)
    assert bool(walked) is walks
