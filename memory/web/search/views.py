"""The search: what the memory says of a few words, as a page, while somebody types, and under the box of every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from memory import search
from memory.access.permissions import visible_bots
from memory.bots import open_bot
from memory.models import Bot, Document
from memory.search import Hit, Results, Spots
from memory.text.storable import as_utf8, keepable
from memory.text.words import fuzzy
from memory.text.words.query import LONGEST
from memory.text.words.terms import fold
from memory.web.base.addresses import addresses
from memory.web.base.gauges import grouped as in_thousands, number_of
from memory.web.base.responses import HtmxHttpRequest
from memory.web.search import months, suggestions
from memory.web.search.filters import DATES, asked, bare, narrowing, undated
from memory.web.search.months import MonthChart, between, counted
from memory.web.search.results import Stay, arranged, grouped, one_line, shown_hits
from memory.web.search.suggestions import Suggestion

PAGE = "memory/search/search.html"
BOX = "goto"  # the field's id; what it asks for by itself is a part, for a word that may be unfinished
AT_ONCE = 20
FORMS = 6  # of words, that are named
PLACES = 6  # documents, chats and days of that name above the hits
LONGEST_NAME = 60  # characters
NEAR_HITS, NEAR_PLACES = 5, 4  # under the box of another page


@dataclass(frozen=True, slots=True)
class Option:
    """Somewhere to go, under the box: a place by its name, or a fact by its words, with what was looked for marked."""

    url: str
    words: str
    note: str


@require_safe
def page(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    query = typed(request)
    if request.GET.keys() & {"from", "until"}:
        return redirect(address(bot, between(query, request.GET.get("from", ""), request.GET.get("until", ""))))
    typing, stays = (
        request.htmx.trigger == BOX,
        Stay.named([keepable(one) for one in request.GET.getlist("stays")]),
    )
    found = _found(bot, query, request.GET.get("page"), stays, typing=typing)
    stay_at = "&".join([address(bot, query), f"page={found['page'].number}", *(stay.address for stay in stays), ""])
    context = {"bot": bot, "place": "search", "found": found, "here": request.get_full_path(), "stay_at": stay_at}
    context["has_others"] = len(visible_bots(request)) > 1
    response = render(request, f"{PAGE}#found" if typing else PAGE, context)
    patch_vary_headers(response, ["HX-Trigger"])
    if typing:
        return replace_url(response, address(bot, query))
    return replace_url(response, request.get_full_path()) if stays and request.htmx else response


@require_safe
def near(request: HttpRequest, bot: Bot) -> HttpResponse:
    """What the box of another page offers while somebody types: the search itself, places of that name, the best facts."""
    query = typed(request)
    results = search.search(bot, query, now=open_bot(bot).now(), limit=AT_ONCE, typing=True)
    hits = _each_text_once(results.hits)[:NEAR_HITS]
    rows, _names = shown_hits(bot, hits)
    places = _places(bot, query)[:NEAR_PLACES] if query else []
    options = [Option(one.url, as_utf8(one.label), as_utf8(one.note)) for one in places]
    options += [
        Option(row.url, one_line(hit), as_utf8(row.place)) for row, hit in zip(rows, hits, strict=True) if row.url
    ]
    context = {"bot": bot, "query": query, "url": address(bot, query), "options": options}
    return render(request, "memory/search/_near.html", context)


def _each_text_once(hits: Sequence[Hit]) -> list[Hit]:
    """Those that are one by themselves: what only stands beside one needs more room to be understood than a line."""
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.marks or hit.why.alike:
            best.setdefault(hit.key, hit)
    return list(best.values())


def typed(request: HttpRequest) -> str:
    """What is looked for."""
    return keepable(request.GET.get("q", ""))[:LONGEST].strip()


def address(bot: Bot, query: str) -> str:
    """Where it is looked for in the memory of a bot."""
    return reverse("memory:search", args=[bot.slug]) + (asked(query) if query else "")


def _found(bot: Bot, query: str, number: str | None, stays: Sequence[Stay], *, typing: bool) -> dict[str, Any]:
    """What the page says of a search. `told` is how many were found, in words, `also` which other forms of its words; `fresh` only
    if there is nothing to show."""
    results, page = _paged(bot, query, number, typing=typing)
    rows, names = shown_hits(bot, arranged(bot, results.hits, stays))
    spots = spots_of(results)
    return {
        "query": query,
        "address": asked(query),
        "results": results,
        "groups": grouped(rows, addresses("document", bot)),
        "months": _months(bot, results, spots, typing=typing),
        "also": _also(results),
        "page": page,
        "told": told(results, spots),
        "heading": _heading(results, spots),
        "nowhere": _nowhere(results.nowhere),
        "places": _places(bot, query) if query and page.number == 1 else [],
        "narrow": narrowing(bot, query, names, None if results.more and not results.engine_query else spots),
        "fresh": _fresh(bot) if not rows and not results.query.is_empty else None,
    }


def spots_of(results: Results) -> Spots:
    """Where all stands that was found, also beyond what is ranked, if that can be counted."""
    if results.more and results.engine_query:
        return search.all_spots(results.engine_query)
    return Spots(search.count_spots(results.ids), results.more)


def _months(bot: Bot, results: Results, spots: Spots, *, typing: bool) -> MonthChart | None:
    """What is found in each month, also in those that the query leaves out."""
    query = results.query.text
    dates = [one for one in results.query.filters if one.wanted and one.field in DATES]
    if dates:
        spots = spots_of(search.search(bot, undated(query), now=open_bot(bot).now(), limit=0, typing=typing))
    return months.chart(query, spots, dates)


def _also(results: Results) -> str:
    """Which words of the hits are other forms of what was typed."""
    typed = {fold(one.typed) for one in results.query.terms}
    marked = {fold(hit.text[start:end]): hit.text[start:end] for hit in results.hits for start, end in hit.marks}
    others = [words for plain, words in marked.items() if plain not in typed][:FORMS]
    return _("Also matches %(words)s") % {"words": ", ".join(others)} if others else ""


def _paged(bot: Bot, query: str, number: str | None, *, typing: bool) -> tuple[Results, Page[int]]:
    """A page of what was found; the last one if there are not so many."""
    wanted = Paginator(range(search.MOST), AT_ONCE).get_page(number).number
    results = _results(bot, query, wanted, typing=typing)
    page = Paginator(range(results.found), AT_ONCE).get_page(wanted)
    if page.number != wanted:
        results = _results(bot, query, page.number, typing=typing)
    return results, page


def _results(bot: Bot, query: str, number: int, *, typing: bool) -> Results:
    first = (number - 1) * AT_ONCE
    return search.search(bot, query, now=open_bot(bot).now(), limit=AT_ONCE, offset=first, typing=typing)


def told(results: Results, spots: Spots) -> str:
    """How many were found, in words."""
    if results.query.is_empty:
        return ""
    return _with_near(counted(spots.counts.total(), spots.cut), results) if results.found else _("No results")


def _heading(results: Results, spots: Spots) -> str:
    """What was found of what."""
    if results.more:
        return told(results, spots)
    words = number_of(
        "%(count)s result for “%(query)s”",
        "%(count)s results for “%(query)s”",
        len(results.ids),
        query=as_utf8(bare(results.query.text)),
    )
    return _with_near(words, results)


def _with_near(words: str, results: Results) -> str:
    """The results in words, how many of them are shown, and how many facts because they stand beside one."""
    if results.more:
        best = {"results": words, "number": in_thousands(len(results.ids))}
        words = _("%(results)s, the best %(number)s shown") % best
    if not results.near:
        return words
    beside = number_of("%(count)s fact near them", "%(count)s facts near them", results.near)
    return _("%(results)s, and %(facts)s") % {"results": words, "facts": beside}


def _nowhere(words: Sequence[str]) -> str:
    """Which words no fact has."""
    if not words:
        return ""
    quoted = ", ".join(_("“%(word)s”") % {"word": word} for word in words)
    return ngettext("No results for %(words)s", "No results for %(words)s", len(words)) % {"words": quoted}


def _places(bot: Bot, query: str) -> list[Suggestion]:
    """Documents, chats and days that are called like that; nothing is called by a sentence or a filter."""
    if len(query) > LONGEST_NAME or ":" in query:
        return []
    found = [*suggestions.documents(bot, query), *suggestions.chats(bot, query)]
    called = fuzzy.best_matches(query, found, lambda one: (one.label, *one.names), PLACES)
    named = [one for one in called if _names_it(query, (one.label, *one.names))]
    return [*suggestions.days(bot, query), *named][:PLACES]


def _names_it(query: str, names: Sequence[str]) -> bool:
    """Whether every word of the query stands in one of the names: letters here and there are enough in the palette only."""
    words = query.casefold().split()
    return any(all(word in name.casefold() for word in words) for name in names)


def _fresh(bot: Bot) -> dict[str, int]:
    """What there is to be said of the index: documents, and those of them that cannot be read."""
    documents = Document.objects.filter(bot=bot)
    return {"documents": documents.count(), "unreadable": documents.exclude(error="").count()}
