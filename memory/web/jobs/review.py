"""Deciding what a job proposes: some of it is accepted or refused, the rest can wait."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memory import index
from memory.access.permissions import bot_or_404
from memory.jobs import review
from memory.jobs.outcomes import Done, NotAccepted
from memory.models import Bot, Job
from memory.web.base import ticks
from memory.web.base.change_rows import compacted
from memory.web.base.forms import is_meant
from memory.web.base.gauges import grouped
from memory.web.base.responses import back, by
from memory.web.base.said import said
from memory.web.jobs.proposals import ticked

TOLD = 3  # reasons that a message names
ALL = "all"  # in place of numbers: what is ticked, or whatever is open


@require_POST
def accept(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Write what is ticked of the proposals."""
    bot = bot_or_404(request, slug)
    job = _one(bot, pk)
    chosen = _chosen(request, job)
    if not chosen:
        messages.info(request, _("Nothing selected. Nothing was changed."))
        return back(request, _here(bot, pk))
    outcome = review.accept(job, chosen, by(request), past_limit=is_meant(request.POST))
    if isinstance(outcome, NotAccepted):
        messages.error(request, " ".join([said(outcome.reason), *_reasons(outcome)]))
        return back(request, _here(bot, pk))
    index.refresh(bot)
    tags = f"undo-{outcome.change_set.pk}" if outcome.change_set else ""
    messages.success(request, _told(outcome), extra_tags=tags)
    return back(request, _here(bot, pk))


@require_POST
def refuse(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What is ticked of the proposals is not wanted, or nothing that is still open."""
    bot = bot_or_404(request, slug)
    job = _one(bot, pk)
    number = review.refuse(job, None if request.POST.get(ALL) == "open" else _chosen(request, job))
    words = ngettext("%(count)s skipped. No file was changed.", "%(count)s skipped. No file was changed.", number)
    messages.success(request, words % {"count": grouped(number)})
    return back(request, _here(bot, pk))


def _one(bot: Bot, pk: int) -> Job:
    job = get_object_or_404(Job, bot=bot, pk=pk)
    job.bot = bot  # it would be asked for again
    return job


def _here(bot: Bot, pk: int) -> str:
    return reverse("memory:job", args=[bot.slug, pk])


def _chosen(request: HttpRequest, job: Job) -> list[int]:
    """The numbers that somebody named, or that are ticked in the table."""
    if ALL in request.POST:
        return ticked(job, ticks.choice(request.POST))
    return [int(number) for number in request.POST.getlist("number") if number.isdecimal() and len(number) < 10]


def _told(done: Done) -> str:
    number = len(done.applied)
    words = ngettext("%(count)s accepted.", "%(count)s accepted.", number) % {"count": grouped(number)}
    if done.change_set is None:
        words = _("%(words)s The files already match.") % {"words": words}
    elif "moved" in done.change_set.details:
        words = f"{compacted(done.change_set.details)}."
    return " ".join([words, *_reasons(done)])


def _reasons(outcome: Done | NotAccepted) -> list[str]:
    """Why some were left, each reason once."""
    if not outcome.refused:
        return []
    number = len(outcome.refused)
    words = ngettext("%(count)s couldn’t be applied:", "%(count)s couldn’t be applied:", number)
    reasons = list(dict.fromkeys(said(why) for _number, why in outcome.refused))
    return [words % {"count": grouped(number)}, *reasons[:TOLD]]
