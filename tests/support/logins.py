"""What a test pays for somebody who is logged in: one row, where Django writes three, removes one and asks twice for a free key."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.http import HttpRequest
from django.test import Client
from django.utils.crypto import get_random_string

from memory.access.sessions import SessionStore

_login = Client._login


def log_in(client: Client, user: AbstractBaseUser, backend: str | None = None) -> None:
    """What `Client.force_login` does, for a client that has no session yet."""
    if client.cookies:
        _login(client, user, backend)
        return
    request = HttpRequest()
    request.session = session = SessionStore(get_random_string(32, VALID_KEY_CHARS))
    session._session_cache = {}  # nothing is to be looked for under a new key
    session.cycle_key = lambda: None
    login(request, user, backend)
    session.save(must_create=True)
    client._set_login_cookies(request)
