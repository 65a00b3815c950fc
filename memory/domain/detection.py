"""Whose memory a directory is: told by its path and by the names in it, with what tells it, and whether that is certain."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from memory import dialects
from memory.dialects.workspace.look import CLAUDE_CODE, FLAVOURS, HKUDS, OPENCLAW, PLAIN, look

KENOBOT, NANOBOT, WORKSPACE = "kenobot", "nanobot", "workspace"
EMPTY = "Nothing here is called as any bot calls its memory."
PLACES = (  # where a family keeps its memory unless it is told otherwise
    (
        re.compile(r"/\.claude/projects/[^/]+/memory\Z"),
        CLAUDE_CODE,
        "Claude Code keeps a project's memory at such a place.",
    ),
    (
        re.compile(r"/\.(?:openclaw|clawdbot|moltbot)/workspace[^/]*\Z"),
        OPENCLAW,
        "OpenClaw keeps its workspaces there.",
    ),
    (re.compile(r"/\.nanobot/workspace\Z"), HKUDS, "This is where HKUDS nanobot keeps its workspace."),
    (re.compile(r"/\.kenobot(?:/data)?/memory\Z"), KENOBOT, "A KenoBot keeps its memory in a place of that name."),
)
OF_ITS_FILES = {
    OPENCLAW: "Documents that say who the bot is lie here, called as OpenClaw calls them.",
    HKUDS: "It keeps a history, or its MEMORY.md inside of memory, which is how HKUDS nanobot does it.",
    CLAUDE_CODE: "Topics lie beside MEMORY.md and no notes by day, as in Claude Code's memory. Others may keep theirs so.",
    PLAIN: "There are MEMORY.md and notes, and nothing that only one family of bots would keep.",
}
NANOBOTS = "Session states or mirrors lie here, which only the nanobot with a database makes."
KENOBOTS = "Directories lie here that only a KenoBot makes: chats, working, procedural or its identity."
BARE = "MEMORY.md and notes called by their day are in every bot's memory. A KenoBot often has nothing else."
DOUBTED = frozenset((OF_ITS_FILES[CLAUDE_CODE], BARE))


@dataclass(frozen=True, slots=True)
class Told:
    """What a directory looks like. `dialect` None: like no memory. `flavour`: of a workspace, whose; `why` says for people what
    tells it, and `doubtful` that something else may well be true."""

    dialect: str | None = None
    flavour: str = ""
    why: str = EMPTY

    @property
    def doubtful(self) -> bool:
        return self.why in DOUBTED

    @property
    def name(self) -> str:
        """The family with its flavour, as a form sends it: `kenobot`, `workspace:openclaw`."""
        return f"{self.dialect}:{self.flavour}" if self.flavour else self.dialect or ""


NOTHING = Told()


def told(path: str, names: Collection[str]) -> Told:
    """Whose memory the directory of this path is, that holds these names (top-level, and one level below `memory`)."""
    family = dialects.detect(names)
    if family == NANOBOT:
        return Told(NANOBOT, "", NANOBOTS)
    if family == KENOBOT and _tops(names) & {"chats", "working", "procedural", "identity"}:
        return Told(KENOBOT, "", KENOBOTS)
    place = next(((whose, why) for form, whose, why in PLACES if form.search(path)), None)
    if place and (family or place[0] in FLAVOURS):
        return Told(KENOBOT, "", place[1]) if place[0] == KENOBOT else Told(WORKSPACE, *place)
    if family == WORKSPACE:
        flavour = look(names).flavour
        return Told(WORKSPACE, flavour, OF_ITS_FILES[flavour])
    return Told(KENOBOT, "", BARE) if family else NOTHING


def choices() -> list[tuple[str, str]]:
    """Whose memory one may be, as (name, label), for a form."""
    found = []
    for name in dialects.names():
        family = dialects.get(name)
        flavours = next((field for field in family.fields if field.name == "flavour"), None)
        if flavours is None:
            found.append((name, family.label))
        else:
            found += [(f"{name}:{one}", words) for one, words in zip(flavours.choices, flavours.words, strict=True)]
    return found


def parted(name: str) -> tuple[str, str]:
    """(dialect, flavour) of what a form sent."""
    dialect, _, flavour = name.partition(":")
    return dialect, flavour


def _tops(names: Collection[str]) -> set[str]:
    return {name.split("/", 1)[0] for name in names}
