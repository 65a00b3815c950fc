"""A bot at a glance: its tiers, what it learned lately, what is to be reviewed, how its memory grew, what changed."""

from __future__ import annotations

from typing import Any

from memory.access.permissions import Visitor
from memory.checks import findings
from memory.models import Bot, Revision
from memory.web.base.counts import Beside
from memory.web.overview.activity import lately
from memory.web.overview.attention import needs, reviewed
from memory.web.overview.growth import growth
from memory.web.overview.learned import learned
from memory.web.overview.tier_cards import cards, lead, newest_at, newest_words, sums

SHOWN, SHOWN_ON_A_PHONE = 6, 3  # of what is to be reviewed


def glance(bot: Bot, user: Visitor, numbers: Beside) -> dict[str, Any]:
    """Everything on the overview of a bot for one of its people, from rows; a fixed number of statements. `newest`: from when the
    newest fact is; `is_empty`: there is no document yet; `is_checked`: what needs a look is known."""
    found = sums(bot)
    wanted = needs(bot, user, found, numbers)
    return {
        "lead": lead(bot, found),
        "newest": newest_words(bot, found),
        "newest_at": newest_at(bot, found),
        "cards": cards(bot, found, numbers),
        "week": learned(bot),
        "needs": wanted,
        "review": reviewed(wanted),
        "shown": wanted[:SHOWN],
        "more": len(wanted[SHOWN:]),
        "more_on_phone": len(wanted[SHOWN_ON_A_PHONE:]),
        "growth": growth(bot, found.long_term),
        "lately": lately(bot, user),
        "is_empty": not found.documents,
        "is_checked": findings.last_look(bot) is not None,
    }


def had_files(bot: Bot) -> bool:
    """Whether there was ever a file of it, as far as its history knows."""
    return Revision.objects.filter(bot=bot).exists()
