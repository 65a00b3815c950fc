"""Notes of what runs are there from the first moment on, whoever reads meanwhile."""

from __future__ import annotations

import fcntl
import threading
import time

from memory.storage import running


def test_a_note_is_left_though_somebody_looks_for_it_at_that_moment(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    with (tmp_path / "watched").open("a") as read:
        fcntl.flock(read, fcntl.LOCK_SH)
        reader = threading.Timer(0.1, read.close)
        reader.start()
        with running.noted("watched", "a", "b"):
            reader.join()
            assert running.said("watched") == ["a", "b"]
    assert running.said("watched") is None


def test_of_two_the_note_of_the_first_stands(settings, tmp_path, monkeypatch):
    settings.KENOWEB_HOME = tmp_path
    monkeypatch.setattr(running, "MOMENT", 0.1)
    with running.noted("address", "first"):
        began = time.monotonic()
        with running.noted("address", "second"):
            assert time.monotonic() - began >= 0.1
            assert running.said("address") == ["first"]
        assert running.said("address") == ["first"]
