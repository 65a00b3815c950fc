"""The addresses of the pages that only a nanobot has."""

from __future__ import annotations

from django.urls import URLPattern, path

from memory.dialects.nanobot.pages import counters, maintenance, mirrors, recall, sessions
from memory.web import converters  # noqa: F401 - registered by being imported

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/entries/recall", recall.page, name="recalled"),
    path("<slug:slug>/entries/sessions", sessions.page, name="sessions"),
    path("<slug:slug>/entries/counters", counters.page, name="counters"),
    path("<slug:slug>/entries/mirrors", mirrors.page, name="mirrors"),
    path("<slug:slug>/entries/mirrors/mend", mirrors.mend, name="mirrors_mend"),
    path("<slug:slug>/entries/upkeep", maintenance.page, name="upkeep"),
    path("<slug:slug>/entries/backfill", maintenance.backfill, name="backfill"),
    path("<slug:slug>/entries/reindex", maintenance.reindex, name="reindex"),
    path("<slug:slug>/entries/back", maintenance.bring_back, name="bring_back"),
    path("<slug:slug>/chats/<scope:scope>/died", sessions.session, name="died"),
]
