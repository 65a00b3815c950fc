"""A search of all bots that somebody may see: how much each one's memory holds of a few words."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import search
from memory.access.permissions import visible_bots
from memory.bots import open_bot
from memory.models import Bot
from memory.web.search.months import counted
from memory.web.search.views import address, spots_of, typed

MOST = 50  # bots that are searched at once
SECONDS = 2  # that is searched for; a bot that is not reached by then leads to its own search


@dataclass(frozen=True, slots=True)
class Found:
    """What one bot's memory holds of it, in words, and where that is listed, "" for nothing."""

    bot: Bot
    number: int
    words: str
    url: str


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    query = typed(request)
    until = time.monotonic() + SECONDS
    found = [_found(bot, query, until) for bot in visible_bots(request)[:MOST]] if query else []
    rows = sorted(filter(None, found), key=lambda row: -row.number)
    context = {"place": "bots", "query": query, "rows": rows, "lacks_word": bool(found) and not rows}
    return render(request, "memory/search/everywhere.html", context)


def _found(bot: Bot, query: str, until: float) -> Found | None:
    """None for a search that has no word to look for."""
    if time.monotonic() >= until:
        return Found(bot, 0, _("Not searched yet"), address(bot, query))
    results = search.search(bot, query, now=open_bot(bot).now(), limit=0)
    if results.query.is_empty:
        return None
    spots = spots_of(results)
    number = spots.counts.total()
    if not number:
        return Found(bot, 0, _("No results"), "")
    return Found(bot, number, counted(number, spots.cut), address(bot, query))
