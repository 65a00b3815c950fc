"""A bot at a glance: its tiers, what it learned lately, what is to be reviewed, how its memory grew, what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.access.permissions import Visitor
from memory.models import Bot, Revision
from memory.web.base.chart import LineChart
from memory.web.base.counts import Beside, ToReview
from memory.web.overview.activity import ActivityRow, lately
from memory.web.overview.attention import Need, needs, reviewed
from memory.web.overview.growth import growth
from memory.web.overview.learned import Week, learned
from memory.web.overview.tier_cards import Card, cards, lead, newest_at, newest_words, sums

SHOWN, SHOWN_ON_A_PHONE = 6, 3  # of what is to be reviewed


@dataclass(frozen=True, slots=True)
class Glance:
    """Everything on the overview. `newest`: from when the newest fact is; `is_empty`: there is no document yet."""

    lead: str
    newest: str
    newest_at: datetime | None
    cards: Sequence[Card]
    week: Week | None
    needs: Sequence[Need]
    growth: LineChart | None
    lately: Sequence[ActivityRow]
    is_empty: bool

    @property
    def shown(self) -> Sequence[Need]:
        """What is to be reviewed first."""
        return self.needs[:SHOWN]

    @property
    def review(self) -> ToReview:
        """How many there are to review."""
        return reviewed(self.needs)

    @property
    def more(self) -> int:
        return len(self.needs[SHOWN:])

    @property
    def more_on_phone(self) -> int:
        return len(self.needs[SHOWN_ON_A_PHONE:])


def glance(bot: Bot, user: Visitor, numbers: Beside) -> Glance:
    """The overview of a bot for one of its people, from rows; a fixed number of statements."""
    found = sums(bot)
    return Glance(
        lead(bot, found),
        newest_words(bot, found),
        newest_at(bot, found),
        cards(bot, found, numbers),
        learned(bot),
        needs(bot, user, found, numbers),
        growth(bot, found.long_term),
        lately(bot, user),
        not found.documents,
    )


def had_files(bot: Bot) -> bool:
    """Whether there was ever a file of it, as far as its history knows."""
    return Revision.objects.filter(bot=bot).exists()
