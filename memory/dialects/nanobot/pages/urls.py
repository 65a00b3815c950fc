"""The addresses of the pages that only a nanobot has."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from memory.dialects.nanobot.layout import NAME
from memory.dialects.nanobot.pages import counters, maintenance, mirrors, recall, sessions
from memory.web.entries.filters import ability
from memory.web.routes import of_bot

of_entries = partial(of_bot, family=NAME, guard=ability)
urlpatterns: list[URLPattern] = [
    of_entries("entries/recall", recall.page, name="recalled"),
    of_entries("entries/sessions", sessions.page, name="sessions"),
    of_entries("entries/counters", counters.page, name="counters"),
    of_entries("entries/mirrors", mirrors.page, name="mirrors"),
    of_entries("entries/mirrors/mend", mirrors.mend, name="mirrors_mend"),
    of_entries("entries/upkeep", maintenance.page, name="upkeep"),
    of_entries("entries/backfill", maintenance.backfill, name="backfill"),
    of_entries("entries/reindex", maintenance.reindex, name="reindex"),
    of_entries("entries/back", maintenance.bring_back, name="bring_back"),
    of_bot("chats/<scope:scope>/died", sessions.session, name="died", family=NAME),
]
