"""What is set for any bot about what happens by itself: when it is compacted, by which strategy, what a language model may do
and spend, how long the history is kept. Ours and not the bot's, like what is set about costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.domain.fields import read, setting, table
from memory.models import Bot
from memory.text.sentences import say

LINES, MEANING = "lines", "meaning"
NEVER, AT_START, DAILY = "never", "start", "daily"
ASK, AT_ONCE = "ask", "once"


@dataclass(frozen=True, slots=True)
class Automation:
    """What happens by itself for a bot. Prices and bounds in US dollars; 0 is none."""

    compact_by: str = setting(
        LINES,
        say("How old logs are compacted"),
        say(
            "Fact by fact as they are, or by meaning through the language model, which may also merge facts "
            "and name those that a newer one supersedes. The second costs tokens; each of its steps is "
            "checked and shown."
        ),
        choices=(LINES, MEANING),
        words=(say("fact by fact"), say("by meaning")),
        group="compaction",
    )
    compact_when: str = setting(
        NEVER,
        say("Compacts by itself"),
        say("At what time a worker compacts the bot's own logs without being asked. Many bots do it themselves."),
        choices=(NEVER, AT_START, DAILY),
        words=(say("only when asked"), say("when Kenoweb starts"), say("once a day")),
        group="compaction",
    )
    compact_hour: int = setting(
        4,
        say("Hour of the daily compaction"),
        say("The hour of the bot's own day after which it runs, if it runs once a day."),
        least=0,
        most=23,
        group="compaction",
    )
    proposals: str = setting(
        ASK,
        say("What the language model proposes"),
        say(
            "Wait for somebody to accept it, or apply at once what passed every check and has no flag. A "
            "fact that would go for a newer one always waits."
        ),
        choices=(ASK, AT_ONCE),
        words=(say("wait for somebody"), say("apply at once what passed")),
        group="model",
    )
    facts_per_turn: int = setting(
        0,
        say("Facts picked out of a turn"),
        say(
            "The most that the language model may propose to remember of each turn that comes in by webhook; "
            "0 never asks it."
        ),
        least=0,
        most=10,
        group="model",
    )
    answer_price: float = setting(
        0,
        say("Price of a million tokens that it writes"),
        say(
            "In US dollars, as the provider charges for what a model answers; what it reads is priced above. "
            "0 for none."
        ),
        least=0,
        most=10_000,
        places=4,
        group="model",
    )
    daily_dollars: float = setting(
        0,
        say("Most dollars a day"),
        say(
            "When the language model has cost this much on the bot's day, it is not asked again before the "
            "next; 0 for no such bound."
        ),
        least=0,
        most=100_000,
        places=2,
        group="model",
    )
    daily_tokens: int = setting(
        0,
        say("Most tokens a day"),
        say("The same in tokens, read and written together; 0 for no such bound."),
        least=0,
        most=2_000_000_000,
        group="model",
    )
    history_days: int = setting(
        0,
        say("Days that a change can be read and undone"),
        say("Of older changes only stays who changed which document and when; 0 for all."),
        least=0,
        most=36_500,
        group="history",
    )
    history_versions: int = setting(
        0,
        say("Most versions of a document"),
        say("The newest are kept, the others pruned; 0 for all."),
        least=0,
        most=1_000_000,
        group="history",
    )
    history_megabytes: int = setting(
        0,
        say("Most megabytes of versions"),
        say("When all versions together are larger, the oldest are pruned until they fit; 0 for no such bound."),
        least=0,
        most=1_000_000,
        group="history",
    )
    history_undo_days: int = setting(
        30,
        say("Days that undo is kept for in any case"),
        say("What the undo of a change so young needs is never pruned, whatever is said above."),
        least=1,
        most=36_500,
        group="history",
    )

    @property
    def prunes(self) -> bool:
        """Whether anything of the history is ever let go of."""
        return bool(self.history_days or self.history_versions or self.history_megabytes)


FIELDS = table(Automation)
NAMES = frozenset(field.name for field in FIELDS)


def automation_from(values: Mapping[str, object]) -> Automation:
    """Automation from saved values; what is missing, None or "" is the default. Raises ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, {name: value for name, value in values.items() if name in NAMES}))
    return Automation(**found)


def automation_of(bot: Bot) -> Automation:
    """What is set for a bot."""
    return automation_from(bot.settings)
