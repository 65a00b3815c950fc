"""What may be set for a nanobot: what its own `config.json` says under `memory`, and where Kenoweb does otherwise than the bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.dialects.fields import Field, read

ASCII, UNICODE = "ascii", "unicode"
OWN, ALL = "own", "all"
SKIP, STOP = "skip", "stop"
_NEVER = 36_500  # days: what a nanobot keeps none of never grows old

FIELDS = (
    Field(
        "max_results",
        8,
        "Entries it recalls",
        "How many entries a message brings back at most: memory.recall.maxResults.",
        least=1,
        most=100,
        group="reading",
    ),
    Field(
        "max_prompt_chars",
        2400,
        "Characters of recalled entries",
        "How long they may be together, heading and line ends counted: memory.recall.maxPromptChars.",
        least=0,
        most=100_000,
        group="reading",
    ),
    Field(
        "user_results",
        2,
        "Of them about the user",
        "How many preferences and facts of the user are looked for beside the chat's: memory.recall.userPreferenceLayerResults.",
        least=0,
        most=100,
        group="reading",
    ),
    Field(
        "query_words",
        UNICODE,
        "Words of a message",
        "The bot sees only a to z, digits and underscores: for a message in Greek, or for “café”, it recalls nothing.",
        choices=(UNICODE, ASCII),
        words=("those of any script", "only a to z, as the bot does it"),
        group="reading",
    ),
    Field(
        "expired",
        SKIP,
        "Expired entries",
        "The bot recalls an entry until its hourly cleaning removes it.",
        choices=(SKIP, "recall"),
        words=("are not recalled", "are recalled, as the bot does it"),
        group="reading",
    ),
    Field(
        "statistics",
        OWN,
        "How rare a word is",
        "The bot weighs a word by how rare it is in all chats of all users, so that others' words change what this chat is shown.",
        choices=(OWN, ALL),
        words=("among what this chat may read", "in all chats, as the bot does it"),
        group="reading",
    ),
    Field(
        "too_long",
        SKIP,
        "An entry that does not fit",
        "The bot stops at the first line that is too long, and shows a heading without entries if that is the first.",
        choices=(SKIP, STOP),
        words=("is left out, the next is tried", "ends the list, as the bot does it"),
        group="reading",
    ),
    Field(
        "global_results",
        0,
        "Of them from the whole workspace",
        "The bot never recalls what is global: imported files and entries added with --scope global. 0 keeps it so.",
        least=0,
        most=100,
        group="reading",
    ),
    Field(
        "capture",
        "observe",
        "Turns that the bot reports",
        "Write what a turn says is worth remembering, or only observe because the bot writes its own entries.",
        choices=("write", "observe"),
        words=("write them", "only observe them"),
        group="turns",
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """A nanobot's settings; FIELDS says what each means and may be."""

    max_results: int = 8
    max_prompt_chars: int = 2400
    user_results: int = 2
    query_words: str = UNICODE
    expired: str = SKIP
    statistics: str = OWN
    too_long: str = SKIP
    global_results: int = 0
    capture: str = "observe"

    # A nanobot has no working memory, compacts no logs and is not answered for here.
    working_memory_days: int = _NEVER
    memory_retention_days: int = _NEVER
    session_history_limit: int = 0


def settings_from(values: Mapping[str, object]) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default. Raises ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, values))
    return Settings(**found)
