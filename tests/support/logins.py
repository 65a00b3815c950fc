"""What a test pays for somebody who is logged in: one row, where Django writes three, removes one and asks twice for a free key."""

from __future__ import annotations

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.http import HttpRequest
from django.test import Client
from django.utils.crypto import get_random_string

from memory.access.sessions import SessionStore
from memory.apps import note_login

_login = Client._login


def log_in(client: Client, user: AbstractBaseUser, backend: str | None = None) -> None:
    """What `Client.force_login` does, for a client that has no session yet. Nobody counts it as a login: no failures before it are
    forgiven, and it is nobody's last."""
    if client.cookies or not backend:
        _login(client, user, backend)
        return
    request = HttpRequest()
    request.session = session = SessionStore(get_random_string(32, VALID_KEY_CHARS))
    session._session_cache = {  # nothing is to be looked for under a new key
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    note_login(request)
    session.save(must_create=True)
    client._set_login_cookies(request)
