"""Why a message brings back what it does: each entry with the parts of its score, what stays out and why, and the bot's own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.dialects.nanobot import attributes, layout, scopes
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.prompt import recalled
from memory.dialects.nanobot.recall import FIT, IMPORTANCE, RECENCY, Hit, Recalled
from memory.dialects.nanobot.settings import ALL, ASCII, STOP, Settings
from memory.domain.errors import VaultError
from memory.models import Bot, Document
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import chat_meant, latest
from memory.web.base.fact_rows import named, wanted
from memory.web.base.said import said
from memory.web.entries.filters import LONGEST, worded
from memory.web.entries.views import with_entries

PART, PAGE = "nanobot/_recalled.html", "memory:recalled"  # for the page of the prompt
QUESTION = 2_000  # characters
AT_ONCE = 50  # entries that stay out
COMPARED = 5_000  # entries of all scopes up to which the bot's own way is worked out unasked


@dataclass(frozen=True, slots=True)
class Reason:
    """One recalled entry: its score and what each part gives to it, as text with two digits; `words` of the message it holds. The
    parts as hundredths are for the drawing. `bots` is its place in what the bot itself would show, 0 for none."""

    url: str
    why_url: str
    text: str
    kind: str
    whose: str
    score: str
    fit: str
    importance: str
    recency: str
    words: str
    parts: tuple[float, float, float]
    bots: int = 0

    @property
    def ends(self) -> tuple[float, float]:
        """Where the first two parts end in the drawing."""
        return self.parts[0], self.parts[0] + self.parts[1]


@dataclass(frozen=True, slots=True)
class Out:
    """An entry that stays out, and why."""

    url: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Explained:
    """What a question brings back, what it does not, and what the bot would show that is not shown here. `verdict` is about the one
    entry that was asked for, `differs` whether the bot's own way shows something else; None where that was not worked out."""

    shown: Sequence[Reason]
    unshown: Sequence[Reason]
    out: Sequence[Out]
    more: int
    bots_own: Sequence[Reason]
    differs: bool | None
    verdict: str = ""


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    bot = with_entries(request, slug)
    query = keepable(request.GET.get("q", ""))[:QUESTION]
    sender = keepable(request.GET.get("sender", "")).strip()[:LONGEST]
    one = _one(bot, request.GET.get("entry", ""))
    offered = latest(bot)
    typed = keepable(
        request.GET.get("chat", _chat(one) or next((scope for scope, _name in offered if scopes.chat_of(scope)), ""))
    )
    meant = chat_meant(bot, typed[:256])
    context = {
        "bot": bot,
        "place": "entries",
        "entry_tab": "memory:recalled",
        "chats": offered,
        "typed": typed,
        "query": query,
    }
    context |= {
        "sender": sender,
        "problem": meant.problem,
        "one": one,
        "name": request.GET.get("entry", "") if one else "",
    }
    if not (meant.scope and query):
        return render(request, "nanobot/recall.html", context, status=422 if meant.problem else 200)
    try:
        context["found"] = _explained(bot, meant.scope, query, sender, one, compares="bot" in request.GET)
    except VaultError as error:
        context["refusal"] = said(str(error))
    return render(request, "nanobot/recall.html", context)


def is_offered(bot: Bot) -> bool:
    """Whether this bot has entries that a message may recall."""
    return layout.DATABASE in bot.directories


def reasons(bot: Bot, chat: str, query: str, sender: str = "") -> Sequence[Reason]:
    """The entries that a message of `sender` recalls in a chat now, best first; none for a bot that keeps no entries. Raises
    Unreadable."""
    if not is_offered(bot) or not chat or not query:
        return ()
    found = recalled(index.BotMemory(bot), chat, query, open_bot(bot).now(), open_bot(bot).settings, sender)
    return _reasons(bot, found.hits, {})


def as_the_bot(settings: Settings) -> Settings:
    """The same settings with everything left as the bot does it."""
    return replace(
        settings, query_words=ASCII, expired="recall", unsafe="recall", statistics=ALL, too_long=STOP, global_results=0
    )


