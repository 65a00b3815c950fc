"""Kenoweb as Django starts it."""

from __future__ import annotations

import gc
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db import connection, transaction
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, post_save
from django.http import HttpRequest
from django.utils import timezone

GARBAGE = 20_000  # objects between two collections; a page makes more than Python's 700, and nothing is found


class MemoryConfig(AppConfig):
    """The one app: models, pages, commands."""

    name = "memory"
    verbose_name = "Kenoweb"

    def ready(self) -> None:
        gc.freeze()  # what stands by now stays: no collection looks at it
        gc.set_threshold(GARBAGE)
        gc.enable()
        from memory.storage import database  # here, for what it says needs the catalogs

        user_logged_in.connect(note_login, dispatch_uid="note_login")
        connection_created.connect(database.note_opened, dispatch_uid="note_opened")
        post_save.connect(note_number, sender="memory.ChangeSet", dispatch_uid="note_number")
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


def note_number(instance: Any, created: bool, **_rest: Any) -> None:
    """Remember a change set's number beside the database, once the database keeps it."""
    from memory.journal import change_set_numbers

    if created:
        transaction.on_commit(lambda: change_set_numbers.note(instance.pk))


def prepare_search(**_rest: Any) -> None:
    """Make what the search engine keeps beside the tables: it is the database's own, and no migration knows both."""
    from memory import search
    from memory.models import Fact

    if Fact._meta.db_table in connection.introspection.table_names():  # not where somebody has gone back to none
        search.engine().prepare()
