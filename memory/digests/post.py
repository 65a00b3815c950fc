"""What a worker does for those who want to hear: it notes what is to be told, and sends what waits."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from django.utils import timezone

from memory import index
from memory.checks import findings, recall_tests
from memory.digests import alarms, mail, outbox, services, subscriptions
from memory.digests.outcomes import Letter, SendOutcome
from memory.digests.periods import due
from memory.jobs.each_bot import each_bot
from memory.models import Alarm, Bot, Dispatch, Notice, Subscription

log = logging.getLogger(__name__)
EVERY = timedelta(minutes=5)  # a worker looks at the files for what can't wait; a page that is open looks more often


class Writer(Protocol):
    """Who puts it into words: a door, for only there words have a reader."""

    def counts(self, subscription: Subscription, bots: Iterable[Bot], since: date, until: date) -> list[dict[str, Any]]:
        """The numbers of those bots that have anything to say."""

    def letter(self, subscription: Subscription, notice: Notice) -> Letter:
        """A notice in the words of its reader."""


class Post:
    """What one worker knows of the post: when it looked at the files last."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._looked: datetime | None = None

    def look(self) -> None:
        """Note what is due and send what waits."""
        now, people = timezone.now(), list(subscriptions.live())
        digests = [(one, period) for one in people if (period := _due(one, now))]
        urgent = [one for one in people if one.urgent]
        hears = urgent and (self._looked is None or now - self._looked >= EVERY)
        bots = list(Bot.present.all()) if digests or hears else []
        each_bot(_freshen, bots, "its files could not be looked at for digests")
        if hears:
            self._looked = now
            for bot in bots:
                alarms.look(bot, now)
        for one in urgent:
            _tell(one, now)
        for one, period in digests:
            outbox.digest(one, period, self._writer.counts(one, bots, period.since, period.until), now)
        if digests:
            outbox.forget_old(now)
        self._send()

    def _send(self) -> None:
        for pk in outbox.waiting(timezone.now()):
            if (one := outbox.claim(pk, timezone.now())) is not None:
                outcome = self._sent(one)
                if outcome.trouble:
                    log.warning(
                        "notice %s of person %s by %s: %s", one.notice_id, one.notice.user_id, one.way, outcome.trouble
                    )
                outbox.end(one, outcome, timezone.now())

    def _sent(self, one: Dispatch) -> SendOutcome:
        subscription = subscriptions.of(one.notice.user)
        return send(subscription, Dispatch.Way(one.way), self._writer.letter(subscription, one.notice))


def send(subscription: Subscription, way: Dispatch.Way, letter: Letter) -> SendOutcome:
    """Send somebody a letter by one of their ways."""
    if way == Dispatch.Way.MAIL:
        return mail.send(subscription.mail, letter)
    return services.send(subscription, letter)


def _due(subscription: Subscription, now: datetime) -> Any:
    """The period that is to be told and is not noted yet; None if there is none."""
    told = subscriptions.told_until(subscription)
    period = due(subscription.often, subscription.hour, subscription.time_zone, now, told)
    if period is None or Notice.objects.filter(user=subscription.user, name=period.name).exists():
        return None
    return period


def _tell(subscription: Subscription, now: datetime) -> None:
    """Note the alarms that somebody has not heard of yet: those that last, and edits from outside of the last day."""
    lasting = Alarm.objects.filter(ended=None) | Alarm.objects.filter(
        kind=Alarm.Kind.REMOVAL, began__gt=now - alarms.LATELY
    )
    heard = Notice.objects.filter(user=subscription.user).exclude(alarm=None).values("alarm")
    for one in lasting.filter(bot__removed=None).exclude(pk__in=heard).order_by("pk"):
        outbox.alarm(subscription, one, now)


def _freshen(bot: Bot) -> None:
    """Bring rows, findings and recall tests in step with the files, as a page that is open does."""
    index.refresh(bot)
    bot.refresh_from_db()
    findings.look(bot)
    recall_tests.check_due(bot)
    bot.refresh_from_db()
