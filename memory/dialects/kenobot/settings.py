"""What may be set for a KenoBot: its own three numbers, under its own names, and what Kenoweb adds."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.fields import setting, table
from memory.text.sentences import say

SEED = "seed"
V07 = "0.7"
_STALE_IN_07 = 7  # days


@dataclass(frozen=True, slots=True)
class Settings:
    """A KenoBot's settings; each says what it means and may be."""

    memory_days: int = setting(
        3,
        say("Daily logs in the prompt"),
        say("How many of the newest daily logs the bot reads before it answers; 0 for none."),
        env="MEMORY_DAYS",
        between=(0, 30),
        group="reading",
    )
    memory_retention_days: int = setting(
        30,
        say("Keep daily logs for (days)"),
        say("Days until a daily log can be compacted into MEMORY.md."),
        env="MEMORY_RETENTION_DAYS",
        between=(1, 365),
        group="compaction",
    )
    working_memory_stale_days: int = setting(
        7,
        say("Working memory is stale after (days)"),
        say("Days until the bot stops reading a chat’s working memory."),
        env="WORKING_MEMORY_STALE_DAYS",
        between=(1, 30),
        group="reading",
    )
    dedupe: str = setting(
        "same",
        say("Duplicates"),
        say(
            "What compaction treats as a duplicate: the same fact at the same time, or also any fact whose text "
            "occurs in MEMORY.md, as KenoBot does. The second loses facts: “likes Go” occurs in “likes Google”."
        ),
        choices=("same", "substring"),
        words=(say("the same fact at the same time"), say("also any text that occurs in it")),
        group="compaction",
    )
    capture: str = setting(
        "write",
        say("Deliveries"),
        say("Store facts from deliveries, or only log them because the bot writes its own files."),
        choices=("write", "observe"),
        words=(say("store them"), say("only log them")),
        group="turns",
    )
    session_history_limit: int = setting(
        20,
        say("Earlier messages sent along"),
        say("How many of the newest messages of a chat are sent to the language model with the next one; 0 for none."),
        env="SESSION_HISTORY_LIMIT",
        between=(0, 200),
        group="turns",
    )
    old_logs: str = setting(
        "move",
        say("Old logs"),
        say(
            "Facts move to MEMORY.md up to its recommended size, and the remaining logs are archived; or all logs "
            "are archived. Archived logs move whole to archive/, where you can search them and the bot doesn’t read "
            "them."
        ),
        choices=("move", "archive"),
        words=(say("move their facts"), say("archive them")),
        group="compaction",
    )
    keep_logs: bool = setting(
        False,
        say("Keep logs whole"),
        say("Keep an old log whole if any line stays; otherwise the moved facts are cut out of it."),
        group="compaction",
    )
    version: str = setting(
        SEED,
        say("KenoBot version"),
        say("Versions from 0.7 on read by keyword."),
        choices=(SEED, V07),
        words=(say("before 0.7"), "0.7"),
    )

    @property
    def working_memory_days(self) -> int:
        """Days after its last change in which the bot reads working memory: 0.7 looks a second time with a fixed number."""
        days = self.working_memory_stale_days
        return min(days, _STALE_IN_07) if self.version == V07 else days


FIELDS = table(Settings)
