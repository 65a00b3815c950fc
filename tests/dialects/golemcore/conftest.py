from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.access import encryption
from memory.models import WebhookSecret
from tests.dialects.golemcore.bot import files
from tests.webhook.conftest import SECRET, Sender, fresh_tally, home as kenoweb_home

__all__ = ["fresh_tally", "kenoweb_home"]


@pytest.fixture
def there(tmp_path):
    """The workspace of the bot of `data/`."""
    root = tmp_path / "bot" / "workspace"
    for path, data in files().items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return root


@pytest.fixture
def bot(db, kenoweb_home, there):
    added = registry.add(there, name="Golem")
    added.time_zone = "Europe/Berlin"
    added.save()
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
