"""The notes of one chat: the entries of its daily logs, the newest day first, and what the bot keeps of it beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django.core.paginator import Page
from django.db.models import Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.checks import contradictions
from memory.curation import pins
from memory.domain.errors import Unreadable
from memory.domain.places import Kind, Tier
from memory.models import Bot, Document, Fact, Finding, Head
from memory.prompts.still_read import still_read
from memory.text.secrets import place_to_cut
from memory.text.storable import as_utf8
from memory.web.base import markdown
from memory.web.base.addresses import address, addresses
from memory.web.base.chat_frame import head_or_404
from memory.web.base.dates import near_day
from memory.web.base.fact_rows import FactRow, asked_for, asked_whole, find_row, has_folded, rows
from memory.web.base.file_links import leading
from memory.web.base.pages import Counted
from memory.web.base.shown_text import isolated
from memory.web.chats.authors import sources
from memory.web.chats.weeks import chart
from memory.web.search.filters import chat_url

AT_ONCE = 50
MOST = 1200  # characters of a file; its page has the rest
LEVEL = 4  # of headings, which stand below a box's own


@require_safe
def notes(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    try:
        return _chat(request, bot, scope)
    except Http404:
        if not _was_there(bot, scope):
            raise
        return redirect(f"{reverse('memory:history', args=[bot.slug])}?{urlencode({'q': scope})}")


def _was_there(bot: Bot, scope: str) -> bool:
    """Whether History knows a file of a chat that has none any more."""
    paths = Head.objects.filter(bot=bot, path__contains=scope).values_list("path", flat=True)
    places = map(open_bot(bot).dialect.describe, paths.iterator())
    return any(place and place.scope == scope for place in places)


def _chat(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    family = open_bot(bot).dialect
    if family.path(Kind.DAILY, scope, open_bot(bot).today()) is None:
        chat = head_or_404(bot, scope)
        if path := family.path(Kind.LONG_TERM, scope):
            return redirect("memory:facts", bot.slug, path)
        if not chat.row.notes and chat.row.transcript_size is not None:
            return redirect(f"{chat.url}/transcript")
    context = _notes(bot, scope, request)
    chat = head_or_404(bot, scope)
    context |= {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "notes", "asides": _asides(bot, scope)}
    context |= {"search_url": chat_url(bot, scope), "whole": asked_whole(request)}
    return render(request, "memory/chats/notes.html", context)


def _notes(bot: Bot, scope: str, request: HttpRequest) -> dict[str, object]:
    """A page of them as the index knows it, after a look at the logs that it shows and at today's. `errors` are logs that cannot be
    read, path and why; `add_to` is the log of today."""
    about = {"bot": bot, "tier": Tier.CHAT, "scope": scope, "kind": Kind.DAILY}
    logs = Document.objects.filter(**about)
    facts = Fact.objects.filter(**{f"document__{name}": value for name, value in about.items()})
    today = open_bot(bot).dialect.path(Kind.DAILY, scope, open_bot(bot).today()) or ""
    at = asked_for(request)
    number = _page_of(facts, at) if at else request.GET.get("page")
    page, documents = _page(bot, logs, facts, number, today)
    known = {row.path: row for row in documents.values()}
    errors, changed = index.look_over(bot, known, {*known, *[path for path in [today] if path]})
    if changed:
        page, documents = _page(bot, logs, facts, number, today)
    told = dict(logs.exclude(error="").order_by("-day").values_list("path", "error"))
    rows_of_page = _rows(bot, page, documents, request.user.pk, at)
    return {
        "rows": rows_of_page,
        "has_folded": has_folded(rows_of_page),
        "page": page,
        "errors": sorted((told | errors).items(), reverse=True),
        "add_to": today,
        "weeks": chart(bot, scope, open_bot(bot).today()) if page.number == 1 else None,
    }


def _page_of(facts: QuerySet[Fact], row: str) -> str | None:
    """The page that a row is on, None where there is no such row."""
    if (fact := find_row(facts.select_related("document"), row)) is None:
        return None
    day = fact.document.day
    before = Q(document__day__gt=day) | Q(document__day=day, ordinal__lt=fact.ordinal)
    return str(facts.filter(before).count() // AT_ONCE + 1)


def _page(
    bot: Bot, logs: QuerySet[Document], facts: QuerySet[Fact], number: str | None, today: str
) -> tuple[Page[Fact], dict[int, Document]]:
    """The facts of a page, and their documents by pk, today's log among them if there is one."""
    # Counted by their documents: of those there are fewer.
    page = Counted(
        facts.order_by("-document__day", "ordinal"), AT_ONCE, logs.aggregate(n=Sum("facts_count"))["n"] or 0
    ).get_page(number)
    wanted = {fact.document_id for fact in page.object_list}
    found = Document.objects.filter(Q(pk__in=wanted) | Q(bot=bot, path=today))
    return page, {row.pk: row for row in found}


