"""A bot's settings."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.access.permissions import bot_or_404, may_operate
from memory.bots import open_bot
from memory.models import Bot
from memory.web.base import time_zones
from memory.web.site.bot_candidate import root_words
from memory.web.site.setting_conflicts import doubts
from memory.web.site.settings_form import SettingsForm


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    form = SettingsForm(request.POST if request.method == "POST" else None, bot=bot)
    if form.is_valid():
        form.save()
        messages.success(request, _("Settings saved"))
        return redirect("memory:settings", bot.slug)
    context = {
        "bot": bot,
        "place": "settings",
        "form": form,
        "zones": time_zones.offered(),
        "warnings": open_bot(bot).dialect.warnings(open_bot(bot).settings),
        "doubts": doubts(bot),
        "roots": _roots(bot) if may_operate(request.user) else [],
    }
    return render(request, "memory/site/settings.html", context, status=422 if form.errors else 200)


def _roots(bot: Bot) -> list[tuple[str, str]]:
    return [(root_words(name), path) for name, path in bot.directories.items()]
