"""What may be set for a KenoBot: its own three numbers, under its own names, and what Kenoweb adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.domain.fields import read, setting, table
from memory.text.sentences import say

SEED = "seed"
V07 = "0.7"
_STALE_IN_07 = 7  # days


@dataclass(frozen=True, slots=True)
class Settings:
    """A KenoBot's settings; each says what it means and may be."""

    memory_days: int = setting(
        3,
        say("Daily logs it reads"),
        say("How many of the newest daily logs the bot reads before each answer; 0 for none."),
        env="MEMORY_DAYS",
        least=0,
        most=30,
        group="reading",
    )
    memory_retention_days: int = setting(
        30,
        say("Keep daily logs for"),
        say("Days before a daily log is old enough to be compacted into MEMORY.md."),
        env="MEMORY_RETENTION_DAYS",
        least=1,
        most=365,
        group="compaction",
    )
    working_memory_stale_days: int = setting(
        7,
        say("Working memory goes stale after"),
        say("Days after which the bot no longer reads a chat's working memory."),
        env="WORKING_MEMORY_STALE_DAYS",
        least=1,
        most=30,
        group="reading",
    )
    dedupe: str = setting(
        "same",
        say("Facts already known"),
        say(
            "What compaction takes for a repeat: the same fact of the same time, or also any fact "
            "whose text occurs somewhere in MEMORY.md, as KenoBot does it. The second loses facts: “likes Go” occurs in “likes "
            "Google”."
        ),
        choices=("same", "substring"),
        words=(say("the same fact of the same time"), say("any fact that occurs in the text")),
        group="compaction",
    )
    capture: str = setting(
        "write",
        say("Turns that the bot reports"),
        say("Write what a turn says is worth remembering, or only observe because the bot writes its own files."),
        choices=("write", "observe"),
        words=(say("write them"), say("only observe them")),
        group="turns",
    )
    session_history_limit: int = setting(
        20,
        say("Messages it is reminded of"),
        say("How many of the newest messages of a chat the language model is sent with the next one; 0 for none."),
        env="SESSION_HISTORY_LIMIT",
        least=0,
        most=200,
        group="turns",
    )
    old_logs: str = setting(
        "move",
        say("What becomes of old logs"),
        say(
            "Their facts move into MEMORY.md as far as the bot reads it well, and the logs of the rest are archived; or all logs "
            "are archived: they go whole into archive/ beside them, where they are found and the bot does not read them."
        ),
        choices=("move", "archive"),
        words=(say("move their facts"), say("archive them")),
        group="compaction",
    )
    keep_logs: bool = setting(
        False,
        say("Keep logs whole"),
        say(
            "An old log with a line that stays is kept as it is; otherwise it is rewritten without the facts "
            "that moved."
        ),
        group="compaction",
    )
    version: str = setting(
        SEED,
        say("KenoBot's version"),
        say("Which rules hold: those of the versions before 0.7, or those of 0.7, which reads by keyword."),
        choices=(SEED, V07),
        words=(say("before 0.7"), "0.7"),
        group="reading",
    )

    @property
    def working_memory_days(self) -> int:
        """Days after its last change in which the bot reads working memory: 0.7 looks a second time with a fixed number."""
        days = self.working_memory_stale_days
        return min(days, _STALE_IN_07) if self.version == V07 else days


FIELDS = table(Settings)


def settings_from(values: Mapping[str, object]) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default. Raises ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, values))
    return Settings(**found)