def _explained(bot: Bot, chat: str, query: str, sender: str, one: Entry | None, *, compares: bool) -> Explained:
    memory, now, settings = index.BotMemory(bot), open_bot(bot).now(), open_bot(bot).settings
    ours = recalled(memory, chat, query, now, settings, sender)
    theirs = recalled(memory, chat, query, now, as_the_bot(settings), sender) if compares or _is_small(bot) else None
    places = {hit.entry.id: at for at, (hit, _line) in enumerate(theirs.shown, 1)} if theirs else {}
    shown = {hit.entry.id for hit, _line in ours.shown}
    only = [hit for hit, _line in theirs.shown if hit.entry.id not in shown] if theirs else []
    url_of = addresses("facts", bot)
    left = [Out(f"{url_of(entry.path)}?line={entry.fact.line}", entry.text, said(why)) for entry, why in ours.left_out]
    return Explained(
        shown=_reasons(bot, [hit for hit, _line in ours.shown], places),
        unshown=_reasons(bot, [hit for hit in ours.hits if hit.entry.id not in shown], places),
        out=left[:AT_ONCE],
        more=len(left) - AT_ONCE,
        bots_own=_reasons(bot, only, places),
        differs=None if theirs is None else list(places) != [hit.entry.id for hit, _line in ours.shown],
        verdict=_verdict(ours, one) if one else "",
    )


def _verdict(found: Recalled, one: Entry) -> str:
    """Whether one entry is recalled, in a sentence."""
    for at, (hit, _line) in enumerate(found.shown, 1):
        if hit.entry.id == one.id:
            words = ngettext(
                "It is recalled, as number %(place)s of %(count)s.",
                "It is recalled, as number %(place)s of %(count)s.",
                len(found.shown),
            )
            return words % {"place": at, "count": len(found.shown)}
    why = next((why for entry, why in found.left_out if entry.id == one.id), "")
    if why:
        return _("It is not recalled. %(why)s") % {"why": said(why)}
    return _(
        "It is not recalled: it holds none of the question's words, or belongs to somebody whose entries this chat does not read."
    )


def _is_small(bot: Bot) -> bool:
    """Whether all entries of all scopes, which the bot's own way counts words in, are soon read."""
    kept = Document.objects.filter(bot=bot, kind="long-term", path__startswith=f"@{layout.DATABASE}/")
    return sum(kept.values_list("facts_count", flat=True)) <= COMPARED


def _reasons(bot: Bot, hits: Sequence[Hit], places: Mapping[str, int]) -> list[Reason]:
    url_of = addresses("facts", bot)
    return [
        _reason(f"{url_of(hit.entry.path)}?line={hit.entry.fact.line}", hit, places.get(hit.entry.id, 0))
        for hit in hits
    ]


def _reason(url: str, hit: Hit, place: int) -> Reason:
    parts = FIT * hit.fit, IMPORTANCE * hit.entry.importance, RECENCY * hit.recency
    return Reason(
        url=url,
        why_url=named(hit.entry.path, hit.entry.fact.key, hit.entry.fact.nth),
        text=hit.entry.text,
        kind=worded(attributes.KINDS).get(hit.entry.kind, hit.entry.kind),
        whose=worded(attributes.SORTS).get(hit.layer, ""),
        score=f"{hit.score:.2f}",
        fit=f"{parts[0]:.2f}",
        importance=f"{parts[1]:.2f}",
        recency=f"{parts[2]:.2f}",
        words=", ".join(hit.found),
        parts=(round(100 * parts[0], 1), round(100 * parts[1], 1), round(100 * parts[2], 1)),
        bots=place,
    )


def _one(bot: Bot, name: str) -> Entry | None:
    """The entry that an address names, as its document has it now."""
    meant = wanted(name) if name else None
    if meant is None or not meant[0].startswith(f"@{layout.DATABASE}/"):
        return None
    path, key, nth = meant
    try:
        data = index.BotMemory(bot, [path]).read(path) or b""
    except VaultError:
        return None
    return next((entry for entry in entries(path, data) if (entry.fact.key, entry.fact.nth) == (key, nth)), None)


def _chat(one: Entry | None) -> str:
    """A chat that reads an entry: its own, or that of the user alone with the bot."""
    if one is None:
        return ""
    name = one.path.partition("/")[2].removesuffix(scopes.ENDING)
    if scopes.chat_of(name):
        return name
    found = scopes.parts(scopes.key_of(name, "") or "")
    return scopes.name_of(scopes.chat_key(found.channel, found.who), "") if found.sort == scopes.USER else ""
