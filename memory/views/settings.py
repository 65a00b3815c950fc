"""A bot's settings."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from memory import bots
from memory.forms import SettingsForm
from memory.views.access import bot_or_404


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    form = SettingsForm(request.POST if request.method == "POST" else None, bot=bot)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Settings saved.")
        return redirect("memory:settings", bot.slug)
    context = {
        "bot": bot,
        "place": "settings",
        "form": form,
        "zones": sorted(available_timezones()),
        "warnings": bots.dialect(bot).warnings(bots.settings(bot)),
    }
    return render(request, "memory/settings.html", context, status=422 if form.errors else 200)
