"""The frame around every page: its places in order, the keys that lead about, and what is told above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.bots import automation, costs, families
from memory.domain.places import Kind
from memory.models import Bot
from memory.storage import database
from memory.web.base.counts import SidebarCounts, ToReview
from memory.web.base.translation import translate

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Page:
    """A page of every bot: its name, what it is called, the letter after `g` that goes there ("" for none)."""

    name: str
    label: Words
    letter: str = ""
    for_some: bool = False  # only some families of bots have it, so the help for all does not name its letter
    groups: frozenset[str] = frozenset()  # the groups of settings that it is made of; it is none without any
    route: str = ""  # the name of its address where that is not its own among a bot's
    show: str = ""  # what is asked for there, where the address has several lists
    for_operators: bool = False

    @property
    def keys(self) -> str:
        """The keys that go there, in words; "" for none."""
        return _("g then %(letter)s") % {"letter": self.letter} if self.letter else ""

    def url(self, slug: str) -> str:
        """Where a bot has it."""
        query = {"show": self.show} if self.show else None
        return reverse(self.route or f"memory:{self.name}", args=[slug], query=query)


@dataclass(frozen=True, slots=True)
class NavItem:
    """What stands at the side, with the pages that are behind it; the name is its icon's, too."""

    name: str
    label: Words
    pages: tuple[Page, ...]
    in_dock: bool = False  # on the phone it stands at the bottom, the others behind "More"


PLACES = (
    NavItem("home", later("Home"), (Page("overview", later("Home"), "o"),), in_dock=True),
    NavItem(
        "memory",
        later("Memory"),
        (
            Page("memory", later("Long-term memory"), "m"),
            Page("entries", later("Entries"), "e", for_some=True),
            Page("days", later("Days"), "d"),
            Page("working", later("Working memory"), "w"),
            Page("documents", later("Files"), "f"),
        ),
        in_dock=True,
    ),
    NavItem("chats", later("Chats"), (Page("chats", later("Chats"), "c"),), in_dock=True),
    NavItem("prompt", later("Prompt"), (Page("prompt", later("Prompt"), "p"),), in_dock=True),
    NavItem(
        "tidy",
        later("Tidy up"),
        (
            Page("tidy", later("To review"), "i"),
            Page("compaction", later("Compaction"), "k"),
            Page("jobs", later("Jobs"), "j", route="memory:tidy", show="jobs"),
            Page("recall_tests", later("Recall tests"), "t"),
        ),
    ),
    NavItem(
        "history",
        later("History"),
        (Page("history", later("History"), "h"), Page("trash", later("Trash")), Page("numbers", later("Numbers"))),
    ),
    NavItem(
        "settings",
        later("Settings"),
        (
            Page("settings", later("General"), "s", groups=frozenset({"", "history"})),
            Page("settings_reads", later("What it reads"), groups=frozenset({"reading", "retention"})),
            Page("settings_compaction", later("Compaction"), groups=frozenset({"compaction"})),
            Page("settings_costs", later("Costs"), groups=frozenset({"cost"})),
            Page("model", later("Language model"), "l"),
            Page("webhooks", later("Webhooks"), "b"),
            Page("api", later("API keys"), "a"),
            Page("notifications", later("Notifications")),
            Page("export", later("Export and import")),
            Page("bot_remove", later("Remove"), route="bot_remove", for_operators=True),
        ),
    ),
)
SEARCH = Page("search", later("Search"), "q")
PAGES = (*(page for place in PLACES for page in place.pages), SEARCH)


@dataclass(frozen=True, slots=True)
class Link:
    """A page of one bot. `chip` is a number beside it (0: none), `chip_words` what it counts and `level` how bad that is."""

    page: Page
    url: str
    is_current: bool = False
    chip: int = 0
    chip_words: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Door:
    """A place of one bot, which leads to the first of its pages and tells the number of that; what of memory is stale is told
    beside its own page alone."""

    place: NavItem
    links: tuple[Link, ...]

    @property
    def first(self) -> Link:
        return self.links[0]

    @property
    def is_current(self) -> bool:
        return any(link.is_current for link in self.links)


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
            Key(("m",), later("Move")),
            Key(("a",), later("Accept what is held")),
            Key(("r",), later("Reject what is held")),
            Key(("+",), later("Merge")),
            Key(("p",), later("Pin or unpin")),
            Key(("f",), later("Filter")),
            Key(("1 – 9",), later("Keep that answer")),
            Key(("[",), later("Previous day")),
            Key(("]",), later("Next day")),
        ),
    ),
    Keys(
        later("While editing"),
        (Key(("Ctrl", "S"), later("Save"), together=True),),
    ),
)
FOR_SOME = frozenset(page.name for page in PAGES if page.for_some)


