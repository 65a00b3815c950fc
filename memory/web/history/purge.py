"""A text that leaked, purged by an operator: what was found, then the files, then everything that is kept."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import journal
from memory.access.permissions import operators_only
from memory.curation import purge as purging
from memory.domain.errors import Refusal, VaultError
from memory.models import Bot
from memory.web.base.authors import author
from memory.web.base.responses import by
from memory.web.base.translation import translate

PURGES = 20


@operators_only
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    """`act` is `files` or `purge`; without it the text is only looked for."""
    text, act = request.POST.get("text", "").strip(), request.POST.get("act", "")
    if request.method != "POST":
        return _page(request, bot)
    try:
        if act == "purge" and request.POST.get("slug") != bot.slug:
            wrong = _("Nothing was purged. Type %(slug)s to confirm.") % {"slug": bot.slug}
            return _page(request, bot, text, wrong=wrong, status=422)
        problem = _take_out(request, bot, text) if act == "files" else ""
        if act == "purge":
            return _purge(request, bot, text)
        return _page(request, bot, text, problem=problem, status=409 if problem else 200)
    except (Refusal, VaultError, journal.Busy) as error:
        return _page(request, bot, text, problem=translate(str(error)), status=422, looks=False)


def _take_out(request: HttpRequest, bot: Bot, text: str) -> str:
    outcome = purging.take_out(bot, text, by(request))
    if isinstance(outcome, journal.Conflict):
        return translate(outcome.reason)
    messages.success(request, _("Removed from the bot’s files"))
    return ""


def _purge(request: HttpRequest, bot: Bot, text: str) -> HttpResponse:
    done = purging.purge(bot, text, by(request))
    messages.success(request, " ".join(filter(None, [_("Purged for good."), translate(done.left)])))
    return redirect("memory:purge", bot.slug)


def _page(
    request: HttpRequest,
    bot: Bot,
    text: str = "",
    *,
    problem: str = "",
    wrong: str = "",
    status: int = 200,
    looks: bool = True,
) -> HttpResponse:
    found = purging.find(bot, text) if text and looks else None
    context = {
        "bot": bot,
        "place": "history",
        "text": text,
        "found": found,
        "places": _places(found.places) if found else [],
        "problem": problem,
        "wrong": wrong,
        "purges": [
            (one, author(one.by, one.user_id, request.user.pk), _places(one.counts))
            for one in bot.purges.all()[:PURGES]
        ],
    }
    return render(request, "memory/history/purge.html", context, status=status)


def _places(counts: dict[str, int]) -> list[tuple[str, int]]:
    return [(translate(place), count) for place, count in counts.items()]
