"""Kenoweb as Django starts it."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db import connection
from django.db.models.signals import post_migrate
from django.http import HttpRequest
from django.utils import timezone


class MemoryConfig(AppConfig):
    """The one app: models, pages, commands."""

    name = "memory"
    verbose_name = "Kenoweb"

    def ready(self) -> None:
        user_logged_in.connect(note_login, dispatch_uid="note_login")
        post_migrate.connect(prepare_search, sender=self, dispatch_uid="prepare_search")


def note_login(request: HttpRequest, **_rest: Any) -> None:
    """Put into a new session which browser began it and when, so that people know it again among theirs."""
    from memory.access.sessions import (  # here, for no model may be imported before the apps stand
        AGENT,
        AGENT_LENGTH,
        STARTED,
    )

    agent = request.headers.get("User-Agent", "")[:AGENT_LENGTH]
    request.session[AGENT] = "".join(letter for letter in agent if letter.isprintable())
    request.session[STARTED] = timezone.now().isoformat()


def prepare_search(**_rest: Any) -> None:
    """Make what the search engine keeps beside the tables: it is the database's own, and no migration knows both."""
    from memory import search
    from memory.models import Fact

    if Fact._meta.db_table in connection.introspection.table_names():  # not where somebody has gone back to none
        search.engine().prepare()
