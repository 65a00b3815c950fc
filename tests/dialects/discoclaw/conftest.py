from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.access import encryption
from memory.models import WebhookSecret
from tests.dialects.discoclaw.bot import memory
from tests.webhook.conftest import SECRET, Sender, fresh_tally, home as kenoweb_home

__all__ = ["fresh_tally", "kenoweb_home"]


@pytest.fixture
def there(tmp_path):
    """The memory of the bot of `data/`, beside its workspace."""
    for path, data in memory().documents.items():
        file = tmp_path / "bot" / "data" / (path[1:] if path.startswith("@") else f"memory/{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "bot" / "data" / "memory"


@pytest.fixture
def bot(db, kenoweb_home, there):
    added = registry.add(there, name="Claw")
    index.refresh(added, patience=5)
    added.refresh_from_db()
    return added


@pytest.fixture
def sender(bot, there, fresh_tally):
    WebhookSecret.objects.create(bot=bot, sealed=encryption.seal(SECRET.encode()))
    return Sender(bot, there, Client())


@pytest.fixture
def visitor(bot):
    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    return client
