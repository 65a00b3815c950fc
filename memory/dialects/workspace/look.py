"""What a workspace looks like: which family of bots keeps it so, and where its bot puts the next note."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from memory.dialects.workspace import layout
from memory.domain.places import Kind

OPENCLAW = "openclaw"
CLAUDE_CODE = "claude-code"
HKUDS = "hkuds"
PLAIN = "plain"
FLAVOURS = (OPENCLAW, CLAUDE_CODE, HKUDS, PLAIN)


@dataclass(frozen=True, slots=True)
class Look:
    """`long_term`: its MEMORY.md, whether or not it is there. `daily` stands before the day in the path of a new note; None: no
    notes by day are kept here. `sessions`: the directory of its transcripts. `seems`: whose it looks like, whoever was chosen."""

    flavour: str = PLAIN
    long_term: str = layout.LONG_TERM
    daily: str | None = f"{layout.INSIDE}/"
    sessions: str = layout.SESSIONS
    seems: str = PLAIN

    @property
    def directory(self) -> str:
        """Where what is put away goes: "" or a path with its last slash."""
        return f"{layout.INSIDE}/" if self.daily else ""


def look(names: Collection[str], flavour: str = "", *, apart: bool = False) -> Look:
    """What the names in a directory (top-level, and one level below `memory`) tell; `flavour` overrules whose they look like.
    `apart`: its sessions lie beside the workspace, in a root of their own."""
    kinds = {name: place.kind for name in names if (place := layout.describe(name))}
    seems = _flavour(names, kinds)
    flavour = flavour if flavour in FLAVOURS else seems
    sessions = layout.APART if apart else layout.SESSIONS
    return Look(flavour, _long_term(kinds, flavour), _daily(names, kinds, flavour), sessions, seems)


def _flavour(names: Collection[str], kinds: dict[str, Kind]) -> str:
    if Kind.HISTORY in kinds.values():
        return HKUDS
    identity = {name.upper() for name, kind in kinds.items() if kind is Kind.IDENTITY}
    if identity - {"CLAUDE.MD", "CLAUDE.LOCAL.MD"}:
        return HKUDS if _as_hkuds(names, kinds, identity) else OPENCLAW
    if Kind.DAILY in kinds.values() or layout.INSIDE in names:
        return PLAIN
    return CLAUDE_CODE if Kind.TOPIC in kinds.values() else PLAIN


def _as_hkuds(names: Collection[str], kinds: dict[str, Kind], identity: Collection[str]) -> bool:
    """Whether a workspace without a history yet has its MEMORY.md and its sessions where HKUDS nanobot has them."""
    inside = [name.startswith(f"{layout.INSIDE}/") for name, kind in kinds.items() if kind is Kind.LONG_TERM]
    return layout.SESSIONS in names and any(inside) and all(inside) and "BOOTSTRAP.MD" not in identity


def _long_term(kinds: dict[str, Kind], flavour: str) -> str:
    """The MEMORY.md that is there, the one at the top before the one in `memory`, capitals before small letters."""
    there = sorted((name.count("/"), name) for name, kind in kinds.items() if kind is Kind.LONG_TERM)
    if there:
        return there[0][1]
    return f"{layout.INSIDE}/{layout.LONG_TERM}" if flavour == HKUDS else layout.LONG_TERM


def _daily(names: Collection[str], kinds: dict[str, Kind], flavour: str) -> str | None:
    dated = [name for name, kind in kinds.items() if kind is Kind.DAILY]
    if any("/" in name for name in dated):
        return f"{layout.INSIDE}/"
    if dated:
        return ""
    for directory in (f"{layout.INSIDE}/daily", f"{layout.INSIDE}/logs", "daily", "journal", "logs"):
        if directory in names:
            return f"{directory}/"
    return None if flavour == CLAUDE_CODE else f"{layout.INSIDE}/"
