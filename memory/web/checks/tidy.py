"""What Tidy up says above and beside whichever list it shows: the number, the last look, the kinds of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.checks import findings
from memory.models import Bot, Finding
from memory.web.base.counts import Beside, beside
from memory.web.base.finding_words import KINDS, kind_of
from memory.web.overview.attention import Need, doomed_url, needs, reviewed
from memory.web.overview.tier_cards import sums


@dataclass(frozen=True, slots=True)
class Leaf:
    """A kind of findings in the list beside the page, with the address of those alone."""

    title: str
    level: str
    number: int
    url: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What needs a look, and how many findings of each kind are open, the worst kind first."""

    bot: Bot
    beside: Beside
    needs: Sequence[Need]
    counts: Mapping[str, int]
    doomed: int  # logs that the bot is about to delete by itself

    def context(self, only: str = "") -> dict[str, object]:
        """What the template says around a list; `only`: of findings of that kind."""
        run = findings.last_look(self.bot)
        return {
            "bot": self.bot,
            "beside": self.beside,
            "review": reviewed(self.needs),
            "leaves": self._leaves(only),
            "compacts": open_bot(self.bot).compacts,
            "looked": run and run.looked,
        }

    def _leaves(self, only: str) -> list[Leaf]:
        """The kinds that there are, where there are several."""
        kinds = ((rule, number, *named(self.bot, rule)) for rule, number in self.counts.items())
        first = [Leaf(_("Logs about to be deleted"), "bad", self.doomed, doomed_url(self.bot))]
        found = [
            *(first if self.doomed else ()),
            *(Leaf(title, level, n, f"{here(self.bot)}?kind={rule}", rule == only) for rule, n, title, level in kinds),
        ]
        return found if len(found) > 1 else []


def around(bot: Bot, user: Visitor) -> Around:
    """What Tidy up of a bot says to this reader, whichever list it shows."""
    numbers, total = beside(bot), sums(bot)
    return Around(bot, numbers, needs(bot, user, total, numbers), _counts(bot), total.doomed)


def here(bot: Bot) -> str:
    """The address of what there is to review."""
    return reverse("memory:tidy", args=[bot.slug])


def finding_or_404(bot: Bot, pk: int) -> Finding:
    """One of a bot's findings. Raises Http404."""
    return get_object_or_404(Finding, bot=bot, pk=pk)


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
