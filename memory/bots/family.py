"""A family of bots as a plug-in: its dialect, and what hangs from it that is not pure.

A family is a package `memory/dialects/<word>/` whose module `family` has a `FAMILY`, and one word in `settings.DIALECTS`. What is
not overridden here a family does not have, and no page or command offers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol

from django.utils.translation import gettext_lazy

from memory.domain.changes import Made
from memory.domain.dialect import Dialect
from memory.domain.fields import Configured
from memory.domain.timeline import Timeline
from memory.models import Bot, Delivery
from memory.storage import Vault
from memory.storage.files import FileVault
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say


@dataclass(frozen=True, slots=True)
class Recognised:
    """Whose memory a directory looks like. `flavour` tells apart who of a family keeps it; `why` says for people what tells it.
    Of several families the one that is most `certain` has it; `doubtful`: something else may well be true."""

    family: str = ""
    flavour: str = ""
    why: str = say("Nothing here is named like a bot’s memory.")
    certain: int = 0
    doubtful: bool = False

    @property
    def name(self) -> str:
        """The family with its flavour, as a form sends it: `family`, `family:flavour`."""
        return f"{self.family}:{self.flavour}" if self.flavour else self.family


@dataclass(frozen=True, slots=True)
class Named:
    """What outside of the desk names a bot, and what one does so that it does not, lazily translated."""

    by: str
    otherwise: Any


# How certain: by files that only this family makes, by a place that is only its own, by what it usually keeps, by what all keep.
BY_ITS_OWN, BY_PLACE, BY_ITS_USUAL, BY_ANY = 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class FamilyFinding:
    """What a check of a family found, as one finding: where it stands, what it quotes, and what is said of it."""

    path: str
    text: str
    note: str
    line: int = 0


class Check(Protocol):
    """Something that only bots of one family can have wrong. Its findings lead to a page of their own, or to the file found."""

    name: str  # as rows of findings have it
    page: str  # the name of the page's address; "" for the file's
    title: Any  # what its findings are called, lazily translated
    why: Any  # what harm it does, lazily translated
    act: Any  # what the link to the page says

    def look(self, bot: Bot) -> FamilyFinding | None:
        """What is wrong now; None if nothing is. Raises Unreadable."""


class Recalls(Protocol):
    """What the page of a prompt says of what a message recalled; a module has these."""

    PART: str  # the template of it
    PAGE: str  # the name of the address that says more
    NOTHING: Any  # what the page says where nothing is recalled, lazily translated
    NO_CHAT: Any  # the same where no chat is asked for

    def is_offered(self, bot: Bot) -> bool: ...

    def reasons(self, bot: Bot, chat: str, query: str, sender: str = "") -> Sequence[Any]: ...


class CommandLine(Protocol):
    """What commands of every bot say besides of a bot of this family; a module has these functions."""

    def search_options(self, parser: Any) -> None: ...

    def search(self, call: Any) -> Any | None: ...

    def status(self, bot: Bot) -> tuple[dict[str, Any], str, str]: ...

    def reindex(self, bot: Bot) -> tuple[dict[str, Any], str, str]: ...


class Family:
    """One family of bots. `name` is what rows have, `dialect` how it writes in a directory of which nothing more is known."""

    name: ClassVar[str]
    dialect: ClassVar[Dialect]
    # Why names that the dialect recognises are taken for a memory of it, and how certain that is
    recognised_by: ClassVar[tuple[str, int]] = (say("It looks like the memory of this bot type."), BY_ITS_USUAL)
    homes: ClassVar[tuple[str, ...]] = ()  # where a memory lies in its bot's home
    # the same in the home of the person who runs it, if it is told of no other place
    usual: ClassVar[tuple[str, ...]] = ()
    dull: ClassVar[frozenset[str]] = frozenset()  # names of directories that say nothing of whose they are
    roots_words: ClassVar[Mapping[str, Any]] = {}  # what lies in a root of its own, lazily translated
    checks: ClassVar[tuple[Check, ...]] = ()
    pages: ClassVar[str] = ""  # a module with `urlpatterns` below a bot's address
    api: ClassVar[str] = ""  # a module with a `router` of operations on a bot that only this family has
    places: ClassVar[Mapping[str, tuple[tuple[str, Any], ...]]] = {}  # (address, words) of its pages by place
    commands: ClassVar[tuple[str, ...]] = ()  # modules that `register` commands of its own
    command_line: ClassVar[str] = ""  # a module that is a CommandLine
    configuration: ClassVar[str] = ""  # the file in which its bots have their own configuration
    misread: ClassVar[Any] = gettext_lazy(  # what it means that a value in it can't be read
        "The value at %(key)s in %(file)s can’t be read. Kenoweb uses the default; set it here."
    )
    sample_name: ClassVar[Any] = ""  # what a sample of it is called, lazily translated; "" where there is none
    instead_of_sample: ClassVar[Any] = ""  # what one does to see a bot of one's own instead of it, lazily translated
    works: ClassVar[Mapping[str, str]] = {}  # by kind of job: a module whose `work` and `apply` do it this family's way
    recalls_by: ClassVar[str] = ""  # a module that has the prompt page's part on what a message recalls

    def deletes_after(self, settings: Any) -> int | None:
        """The days after which its bot deletes daily logs by itself; None where it never does."""
        return None

    # Where its memory lies

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        """Whether the directory of this path, that holds these names (top-level, and one level below `memory`), is one's memory."""
        return Recognised(self.name, "", *self.recognised_by) if self.dialect.recognises(names) else None

    def choices(self) -> list[tuple[str, str]]:
        """Whose memory of this family one may be, as (name, label), for a form."""
        return [(self.name, self.dialect.label)]

    def directory_of(self, path: Path) -> Path | None:
        """The directory that is meant by a path that names a file of the bot's; None for any other. Raises Refusal."""
        return None

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        """The roots that a bot has beside its memory."""
        return {}

    def sessions_of(self, bot: Bot) -> Path | None:
        """The directory that the bot would make for its transcripts; None for one that makes none."""
        return None

    def remarks(self, roots: Mapping[str, Path]) -> Iterator[str]:
        """What people should know before they add such a bot, a sentence or two each."""
        yield from ()

    def write_sample(self, directory: Path, now: datetime) -> Path:
        """A made-up memory is in this directory afterwards, or below it, where the answer says. Raises OSError."""
        raise NotImplementedError

    def first_bot(self, with_sample: bool) -> list[str]:
        """Make or follow the bot that the environment names, or a sample. Returns what was done, for people. Raises Refusal."""
        return []

    def named_by_environment(self, bot: Bot) -> Named | None:
        """What in the environment names this bot and would bring it back at the next start; None if nothing does."""
        return None

    def by_default(self, bot: Bot) -> Any:
        """What to say of a directory that nobody named and where Kenoweb looks by itself, lazily translated; "" of any other."""
        return ""

    def left_behind(self, bot: Bot) -> Path | None:
        """A memory that an older version left elsewhere and that nobody reads any more, if something lies in it."""
        return None

    # One bot of it

    def opened(self, bot: Bot) -> Dialect:
        """How this bot writes, and where."""
        return self.dialect

    def observed(self, bot: Bot) -> Mapping[str, object]:
        """What the bot's files say of settings that nobody has saved."""
        return self.configured(bot).values

    def configured(self, bot: Bot) -> Configured:
        """What the bot's own configuration says."""
        return Configured()

    def conflicts(self, bot: Bot) -> Iterator[str]:
        """What is set for a bot and cannot be, in sentences of the reader's language."""
        yield from ()

    def vault(self, root: str, path: Path, memory: Path, skip: Callable[[str], bool]) -> Vault:
        """The vault of a root, beside the directory of the memory; `skip`: which directories are passed over."""
        return self.storage(root, path, memory) or FileVault(path, skip=skip)

    def storage(self, root: str, path: Path, memory: Path) -> Vault | None:
        """The vault of a root that is no directory; None for one that is."""
        return None

    # What it does besides

    def without(self, bot: Bot, going: Iterable[tuple[str, bytes, Sequence[FactAt]]]) -> list[Made]:
        """The changes that go with forgetting these facts, (path, bytes, facts). Raises Unreadable."""
        return []

    def own_rule(self, words: str, facts: Iterable[FactAt]) -> str:
        """What the bot itself would forget of these facts for these words, a sentence; "" where it has no such rule."""
        return ""

    def reworded(self, bot: Bot, path: str, data: bytes, fact: FactAt, text: str) -> list[Made]:
        """The changes that go with a fact saying `text`. Raises Unreadable."""
        return []

    def detailed(
        self, bot: Bot, path: str, data: bytes, fact: FactAt, changes: Mapping[str, Any], now: datetime
    ) -> list[Made]:
        """The changes that go with other details of a fact. Raises Unreadable."""
        return []

    def closed(self, bot: Bot) -> str:
        """Why nothing that is said to the bot could be written down, for people; "" if it can. Raises Unreadable."""
        return ""

    def after_turn(self, bot: Bot, delivery: Delivery) -> None:
        """What follows on a turn that was taken in. Its sender has been served: an error of the vault or a busy bot is dropped."""

    def sums_up(self, bot: Bot, chat: str) -> Any:
        """What the button says of how this family's own work sums a chat up, lazily translated; "" where there is nothing to sum
        up, or the core does it."""
        return ""

    def compared(self, path: str, before: str, after: str) -> tuple[str, str]:
        """The text of a document and what a suggestion makes of it, as people compare the two: only what is rewritten of it."""
        return before, after

    def is_anothers(self, bot: Bot, path: str, chat: str) -> bool:
        """Whether a transcript under a chat's name is that of another session that the bot gives the same name."""
        return False

    def leaving(self, bot: Bot) -> Mapping[tuple[str, int], str]:
        """What its bot drops by itself at its next rewrite, as (path, line) -> why."""
        return {}

    def timeline(self, bot: Bot, chat: str) -> Timeline | None:
        """Where each message of a chat is at this moment; None where that is not known. Raises Unreadable."""
        return None
