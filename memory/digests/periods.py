"""Which digest is due: a day's or a week's, by the clock of the person it is for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.models import Subscription

LENGTHS = {Subscription.Often.DAILY: timedelta(days=1), Subscription.Often.WEEKLY: timedelta(days=7)}
LONGEST = timedelta(days=31)  # a digest reaches no further back, however long no worker ran


@dataclass(frozen=True, slots=True)
class Period:
    """The days of a digest: from `since` up to `until`, which is not in it any more."""

    name: str
    since: date
    until: date


def due(often: str, hour: int, zone: str, now: datetime, told_until: date | None) -> Period | None:
    """The period that can be told at `now` (aware); None before its hour. What was told goes up to `told_until`: the next one
    begins there, so that days without a worker are not missing."""
    length = LENGTHS.get(Subscription.Often(often))
    if length is None:
        return None
    here = now.astimezone(ZoneInfo(zone))
    until = here.date()
    if often == Subscription.Often.WEEKLY:
        until -= timedelta(days=until.weekday())
    if until == here.date() and here.hour < hour:
        return None
    since = until - length
    if told_until is not None and told_until < until:
        since = max(told_until, until - LONGEST)
    return Period(f"{often} {until.isoformat()}", since, until)
