"""A bot at a glance, the mark that says how fresh it is, and the choice of colours."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh, trigger_client_event

from memory import index
from memory.access.permissions import Visitor, bot_or_404, visible_bots
from memory.bots import open_bot
from memory.checks import findings, recall_tests
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.models import Bot, Document, Revision
from memory.search import embedding_backlog
from memory.web.base.counts import SidebarCounts, seen, sidebar_counts
from memory.web.base.responses import HtmxHttpRequest, back, post_only
from memory.web.overview.activity import lately
from memory.web.overview.attention import needs, reviewed
from memory.web.overview.growth import growth
from memory.web.overview.learned import learned
from memory.web.overview.tier_cards import cards, lead, newest_at, newest_words, sums

THEMES = ("light", "dark")
YEAR = 365 * 24 * 3600
SHOWN, SHOWN_ON_A_PHONE = 6, 3  # of what is to be reviewed
FILES, BYTES = 200, 1_000_000  # so much is read while somebody waits for the page


@require_safe
def overview(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    if bot.walked is None and (waiting := _first_look(request, bot)):
        return waiting
    if request.htmx.trigger == "reading":
        return HttpResponseClientRefresh()
    numbers = sidebar_counts(bot)
    shown = glance(bot, request.user, numbers)
    context = {
        "bot": bot,
        "place": "overview",
        "beside": numbers,
        "review": shown["review"],
        "glance": shown,
        "greets": shown["is_empty"] and visible_bots(request) == [bot] and not _had_files(bot),
        "adds": open_bot(bot).keeps(Kind.DAILY),
        "has_entries": open_bot(bot).attributes is not None,
        "family": open_bot(bot).family,
    }
    return render(request, "memory/overview/overview.html", context)


def _first_look(request: HttpRequest, bot: Bot) -> HttpResponse | None:
    """Read what is soon read. Of a large memory it is said how far it is read: the page's own step reads it, or, without script,
    who goes on to `?read`."""
    reading = None if bot.trouble else takes_long(bot)
    if reading is None or "read" in request.GET:
        index.refresh(bot)
        bot.refresh_from_db()
    if reading is None or bot.walked:
        return None
    return render(request, "memory/overview/reading.html", {"bot": bot, "place": "overview", "reading": reading})


@post_only
def step(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    index.refresh(bot, accept_vanished="vanished" in request.POST)
    bot.refresh_from_db()
    embedding_backlog.fill(bot)
    news = [findings.look(bot), recall_tests.check_due(bot)]
    if request.htmx:
        response = render(request, "memory/base/_mark.html", {"bot": bot})
        in_step = not any(news) and request.POST.get("seen") in (None, seen(bot))
        return response if in_step else trigger_client_event(response, "kenoweb:changed")
    return back(request, reverse("memory:overview", args=[bot.slug]))


@post_only
def theme(request: HttpRequest) -> HttpResponse:
    response = back(request, reverse("home"))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure())
    else:
        response.delete_cookie("theme")
    return response


@require_safe
def without_slash(request: HttpRequest, slug: str) -> HttpResponse:
    return redirect("memory:overview", bot_or_404(request, slug).slug)


def glance(bot: Bot, user: Visitor, numbers: SidebarCounts) -> dict[str, Any]:
    """Everything on the overview of a bot for one of its people, from rows; a fixed number of statements. `newest`: from when the
    newest fact is; `is_empty`: there is no document yet; `is_checked`: what needs a look is known."""
    found = sums(bot)
    wanted = needs(bot, user, found, numbers)
    return {
        "lead": lead(bot, found),
        "newest": newest_words(bot, found),
        "newest_at": newest_at(bot, found),
        "cards": cards(bot, found, numbers),
        "week": learned(bot),
        "needs": wanted,
        "review": reviewed(wanted),
        "shown": wanted[:SHOWN],
        "more": len(wanted[SHOWN:]),
        "more_on_phone": len(wanted[SHOWN_ON_A_PHONE:]),
        "growth": growth(bot, found.long_term),
        "lately": lately(bot, user),
        "is_empty": not found.documents,
        "is_checked": findings.last_look(bot) is not None,
    }


def _had_files(bot: Bot) -> bool:
    """Whether there was ever a file of it, as far as its history knows."""
    return Revision.objects.filter(bot=bot).exists()


def takes_long(bot: Bot) -> dict[str, object] | None:
    """How far the first look at a bot's memory is; None where it takes no time, or where nothing can be read."""
    try:
        sizes = [
            found.stat.size for vault in open_bot(bot).vaults.values() for found in vault.scan() if not found.error
        ]
    except VaultError:
        return None
    if len(sizes) <= FILES and sum(sizes) <= BYTES:
        return None
    return {"done": min(Document.objects.filter(bot=bot).count(), len(sizes)), "files": len(sizes)}
