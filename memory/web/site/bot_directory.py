"""The directory of a bot's memory: where Kenoweb looks, and how an operator lets it look elsewhere."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import index, registry
from memory.access.permissions import operators_only
from memory.bots import open_bot
from memory.domain.errors import Refusal
from memory.journal import Busy
from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.shown_text import isolated
from memory.web.base.translation import translate
from memory.web.site.bot_candidate import BotCandidate, moving


@operators_only
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(Bot.present, slug=slug)
    wanted = keepable((request.POST or request.GET).get("path", ""))
    try:
        found = moving(bot, wanted) if wanted else None
        if found and request.method == "POST":
            return _moved(request, bot, found)
    except (Refusal, Busy) as refused:
        return _asked(request, bot, wanted, problem=translate(str(refused)))
    return _asked(request, bot, wanted, found)


def _moved(request: HttpRequest, bot: Bot, found: BotCandidate) -> HttpResponse:
    registry.move(bot, found.site.directory)
    index.refresh(Bot.objects.get(pk=bot.pk), accept_vanished=True)
    messages.success(
        request, _("%(name)s now reads %(directory)s") % {"name": bot.name, "directory": isolated(found.directory)}
    )
    return redirect("memory:overview", bot.slug)


def _asked(
    request: HttpRequest, bot: Bot, wanted: str, found: BotCandidate | None = None, problem: str = ""
) -> HttpResponse:
    context = {
        "about": bot,
        "directory": str(open_bot(bot).memory_path),
        "variable": registry.fixed_by(bot),
        "path": wanted,
        "candidate": found,
        "problem": problem,
        "place": "bots",
    }
    return render(request, "memory/site/bot_directory.html", context, status=422 if problem else 200)
