"""The last searches of programs, and which facts they found. Those of people at the desk are nobody's business."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q

from memory.models import Bot, Searched, quick
from memory.text.storable import keepable

KEPT = 1000  # of a bot
LONGEST = 200  # characters of the words
TOLD = 10  # that are told of one fact
TIDIED = 50  # how many come before the old ones go


def note(bot: Bot, words: str, keys: Sequence[str], now: datetime) -> None:
    """Remember that a search found facts with these keys. One that found nothing is not kept."""
    if not keys:
        return
    one = Searched(bot=bot, at=now, words=keepable(words)[:LONGEST], keys=" ".join(keys))
    quick.save(one)
    if one.pk % TIDIED == 0:
        _forget_old(bot)


def _forget_old(bot: Bot) -> None:
    rows = Searched.objects.filter(bot=bot).order_by("-pk")
    last = rows.values_list("pk", flat=True)[KEPT - 1 : KEPT].first()
    rows.filter(pk__lt=last or 0).delete()


def searches_of(bot: Bot, keys: Collection[str]) -> list[Searched]:
    """The last searches that found a fact with one of these keys, the newest first."""
    if not keys:
        return []
    holds = reduce(or_, (Q(keys__contains=key) for key in keys))
    return list(Searched.objects.filter(holds, bot=bot).order_by("-pk")[:TOLD])


def forget(bot: Bot, keys: Collection[str]) -> None:
    """Keep nothing of what found facts with these keys: they are made of words that must not be known."""
    for key in keys:
        Searched.objects.filter(bot=bot, keys__contains=key).delete()
