"""The documents that have no page of their own: what each is, what cannot be read, and where all the others are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from memory.dialects.base import Kind, Tier
from memory.models import Bot, Document
from memory.templatetags.desk import address, shown, written
from memory.text.keep import keepable
from memory.views.access import bot_or_404
from memory.views.desk import LONG_TERM
from memory.views.measure import grouped, kilobytes
from memory.views.said import said

AT_ONCE = 50
ELSEWHERE = (Kind.DAILY, Kind.WORKING, Kind.TRANSCRIPT)  # kinds that have pages of their own
WHAT = {
    Kind.LONG_TERM: gettext_lazy("What the bot remembers in every chat. Compaction moves old notes here."),
    Kind.DAILY: gettext_lazy("What was noted on one day."),
    Kind.WORKING: gettext_lazy("What one session is busy with."),
    Kind.CONTEXT: gettext_lazy("What a chat is about, for the bot to read before it answers there."),
    Kind.PATTERNS: gettext_lazy(
        "What the bot has learned to do when something comes up. It is JSON, and has to stay JSON."
    ),
    Kind.IDENTITY: gettext_lazy("Who the bot is, and how it speaks."),
    Kind.TRANSCRIPT: gettext_lazy("What was said in one chat, word for word. The bot alone writes it."),
}
_COUNTS = """
SELECT
    (SELECT COUNT(*) FROM memory_day WHERE bot_id = %(bot)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s),
    (SELECT COUNT(*) FROM memory_document WHERE bot_id = %(bot)s AND kind = 'working'),
    (SELECT COUNT(*) FROM memory_document WHERE bot_id = %(bot)s AND kind = 'transcript')
"""


@dataclass(frozen=True, slots=True)
class Paper:
    """A document in a list. `url` is "" where its name cannot stand in an address, `facts` "" where it has none."""

    path: str
    url: str
    what: str
    size: str
    written: str
    facts: str = ""
    facts_url: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Documents that have a page of their own, in a line."""

    name: str
    number: str
    url: str
    tier: str


@require_safe
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    query = keepable(request.GET.get("q", "").strip())
    rows = Document.objects.filter(bot=bot).order_by("path")
    if query:
        rows = rows.filter(path__icontains=query)
    else:
        kept = [kind for kind in Kind if kind not in ELSEWHERE]
        rows = rows.filter(tier=Tier.GLOBAL, scope="", kind__in=kept, error="")
    page = Paginator(rows, AT_ONCE).get_page(request.GET.get("page"))
    context: dict[str, object] = {
        "bot": bot,
        "place": "documents",
        "query": query,
        "page": page,
        "papers": [_paper(bot, row) for row in page.object_list],
    }
    if not query:
        context |= _around(bot, page.number == 1)
    return render(request, "memory/documents.html", context)


def _around(bot: Bot, first: bool) -> dict[str, object]:
    """What stands above and below the bot's own documents: those that cannot be read, and the ways to all the others."""
    broken = list(Document.objects.filter(bot=bot).exclude(error="").order_by("path")[: AT_ONCE + 1]) if first else []
    return {
        "broken": [_paper(bot, row) for row in broken[:AT_ONCE]],
        "more_broken": len(broken) > AT_ONCE,
        "elsewhere": list(_elsewhere(bot)) if first else [],
        "others": _others(bot.others),
        "missing": first and not Document.objects.filter(bot=bot, path=LONG_TERM).exists(),
    }


def _paper(bot: Bot, row: Document) -> Paper:
    facts = ngettext("%(number)s fact", "%(number)s facts", row.facts_count) % {"number": grouped(row.facts_count)}
    return Paper(
        path=shown(row.path),
        url=address("document", bot, row.path),
        what=str(WHAT.get(Kind(row.kind), "")),
        size=kilobytes(row.size),
        written=written(row.mtime_ns),
        facts=facts if row.facts_count else "",
        facts_url=address("facts", bot, row.path) if row.facts_count else "",
        error=said(row.error),
    )


def _elsewhere(bot: Bot) -> Iterator[Elsewhere]:
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, {"bot": bot.pk})
        days, chats, working, transcripts = cursor.fetchone()
    places: Sequence[tuple[str, int, str, str]] = (
        (_("Days"), days, "days", Tier.GLOBAL),
        (_("Chats"), chats, "chats", Tier.CHAT),
        (_("Working memory"), working, "working", Tier.WORKING),
        (_("Transcripts, each with its chat"), transcripts, "chats", Tier.CHAT),
    )
    for name, number, place, tier in places:
        yield Elsewhere(name, grouped(number), reverse(f"memory:{place}", args=[bot.slug]), tier)


def _others(number: int) -> str:
    """What is said of files that mean nothing to the bot; "" if there are none."""
    if not number:
        return ""
    words = ngettext(
        "%(number)s other file in its directories means nothing to this bot. It was counted, not opened.",
        "%(number)s other files in its directories mean nothing to this bot. They were counted, not opened.",
        number,
    )
    return words % {"number": grouped(number)}
