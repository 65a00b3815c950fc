"""Tokens of programs: made and shown once, kept as a hash, found again by it, revoked."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import OperationalError

from memory.access import credentials
from memory.access.credentials import Made, Taken
from memory.domain.changes import By
from memory.models import ApiToken, Bot

PREFIX = "kw_"
BYTES = 32
SHOWN = 4  # last characters, by which people tell two tokens apart
NOTED = timedelta(minutes=1)  # how exactly it is kept when a token was last used: each note is a write to the database
SCOPES = tuple(ApiToken.Scope.values)  # each may do what those before it may

_FORM = re.compile(PREFIX + r"[\w-]{43}", re.ASCII)


def make(bot: Bot, name: str, scope: str, user: AbstractBaseUser | None = None) -> Made[ApiToken] | Taken:
    """A new token of this name (1 to 80 characters) that may `read`, `write` or `admin`."""
    text = PREFIX + secrets.token_urlsafe(BYTES)

    def keep() -> Made[ApiToken]:
        token = ApiToken(bot=bot, name=name, scope=scope, token_hash=_hash(text), hint=text[-SHOWN:])
        token.created_by = user  # type: ignore[assignment]  # whoever is logged in is of the model that settings name
        token.save()
        return Made(token, text)

    return credentials.make(bot, bot.api_tokens.all(), name, keep)


def find(text: str) -> ApiToken | None:
    """The live token of this text, with its bot; None if there is none, it was revoked, or its bot was removed."""
    if not _FORM.fullmatch(text):
        return None
    found = ApiToken.objects.filter(token_hash=_hash(text)).select_related("bot")  # one at most: `first` would sort
    return next((token for token in found if token.revoked is None and token.bot.removed is None), None)


def note_use(token: ApiToken, now: datetime) -> None:
    """Keep that a token was used at `now` (aware), about."""
    if token.last_used is None or now - token.last_used >= NOTED:
        with suppress(OperationalError):  # the database is busy, and this may be missed
            ApiToken.objects.filter(pk=token.pk).update(last_used=now)


def may(token: ApiToken, scope: str) -> bool:
    """Whether a token may do what `scope` stands for."""
    return SCOPES.index(token.scope) >= SCOPES.index(scope)


def by(token: ApiToken) -> By:
    """Who changes something with this token, as the history names them."""
    return By(f"API: {token.name}"[:80])


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
