"""The documents that have no page of their own: what each is, what cannot be read, and where all the others are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.compaction import runner
from memory.domain.places import Kind, Tier
from memory.index import cached
from memory.models import Bot, Chat, Day, Document
from memory.text.ages import instant
from memory.text.storable import as_utf8, keepable
from memory.web.base.addresses import addresses
from memory.web.base.calendar import fact_count
from memory.web.base.files import MOST, FileRow, own_paths, tree
from memory.web.base.frame import closed_pages
from memory.web.base.gauges import grouped, kilobytes, number_of
from memory.web.base.pages import Counted
from memory.web.base.translation import translate
from memory.web.documents.editor_state import how_read

AT_ONCE = 50
WHAT = {
    Kind.DAILY: gettext_lazy("Facts of one day"),
    Kind.ARCHIVE: gettext_lazy("Archived by compaction. Searchable here, not read by the bot"),
    Kind.WORKING: gettext_lazy("What one chat is busy with"),
    Kind.CONTEXT: gettext_lazy("About one chat, read before the bot answers there"),
    Kind.PATTERNS: gettext_lazy("How the bot reacts to triggers. JSON only."),
    Kind.IDENTITY: gettext_lazy("Who the bot is and how it speaks"),
    Kind.TOPIC: gettext_lazy("Notes on one topic, read when the bot looks something up"),
    Kind.TEXT: gettext_lazy("Text that isn’t split into facts"),
    Kind.HISTORY: gettext_lazy("Events in order"),
    Kind.CACHE: gettext_lazy("Another tool’s index. Listed but never opened."),
    Kind.OTHER: gettext_lazy("Not a note. Listed but never opened."),
    Kind.TRANSCRIPT: gettext_lazy(
        "The messages of one chat, word for word. Written by the bot, and by Kenoweb when it answers for the bot."
    ),
}


OF_A_PAPER = ("path", "kind", "size", "mtime_ns", "facts_count", "error")
Listed = tuple[str, str, int, int, int, str]  # what OF_A_PAPER names, of one document


@require_safe
def documents(request: HttpRequest, bot: Bot) -> HttpResponse:
    query = keepable(request.GET.get("q", "").strip())
    number = request.GET.get("page")
    context: dict[str, object] = {"bot": bot, "place": "documents", "query": query}
    if query:
        page = _found(bot, query).get_page(number)
        context |= {"page": page, "files": _files(bot, page.object_list)}
    else:
        every = own_paths(bot)
        paths = Paginator(every, MOST).get_page(number)
        context |= {"page": paths, "branch": tree(_files(bot, _own(bot, list(paths))), every)}
        context |= _around(bot, paths.number == 1)
    return render(request, "memory/documents/documents.html", context)


def _found(bot: Bot, query: str) -> Counted:
    """The documents with these letters in their names. How many is counted once for each state of the index: no index of the
    database helps with that."""
    rows = Document.objects.filter(bot=bot, path__icontains=query).order_by("path")
    name = sha256(query.encode("utf-8", "surrogatepass")).hexdigest()
    total = cached.while_indexed(bot, f"named-{name}", rows.count)
    return Counted(rows.values_list(*OF_A_PAPER), AT_ONCE, total)


def _own(bot: Bot, paths: Sequence[str]) -> list[Listed]:
    """These of the bot's own documents, in this order."""
    there = {row[0]: row for row in Document.objects.filter(bot=bot, path__in=paths).values_list(*OF_A_PAPER)}
    return [there[path] for path in paths if path in there]


def _around(bot: Bot, first: bool) -> dict[str, object]:
    """What stands above and below the bot's own documents: those that cannot be read, and the ways to all the others."""
    unreadable = Document.objects.filter(bot=bot).exclude(error="").order_by("path").values_list(*OF_A_PAPER)
    broken = list(unreadable[: AT_ONCE + 1]) if first else []
    return {
        "broken": _files(bot, broken[:AT_ONCE]),
        "more_broken": len(broken) > AT_ONCE,
        "elsewhere": list(_elsewhere(bot)) if first else [],
        "others": _others(bot.others),
        "missing": first and not Document.objects.filter(bot=bot, path=open_bot(bot).long_term).exists(),
    }


def _files(bot: Bot, rows: Iterable[Listed]) -> list[FileRow]:
    """Documents as lines of a list."""
    urls, facts_urls = addresses("document", bot), addresses("facts", bot)
    what = {kind.value: str(words) for kind, words in WHAT.items()}
    long_term = open_bot(bot).long_term
    return [
        FileRow(
            path=as_utf8(path),
            url=urls(path),
            what=_long_term(bot, size) if path == long_term else what.get(kind, ""),
            size=kilobytes(size),
            written=instant(mtime_ns),
            facts=fact_count(facts) if facts else "",
            facts_url=facts_urls(path) if facts else "",
            error=translate(error),
        )
        for path, kind, size, mtime_ns, facts, error in rows
    ]


def _long_term(bot: Bot, size: int) -> str:
    """What the bot's long-term memory is for."""
    gains = _("Compaction moves old facts here.") if runner.moves_facts(bot) else ""
    return ". ".join(filter(None, (how_read(bot, size), gains)))


def _elsewhere(bot: Bot) -> Iterator[dict[str, object]]:
    """Documents that have a page of their own, each kind in a line."""
    days, chats, working, transcripts = _counts(bot)
    places: Sequence[tuple[str, int, str, str]] = (
        (_("Days"), days, "days", Tier.GLOBAL),
        (_("Chats"), chats, "chats", Tier.CHAT),
        (_("Working memory"), working, "working", Tier.WORKING),
        (_("Transcripts, one per chat"), transcripts, "chats", Tier.CHAT),
    )
    closed = closed_pages(bot.dialect, has_chats=chats > 0, has_days=days > 0)
    for name, number, place, tier in places:
        if number and place not in closed:
            yield {
                "name": name,
                "number": grouped(number),
                "url": reverse(f"memory:{place}", args=[bot.slug]),
                "tier": tier,
            }


def _counts(bot: Bot) -> tuple[int, ...]:
    """How many days, chats, working memories and transcripts there are."""
    documents = Document.objects.filter(bot=bot)
    return (
        Day.objects.filter(bot=bot).count(),
        Chat.objects.filter(bot=bot).count(),
        documents.filter(kind=Kind.WORKING).count(),
        documents.filter(kind=Kind.TRANSCRIPT).count(),
    )


def _others(number: int) -> str:
    """What is said of files that mean nothing to the bot; "" if there are none."""
    if not number:
        return ""
    return number_of(
        "%(count)s unrecognised file. It was counted but not opened.",
        "%(count)s unrecognised files. They were counted but not opened.",
        number,
    )
