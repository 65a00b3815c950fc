"""What people do to facts: planned over their documents as they are now, foreseen, and written as one change set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory import index, journal
from memory.bots import open_bot
from memory.curation.documents import why_read_only
from memory.curation.joined import Joined
from memory.curation.writing import write
from memory.domain.changes import Append, Change, Delete, Made, Put, digest, split_path
from memory.domain.errors import Refusal, VaultError
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused, refusal_of
from memory.domain.places import Place, Tier
from memory.journal import Link
from memory.models import Bot, ChangeSet
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say, say_number

NOT_THERE = say("This fact no longer exists or was changed. Nothing was changed now.")
MOVED = say("This would now write something else. Nothing was written; check the updated preview.")


@dataclass(frozen=True, slots=True)
class Done:
    """The files have it. `change_set` None: they read so already. `paths` are the documents that were written, `joined` what others
    had added to them since they were read."""

    change_set: ChangeSet | None
    paths: tuple[str, ...]
    joined: Joined | None = None


@dataclass(frozen=True, slots=True)
class CurrentDocument:
    """A document as it is now. `locked` says why people may not change it."""

    path: str
    place: Place
    data: bytes | None
    facts: Sequence[FactAt]
    locked: str

    def unlocked(self) -> CurrentDocument:
        """This document, if people may change it."""
        if self.locked:
            raise Refusal(self.locked)
        return self

    def fact(self, key: str, nth: int) -> FactAt:
        """One of its facts. Raises Refusal where it is not there."""
        return self.some([(key, nth)])[0]

    def some(self, names: Iterable[tuple[str, int]]) -> list[FactAt]:
        """Those of its facts that are meant, each by its (key, nth). Raises Refusal where one is not there."""
        by_name = {(fact.key, fact.nth): fact for fact in reversed(self.facts)}
        try:
            return [by_name[name] for name in names]
        except KeyError:
            raise Refusal(NOT_THERE) from None


@dataclass(frozen=True, slots=True)
class ActPlan:
    """What an act is to write and what it was made from, how the history calls it and which facts it is about."""

    changes: Sequence[Change]
    made_from: Sequence[CurrentDocument]
    why: str
    keys: Sequence[str]
    links: Sequence[Link] = ()  # what becomes of facts, as far as the documents alone would not tell
    left_behind: Sequence[str] = ()  # what facts say of themselves and would say no more, a sentence each
    reach: str = ""  # that more would read what a chat alone knows, a sentence


@dataclass(frozen=True, slots=True)
class DocumentPreview:
    """One document of an act, before and after (b"" for none). `mark` is another one for any other outcome: of facts that note when
    they were made, what they say."""

    path: str
    before: bytes
    after: bytes
    mark: str


@dataclass(frozen=True, slots=True)
class ActPreview:
    """What an act would write: `count` facts, and how each document would be. `left_behind`: what facts would no longer say of
    themselves, a sentence each; `reach`: that more would read what a chat alone knows."""

    count: int
    documents: Sequence[DocumentPreview]
    left_behind: Sequence[str] = ()
    reach: str = ""

    @property
    def print(self) -> str:
        """Another one for any other outcome."""
        told = [f"{one.path}\0{digest(one.before)}\0{one.mark}\n" for one in self.documents]
        return digest("".join(told).encode("utf-8", "surrogateescape"))


Act = Callable[[], ActPlan]  # raises Refusal, ValueError, VaultError


def foresee(bot: Bot, act: Act) -> ActPreview | Refused:
    """What an act would write now."""
    try:
        return _foreseen(bot, act())
    except (Refusal, ValueError, VaultError) as error:
        return refusal_of(error)


def do(bot: Bot, by: journal.By, act: Act, print_of: str = "") -> Done | Refused:
    """Write what an act plans. Where a file changed meanwhile so that the two do not go together, look and plan again;
    `print_of` what was foreseen, nothing else is written."""

    def make() -> journal.CommitPlan[ActPlan]:
        wanted = act()
        if print_of and _foreseen(bot, wanted).print != print_of:
            raise Refusal(MOVED)
        details = {"facts": list(wanted.keys), "made": _made(bot, wanted)}
        made_from = [document.data for document in wanted.made_from]
        return journal.CommitPlan(
            wanted.changes, wanted, made_from, why=wanted.why, details=details, links=wanted.links
        )

    written = write(bot, make, by)
    if isinstance(written, Refused):
        return written
    return Done(written.change_set, tuple(change.path for change in written.told.changes), written.joined)


def find_facts(bot: Bot, wanted: Iterable[FactRef]) -> list[tuple[CurrentDocument, list[FactAt]]]:
    """The documents of some facts, each with those of its facts that are meant. Raises Refusal, VaultError."""
    names: dict[str, list[tuple[str, int]]] = {}
    for path, key, nth in dict.fromkeys(wanted):
        names.setdefault(path, []).append((key, nth))
    documents = {path: read_current(bot, path) for path in names}
    return [(documents[path], documents[path].some(some)) for path, some in names.items()]


def extra_documents(bot: Bot, made: Iterable[Made]) -> list[CurrentDocument]:
    """The documents as changes that go with others were made from them."""
    return [read_current(bot, put.path, {put.path: data}) for put, data in made]


def read_current(bot: Bot, path: str, known: Mapping[str, bytes] | None = None) -> CurrentDocument:
    """A document fresh from its file, unless it is `known`. Raises Refusal if it is none, VaultError if it cannot be read."""
    dialect = open_bot(bot).dialect
    place = dialect.describe(path)
    if place is None:
        raise Refusal(say("This bot has no file with that name. Nothing was changed."))
    data = index.BotMemory(bot, known=known).read(path)
    facts = open_bot(bot).facts(path, data)
    # A database holds each row by itself: what is wrong with one keeps nobody from another.
    vault = open_bot(bot).vaults.get(split_path(path)[0])
    in_files = b"" if vault and vault.transactional else data or b""
    return CurrentDocument(path, place, data, facts, why_read_only(in_files, place))


def reach_warning(documents: Iterable[CurrentDocument], home: Place) -> str:
    """That facts of these documents would be read elsewhere than in their chats, a sentence; "" if they would not."""
    chats = {one.place.scope for one in documents if one.place.tier is Tier.CHAT} - {home.scope}
    if not chats:
        return ""
    if home.tier is Tier.GLOBAL:
        return say_number(
            "What one chat alone knows becomes shared with all chats.",
            "What %(count)s chats alone know becomes shared with all chats.",
            count=len(chats),
        )
    return say("What another chat alone knows becomes known to %(chat)s.", chat=home.scope)


def bytes_after(change: Change, before: bytes | None) -> bytes:
    """What a document reads once a change is written; b"" if it is gone."""
    match change:
        case Append():
            return (before or b"") + change.data
        case Delete():
            return b""
        case Put():
            return change.data


def _foreseen(bot: Bot, wanted: ActPlan) -> ActPreview:
    before = {document.path: document.data for document in wanted.made_from}
    told = ((one.path, before[one.path] or b"", bytes_after(one, before[one.path])) for one in wanted.changes)
    documents = [DocumentPreview(path, was, now, _mark(bot, path, now)) for path, was, now in told if was != now]
    return ActPreview(len(wanted.keys), documents, wanted.left_behind, wanted.reach)


def _mark(bot: Bot, path: str, data: bytes) -> str:
    place = open_bot(bot).dialect.describe(path)
    if place is None or not place.has_attributes:
        return digest(data)
    said = "\n".join(f"{fact.key} {fact.nth}" for fact in open_bot(bot).facts(path, data))
    return digest(said.encode())


def _made(bot: Bot, wanted: ActPlan) -> list[tuple[str, str, str]]:
    """(path, time, key) of the facts that documents have after it and had not before; an append says by itself what it made."""
    documents = {document.path: document for document in wanted.made_from}
    found: list[tuple[str, str, str]] = []
    for change in wanted.changes:
        if isinstance(change, Put):
            now = Counter((fact.time, fact.key) for fact in open_bot(bot).facts(change.path, change.data))
            now.subtract((fact.time, fact.key) for fact in documents[change.path].facts)
            found += [(change.path, time, key) for (time, key), more in now.items() if more > 0]
    return found
