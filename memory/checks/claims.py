"""What facts claim, as rows that later facts and later days are compared with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef

from memory.models import Bot, Claim, Fact, quick

ROW, SAME = ("bot", "fact", "about"), ("fact", "about")


def keep(bot: Bot, abouts: Mapping[int, Collection[str]]) -> None:
    """Facts, by their rows, are about these matters."""
    rows = [(bot.pk, pk, about) for pk in sorted(abouts) for about in abouts[pk]]
    quick.upsert_all(Claim, ROW, SAME, rows)


def are_known(bot: Bot) -> bool:
    """Whether any fact claims anything yet."""
    return Claim.objects.filter(bot=bot).exists()


def forget_gone(bot: Bot) -> None:
    """Claims of facts that are not there any more say nothing; they are only in the way."""
    there = Fact.objects.filter(pk=OuterRef("fact_id"))
    Claim.objects.filter(~Exists(there), bot=bot).delete()


def forget(bot: Bot, facts: Collection[int]) -> None:
    """Before facts are looked at again, nothing is known of them."""
    Claim.objects.filter(bot=bot, fact__in=facts).delete()
