"""Facts go from their documents into others: into long-term memory, or that of a chat, under a heading if one is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial

from memory import journal
from memory.bots import open_bot
from memory.curation.acts import (
    Act,
    ActPlan,
    CurrentDocument,
    Done,
    bytes_after,
    do,
    extra_documents,
    find_facts,
    reach_warning,
    read_current,
)
from memory.curation.left_behind import lost_details
from memory.domain.changes import Append, Change, Put, base_of
from memory.domain.dialect import Leaving
from memory.domain.errors import Refusal
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.domain.places import Kind, Place
from memory.journal import How, Link
from memory.models import Bot, Chat
from memory.text.attributes import Attributes
from memory.text.markdown import headed
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import quote

PROBE = "fact"  # what is tried where nothing is written
NOWHERE = say("It can’t be moved there. Nothing was changed.")
THERE = say("It is there already. Choose a heading to move it under.")
ONLY_LOGS = say("Only facts in a daily log can be moved to long-term memory.")
NO_HEADING = say("The file no longer has this heading. Nothing was changed.")
ENTANGLED = say("Under this heading it would change the text next to it. Choose another one, or edit the file.")


class To(StrEnum):
    """Where facts can go."""

    LASTING = "lasting"  # each into the long-term memory of its own scope
    SHARED = "shared"  # the long-term memory that every chat reads
    CHAT = "chat"  # a chat's own
    WORKING = "working"  # what a chat works with

    @property
    def asks_for_chat(self) -> bool:
        return self in (To.CHAT, To.WORKING)


def find_targets(bot: Bot, some: Iterable[tuple[str, FactAt]]) -> list[To]:
    """Where these facts, (path, fact), can go: what the family writes facts into."""
    dialect, chat = open_bot(bot).dialect, Chat.objects.filter(bot=bot).values_list("scope", flat=True).first()
    lasting = [dialect.lasting(path, fact) for path, fact in some]
    found = [To.LASTING] if lasting and all(lasting) else []
    return found + [to for to in To if to is not To.LASTING and _takes(bot, target(bot, to, chat or ""))]


def target(bot: Bot, to: To, chat: str = "") -> str:
    """The document that is meant, "" where there is none or it is another one for each fact."""
    if to is To.LASTING or (to.asks_for_chat and not chat):
        return ""
    kind = Kind.WORKING if to is To.WORKING else Kind.LONG_TERM
    return open_bot(bot).dialect.path(kind, chat if to.asks_for_chat else "") or ""


def make_act(bot: Bot, wanted: Iterable[FactRef], to: To, chat: str = "", heading: str = "") -> Act:
    """The act of moving these facts there."""
    meant = tuple(wanted)
    if to is To.LASTING:
        return partial(plan_promote, bot, meant, heading)
    return partial(plan_move, bot, meant, target(bot, to, chat), heading)


def _takes(bot: Bot, path: str) -> bool:
    """Whether facts can be added to a document of this name."""
    opened = open_bot(bot)
    place = opened.dialect.describe(path) if path else None
    if place is None or not place.editable or not place.holds_facts:
        return False
    try:
        return bool(opened.dialect.add(path, None, [PROBE], opened.now()))
    except ValueError:
        return False


def promote(bot: Bot, wanted: Iterable[FactRef], by: journal.By) -> Done | Refused:
    """Facts of logs go into the long-term memory of their scopes, with their day and their clock, and leave their logs, as one
    change set; what is said there already stays where it is."""
    return do(bot, by, make_act(bot, wanted, To.LASTING))


def move(bot: Bot, wanted: Iterable[FactRef], target: str, by: journal.By) -> Done | Refused:
    """Facts go into the document `target` and leave theirs, as one change set; where that says one already, it only leaves."""
    return do(bot, by, partial(plan_move, bot, tuple(wanted), target))


def headings(bot: Bot, target: str) -> list[str]:
    """The headings under which facts can be put in a document, none where it has none. Raises Refusal, VaultError."""
    found = read_current(bot, target)
    return headed.titles(decode(found.data or b"")) if _has_headings(found.place) else []


def plan_promote(bot: Bot, wanted: Iterable[FactRef], heading: str = "") -> ActPlan:
    """The act of promoting these facts."""
    drafts, dialect = _Drafts(bot, heading), open_bot(bot).dialect
    gone: list[tuple[FactAt, str]] = []
    links: list[Link] = []
    stays: list[tuple[str, int]] = []
    for log, facts in find_facts(bot, wanted):
        leaving: dict[str, list[FactAt]] = {}
        for fact in facts:
            target = dialect.lasting(log.unlocked().path, fact)
            if target is None:
                raise Refusal(ONLY_LOGS)
            if line := drafts.lines(target).get(fact.key):
                stays.append((target, line))
                continue
            leaving.setdefault(target, []).append(fact)
            gone.append((fact, target))
            links.append(Link(How.PROMOTED, log.path, fact.key, target, fact.key))
        for target, some in leaving.items():
            drafts.add(target, log, some)
        drafts.forget(log, [fact for some in leaving.values() for fact in some])
    if not gone and stays:
        target, line = stays[0]
        raise Refusal(
            say("%(target)s already says this in line %(line)s. Nothing was changed.", target=target, line=line)
        )
    return replace(drafts.make(_why(gone), gone), links=links)


def plan_move(bot: Bot, wanted: Iterable[FactRef], target: str, heading: str = "") -> ActPlan:
    """The act of moving these facts into the document `target`; of those that are in it, only a heading moves any."""
    if not target:
        raise Refusal(NOWHERE)
    drafts, some = _Drafts(bot, heading), find_facts(bot, wanted)
    going = [(document.unlocked(), facts) for document, facts in some if heading or document.path != target]
    if not going:
        raise Refusal(THERE)
    leaving = {fact.start for document, facts in going for fact in facts if document.path == target}
    said = {known.key for known in drafts.document(target).facts if known.start not in leaving}
    for document, facts in going:
        new: dict[str, FactAt] = {}
        for fact in facts:
            if fact.key not in said:
                new.setdefault(fact.key, fact)
        drafts.add(target, document, list(new.values()))
        said |= new.keys()
        drafts.forget(document, facts)
    drafts.go_with([one for one in going if one[0].path != target])
    gone = [(fact, target) for _document, facts in going for fact in facts]
    return replace(
        drafts.make(_why(gone), gone), reach=reach_warning((one for one, _ in going), drafts.document(target).place)
    )


def _why(gone: Sequence[tuple[FactAt, str]]) -> str:
    targets = dict.fromkeys(target for _fact, target in gone)
    if len(gone) == 1:
        return say("Moved %(text)s to %(target)s", text=quote(gone[0][0].text), target=gone[0][1])
    if len(targets) == 1:
        return say("Moved %(count)s facts to %(target)s", count=len(gone), target=next(iter(targets)))
    return say("Moved %(count)s facts to long-term memory", count=len(gone))


def _has_headings(place: Place) -> bool:
    return place.is_text and place.editable and not place.has_attributes


class _Drafts:
    """Documents that facts leave and come to, under a heading if one is named: what was read of each, and what it is to say."""

    def __init__(self, bot: Bot, heading: str) -> None:
        self.bot = bot
        self.heading = heading
        self.dialect = open_bot(bot).dialect
        self.now = open_bot(bot).now()
        self.documents: dict[str, CurrentDocument] = {}
        self.going: dict[str, Change] = {}
        self.coming: dict[str, list[Leaving]] = {}
        self.said: dict[str, dict[str, int]] = {}
        self.beside: list[Put] = []

    def document(self, path: str) -> CurrentDocument:
        """A document that facts go into. Raises Refusal where people may not change it."""
        if path not in self.documents:
            self.documents[path] = read_current(self.bot, path).unlocked()
        return self.documents[path]

    def lines(self, path: str) -> dict[str, int]:
        """The keys of what such a document says, each with its first line."""
        if path not in self.said:
            self.said[path] = {fact.key: fact.line for fact in reversed(self.document(path).facts)}
        return self.said[path]

    def add(self, target: str, document: CurrentDocument, facts: Sequence[FactAt]) -> None:
        """These facts of a document come to `target`."""
        if facts:
            self.coming.setdefault(target, []).append((document.path, document.data or b"", facts))

    def forget(self, document: CurrentDocument, facts: Sequence[FactAt]) -> None:
        """These facts leave their document."""
        self.documents[document.path] = document
        if facts:
            self.going[document.path] = self.dialect.forget(document.path, document.data or b"", facts)

    def go_with(self, going: Iterable[tuple[CurrentDocument, Sequence[FactAt]]]) -> None:
        """What the family takes away with facts that leave."""
        told = [(document.path, document.data or b"", facts) for document, facts in going]
        more = open_bot(self.bot).family.without(self.bot, told)
        self.documents |= {one.path: one for one in extra_documents(self.bot, more)}
        self.beside += [put for put, _data in more]

    def make(self, why: str, gone: Sequence[tuple[FactAt, str]]) -> ActPlan:
        """All of it: what comes first, so that nothing is ever in neither."""
        changes = [self._change(path) for path in dict.fromkeys([*self.coming, *self.going])]
        changes += self.beside
        made_from, keys = [self.documents[change.path] for change in changes], [fact.key for fact, _target in gone]
        return ActPlan(changes, made_from, why, keys, left_behind=list(self._left_behind(changes, gone)))

    def _left_behind(self, changes: Sequence[Change], gone: Sequence[tuple[FactAt, str]]) -> Iterator[str]:
        """What facts say of themselves and their new places do not."""
        if not (known := self.dialect.attributes) or not any(fact.attributes for fact, _target in gone):
            return
        now: dict[str, dict[str, Attributes | None]] = {}
        for change in changes:
            data = bytes_after(change, self.documents[change.path].data)
            now[change.path] = {fact.key: fact.attributes for fact in self.dialect.facts(change.path, data)}
        for fact, target in gone:
            there = now[target] if target in now else {one.key: one.attributes for one in self.document(target).facts}
            if details := lost_details(known, fact.attributes, there.get(fact.key)):
                yield say("%(text)s: %(details)s", text=quote(fact.text), details=details)

    def _change(self, path: str) -> Change:
        before, left = self.documents[path].data, self.going.get(path)
        if path not in self.coming:
            return self.going[path]
        had = bytes_after(left, before) if left else before
        come = self._under(path, had) if self.heading else self._moved(path, had)
        if left is None and isinstance(come, Append):
            return come
        return Put(path, bytes_after(come, had), base_of(before))

    def _moved(self, path: str, had: bytes | None) -> Change:
        return self.dialect.moved(self.coming[path], path, had, self.now)

    def _under(self, target: str, had: bytes | None) -> Put:
        """As the family adds them to a text that ends with the heading's part. Raises Refusal, ValueError."""
        text = decode(had or b"")
        end = headed.end_of(text, self.heading) if _has_headings(self.documents[target].place) else None
        if end is None:
            raise Refusal(NO_HEADING)
        head, rest = encode(text[:end]), encode(text[end:])
        whole = bytes_after(self._moved(target, head), head) + rest
        read, more = partial(self.dialect.facts, target), sum(len(facts) for *_document, facts in self.coming[target])
        before = [*read(head), *read(rest)]
        if len(read(whole)) != len(before) + more or len(before) != len(read(had or b"")):
            raise ValueError(ENTANGLED)
        return Put(target, whole, base_of(had))
