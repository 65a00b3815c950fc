"""Workspaces as a plug-in: whose a directory is, and where its sessions lie."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext_lazy

from memory.bots import open_bot
from memory.bots.directories import SESSIONS_ROOT, first_existing, names, names_known
from memory.bots.family import BY_ITS_USUAL, BY_PLACE, Family, Recognised
from memory.dialects.shared.json_parts import object_in
from memory.dialects.workspace import DIALECT, sample
from memory.dialects.workspace.layout import SESSIONS
from memory.dialects.workspace.look import CLAUDE_CODE, HKUDS, OPENCLAW, PLAIN, look
from memory.domain.dialect import Dialect
from memory.models import Bot
from memory.text.sentences import say

PLACES = (  # where a bot keeps its workspace unless it is told otherwise
    (
        re.compile(r"/\.claude/projects/[^/]+/memory\Z"),
        CLAUDE_CODE,
        say("Claude Code keeps a project’s memory in a directory like this."),
    ),
    (
        re.compile(r"/\.(?:openclaw|clawdbot|moltbot)/workspace[^/]*\Z"),
        OPENCLAW,
        say("OpenClaw keeps its workspaces here."),
    ),
    (re.compile(r"/\.nanobot/workspace\Z"), HKUDS, say("HKUDS nanobot keeps its workspace here.")),
)
OF_ITS_FILES = {
    OPENCLAW: say("It has identity files named the way OpenClaw names them."),
    HKUDS: say("It has a history, or a MEMORY.md inside memory, as HKUDS nanobot does."),
    CLAUDE_CODE: say(
        "It has topics beside MEMORY.md and no daily logs, as Claude Code does. Other bots may do the same."
    ),
    PLAIN: say("It has MEMORY.md and notes, and nothing specific to one type of bot."),
}
LIKE_HKUDS = say("It has a history, or a MEMORY.md inside memory, as HKUDS nanobot does. Other bots do the same.")
HISTORY_OF_HKUDS = "memory/history.jsonl"
LOOKED_AT, A_LINE = 20, 4096  # transcripts, and bytes of their first lines


class Workspaces(Family):
    """The family; a flavour is whose workspace it is."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("workspace",)
    usual = (".openclaw/workspace", ".clawdbot/workspace", ".moltbot/workspace", ".nanobot/workspace")
    dull = frozenset({"workspace"})
    sample_name = gettext_lazy("Sample workspace")
    write_sample = staticmethod(sample.write)

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        for form, flavour, why in PLACES:
            if form.search(path):
                return Recognised(self.name, flavour, why, BY_PLACE)
        if not DIALECT.recognises(names):
            return None
        flavour = look(names).flavour
        if flavour == HKUDS and not is_hkuds_own(Path(path), names):
            return Recognised(self.name, flavour, LIKE_HKUDS, BY_ITS_USUAL, doubtful=True)
        return Recognised(self.name, flavour, OF_ITS_FILES[flavour], BY_ITS_USUAL, doubtful=flavour == CLAUDE_CODE)

    def choices(self) -> list[tuple[str, str]]:
        field = next(field for field in DIALECT.fields if field.name == "flavour")
        return [(f"{self.name}:{one}", words) for one, words in zip(field.choices, field.words, strict=True)]

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        sessions = sessions_of_openclaw(memory) if flavour == OPENCLAW else None
        return {SESSIONS_ROOT: sessions} if sessions else {}

    def opened(self, bot: Bot) -> Dialect:
        try:
            there = names(open_bot(bot).memory_path)
        except OSError:
            there = names_known(bot)
        return DIALECT.seen(there, str(bot.settings.get("flavour") or ""), apart=SESSIONS_ROOT in bot.directories)


def is_hkuds_own(workspace: Path, names: Collection[str]) -> bool:
    """Whether there is what only HKUDS nanobot makes: a history of JSON lines, or a transcript that begins with its key."""
    if HISTORY_OF_HKUDS in names:
        return True
    with suppress(OSError):
        return any(map(_has_key, islice((workspace / SESSIONS).glob("*.jsonl"), LOOKED_AT)))
    return False


def _has_key(transcript: Path) -> bool:
    try:
        with transcript.open("rb") as file:
            first = object_in(file.readline(A_LINE))
    except OSError:
        return False
    return first.get("_type") == "metadata" and isinstance(first.get("key"), str)


def sessions_of_openclaw(workspace: Path) -> Path | None:
    """Where an OpenClaw keeps the sessions of the agent whose workspace this is; None if there is no such directory. The agent of
    `workspace` is `main`, that of `workspace-NAME` is NAME; an agent that is the only one needs no name."""
    agents = workspace.parent / "agents"
    agent = workspace.name.removeprefix("workspace").removeprefix("-") or "main"
    alone = sorted(agents.glob("*/sessions"))[:2]
    return first_existing([agents / agent / "sessions", *(alone if len(alone) == 1 else [])])


FAMILY = Workspaces()
