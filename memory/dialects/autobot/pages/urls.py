"""The addresses of the pages that only an Autobot has."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from memory.dialects.autobot import DIALECT
from memory.dialects.autobot.pages import consolidation, history_log, permissions
from memory.web.routes import of_bot

of_autobot = partial(of_bot, family=DIALECT.name)
urlpatterns: list[URLPattern] = [
    of_autobot("entries/consolidation", consolidation.page, name="consolidation"),
    of_autobot("entries/consolidation/archive", consolidation.archive, name="block_archive"),
    of_autobot("entries/consolidation/retry", consolidation.retry, name="block_retry"),
    of_autobot("entries/consolidation/back", consolidation.put_back, name="block_back"),
    of_autobot("entries/consolidation/repair", consolidation.repair, name="session_repair"),
    of_autobot("entries/log", history_log.page, name="history_log"),
    of_autobot("entries/permissions", permissions.page, name="permissions"),
    of_autobot("entries/permissions/fix", permissions.fix, name="permissions_fix"),
]
