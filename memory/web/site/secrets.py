"""The secrets of a bot's memory shown for some minutes, and hidden again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from memory.models import Bot
from memory.web.base import shown_secrets
from memory.web.base.responses import back, post_only


@post_only
def show(request: HttpRequest, bot: Bot) -> HttpResponse:
    shown_secrets.show(request, bot)
    return back(request, reverse("memory:overview", args=[bot.slug]))


@post_only
def hide(request: HttpRequest, bot: Bot) -> HttpResponse:
    shown_secrets.hide(request, bot)
    return back(request, reverse("memory:overview", args=[bot.slug]))
