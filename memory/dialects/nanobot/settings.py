"""What may be set for a nanobot: what its own `config.json` says under `memory`, and where Kenoweb does otherwise than the bot.

Where nothing is set here, the bot's own file says it (`config.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.dialects.nanobot.layout import STATES, states_of
from memory.domain.base_dialect import NEVER
from memory.domain.fields import read, setting, table
from memory.text.sentences import say

FOLLOW = "follow"
CAREFUL, BOTS_WAY = "careful", "bot"
RENEWED, KEPT = "renewed", "kept"
ANY = "*"  # of the channels
USUAL_CHANNELS = ("cli", "telegram", "whatsapp", "discord", "feishu")
FACT_DAYS = 3650  # for which a fact lasts


def _kept_for(days: int, label: str, kind: str) -> int:
    help = say("Days after which it expires; 0 for never: memory.retention.%(kind)sDays.", kind=kind)
    return setting(days, label, help, least=0, most=36_500, group="retention")


@dataclass(frozen=True, slots=True)
class Settings:
    """A nanobot's settings; each says what it means and may be."""

    enabled: bool = setting(
        True,
        say("Long-term memory"),
        say("Whether the bot recalls anything, keeps entries and notes its sessions: memory.enabled."),
        group="reading",
    )
    max_results: int = setting(
        8,
        say("Entries it recalls"),
        say("How many entries a message brings back at most: memory.recall.maxResults."),
        least=1,
        most=1000,
        group="reading",
    )
    max_prompt_chars: int = setting(
        2400,
        say("Characters of recalled entries"),
        say("How long they may be together, heading and line ends counted: memory.recall.maxPromptChars."),
        least=0,
        most=1_000_000,
        group="reading",
    )
    user_results: int = setting(
        2,
        say("Of them about the user"),
        say(
            "How many preferences and facts of the user are looked for beside the chat's: "
            "memory.recall.userPreferenceLayerResults."
        ),
        least=0,
        most=1000,
        group="reading",
    )
    recalls: str = setting(
        CAREFUL,
        say("What it recalls where Kenoweb answers"),
        say(
            "The bot sees only a to z, digits and underscores of a message, recalls what has expired and what could lead "
            "a model astray, weighs a word by how rare it is in all chats of all users, and stops at the first line that is "
            "too long. The page of the prompt shows its way in any case."
        ),
        choices=(CAREFUL, BOTS_WAY),
        words=(say("chosen with care"), say("to the letter, as the bot does it")),
        group="turns",
    )
    global_results: int = setting(
        0,
        say("Of them from the whole workspace, where Kenoweb answers"),
        say(
            "The bot never recalls what is global: imported files and entries added with --scope global. 0 keeps it so."
        ),
        least=0,
        most=100,
        group="turns",
    )
    capture: str = setting(
        "observe",
        say("Turns that the bot reports"),
        say("Write what a turn says is worth remembering, or only observe because the bot writes its own entries."),
        choices=("write", "observe"),
        words=(say("write them"), say("only observe them")),
        group="turns",
    )
    session_history_limit: int = setting(
        20,
        say("Messages it is reminded of"),
        say(
            "How many of the newest messages of a chat the language model is sent with the next one; 0 for "
            "none. The notes of sessions hold the first 400 characters of each."
        ),
        env="SESSION_HISTORY_LIMIT",
        least=0,
        most=200,
        group="turns",
    )
    picks_messages: bool = setting(
        True,
        say("Entries from messages"),
        say("Pick entries out of what users write: memory.capture.enabled."),
        group="turns",
    )
    min_confidence: float = setting(
        0.78,
        say("Least confidence"),
        say(
            "What the bot is less sure of is no entry: memory.capture.minConfidence. Episodes have 0.75, so "
            "by default none is kept."
        ),
        least=0,
        most=1,
        places=2,
        group="turns",
    )
    min_importance: float = setting(
        0.6,
        say("Least importance"),
        say("What is less important is no entry: memory.capture.minImportance."),
        least=0,
        most=1,
        places=2,
        group="turns",
    )
    max_entries_per_turn: int = setting(
        4,
        say("Entries of one turn"),
        say("How many entries a turn gives at most: memory.capture.maxEntriesPerTurn."),
        least=0,
        most=20,
        group="turns",
    )
    picks_replies: bool = setting(
        False,
        say("Entries from replies too"),
        say("Pick entries also out of what the bot answers: memory.capture.captureAssistant."),
        group="turns",
    )
    channels: tuple[str, ...] = setting(
        USUAL_CHANNELS,
        say("Channels it listens to"),
        say(
            "Of which channels turns give entries, with commas between them: memory.capture.channels. Here * "
            "means all of them."
        ),
        has_names=True,
        group="turns",
    )
    patterns: str = setting(
        CAREFUL,
        say("Phrases of an entry"),
        say(
            "The bot takes a question for a decision and a sentence about Python for a command, and misses "
            "curly apostrophes."
        ),
        choices=(CAREFUL, BOTS_WAY),
        words=(say("read with care"), say("to the letter, as the bot does it")),
        group="turns",
    )
    notes_sessions: bool = setting(
        True,
        say("Notes of sessions"),
        say("Note what was asked and answered in memory/session-state: memory.wal.enabled."),
        group="turns",
    )
    state_dir: str = setting(
        STATES,
        say("Where sessions are noted"),
        say("A directory in the workspace: memory.wal.stateDir. One elsewhere is neither shown nor written."),
        is_text=True,
        group="turns",
    )
    said_again: str = setting(
        RENEWED,
        say("What is said again"),
        say("The bot counts an entry that is said again as newer, and lets it expire when it would have before."),
        choices=(RENEWED, KEPT),
        words=(say("lasts anew"), say("keeps its end, as the bot does it")),
        group="turns",
    )
    mirrors: bool = setting(
        True,
        say("Mirrors of new entries"),
        say(
            "Write a new entry also into memory/semantic or memory/episodic, as the bot does. All chats "
            "share these files."
        ),
        group="turns",
    )
    mirror_lines: str = setting(
        FOLLOW,
        say("Mirrors of entries that change"),
        say(
            "The bot never touches a mirror again, so that what was forgotten still stands there, and its "
            "backfill takes it in anew."
        ),
        choices=(FOLLOW, "leave"),
        words=(say("change with their entry"), say("stay as they are, as the bot does it")),
        group="turns",
    )
    episodic_days: int = _kept_for(90, say("Keep episodes for"), "episodic")
    fact_days: int = _kept_for(FACT_DAYS, say("Keep facts for"), "fact")
    preference_days: int = _kept_for(3650, say("Keep preferences for"), "preference")
    decision_days: int = _kept_for(3650, say("Keep decisions for"), "decision")

    # A nanobot has no working memory and compacts no logs.
    working_memory_days: int = NEVER
    memory_retention_days: int = NEVER

    @property
    def states(self) -> str:
        """The directory of the sessions' notes as a path in the workspace; "" if it is elsewhere."""
        return states_of(self.state_dir)

    def days(self, kind: str) -> int:
        """Days after which an entry of a kind expires; 0 for never."""
        return int(getattr(self, f"{kind}_days", self.fact_days))


FIELDS = table(Settings)


def settings_from(values: Mapping[str, object]) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default. Raises ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, values))
    return Settings(**found)
