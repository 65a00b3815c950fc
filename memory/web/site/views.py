"""The pages of no bot: the front door, and what machines ask for."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from memory import bots
from memory.storage import database


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The first bot whose files were ever there; one that the environment names may not be."""
    bot = bots.present().exclude(walked=None).first() or bots.default_bot()
    return redirect("memory:overview", bot.slug) if bot else render(request, "memory/site/no_bot.html")


@login_not_required
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    if database.is_lost():
        return JsonResponse({"status": "error", "error": "the database was removed or replaced"}, status=503)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"status": "error", "error": "the database does not answer"}, status=503)
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@login_not_required
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("memory/favicon.svg"))
