"""What is done without being asked, where a bot's settings say so: compaction when Kenoweb starts or once on each of the bot's
days."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from memory import index, journal
from memory.bots import automation, open_bot
from memory.bots.automation import Automation
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.jobs.rows import queue
from memory.models import Bot, Job, Proposal

log = logging.getLogger(__name__)
BY = journal.By("schedule")
START, DAILY = "start", "day"
# Several workers start together, and a service may start again and again; a day may be short where the zone was changed.
ONCE_IN = {automation.AT_START: timedelta(minutes=10), automation.DAILY: timedelta(hours=12)}


class Schedule:
    """What one worker knows of the schedule: whether it has just started, and at which bots it has looked on which day. `starts`
    False: of one that comes every few minutes for what is due, and whose coming is no start."""

    def __init__(self, *, starts: bool = True) -> None:
        self._starts = starts
        self._seen: set[tuple[int, str]] = set()

    def look(self) -> list[Job]:
        """Queue what is due, and return it. A bot is looked at once a day, and once at the start."""
        found = [job for bot in Bot.present.all() if (job := self._look_at(bot))]
        self._starts = False
        return found

    def _look_at(self, bot: Bot) -> Job | None:
        try:
            wanted = automation.automation_of(bot)
            name = self._due(bot, wanted)
            if not name or (bot.pk, name) in self._seen:
                return None
            job = _queue_once(bot, wanted, name) if has_old_logs(bot) else None
        except (VaultError, ValueError) as error:
            log.warning("the schedule of %s could not be looked at: %s", bot.slug, error)
            return None
        self._seen.add((bot.pk, name))
        return job

    def _due(self, bot: Bot, wanted: Automation) -> str:
        """What the compaction that is due now is called; "" if none is."""
        now = open_bot(bot).now()
        if wanted.compact_when == automation.AT_START and self._starts:
            return START
        if wanted.compact_when == automation.DAILY and now.hour >= wanted.compact_hour:
            return f"{DAILY} {now.date().isoformat()}"
        return ""


def has_old_logs(bot: Bot) -> bool:
    """Whether any log of the bot's own is old enough to be compacted. Raises VaultError where they cannot be listed."""
    if not open_bot(bot).compacts:
        return False
    dialect, before = open_bot(bot).dialect, open_bot(bot).old_before()
    places = (dialect.describe(path) for path in index.notes(bot, [""]))
    return any(place.day < before for place in places if place and place.kind is Kind.DAILY)


def _queue_once(bot: Bot, wanted: Automation, name: str) -> Job | None:
    """Under the bot's row, so that of several workers one queues it."""
    kind = Job.Kind.CONSOLIDATION if wanted.compact_by == automation.MEANING else Job.Kind.COMPACTION
    with transaction.atomic():
        Bot.objects.select_for_update().get(pk=bot.pk)
        since = timezone.now() - ONCE_IN[wanted.compact_when]
        lately = Job.objects.filter(bot=bot, by=BY.name, created__gt=since)
        if lately.exists() or (name != START and Job.objects.filter(bot=bot, by=BY.name, name=name).exists()):
            return None
        if Job.objects.filter(bot=bot, kind=kind, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
            return None  # somebody asked for it just now
        if Proposal.objects.filter(bot=bot, job__kind=kind, state=Proposal.State.OPEN).exists():
            return None  # what it would propose waits for somebody already
        return queue(bot, kind, {"scopes": [""]}, BY, name=name)
