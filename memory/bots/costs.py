"""What is set for any bot, whatever its family: which models its tokens are counted for, what they cost, what it may use.

They are ours and not the bot's, which never knows of them, and are kept beside its settings."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.fields import setting, settings_from, table
from memory.models import Bot
from memory.text.sentences import say
from memory.text.tokens.counters import Counter, counter
from memory.text.tokens.estimate import FAMILIES, GPT_4


@dataclass(frozen=True, slots=True)
class Costs:
    """How a bot's tokens are counted. `price` is in US dollars for a million, 0 for unknown; `budget` in tokens, 0 for none."""

    tokens_of: str = setting(
        GPT_4.name,
        say("Count tokens for"),
        say("Choose the closest model. For others, counts are a rough estimate."),
        choices=tuple(FAMILIES),
        words=tuple(family.called for family in FAMILIES.values()),
        group="cost",
    )
    token_price: float = setting(
        0,
        say("Price per million input tokens"),
        say("In US dollars, for input tokens. 0 for none."),
        between=(0, 10_000),
        places=4,
        group="cost",
    )
    token_budget: int = setting(
        0,
        say("Memory budget (tokens)"),
        say("The share of the prompt memory should use. The Prompt page draws a line there. 0 for none."),
        between=(0, 10_000_000),
        group="cost",
    )

    @property
    def counter(self) -> Counter:
        return counter(self.tokens_of)

    def dollars(self, tokens: int) -> float:
        """What so many tokens cost, 0 if nobody said what they do."""
        return tokens * self.token_price / 1_000_000


FIELDS = table(Costs)


def costs_of(bot: Bot) -> Costs:
    """What is set for a bot."""
    return settings_from(Costs, FIELDS, bot.settings)
