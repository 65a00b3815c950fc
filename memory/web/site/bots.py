"""The bots on the desk: all of them, and adding, removing and bringing one back, for those who run this Kenoweb."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db.models import IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_http_methods, require_safe

from memory import journal, registry
from memory.access.permissions import may_operate, may_see, operators_only
from memory.bots import families as known
from memory.domain.errors import Refusal
from memory.models import Bot, Document, Root
from memory.text.storable import keepable
from memory.web.base import time_zones
from memory.web.base.responses import post_only
from memory.web.base.time_zones import ZoneField
from memory.web.base.translation import translate
from memory.web.site.bot_candidate import BotCandidate, candidate

MOST_BOTS = 200
LONGEST_NAME = 80  # characters of what a bot is looked for by


class AddForm(forms.Form):
    """The second step of adding: what the bot is called, and what day it is for it."""

    path = forms.CharField(widget=forms.HiddenInput, strip=False)
    name = forms.CharField(
        max_length=120, label=later("Name"), help_text=later("The name shown in Kenoweb. You can change it later.")
    )
    time_zone = ZoneField()
    dialect = forms.ChoiceField(label=later("Bot type"), help_text=later("The type of bot that writes here."))

    def __init__(self, *args: object, found: registry.Site | None = None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["dialect"].choices = families()  # type: ignore[attr-defined]
        if found and found.dialect:
            self.fields["dialect"].widget = forms.HiddenInput()


def families() -> list[tuple[str, str]]:
    """Whose memory a directory may be: by name, in the reader's language."""
    return [(name, translate(label)) for name, label in known.choices()]


def samples() -> list[tuple[str, str]]:
    """(family, what its sample is called) of those that have one to look around in."""
    return [(family.name, family.sample_name) for family in known.every() if family.sample_name]


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    sought = keepable(request.GET.get("q", "")).strip()[:LONGEST_NAME]
    found = _with_facts(Bot.present.filter(Q(name__icontains=sought) | Q(slug__icontains=sought)))
    removed = Bot.objects.exclude(removed=None).order_by("-removed").prefetch_related("roots")
    context = {
        "bots": [bot for bot in found[:MOST_BOTS] if may_see(request.user, bot)],
        "sought": sought,
        "removed": removed[:MOST_BOTS] if may_operate(request.user) else [],
        "place": "bots",
    }
    return render(request, "memory/site/bots.html", context)


@operators_only
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _added(request)
    wanted = keepable(request.GET.get("path", ""))
    if not wanted:
        return _ask(request, "")
    try:
        found = candidate(wanted, request.GET.get("dialect", ""))
    except Refusal as refused:
        return _ask(request, wanted, translate(str(refused)), status=422)
    return _confirm(request, found)


def _added(request: HttpRequest) -> HttpResponse:
    path = request.POST.get("path", "")
    try:
        found = candidate(path, request.POST.get("dialect", ""))
        form = AddForm(request.POST, found=found.site)
        if not form.is_valid():
            return _confirm(request, found, form, status=422)
        given = form.cleaned_data
        bot = registry.add(found.site.directory, given["dialect"], given["name"], given["time_zone"])
    except Refusal as refused:
        return _ask(request, path, translate(str(refused)), status=422)
    words = _("Restored %(name)s with its history.") if found.site.removed else _("Added %(name)s")
    messages.success(request, words % {"name": bot.name})
    return redirect("memory:overview", bot.slug)


@operators_only
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(Bot, slug=slug)
    if request.method != "POST":
        return _about_removal(request, bot)
    forgets = request.POST.get("act") == "forget"
    if forgets and request.POST.get("slug", "").strip() != bot.slug:
        wrong = _("Nothing was deleted: the name you typed isn’t %(slug)s.") % {"slug": bot.slug}
        return _about_removal(request, bot, wrong=wrong, status=422)
    try:
        registry.forget(bot) if forgets else registry.remove(bot)
    except (Refusal, journal.Busy) as error:
        return _about_removal(request, bot, problem=translate(str(error)), status=409)
    words = _("The history of %(name)s was deleted. Its files are unchanged.")
    removed = _("Removed %(name)s. Its files are unchanged and its history is kept.")
    messages.success(request, (words if forgets else removed) % {"name": bot.name})
    return redirect("bots")


@operators_only
@post_only
def sample(request: HttpRequest) -> HttpResponse:
    try:
        family = request.POST.get("family") or samples()[0][0]
        if family not in dict(samples()):
            raise Http404("There is no such sample.")
        bot = registry.add_sample(timezone.now(), family)
    except (Refusal, OSError) as error:
        return _ask(request, "", str(error), status=422)
    return redirect("memory:overview", bot.slug)


@operators_only
@post_only
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(Bot, slug=slug)
    try:
        if bot.removed is not None:
            registry.bring_back(bot)
    except Refusal as refused:
        messages.error(request, f"{bot.name}: {translate(str(refused))}")
        return redirect("bots")
    messages.success(request, _("Restored %(name)s with its history.") % {"name": bot.name})
    return redirect("memory:overview", bot.slug)


def _ask(request: HttpRequest, path: str, problem: str = "", status: int = 200) -> HttpResponse:
    context = {"path": path, "problem": problem, "place": "bots", "samples": samples()}
    return render(request, "memory/site/bot_add.html", context, status=status)


def _confirm(request: HttpRequest, found: BotCandidate, form: AddForm | None = None, status: int = 200) -> HttpResponse:
    site = found.site
    initial = {
        "path": str(site.directory),
        "name": site.removed.name if site.removed else registry.call(site.directory),
        "time_zone": site.removed.time_zone if site.removed else "UTC",
        "dialect": found.chosen,
    }
    context = {
        "candidate": found,
        "families": families() if site.dialect and not site.removed else (),
        "form": form or AddForm(initial=initial, found=site),
        "zones": time_zones.offered(),
        "place": "bots",
    }
    return render(request, "memory/site/bot_confirm.html", context, status=status)


def _about_removal(
    request: HttpRequest, bot: Bot, *, problem: str = "", wrong: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "about": bot,
        "named": registry.named_by_environment(bot),
        "problem": problem,
        "wrong": wrong,
        **({"place": "bots"} if bot.removed else {"place": "bot_remove", "bot": bot}),
        "secrets": bot.secrets.filter(revoked=None).count(),
    }
    return render(request, "memory/site/bot_remove.html", context, status=status)


def _with_facts(found: QuerySet[Bot]) -> QuerySet[Bot]:
    # an index holds the sum; facts are many
    held = Document.objects.filter(bot=OuterRef("pk")).order_by().values("bot")
    facts = held.annotate(number=Sum("facts_count"))
    number = Coalesce(Subquery(facts.values("number"), output_field=IntegerField()), 0)
    return found.annotate(facts_number=number).prefetch_related(Prefetch("roots", Root.objects.order_by("name")))
