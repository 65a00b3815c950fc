"""The secrets of a bot's memory shown for some minutes, and hidden again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from memory.models import Bot
from memory.web.base import shown_secrets
from memory.web.base.responses import back


@require_POST
def show(request: HttpRequest, bot: Bot) -> HttpResponse:
    shown_secrets.show(request, bot)
    return back(request, reverse("memory:overview", args=[bot.slug]))


@require_POST
def hide(request: HttpRequest, bot: Bot) -> HttpResponse:
    shown_secrets.hide(request, bot)
    return back(request, reverse("memory:overview", args=[bot.slug]))
