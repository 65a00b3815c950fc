"""`memory context --at`: the prompt as it was, from the command line."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta

import pytest

HOUR = 3600


def test_context_at_a_moment_is_that_of_then(terminal):
    for path in terminal.root.rglob("*.md"):
        os.utime(path, (time.time() - 3 * HOUR, time.time() - 3 * HOUR))
    before = terminal.json("context", "--chat", "telegram-5")
    terminal.json("status")
    (terminal.root / "MEMORY.md").write_text("- Likes coffee\n")
    ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    then = terminal.json("context", "--chat", "telegram-5", "--at", ago)
    assert "Likes tea" in then["text"]
    assert "Likes coffee" in terminal.json("context")["text"]
    assert then["unknown"] == []
    assert "unknown" not in before


def test_context_says_what_is_not_known_of_then(terminal):
    then = terminal.json("context", "--chat", "telegram-5", "--at", "2001-01-01")
    assert {one["path"] for one in then["unknown"]} >= {"MEMORY.md", "working/telegram-5.md"}
    assert all(one["since"] for one in then["unknown"])
    assert "Likes tea" not in then["text"]


@pytest.mark.parametrize("chat", ["a/b", "..", "x\0y"])
def test_odd_session_ids_are_refused_of_then_as_of_now(terminal, chat):
    terminal.refused("context", "--chat", chat, "--at", "2026-01-01")
