"""What may be set for an Autobot: its own window, what of its versions differs, and what Kenoweb adds."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.dialect import BaseSettings
from memory.domain.fields import setting, table
from memory.text.sentences import say

OBSERVE, WRITE = "observe", "write"
LENIENT, STRICT = "lenient", "strict"
_INT32 = 1 << 31


@dataclass(frozen=True, slots=True)
class Settings(BaseSettings):
    """An Autobot's settings; each says what it means and may be."""

    memory_window: int = setting(
        50,
        say("Messages before consolidation"),
        say(
            "memory_window in config.yml: a chat with more messages is summed up and keeps 2 to 10 of them. 0 turns this "
            "off, and the bot drops all but the newest 10."
        ),
        least=-_INT32,
        most=_INT32 - 1,
        group="reading",
    )
    session_history_limit: int = setting(
        25,
        say("Messages in the prompt"),
        say(
            "How many of a chat’s newest messages the bot sends along: 25, or 50 before 22 February 2026. No setting of "
            "the bot changes it."
        ),
        between=(0, 200),
        group="reading",
    )
    replies: str = setting(
        LENIENT,
        say("Answers of the model"),
        say(
            "What counts as an answer to a consolidation: also JSON with words or a fence around it, or only what Autobot "
            "itself reads."
        ),
        choices=(LENIENT, STRICT),
        words=(say("also JSON within other text"), say("only what Autobot reads")),
        group="model",
    )
    capture: str = setting(
        OBSERVE,
        say("Deliveries"),
        say("Add deliveries to the transcript, or only log them because the bot writes its own files."),
        choices=(OBSERVE, WRITE),
        words=(say("only log them"), say("add them")),
        group="turns",
    )


FIELDS = table(Settings)
