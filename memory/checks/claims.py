"""What facts claim, as rows that later facts and later days are compared with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef

from memory.checks.leaks import KEYS_AT_ONCE
from memory.models import Bot, Claim, Fact


def keep(bot: Bot, abouts: Mapping[int, Collection[str]]) -> None:
    """Facts, by their rows, are about these matters."""
    rows: list[Claim] = []
    facts = sorted(abouts)
    for start in range(0, len(facts), KEYS_AT_ONCE):
        papers = Fact.objects.filter(pk__in=facts[start : start + KEYS_AT_ONCE]).values_list("pk", "document_id")
        rows += [
            Claim(bot=bot, document_id=paper, fact_id=pk, about=about) for pk, paper in papers for about in abouts[pk]
        ]
    Claim.objects.bulk_create(rows, ignore_conflicts=True, batch_size=KEYS_AT_ONCE)


def forget_gone(bot: Bot) -> None:
    """Claims of facts that are not there any more say nothing; they are only in the way."""
    there = Fact.objects.filter(pk=OuterRef("fact_id"))
    Claim.objects.filter(~Exists(there), bot=bot).delete()


def forget_all(bot: Bot) -> None:
    """Before everything is looked at again, nothing is known."""
    Claim.objects.filter(bot=bot).delete()
