"""The frame around every page: its places in order, and the keys that lead about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import npgettext

from memory.bots import families
from memory.domain.dialect import Kind
from memory.web.base.counts import Beside

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of every bot: the name of its address, what it is called, the letter after `g` that goes there."""

    name: str
    label: Words
    letter: str
    in_dock: bool = False  # on the phone it stands at the bottom, the others behind "More"
    begins_group: bool = False
    for_some: bool = False  # only some families of bots have it, so the help for all does not name its letter


SPOTS = (
    Spot("overview", later("Home"), "o", in_dock=True),
    Spot("search", later("Search"), "q"),
    Spot("memory", later("Memory"), "m", in_dock=True),
    Spot("entries", later("Entries"), "e", in_dock=True, for_some=True),
    Spot("days", later("Days"), "d", in_dock=True),
    Spot("chats", later("Chats"), "c", in_dock=True),
    Spot("working", later("Working memory"), "w"),
    Spot("prompt", later("Prompt"), "p", begins_group=True),
    Spot("compaction", later("Compaction"), "k"),
    Spot("jobs", later("Jobs"), "j"),
    Spot("findings", later("Tidy up"), "i"),
    Spot("pins", later("Recall tests"), "t"),
    Spot("history", later("History"), "h", in_dock=True),
    Spot("documents", later("Files"), "f"),
    Spot("webhooks", later("Webhooks"), "b", begins_group=True),
    Spot("api", later("API"), "a"),
    Spot("model", later("Language model"), "l"),
    Spot("settings", later("Settings"), "s"),
)


@dataclass(frozen=True, slots=True)
class Door:
    """A place of one bot as a link. `chip` is a number beside it (0: none) and `chip_words` what it counts."""

    spot: Spot
    url: str
    chip: int = 0
    chip_words: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """Keys as people press them, one after the other or (`together`) at once, and what they do."""

    keys: Sequence[str]
    words: Words
    together: bool = False


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys that belong together."""

    heading: Words
    keys: Sequence[Key]


KEYS = (
    Keys(
        later("Anywhere"),
        (
            Key(("Ctrl", "K"), later("Open the command palette"), together=True),
            Key(("/",), later("Search this bot’s memory")),
            Key(("u",), later("Undo your last change")),
            Key(("?",), later("Show shortcuts")),
            Key(("Esc",), later("Close")),
        ),
    ),
    Keys(
        later("In lists"),
        (
            Key(("j",), later("Next row")),
            Key(("k",), later("Previous row")),
            Key(("Enter",), later("Open")),
            Key(("x",), later("Select")),
            Key(("e",), later("Edit")),
            Key(("f",), later("Filter")),
            Key(("[",), later("Previous day")),
            Key(("]",), later("Next day")),
        ),
    ),
    Keys(
        later("While editing"),
        (Key(("Ctrl", "S"), later("Save"), together=True),),
    ),
    Keys(later("Go to"), tuple(Key(("g", spot.letter), spot.label) for spot in SPOTS if not spot.for_some)),
)


def places(slug: str) -> list[tuple[Spot, str]]:
    """The places of a bot in order, each with its address."""
    return [(spot, reverse(f"memory:{spot.name}", args=[slug])) for spot in SPOTS]


def doors(slug: str, dialect: str, numbers: Beside) -> list[Door]:
    """The places of a bot of this family with what is to be told of them."""
    closed = without(dialect, has_chats=numbers.chats > 0, has_days=numbers.days)
    found = [(spot, url) for spot, url in places(slug) if spot.name not in closed]
    if "entries" not in closed:  # there they take the place of days, for no more than five go into the dock
        found = [(replace(spot, in_dock=spot.in_dock and spot.name != "days"), url) for spot, url in found]
    return [_door(spot, url, numbers) for spot, url in found]


@lru_cache(64)
def without(dialect: str, *, has_chats: bool, has_days: bool = False) -> frozenset[str]:
    """The places that a bot of this family has no use for: it keeps nothing there, and nothing is there; `due` for notes that grow
    old, where chats keep none by day."""
    family = families.dialect(dialect)
    kinds = {"working": (Kind.WORKING,), "chats": (Kind.LONG_TERM, Kind.DAILY), "due": (Kind.DAILY,)}
    closed = {name for name, some in kinds.items() if not any(family.path(kind, "chat", "2026-01-31") for kind in some)}
    if family.attributes is None:
        closed.add("entries")
    if not any(family.path(Kind.DAILY, scope, "2026-01-31") for scope in ("", "chat")):
        closed |= {"compaction", "days", "jobs"} if "working" in closed else {"compaction", "days"}
    return frozenset(closed - ({"chats"} if has_chats else set()) - ({"days"} if has_days else set()))


def _door(spot: Spot, url: str, numbers: Beside) -> Door:
    if spot.name == "chats":
        return Door(spot, url, numbers.chats, npgettext("behind their number", "chat", "chats", numbers.chats))
    if spot.name == "working":
        return Door(spot, url, numbers.stale, _("stale"), "warn")
    if spot.name == "jobs":
        return Door(spot, url, numbers.deciding, _("to review"), "warn")
    if spot.name == "findings":
        return Door(spot, url, numbers.findings, _("open"), "bad")
    if spot.name == "pins":
        return Door(spot, url, numbers.broken, _("failing"), "bad")
    return Door(spot, url)
