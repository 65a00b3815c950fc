"""An operator before the admin of a bot that has something to compact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.models import Bot, Root
from tests.management.cli.conftest import FILES, fill


@pytest.fixture
def bot(db: None, tmp_path: Path, settings: Any) -> Bot:
    settings.KENOWEB_HOME = tmp_path / "home"
    settings.KENOWEB_HOME.mkdir()
    root = tmp_path / "keno" / "memory"
    fill(root, FILES)
    bot = Bot.objects.create(slug="keno", name="Keno", dialect="kenobot")
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return bot


@pytest.fixture
def root(bot: Bot) -> Path:
    return Path(bot.roots.get().path)


@pytest.fixture
def operator(client: Any, owner: Any) -> Any:
    client.force_login(owner)
    return client
