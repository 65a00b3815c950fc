"""Which of the facts that the bot learned by itself somebody has looked at and kept. The bot's files say nothing of it."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from memory.domain.fact_ref import FactRef
from memory.models import Bot, Fact, FactAttributes, Finding

RULE = "learned"  # a finding from the start, and settled: nothing is left to do about it


def keep(bot: Bot, wanted: Iterable[FactRef], user: AbstractBaseUser | None) -> int:
    """Note that these facts are right. Returns how many of them there are."""
    now = timezone.now()
    settled = {"rule": RULE, "found": now, "gone": now, "ignored": now, "ignored_by": user}
    known = Fact.objects.select_related("document").filter(bot=bot)
    found = [fact for path, key, nth in wanted if (fact := known.filter(document__path=path, key=key, nth=nth).first())]
    rows = [
        Finding(bot=bot, path=one.document.path, key=one.key, nth=one.nth, scope=one.document.scope, **settled)
        for one in found
    ]
    Finding.objects.bulk_create(rows, ignore_conflicts=True)
    return len(found)


def has_any(bot: Bot) -> bool:
    """Whether anything of the bot's was ever kept."""
    return Finding.objects.filter(bot=bot, rule=RULE).exists()


def unlooked(rows: QuerySet[FactAttributes]) -> QuerySet[FactAttributes]:
    """Those that nobody has kept."""
    same = {"path": OuterRef("document__path"), "key": OuterRef("fact__key"), "nth": OuterRef("fact__nth")}
    return rows.filter(~Exists(Finding.objects.filter(bot=OuterRef("bot"), rule=RULE, **same)))
