"""What a worker does for every bot goes on behind one for which it fails."""

from __future__ import annotations

import pytest
from django.db import OperationalError

from memory.domain.errors import VaultError
from memory.jobs.each_bot import each_bot
from memory.models import Bot


@pytest.mark.parametrize(
    "trouble", [VaultError("no access"), OSError("no disk"), OperationalError("database is locked"), ValueError("odd")]
)
def test_trouble_with_one_bot_keeps_it_from_no_other(trouble, caplog):
    bots, done = [Bot(slug=slug) for slug in ("first", "second")], []

    def act(bot):
        if bot.slug == "first":
            raise trouble
        done.append(bot.slug)

    each_bot(act, bots, "its numbers could not be kept up")
    assert done == ["second"]
    assert f"first: its numbers could not be kept up: {trouble}" in caplog.text
