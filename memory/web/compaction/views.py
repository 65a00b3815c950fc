"""Compaction: the plan line by line, what one by meaning would ask, and the run. Only the plan that somebody saw is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from memory import index, journal, llm
from memory.bots import open_bot
from memory.bots.automation import LINES, MEANING, automation_of
from memory.bots.costs import costs_of
from memory.checks import findings, recall_tests
from memory.compaction import backlog, consolidation, job, plan_cache, runner
from memory.compaction.consolidation import Prospect
from memory.curation import documents, parted
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.domain.plan import NOTHING_CHOSEN, Plan
from memory.jobs.expected import takes_long
from memory.journal.undone import undone
from memory.llm import budget
from memory.models import Bot, ChangeSet, Job, Revision
from memory.text.markdown.fences import end_fence, open_fence
from memory.text.sentences import say
from memory.web.base import shown_secrets
from memory.web.base.change_rows import became, not_standing, who
from memory.web.base.chat_frame import head
from memory.web.base.forms import PlanForm
from memory.web.base.gauges import money
from memory.web.base.headlines import compacted, headline
from memory.web.base.responses import by, closed_by, post_only
from memory.web.base.shown_secrets import asked_again
from memory.web.base.translation import translate
from memory.web.compaction.asides import Asides, asides
from memory.web.compaction.bars import priced, sizes_of
from memory.web.compaction.plan_rows import FOLDED, filtered, folded, grouped_rows, planned
from memory.web.compaction.suggestions import AT_ONCE
from memory.web.documents.editor_state import open_or_404
from memory.web.overview import tier_cards
from memory.web.overview.attention import doomed

CHANGED = gettext_lazy("The files or your selection have changed since, so here is a new plan. Nothing was written.")
RUNS = 5  # earlier ones that are named
FOLLOWS = 20_000  # decisions of a plan that follows each tick; one of that many is made in a second or two
LOOKED_AT = 50  # jobs


@dataclass(frozen=True, slots=True)
class _Offer:
    """What a run would ask. `money` is what reading it costs, "" without a price; `job` does it already, what `planned` proposes
    waits for somebody; `problem` says why it cannot be told what a run would ask."""

    prospect: Prospect | None
    money: str
    job: int | None
    planned: int | None
    problem: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@closed_by(runner.compaction_problem)
@asked_again
def plan(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The plan; posted is what somebody chose of it, which may be more than an address holds. Nothing is written."""
    return _plan(request, bot)


def _plan(request: HttpRequest, bot: Bot) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    form = PlanForm(asked, bot=bot)
    if not form.is_valid():
        return _page(request, bot, form, 422)
    days = form.cleaned_data["retention_days"] or open_bot(bot).settings.memory_retention_days
    waiting = backlog.backlog(bot, form.asked_scope, open_bot(bot).old_before(days))
    if waiting.is_much and "plan" not in request.GET and request.method != "POST":
        return _page(request, bot, form, backlog=waiting, days=days)
    if _by_meaning(bot, asked.get("by", "")) and request.method != "POST":
        return _page(request, bot, form, offer=_offer(bot, form.scopes(), form.options()), days=days)
    return _shown(request, bot, form, plan_cache.cached_plan(bot, form.scopes(), **form.options()))


def _shown(request: HttpRequest, bot: Bot, form: PlanForm, known: plan_cache.CachedPlan) -> HttpResponse:
    opened = open_bot(bot)
    days = form.cleaned_data["retention_days"] or opened.settings.memory_retention_days
    aside = asides(bot)
    shown = planned(known, opened.dialect, form.data, form.choice, opened.limit, aside)
    shown["sizes"] = [priced(one, costs_of(bot)) for one in shown["sizes"]]
    waits = len(known.plan.decisions) > FOLLOWS  # for every tick it would be planned again
    over = [one for one in shown["sizes"] if opened.limit and one.whole > opened.limit.roomy]
    return _page(
        request,
        bot,
        form,
        planned=shown,
        days=days,
        waits=waits,
        over=over,
        limit=opened.limit,
        old_elsewhere=0 if known.plan.sources else backlog.elsewhere(bot, form.asked_scope, opened.old_before(days)),
        deleted=sum(one < aside.deleted_before for one in known.days),
        doubted=any(one.doubted for one in known.plan.decisions),
        unchecked=bool(known.plan.decisions) and findings.last_look(bot) is None,
        against=sum((one.path, one.key) in aside.others for one in known.plan.decisions if aside.others),
    )


