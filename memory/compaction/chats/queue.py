"""Jobs over chats, asked for: by somebody, or by a turn that came in."""

from __future__ import annotations

import logging

from django.db import DatabaseError

from memory import jobs, journal, llm
from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.compaction.chats import apply_facts, summary_job
from memory.compaction.chats.shapes import Unfit, check
from memory.compaction.chats.turns import call_job_name
from memory.domain.places import Kind
from memory.llm import budget
from memory.models import Bot, Delivery, Job

log = logging.getLogger(__name__)
BY = journal.By("delivery")


def summarise(bot: Bot, chat: str, by: journal.By) -> Job:
    """Queue a summary of a chat, unless one waits or runs already, which is returned then. A family that sums up by its own work
    says in the job what cannot be. Raises Unfit."""
    _need_model()
    if Job.Kind.SUMMARY not in open_bot(bot).family.works:
        check(bot, chat, Kind.WORKING, summary_job.LACKING)
    return jobs.queue(bot, Job.Kind.SUMMARY, {"chat": chat}, by, name=f"chat {chat}")


def pick(bot: Bot, chat: str, by: journal.By) -> Job:
    """The same for facts out of a chat's turns since the last time."""
    _need_model()
    check(bot, chat, Kind.DAILY, apply_facts.LACKING)
    return jobs.queue(bot, Job.Kind.EXTRACTION, {"chat": chat}, by, name=f"chat {chat}")


def after_turn(bot: Bot, delivery: Delivery) -> None:
    """Queue what has to follow on a turn that was taken in. Its sender has been served by then: nothing that goes wrong here is its
    business."""
    if not bot.settings.get("facts_per_turn"):
        return
    if delivery.trial or llm.server() is None or not automation_of(bot).facts_per_turn:
        return
    try:
        if _is_over_for_today(bot):
            _put_off(bot, delivery)
        else:
            params = {"chat": delivery.session_id, "delivery": delivery.pk}
            jobs.queue(bot, Job.Kind.EXTRACTION, params, BY, name=call_job_name(delivery.pk))
    except DatabaseError:
        log.warning("no facts are picked out of delivery %s: the database was busy", delivery.pk, exc_info=True)


def _is_over_for_today(bot: Bot) -> bool:
    """Whether the bound of the bot's day is reached, or left no room for a question like this one."""
    try:
        budget.check(bot)
    except llm.ModelFailed:
        return True
    waiting = Job.objects.filter(bot=bot, kind=Job.Kind.EXTRACTION, state=Job.State.QUEUED)
    return waiting.filter(run_after__gte=open_bot(bot).tomorrow()).exists()


def _put_off(bot: Bot, delivery: Delivery) -> None:
    """Have the next day look at this turn, with all that come in this chat until then: one job."""
    chat, ends = delivery.session_id, open_bot(bot).tomorrow()
    params = {"chat": chat, "since": delivery.received.isoformat(), "until": ends.isoformat()}
    name = f"turns of {open_bot(bot).today()} in {chat}"
    jobs.queue(bot, Job.Kind.EXTRACTION, params, BY, name=name, run_after=ends)


def _need_model() -> None:
    if llm.server() is None:
        raise Unfit(llm.NO_MODEL)
