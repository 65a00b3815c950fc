"""A bot with a secret and a directory, and a sender that signs."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from memory.access import encryption
from memory.models import Bot, Root, WebhookSecret

SECRET = "a-secret-for-the-tests"


@dataclass
class Sender:
    """A bot's own end of the line."""

    bot: Bot
    root: Path
    client: Client
    secret: str = SECRET
    url: str = "/webhook"

    def __post_init__(self) -> None:
        _ = get_resolver().url_patterns  # now, or each child that a test kills loads all pages

    def raw(self, body: bytes, signature: str | None = None, **headers: str) -> Any:
        if signature is None:
            signature = "sha256=" + hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        given = {"X-Webhook-Signature": signature} if signature else {}
        return self.client.post(self.url, body, content_type="application/json", headers={**given, **headers})

    def post(self, **fields: Any) -> Any:
        return self.raw(json.dumps(fields).encode())

    def turn(self, response: str, **fields: Any) -> Any:
        return self.post(**{"message": "hello", "chat_id": "7", "response": response, **fields})

    def standard(self, body: bytes, *, name: str = "msg_1", at: float | None = None, key: bytes | None = None) -> Any:
        stamp = str(int(time.time() if at is None else at))
        made = hmac.new(key or self.secret.encode(), f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
        headers = {
            "webhook-id": name,
            "webhook-timestamp": stamp,
            "webhook-signature": "v1,bm9uc2Vuc2U= v1," + base64.b64encode(made).decode(),
        }
        return self.client.post(self.url, body, content_type="application/json", headers=headers)

    def files(self) -> dict[str, str]:
        found = (path for path in self.root.rglob("*") if path.is_file() and not path.name.startswith("."))
        return {str(path.relative_to(self.root)): path.read_text() for path in found}


def make_sender(folder: Path, slug: str, secret: str) -> Sender:
    root = folder / slug / "memory"
    root.mkdir(parents=True)
    bot = Bot.objects.create(slug=slug, name=slug.title(), dialect="kenobot")
    Root.objects.create(bot=bot, name="memory", path=str(root))
    WebhookSecret.objects.create(bot=bot, sealed=encryption.seal(secret.encode()))
    return Sender(bot, root, Client(), secret)


@pytest.fixture
def sender(db: None, kenoweb_home: Path, tmp_path: Path, fresh_tally: None) -> Sender:
    return make_sender(tmp_path, "keno", SECRET)
