"""Find and replace over a bot's documents: a form, then what would change, then the change."""

from __future__ import annotations

from functools import partial

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_http_methods

from memory.curation import replacing
from memory.curation.documents import as_text
from memory.curation.replacing import DocumentMatches, Replacement, ReplacementPlan
from memory.domain.errors import Refusal, VaultError
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.web.base.differences import turned
from memory.web.base.gauges import number_of
from memory.web.base.responses import by
from memory.web.base.shown_secrets import asked_again
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

PAGE = "memory/documents/replace.html"
LONGEST = 1000


class ReplaceForm(forms.Form):
    """What is looked for and what is to stand there, each on one line and to the letter."""

    find = forms.CharField(max_length=LONGEST, strip=False, label=later("Find"))
    instead = forms.CharField(max_length=LONGEST, strip=False, required=False, label=later("Replace with"))
    within = forms.CharField(
        max_length=200,
        required=False,
        label=later("Only in files named"),
        help_text=later("Part of a name or directory. Empty: all files"),
    )
    ignores_case = forms.BooleanField(required=False, label=later("Ignore upper and lower case"))

    @property
    def wanted(self) -> Replacement:
        return Replacement(**self.cleaned_data)


@require_http_methods(["GET", "HEAD", "POST"])
@asked_again
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    """POST shows what would change; with the print of that, it changes it."""
    form = ReplaceForm(request.POST if request.method == "POST" else None, auto_id="replace_%s")
    if not form.is_valid():
        return _page(request, bot, form)
    if print_of := request.POST.get("print", ""):
        outcome = replacing.replace(bot, form.wanted, print_of, by(request))
        if not isinstance(outcome, Refused):
            return _done(request, bot, outcome.told, outcome.change_set)
        form.add_error(None, translate(outcome.reason))
    try:
        return _page(request, bot, form, replacing.plan(bot, form.wanted))
    except (Refusal, VaultError) as error:
        form.add_error(None, translate(str(error)))
        return _page(request, bot, form)


def _done(request: HttpRequest, bot: Bot, done: ReplacementPlan, made: ChangeSet | None) -> HttpResponse:
    words = number_of("Replaced %(count)s time", "Replaced %(count)s times", done.count)
    say_done(request, words, made)
    return redirect("memory:change_set", bot.slug, made.pk) if made else redirect("memory:replace", bot.slug)


def _page(request: HttpRequest, bot: Bot, form: ReplaceForm, planned: ReplacementPlan | None = None) -> HttpResponse:
    context: dict[str, object] = {"bot": bot, "place": "documents", "form": form, "plan": planned}
    if planned:
        sides = {one.path: partial(_sides, one) for one in planned.places}
        context |= turned(sides, request.POST, "replace")
        context["told"] = _told(planned)
    return render(request, PAGE, context, status=422 if form.errors else 200)


def _sides(one: DocumentMatches) -> tuple[str, str]:
    return as_text(one.before), as_text(one.after)


def _told(planned: ReplacementPlan) -> str:
    """How often it is found, and in how many files."""
    if not planned.places:
        return _("Not found in any file that can be edited.")
    files = number_of("%(count)s file", "%(count)s files", len(planned.places))
    return number_of(
        "Found %(count)s time in %(files)s", "Found %(count)s times in %(files)s", planned.count, files=files
    )
