"""What can't wait for a digest: seen by a worker, told once, and not again as long as it lasts."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from memory.checks import removals
from memory.models import Alarm, Bot, Finding, Job, Proposal, RecallTest

Kind = Alarm.Kind
# what is over and comes back within it is the same alarm: a disk that comes and goes is told once
BACK = timedelta(hours=1)
MOST = 20  # held removals that are told of one by one
LATELY = timedelta(days=1)  # what was found before that was there before anybody wanted to hear of it


def look(bot: Bot, now: datetime) -> None:
    """Begin the alarms of a bot for what is wrong now, and end those for what is well again."""
    wrong = {(Kind.FILES, "")} if bot.trouble else set()
    failing = RecallTest.objects.filter(bot=bot, broken__isnull=False).values_list("pk", flat=True)
    wrong |= {(Kind.RECALL, str(pk)) for pk in failing}
    waits = Proposal.objects.filter(job__bot=bot, job__kind=Job.Kind.HELD, state=Proposal.State.OPEN).exclude(flags=[])
    wrong |= {(Kind.HELD, str(pk)) for pk in waits.values_list("pk", flat=True)[:MOST]}
    lasting = Alarm.objects.filter(bot=bot, ended=None).exclude(kind=Kind.REMOVAL)
    for one in lasting:
        if (one.kind, one.about) not in wrong:
            Alarm.objects.filter(pk=one.pk, ended=None).update(ended=now)
    for kind, about in sorted(wrong - {(Kind(one.kind), one.about) for one in lasting}):
        _begin(bot, kind, about, now)
    for number in _removals(bot, now):
        _note(bot, number, now)


def _begin(bot: Bot, kind: Kind, about: str, now: datetime) -> None:
    before = Alarm.objects.filter(bot=bot, kind=kind, about=about).order_by("-began").first()
    try:
        with transaction.atomic():
            if before and before.ended and before.ended > now - BACK:
                Alarm.objects.filter(pk=before.pk).update(ended=None)
            else:
                Alarm.objects.create(bot=bot, kind=kind, about=about, began=now)
    except IntegrityError:
        return  # another worker was faster


def _removals(bot: Bot, now: datetime) -> list[str]:
    """The change sets of a day by which somebody outside took much out of a file, as long as it is found."""
    found = Finding.objects.filter(bot=bot, rule=removals.NAME, gone=None, found__gt=now - LATELY)
    return sorted(found.values_list("key", flat=True))


def _note(bot: Bot, number: str, now: datetime) -> None:
    """An edit is over when it is seen: its alarm lasts until the edit is a day old, and there is one of it."""
    Alarm.objects.get_or_create(bot=bot, kind=Kind.REMOVAL, about=number, defaults={"began": now, "ended": now})