def _rows(bot: Bot, page: Page[Fact], known: Mapping[int, Document], reader: int | None, opened: str) -> list[FactRow]:
    """Rows with their day above the first of each."""
    facts = [fact for fact in page.object_list if fact.document_id in known]  # its log may have gone meanwhile
    documents = {fact.document_id: known[fact.document_id] for fact in facts}
    known_by = sources(bot, facts, documents, reader) if facts else {}
    told = _contradicting(bot, {document.scope for document in documents.values()})
    made = rows(bot, facts, documents, sources=known_by, pinned=pins.keys(bot), statuses=told, at=opened)
    firsts = {fact.document_id: at for at, fact in reversed(list(enumerate(facts)))}
    read = still_read(bot, next(iter(documents.values())).scope) if documents else None
    paths = [documents[fact.document_id].path for fact in facts]
    if read and (at := next((at for at, path in enumerate(paths) if path not in read), 0)):
        made[at] = replace(made[at], is_cut=True)
    url_of = addresses("document", bot)
    for pk, at in firsts.items():
        made[at] = replace(
            made[at], heading=near_day(documents[pk].day, open_bot(bot).today()), heading_url=url_of(documents[pk].path)
        )
    return made


def _contradicting(bot: Bot, scopes: Collection[str]) -> dict[int, str]:
    """Of each fact of these chats that contradicts another one, by its pk, the file of that."""
    there = Finding.objects.filter(bot=bot, rule=contradictions.NAME, scope__in=scopes, gone=None, ignored=None)
    found = contradictions.matters(bot, there.values_list("key", flat=True))
    words = _("contradicts %(file)s")
    return {
        fact.pk: words % {"file": isolated(other.facts[0].path.rpartition("/")[2])}
        for matter in found
        for answer in matter.answers
        for other in [next(one for one in matter.answers if one is not answer)]
        for fact in answer.facts
    }


def _asides(bot: Bot, scope: str) -> list[dict[str, object]]:
    """The files of a chat that say something and can be read."""
    return list(_found(bot, scope))


def _found(bot: Bot, scope: str) -> Iterator[dict[str, object]]:
    """The files, laid out to be read; `cut`: not all of one."""
    memory = index.BotMemory(bot)
    titles = {
        Kind.CONTEXT: _("About this chat"),
        Kind.WORKING: _("Working memory"),
        Kind.LONG_TERM: _("Long-term memory"),
    }
    for kind, title in titles.items():
        path = open_bot(bot).dialect.path(kind, scope) or ""
        if text := _text(memory, path).strip():
            beginning = as_utf8(text[: place_to_cut(text, MOST)].strip())
            read = markdown.html(beginning, LEVEL, leading(bot, [(path, beginning)])(path))
            yield {
                "kind": kind,
                "title": title,
                "url": address("document", bot, path),
                "text": read,
                "cut": len(text) > MOST,
            }


def _text(memory: index.BotMemory, path: str) -> str:
    try:
        return ((memory.read(path) if path else None) or b"").decode(errors="replace")
    except Unreadable:
        return ""
