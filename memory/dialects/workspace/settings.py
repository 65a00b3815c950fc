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
        say("Bot type"),
        say("Decides what the bot loads at the start. The default is a guess from the files."),
        choices=FLAVOURS,
        words=("OpenClaw", say("Claude Code"), say("HKUDS nanobot"), say("another bot")),
    )
    memory_days: int = setting(
        2,
        say("Daily logs in the prompt"),
        say(
            "How many days of logs, starting with today, the bot reads at the start of a session; 0 for none. For "
            "OpenClaw and plain workspaces."
        ),
        between=(0, 30),
        group="reading",
    )
    document_chars: int = setting(
        20_000,
        say("Characters per file"),
        say("OpenClaw cuts the middle out of longer files: it keeps the first 70% and the last 20%."),
        between=(1_000, 1_000_000),
        group="reading",
    )
    documents_chars: int = setting(
        60_000,
        say("Characters of all files"),
        say("OpenClaw loads no more than this of MEMORY.md and the identity files together."),
        between=(1_000, 5_000_000),
        group="reading",
    )
    note_chars: int = setting(
        1_200,
        say("Characters per daily log"),
        say("OpenClaw loads no more than this of one daily log."),
        between=(0, 1_000_000),
        group="reading",
    )
    notes_chars: int = setting(
        2_800,
        say("Characters of all logs"),
        say("OpenClaw loads no more than this of all daily logs together."),
        between=(0, 1_000_000),
        group="reading",
    )
    memory_lines: int = setting(
        200,
        say("Lines of MEMORY.md"),
        say("Claude Code loads the first lines of MEMORY.md and looks up the rest when needed."),
        between=(1, 100_000),
        group="reading",
    )
    memory_bytes: int = setting(
        25_000,
        say("Bytes of MEMORY.md"),
        say("Claude Code stops loading MEMORY.md after this many bytes or lines, whichever comes first."),
        between=(100, 10_000_000),
        group="reading",
    )
    history_entries: int = setting(
        50,
        say("History entries"),
        say("HKUDS nanobot reads the newest entries of history.jsonl that it hasn’t processed yet."),
        between=(0, 1_000),
        group="reading",
    )
    history_chars: int = setting(
        32_000,
        say("Characters of history"),
        say("HKUDS nanobot loads no more than this of its history."),
        between=(0, 1_000_000),
        group="reading",
    )
    memory_retention_days: int = setting(
        30,
        say("Keep daily logs for (days)"),
        say("Days until a daily log can be compacted."),
        between=(1, 365),
        group="compaction",
    )
    dedupe: str = setting(
        "same",
        say("Duplicates"),
        say(
            "What compaction treats as a duplicate: the same fact at the same time, or also any fact whose text "
            "occurs in MEMORY.md."
        ),
        choices=("same", "substring"),
        words=(say("the same fact at the same time"), say("also any text that occurs in it")),
        group="compaction",
    )
    old_logs: str = setting(
        "archive",
        say("Old logs"),
        say(
            "Facts move to MEMORY.md up to the size the bot loads, and the remaining logs are archived; or all logs "
            "are archived. Archived logs move whole to archive/, where you can search them and the bot doesn’t read "
            "them."
        ),
        choices=("archive", "move"),
        words=(say("archive them"), say("move their facts")),
        group="compaction",
    )
    keep_logs: bool = setting(
        False,
        say("Keep logs whole"),
        say("Keep an old log whole if any line stays; otherwise the moved facts are cut out of it."),
        group="compaction",
    )
    session_history_limit: int = setting(
        20,
        say("Earlier messages sent along"),
        say(
            "How many of the newest messages of a session are sent to the language model with the next one; 0 for none."
        ),
        between=(0, 200),
        group="turns",
    )


FIELDS = table(Settings)


def settings_from(values: Mapping[str, object], flavour: str) -> Settings:
    """Settings from saved values; what is missing, None or "" is the default, of the flavour what the files look like. Raises
    ValueError naming the setting."""
    found: dict[str, Any] = dict(read(FIELDS, values))
    return Settings(**found | {"flavour": values.get("flavour") or flavour})
