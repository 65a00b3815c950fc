"""Facts go from their documents into others: into long-term memory, or that of a chat, under a heading if one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from memory import journal
from memory.bots import open_bot
from memory.curation.acts import Done, Paper, Wanted, Wish, after, beside, do, meant, paper
from memory.domain.changes import Append, Change, Put, base_of
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.domain.places import Kind, Place
from memory.journal import How, Link
from memory.models import Bot
from memory.text.markdown import headed
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import quoted

NOWHERE = say("It can’t be moved there. Nothing was changed.")
ONLY_LOGS = say("Only facts in a daily log can be moved to long-term memory.")
NO_HEADING = say("The file no longer has this heading. Nothing was changed.")
ENTANGLED = say("Under this heading it would change the text next to it. Choose another one, or edit the file.")

Leaving = tuple[Paper, list[FactAt]]


def promote(bot: Bot, wanted: Iterable[Wanted], by: journal.By, heading: str = "") -> Done | Refused:
    """Facts of logs go into the long-term memory of their scopes, with their day and their clock, and leave their logs, as one
    change set; what is said there already stays where it is."""
    return do(bot, by, partial(promoting, bot, tuple(wanted), heading))


def move(bot: Bot, wanted: Iterable[Wanted], target: str, by: journal.By, heading: str = "") -> Done | Refused:
    """Facts go into the document `target` and leave theirs, as one change set; where that says one already, it only leaves."""
    return do(bot, by, partial(moving, bot, tuple(wanted), target, heading))


def headings(bot: Bot, target: str) -> list[str]:
    """The headings under which facts can be put in a document, none where it has none. Raises Refusal, VaultError."""
    found = paper(bot, target)
    return headed.titles(decode(found.data or b"")) if _has_headings(found.place) else []


def long_term(bot: Bot, scope: str) -> str:
    """The long-term memory of a chat ("": the bot's own); "" where it has none."""
    return open_bot(bot).dialect.path(Kind.LONG_TERM, scope) or ""


def promoting(bot: Bot, wanted: Iterable[Wanted], heading: str = "") -> Wish:
    """The act of promoting these facts."""
    drafts, editing = _Drafts(bot), open_bot(bot).dialect.editing
    gone: list[tuple[FactAt, str]] = []
    links: list[Link] = []
    stays: list[tuple[str, int]] = []
    for log, facts in meant(bot, wanted):
        leaving = []
        for fact in facts:
            target = editing.lasting(log.unlocked().path, fact)
            if target is None:
                raise Refusal(ONLY_LOGS)
            there = next((known for known in drafts.paper(target).facts if known.key == fact.key), None)
            if there is not None:
                stays.append((target, there.line))
                continue
            promoted = partial(editing.promoted, log.path, log.data or b"", fact, target)
            drafts.add(target, promoted, heading)
            leaving.append(fact)
            gone.append((fact, target))
            links.append(Link(How.PROMOTED, log.path, fact.key, target, fact.key))
        drafts.forget(log, leaving)
    if not gone and stays:
        target, line = stays[0]
        raise Refusal(
            say("%(target)s already says this in line %(line)s. Nothing was changed.", target=target, line=line)
        )
    return replace(drafts.wish(_why(gone), [fact.key for fact, _target in gone]), links=links)


def moving(bot: Bot, wanted: Iterable[Wanted], target: str, heading: str = "") -> Wish:
    """The act of moving these facts into the document `target`; those that are in it stay."""
    if not target:
        raise Refusal(NOWHERE)
    drafts, editing = _Drafts(bot), open_bot(bot).dialect.editing
    said = {known.key for known in drafts.paper(target).facts}
    going = [(document.unlocked(), facts) for document, facts in meant(bot, wanted) if document.path != target]
    if not going:
        raise Refusal(NOWHERE)
    for document, facts in going:
        for fact in facts:
            if fact.key not in said:
                drafts.add(target, partial(_added, editing.add, target, fact.text), heading)
                said.add(fact.key)
        drafts.forget(document, facts)
    drafts.go_with(going)
    gone = [(fact, target) for _document, facts in going for fact in facts]
    return drafts.wish(_why(gone), [fact.key for fact, _target in gone])


def _added(add: Callable[..., Change], target: str, text: str, had: bytes | None, now: object) -> Change:
    return add(target, had, text, now)


def _why(gone: Sequence[tuple[FactAt, str]]) -> str:
    targets = dict.fromkeys(target for _fact, target in gone)
    if len(gone) == 1:
        return say("Moved %(text)s to %(target)s", text=quoted(gone[0][0].text), target=gone[0][1])
    if len(targets) == 1:
        return say("Moved %(count)s facts to %(target)s", count=len(gone), target=next(iter(targets)))
    return say("Moved %(count)s facts to long-term memory", count=len(gone))


def _has_headings(place: Place) -> bool:
    return place.is_text and place.editable and not place.has_attributes


class _Drafts:
    """Documents while facts come and go: what was read of each, and what it says by now."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.dialect = open_bot(bot).dialect
        self.now = open_bot(bot).now()
        self.papers: dict[str, Paper] = {}
        self.going: dict[str, Change] = {}
        self.coming: dict[str, list[Callable[[bytes | None], Change]]] = {}
        self.beside: list[Put] = []

    def paper(self, path: str) -> Paper:
        """A document that facts go into. Raises Refusal where people may not change it."""
        if path not in self.papers:
            self.papers[path] = paper(self.bot, path).unlocked()
        return self.papers[path]

    def add(self, target: str, make: Callable[[bytes | None, object], Change], heading: str) -> None:
        """One fact comes to `target`: `make` says how, of what stands there."""
        self.coming.setdefault(target, []).append(
            lambda had: self._under(target, had, make, heading) if heading else make(had, self.now)
        )

    def forget(self, document: Paper, facts: Sequence[FactAt]) -> None:
        """These facts leave their document."""
        self.papers[document.path] = document
        if facts:
            self.going[document.path] = self.dialect.editing.forget(document.path, document.data or b"", facts)

    def go_with(self, going: Iterable[Leaving]) -> None:
        """What the family takes away with facts that leave."""
        told = [(document.path, document.data or b"", facts) for document, facts in going]
        more = open_bot(self.bot).family.without(self.bot, told)
        self.papers |= {one.path: one for one in beside(self.bot, more)}
        self.beside += [put for put, _data in more]

    def wish(self, why: str, keys: Sequence[str]) -> Wish:
        """All of it: what comes first, so that nothing is ever in neither."""
        changes = [self._change(path) for path in dict.fromkeys([*self.coming, *self.going])]
        changes += self.beside
        return Wish(changes, [self.papers[change.path] for change in changes], why, keys)

    def _change(self, path: str) -> Change:
        before, left = self.papers[path].data, self.going.get(path)
        if path not in self.coming:
            return self.going[path]
        data = after(left, before) if left else before
        made: list[Change] = []
        for make in self.coming[path]:
            made.append(make(data))
            data = after(made[-1], data)
        if left is None and all(isinstance(one, Append) for one in made):
            return Append(path, (data or b"")[len(before or b"") :])
        return Put(path, data or b"", base_of(before))

    def _under(
        self, target: str, had: bytes | None, make: Callable[[bytes | None, object], Change], heading: str
    ) -> Put:
        """As the family adds it to a text that ends with this heading's part. Raises Refusal, ValueError."""
        text = decode(had or b"")
        end = headed.end_of(text, heading) if _has_headings(self.papers[target].place) else None
        if end is None:
            raise Refusal(NO_HEADING)
        head, rest = encode(text[:end]), encode(text[end:])
        whole = after(make(head, self.now), head) + rest
        read = partial(self.dialect.facts, target)
        before = [*read(head), *read(rest)]
        if len(read(whole)) != len(before) + 1 or len(before) != len(read(had or b"")):
            raise ValueError(ENTANGLED)
        return Put(target, whole, base_of(had))
