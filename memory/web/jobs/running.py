"""The jobs of a bot that run or wait for a worker, as rows over what else there is to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.llm import usage
from memory.models import Bot, Job
from memory.web.base.gauges import money
from memory.web.jobs.words import about, gauge, names_for, progress, time_left, title

MOST = 5


@dataclass(frozen=True, slots=True)
class Running:
    """One open job: what it is, how far it is, and what it cost so far."""

    pk: int
    kind: str
    about: str
    told: str
    done: int
    total: int


def running(bot: Bot) -> list[Running]:
    """The open jobs of a bot, the one that runs first."""
    found = bot.jobs.filter(state__in=(Job.State.RUNNING, Job.State.QUEUED)).defer("outcome")
    jobs = list(found.order_by("-state", "pk")[:MOST])
    names = names_for(bot, jobs)
    return [_running(bot, job, names) for job in jobs]


def _running(bot: Bot, job: Job, names: Mapping[str, str]) -> Running:
    return Running(job.pk, title(job, names), about(job, names), _told(bot, job), *gauge(job))


def _told(bot: Bot, job: Job) -> str:
    return " · ".join(filter(None, (progress(job, bot), time_left(job), money(usage.of_job(job).micros))))
