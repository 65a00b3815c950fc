"""The addresses of the pages that only a GolemCore has."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from memory.dialects.golemcore.layout import NAME
from memory.dialects.golemcore.pages import losses, preferences, scores, sessions
from memory.web.routes import of_bot

of_golemcore = partial(of_bot, family=NAME)
urlpatterns: list[URLPattern] = [
    of_golemcore("entries/scores", scores.page, name="scores"),
    of_golemcore("entries/losses", losses.page, name="losses"),
    of_golemcore("settings/preferences", preferences.page, name="preferences"),
    of_golemcore("settings/preferences/write", preferences.write, name="preferences_write"),
    of_golemcore("sessions", sessions.page, name="kept_sessions"),
    of_golemcore("sessions/compact", sessions.compact, name="session_compact"),
    of_golemcore("sessions/clear", sessions.clear, name="session_clear"),
    of_golemcore("sessions/delete", sessions.delete, name="session_delete"),
]
