"""The secrets that bots sign with: which are live, and making, replacing and revoking them."""

from __future__ import annotations

import base64
import hashlib
import logging
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from memory import bots
from memory.access import credentials, encryption
from memory.access.credentials import Made, Taken
from memory.models import Bot, Delivery, WebhookSecret
from memory.webhook.signatures import PREFIX

KEY_BYTES = 32
ENVIRONMENT = "WEBHOOK_SECRET"
_NUMBERED = re.compile(r"(.+) ([0-9]{1,6})", re.DOTALL)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Live:
    """A live secret: whose it is, its text, a name for it that gives nothing away, and what people call it.

    `pk` None: the environment's."""

    bot: Bot
    text: str
    name: str
    label: str = ENVIRONMENT
    pk: int | None = None


def live(slug: str | None = None) -> list[Live]:
    """The live secrets, of one bot or of all. Asked for each call, and two plain questions cost half of one that joins."""
    present = list(bots.present())
    asked = {bot.pk: bot for bot in present if slug in (None, bot.slug)}
    rows = [row for row in WebhookSecret.objects.order_by("bot_id", "pk") if row.bot_id in asked]
    for row in rows:
        row.bot = asked[row.bot_id]
    found = (secret for row in rows if row.revoked is None for secret in _live(row))
    return [*found, *_of_environment(present[0] if present else None, slug, rows)]


def make(bot: Bot, name: str) -> Made[WebhookSecret] | Taken:
    """A new secret of this name (1 to 80 characters). The environment's ends with the first one."""
    text = PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode("ascii")
    return credentials.make(bot, bot.secrets.all(), name, lambda: Made(_keep(bot, name, text), text))


def replace(bot: Bot, old: WebhookSecret | None) -> Made[WebhookSecret] | Taken:
    """A new secret beside an old one, which stays live until it is revoked. `old` None: the environment's, which is kept
    as one of the bot's own, because it would end otherwise."""
    with transaction.atomic():
        credentials.one_at_a_time(bot)
        if old is None and environment_holds(bot):
            old = _keep(bot, ENVIRONMENT, settings.WEBHOOK_SECRET)
        return make(bot, successor(old.name if old else ENVIRONMENT))


def environment_holds(bot: Bot) -> bool:
    """Whether the environment's secret is this bot's: it holds until the bot has had one of its own."""
    return bool(settings.WEBHOOK_SECRET) and bots.default_bot() == bot and not bot.secrets.exists()


def is_readable(secret: WebhookSecret) -> bool:
    """Whether the key in KENOWEB_HOME opens a secret; what it does not open signs nothing."""
    return _text(secret) is not None


def last_used(bot: Bot, secret: WebhookSecret | None) -> datetime | None:
    """When a call that a bot made was last taken with this secret (None: the environment's); trials do not count."""
    calls = Delivery.objects.filter(secret=secret, trial=False)
    if secret is None:
        calls = calls.filter(bot=bot)
    return calls.order_by("-received").values_list("received", flat=True).first()


def successor(name: str) -> str:
    """What the secret after one of this name is called: Keno, Keno 2, Keno 3."""
    found = _NUMBERED.fullmatch(name)
    stem, number = (found[1], int(found[2])) if found else (name, 1)
    ending = f" {number + 1}"
    return (stem[: 80 - len(ending)] + ending).strip()


def _keep(bot: Bot, name: str, text: str) -> WebhookSecret:
    return WebhookSecret.objects.create(bot=bot, name=name, sealed=encryption.seal(text.encode()))


def _live(row: WebhookSecret) -> Iterator[Live]:
    if (text := _text(row)) is not None:
        yield Live(row.bot, text, hashlib.sha256(bytes(row.sealed)).hexdigest()[:32], str(row), row.pk)


def _text(secret: WebhookSecret) -> str | None:
    try:
        return encryption.unseal(secret.sealed).decode("utf-8")
    except (encryption.BrokenSeal, UnicodeDecodeError) as broken:
        log.error("Secret %s of bot %s: %s", secret.pk, secret.bot_id, broken)
        return None


def _of_environment(first: Bot | None, slug: str | None, rows: Iterable[WebhookSecret]) -> Iterator[Live]:
    has_own = any(row.bot == first for row in rows)
    if settings.WEBHOOK_SECRET and first and slug in (None, first.slug) and not has_own:
        yield Live(first, settings.WEBHOOK_SECRET, "environment")
