"""The notes of one chat: the entries of its daily logs, the newest day first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.core.paginator import Page
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory import bots, library
from memory.dialects.base import Kind, Tier
from memory.models import Bot, Document, Fact
from memory.templatetags.desk import address, day
from memory.views.access import bot_or_404
from memory.views.chat import head_or_404
from memory.views.counted import Counted
from memory.views.rows import Row, rows
from memory.views.sources import sources

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Notes:
    """A page of a chat's entries. `errors` are logs that cannot be read, path and why; `add_to` is the log of today."""

    rows: Sequence[Row]
    page: Page[Fact]
    errors: Sequence[tuple[str, str]]
    add_to: str


@require_safe
def notes(request: HttpRequest, slug: str, scope: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    shown = _notes(bot, scope, request.GET.get("page"))
    chat = head_or_404(bot, scope)
    context = {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "notes", "notes": shown}
    return render(request, "memory/chat.html", context)


def _notes(bot: Bot, scope: str, number: str | None) -> Notes:
    """The page as the index knows it, after a look at the logs that it shows and at today's."""
    logs = Document.objects.filter(bot=bot, tier=Tier.CHAT, scope=scope, kind=Kind.DAILY)
    today = bots.dialect(bot).path(Kind.DAILY, scope, bots.today(bot)) or ""
    page = _page(logs, number)
    paths = {fact.document.path for fact in page} | {path for path in [today] if path}
    errors = library.look_all(bot, paths)
    if Bot.objects.values_list("indexed", flat=True).get(pk=bot.pk) != bot.indexed:
        page = _page(logs, number)
    known = dict(logs.exclude(error="").order_by("-day").values_list("path", "error"))
    return Notes(_rows(bot, page), page, sorted((known | errors).items(), reverse=True), today)


def _page(logs: QuerySet[Document], number: str | None) -> Page[Fact]:
    facts = Fact.objects.filter(document__in=logs).select_related("document").order_by("-document__day", "ordinal")
    # Counted by their documents: of those there are fewer.
    return Counted(facts, AT_ONCE, logs.aggregate(n=Sum("facts_count"))["n"] or 0).get_page(number)


def _rows(bot: Bot, page: Page[Fact]) -> list[Row]:
    """Rows with their day above the first of each."""
    facts = list(page)
    documents = {fact.document_id: fact.document for fact in facts}
    made = rows(bot, facts, documents, sources=sources(bot, facts, documents) if facts else {})
    firsts = {fact.document_id: at for at, fact in reversed(list(enumerate(facts)))}
    for pk, at in firsts.items():
        made[at] = _headed(bot, made[at], documents[pk])
    return made


def _headed(bot: Bot, row: Row, log: Document) -> Row:
    return replace(row, heading=day(log.day), heading_url=address("document", bot, log.path))
