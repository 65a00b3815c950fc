"""Facts as rows: what `base/_facts.html` shows of each, and how a form names one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.fact_ref import FactRef
from memory.domain.places import LOGS, Kind
from memory.index.attributes import unusual
from memory.models import Bot, Document, Fact
from memory.text.markdown.lead import LONGEST_FIRST, lead, without_title
from memory.text.markdown.stamps import text_below_day
from memory.text.secrets import place_to_cut
from memory.web.base import markdown
from memory.web.base.addresses import addresses
from memory.web.base.file_links import leading
from memory.web.base.gauges import number_of
from memory.web.base.markdown import Laid
from memory.web.base.marks import IN_A_ROW, rendered
from memory.web.base.translation import translate

MOST_SHOWN = 700  # characters of one fact in a list; the rest is a link away
MOST_LINES = 12
ROOM = 164_000  # bytes of HTML that a page is thought to have for its rows
# Bytes of a row, and of what can be done to it, and how often its name stands in either.
_ROW, _DEEDS, _NAMES = 570, 250, 3
_WHOLE = 140  # bytes of its fold and of the link to all of its text, which names it once
AT_SIGHT = 20 * 1024  # characters of a fact that its row holds whole; the text of a longer one comes when it is opened
BEGINNING = 24  # characters that are shown of a text for which a page has no room, so that even 150 of signs fit
BEFORE_A_HIT = 200  # characters that are shown before a word that was searched for

_ROW_ID = re.compile(r"([0-9]{1,18})-([0-9a-f]{16})-([0-9]{1,9})")
_NAME = re.compile(r"([0-9a-f]{32}):([0-9]{1,9}):(\S+)")


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact in a list. Everything is said already: the template computes nothing.

    `id` is unique on a page, `name` means the fact in forms and addresses (`named`, `wanted`). `text` is plain, or safe: a line
    that is laid out, or with the words searched for marked; `cut`: so many characters more. What is "" or False is not shown.
    """

    id: str
    name: str
    text: str
    title: str = ""  # of a text that is folded under it and what it says `first`
    first: str = ""
    time: str = ""  # HH:MM
    cost: str = ""  # "12 tokens"
    place: str = ""  # where it stands, such as "line 4", with `url` where its document is
    url: str = ""
    tier: str = ""  # global, chat, working: the dot before `where`
    where: str = ""  # whose it is, such as "Family"
    source: str = ""  # who wrote it, as far as known
    status: str = ""  # its word, where the bot reads it otherwise than most
    cut: int = 0
    editable: bool = True
    promotes: bool = False  # it may go into long-term memory
    pinned: bool = False
    # others like it that are folded away, such as "42 like this, 09:00 to 13:20"; `more_url` unfolds them
    more: str = ""
    more_url: str = ""
    heading: str = ""  # what stands above this row and those after it, such as a day, with `heading_url` where it leads
    heading_url: str = ""
    is_cut: bool = False  # from it on none is in the prompt any more
    opened: bool = False  # the address names it
    read: Laid | None = None  # its whole text, laid out, where it is opened and not too long
    comes_later: bool = False  # its text, and what can be done to it, are asked for when it is opened


def fact_name(path: str, key: str, nth: int) -> str:
    """A fact's name in forms and addresses: letters that neither changes, for a path may hold line ends and signs."""
    return f"{key}:{nth}:{_plain(path)}"


