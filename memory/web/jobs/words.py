"""A job in words: what kind of work it is, how it stands, what it is about, how far it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.compaction import job as compaction
from memory.compaction.runner import Counts
from memory.jobs import steps, undoing
from memory.models import Bot, Job
from memory.web.base.chat_names import names_of
from memory.web.base.dates import as_of
from memory.web.base.frame import closed_pages
from memory.web.base.gauges import grouped, number_of
from memory.web.base.translation import translate

KINDS: Mapping[str, str | Promise] = {
    Job.Kind.COMPACTION: later("Compaction"),
    Job.Kind.CONSOLIDATION: later("Compaction with the language model"),
    Job.Kind.SUMMARY: later("Chat summary"),
    Job.Kind.EXTRACTION: later("Facts picked from a chat"),
    Job.Kind.HELD: later("Held for review"),
    Job.Kind.CHECK: later("Full check"),
    Job.Kind.UNDO: later("Undo"),
    Job.Kind.IMPORT: later("Import"),
}
# Each state as a filter is called, as a job's chip says it, and how that is meant.
STATES: Mapping[str, tuple[str | Promise, str | Promise, str]] = {
    Job.State.PLANNED: (later("Needs review"), later("needs review"), "warn"),
    Job.State.RUNNING: (later("Running"), later("running"), "good"),
    Job.State.QUEUED: (later("Queued"), later("queued"), ""),
    Job.State.FAILED: (later("Failed"), later("failed"), "bad"),
    Job.State.APPLIED: (later("Finished"), later("finished"), "good"),
    Job.State.CANCELLED: (later("Cancelled"), later("cancelled"), ""),
}
STAGES = (Job.Kind.COMPACTION, *steps.AS_ONE)  # what prepares its files before it changes any
MINUTE = 60  # seconds
KNOWN = 3  # seconds of work, and a tenth of it, before what is left is told by them


@dataclass(frozen=True, slots=True)
class State:
    """How a job stands: a word, and `good`, `warn`, `bad` or "" for how it is meant."""

    word: str
    level: str


def state_of(job: Job) -> State:
    """How a job stands."""
    if job.state == Job.State.RUNNING and job.to_cancel:
        return State(_("stopping"), "warn")
    _filter, word, level = STATES[job.state]
    return State(str(word), level)


def chat_of(job: Job) -> str:
    """The one chat that a job is about, "" if it is about none or about several."""
    chat = job.params.get("chat")
    if isinstance(chat, str) and chat:
        return chat
    scopes = _scopes(job)
    return scopes[0] if len(scopes) == 1 else ""


def about(job: Job, names: Mapping[str, str]) -> str:
    """Whose memory a job works on. `names` are what people call the chats."""
    if job.kind == Job.Kind.CHECK:
        return _("all facts and files")
    if chat := chat_of(job):
        return names.get(chat, chat)
    if job.kind == Job.Kind.HELD:
        return _("from deliveries and API keys")
    if job.kind == Job.Kind.UNDO:
        return _("change %(number)s") % {"number": job.params["change"]}
    if job.kind == Job.Kind.IMPORT:
        return str(job.params["file"])
    chats = [scope for scope in _scopes(job) if scope]
    if not chats:
        return _("daily logs") if "due" in closed_pages(job.bot.dialect, has_chats=False) else _("shared logs")
    return number_of("shared logs and those of %(count)s chat", "shared logs and those of %(count)s chats", len(chats))


def names_for(bot: Bot, jobs: Iterable[Job]) -> dict[str, str]:
    """What people call the chats that some jobs are about, in one statement or none."""
    chats = {chat for job in jobs if (chat := chat_of(job))}
    return names_of(bot, chats) if chats else {}


def progress(job: Job, bot: Bot) -> str:
    """How far an open job is, or what came of one that is over, in a few words; "" where there is nothing to say."""
    if job.state == Job.State.QUEUED:
        return waits_until(job, bot)
    if job.state == Job.State.RUNNING:
        return " · ".join(filter(None, (so_far(job), translate(job.doing))))
    if job.state in (Job.State.FAILED, Job.State.CANCELLED):
        return translate(job.trouble)
    return ""


def so_far(job: Job) -> str:
    """`12 of 40`, of an undo or an import `44%`; "" before it is known how much there is."""
    if job.kind in steps.AS_ONE:
        return _("%(percent)s%%") % {"percent": percent_of(job)}
    compacts = job.kind == Job.Kind.COMPACTION
    if not job.total or not counts(job) or (compacts and len(_scopes(job)) > 1):
        return ""
    of_logs = compacts and (not _writes(job) or compaction.only_archives(job))
    words = _("%(done)s of %(all)s logs") if of_logs else _("%(done)s of %(all)s")
    return words % {"done": grouped(job.done), "all": grouped(job.total)}


def percent_of(job: Job) -> int:
    """How far a job is over all its steps."""
    return steps.percent(job.kind, job.doing, job.done, job.total)


def gauge(job: Job) -> tuple[int, int]:
    """What its bar shows: so much of so much, of 0 before it is known how much there is."""
    if job.kind in steps.AS_ONE:
        return percent_of(job), 100
    total = job.total if counts(job) else 0
    return min(job.done, total), total


def counts(job: Job) -> bool:
    """Whether what a job is at is what it counts: a compaction counts the logs that it reads, and like an undo the files that it
    writes."""
    return _reads(job) or _writes(job)


def copies(job: Job) -> int:
    """How many files a job has prepared beside their places, where that is what it counts and it can still be cancelled."""
    return job.done if _writes(job) and job.can_cancel and so_far(job) else 0


def _reads(job: Job) -> bool:
    """Whether a job is at the step that it counts from the beginning; one without stages always is."""
    return job.kind not in STAGES or steps.at(job.kind, job.doing) == 0


def _writes(job: Job) -> bool:
    """Whether a job is at writing its files, of one that prepares them first."""
    return job.kind in STAGES and steps.writes(job.doing)


def steps_of(job: Job) -> list[dict[str, object]]:
    """The steps of a job that runs: `done`, `now` or "" for one that is to come."""
    if job.state != Job.State.RUNNING:
        return []
    at = steps.at(job.kind, job.doing)
    archives = job.kind == Job.Kind.COMPACTION and compaction.only_archives(job)
    place = -1 if at is None else at
    return [
        {
            "name": _named(step, archives),
            "state": "done" if number < place else "now" if number == place else "",
        }
        for number, step in enumerate(steps.STEPS.get(job.kind, ()))
    ]


def _named(step: steps.Step, archives: bool) -> str:
    return translate(steps.ARCHIVE if archives and steps.WRITING in step.said else step.name)


def title(job: Job, names: Mapping[str, str]) -> str:
    """What an open job is at, as far as that is known; else what kind of work it is."""
    chat = chat_of(job)
    if job.is_open and job.kind == Job.Kind.COMPACTION:
        return _does(compaction.planned_counts(job)) or str(KINDS[job.kind])
    if job.is_open and job.kind == Job.Kind.SUMMARY and chat:
        return _("Summarising %(chat)s") % {"chat": names.get(chat, chat)}
    if job.kind == Job.Kind.UNDO and undoing.goes_back(job):
        return _("Go back to this version")
    if job.kind == Job.Kind.UNDO and job.params["redoes"]:
        return _("Redo")
    return str(KINDS[job.kind])


def _does(plan: Counts) -> str:
    if plan.moved:
        return number_of("Moving %(count)s fact", "Moving %(count)s facts", plan.moved)
    if plan.archived:
        return number_of("Archiving %(count)s log", "Archiving %(count)s logs", plan.archived)
    return ""


def time_left(job: Job) -> str:
    """About how long a job that runs still takes, by how long it took so far; "" before that tells anything. The stages behind the
    first count as much as that, as in its percentage: told of that alone, a second would be left of half a minute."""
    began = job.started if _reads(job) and job.kind not in steps.AS_ONE else None  # its steps take as long as they like
    if job.state != Job.State.RUNNING or not began or not job.total <= 10 * job.done < 10 * job.total:
        return ""
    took = (timezone.now() - began).total_seconds()
    if took < KNOWN:
        return ""
    whole = job.total * (len(steps.STEPS[job.kind]) if job.kind in STAGES else 1)
    seconds = took * (whole - job.done) / job.done
    if seconds < MINUTE:
        return _("about %(seconds)s s left") % {"seconds": grouped(max(1, round(seconds)))}
    return _("about %(minutes)s min left") % {"minutes": grouped(round(seconds / MINUTE))}


def waits_until(job: Job, bot: Bot) -> str:
    """Until when a queued job waits before it is tried again; "" if it waits for nothing but a worker."""
    if job.run_after <= timezone.now():
        return ""
    words = _("Retries at %(when)s.") if job.attempt else _("Starts at %(when)s.")
    return words % {"when": as_of(job.run_after, bot)}


def when(job: Job) -> datetime:
    """The moment that a list of jobs goes by: when it was over, else when it was asked for."""
    return job.finished or job.created


def _scopes(job: Job) -> list[str]:
    scopes = job.params.get("scopes")
    return [scope for scope in scopes if isinstance(scope, str)] if isinstance(scopes, list) else []
