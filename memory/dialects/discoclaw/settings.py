"""What may be set for a DiscoClaw: its own variables, with its own defaults, and what Kenoweb does with deliveries.

Where nothing is set here, the bot's own `.env` says it (`config.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.domain.dialect import BaseSettings
from memory.domain.fields import Value, read, setting, table
from memory.text.sentences import say

SEED, HEAD = "february", "march"  # the bot's editions: of 2026-02-11, and of 2026-03-14
_HOUR = 3_600_000
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings(BaseSettings):
    """A DiscoClaw's settings; each says what it means and may be."""

    edition: str = setting(
        SEED,
        say("Version of the bot"),
        say(
            "Bots of March 2026 choose facts by how often they were read and by the words of the message, and forget what "
            "is read least when there are more than 25."
        ),
        choices=(SEED, HEAD),
        words=(say("February 2026"), say("March 2026 or later")),
        group="reading",
    )

    durable: bool = setting(
        True,
        say("Facts in the prompt"),
        say(
            "Whether the facts of the user who writes are read: %(variable)s.",
            variable="DISCOCLAW_DURABLE_MEMORY_ENABLED",
        ),
        group="reading",
    )
    durable_chars: int = setting(
        2000,
        say("Characters of facts"),
        say("The most characters of facts in a prompt: %(variable)s.", variable="DISCOCLAW_DURABLE_INJECT_MAX_CHARS"),
        between=(1, _MOST),
        group="reading",
    )
    summaries: bool = setting(
        True,
        say("Rolling summaries"),
        say(
            "Whether summaries of conversations are kept and read: %(variable)s.", variable="DISCOCLAW_SUMMARY_ENABLED"
        ),
        group="reading",
    )
    short_term: bool = setting(
        False,
        say("Short-term memory"),
        say(
            "Whether public channels are noted and read in other channels: %(variable)s.",
            variable="DISCOCLAW_SHORTTERM_MEMORY_ENABLED",
        ),
        group="reading",
    )
    short_term_chars: int = setting(
        1000,
        say("Characters of short-term memory"),
        say("The most characters of it in a prompt: %(variable)s.", variable="DISCOCLAW_SHORTTERM_INJECT_MAX_CHARS"),
        between=(1, _MOST),
        group="reading",
    )
    short_term_hours: float = setting(
        6.0,
        say("Short-term memory lasts (hours)"),
        say("Older exchanges are no longer read: %(variable)s.", variable="DISCOCLAW_SHORTTERM_MAX_AGE_HOURS"),
        between=(0, 8760),
        places=2,
        group="reading",
    )
    short_term_entries: int = setting(
        20,
        say("Exchanges in short-term memory"),
        say(
            "The most exchanges kept for each user and server: %(variable)s.",
            variable="DISCOCLAW_SHORTTERM_MAX_ENTRIES",
        ),
        between=(1, 1000),
        group="turns",
    )
    durable_items: int = setting(
        200,
        say("Facts of each user"),
        say(
            "Beyond this, the oldest forgotten facts are deleted first, then the oldest others: %(variable)s.",
            variable="DISCOCLAW_DURABLE_MAX_ITEMS",
        ),
        between=(1, 100_000),
        group="turns",
    )
    summary_turns: int = setting(
        5,
        say("Turns between summaries"),
        say(
            "Where Kenoweb answers or stores deliveries, it sums a conversation up after so many: %(variable)s.",
            variable="DISCOCLAW_SUMMARY_EVERY_N_TURNS",
        ),
        between=(1, 1000),
        group="model",
    )
    summary_chars: int = setting(
        2000,
        say("Characters of a summary"),
        say(
            "The most characters of a new summary; 0 for no limit: %(variable)s.",
            variable="DISCOCLAW_SUMMARY_MAX_CHARS",
        ),
        between=(0, _MOST),
        group="model",
    )
    history_chars: int = setting(
        3000,
        say("Characters of earlier messages"),
        say(
            "The most characters of messages before the last turn that a new summary is made from: %(variable)s.",
            variable="DISCOCLAW_MESSAGE_HISTORY_BUDGET",
        ),
        between=(0, _MOST),
        group="model",
    )
    learns: bool = setting(
        False,
        say("Learn facts"),
        say(
            "Whether a new summary is followed by looking for up to 3 facts about who wrote: %(variable)s.",
            variable="DISCOCLAW_SUMMARY_TO_DURABLE_ENABLED",
        ),
        group="model",
    )
    commands: bool = setting(
        True,
        say("Chat commands"),
        say(
            "Whether %(command)s is carried out: %(variable)s.",
            command="!memory",
            variable="DISCOCLAW_MEMORY_COMMANDS_ENABLED",
        ),
        group="turns",
    )
    capture: str = setting(
        "observe",
        say("Deliveries"),
        say("Store what the bot would store of deliveries, or only log them because the bot writes its own files."),
        choices=("write", "observe"),
        words=(say("store them"), say("only log them")),
        group="turns",
    )

    # A DiscoClaw keeps no transcripts, has no working memory and compacts no logs.
    session_history_limit: int = 0

    @property
    def is_later(self) -> bool:
        """Whether the bot is of March 2026 or later."""
        return self.edition == HEAD

    @property
    def short_term_age(self) -> float:
        """For how many milliseconds an exchange is read."""
        return self.short_term_hours * _HOUR


FIELDS = table(Settings)
OF_LATER: Mapping[str, Value] = {
    "short_term": True,
    "learns": True,
}  # what a bot of March 2026 does unless it is told otherwise


def settings_from(values: Mapping[str, object]) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default. Raises ValueError naming the setting."""
    later = OF_LATER if values.get("edition") == HEAD else {}
    given = {name: value for name, value in values.items() if value not in (None, "")}
    found: dict[str, Any] = dict(read(FIELDS, {**later, **given}))
    return Settings(**found)
