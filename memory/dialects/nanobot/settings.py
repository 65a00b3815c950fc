"""What may be set for a nanobot: what its own `config.json` says under `memory`, and where Kenoweb does otherwise than the bot.

Where nothing is set here, the bot's own file says it (`config.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from memory.dialects.nanobot.layout import STATES, states_of
from memory.domain.dialect import NEVER
from memory.domain.fields import setting, table
from memory.text.sentences import say

FOLLOW = "follow"
CAREFUL, BOTS_WAY = "careful", "bot"
RENEWED, KEPT = "renewed", "kept"
ANY = "*"  # of the channels
USUAL_CHANNELS = ("cli", "telegram", "whatsapp", "discord", "feishu")
FACT_DAYS = 3650  # for which a fact lasts


def _kept_for(days: int, label: str, kind: str) -> int:
    help = say("Days until it expires; 0 for never: memory.retention.%(kind)sDays.", kind=kind)
    return setting(days, label, help, least=0, most=36_500, group="retention")


@dataclass(frozen=True, slots=True)
class Settings:
    """A nanobot's settings; each says what it means and may be."""

    enabled: bool = setting(
        True,
        say("Long-term memory"),
        say("Turns memory on or off as a whole: memory.enabled."),
        group="reading",
    )
    max_results: int = setting(
        8,
        say("Recalled entries"),
        say("The most entries a message recalls: memory.recall.maxResults."),
        between=(1, 1000),
        group="reading",
    )
    max_prompt_chars: int = setting(
        2400,
        say("Characters of recalled entries"),
        say("Total length including headings and line ends: memory.recall.maxPromptChars."),
        between=(0, 1_000_000),
        group="reading",
    )
    user_results: int = setting(
        2,
        say("About the user"),
        say(
            "How many preferences and facts of the user are added to the chat’s: memory.recall.userPreferenceLayerResults."
        ),
        between=(0, 1000),
        group="reading",
    )
    recalls: str = setting(
        CAREFUL,
        say("Recall when Kenoweb answers"),
        say(
            "The bot matches only a to z, digits and underscores, recalls expired entries and instructions to a "
            "model, weighs words by their rarity across all chats, and stops at the first entry that is too long. "
            "The Prompt page always shows the bot’s own recall."
        ),
        choices=(CAREFUL, BOTS_WAY),
        words=(say("chosen with care"), say("literally, as the bot does")),
        group="turns",
    )
    global_results: int = setting(
        0,
        say("About the whole workspace, when Kenoweb answers"),
        say(
            "The bot never recalls shared entries: imported files and entries added with --scope global. 0 keeps it that way."
        ),
        between=(0, 100),
        group="turns",
    )
    capture: str = setting(
        "observe",
        say("Deliveries"),
        say("Store entries from deliveries, or only log them because the bot writes its own."),
        choices=("write", "observe"),
        words=(say("store them"), say("only log them")),
        group="turns",
    )
    session_history_limit: int = setting(
        20,
        say("Earlier messages sent along"),
        say(
            "How many of the newest messages of a chat are sent to the language model with the next one; 0 for none. "
            "The turn log holds the first 400 characters of each."
        ),
        env="SESSION_HISTORY_LIMIT",
        between=(0, 200),
        group="turns",
    )
    picks_messages: bool = setting(
        True,
        say("Learn from messages"),
        say("Learn entries from users’ messages: memory.capture.enabled."),
        group="turns",
    )
    min_confidence: float = setting(
        0.78,
        say("Minimum confidence"),
        say(
            "Less certain statements are not saved: memory.capture.minConfidence. Episodes have 0.75, so none are saved by default."
        ),
        between=(0, 1),
        places=2,
        group="turns",
    )
    min_importance: float = setting(
        0.6,
        say("Minimum importance"),
        say("Less important statements are not saved: memory.capture.minImportance."),
        between=(0, 1),
        places=2,
        group="turns",
    )
    max_entries_per_turn: int = setting(
        4,
        say("Entries per turn"),
        say("The most entries learned per turn: memory.capture.maxEntriesPerTurn."),
        between=(0, 20),
        group="turns",
    )
    picks_replies: bool = setting(
        False,
        say("Learn from replies"),
        say("Also learn entries from the bot’s answers: memory.capture.captureAssistant."),
        group="turns",
    )
    channels: tuple[str, ...] = setting(
        USUAL_CHANNELS,
        say("Channels"),
        say("Channels whose turns become entries, separated by commas: memory.capture.channels. Here * means all."),
        has_names=True,
        group="turns",
    )
    patterns: str = setting(
        CAREFUL,
        say("Long entries"),
        say(
            "The bot mistakes questions for decisions and sentences about Python for commands, and misses curly apostrophes."
        ),
        choices=(CAREFUL, BOTS_WAY),
        words=(say("read with care"), say("literally, as the bot does")),
        group="turns",
    )
    notes_sessions: bool = setting(
        True,
        say("Turn log"),
        say("Log messages and answers in memory/session-state: memory.wal.enabled."),
        group="turns",
    )
    state_dir: str = setting(
        STATES,
        say("Turn log directory"),
        say("A directory in the workspace: memory.wal.stateDir. A directory elsewhere is neither shown nor written."),
        is_text=True,
        group="turns",
    )
    said_again: str = setting(
        RENEWED,
        say("Repeated entries"),
        say("The bot counts a repeated entry as newer but keeps its old expiry date."),
        choices=(RENEWED, KEPT),
        words=(say("renews its expiry date"), say("keeps its expiry date, as the bot does")),
        group="turns",
    )
    mirrors: bool = setting(
        True,
        say("Mirrors of new entries"),
        say(
            "Also copy new entries to memory/semantic or memory/episodic, as the bot does. All chats share these files."
        ),
        group="turns",
    )
    mirror_lines: str = setting(
        FOLLOW,
        say("Mirrors of changed entries"),
        say("The bot never updates a mirror. Forgotten entries stay there, and its backfill imports them again."),
        choices=(FOLLOW, "leave"),
        words=(say("updated with their entry"), say("unchanged, as the bot does")),
        group="turns",
    )
    episodic_days: int = _kept_for(90, say("Keep episodes for (days)"), "episodic")
    fact_days: int = _kept_for(FACT_DAYS, say("Keep facts for (days)"), "fact")
    preference_days: int = _kept_for(3650, say("Keep preferences for (days)"), "preference")
    decision_days: int = _kept_for(3650, say("Keep decisions for (days)"), "decision")

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
