"""The facts of one document as rows, to be searched, mended and added to."""

from __future__ import annotations

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.curation import pins
from memory.domain.places import Kind
from memory.models import Bot, Document, Fact
from memory.text.storable import keepable
from memory.web.base.addresses import address
from memory.web.base.chat_frame import around
from memory.web.base.fact_rows import (
    FactRow,
    asked_for,
    asked_whole,
    at_row,
    find_row,
    has_folded,
    row_id,
    rows,
    status_words,
)
from memory.web.base.pages import Counted
from memory.web.chats.authors import sources
from memory.web.documents.editor_state import title
from memory.web.documents.vanished import vanished

AT_ONCE = 50
LONGEST_QUERY = 200


@require_safe
def facts(request: HttpRequest, bot: Bot, path: str) -> HttpResponse:
    place = open_bot(bot).dialect.describe(path)
    if place is None:
        raise Http404("This bot has no document of that name.")
    if (line := request.GET.get("line", "")).isdecimal() and (url := _row_url(bot, path, int(line[:9]))):
        return HttpResponseRedirect(url)
    query = keepable(request.GET.get("q", "")).strip()[:LONGEST_QUERY]
    at = asked_for(request)
    number = _page_of(bot, path, at) if at and not query else request.GET.get("page")
    document, error = _looked_at(bot, path)
    page = _in_pages(document, query).get_page(number)
    listed = _rows(request, bot, document, page, query) if document else []
    context = {
        "bot": bot,
        "tab": "facts",
        "path": path,
        "title": title(bot, path),
        "document": document,
        "error": error,
        "page": page,
        "rows": listed,
        "query": query,
        "takes": place.kind is Kind.LONG_TERM or (place.kind is Kind.DAILY and place.day == open_bot(bot).today()),
        "whole": asked_whole(request),
        "has_folded": has_folded(listed),
        "timed": any(row.time for row in listed),
        "gone": vanished(bot, path, request.user) if document is None and not error else None,
        **around(bot, path),
    }
    return render(request, "memory/documents/facts.html", context)


def _row_url(bot: Bot, path: str, line: int) -> str:
    """Where the fact is listed that stands in this line, "" if there is none."""
    fact = Fact.objects.filter(bot=bot, document__path=path, line__lte=line, end_line__gte=line).first()
    if fact is None:
        return ""
    return address("facts", bot, path) + at_row(row_id(fact.document_id, fact.key, fact.nth))


def _page_of(bot: Bot, path: str, row: str) -> str | None:
    """The page that a row is on, None where there is no such row."""
    there = Fact.objects.filter(bot=bot, document__path=path)
    fact = find_row(there, row)
    return str(there.filter(ordinal__lt=fact.ordinal).count() // AT_ONCE + 1) if fact else None


def _rows(request: HttpRequest, bot: Bot, document: Document, page: Page[Fact], query: str) -> list[FactRow]:
    """The facts of a page as rows."""
    documents = {document.pk: document}
    return rows(
        bot,
        page,
        documents,
        sources=sources(bot, list(page), documents, request.user.pk),
        query=query,
        lines=True,
        statuses=status_words(bot, [fact.pk for fact in page]),
        pinned=pins.keys(bot),
        at=asked_for(request),
    )


def _looked_at(bot: Bot, path: str) -> tuple[Document | None, str]:
    """A document in step with its file, and why that cannot be read, "" if it can."""
    row = Document.objects.filter(bot=bot, path=path).first()
    errors, changed = index.look_over(bot, {path: row} if row else {}, [path])
    if changed:
        row = Document.objects.filter(bot=bot, path=path).first()
    return row, errors.get(path, "")


def _in_pages(document: Document | None, query: str) -> Counted:
    """A document's facts; how many there are its row knows."""
    if document is None:
        return Counted(Fact.objects.none(), AT_ONCE, 0)
    found = Fact.objects.filter(bot=document.bot_id, document=document).order_by("ordinal")
    if query:
        return Counted(found.filter(text__icontains=query), AT_ONCE)
    return Counted(found, AT_ONCE, document.facts_count)
