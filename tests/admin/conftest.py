"""An operator before the admin of a bot that has something to compact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import set_urlconf

from memory.models import Bot, Root
from tests.management.cli.conftest import FILES, fill


@pytest.fixture
def bot(db: None, tmp_path: Path, kenoweb_home: Path) -> Bot:
    root = tmp_path / "keno" / "memory"
    fill(root, FILES)
    bot = Bot.objects.create(slug="keno", name="Keno", dialect="kenobot")
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return bot


@pytest.fixture
def every_row(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The admin of every row there is. Addresses are kept by the name of their module, so nothing has to be forgotten: with
    `pytest.mark.urls` each test would work out all of them again, twice."""
    monkeypatch.setattr(settings, "ROOT_URLCONF", "tests.admin.debug_urls")
    yield
    set_urlconf(None)  # of this thread, which a request that failed leaves behind


@pytest.fixture
def root(bot: Bot) -> Path:
    return Path(bot.roots.get().path)


@pytest.fixture
def operator(client: Any, owner: Any) -> Any:
    client.force_login(owner)
    return client
