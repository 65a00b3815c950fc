"""What Tidy up says above and beside whichever list it shows: the number, the last look, the kinds of findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.checks import findings
from memory.models import Bot, Finding
from memory.web.base.counts import Beside, beside
from memory.web.base.finding_words import KINDS
from memory.web.overview.attention import Need, needs, reviewed
from memory.web.overview.tier_cards import sums


@dataclass(frozen=True, slots=True)
class Leaf:
    """A kind of findings in the list beside the page, with the address of those alone."""

    title: str
    level: str
    number: int
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Around:
    """What needs a look, and how many findings of each kind are open, the worst kind first."""

    bot: Bot
    beside: Beside
    needs: Sequence[Need]
    counts: Mapping[str, int]

    def context(self, only: str = "") -> dict[str, object]:
        """What the template says around a list; `only`: of findings of that kind."""
        run = findings.last_look(self.bot)
        return {
            "bot": self.bot,
            "beside": self.beside,
            "review": reviewed(self.needs),
            "leaves": _leaves(self.bot, self.counts, only),
            "compacts": open_bot(self.bot).compacts,
            "looked": run and run.looked,
        }


def around(bot: Bot, user: Visitor) -> Around:
    """What Tidy up of a bot says to this reader, whichever list it shows."""
    numbers = beside(bot)
    return Around(bot, numbers, needs(bot, user, sums(bot), numbers), _counts(bot))


def here(bot: Bot) -> str:
    """The address of what there is to review."""
    return reverse("memory:tidy", args=[bot.slug])


def named(bot: Bot, rule: str) -> tuple[str, str]:
    """What a kind of findings is called, and how bad it is."""
    title, level = KINDS.get(rule) or ("", "warn")
    own = next((check for check in open_bot(bot).family.checks if check.name == rule), None)
    return str(title or (own.why if own else "")), level


def _counts(bot: Bot) -> dict[str, int]:
    there = Finding.objects.filter(bot=bot, gone=None, ignored=None).order_by()
    found = dict(there.values_list("rule").annotate(Count("pk")))
    known = [rule for rule in KINDS if rule in found]
    return {rule: found[rule] for rule in (*known, *sorted(found.keys() - set(known)))}


def _leaves(bot: Bot, counts: Mapping[str, int], only: str) -> list[Leaf]:
    """The kinds that there are, where there are several."""
    if len(counts) < 2:
        return []
    kinds = ((rule, number, *named(bot, rule)) for rule, number in counts.items())
    return [
        Leaf(title, level, number, f"{here(bot)}?kind={rule}", rule == only) for rule, number, title, level in kinds
    ]
