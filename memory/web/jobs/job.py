"""One job: what was asked, how far it is, what it proposes, what it changed and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from memory import jobs, journal, llm
from memory.bots import open_bot
from memory.compaction.consolidation.job import WAITS
from memory.domain.errors import VaultError
from memory.jobs import proposals, undoing
from memory.journal import versions
from memory.journal.undone import undone
from memory.llm import usage
from memory.models import Bot, ChangeSet, Job
from memory.registry import importing
from memory.web.base.authors import BY_YOU, who_did
from memory.web.base.change_rows import change_rows
from memory.web.base.chat_names import chat_url
from memory.web.base.dates import ago
from memory.web.base.forms import is_meant
from memory.web.base.gauges import money
from memory.web.base.headlines import compacted
from memory.web.base.responses import HtmxHttpRequest, by, post_only
from memory.web.base.shown_secrets import asked_again
from memory.web.base.translation import translate
from memory.web.compaction.bars import sizes_of
from memory.web.history.undo_words import tell, tell_import
from memory.web.jobs.held import held
from memory.web.jobs.proposals import proposed
from memory.web.jobs.views import CHANGED
from memory.web.jobs.words import (
    STAGES,
    about,
    chat_of,
    copies,
    gauge,
    names_for,
    so_far,
    state_of,
    steps_of,
    time_left,
    title,
    waits_until,
)

PATIENCE = timedelta(seconds=15)  # after which a job that nobody takes wants a word
SETS_SHOWN = 50
ASKS_A_MODEL = (Job.Kind.CONSOLIDATION, Job.Kind.SUMMARY, Job.Kind.EXTRACTION)


@require_http_methods(["GET", "HEAD", "POST"])
@asked_again
def page(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """The job; posted is what somebody ticked of what it proposes, which may be more than an address holds. Nothing is written."""
    job = get_object_or_404(bot.jobs, pk=pk)
    if made := _made_by(job):
        return redirect(_url(bot, made))
    is_held = job.kind == Job.Kind.HELD
    sets = list(ChangeSet.objects.filter(job=job)[:SETS_SHOWN])
    if sets:
        _reopen(job)
    if is_held and job.state == Job.State.PLANNED:
        proposals.close_decided(job)  # whoever decided the last died before that, perhaps
        job.refresh_from_db(fields=["state", "finished", "trouble"])
    wrote = [one for one in sets if one.state == ChangeSet.State.WRITING or versions.was_written(one)]
    cost, clashes = usage.of_job(job), undoing.clashes_of(job)
    is_own = job.user_id is not None and job.user_id == request.user.pk
    gone = {pk for pk, back in undone(bot, _every(job, sets)).items() if back.wholly}
    context = {
        "bot": bot,
        "place": "tidy" if is_held else "jobs",
        "job": job,
        "page": _page(bot, job, request.user.pk),
        "told": told(bot, job, cost),
        "plan": None if job.is_open or is_held else proposed(bot, job, request.POST or request.GET, gone),
        "held": held(request, bot, job) if is_held else None,
        "sizes": sizes_of([one.details for one in reversed(wrote) if one.pk not in gone], open_bot(bot).limit),
        "limit": open_bot(bot).limit,
        "meant": is_meant(request.POST),
        "wrote": bool(wrote),
        "is_half": any(one.state == ChangeSet.State.WRITING for one in sets),
        "entries": change_rows(sets, bot, request.user),
        "cost": cost,
        "money": money(cost.micros),
        "asks": job.kind in ASKS_A_MODEL,
        "clashes": clashes,
        "may_retry": _may_retry(job) and clashes is None,
        "upload": importing.upload_of(job) if is_own and not job.is_open else None,
    }
    return render(request, "memory/jobs/job.html", context)


def _every(job: Job, first: Sequence[ChangeSet]) -> Sequence[int]:
    """All change sets of a job by number, of which these are the first: one that is not shown may be undone, too."""
    if len(first) < SETS_SHOWN:
        return [one.pk for one in first]
    return list(ChangeSet.objects.filter(job=job).values_list("pk", flat=True))


@require_safe
def progress(request: HtmxHttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """How far the job is, for the page that asks each second, or each fifth for what is `spoken`. Once it is over, the page is told
    to look at itself again, or to go to what came of it."""
    job = get_object_or_404(bot.jobs, pk=pk)
    if not request.htmx:
        return redirect("memory:job", bot.slug, pk)
    if "spoken" not in request.GET and (made := _made_by(job)):
        _tell(request, job, made)
        return HttpResponseClientRedirect(_url(bot, made))
    found = told(bot, job, usage.of_job(job))
    told_of = {"bot": bot, "job": job, "told": found, "speaks": True}
    if "spoken" in request.GET:
        return render(request, "memory/jobs/job.html#spoken", told_of)
    response = render(request, "memory/jobs/job.html#progress", told_of)
    return response if request.GET.get("seen") == found["seen"] else trigger_client_event(response, CHANGED)


@post_only
def cancel(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    job = get_object_or_404(bot.jobs, pk=pk)
    stops = jobs.cancel(job)
    job.refresh_from_db(fields=["state"])
    if not stops and job.is_open:
        messages.info(request, _("It is already writing. You can undo it afterwards."))
    elif not stops:
        messages.info(request, _("It had already finished. Nothing was changed."))
    elif job.state == Job.State.QUEUED:
        messages.info(
            request, _("It was interrupted while writing. A change already begun is finished, nothing more is written.")
        )
    elif job.is_open:
        messages.success(request, _("It stops as soon as it can."))
    else:
        messages.success(request, _("Cancelled. Nothing was changed."))
    return redirect("memory:job", bot.slug, pk)


@post_only
def again(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """The same work once more, as a job of its own."""
    job = get_object_or_404(bot.jobs, pk=pk)
    if job.kind == Job.Kind.HELD:  # it is no work
        return redirect("memory:job", bot.slug, pk)
    return redirect("memory:job", bot.slug, jobs.again(job, by(request)).pk)


def told(bot: Bot, job: Job, cost: usage.Spent) -> dict[str, Any]:
    """How far a job is, and what it cost so far. `total` 0: it is not known yet how much there is. `waits` says why an open one has
    not gone on; `failed`, or was cancelled: what it was to do is not done; `moves`: a worker has it; `too_late` to cancel it;
    `stages`: it prepares its files beside their places first, of which `copies` are made already, which cancelling takes away;
    `unattended`: nobody takes it, and no worker is busy with anything else. `seen` is what the page shows of the job beside its
    progress: when this differs, all of it is asked for again."""
    alone, (done, total) = _is_unattended(job), gauge(job)
    return {
        "state": state_of(job),
        "done": done,
        "total": total,
        "so_far": so_far(job),
        "left": time_left(job),
        "money": money(cost.micros),
        "steps": steps_of(job),
        "doing": translate(job.doing),
        "waits": waits_until(job, bot) if job.state == Job.State.QUEUED else "",
        "is_open": job.is_open,
        "failed": job.state in (Job.State.FAILED, Job.State.CANCELLED),
        "moves": job.state == Job.State.RUNNING,
        "too_late": not (job.can_cancel or job.to_cancel),
        "stages": job.kind in STAGES,
        "copies": copies(job),
        "unattended": alone,
        "seen": f"{job.state}-{job.attempt}-{int(job.can_cancel)}-{int(alone)}-{cost.calls}-{cost.tokens}-{ago(job.created, bot)}",
    }


def _made_by(job: Job) -> ChangeSet | None:
    """The one change that a finished compaction, undo or import made, which has its own page; None for none or several."""
    if job.kind not in STAGES or job.state != Job.State.APPLIED:
        return None
    sets = [one for one in ChangeSet.objects.filter(job=job)[:2] if versions.was_written(one)]
    return sets[0] if len(sets) == 1 else None


def _url(bot: Bot, made: ChangeSet) -> str:
    name = "run" if made.kind == ChangeSet.Kind.COMPACTION else "change_set"
    return reverse(f"memory:{name}", args=[bot.slug, made.pk])


def _tell(request: HttpRequest, job: Job, made: ChangeSet) -> None:
    """What came of a job that is over."""
    if made.kind == ChangeSet.Kind.COMPACTION:
        messages.success(request, compacted(made.details))  # its page has Undo
    elif job.kind == Job.Kind.IMPORT:
        tell_import(request, made)
    else:
        tell(request, job.bot, made)


def _may_retry(job: Job) -> bool:
    """Whether it may be done again as it is: a held one is no work, and an import is looked at again before."""
    return job.kind not in (Job.Kind.HELD, Job.Kind.IMPORT) and (
        job.kind not in ASKS_A_MODEL or llm.server() is not None
    )


def _is_unattended(job: Job) -> bool:
    now = timezone.now()
    if job.state != Job.State.QUEUED or job.run_after > now - PATIENCE:
        return False
    return not Job.objects.filter(state=Job.State.RUNNING, lease__gte=now).exists()


def _reopen(job: Job) -> None:
    """What was accepted and did not come into the files after all is open again."""
    if job.is_open:
        return
    with suppress(journal.Busy, VaultError):  # the next look does it
        proposals.reopen(job)
        job.refresh_from_db(fields=["state", "finished", "trouble"])


def _about_url(job: Job, chat: str) -> str:
    if job.kind == Job.Kind.UNDO:
        return reverse("memory:change_set", args=[job.bot.slug, job.params["change"]])
    return chat_url(job.bot, chat) if chat else ""


def _page(bot: Bot, job: Job, reader: int | None) -> dict[str, object]:
    """What stands around the proposals. `tries`: attempts that came to nothing. `trouble` is why the last of them did, or what
    else is to be said of the job."""
    chat = chat_of(job)
    days = job.params.get("retention_days")
    names = names_for(bot, [job])
    return {
        "kind": title(job, names),
        "about": about(job, names),
        "about_url": _about_url(job, chat),
        "by": who_did(bot, job.by, job.user_id, reader, BY_YOU),
        "days": days if isinstance(days, int) else None,
        "tries": job.attempt if job.state == Job.State.QUEUED else max(0, job.attempt - 1),
        "trouble": "" if job.trouble == WAITS else translate(job.trouble),  # the page says so itself
    }
