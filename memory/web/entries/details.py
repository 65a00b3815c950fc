"""What an entry says besides its text, in a form: set where its family lets people set it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.curation import facts
from memory.curation.acts import Done
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.web.base.addresses import address
from memory.web.base.fact_rows import fact_ref
from memory.web.base.responses import by, ours
from memory.web.base.shown_secrets import asked_again, holds_hidden
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.entries.filters import ability, with_entries
from memory.web.entries.forms import DetailsForm


@require_http_methods(["GET", "HEAD", "POST"])
@with_entries
@asked_again
def details(request: HttpRequest, bot: Bot) -> HttpResponse:
    meant = fact_ref(request.GET.get("fact", ""))
    if meant is None or ability(bot).detailing is None:
        raise Http404("This address names no entry with details.")
    onward = ours(request.GET.get("next", "")) or reverse("memory:entries", args=[bot.slug])
    found = facts.details(bot, *meant)
    if isinstance(found, Refused):
        messages.error(request, translate(found.reason))
        return HttpResponseRedirect(onward)
    fact, told = found
    form = DetailsForm(request.POST if request.method == "POST" else None, known=ability(bot), details=told)
    if form.is_valid():
        outcome = facts.set_details(bot, *meant, form.changes, by(request))
        if not isinstance(outcome, Refused):
            _tell(request, outcome)
            return HttpResponseRedirect(onward)
        form.add_error(None, translate(outcome.reason))
    url = f"{address('facts', bot, meant[0])}?line={fact.line}"
    hides = holds_hidden(request, bot, *map(str, form.initial.values()))
    context = {
        "bot": bot,
        "place": "entries",
        "hides": hides,
        "form": form,
        "text": fact.text,
        "url": url,
        "next": onward,
    }
    return render(request, "memory/entries/details.html", context, status=422 if form.errors else 200)


def _tell(request: HttpRequest, outcome: Done) -> None:
    if outcome.change_set is None:
        messages.info(request, _("It already says this. Nothing was saved."))
    else:
        say_done(request, _("Saved"), outcome.change_set)
