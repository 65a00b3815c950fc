"""What is set for any bot about what happens by itself: when it is compacted, by which strategy, what a language model may do
and spend, how long the history is kept. Ours and not the bot's, like what is set about costs."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.fields import setting, settings_from, table
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
        say("Compaction method"),
        say(
            "Exact moves facts unchanged. The language model can also merge facts and replace outdated ones; it "
            "costs tokens, and every step is checked and shown."
        ),
        choices=(LINES, MEANING),
        words=(say("exact"), say("with the language model")),
        group="compaction",
    )
    compact_when: str = setting(
        NEVER,
        say("Automatic compaction"),
        say("When a worker compacts the shared logs automatically. Many bots do this themselves."),
        choices=(NEVER, AT_START, DAILY),
        words=(say("only on request"), say("when Kenoweb starts"), say("once a day")),
        group="compaction",
    )
    compact_hour: int = setting(
        4,
        say("Start hour"),
        say("Runs after this hour of the bot’s day."),
        between=(0, 23),
        group="compaction",
    )
    proposals: str = setting(
        ASK,
        say("Suggestions of the language model"),
        say(
            "Wait for review, or apply suggestions that pass every check without a warning. Replacing a fact always needs review."
        ),
        choices=(ASK, AT_ONCE),
        words=(say("wait for review"), say("apply what passes")),
        group="model",
    )
    facts_per_turn: int = setting(
        0,
        say("Facts picked per delivery"),
        say("The most facts the language model may suggest per delivery; 0 turns this off."),
        between=(0, 10),
        group="model",
    )
    deliveries: str = setting(
        AT_ONCE,
        say("Facts from deliveries"),
        say(
            "Write them to the files at once, or hold them until somebody accepts them. Transcripts and working memory are "
            "always written."
        ),
        choices=(AT_ONCE, ASK),
        words=(say("write at once"), say("hold for review")),
        group="turns",
    )
    api_writes: str = setting(
        AT_ONCE,
        say("Facts from API keys"),
        say(
            "Write what programs add, change or forget at once, or hold it until somebody accepts it. Suggestions of the language "
            "model have a setting of their own."
        ),
        choices=(AT_ONCE, ASK),
        words=(say("write at once"), say("hold for review")),
        group="turns",
    )
    most_removed: int = setting(
        30,
        say("Hold large removals (%)"),
        say("What would remove a larger share of a file’s facts, and at least 3, waits for review; 0 turns this off."),
        between=(0, 99),
        group="turns",
    )
    answer_price: float = setting(
        0,
        say("Price per million output tokens"),
        say("In US dollars, for output tokens. 0 for none."),
        between=(0, 10_000),
        places=4,
        group="cost",
    )
    daily_dollars: float = setting(
        0,
        say("Daily limit (USD)"),
        say("At this cost per bot’s day, requests stop until the next; 0 for no limit."),
        between=(0, 100_000),
        places=2,
        group="cost",
    )
    daily_tokens: int = setting(
        0,
        say("Daily limit (tokens)"),
        say("Input and output tokens together; 0 for no limit."),
        between=(0, 2_000_000_000),
        group="cost",
    )
    history_days: int = setting(
        0,
        say("Keep changes for (days)"),
        say("For older changes, only who changed which file and when is kept; 0 keeps everything."),
        between=(0, 36_500),
        group="history",
    )
    history_versions: int = setting(
        0,
        say("Versions per file"),
        say("The newest are kept, older ones deleted; 0 keeps all."),
        between=(0, 1_000_000),
        group="history",
    )
    history_megabytes: int = setting(
        0,
        say("Size limit for versions (MB)"),
        say("If all versions together are larger, the oldest are deleted until they fit; 0 for no limit."),
        between=(0, 1_000_000),
        group="history",
    )
    history_undo_days: int = setting(
        30,
        say("Always keep undo for (days)"),
        say("What you need to undo changes this recent is never deleted, whatever the limits above."),
        between=(1, 36_500),
        group="history",
    )

    @property
    def prunes(self) -> bool:
        """Whether anything of the history is ever let go of."""
        return bool(self.history_days or self.history_versions or self.history_megabytes)


FIELDS = table(Automation)


def automation_of(bot: Bot) -> Automation:
    """What is set for a bot."""
    return settings_from(Automation, FIELDS, bot.settings)
