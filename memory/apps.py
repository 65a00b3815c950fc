"""Kenoweb as Django starts it."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone


class MemoryConfig(AppConfig):
    """The one app: models, pages, commands."""

    name = "memory"
    verbose_name = "Kenoweb"

    def ready(self) -> None:
        user_logged_in.connect(note_login, dispatch_uid="note_login")


def note_login(request: HttpRequest, **_rest: Any) -> None:
    """Put into a new session which browser began it and when, so that people know it again among theirs."""
    from memory.sessions import AGENT, AGENT_LENGTH, STARTED  # here, for no model may be imported before the apps stand

    agent = request.headers.get("User-Agent", "")[:AGENT_LENGTH]
    request.session[AGENT] = "".join(letter for letter in agent if letter.isprintable())
    request.session[STARTED] = timezone.now().isoformat()
