"""What is set for a bot and cannot work together, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from memory import llm
from memory.automation import MEANING, automation_of
from memory.costs import costs_of
from memory.models import Bot


def doubts(bot: Bot) -> list[str]:
    """Each combination of settings that does not do what it says."""
    return [*_without_model(bot), *_without_price(bot)]


def _without_model(bot: Bot) -> Iterator[str]:
    if llm.server() is not None:
        return
    wanted = automation_of(bot)
    if wanted.compact_by == MEANING:
        yield _(
            "Logs are to be compacted by meaning, and no language model is set up: only fact by fact works until then."
        )
    if wanted.facts_per_turn:
        yield _("Facts are to be picked out of turns, and no language model is set up. None are picked until there is.")


def _without_price(bot: Bot) -> Iterator[str]:
    wanted = automation_of(bot)
    if wanted.daily_dollars and not (costs_of(bot).token_price or wanted.answer_price):
        yield _(
            "Dollars a day are bounded, and no price is set: nothing ever costs anything, so the bound is never reached."
        )
