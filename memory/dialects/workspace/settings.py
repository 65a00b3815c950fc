"""What may be set for a workspace: whose it is, and what its bot loads at most.

Where the numbers come from: OpenClaw's are the defaults that docs.openclaw.ai states (gateway/config-agents: bootstrapMaxChars,
bootstrapTotalMaxChars, startupContext; versions before mid-2026 said 12,000 a file or 150,000 in all). Claude Code's are in
code.claude.com/docs/en/memory: the first 200 lines of MEMORY.md or its first 25 KB, of which the program makes 25,000 bytes.
HKUDS nanobot's stand in its context.py: 50 entries, 32,000 characters (later versions count 8,000 tokens instead). No source gives
a retention for any of them, nor a limit for a plain workspace: 30 days is Kenoweb's own, and a plain workspace is read whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.dialects.workspace.look import CLAUDE_CODE, FLAVOURS, HKUDS, OPENCLAW, PLAIN
from memory.domain.fields import Field, read, setting, table
from memory.text.sentences import say

_ONLY = {  # whose settings mean something to one flavour only
    **dict.fromkeys(("document_chars", "documents_chars", "note_chars", "notes_chars"), (OPENCLAW,)),
    **dict.fromkeys(("memory_lines", "memory_bytes"), (CLAUDE_CODE,)),
    **dict.fromkeys(("history_entries", "history_chars"), (HKUDS,)),
    "memory_days": (OPENCLAW, PLAIN),
    "session_history_limit": (HKUDS, PLAIN),  # in the others' place nobody answers
}


def fields_of(flavour: str) -> tuple[Field, ...]:
    """The settings of one flavour."""
    return tuple(field for field in FIELDS if flavour in _ONLY.get(field.name, (flavour,)))


@dataclass(frozen=True, slots=True)
class Settings:
    """A workspace's settings; each says what it means and may be."""

    flavour: str = setting(
        PLAIN,
        say("Whose workspace it is"),
        say("Which bot's rules of what is loaded at the start hold. The default is what the files look like."),
        choices=FLAVOURS,
        words=("OpenClaw", say("Claude Code"), say("HKUDS nanobot"), say("another bot")),
        group="reading",
    )
    memory_days: int = setting(
        2,
        say("Days of notes it reads"),
        say(
            "How many days of notes, today's first, the bot reads when a session starts; 0 for none. "
            "OpenClaw and plain workspaces."
        ),
        least=0,
        most=30,
        group="reading",
    )
    document_chars: int = setting(
        20_000,
        say("Characters of a document"),
        say(
            "OpenClaw cuts the middle out of a longer document: it keeps 70 % from its beginning and 20 % from its end."
        ),
        least=1_000,
        most=1_000_000,
        group="reading",
    )
    documents_chars: int = setting(
        60_000,
        say("Characters of all documents"),
        say("OpenClaw loads no more than this of MEMORY.md and the documents on who it is together."),
        least=1_000,
        most=5_000_000,
        group="reading",
    )
    note_chars: int = setting(
        1_200,
        say("Characters of one day's notes"),
        say("OpenClaw reads no more of a file of notes when a session starts."),
        least=0,
        most=1_000_000,
        group="reading",
    )
    notes_chars: int = setting(
        2_800,
        say("Characters of all notes"),
        say("OpenClaw reads no more of all notes together when a session starts."),
        least=0,
        most=1_000_000,
        group="reading",
    )
    memory_lines: int = setting(
        200,
        say("Lines of MEMORY.md"),
        say("Claude Code loads the first lines of MEMORY.md and reads the rest only when it looks for it."),
        least=1,
        most=100_000,
        group="reading",
    )
    memory_bytes: int = setting(
        25_000,
        say("Bytes of MEMORY.md"),
        say("Claude Code loads no more bytes of MEMORY.md than this, whichever limit comes first."),
        least=100,
        most=10_000_000,
        group="reading",
    )
    history_entries: int = setting(
        50,
        say("Entries of its history"),
        say("HKUDS nanobot reads the newest entries of history.jsonl that it has not worked through yet."),
        least=0,
        most=1_000,
        group="reading",
    )
    history_chars: int = setting(
        32_000,
        say("Characters of its history"),
        say("HKUDS nanobot reads no more of its history than this."),
        least=0,
        most=1_000_000,
        group="reading",
    )
    memory_retention_days: int = setting(
        30,
        say("Keep daily notes for"),
        say("Days before the notes of a day are old enough to be compacted."),
        least=1,
        most=365,
        group="compaction",
    )
    dedupe: str = setting(
        "same",
        say("Facts already known"),
        say(
            "What compaction takes for a repeat: the same fact of the same time, or also any fact "
            "whose text occurs somewhere in MEMORY.md."
        ),
        choices=("same", "substring"),
        words=(say("the same fact of the same time"), say("any fact that occurs in the text")),
        group="compaction",
    )
    old_logs: str = setting(
        "archive",
        say("What becomes of old logs"),
        say(
            "Their facts move into MEMORY.md as far as the bot loads it, and the logs of the rest are archived; or all logs "
            "are archived: they go whole into archive/ beside them, where they are found and the bot does not read them."
        ),
        choices=("archive", "move"),
        words=(say("archive them"), say("move their facts")),
        group="compaction",
    )
    keep_logs: bool = setting(
        False,
        say("Keep notes whole"),
        say(
            "Old notes with a line that stays are kept as they are; otherwise they are rewritten without the "
            "facts that moved."
        ),
        group="compaction",
    )
    session_history_limit: int = setting(
        20,
        say("Messages it is reminded of"),
        say("How many of the newest messages of a session the language model is sent with the next one; 0 for none."),
        least=0,
        most=200,
        group="turns",
    )


FIELDS = table(Settings)


def settings_from(values: Mapping[str, object], flavour: str) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default, of the flavour what the files look like. Raises
    ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, values))
    return Settings(**found | {"flavour": values.get("flavour") or flavour})
