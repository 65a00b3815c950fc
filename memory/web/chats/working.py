"""Working memory: each session's scratchpad, those that the bot reads and those that went stale, and discarding them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from django import forms
from django.contrib import messages
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index, journal
from memory.bots import open_bot
from memory.curation import documents as document_edits
from memory.curation.documents import Removed
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.models import Bot, Chat, Document, Fact
from memory.text.sentences import say
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import guess, names_of
from memory.web.base.counts import SidebarCounts, sidebar_counts
from memory.web.base.fact_rows import cost
from memory.web.base.forms import VERSION
from memory.web.base.gauges import number_of
from memory.web.base.pages import Counted
from memory.web.base.responses import back, by, closed_by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

AT_ONCE = 25  # of each sort on a page
DISCARDED_AT_ONCE = 500
SAMPLE = 5
FIRST_FACTS = 3
FIRST_LETTERS = 240
NO_WORKING = say("This bot keeps no working memory.")


class PadForm(forms.Form):
    """One scratchpad as it was seen; its path is quoted, for a form changes line ends."""

    path = forms.CharField()
    base = forms.CharField(validators=[VERSION])

    def clean_path(self) -> str:
        return unquote(self.cleaned_data["path"])


class StaleForm(forms.Form):
    """The scratchpads that somebody saw before they said yes, each with its version: JSON, path -> sha256."""

    bases = forms.JSONField()

    def clean_bases(self) -> dict[str, str]:
        bases = self.cleaned_data["bases"]
        if not isinstance(bases, dict) or len(bases) > DISCARDED_AT_ONCE:
            raise forms.ValidationError(_("The list was incomplete."))
        for base in bases.values():
            VERSION(base)
        return bases


with_working = closed_by(lambda bot: "" if open_bot(bot).keeps(Kind.WORKING) else NO_WORKING)


@require_safe
@with_working
def working(request: HttpRequest, bot: Bot) -> HttpResponse:
    (fresh, stale), numbers = _shelves(request, bot)
    context = {
        "bot": bot,
        "place": "working",
        "beside": numbers,
        "fresh": fresh,
        "stale": stale,
        "days": open_bot(bot).working_days,
        "warnings": open_bot(bot).dialect.warnings(open_bot(bot).settings),
    }
    return render(request, "memory/chats/working.html", context)


def _shelves(request: HttpRequest, bot: Bot) -> tuple[list[dict[str, object]], SidebarCounts]:
    """The fresh and the stale ones, after a look at those that the page shows, and how many there are of all."""
    pages, scopes, numbers = _pages(request, bot)
    rows = _rows(bot, scopes)
    errors, changed = index.look_over(bot, rows, _paths(bot, scopes).values())
    if changed:
        pages, scopes, numbers = _pages(request, bot)
        rows = _rows(bot, scopes)
    pads = _pads(bot, scopes, rows, errors)
    return [
        {"page": page, "pads": [pads[scope] for scope in page.object_list if scope in pads]} for page in pages
    ], numbers


def _pages(request: HttpRequest, bot: Bot) -> tuple[Sequence[Page[str]], list[str], SidebarCounts]:
    """Whose scratchpads are shown: the fresh and the stale ones, and both."""
    before, numbers = open_bot(bot).stale_before(), sidebar_counts(bot)
    with_pad = Chat.objects.filter(bot=bot).order_by("-working_ns", "scope").values_list("scope", flat=True)
    fresh = Counted(with_pad.filter(working_ns__gte=before), AT_ONCE).get_page(request.GET.get("fresh"))
    stale = Counted(with_pad.filter(working_ns__lt=before), AT_ONCE, numbers.stale).get_page(request.GET.get("stale"))
    return (fresh, stale), [*fresh.object_list, *stale.object_list], numbers


def _paths(bot: Bot, scopes: Iterable[str]) -> dict[str, str]:
    """Where the working memory of each chat lies, by scope."""
    family = open_bot(bot).dialect
    found = ((scope, family.path(Kind.WORKING, scope)) for scope in scopes)
    return {scope: path for scope, path in found if path}


def _rows(bot: Bot, scopes: Iterable[str]) -> dict[str, Document]:
    """The documents of these scratchpads, by path."""
    paths = list(_paths(bot, scopes).values())
    return {row.path: row for row in Document.objects.filter(bot=bot, path__in=paths)}


def _pads(
    bot: Bot, scopes: Sequence[str], documents: Mapping[str, Document], errors: Mapping[str, str]
) -> dict[str, dict[str, object]]:
    facts: dict[int, list[str]] = {}
    pks = [row.pk for row in documents.values()]
    first = Fact.objects.filter(document__in=pks, ordinal__lt=FIRST_FACTS).order_by("document", "ordinal")
    for pk, text in first.values_list("document", "text"):
        facts.setdefault(pk, []).append(text)
    names, url_of = names_of(bot, scopes), addresses("document", bot)
    found = {}
    for scope, path in _paths(bot, scopes).items():
        if row := documents.get(path):
            error = errors.get(path, row.error)
            found[scope] = _pad(scope, row, url_of(path), names.get(scope, ""), facts.get(row.pk, []), error)
    return found


def _pad(scope: str, row: Document, url: str, name: str, facts: Sequence[str], error: str) -> dict[str, object]:
    """A scratchpad in the list. `base` is its version, "" if it cannot be read: then `error` says why."""
    return {
        "name": name or scope,
        "aside": scope if name else guess(scope),
        "path": row.path,
        "url": url,
        "base": "" if error else row.sha256,
        "written_ns": row.mtime_ns,
        "size": row.size,
        "cost": cost(row.tokens),
        "first": "\n".join(facts)[:FIRST_LETTERS],
        "error": error,
    }


@post_only
@with_working
def discard(request: HttpRequest, bot: Bot) -> HttpResponse:
    """One scratchpad at once; all stale ones after a page that counts them."""
    if "path" in request.POST:
        form = PadForm(request.POST)
        return _discard(
            request, bot, {form.cleaned_data["path"]: form.cleaned_data["base"]} if form.is_valid() else None
        )
    if "bases" not in request.POST:
        return _ask(request, bot)
    answer = StaleForm(request.POST)
    return _discard(request, bot, answer.cleaned_data["bases"] if answer.is_valid() else None)


def _ask(request: HttpRequest, bot: Bot) -> HttpResponse:
    """How many there are, a few of them, and the question. The form carries the versions that were seen."""
    stale = Chat.objects.filter(bot=bot, working_ns__lt=open_bot(bot).stale_before()).order_by("working_ns", "scope")
    oldest = list(stale.values_list("scope", flat=True)[:DISCARDED_AT_ONCE])
    paths = list(_paths(bot, oldest).values())
    bases = dict(Document.objects.filter(bot=bot, path__in=paths, error="").values_list("path", "sha256"))
    sample = oldest[:SAMPLE]
    context = {
        "bot": bot,
        "place": "working",
        "number": len(bases),
        "whole": stale.count(),
        "bases": json.dumps(bases),
        "sample": list(_pads(bot, sample, _rows(bot, sample), {}).values()),
    }
    return render(request, "memory/chats/working_discard.html", context)


def _discard(request: HttpRequest, bot: Bot, bases: Mapping[str, str] | None) -> HttpResponse:
    here = reverse("memory:working", args=[bot.slug])
    family = open_bot(bot).dialect
    if bases is None or any((place := family.describe(path)) is None or place.kind != Kind.WORKING for path in bases):
        messages.error(request, _("The form was incomplete. Nothing was discarded; open the page again."))
        return back(request, here)
    try:
        done = document_edits.remove(bot, bases, by(request), _why(bases))
    except (journal.Busy, VaultError) as error:
        messages.error(request, translate(str(error)))
        return back(request, here)
    _refresh(bot, bases)
    _tell(request, done)
    return back(request, here)


def _why(bases: Mapping[str, str]) -> str:
    """The reason as the history keeps it, in English like all that is kept."""
    return (
        say("Discarded working memory")
        if len(bases) == 1
        else say("Discarded %(count)s stale working memories", count=len(bases))
    )


def _refresh(bot: Bot, bases: Mapping[str, str]) -> None:
    """Bring the index in step with what was just discarded."""
    if len(bases) > AT_ONCE:
        index.refresh(bot)
    else:
        index.look_all(bot, list(bases))


def _tell(request: HttpRequest, done: Removed) -> None:
    gone, kept = len(done.paths), len(done.kept)
    if done.change_set is not None:
        words = number_of("Discarded %(count)s working memory", "Discarded %(count)s working memories", gone)
        say_done(request, words, done.change_set)
    elif gone:
        messages.info(request, _("It was already gone. Nothing was changed."))
    if kept:
        words = number_of(
            "%(count)s working memory was updated meanwhile and stays.",
            "%(count)s working memories were updated meanwhile and stay.",
            kept,
        )
        messages.warning(request, words)
