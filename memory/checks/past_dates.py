"""Facts that look ahead to a day that is past: a due date gone by, `tomorrow` of last month.

Time alone makes such a finding. The day that a fact looks ahead to is kept when the fact is new, so that a new day asks for those
that fell due since the last look, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from memory.bots import open_bot
from memory.checks import claims
from memory.checks.subjects import Subject, by_row
from memory.domain.places import Kind
from memory.index.attributes import unusual
from memory.models import Bot, Claim
from memory.text.claims.due import due_day
from memory.text.sentences import say

NAME = "past"
KINDS = (Kind.LONG_TERM, Kind.TOPIC, Kind.CONTEXT)  # what is read as if it were so today; a log is of its day
_UNTIL = "until "


def learn(bot: Bot, fresh: Sequence[Subject]) -> None:
    """Keep which days new facts look ahead to."""
    days = {one.pk: [_UNTIL + day] for one in fresh if (day := _due(one))}
    claims.keep(bot, days)


def fell_due(bot: Bot, since: date, today: date) -> Iterator[Subject]:
    """The facts whose day is past `today` and was not yet on the day `since`."""
    there = Claim.objects.filter(bot=bot, about__gte=f"{_UNTIL}{since}", about__lt=f"{_UNTIL}{today}")
    return by_row(bot, list(there.values_list("fact_id", flat=True)))


def judge(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts whose day is past by the bot's clock: pk -> why."""
    today = open_bot(bot).now().date().isoformat()
    late = {one.pk: day for one in looked_at if (day := _due(one)) and day < today}
    unread = unusual(bot, list(late))
    return {pk: say("The date has passed: %(day)s", day=day) for pk, day in late.items() if pk not in unread}


def _due(one: Subject) -> str:
    return due_day(one.text) if one.kind in KINDS else ""
