"""What goes out, each thing once: a notice is one row by its name, and each of its ways is claimed before it is sent.

A process that dies between sending and writing that down leaves a claim that never ended. Nobody sends it again by itself, because
it may have arrived; the page says so and offers to. So a message comes once or is named there, and never twice unasked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from memory.digests.outcomes import SendOutcome
from memory.digests.periods import Period
from memory.models import Alarm, Dispatch, Notice, Subscription

State = Dispatch.State
WAITS = (timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=3))  # before the second try, the third and so on
LONGEST = timedelta(minutes=10)  # that sending may take; a claim that is older was left by a dead process
KEPT = timedelta(days=90)


def ways_of(subscription: Subscription) -> list[Dispatch.Way]:
    """By which ways somebody wants to be told."""
    wanted = {Dispatch.Way.MAIL: subscription.mail, Dispatch.Way.SERVICE: subscription.service}
    return [way for way, given in wanted.items() if given]


def digest(
    subscription: Subscription, period: Period, counts: Sequence[dict[str, Any]], now: datetime
) -> Notice | None:
    """Note the digest of a period; None if it is noted already. Without `counts` there is nothing to say, and nothing goes out."""
    notice = Notice(name=period.name, since=period.since, until=period.until, counts=list(counts))
    return _noted(subscription, notice, now, goes_out=bool(counts))


def alarm(subscription: Subscription, about: Alarm, now: datetime) -> Notice | None:
    """Note an alarm; None if this person's is noted already."""
    return _noted(subscription, Notice(name=f"alarm {about.pk}", alarm=about), now, goes_out=True)


def _noted(subscription: Subscription, notice: Notice, now: datetime, *, goes_out: bool) -> Notice | None:
    notice.user_id, notice.made = subscription.pk, now
    ways = ways_of(subscription) if goes_out else []
    try:
        with transaction.atomic():
            notice.save(force_insert=True)
            Dispatch.objects.bulk_create(Dispatch(notice=notice, way=way, due=now) for way in ways)
    except IntegrityError:  # another worker was faster
        return None
    return notice


def waiting(now: datetime) -> list[int]:
    """The keys of what is to be sent, the oldest first."""
    due = Dispatch.objects.filter(state=State.WAITING, due__lte=now, notice__user__is_active=True)
    return list(due.order_by("due", "pk").values_list("pk", flat=True))


def claim(pk: int, now: datetime) -> Dispatch | None:
    """Take one to send it; None if somebody else has it. Committed before anything is sent."""
    mine = Dispatch.objects.filter(pk=pk, state=State.WAITING, due__lte=now)
    if not mine.update(state=State.SENDING, claimed=now, tries=F("tries") + 1):
        return None
    return Dispatch.objects.select_related("notice__user", "notice__alarm__bot").get(pk=pk)


def end(one: Dispatch, outcome: SendOutcome, now: datetime) -> None:
    """Write down how sending it ended; what was certainly not taken waits for another try."""
    values: dict[str, Any] = {"state": outcome.state, "trouble": outcome.trouble, "ended": now}
    if outcome.passes and one.tries <= len(WAITS):
        values |= {"state": State.WAITING, "due": now + WAITS[one.tries - 1], "ended": None}
    Dispatch.objects.filter(pk=one.pk, state=State.SENDING).update(**values)


def unconfirmed(now: datetime) -> Q:
    """What may have arrived or not."""
    return Q(state=State.UNSURE) | Q(state=State.SENDING, claimed__lt=now - LONGEST)


def again(user: User, pk: int, now: datetime) -> bool:
    """Send one once more, because its person says so; False if it is on its way or arrived."""
    ended = Dispatch.objects.filter(unconfirmed(now) | Q(state=State.FAILED), pk=pk, notice__user=user)
    return bool(ended.update(state=State.WAITING, due=now, tries=0, trouble="", ended=None))


def newest(user: User) -> QuerySet[Notice]:
    """What somebody was to be told, the newest first, without what had nothing to say."""
    told = Notice.objects.filter(user=user).exclude(alarm=None, counts=[])
    return told.select_related("alarm__bot").prefetch_related("dispatches")


def forget_old(now: datetime) -> None:
    """Let go of notices that nobody looks at any more, but for the last digest of each person: the next one begins there."""
    old = Notice.objects.filter(made__lt=now - KEPT)
    later = Notice.objects.filter(user=OuterRef("user"), until__gt=OuterRef("until"))
    old.filter(Exists(later)).delete()
    old.filter(alarm__ended__isnull=False).delete()
