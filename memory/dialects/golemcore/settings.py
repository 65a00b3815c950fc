"""What may be set for a GolemCore: the keys of its own settings with its defaults and bounds, and what Kenoweb does."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.changes import names_a_file
from memory.domain.dialect import BaseSettings
from memory.domain.fields import setting, table
from memory.text.sentences import say

OBSERVE, WRITE = "observe", "write"
BUDGETS = say("%(most)s must be at least %(soft)s.", most="maxPromptBudgetTokens", soft="softPromptBudgetTokens")
DIRECTORY = say("%(name)s must be the name of a directory in the workspace.", name="memoryDirectory")


@dataclass(frozen=True, slots=True)
class Settings(BaseSettings):
    """A GolemCore's settings, those of the bot under its own keys; each says what it means and may be."""

    enabled: bool = setting(
        True,
        say("Memory"),
        say("Whether the bot reads and writes its memory: %(key)s in preferences/memory.json.", key="enabled"),
        group="reading",
    )
    recentDays: int = setting(
        7,
        say("Days it looks back"),
        say("How many days before today the bot loads notes and episodes of: %(key)s.", key="recentDays"),
        between=(1, 90),
        group="reading",
    )
    softPromptBudgetTokens: int = setting(
        1800,
        say("Soft budget (tokens)"),
        say("Up to this size every item is loaded: %(key)s.", key="softPromptBudgetTokens"),
        between=(200, 10_000),
        group="reading",
    )
    maxPromptBudgetTokens: int = setting(
        3500,
        say("Hard budget (tokens)"),
        say(
            "Beyond the soft budget, items with a score of 0.85 or more fill this: %(key)s.",
            key="maxPromptBudgetTokens",
        ),
        between=(200, 12_000),
        group="reading",
    )
    workingTopK: int = setting(
        6,
        say("Working items"),
        say("The most that are loaded: %(key)s. The bot stores none of them yet.", key="workingTopK"),
        between=(0, 30),
        group="reading",
    )
    episodicTopK: int = setting(
        8,
        say("Episodic items"),
        say("The most that are loaded: %(key)s.", key="episodicTopK"),
        between=(0, 30),
        group="reading",
    )
    semanticTopK: int = setting(
        6,
        say("Semantic items"),
        say("The most that are loaded: %(key)s.", key="semanticTopK"),
        between=(0, 30),
        group="reading",
    )
    proceduralTopK: int = setting(
        4,
        say("Procedural items"),
        say("The most that are loaded: %(key)s.", key="proceduralTopK"),
        between=(0, 30),
        group="reading",
    )
    decayEnabled: bool = setting(
        True,
        say("Decay"),
        say(
            "Whether the bot ignores old items, and drops them when it next writes their file: %(key)s.",
            key="decayEnabled",
        ),
        group="reading",
    )
    decayDays: int = setting(
        30,
        say("Items last (days)"),
        say("Without decay this does nothing: %(key)s.", key="decayDays"),
        between=(1, 3650),
        group="reading",
    )
    legacyDailyNotesEnabled: bool = setting(
        True,
        say("Notes by day"),
        say("Whether the bot writes notes and loads them with MEMORY.md: %(key)s.", key="legacyDailyNotesEnabled"),
        group="reading",
    )
    promotionEnabled: bool = setting(
        True,
        say("Promotion"),
        say("Whether what a turn yields is stored as a lasting item at once: %(key)s.", key="promotionEnabled"),
        group="turns",
    )
    promotionMinConfidence: float = setting(
        0.75,
        say("Confidence for promotion"),
        say("The least confidence of what is promoted: %(key)s.", key="promotionMinConfidence"),
        between=(0, 1),
        places=4,
        group="turns",
    )
    codeAwareExtractionEnabled: bool = setting(
        True,
        say("Constraints, failures and fixes"),
        say("Whether they are extracted from turns by their words: %(key)s.", key="codeAwareExtractionEnabled"),
        group="turns",
    )
    capture: str = setting(
        OBSERVE,
        say("Deliveries"),
        say("Store what the bot would store of deliveries, or only log them because the bot writes its own files."),
        choices=(OBSERVE, WRITE),
        words=(say("only log them"), say("store them")),
        group="turns",
    )
    durableDecay: bool = setting(
        False,
        say("Drop old semantic items"),
        say(
            "Whether Kenoweb drops semantic items past decayDays when it writes their file, as the bot does. Procedural "
            "ones are dropped as decayEnabled says."
        ),
        group="turns",
    )
    minRelevance: float = setting(
        0.2,
        say("Relevance of a match"),
        say("The least share of a query’s words that an item must contain to be found, promoted or forgotten by it."),
        between=(0, 1),
        places=2,
        group="turns",
    )
    compactionEnabled: bool = setting(
        True,
        say("Automatic compaction"),
        say("Whether the bot compacts long sessions by itself: %(key)s in preferences/compaction.json.", key="enabled"),
        group="reading",
    )
    maxContextTokens: int = setting(
        50_000,
        say("Tokens of a session"),
        say(
            "A session beyond this is compacted, or beyond four fifths of what the model takes: %(key)s.",
            key="maxContextTokens",
        ),
        between=(1, 10_000_000),
        group="reading",
    )
    keepLastMessages: int = setting(
        20,
        say("Messages kept"),
        say("How many of the newest messages compaction keeps: %(key)s.", key="keepLastMessages"),
        between=(1, 10_000),
        group="reading",
    )
    memoryDirectory: str = setting(
        "memory",
        say("Memory directory"),
        say("The name of the memory’s directory in the workspace: %(variable)s.", variable="BOT_MEMORY_DIRECTORY"),
        is_text=True,
    )


FIELDS = table(Settings)


def unfit(settings: Settings) -> str:
    """Why nobody may save these settings; "" if they may. The bot's own files may say such budgets all the same."""
    if settings.maxPromptBudgetTokens < settings.softPromptBudgetTokens:
        return BUDGETS
    is_name = "/" not in settings.memoryDirectory and names_a_file(settings.memoryDirectory)
    return "" if is_name else DIRECTORY
