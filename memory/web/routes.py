"""The addresses of a bot's pages, and what stands for a document, a chat and a day in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from memory.access.permissions import bot_or_404
from memory.models import Bot


class DocumentPath(StringConverter):
    """A document's path in an address: any characters, for a file's name may hold a line end too."""

    regex = r"[\s\S]+"


class DayName(StringConverter):
    """A day as files are named after it. Whether a calendar has it is not asked: 2025-13-45 may be the name of a file."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


class Scope(DocumentPath):
    """A session id in an address: any characters but a slash and NUL, which no file name has and PostgreSQL cannot hold."""

    regex = r"[^/\0]+"


register_converter(DocumentPath, "document")
register_converter(Scope, "scope")
register_converter(DayName, "day")


def of_bot(
    route: str,
    view: Callable[..., HttpResponseBase],
    name: str = "",
    family: str = "",
    guard: Callable[[Bot], object] | None = None,
) -> URLPattern:
    """An address below a bot's. Its view is given the bot, if who asks may see it, it is of this family where one is named, and
    `guard` raises no Http404."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str, **values: Any) -> HttpResponseBase:
        bot = bot_or_404(request, slug)
        if family and bot.dialect != family:
            raise Http404("Bots of another type have this page.")
        if guard is not None:
            guard(bot)
        return view(request, bot, **values)

    return path(f"<slug:slug>/{route}", shown, name=name)
