"""Deciding what a job proposes: some of it is accepted or refused, the rest can wait."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from memory import index
from memory.domain.errors import Refusal
from memory.jobs import review
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.models import Bot, Job, Proposal
from memory.text.storable import as_number
from memory.web.base import ticks
from memory.web.base.forms import is_meant
from memory.web.base.gauges import number_of
from memory.web.base.headlines import compacted
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.jobs.held import mark_of, next_after
from memory.web.jobs.proposal_rows import DIGITS
from memory.web.jobs.proposals import ticked
from memory.webhook import accepting

TOLD = 3  # reasons that a message names
ALL = "all"  # in place of numbers: what is ticked, or whatever is open


@post_only
def accept(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """Write what is ticked of the proposals."""
    job = get_object_or_404(bot.jobs, pk=pk)
    chosen = None if request.POST.get(ALL) == "plain" else _chosen(request, job)
    if chosen is not None and not chosen:
        messages.info(request, _("Nothing selected. Nothing was changed."))
        return _on(request, job)
    if why := _edited(request, bot, job):
        messages.error(request, why)
        return _on(request, job)
    outcome = review.accept(job, chosen, by(request), past_limit=is_meant(request.POST))
    if isinstance(outcome, NotAccepted):
        messages.error(request, " ".join([translate(outcome.reason), *_reasons(outcome)]))
        return _on(request, job)
    index.refresh(bot)
    say_done(request, _told(outcome), outcome.change_set)
    return _on(request, job, chosen)


@post_only
def refuse(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """What is ticked of the proposals is not wanted, or nothing that is still open."""
    job = get_object_or_404(bot.jobs, pk=pk)
    chosen = None if request.POST.get(ALL) == "open" else _chosen(request, job)
    if chosen is not None and not chosen:
        messages.info(request, _("Nothing selected. Nothing was changed."))
        return _on(request, job)
    number = review.refuse(job, chosen, by(request))
    words = number_of("%(count)s skipped. No file was changed.", "%(count)s skipped. No file was changed.", number)
    if job.kind == Job.Kind.HELD:
        words = number_of(
            "%(count)s rejected. No file was changed.", "%(count)s rejected. No file was changed.", number
        )
    messages.success(request, words)
    return _on(request, job, chosen)


def _on(request: HttpRequest, job: Job, decided: Sequence[int] | None = None) -> HttpResponse:
    """Back to the page, of what is held to the row that comes next."""
    response = back(request, reverse("memory:job", args=[job.bot.slug, job.pk]))
    if job.kind == Job.Kind.HELD and decided and (number := next_after(job, decided)):
        response["Location"] = f"{response['Location'].partition('#')[0]}#p-{number}"
    return response


def _edited(request: HttpRequest, bot: Bot, job: Job) -> str:
    """Why what somebody made of a text that is held cannot be kept; "" if it is, or nothing was edited."""
    number = request.POST.get("edit", "")
    row = Proposal.objects.select_related("delivery").filter(job=job, number=as_number(number, DIGITS) or 0).first()
    if not number or row is None or job.kind != Job.Kind.HELD:
        return ""
    text = request.POST.get(f"text-{number}", "").replace("\r\n", "\n")
    if text == row.text:
        return ""
    try:
        if request.POST.get(f"was-{number}") != mark_of(row):
            raise ValueError(accepting.DECIDED)
        accepting.reword(bot, row, text)
    except (ValueError, Refusal) as error:
        return translate(str(error))
    return ""


def _chosen(request: HttpRequest, job: Job) -> list[int]:
    """The numbers that somebody named, or that are ticked in the table."""
    if ALL in request.POST:
        return ticked(job, ticks.choice(request.POST))
    numbers = (as_number(sent, DIGITS) for name in ("number", "edit") for sent in request.POST.getlist(name))
    return [number for number in numbers if number is not None]


def _told(done: Accepted) -> str:
    words = number_of("%(count)s accepted.", "%(count)s accepted.", len(done.applied))
    if done.change_set is None:
        words = _("%(words)s The files already match.") % {"words": words}
    elif "moved" in done.change_set.details:
        words = f"{compacted(done.change_set.details)}."
    return " ".join([words, *_reasons(done)])


def _reasons(outcome: Accepted | NotAccepted) -> list[str]:
    """Why some were left, each reason once."""
    if not outcome.refused:
        return []
    words = number_of("%(count)s couldn’t be applied:", "%(count)s couldn’t be applied:", len(outcome.refused))
    reasons = list(dict.fromkeys(translate(why) for _number, why in outcome.refused))
    return [words, *reasons[:TOLD]]
