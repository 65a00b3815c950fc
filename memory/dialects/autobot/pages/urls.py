"""The addresses of the pages that only an Autobot has."""

from __future__ import annotations

from django.urls import URLPattern, path

from memory.dialects.autobot.pages import consolidation, history_log, permissions
from memory.web import converters  # noqa: F401 - registered by being imported

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/entries/consolidation", consolidation.page, name="consolidation"),
    path("<slug:slug>/entries/consolidation/archive", consolidation.archive, name="block_archive"),
    path("<slug:slug>/entries/consolidation/retry", consolidation.retry, name="block_retry"),
    path("<slug:slug>/entries/consolidation/back", consolidation.put_back, name="block_back"),
    path("<slug:slug>/entries/consolidation/repair", consolidation.repair, name="session_repair"),
    path("<slug:slug>/entries/log", history_log.page, name="history_log"),
    path("<slug:slug>/entries/permissions", permissions.page, name="permissions"),
    path("<slug:slug>/entries/permissions/fix", permissions.fix, name="permissions_fix"),
]