@post_only
@closed_by(runner.compaction_problem)
@asked_again
def apply(request: HttpRequest, bot: Bot) -> HttpResponse:
    if shown_secrets.ARE in request.POST:
        return _plan(request, bot)
    form = PlanForm(request.POST, bot=bot)
    if not form.is_valid():
        return _page(request, bot, form, 422)
    scopes, options = form.scopes(), form.options()
    known = plan_cache.cached_plan(bot, scopes, **options)
    if known.fingerprint != request.POST.get("fingerprint"):
        messages.warning(request, CHANGED)
        return _again(request, bot, form, known)
    if takes_long(files=len(known.plan.changes), facts=len(known.plan.decisions)):
        options |= {name: sorted(options[name]) for name in ("leave", "move")}
        return redirect("memory:job", bot.slug, job.start(bot, scopes, by(request), known.counts, **options).pk)
    try:
        ran = runner.run(bot, scopes, by(request), **options)
    except (journal.Busy, VaultError) as error:
        ran = Refused(str(error))
    if isinstance(ran, Refused):
        messages.error(request, translate(ran.reason))
        return _again(request, bot, form, known)
    return _after(request, bot, ran)


@post_only
@closed_by(runner.compaction_problem)
def close_fence(request: HttpRequest, bot: Bot) -> HttpResponse:
    """A line more in the document that an open fence keeps from being added to; its change can be seen and taken back."""
    opened = open_or_404(bot, request.POST.get("path", ""))
    fence = open_fence(opened.text)
    if fence is None:
        messages.info(request, _("All code fences in the file are already closed. Nothing was written."))
        return redirect("memory:compaction", bot.slug)
    why = say("Closed the code fence of line %(line)s", line=fence.line)
    try:
        saved = documents.save(bot, opened.path, end_fence(opened.text, fence), opened.sha256, by(request), why)
    except (journal.Busy, VaultError) as error:
        saved = Refused(str(error))
    if isinstance(saved, documents.Saved) and saved.change_set:
        return redirect("memory:change_set", bot.slug, saved.change_set.pk)
    messages.error(request, translate(saved.reason) if isinstance(saved, Refused) else CHANGED)
    return redirect("memory:compaction", bot.slug)


def _after(request: HttpRequest, bot: Bot, ran: runner.Ran) -> HttpResponse:
    if ran.change_set is None:
        messages.info(request, _("Nothing to compact. Nothing was written."))
        return redirect("memory:compaction", bot.slug)
    index.refresh(bot)
    messages.success(request, compacted(ran.change_set.details))  # its page has Undo
    return redirect("memory:run", bot.slug, ran.change_set.pk)


def _again(request: HttpRequest, bot: Bot, form: PlanForm, known: plan_cache.CachedPlan) -> HttpResponse:
    """The plan as it is now, with the same options and what was chosen of it."""
    if form.choice != NOTHING_CHOSEN:
        return _shown(request, bot, form, known)
    options = {name: form.data[name] for name in form.fields if form.data.get(name)} | {"plan": "1"}
    return redirect(f"{reverse('memory:compaction', args=[bot.slug])}?{urlencode(options)}")


