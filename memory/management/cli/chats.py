"""Commands about chats that ask the language model: summarise and pick queue a job, or do it here and wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from memory import journal
from memory.compaction import chats
from memory.jobs.tasks import run_job
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, one_line, plural, table
from memory.models import Bot, Job, Proposal

LOOK = 0.5  # seconds between looks at a job that another worker does
Queue = Callable[[Bot, str, journal.By], Job]


def register(commands: Any) -> None:
    _register(commands, "summarise", summarise, "suggest a working memory for a chat: a summary of what was said")
    _register(commands, "pick", pick, "suggest facts from what a chat said since the last time")


def _register(commands: Any, name: str, act: Callable[[Invocation], Output], words: str) -> None:
    parser = add(commands, name, act, words, writes=True)
    parser.add_argument("--chat", metavar="ID", required=True, help="the chat ID")
    parser.add_argument("--wait", action="store_true", help="run the job here and wait for it")


def summarise(call: Invocation) -> Output:
    return _asked(call, chats.summarise)


def pick(call: Invocation) -> Output:
    return _asked(call, chats.pick)


def _asked(call: Invocation, queue: Queue) -> Output:
    try:
        job = queue(call.bot, call.options.chat, BY)
    except chats.Unfit as unfit:
        raise CommandRefused(str(unfit)) from None
    if not call.options.wait:
        return _told(job, f"Job {job.pk} is queued.")
    job = _done(job)
    found = Proposal.objects.filter(job=job).count()
    if job.state == Job.State.FAILED or job.is_open:
        again = " It is tried again later." if job.is_open else ""
        return _told(job, "", problem=f"Job {job.pk}: {job.trouble}{again}")
    return _told(job, f"Job {job.pk}: {plural(found, 'suggestion')}, {job.state}. {job.trouble}".rstrip())


def _done(job: Job) -> Job:
    """The job after an attempt here, or after that of the worker who was faster."""
    run_job.call(job.pk)
    job.refresh_from_db()
    while job.state == Job.State.RUNNING:
        time.sleep(LOOK)
        job.refresh_from_db()
    return job


def _told(job: Job, text: str, problem: str = "") -> Output:
    rows = list(Proposal.objects.filter(job=job).order_by("number"))
    data = {
        "job": job.pk,
        "state": job.state,
        "trouble": job.trouble,
        "proposals": [
            {"number": one.number, "state": one.state, "path": one.path, "text": one.text, "flags": one.flags}
            for one in rows
        ],
    }
    shown = table([(one.number, one.state, one_line(one.text, 80), " ".join(one.flags)) for one in rows])
    return Output(data, lines([shown, text]), problem=problem)
