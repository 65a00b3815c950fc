"""The job that lets the rules look at everything, and says what was looked at."""

from __future__ import annotations

from memory import index, jobs
from memory.checks import findings
from memory.jobs.run import Failed, Outcome, Run
from memory.journal import By
from memory.models import Bot, Document, Fact, Job
from memory.storage import locks
from memory.text.sentences import say

NAME = "everything"


def start(bot: Bot, by: By) -> Job:
    """Queue it; one that waits or runs is returned instead."""
    return jobs.queue(bot, Job.Kind.CHECK, {}, by, name=NAME)


def work(run: Run) -> Outcome:
    """Look at all facts and files as they are now. Nothing is written but findings."""
    bot = run.bot
    index.refresh(bot)
    try:
        findings.check_everything(bot, run.say)
    except locks.Timeout:
        raise Failed(say("Another check is still running."), passes=True) from None
    facts, files = (rows.objects.filter(bot=bot).count() for rows in (Fact, Document))
    found = findings.open_ones(bot)
    sentence = say(
        "Checked %(facts)s facts in %(files)s files. Open findings: %(findings)s.",
        facts=facts,
        files=files,
        findings=found,
    )
    return Outcome(Job.State.APPLIED, {"facts": facts, "files": files, "findings": found}, sentence)
