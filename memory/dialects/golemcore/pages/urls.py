"""The addresses of the pages that only a GolemCore has."""

from __future__ import annotations

from django.urls import URLPattern, path

from memory.dialects.golemcore.pages import losses, preferences, scores, sessions

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/entries/scores", scores.page, name="scores"),
    path("<slug:slug>/entries/losses", losses.page, name="losses"),
    path("<slug:slug>/settings/preferences", preferences.page, name="preferences"),
    path("<slug:slug>/settings/preferences/write", preferences.write, name="preferences_write"),
    path("<slug:slug>/sessions", sessions.page, name="kept_sessions"),
    path("<slug:slug>/sessions/compact", sessions.compact, name="session_compact"),
    path("<slug:slug>/sessions/clear", sessions.clear, name="session_clear"),
    path("<slug:slug>/sessions/delete", sessions.delete, name="session_delete"),
]
