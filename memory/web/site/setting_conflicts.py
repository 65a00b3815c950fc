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
        yield _("Compaction with the language model needs one to be set up. Until then it is exact.")
    if wanted.facts_per_turn:
        yield _("Facts can’t be picked from deliveries until a language model is set up.")


def _of_the_bot(bot: Bot) -> Iterator[str]:
    """What the bot's own configuration says and cannot mean."""
    if wrong := open_bot(bot).family.configured(bot).wrong:
        words = _(
            "The bot ignores its config.json because of the value at %(key)s and uses its defaults for everything, "
            "the database path included. The settings below show those defaults."
        )
        yield words % {"key": wrong}
    yield from open_bot(bot).family.conflicts(bot)


def _without_price(bot: Bot) -> Iterator[str]:
    wanted = automation_of(bot)
    if wanted.daily_dollars and not (costs_of(bot).token_price or wanted.answer_price):
        yield _("The daily limit is in dollars but no price is set, so it is never reached.")
