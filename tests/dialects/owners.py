"""The owner of a bot whose files its own code wrote, at a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.access import encryption
from memory.models import Bot, WebhookSecret
from tests.webhook.conftest import SECRET, Sender


@dataclass
class Owner:
    """A bot over a copy of such files, and its owner's browser."""

    bot: Bot
    root: Path
    sender: Sender
    client: Client

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file() and not path.name.startswith(".kenoweb-"))
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def page(self, address: str) -> str:
        return self.client.get(f"/{self.bot.slug}/{address}").content.decode()

    def post(self, address: str, **fields: object) -> str:
        return self.client.post(f"/{self.bot.slug}/{address}", fields, follow=True).content.decode()


def owner_of(directory: Path, name: str) -> Owner:
    """The owner of a bot that is added by its directory."""
    bot = registry.add(directory, name=name)
    index.refresh(bot)
    bot.refresh_from_db()
    return Owner(bot, directory, sender_of(bot, directory), visitor())


def sender_of(bot: Bot, directory: Path) -> Sender:
    """The bot's own end of the line."""
    WebhookSecret.objects.create(bot=bot, sealed=encryption.seal(SECRET.encode()))
    return Sender(bot, directory, Client())


def visitor() -> Client:
    """The browser of somebody who runs the desk."""
    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    return client