def fact_ref(name: str) -> FactRef | None:
    """The fact that a name means; None if it is no name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    path = unquote(found[3].replace("~", "%"), errors="surrogateescape")
    return FactRef(path, found[1], int(found[2]))


def rows(
    bot: Bot,
    facts: Iterable[Fact],
    documents: Mapping[int, Document],
    *,
    sources: Mapping[FactRef, str] | None = None,
    whose: Mapping[str, str] | None = None,
    query: str = "",
    lines: bool = False,
    files: Mapping[int, str] | None = None,
    statuses: Mapping[int, str] | None = None,
    pinned: Collection[str] = (),
    day: str = "",
    at: str = "",
) -> list[FactRow]:
    """Rows of some facts, without a statement but for the files that their links name. `documents` by their pk, `sources` say who
    wrote a fact, `whose` what people call a scope (given, rows show it), `query` what to mark in the texts; `lines` shows where
    in its document a fact stands. `pinned` are the keys of what is. `files` says of documents by their pk which file it is,
    where whose it is does not tell; `statuses`: `status_words`. `day` is
    the one above them all, where their documents are of none. `at` is the id of the row that is opened with all of its text.
    """
    facts = list(facts)
    leads = leading(bot, ((documents[fact.document_id].path, fact.text) for fact in facts))
    url_of = addresses("document", bot)
    shared = {pk: _shared_by_rows(bot, document, whose, url_of) for pk, document in documents.items()}
    files, statuses = files or {}, statuses or {}
    words = _("line %(line)s"), _("lines %(first)s–%(last)s")
    costs: dict[int, str] = {}
    found = []
    for fact in facts:
        path, name, url, tier, where, editable, promotes = shared[fact.document_id]
        if fact.tokens not in costs:
            costs[fact.tokens] = cost(fact.tokens)
        whole = fact.text if query else text_below_day(fact.text, documents[fact.document_id].day or day, fact.time)
        text, cut = excerpt(whole, query, leads(path))
        title, first = ("", "") if query else lead(whole)
        id_ = row_id(fact.document_id, fact.key, fact.nth)
        found.append(
            FactRow(
                id=id_,
                name=f"{fact.key}:{fact.nth}:{name}",
                text=text if query or title else markdown.line(text, leads=leads(path)),
                title=title,
                first=first,
                time=fact.time,
                cost=costs[fact.tokens],
                place=_lines(fact, *words) if lines else files.get(fact.document_id, ""),
                url=url,
                tier=tier,
                where=where,
                source=sources.get(FactRef(path, fact.key, fact.nth), "") if sources else "",
                status=statuses.get(fact.pk, ""),
                cut=cut,
                editable=editable,
                promotes=promotes,
                pinned=fact.key in pinned,
                opened=id_ == at,
                read=lay_out(whole, leads(path)) if id_ == at and len(fact.text) <= AT_SIGHT else None,
            )
        )
    return _with_room(found, (fact.text for fact in facts), ROOM)


def fitting(sizes: Sequence[int], path: str) -> int:
    """How many rows a page has room for that show texts of these sizes, of documents of about this path."""
    row = _ROW + _DEEDS + 2 * _NAMES * len(fact_name(path, "0" * 32, 0))
    texts = sum(min(size, MOST_SHOWN) + min(size // 8, LONGEST_FIRST) for size in sizes)
    return ROOM // (row + texts // max(1, len(sizes)))


def _with_room(rows: Sequence[FactRow], texts: Iterable[str], room: int) -> list[FactRow]:
    """The rows, and of those that hold more than their beginning as many with their text as a page has room for; that of the
    others comes when they are opened."""
    sizes = list(map(_bytes, rows))
    if sum(sizes) <= room:
        return list(rows)
    shut = [
        _shut(row, row.title, row.first) if row.title else _beginning(row, text)
        for row, text in zip(rows, texts, strict=True)
    ]
    least = list(map(_bytes, shut))
    if sum(least) > room:
        shut = [_beginning(row, row.title) if row.title else row for row in shut]
        least = list(map(_bytes, shut))
    room -= sum(least)
    found = []
    for row, size, begun, smaller in zip(rows, sizes, shut, least, strict=True):
        room -= size - smaller
        found.append(row if room >= 0 or row.opened else begun)
    return found


def _beginning(row: FactRow, text: str) -> FactRow:
    """A row as its first letters, which hold no part of a secret; what weighs no more stays as it is."""
    begun = _shut(row, f"{text[: place_to_cut(text, BEGINNING)]}…", "") if len(text) > BEGINNING else row
    return begun if _bytes(begun) < _bytes(row) else row


def _shut(row: FactRow, title: str, first: str) -> FactRow:
    """A row that is folded, without its text."""
    return row if row.opened else replace(row, title=title, first=first, text="", cut=0, comes_later=True)


def _bytes(row: FactRow) -> int:
    """How much a row weighs as HTML; its title names its hour, too."""
    said = [row.title, row.title, row.first, row.text, row.where, row.place, row.source, row.status]
    read = [row.read.html, row.read.rest] if row.read else []
    deeds = 0 if row.comes_later else _DEEDS + _NAMES * len(row.name)
    deeds -= 0 if row.title or row.cut else _WHOLE + len(row.name)
    html = "".join(map(conditional_escape, said + read))
    return _ROW + _NAMES * len(row.name) + deeds + len(html.encode("utf-8", "replace"))


def status_words(bot: Bot, facts: Sequence[int]) -> dict[int, str]:
    """The status of each of some facts, by their pk, where it is not the usual one, in the reader's language."""
    known = open_bot(bot).attributes
    return (
        {pk: translate(known.statuses.get(status, status)) for pk, status in unusual(bot, facts).items()}
        if known
        else {}
    )


