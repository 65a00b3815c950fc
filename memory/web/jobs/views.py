"""The jobs on Tidy up: those that run, and the list of all: how far they are, which of them wait for somebody."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from memory import llm
from memory.llm import usage
from memory.models import Bot, Job
from memory.text.storable import as_number
from memory.web.base.authors import who_did
from memory.web.base.gauges import money
from memory.web.base.responses import HtmxHttpRequest
from memory.web.checks.tidy import around
from memory.web.jobs.filters import Filter, filters
from memory.web.jobs.words import (
    KINDS,
    STATES,
    about,
    gauge,
    names_for,
    progress,
    state_of,
    time_left,
    title,
    when,
)

SHOW = "jobs"  # what Tidy up is asked to show
AT_ONCE = 50
OPEN = 5  # jobs that are shown over what else there is to do
CHANGED = "kenoweb:changed"  # what makes a page ask for itself again


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of jobs, newest first. `older` is the key to go on from, `mark` tells one state of the page from another."""

    lines: Sequence[dict[str, object]]
    older: int | None
    state: str
    kind: str
    before: int | None
    mark: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is filtered and nothing stands before it."""
        return not (self.state or self.kind or self.before)


@dataclass(frozen=True, slots=True)
class Running:
    """One open job over what else there is to do: what it is, how far it is, and what it cost so far."""

    pk: int
    kind: str
    about: str
    told: str
    done: int
    total: int


@require_safe
def moved(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The address that the list had as a page of its own: to the same jobs on Tidy up."""
    asked = request.GET.copy()
    asked["show"] = SHOW
    return redirect(reverse("memory:tidy", args=[bot.slug], query=asked))


def shown(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    """Tidy up with the jobs; to who asks whether `seen` still holds, only whether."""
    asked = request.GET
    before = as_number(asked.get("before", ""))
    found = listing(bot, asked.get("state", ""), asked.get("kind", ""), before, request.user.pk)
    if request.htmx and "seen" in asked:
        answer = HttpResponse(status=204)
        return answer if asked["seen"] == found.mark else trigger_client_event(answer, CHANGED)
    counted = _counted(bot)
    context = {
        **around(bot, request.user),
        "place": "jobs",
        "jobs": found,
        "running": any(state in (Job.State.RUNNING, Job.State.QUEUED) for state, _of in counted),
        "states": _states(counted, found),
        "kinds": _kinds(counted, found),
        "has_model": llm.server() is not None,
    }
    return render(request, "memory/jobs/jobs.html", context)


def running(bot: Bot) -> list[Running]:
    """The open jobs of a bot, the one that runs first."""
    found = bot.jobs.filter(state__in=(Job.State.RUNNING, Job.State.QUEUED)).defer("outcome")
    jobs = list(found.order_by("-state", "pk")[:OPEN])
    names = names_for(bot, jobs)
    return [Running(job.pk, title(job, names), about(job, names), _told(bot, job), *gauge(job)) for job in jobs]


def _told(bot: Bot, job: Job) -> str:
    return " · ".join(filter(None, (progress(job, bot), time_left(job), money(usage.of_job(job).micros))))


def listing(bot: Bot, state: str, kind: str, before: int | None, reader: int | None) -> Listing:
    """A page of a bot's jobs: all, or those of a state and a kind. What is no state or no kind filters nothing."""
    state, kind = state if state in STATES else "", kind if kind in KINDS else ""
    wanted = {"state": state, "kind": kind, "pk__lt": before}
    found = bot.jobs.filter(**{name: value for name, value in wanted.items() if value}).defer("outcome")
    here = list(found[: AT_ONCE + 1])
    shown = here[:AT_ONCE]
    mark = [(job.pk, job.state, job.done, job.doing, job.attempt, job.to_cancel) for job in shown]
    return Listing(
        lines=_lines(bot, shown, reader),
        older=shown[-1].pk if len(here) > AT_ONCE else None,
        state=state,
        kind=kind,
        before=before,
        mark=f"{zlib.crc32(repr(mark).encode('utf-8', 'surrogatepass')):08x}",
    )


def _counted(bot: Bot) -> Counter[tuple[str, str]]:
    """How many jobs there are of each state and kind."""
    found = Job.objects.filter(bot=bot).order_by().values_list("state", "kind").annotate(n=Count("pk"))
    return Counter({(state, kind): number for state, kind, number in found})


def _states(counted: Counter[tuple[str, str]], here: Listing) -> list[Filter]:
    """The states of the jobs of the kind that is chosen."""
    left = {state: sum(counted[state, kind] for kind in KINDS if here.kind in ("", kind)) for state in STATES}
    found = [Filter(one, STATES[one][0], number, one == here.state) for one, number in left.items()]
    return filters(found, here.state, _("All"), sum(left.values()))


def _kinds(counted: Counter[tuple[str, str]], here: Listing) -> list[Filter]:
    """The kinds of the jobs of the state that is chosen."""
    left = {kind: sum(counted[state, kind] for state in STATES if here.state in ("", state)) for kind in KINDS}
    found = [Filter(one, KINDS[one], number, one == here.kind) for one, number in left.items()]
    return filters(found, here.kind, _("Any type"), sum(left.values()))


def _lines(bot: Bot, found: Sequence[Job], reader: int | None) -> list[dict[str, object]]:
    names = names_for(bot, found)
    return [_row(bot, job, names, reader) for job in found]


def _row(bot: Bot, job: Job, names: Mapping[str, str], reader: int | None) -> dict[str, object]:
    """A job in the list."""
    state, at = state_of(job), when(job)
    return {
        "pk": job.pk,
        "kind": str(KINDS[job.kind]),
        "about": about(job, names),
        "note": progress(job, bot),
        "state": state.word,
        "level": state.level,
        "by": who_did(bot, job.by, job.user_id, reader),
        "when": at,
    }
