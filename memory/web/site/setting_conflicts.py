"""What is set for a bot and cannot work together, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from memory import llm
from memory.bots import open_bot
from memory.bots.automation import MEANING, automation_of
from memory.bots.costs import costs_of
from memory.models import Bot


def doubts(bot: Bot) -> list[str]:
    """Each combination of settings that does not do what it says."""
    return [*_without_model(bot), *_without_price(bot), *_of_the_bot(bot)]


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


def _of_the_bot(bot: Bot) -> Iterator[str]:
    """What the bot's own configuration says and cannot mean."""
    if wrong := open_bot(bot).family.configured(bot).wrong:
        words = _(
            "The bot cannot take what its config.json says at %(key)s. It goes by its own defaults in everything until that is "
            "mended, also in where its database lies, and by these the settings below are shown."
        )
        yield words % {"key": wrong}
    yield from open_bot(bot).family.conflicts(bot)


def _without_price(bot: Bot) -> Iterator[str]:
    wanted = automation_of(bot)
    if wanted.daily_dollars and not (costs_of(bot).token_price or wanted.answer_price):
        yield _(
            "Dollars a day are bounded, and no price is set: nothing ever costs anything, so the bound is never reached."
        )
