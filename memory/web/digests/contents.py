"""What a digest tells of a bot in numbers: the same ones as its Home has, for the days of the digest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from memory.access.permissions import may_see
from memory.llm import usage
from memory.models import Bot, Subscription
from memory.web.base.counts import sidebar_counts
from memory.web.overview.attention import held, to_review
from memory.web.overview.learned import count_between
from memory.web.overview.tier_cards import sums


@dataclass(frozen=True, slots=True)
class Numbers:
    """One bot's. `held` facts wait for somebody's yes and are no part of `review`; `doomed` logs with so many facts are about to be
    deleted by the bot itself; `micros` of a dollar were spent on the language model, or tokens where no price is set."""

    slug: str
    name: str
    learned: int
    review: int
    doomed: int
    doomed_facts: int
    tokens: int
    micros: int
    held: int = 0

    @property
    def says_something(self) -> bool:
        return bool(self.learned or self.review or self.held or self.doomed or self.tokens)


def counts(subscription: Subscription, bots: Iterable[Bot], since: date, until: date) -> list[dict[str, Any]]:
    """The numbers of those bots that have anything to say to this person, ready to be kept."""
    found = (_numbers(bot, since, until) for bot in bots if may_see(subscription.user, bot))
    return [asdict(one) for one in found if one.says_something]


def _numbers(bot: Bot, since: date, until: date) -> Numbers:
    spent, found = usage.between(bot, since.isoformat(), until.isoformat()), sums(bot)
    waits = held(bot).count()
    return Numbers(
        bot.slug,
        bot.name,
        count_between(bot, since, until),
        max(to_review(bot, sidebar_counts(bot)).number - waits, 0),  # which is a minute old
        found.doomed,
        found.doomed_facts,
        spent.tokens,
        spent.micros,
        waits,
    )