def keys(closed: frozenset[str] = FOR_SOME) -> tuple[Keys, ...]:
    """All keys, with those that go to the pages which are not closed."""
    there = [page for page in PAGES if page.letter and page.name not in closed]
    return (*KEYS, Keys(later("Go to"), [Key(("g", page.letter), page.label) for page in there]))


@lru_cache(64)
def pages(slug: str, *, operates: bool) -> tuple[tuple[Page, str], ...]:
    """The pages of a bot in order, each with its address; `operates`: those for operators, too."""
    return tuple((page, page.url(slug)) for page in PAGES if operates or not page.for_operators)


def doors(
    bot: Bot, numbers: SidebarCounts, review: ToReview, current: str = "", *, operates: bool = False
) -> list[Door]:
    """The places of a bot that has anything there, with what its family adds behind each and what is to be told of them; `current`
    is the page shown."""
    closed = closed_pages(bot.dialect, has_chats=numbers.chats > 0, has_days=numbers.days)
    urls = {page.name: url for page, url in pages(bot.slug, operates=operates) if page.name not in closed}
    own = families.get(bot.dialect).places
    found = []
    for place in PLACES:
        links = [_link(page, urls[page.name], numbers, review, current) for page in place.pages if page.name in urls]
        added = (Page(name, words) for name, words in own.get(place.name, ()))
        if links:
            found.append(Door(place, (*links, *(Link(one, one.url(bot.slug), one.name == current) for one in added))))
    return found


@lru_cache(64)
def closed_pages(dialect: str, *, has_chats: bool, has_days: bool = False) -> frozenset[str]:
    """The names of the pages that a bot of this family has no use for: it keeps nothing there, and nothing is there. `due` is among
    them where chats keep no logs by day, so that none of them grow old."""
    family = families.dialect(dialect)
    kinds = {"working": (Kind.WORKING,), "chats": (Kind.LONG_TERM, Kind.DAILY), "due": (Kind.DAILY,)}
    closed = {name for name, some in kinds.items() if not any(family.path(kind, "chat", "2026-01-31") for kind in some)}
    if family.attributes is None:
        closed.add("entries")
    if family.compacting is None:
        closed.add("compaction")
    if not any(family.path(Kind.DAILY, scope, "2026-01-31") for scope in ("", "chat")):
        closed |= {"compaction", "days"}
        if "working" in closed and not families.get(dialect).works:
            closed.add("jobs")
    groups = {field.group for field in (*family.fields, *automation.FIELDS, *costs.FIELDS)}
    groups -= {"compaction"} if family.compacting is None else set()
    closed |= {page.name for page in PAGES if page.groups and not page.groups & groups}
    return frozenset(closed - ({"chats"} if has_chats else set()) - ({"days"} if has_days else set()))


def _link(page: Page, url: str, numbers: SidebarCounts, review: ToReview, current: str) -> Link:
    chip, words, level = _number(page.name, numbers, review)
    return Link(page, url, page.name == current, chip, words, level)


def _number(name: str, numbers: SidebarCounts, review: ToReview) -> tuple[int, str, str]:
    """(number, what it counts, level) beside a page."""
    if name == "working":
        return numbers.stale, _("stale"), "warn"
    if name == "jobs":
        return numbers.deciding, _("to review"), "warn"
    if name == "tidy":
        return review.number, _("to review"), review.level
    if name == "recall_tests":
        return numbers.broken, _("failing"), "bad"
    return 0, "", ""


def of_the_database(request: HttpRequest) -> dict[str, str]:
    """A context processor: `database_trouble`, "" if there is none."""
    return {"database_trouble": translate(database.trouble())}


def dialect_label(bot: Bot) -> str:
    """What people call the bot's family."""
    try:
        label = families.dialect(bot.dialect).label
    except LookupError:
        label = bot.dialect
    return _("%(dialect)s · sample") % {"dialect": label} if bot.is_sample else label