@require_safe
def run(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    one = bot.change_sets.filter(pk=pk, kind=ChangeSet.Kind.COMPACTION).select_related("job").first()
    if one is None:
        return redirect("memory:change_set", bot.slug, pk)
    if one.job and one.job.kind == Job.Kind.CONSOLIDATION:
        return redirect("memory:job", bot.slug, one.job.pk)  # its decisions are proposals
    state, back = not_standing(one), undone(bot, [one.pk]).get(one.pk)
    decisions = () if state else runner.decisions_of(one)
    lost = parted.lost_facts(bot, one, back.paths) if back and not back.wholly else []
    numbers = plan_cache.numbers(decisions)
    shown, fate = filtered(decisions, request.GET.get("fate", ""))
    first, alike = folded(shown)
    page = Paginator(first, AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "compaction",
        "set": one,
        "state": state,
        "sizes": [] if state else sizes_of([one.details], open_bot(bot).limit),
        "numbers": numbers,
        "page": page,
        "groups": grouped_rows(page, alike, Plan(decisions), open_bot(bot).dialect, FOLDED, Asides(), done=True),
        "facts": numbers["all"],
        "found": sum(decision.is_fact for decision in shown),
        "headline": headline(bot, one, ()),
        "by": who(bot, one, request.user.pk),
        "fate": fate,
        "back": back,
        "lost": runner.lost_facts(one, lost),
        "lost_from": ", ".join(sorted({fact.path for fact in lost})),
        "redo": back.by if back and _wrote(back.by, lost) else None,
        "became": became(back),
        "long_term": open_bot(bot).long_term,
        "broken": recall_tests.changed_by(one)[0],
        "pass": recall_tests.passing(bot),
    }
    return render(request, "memory/compaction/run.html", context)


def _wrote(pk: int, lost: Sequence[parted.Lost]) -> bool:
    """Whether it was this change alone that took such facts out of their files."""
    paths = {fact.path for fact in lost}
    return Revision.objects.filter(change_set=pk, path__in=paths, done=True).count() == len(paths) > 0


def _page(request: HttpRequest, bot: Bot, form: PlanForm, status: int = 200, **shown: object) -> HttpResponse:
    """The page with the plan, with the backlog that is yet to be planned, or with what is wrong in the form."""
    chat = head(bot, form.chat) if form.chat else None
    sums, deleted_before = tier_cards.sums(bot), open_bot(bot).deleted_before()
    due_elsewhere = backlog.elsewhere(bot, form.asked_scope, deleted_before) if sums.doomed else 0
    context = {
        "bot": bot,
        "place": "chats" if chat else "compaction",
        "chat": chat,
        "chat_tab": "compaction",
        "form": form,
        "dangers": list(doomed(bot, sums)),
        "doomed": sums.doomed,
        "due": sums.doomed - due_elsewhere,
        "due_elsewhere": due_elsewhere,
        "deletes_after": open_bot(bot).family.deletes_after(open_bot(bot).settings),
        "runs": _runs(request, bot),
        "has_model": llm.server() is not None,
        "by_meaning": _by_meaning(bot, request.GET.get("by", "")),
        **shown,
    }
    return render(request, "memory/compaction/plan.html", context, status=status)


def _runs(request: HttpRequest, bot: Bot) -> list[dict[str, object]]:
    """The newest first. `became`: what became of it since."""
    sets = list(ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.COMPACTION)[:RUNS])
    back = undone(bot, [one.pk for one in sets])
    me = request.user.pk
    return [
        {
            "pk": one.pk,
            "headline": headline(bot, one, ()),
            "by": who(bot, one, me),
            "when": one.finished or one.created,
            "state": not_standing(one),
            "became": became(back.get(one.pk)),
        }
        for one in sets
    ]


def _by_meaning(bot: Bot, asked: str) -> bool:
    """Whether the page of compaction is about the one by meaning: as asked for (`lines`, `meaning`), else as is set."""
    chosen = asked if asked in (LINES, MEANING) else automation_of(bot).compact_by
    return chosen == MEANING and llm.server() is not None


def _offer(bot: Bot, scopes: Iterable[str], options: Mapping[str, Any]) -> _Offer:
    """What compaction of these scopes by meaning would take."""
    wanted = tuple(scopes)
    job = _latest(bot, wanted, (Job.State.QUEUED, Job.State.RUNNING))
    planned = _latest(bot, wanted, (Job.State.PLANNED,))
    try:
        found = consolidation.prospect(bot, wanted, **options)
    except VaultError as error:
        return _Offer(None, "", job, planned, translate(str(error)))
    if found.stopped:
        return _Offer(None, "", job, planned, translate(found.stopped))
    return _Offer(found, money(round(costs_of(bot).dollars(found.tokens) * budget.MICROS)), job, planned)


def _latest(bot: Bot, scopes: tuple[str, ...], states: Iterable[Job.State]) -> int | None:
    """The newest job of these scopes that stands so."""
    found = Job.objects.filter(bot=bot, kind=Job.Kind.CONSOLIDATION, state__in=states).values_list("pk", "params")
    return next((pk for pk, params in found[:LOOKED_AT] if params.get("scopes") == list(scopes)), None)
