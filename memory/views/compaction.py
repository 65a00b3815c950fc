"""Compaction: the plan line by line, and the run. Nothing is written until somebody applies the plan that they saw."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory import bots, compaction, journal, library
from memory.changes import Delete, Put
from memory.dialects.base import Decision, Fate, Plan
from memory.editing import as_text
from memory.forms import PlanForm
from memory.models import Bot, ChangeSet
from memory.text.tokens import estimate
from memory.vault import VaultError
from memory.views.access import bot_or_404
from memory.views.answers import by
from memory.views.chat import head
from memory.views.measure import Gauge, long_term_gauge
from memory.views.record import entries
from memory.views.said import said

AT_ONCE = 200
CHANGED = gettext_lazy("The files changed since you looked, so here is another plan. Nothing was written.")
FATES = {
    Fate.MOVE: (gettext_lazy("moves"), "good"),
    Fate.DUPLICATE: (gettext_lazy("said already"), ""),
    Fate.KEEP: (gettext_lazy("stays"), "warn"),
    Fate.ARCHIVE: (gettext_lazy("archived"), ""),
}


@dataclass(frozen=True, slots=True)
class Size:
    """One long-term document before and after the run."""

    path: str
    before: int
    after: int
    tokens_before: int
    tokens_after: int
    gauge: Gauge


@dataclass(frozen=True, slots=True)
class Line:
    """One decision as a row: its first line, what follows, where it goes, in words."""

    decision: Decision
    first: str
    rest: str
    goes: str
    fate: str
    level: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan page."""

    plan: Plan
    numbers: Mapping[str, int]
    removed: int
    sizes: Sequence[Size]
    page: Page[Decision]
    lines: Sequence[Line]
    fate: str
    fingerprint: str
    days: int

    @property
    def decided(self) -> int:
        """Facts that something happens to."""
        return self.numbers["move"] + self.numbers["duplicate"] + self.numbers["archive"]


@require_safe
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    form = PlanForm(request.GET, bot=bot)
    if not form.is_valid():
        return _page(request, bot, form, None, 422)
    decided = compaction.plan(bot, form.scopes(), **form.options())
    return _page(request, bot, form, decided)


