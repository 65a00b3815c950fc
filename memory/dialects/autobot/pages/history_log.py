"""HISTORY.md searched as its owner would with grep, and better: by words, by days, with the lines around each hit."""

from __future__ import annotations

from dataclasses import replace

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory import index
from memory.dialects.autobot import layout
from memory.dialects.autobot.found import EntryMatch, found, with_lines
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.text.storable import as_number, keepable
from memory.text.words.days import date_of
from memory.web.base.addresses import addresses
from memory.web.base.translation import translate

AT_ONCE, AT_ONCE_WITH_MANY_LINES = 50, 15
MANY_LINES, MOST_LINES = 2, 20  # around a hit
LONGEST_ENTRY, LONGEST_LINE = 1200, 200  # characters that are shown
BEFORE = 200  # characters before the first word that was looked for, in an entry that is longer
LONGEST = 200  # characters of what is looked for


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    asked = {
        "q": keepable(request.GET.get("q", "")).strip()[:LONGEST],
        "from": str(date_of(request.GET.get("from", "").strip()) or ""),
        "until": str(date_of(request.GET.get("until", "").strip()) or ""),
        "around": _number(request.GET.get("around", "")),
    }
    context: dict[str, object] = {"bot": bot, "place": "history_log", "asked": asked}
    try:
        data = index.BotMemory(bot).read(layout.HISTORY) or b""
    except VaultError as error:
        return render(request, "autobot/history_log.html", context | {"refusal": translate(str(error))})
    around = int(asked["around"] or 0)
    at_once = AT_ONCE if around < MANY_LINES else AT_ONCE_WITH_MANY_LINES
    paged = Paginator(_hits(data, asked), at_once).get_page(request.GET.get("page"))
    shown = with_lines(data, list(paged), around)
    rows = [_row(hit, asked["q"], addresses("facts", bot)(layout.HISTORY)) for hit in shown]
    return render(request, "autobot/history_log.html", context | {"page": paged, "rows": rows})


def _hits(data: bytes, asked: dict[str, str]) -> list[EntryMatch]:
    """The newest first."""
    hits = found(data, asked["q"], asked["from"], asked["until"])
    return sorted(hits, key=lambda hit: (hit.day, hit.time, hit.line), reverse=True)


def _row(hit: EntryMatch, words: str, url: str) -> dict[str, object]:
    """A hit as it is shown, with the address of its line. `is_cut`: the entry goes on."""
    text = _around_words(hit.text, words)
    shown = replace(hit, text=text, before=_shortened(hit.before), behind=_shortened(hit.behind))
    return {"hit": shown, "url": f"{url}?line={hit.line}", "is_cut": len(text) < len(hit.text)}


def _around_words(text: str, words: str) -> str:
    """As much of an entry as is shown: from its beginning, or from shortly before the first of the words."""
    if len(text) <= LONGEST_ENTRY:
        return text
    folded = text.casefold()
    first = min((folded.find(word) for word in words.casefold().split()), default=0)
    start = first - BEFORE if first + BEFORE > LONGEST_ENTRY else 0
    return f"{'…' if start else ''}{text[start : start + LONGEST_ENTRY]}…"


def _shortened(lines: str) -> str:
    return "\n".join(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in lines.split("\n"))


def _number(value: str) -> str:
    found = as_number(value.strip(), 3)
    return "" if found is None else str(min(found, MOST_LINES))
