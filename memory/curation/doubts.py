"""Which facts contradict others, as far as a look has found: both in long-term memory would make that worse."""

from __future__ import annotations

from memory.models import Bot, Claim, Fact, Finding

RULE = "contradiction"  # what such findings are named


def contradicting_facts(bot: Bot) -> frozenset[tuple[str, str]]:
    """Path and key of each fact of a contradiction that nobody has settled: what claims something of its matter, or is denied."""
    matters = list(Finding.objects.filter(bot=bot, rule=RULE, gone=None, ignored=None).values_list("key", flat=True))
    if not matters:
        return frozenset()
    claimed = Claim.objects.filter(bot=bot, about__in=matters).order_by()
    denied = Fact.objects.filter(bot=bot, key__in=matters).order_by()
    told = set(claimed.values_list("fact__document__path", "fact__key"))
    return frozenset(told.union(denied.values_list("document__path", "key")))
