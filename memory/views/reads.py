"""What the bot reads before it answers in a chat: each part with its text and its cost, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from memory import bots, library, prompt
from memory.dialects.base import Kind, LeftOut, Tier
from memory.models import Bot, Document
from memory.prompt import Priced, PricedLine, PricedSection
from memory.templatetags.desk import addresses
from memory.text.keep import keepable
from memory.vault import VaultError
from memory.views.access import bot_or_404
from memory.views.chat import head_or_404
from memory.views.measure import grouped

AT_ONCE = 100  # lines
SHOWN = 1_000  # characters of one line
REASONS = 60  # why something is left out
LEFT_OUT = 20  # documents of one reason
NEWEST = 32  # daily logs of a scope that are looked at: more than any setting lets the bot read
QUESTION = 2_000  # characters


@dataclass(frozen=True, slots=True)
class Line:
    """A run of the prompt as a row. `url` leads to its document."""

    text: str
    tokens: int
    place: str
    url: str


@dataclass(frozen=True, slots=True)
class Part:
    """A headed part with those of its lines that are on the page. `words`: the bot's own, folded away."""

    heading: str
    tier: str
    tokens: int
    words: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the whole as a piece of a bar, which is 1000 long."""

    name: str
    tier: str
    tokens: int
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Out:
    """A document that is left out, and how old it is in words, "" for nothing."""

    path: str
    url: str
    age: str


@dataclass(frozen=True, slots=True)
class Group:
    """What is left out for one reason: some of it, and how many more there are."""

    why: str
    some: Sequence[Out]
    more: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The page. `older` counts daily logs that are left out beside those named."""

    tokens: int
    shares: Sequence[Share]
    page: Page[tuple[PricedSection, PricedLine | None]]
    parts: Sequence[Part]
    left_out: Sequence[Group]
    older: int


@require_safe
def reads(request: HttpRequest, slug: str, scope: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    chat = head_or_404(bot, scope)
    query = keepable(request.GET.get("q", ""))[:QUESTION]
    context = {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "reads", "query": query}
    try:
        reading = _reading(bot, scope, query, request.GET.get("page"))
    except (VaultError, prompt.SessionRefused) as error:
        return render(request, "memory/chat_reads.html", {**context, "refusal": str(error)})
    return render(request, "memory/chat_reads.html", {**context, "reading": reading})


def _reading(bot: Bot, scope: str, query: str, number: str | None) -> Reading:
    paths, older = _documents(bot, scope)
    priced = prompt.build(bot, scope, query, memory=library.BotMemory(bot, paths))
    page = Paginator(list(_runs(priced)), AT_ONCE).get_page(number)
    left_out = _groups(bot, priced.left_out)
    return Reading(priced.tokens, _shares(priced), page, _parts(bot, scope, page), left_out, older)


def _groups(bot: Bot, left_out: Sequence[LeftOut]) -> list[Group]:
    """What is left out by reason, in the order in which the reasons come."""
    url_of = addresses("document", bot)
    by_reason: dict[str, list[Out]] = {}
    for one in left_out:
        by_reason.setdefault(one.why, []).append(Out(one.path, url_of(one.path), one.age))
    reasons = list(by_reason.items())[:REASONS]
    return [Group(why, found[:LEFT_OUT], max(0, len(found) - LEFT_OUT)) for why, found in reasons]


def _documents(bot: Bot, scope: str) -> tuple[list[str], int]:
    """What may be in the prompt of a chat, in step with the files, and how many older logs there are beside."""
    family, today = bots.dialect(bot), bots.today(bot)
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY).order_by("-day")
    own, chats = (logs.filter(tier=tier, scope=of) for tier, of in ((Tier.GLOBAL, ""), (Tier.CHAT, scope)))
    kinds = ((Kind.LONG_TERM, ""), (Kind.LONG_TERM, scope), (Kind.CONTEXT, scope), (Kind.WORKING, scope))
    paths = [family.path(kind, of) for kind, of in kinds]
    paths += [family.path(Kind.DAILY, of, today) for of in ("", scope)]
    wanted = [path for path in paths if path]
    others = Document.objects.filter(bot=bot, path__in=wanted)
    known = {row.path: row for found in (own[:NEWEST], chats[:NEWEST], others) for row in found}
    unread, changed = library.look_over(bot, known, {*known, *wanted})
    if changed:
        known = {row.path: row for row in Document.objects.filter(bot=bot, path__in={*known, *wanted})}
    listed = {*known, *unread}
    newest = sum(1 for path in listed if (place := family.describe(path)) and place.day)
    return sorted(listed), own.count() + chats.count() - newest


def _runs(priced: Priced) -> Iterator[tuple[PricedSection, PricedLine | None]]:
    """What can be paged: the runs of each part without blanks; a part that is the bot's fixed words is one."""
    for section in priced.sections:
        lines = [line for line in section.lines if line.text.strip() and not _is_heading(section, line)]
        for line in lines if section.tier is not None and lines else [None]:
            yield section, line


def _is_heading(section: PricedSection, line: PricedLine) -> bool:
    return not line.path and line.text.strip().lstrip("#").strip() == section.heading


def _parts(bot: Bot, scope: str, page: Iterable[tuple[PricedSection, PricedLine | None]]) -> list[Part]:
    """The runs of a page under the headings of their parts. Documents of the chat are called without their directory."""
    own = (bots.dialect(bot).path(Kind.LONG_TERM, scope) or "").rpartition("/")[0] + "/"
    url_of = addresses("document", bot)
    urls: dict[str, str] = {"": ""}
    parts = []
    for section, runs in groupby(page, key=itemgetter(0)):
        lines = []
        for line in (line for _section, line in runs if line is not None):
            if line.path not in urls:
                urls[line.path] = url_of(line.path)
            lines.append(_line(line, keepable(line.path.removeprefix(own)), urls[line.path]))
        words = section.text.strip() if section.tier is None else ""
        parts.append(Part(section.heading, section.tier or "", section.tokens, words, lines))
    return parts


def _line(line: PricedLine, path: str, url: str) -> Line:
    text, place = keepable(line.text.strip("\n")), f"{path}:{line.line}" if line.line else path
    if left := max(0, len(text) - SHOWN):
        more = ngettext("… %(number)s character more", "… %(number)s characters more", left)
        text = f"{text[:SHOWN]} {more % {'number': grouped(left)}}"
    return Line(text, line.tokens, place, url)


def _shares(priced: Priced) -> list[Share]:
    """The parts of a bar: the bot's fixed words as one, then every headed part."""
    fixed = sum(section.tokens for section in priced.sections if section.tier is None)
    parts = [(_("Instructions"), "", fixed)] if fixed else []
    parts += [(each.heading, str(each.tier), each.tokens) for each in priced.sections if each.tier is not None]
    whole, at, shares = sum(tokens for *_name, tokens in parts) or 1, 0, []
    for name, tier, tokens in parts:
        until = at + tokens
        x, end = at * 1000 // whole, until * 1000 // whole
        shares.append(Share(name, tier, tokens, x, max(end - x - 2, 1)))
        at = until
    return shares
