"""What is set for a bot and cannot work together, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from memory import llm
from memory.bots import open_bot
from memory.bots.automation import MEANING, automation_of
from memory.bots.costs import costs_of
from memory.models import Bot

Doubt = tuple[str, str]  # the group of the settings that it is about, and a sentence


def doubts(bot: Bot, groups: Collection[str]) -> list[str]:
    """Each combination of settings that does not do what it says, beside the settings of these groups."""
    found = (*_without_model(bot), *_without_price(bot), *_of_the_bot(bot))
    return list(dict.fromkeys(words for group, words in found if group in groups))


def _without_model(bot: Bot) -> Iterator[Doubt]:
    if llm.server() is not None:
        return
    wanted = automation_of(bot)
    if wanted.compact_by == MEANING:
        words = _("Compaction with the language model needs one to be set up. Until then it is exact.")
        yield "compaction", words
    if wanted.facts_per_turn:
        yield "model", _("Facts can’t be picked from deliveries until a language model is set up.")


def _of_the_bot(bot: Bot) -> Iterator[Doubt]:
    """What the bot's own configuration says and cannot mean: beside whatever its family has settings for."""
    groups = {"", *(field.group for field in open_bot(bot).dialect.fields)}
    return ((group, words) for words in _configured(bot) for group in groups)


def _configured(bot: Bot) -> Iterator[str]:
    family = open_bot(bot).family
    if wrong := family.configured(bot).wrong:
        yield str(family.misread) % {"key": wrong, "file": family.configuration}
    yield from family.conflicts(bot)


def _without_price(bot: Bot) -> Iterator[Doubt]:
    wanted = automation_of(bot)
    if wanted.daily_dollars and not (costs_of(bot).token_price or wanted.answer_price):
        yield "cost", _("The daily limit is in dollars but no price is set, so it is never reached.")
