"""The documents of a bot: the list, one document to read and edit, its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from memory import bots
from memory.dialects.base import Kind, Tier
from memory.models import Document
from memory.text.keep import keepable
from memory.views.access import bot_or_404
from memory.views.chat import around, transcript_url
from memory.views.desk import LONG_TERM, desk, draft_of, open_or_404, title
from memory.views.editor import PAGE

DOCUMENTS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents that belong together: a heading, an anchor, a page of them, what is said where there are none."""

    anchor: str
    name: str
    tier: str
    page: Page[Document]
    empty: str
    dated: bool = False


@require_safe
def memory(request: HttpRequest, slug: str) -> HttpResponse:
    return document(request, slug, LONG_TERM)


@require_safe
def document(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    if transcript := transcript_url(bot, path):
        return redirect(transcript)
    opened = open_or_404(bot, path)
    draft = draft_of(bot, request.user, path)
    if draft and draft.text == opened.text:
        draft.delete()
        draft = None
    if draft and "draft" in request.GET and not opened.read_only:
        shown = desk(bot, opened, draft.text, draft.base, note=f"Your draft from {title(bot, path)}")
    else:
        shown = desk(bot, opened, draft=draft)
    return render(request, PAGE, {"bot": bot, "tab": "text", "desk": shown, **around(bot, path)})


@require_safe
def raw(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    opened = open_or_404(bot, path)
    if opened.data is None:
        raise Http404("This document is not there.")
    response = HttpResponse(opened.data, content_type="application/octet-stream")
    response["Content-Disposition"] = 'attachment; filename="document"'
    return response


@require_safe
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    rows = Document.objects.filter(bot=bot)
    day = keepable(request.GET.get("day", ""))
    if day:
        rows = rows.filter(day=day)
    context = {
        "bot": bot,
        "place": "documents",
        "shelves": _shelves(request, rows),
        "broken": rows.exclude(error=""),
        "day": day,
        "others": bot.others,
        "stale": bots.stale_before(bot),
        "number": rows.count(),
    }
    return render(request, "memory/documents.html", context)


def _shelves(request: HttpRequest, rows: QuerySet[Document]) -> Sequence[Shelf]:
    """The bot's documents by tier, each shelf with pages of its own."""
    rows = rows.filter(error="")
    own = rows.filter(tier=Tier.GLOBAL)
    chats = rows.filter(tier=Tier.CHAT).exclude(kind=Kind.TRANSCRIPT)
    shelves = (
        ("global", "The bot's own", "global", own.exclude(kind=Kind.DAILY).order_by("path"), "MEMORY.md will be here."),
        ("days", "Days", "global", own.filter(kind=Kind.DAILY).order_by("-day"), "The bot makes one log for each day."),
        ("chats", "Chats", "chat", chats.order_by("scope", "-day", "path"), "Notes of single chats will be here."),
        (
            "working",
            "Working memory",
            "working",
            rows.filter(tier=Tier.WORKING).order_by("-mtime_ns"),
            "Scratchpads of sessions will be here.",
        ),
        (
            "transcripts",
            "Transcripts",
            "chat",
            rows.filter(kind=Kind.TRANSCRIPT).order_by("-mtime_ns"),
            "The bot keeps no transcripts here.",
        ),
    )
    return [
        Shelf(anchor, name, tier, _page(request, anchor, found), empty, anchor == "working")
        for anchor, name, tier, found, empty in shelves
    ]


def _page(request: HttpRequest, anchor: str, found: QuerySet[Document]) -> Page[Document]:
    return Paginator(found, DOCUMENTS_AT_ONCE).get_page(request.GET.get(anchor))