@require_POST
def apply(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    form = PlanForm(request.POST, bot=bot)
    if not form.is_valid():
        return _page(request, bot, form, None, 422)
    scopes, options = form.scopes(), form.options()
    decided = compaction.plan(bot, scopes, **options)
    if fingerprint(decided) != request.POST.get("fingerprint"):
        messages.warning(request, CHANGED)
        return _again(bot, form)
    try:
        ran = compaction.run(bot, scopes, by(request), **options)
    except (journal.Busy, VaultError) as error:
        ran = compaction.Stopped(str(error))
    return _after(request, bot, form, ran)


def fingerprint(plan: Plan) -> str:
    """What makes two plans the same: every decision, and every byte that would be written."""
    parts = [repr(plan.decisions), plan.stopped]
    parts += [
        f"{change.path} {change.base} {hashlib.sha256(change.data).hexdigest() if isinstance(change, Put) else ''}"
        for change in plan.changes
        if isinstance(change, Put | Delete)
    ]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _after(request: HttpRequest, bot: Bot, form: PlanForm, ran: compaction.Ran | compaction.Stopped) -> HttpResponse:
    if isinstance(ran, compaction.Stopped):
        messages.error(request, said(ran.reason))
        return _again(bot, form)
    if ran.change_set is None:
        messages.info(request, _("There was nothing to compact. Nothing was written."))
        return redirect("memory:compaction", bot.slug)
    library.refresh(bot)
    messages.success(request, _("Compacted."), extra_tags=f"undo-{ran.change_set.pk}")
    return redirect("memory:run", bot.slug, ran.change_set.pk)


def _again(bot: Bot, form: PlanForm) -> HttpResponse:
    """To the plan as it is now, with the same options."""
    options = {name: form.data[name] for name in form.fields if form.data.get(name)}
    return redirect(f"{reverse('memory:compaction', args=[bot.slug])}?{urlencode(options)}")


@require_safe
def run(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    bot = bot_or_404(request, slug)
    one = ChangeSet.objects.filter(bot=bot, pk=pk, kind=ChangeSet.Kind.COMPACTION).first()
    if one is None:
        return redirect("memory:change_set", bot.slug, pk)
    decisions = compaction.decisions_of(one)
    shown, fate = _filtered(decisions, request.GET.get("fate", ""))
    page = Paginator(shown, AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "compaction",
        "set": one,
        "numbers": _numbers(decisions),
        "page": page,
        "lines": [_line(decision) for decision in page.object_list],
        "fate": fate,
        "undone_by": one.undone_by.first(),
    }
    return render(request, "memory/run.html", context)


def _page(request: HttpRequest, bot: Bot, form: PlanForm, decided: Plan | None, status: int = 200) -> HttpResponse:
    shown = _planned(request, bot, form, decided) if decided is not None else None
    chat = head(bot, form.chat) if form.chat else None
    context = {
        "bot": bot,
        "place": "chats" if chat else "compaction",
        "chat": chat,
        "chat_tab": "compaction",
        "form": form,
        "planned": shown,
        "warnings": bots.dialect(bot).warnings(bots.settings(bot)),
        "runs": entries(list(ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.COMPACTION)[:5]), bot),
    }
    return render(request, "memory/compaction.html", context, status=status)


def _planned(request: HttpRequest, bot: Bot, form: PlanForm, decided: Plan) -> Planned:
    shown, fate = _filtered(decided.decisions, request.GET.get("fate", ""))
    page = Paginator(shown, AT_ONCE).get_page(request.GET.get("page"))
    return Planned(
        plan=decided,
        numbers=_numbers(decided.decisions),
        removed=compaction.counts(decided)[2],
        sizes=_sizes(bot, decided),
        page=page,
        lines=[_line(decision) for decision in page.object_list],
        fate=fate,
        fingerprint=fingerprint(decided),
        days=form.cleaned_data["retention_days"] or bots.settings(bot).memory_retention_days,
    )


def _filtered(decisions: Sequence[Decision], fate: str) -> tuple[Sequence[Decision], str]:
    if fate not in set(Fate):
        return decisions, ""
    return [decision for decision in decisions if decision.fate == fate], fate


def _numbers(decisions: Sequence[Decision]) -> dict[str, int]:
    numbers = {fate.value: 0 for fate in Fate}
    for decision in decisions:
        numbers[decision.fate] += 1
    return {**numbers, "all": len(decisions)}


def _sizes(bot: Bot, decided: Plan) -> list[Size]:
    """Long-term memory before and after, tokens by estimate."""
    memory = library.BotMemory(bot)
    results = {change.path: change.data for change in decided.changes if isinstance(change, Put)}
    sizes = []
    for path, (before, after) in decided.sizes.items():
        now = memory.read(path) or b""
        tokens = estimate(as_text(now)), estimate(as_text(results.get(path, now)))
        sizes.append(Size(path, before, after, *tokens, long_term_gauge(after)))
    return sizes


def _line(decision: Decision) -> Line:
    first, _, rest = decision.text.partition("\n")
    fate, level = FATES[decision.fate]
    return Line(decision, first, rest, _goes(decision), str(fate), level)


def _goes(decision: Decision) -> str:
    if decision.fate is Fate.MOVE:
        return decision.target
    if decision.fate is Fate.DUPLICATE:
        path, _colon, line = decision.target.rpartition(":")
        if path:
            return _("line %(line)s of %(path)s says it") % {"line": line, "path": path}
        return _("%(path)s says it") % {"path": decision.target}
    if decision.fate is Fate.ARCHIVE:
        return _("the archive %(path)s") % {"path": decision.target}
    return _("stays in the log")
