"""Notes of what runs are there from the first moment on, whoever reads meanwhile."""

from __future__ import annotations

import fcntl
import threading
import time

import pytest

from memory.storage import database, running


@pytest.mark.parametrize("goes", [False, True], ids=["reads", "ends"])
def test_a_note_is_left_though_somebody_has_its_file_open_at_that_moment(settings, tmp_path, monkeypatch, goes):
    """Who reads it, or whoever left the one before and takes it away now."""
    settings.KENOWEB_HOME = tmp_path
    monkeypatch.setattr(running, "MOMENT", 30)  # however late the other thread comes to run
    with (tmp_path / "watched").open("a") as read:
        fcntl.flock(read, fcntl.LOCK_SH)
        other = threading.Timer(0.1, lambda: (goes and (tmp_path / "watched").unlink(), read.close()))
        other.start()
        with running.noted("watched", "a", "b"):
            other.join()
            assert running.said("watched") == ["a", "b"]
    assert running.said("watched") is None


def test_a_note_that_is_being_written_says_nothing_yet(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    with (tmp_path / database.IN_USE).open("a") as note:
        fcntl.flock(note, fcntl.LOCK_EX)
        assert running.said(database.IN_USE) is None
        assert not database.server_has_another()


def test_of_two_the_note_of_the_first_stands(settings, tmp_path, monkeypatch):
    settings.KENOWEB_HOME = tmp_path
    monkeypatch.setattr(running, "MOMENT", 0.1)
    with running.noted("address", "first"):
        began = time.monotonic()
        with running.noted("address", "second"):
            assert time.monotonic() - began >= 0.1
            assert running.said("address") == ["first"]
        assert running.said("address") == ["first"]
