"""A bot at a glance: its tiers, its days, what needs a look, what happened lately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.access.permissions import Visitor
from memory.models import Bot
from memory.web.base.counts import Beside
from memory.web.overview.activity import Line, lately
from memory.web.overview.attention import Need, needs
from memory.web.overview.first_visit import Earlier, earlier
from memory.web.overview.heatmap import Heatmap, heatmap
from memory.web.overview.tier_cards import Card, cards, lead, sums


@dataclass(frozen=True, slots=True)
class Glance:
    """Everything on the overview."""

    lead: str
    cards: Sequence[Card]
    days: Heatmap
    needs: Sequence[Need]
    lately: Sequence[Line]
    earlier: Sequence[Earlier]  # only while nothing has happened lately


def glance(bot: Bot, user: Visitor, numbers: Beside) -> Glance:
    """The overview of a bot for one of its people, from rows; a fixed number of statements."""
    found = sums(bot)
    told = lately(bot, user)
    before = [] if told else earlier(bot)
    return Glance(lead(found), cards(bot, found, numbers), heatmap(bot), needs(bot, user, found, numbers), told, before)
