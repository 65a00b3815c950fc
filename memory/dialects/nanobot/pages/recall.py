"""Why a message brings back what it does: each entry with the parts of its score, what stays out and why; and what Kenoweb brings
back where it answers itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.dialects.nanobot import attributes, layout, scopes
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.prompt import answered_by, recalled
from memory.dialects.nanobot.recall import FIT, IMPORTANCE, RECENCY, Recalled, RecalledEntry
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import chat_meant, latest
from memory.web.base.fact_rows import fact_ref
from memory.web.base.gauges import number_of
from memory.web.base.translation import translate
from memory.web.entries.filters import LONGEST, worded

PART, PAGE = "nanobot/_recalled.html", "memory:recalled"  # for the page of the prompt
NOTHING = gettext_lazy("Nothing in MEMORY.md or in the entries this chat can recall.")
NO_CHAT = gettext_lazy("Nothing in MEMORY.md. Entries are recalled in chats only.")
QUESTION = 2_000  # characters
AT_ONCE = 50  # entries that stay out


@dataclass(frozen=True, slots=True)
class Reason:
    """One recalled entry: its score and what each part gives to it, as text with two digits; `words` of the message it holds. The
    parts as hundredths are for the drawing. `ours` is its place in what Kenoweb would show where it answers, 0 for none."""

    url: str
    text: str
    kind: str
    whose: str
    score: str
    fit: str
    importance: str
    recency: str
    words: str
    parts: tuple[float, float, float]
    ours: int = 0

    @property
    def ends(self) -> tuple[float, float]:
        """Where the first two parts end in the drawing."""
        return self.parts[0], self.parts[0] + self.parts[1]


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
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
        "place": "recalled",
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
        context["found"] = _explained(bot, meant.scope, query, sender, one)
    except VaultError as error:
        context["refusal"] = translate(str(error))
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


def _explained(bot: Bot, chat: str, query: str, sender: str, one: Entry | None) -> dict[str, object]:
    """What a question brings back, what it does not, and what Kenoweb would show besides where it answers itself. `verdict` is
    about the one entry that was asked for; `differs`: Kenoweb's own way shows something else; `unsure`: what is not known."""
    asked = index.BotMemory(bot), chat, query, open_bot(bot).now(), open_bot(bot).settings, sender
    bots, ours = recalled(*asked), answered_by(*asked)
    places = {hit.entry.id: at for at, (hit, _line) in enumerate(ours.shown, 1)}
    shown = {hit.entry.id for hit, _line in bots.shown}
    url_of = addresses("facts", bot)
    left = [
        {"url": f"{url_of(entry.path)}?line={entry.fact.line}", "text": entry.text, "why": translate(why)}
        for entry, why in bots.left_out
    ]
    return {
        "shown": _reasons(bot, [hit for hit, _line in bots.shown], places),
        "out": left[:AT_ONCE],
        "more": len(left) - AT_ONCE,
        "ours_only": _reasons(bot, [hit for hit, _line in ours.shown if hit.entry.id not in shown], places),
        "differs": list(places) != [hit.entry.id for hit, _line in bots.shown],
        "verdict": _verdict(bots, one) if one else "",
        "unsure": [translate(words) for words in bots.unsure],
    }


def _verdict(found: Recalled, one: Entry) -> str:
    """Whether one entry is recalled, in a sentence."""
    for at, (hit, _line) in enumerate(found.shown, 1):
        if hit.entry.id == one.id:
            return number_of(
                "Recalled, number %(place)s of %(count)s",
                "Recalled, number %(place)s of %(count)s",
                len(found.shown),
                place=at,
            )
    why = next((why for entry, why in found.left_out if entry.id == one.id), "")
    if why:
        return _("Not recalled. %(why)s") % {"why": translate(why)}
    return _("Not recalled: no word in common with the message, or this chat can’t read it.")


def _reasons(bot: Bot, hits: Sequence[RecalledEntry], places: Mapping[str, int]) -> list[Reason]:
    url_of = addresses("facts", bot)
    return [
        _reason(f"{url_of(hit.entry.path)}?line={hit.entry.fact.line}", hit, places.get(hit.entry.id, 0))
        for hit in hits
    ]


def _reason(url: str, hit: RecalledEntry, place: int) -> Reason:
    parts = FIT * hit.fit, IMPORTANCE * hit.entry.importance, RECENCY * hit.recency
    return Reason(
        url=url,
        text=hit.entry.text,
        kind=worded(attributes.KINDS).get(hit.entry.kind, hit.entry.kind),
        whose=worded(attributes.SORTS).get(hit.layer, ""),
        score=floatformat(hit.score, 2),
        fit=floatformat(parts[0], 2),
        importance=floatformat(parts[1], 2),
        recency=floatformat(parts[2], 2),
        words=", ".join(hit.found),
        parts=(round(100 * parts[0], 1), round(100 * parts[1], 1), round(100 * parts[2], 1)),
        ours=place,
    )


def _one(bot: Bot, name: str) -> Entry | None:
    """The entry that an address names, as its document has it now."""
    meant = fact_ref(name) if name else None
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
