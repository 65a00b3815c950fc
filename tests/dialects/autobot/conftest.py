from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.access import encryption
from memory.models import WebhookSecret
from memory.webhook.refused_calls import Tally
from tests.webhook.conftest import SECRET, Sender

DATA = Path(__file__).parent / "data"
MODES = json.loads((DATA / "MODES.json").read_text())


@dataclass
class Owner:
    """A bot over a copy of the files that the bot's own code wrote, and its owner's browser."""

    bot: object
    root: Path
    sender: Sender
    client: Client

    def read(self, path):
        return (self.root / path).read_bytes()

    def files(self):
        found = (path for path in self.root.rglob("*") if path.is_file() and not path.name.startswith(".kenoweb-"))
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def page(self, address):
        return self.client.get(f"/{self.bot.slug}/{address}").content.decode()


@pytest.fixture
def directory(tmp_path):
    found = tmp_path / "machine" / "keeper"
    shutil.copytree(DATA, found)
    for name, mode in MODES.items():
        if (found / name).exists():
            (found / name).chmod(int(mode, 8))
    return found / "workspace"


@pytest.fixture
def owner(db, directory, tmp_path, settings, monkeypatch):
    settings.KENOWEB_HOME = tmp_path / "home"
    settings.KENOWEB_HOME.mkdir()
    monkeypatch.setattr("memory.webhook.view.tally", Tally())
    bot = registry.add(directory, name="Keeper")
    WebhookSecret.objects.create(bot=bot, sealed=encryption.seal(SECRET.encode()))
    index.refresh(bot)
    bot.refresh_from_db()
    client = Client()
    client.force_login(User.objects.create_superuser("ana"))
    return Owner(bot, directory, Sender(bot, directory, Client()), client)
