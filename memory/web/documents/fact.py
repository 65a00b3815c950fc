"""One fact at hand: read whole, reworded, or a new one added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import reselect, reswap, retarget

from memory.bots import open_bot
from memory.curation import facts, pins
from memory.curation.facts import FoundFact
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, Use
from memory.prompts import uses
from memory.web.base import markdown
from memory.web.base.addresses import address
from memory.web.base.fact_rows import fact_name, fact_ref, lay_out
from memory.web.base.file_links import leading
from memory.web.base.markdown import Laid
from memory.web.base.responses import HtmxHttpRequest, answer, by, ours, post_only
from memory.web.base.shown_secrets import asked_again, holds_hidden
from memory.web.base.translation import translate
from memory.web.documents import life
from memory.web.documents.editor_state import lines, title
from memory.web.documents.many import chosen, done, nothing, otherwise

PAGE = "memory/documents/fact.html"
MOST_LINES = 16  # of the field that a text is edited in
LONGEST = 100_000  # characters of an entry that is edited, or shown as a whole


@dataclass(frozen=True, slots=True)
class Open:
    """One fact on a page of its own, or in the place of its row.

    `name` "" for a new one. `text` is what stands in the field, `problem` why it was not saved; `locked` why it cannot be edited;
    `asks` whether it should be forgotten, as nothing is left of its text."""

    path: str
    title: str
    url: str
    name: str = ""
    text: str = ""
    time: str = ""
    line: int = 0
    locked: str = ""
    promotes: bool = False
    pinned: bool = False
    has_details: bool = False
    problem: str = ""
    asks: bool = False
    is_gone: bool = False  # it stands there no more
    hides: bool = False  # its text holds a secret that is hidden from who asks
    leads: markdown.Leads = markdown.nowhere
    is_cut: bool = False  # `text` is its beginning

    @property
    def read(self) -> Laid:
        """Its text, laid out where lists fold it; nothing of a single line."""
        return lay_out(self.text, self.leads)

    @property
    def rows(self) -> int:
        return min(max(self.text.count("\n") + 1 + len(self.text) // 80, 2), MOST_LINES)


@require_safe
def show(request: HttpRequest, bot: Bot) -> HttpResponse:
    name = request.GET.get("fact", "")
    meant = fact_ref(name)
    if meant is None:
        raise Http404("This address names no entry.")
    found = facts.find(bot, [meant])
    if isinstance(found, Refused):
        return _gone(request, bot, meant, found)
    part = "whole" if "whole" in request.GET else "field"
    shown = _open(bot, found[0], name)
    shown = replace(shown, hides=holds_hidden(request, bot, shown.text))
    told = None if getattr(request, "htmx", False) else life.told(bot, *meant[:2], request.user.pk)
    uses.record(bot, [meant[1]], Use.How.OPENED)  # which is told the next time
    return answer(request, PAGE, part, {**_context(request, bot, shown), "life": told})


def _gone(request: HttpRequest, bot: Bot, meant: FactRef, why: Refused) -> HttpResponse:
    """A fact that stands there no more: what became of it, if that is known."""
    told = life.told(bot, *meant[:2], request.user.pk)
    if not told["rows"] or getattr(request, "htmx", False):
        messages.error(request, translate(why.reason))
        return HttpResponseRedirect(ours(request.GET.get("next", "")) or otherwise(bot))
    left = _blank(bot, meant.path, name=request.GET["fact"], text=told["text"], is_gone=True)
    return render(request, PAGE, {**_context(request, bot, left), "life": told})


@post_only
@asked_again
def add(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    path, text = request.POST.get("path", ""), lines(request.POST.get("text", ""))
    outcome = facts.add(bot, path, text, by(request))
    if isinstance(outcome, Refused):
        return _again(request, bot, _blank(bot, path, text=text, problem=translate(outcome.reason)))
    return done(request, bot, outcome, _("Added"))


@post_only
@asked_again
def edit(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    text = lines(request.POST.get("text", ""))
    meant = chosen(request, bot)
    if len(meant) != 1:
        return nothing(request, bot)
    if not text.strip():
        return _ask(request, bot, meant[0])
    outcome = facts.edit(bot, *meant[0], text, by(request))
    if isinstance(outcome, Refused):
        typed = _blank(bot, meant[0].path, name=fact_name(*meant[0]), text=text, problem=translate(outcome.reason))
        return _again(request, bot, typed)
    return done(request, bot, outcome, _("Saved"))


def _ask(request: HtmxHttpRequest, bot: Bot, meant: FactRef) -> HttpResponse:
    """A text that was emptied: is the entry to be forgotten?"""
    asked = _blank(bot, meant.path, name=fact_name(*meant), asks=True)
    response = answer(request, PAGE, "field", _context(request, bot, asked))
    return _in_the_field(response) if request.htmx else response


def _again(request: HtmxHttpRequest, bot: Bot, typed: Open) -> HttpResponse:
    """Why a text was not taken, with the text still in its field."""
    response = answer(request, PAGE, "field", _context(request, bot, typed), 422)
    return _in_the_field(response) if request.htmx else response


def _in_the_field(response: HttpResponse) -> HttpResponse:
    return reselect(reswap(retarget(response, "#entry-field"), "outerHTML"), "#entry-field")


def _blank(bot: Bot, path: str, **known: Any) -> Open:
    """A fact of a document of which no more than this is known."""
    url = address("document", bot, path) if open_bot(bot).dialect.describe(path) else ""
    return Open(path, title(bot, path), url, **known)


def _open(bot: Bot, found: FoundFact, name: str) -> Open:
    place, known = open_bot(bot).dialect.describe(found.path), open_bot(bot).attributes
    text = found.fact.text
    too_long = (
        _("This fact is too long to edit on its own. Only its beginning is shown.") if len(text) > LONGEST else ""
    )
    return Open(
        path=found.path,
        title=title(bot, found.path),
        url=address("document", bot, found.path),
        name=name,
        text=f"{text[:LONGEST]}…" if too_long else text,
        time=found.fact.time,
        line=found.fact.line,
        locked=translate(found.locked) or too_long,
        promotes=open_bot(bot).dialect.lasting(found.path, found.fact) is not None,
        pinned=found.fact.key in pins.keys(bot),
        has_details=place is not None and place.has_attributes and known is not None and known.detailing is not None,
        is_cut=bool(too_long),
        leads=leading(bot, [(found.path, text)])(found.path),
    )


def _context(request: HttpRequest, bot: Bot, shown: Open) -> dict[str, object]:
    sent = request.POST if request.method == "POST" else request.GET
    return {
        "bot": bot,
        "place": "memory" if shown.path == open_bot(bot).long_term else "documents",
        "open": shown,
        "next": ours(sent.get("next", "")) or shown.url or otherwise(bot),
    }
