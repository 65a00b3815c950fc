"""What happens to a bot's deliveries, as it is set."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from memory.access.permissions import bot_or_404
from memory.web.site.setting_conflicts import doubts
from memory.web.site.settings import asked, saved, with_settings

GROUPS = frozenset({"turns"})


@require_http_methods(["GET", "HEAD", "POST"])
@with_settings(GROUPS)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    form = asked(request, bot, GROUPS)
    if saved(request, form):
        return redirect("memory:webhook_settings", bot.slug)
    context = {"bot": bot, "place": "webhooks", "tab": "settings", "form": form, "doubts": doubts(bot, GROUPS)}
    return render(request, "memory/webhooks/settings.html", context, status=422 if form.errors else 200)
