"""The entries of a database: all of them in one table, by kind, by whose they are and by their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.views.decorators.http import require_safe

from memory import bots, library
from memory.dialects.nanobot import entries as rows_of
from memory.dialects.nanobot import layout, lines, scopes
from memory.dialects.nanobot.entries import Entry
from memory.models import Bot, Document, Fact
from memory.templatetags.desk import addresses
from memory.text.keep import keepable
from memory.vault import Unreadable
from memory.views.access import bot_or_404
from memory.views.names import names_of

AT_ONCE = 50
LONGEST_QUERY = 200
KINDS: Mapping[str, Promise] = {
    "preference": later("Preference"),
    "decision": later("Decision"),
    "fact": later("Fact"),
    "episodic": later("Episode"),
}
WHOSE: Mapping[str, Promise] = {
    scopes.CHAT: later("Of chats"),
    scopes.USER: later("Of users"),
    scopes.GLOBAL: later("Of the workspace"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as a row of the table. `expired`: it is past its time, and not recalled any more."""

    url: str
    text: str
    kind: Promise | str
    whose: str
    whose_url: str
    importance: str
    confidence: str
    updated: str
    expires: str
    expired: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What the table is narrowed to; "" for all."""

    kind: str
    whose: str
    query: str


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    if layout.DATABASE not in bot.directories:
        raise Http404("This bot keeps no database of entries.")
    asked = _asked(request)
    page = Paginator(_facts(bot, asked), AT_ONCE).get_page(request.GET.get("page"))
    context = {"bot": bot, "place": "entries", "asked": asked, "page": page, "listed": _lines(bot, page)}
    return render(request, "memory/entries.html", context | {"kinds": KINDS, "whose": WHOSE})


def _asked(request: HttpRequest) -> Asked:
    kind, whose = request.GET.get("kind", ""), request.GET.get("whose", "")
    query = keepable(request.GET.get("q", "")).strip()[:LONGEST_QUERY]
    return Asked(kind if kind in KINDS else "", whose if whose in WHOSE else "", query)


def _facts(bot: Bot, asked: Asked) -> QuerySet[Fact]:
    """The facts that are entries, those of documents written last before others, the newest of each first."""
    documents = Document.objects.filter(bot=bot, kind="long-term", path__startswith=f"@{layout.DATABASE}/")
    if asked.whose == scopes.GLOBAL:
        documents = documents.filter(scope=scopes.GLOBAL)
    elif asked.whose:
        user = documents.filter(scope__contains=f":{scopes.USER}:")
        documents = user if asked.whose == scopes.USER else documents.exclude(scope=scopes.GLOBAL).exclude(pk__in=user)
    found = Fact.objects.filter(bot=bot, document__in=documents).select_related("document")
    if asked.kind:
        found = found.filter(heading=asked.kind)
    if asked.query:
        found = found.filter(text__icontains=asked.query)
    return found.order_by("-document__mtime_ns", "document_id", "-ordinal")


def _lines(bot: Bot, page: Page[Fact]) -> Sequence[Line]:
    facts = list(page)
    known, now = _known(bot, {fact.document.path for fact in facts}), bots.now(bot)
    names = names_of(bot, {fact.document.scope for fact in facts})
    url_of = addresses("facts", bot)
    instant = lines.instant(now)
    found = []
    for fact in facts:
        path, scope = fact.document.path, fact.document.scope
        entry = known.get((path, fact.key, fact.nth))
        found.append(
            Line(
                url=f"{url_of(path)}?line={fact.line}",
                text=fact.text,
                kind=KINDS.get(fact.heading, fact.heading),
                whose=names.get(scope, scope),
                whose_url=url_of(path),
                importance=f"{entry.importance:.2f}" if entry else "",
                confidence=f"{entry.confidence:.2f}" if entry else "",
                updated=_day(entry.updated) if entry else "",
                expires=(_day(entry.expires) or _("never")) if entry else "",
                expired=entry is not None and entry.is_expired(instant),
            )
        )
    return found


def _known(bot: Bot, paths: Iterable[str]) -> dict[tuple[str, str, int], Entry]:
    """The entries of some documents as the database has them now, by (path, key, nth)."""
    memory = library.BotMemory(bot, paths)
    found: dict[tuple[str, str, int], Entry] = {}
    for path in memory.paths():
        try:
            data = memory.read(path) or b""
        except Unreadable:
            continue
        found |= {(path, one.fact.key, one.fact.nth): one for one in rows_of.entries(path, data)}
    return found


def _day(at: str) -> str:
    try:
        return date_format(datetime.fromisoformat(at), "SHORT_DATE_FORMAT")
    except ValueError:
        return at
