"""HISTORY.md searched as its owner would with grep, and better: by words, by days, with the lines around each hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory import index
from memory.dialects.autobot import DIALECT, layout
from memory.dialects.autobot.found import Hit, found
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.responses import bot_of_family_or_404
from memory.web.base.said import said

AT_ONCE = 50
MOST_LINES = 20  # around a hit
LONGEST = 200  # characters of what is looked for


@dataclass(frozen=True, slots=True)
class Row:
    """A hit with the address of its line."""

    hit: Hit
    url: str


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_of_family_or_404(request, slug, DIALECT.name)
    asked = {
        "q": keepable(request.GET.get("q", "")).strip()[:LONGEST],
        "from": _day(request.GET.get("from", "")),
        "until": _day(request.GET.get("until", "")),
        "around": _number(request.GET.get("around", "")),
    }
    context: dict[str, object] = {"bot": bot, "place": "history_log", "asked": asked}
    try:
        hits = _hits(bot, asked)
    except VaultError as error:
        return render(request, "autobot/history_log.html", context | {"refusal": said(str(error))})
    paged = Paginator(hits, AT_ONCE).get_page(request.GET.get("page"))
    return render(request, "autobot/history_log.html", context | {"page": paged, "rows": list(_rows(bot, list(paged)))})


def _hits(bot: Bot, asked: dict[str, str]) -> list[Hit]:
    """The newest first."""
    data = index.BotMemory(bot).read(layout.HISTORY) or b""
    hits = found(data, asked["q"], asked["from"], asked["until"], int(asked["around"] or 0))
    return sorted(hits, key=lambda hit: (hit.day, hit.time, hit.line), reverse=True)


def _rows(bot: Bot, hits: Sequence[Hit]) -> Iterator[Row]:
    url = addresses("facts", bot)(layout.HISTORY)
    return (Row(hit, f"{url}?line={hit.line}") for hit in hits)


def _day(value: str) -> str:
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        return ""


def _number(value: str) -> str:
    value = value.strip()
    return str(min(int(value), MOST_LINES)) if value.isascii() and value.isdigit() and len(value) < 4 else ""
