"""Workspaces as a plug-in: whose a directory is, and where its sessions lie."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from django.utils.translation import gettext_lazy

from memory.bots import open_bot
from memory.bots.directories import SESSIONS_ROOT, first_existing, names, names_known
from memory.bots.family import BY_ITS_USUAL, BY_PLACE, Family, Recognised
from memory.dialects.workspace import DIALECT, sample
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


class Workspaces(Family):
    """The family; a flavour is whose workspace it is."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("workspace", ".openclaw/workspace", ".nanobot/workspace")
    dull = frozenset({"workspace"})
    sample_name = gettext_lazy("Sample workspace")

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        for form, flavour, why in PLACES:
            if form.search(path):
                return Recognised(self.name, flavour, why, BY_PLACE)
        if not DIALECT.recognises(names):
            return None
        flavour = look(names).flavour
        return Recognised(self.name, flavour, OF_ITS_FILES[flavour], BY_ITS_USUAL, doubtful=flavour == CLAUDE_CODE)

    def choices(self) -> list[tuple[str, str]]:
        field = next(field for field in DIALECT.fields if field.name == "flavour")
        return [(f"{self.name}:{one}", words) for one, words in zip(field.choices, field.words, strict=True)]

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        sessions = sessions_of_openclaw(memory) if flavour == OPENCLAW else None
        return {SESSIONS_ROOT: sessions} if sessions else {}

    def write_sample(self, home: Path, now: datetime) -> Path:
        return sample.write(home / "sample-workspace", now)

    def opened(self, bot: Bot) -> Dialect:
        try:
            there = names(open_bot(bot).memory_path)
        except OSError:
            there = names_known(bot)
        return DIALECT.seen(there, str(bot.settings.get("flavour") or ""), apart=SESSIONS_ROOT in bot.directories)


def sessions_of_openclaw(workspace: Path) -> Path | None:
    """Where an OpenClaw keeps the sessions of the agent whose workspace this is; None if there is no such directory. The agent of
    `workspace` is `main`, that of `workspace-NAME` is NAME; an agent that is the only one needs no name."""
    agents = workspace.parent / "agents"
    agent = workspace.name.removeprefix("workspace").removeprefix("-") or "main"
    alone = sorted(agents.glob("*/sessions"))[:2]
    return first_existing([agents / agent / "sessions", *(alone if len(alone) == 1 else [])])


FAMILY = Workspaces()
