"""The secrets of a bot's memory shown for some minutes, and hidden again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from memory.access.permissions import bot_or_404
from memory.web.base import shown_secrets
from memory.web.base.responses import back


@require_POST
def show(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    shown_secrets.show(request, bot)
    return back(request, reverse("memory:overview", args=[slug]))


@require_POST
def hide(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    shown_secrets.hide(request, bot)
    return back(request, reverse("memory:overview", args=[slug]))
