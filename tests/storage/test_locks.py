"""Locks between processes."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from memory.storage import locks


@pytest.fixture(autouse=True)
def place(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path


def test_who_only_tries_is_told_at_once_and_who_waits_gets_it():
    got = threading.Event()

    def wait() -> None:
        with locks.lock("one", patience=60):
            got.set()

    with locks.lock("one"), locks.lock("another"):
        with pytest.raises(locks.Timeout), locks.lock("one", patience=0):
            pass
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not got.wait(0.05)
    waiting.join()
    assert got.is_set()


def test_a_lock_is_given_back_though_a_child_that_was_forked_meanwhile_lives_on():
    with locks.lock("one"):
        child = os.fork()
        if not child:
            signal.pause()
    try:
        with locks.lock("one", patience=0):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
