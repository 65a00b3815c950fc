"""What is done to entries from their table: one is added, or all that the filters mean are forgotten at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import index
from memory.bots import open_bot
from memory.curation import adding, pins, pruning
from memory.curation.pruning import Chosen, Pruned
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.models import Bot, FactAttributes
from memory.text.markdown.entries import FactAt
from memory.web.base.chat_names import latest, names_of
from memory.web.base.gauges import number_of
from memory.web.base.responses import by, post_only
from memory.web.base.shown_secrets import asked_again
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.entries.filters import EntryFilters, ability, asked, rows, with_entries, worded
from memory.web.entries.forms import EntryForm
from memory.web.entries.views import listed

SAMPLE = 5
NAMED = 8  # chats and users whose share is told apart


@dataclass(frozen=True, slots=True)
class Going:
    """What would be forgotten: the entries by document, how many of each kind and of whom, and a print of it all."""

    found: Chosen
    count: int
    kinds: Sequence[tuple[str, int]]
    whose: Sequence[tuple[str, int]]
    others: int
    print: str


@require_http_methods(["GET", "HEAD", "POST"])
@with_entries
@asked_again
def new(request: HttpRequest, bot: Bot) -> HttpResponse:
    if request.method != "POST":
        initial = {"chat": request.GET.get("chat", "")[:255]}
        return _form(request, bot, EntryForm(bot=bot, known=ability(bot), initial=initial))
    form = EntryForm(request.POST, bot=bot, known=ability(bot))
    if not form.is_valid():
        return _form(request, bot, form, 422)
    outcome = adding.add(bot, form.scope, form.draft, by(request))
    if isinstance(outcome, Refused):
        form.add_error(None, translate(outcome.reason))
        return _form(request, bot, form, 422)
    words = _("Added") if outcome.told.is_new else _("An entry already says this. It counts as repeated.")
    say_done(request, words, outcome.change_set)
    return HttpResponseRedirect(reverse("memory:entries", args=[bot.slug]))


def _form(request: HttpRequest, bot: Bot, form: EntryForm, status: int = 200) -> HttpResponse:
    about = translate(ability(bot).sentences.adding)
    context = {"bot": bot, "place": "entries", "form": form, "chats": latest(bot), "about": about}
    return render(request, "memory/entries/add.html", context, status=status)


@post_only
@with_entries
@asked_again
def prune(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Shows first what would go; forgets it only if that is still the same."""
    wanted = asked(bot, request.POST)
    table = f"{reverse('memory:entries', args=[bot.slug])}?{wanted.parameters}"
    if not wanted.narrows:
        messages.error(request, _("Set a filter first; without one, all entries would match. Nothing was changed."))
        return HttpResponseRedirect(table)
    try:
        going = _going(bot, wanted)
    except (VaultError, ValueError) as error:
        messages.error(request, translate(str(error)))
        return HttpResponseRedirect(table)
    if not going.count:
        messages.info(request, translate(pruning.NOTHING))
        return HttpResponseRedirect(table)
    if request.POST.get("print") != going.print:
        return _preview(request, bot, wanted, going, moved="print" in request.POST)
    _tell(request, pruning.prune(bot, going.found, by(request)))
    return HttpResponseRedirect(reverse("memory:entries", args=[bot.slug]))


def _preview(request: HttpRequest, bot: Bot, wanted: EntryFilters, going: Going, *, moved: bool) -> HttpResponse:
    keys = list(_meant(bot, wanted).values_list("pk", flat=True)[:SAMPLE])
    context = {
        "bot": bot,
        "place": "entries",
        "asked": wanted,
        "going": going,
        "moved": moved,
        "sample": listed(bot, keys),
        "more": going.count - SAMPLE,
        "about": translate(ability(bot).sentences.forgetting),
        "rule": open_bot(bot).family.own_rule(wanted.query, chain.from_iterable(going.found.values())),
    }
    return render(request, "memory/entries/prune.html", context)


def _tell(request: HttpRequest, outcome: Pruned | Refused) -> None:
    if isinstance(outcome, Refused):
        messages.error(request, translate(outcome.reason))
        return
    words = number_of("Forgot %(count)s entry", "Forgot %(count)s entries", outcome.count)
    say_done(request, words, outcome.change_set)
    if outcome.left:
        stay = number_of(
            "%(count)s entry has changed and stays.", "%(count)s entries have changed and stay.", outcome.left
        )
        messages.info(request, stay)


def _meant(bot: Bot, wanted: EntryFilters) -> QuerySet[FactAttributes]:
    """The rows of what would go: what the filters mean, but for what is pinned."""
    return rows(bot, wanted, open_bot(bot).now()).exclude(fact__key__in=pins.keys(bot))


def _going(bot: Bot, wanted: EntryFilters) -> Going:
    """What the filters mean, as the database has it now. Raises Unreadable."""
    named: dict[str, set[tuple[str, int]]] = {}
    for path, key, nth in _meant(bot, wanted).order_by().values_list("document__path", "fact__key", "fact__nth"):
        named.setdefault(path, set()).add((key, nth))
    memory, facts = index.BotMemory(bot, named), open_bot(bot).dialect.facts
    found: dict[str, list[FactAt]] = {}
    for path, some in named.items():
        there = facts(path, memory.read(path) or b"")
        if going := [one for one in there if (one.key, one.nth) in some]:
            found[path] = going
    kinds, _sorts = pruning.count_facts(found)
    words = worded(ability(bot).kinds)
    largest = sorted(((len(some), path) for path, some in found.items()), reverse=True)[:NAMED]
    scopes = {path: _scope(bot, path) for _number, path in largest}
    names = names_of(bot, scopes.values())
    return Going(
        found=found,
        count=sum(map(len, found.values())),
        kinds=[(words.get(kind, kind), number) for kind, number in kinds.items()],
        whose=[(names.get(scopes[path], scopes[path]), number) for number, path in largest],
        others=len(found) - len(largest),
        print=pruning.print_of(found),
    )


def _scope(bot: Bot, path: str) -> str:
    place = open_bot(bot).dialect.describe(path)
    return place.scope if place else path
