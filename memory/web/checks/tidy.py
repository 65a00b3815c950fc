"""What Tidy up says above and beside whichever list it shows: the number, the last look, the kinds of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.checks import findings
from memory.models import Bot, Finding
from memory.web.base.counts import sidebar_counts
from memory.web.base.finding_words import KINDS, kind_of
from memory.web.overview.attention import doomed_url, needs, reviewed
from memory.web.overview.tier_cards import sums


def around(bot: Bot, user: Visitor, kind: str = "") -> dict[str, Any]:
    """What Tidy up of a bot says to this reader around whichever list it shows: what `needs` a look, how many findings of each kind
    are open (`counts`), the worst kind first, and which kind is shown alone (`only`), if there is any of the one asked for."""
    numbers, total, counts = sidebar_counts(bot), sums(bot), _counts(bot)
    found, run = needs(bot, user, total, numbers), findings.last_look(bot)
    only = kind if kind in counts else ""
    return {
        "bot": bot,
        "beside": numbers,
        "needs": found,
        "counts": counts,
        "only": only,
        "review": reviewed(found),
        "leaves": _leaves(bot, counts, total.doomed, only),
        "compacts": open_bot(bot).compacts,
        "looked": run and run.looked,
    }


def _leaves(bot: Bot, counts: Mapping[str, int], doomed: int, only: str) -> list[dict[str, object]]:
    """The kinds of findings in the list beside the page, each with the address of those alone, where there are several; first the
    logs that the bot is about to delete by itself."""
    found: list[dict[str, object]] = []
    if doomed:
        title = _("Logs about to be deleted")
        found.append({"title": title, "level": "bad", "number": doomed, "url": doomed_url(bot), "is_current": False})
    for rule, number in counts.items():
        title, level = named(bot, rule)
        url = f"{here(bot)}?kind={rule}"
        found.append({"title": title, "level": level, "number": number, "url": url, "is_current": rule == only})
    return found if len(found) > 1 else []


def here(bot: Bot) -> str:
    """The address of what there is to review."""
    return reverse("memory:tidy", args=[bot.slug])


def named(bot: Bot, rule: str) -> tuple[str, str]:
    """What a kind of findings is called, and how bad it is."""
    title, level = KINDS.get(rule) or ("", "warn")
    own = next((check for check in open_bot(bot).family.checks if check.name == rule), None)
    return str(title or (own.title if own else "")), level


def _counts(bot: Bot) -> dict[str, int]:
    there = Finding.objects.filter(bot=bot, gone=None, ignored=None).order_by()
    found = Counter[str]()
    for rule, number in there.values_list("rule").annotate(Count("pk")):
        found[kind_of(rule)] += number
    known = [rule for rule in KINDS if rule in found]
    return {rule: found[rule] for rule in (*known, *sorted(found.keys() - set(known)))}