def lay_out(text: str, leads: markdown.Leads) -> Laid:
    """A text that lists fold, laid out as it is read below its title; nothing of a single line."""
    title, _first = lead(text)
    return markdown.laid_out(without_title(text, title), IN_A_ROW, leads) if title else Laid(SafeString())


def row_id(document: int, key: str, nth: int) -> str:
    """What a fact's row is called on a page."""
    return f"{document}-{key[:16]}-{nth}"


def at_row(row: str) -> str:
    """What an address of a list has at its end that opens one of its rows, on whichever page that is."""
    return f"?at={row}#f-{row}"


def asked_for(request: HttpRequest) -> str:
    """The row that an address opens; "" for none, and once somebody turned the page."""
    return "" if "page" in request.GET else request.GET.get("at", "")


def asked_whole(request: HttpRequest) -> bool:
    """Whether an address asks for all rows of a list unfolded."""
    return request.GET.get("open", "") in ("1", "all")


def has_folded(rows: Iterable[FactRow]) -> bool:
    """Whether any row holds more than it shows."""
    return any(row.title or row.more for row in rows)


def find_row(facts: QuerySet[Fact], row: str) -> Fact | None:
    """The fact of some whose row has this id."""
    found = _ROW_ID.fullmatch(row)
    return facts.filter(document=int(found[1]), key__startswith=found[2], nth=int(found[3])).first() if found else None


def cost(tokens: int) -> str:
    """`12 tokens`."""
    return number_of("%(count)s token", "%(count)s tokens", tokens)


def excerpt(text: str, query: str = "", leads: markdown.Leads = markdown.nowhere) -> tuple[str, int]:
    """(as much of a text as a list shows, with `query` marked; how many characters it leaves out)."""
    start = 0
    if query and (hit := text.casefold().find(query.casefold())) > MOST_SHOWN - len(query):
        start = place_to_cut(text, max(0, hit - BEFORE_A_HIT))
    end = place_to_cut(text, start + MOST_SHOWN)
    some = text[start : end if end > start else start + MOST_SHOWN]
    some = "\n".join(some.split("\n", MOST_LINES)[:MOST_LINES]) if not start else some
    cut = len(text) - len(some)
    if start:
        some = f"…{some}"
    if query:
        hits = re.finditer(re.escape(query), some, re.IGNORECASE)
        return rendered(some, (hit.span() for hit in hits), leads=leads), cut
    return some, cut


def _plain(path: str) -> str:
    return quote(path, safe="/", errors="surrogateescape").replace("~", "%7E").replace("%", "~")


def _shared_by_rows(
    bot: Bot, document: Document, whose: Mapping[str, str] | None, url_of: Callable[[str], str]
) -> tuple[str, str, str, str, str, bool, bool]:
    """What all rows of one document share."""
    dialect = open_bot(bot).dialect
    place = dialect.describe(document.path)
    promotes = document.kind in LOGS and bool(document.day) and dialect.path(Kind.LONG_TERM, document.scope) is not None
    where = "" if whose is None else (whose.get(document.scope, document.scope) if document.scope else _("shared"))
    editable = place is not None and place.editable
    return document.path, _plain(document.path), url_of(document.path), document.tier, where, editable, promotes


def _lines(fact: Fact, one: str, several: str) -> str:
    if fact.end_line > fact.line:
        return several % {"first": fact.line, "last": fact.end_line}
    return one % {"line": fact.line}
