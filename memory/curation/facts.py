"""A person mends what the bot remembers, one fact at a time: add, reword, forget, promote into long-term memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import index, journal
from memory.bots import open_bot
from memory.curation.documents import kept_from_people
from memory.curation.joined import Joined, all_of, joined_in
from memory.curation.writing import unchanged, unmasked
from memory.domain.attributes import Detailing, Details
from memory.domain.changes import Change, Made, Put, split_path
from memory.domain.errors import Refusal, VaultError
from memory.domain.outcomes import Refused, refused
from memory.domain.places import Kind, Place
from memory.models import Bot, ChangeSet
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import quoted, quoted_pair

Wanted = tuple[str, str, int]  # (path, key, nth): which fact is meant

LOOKED_AT = 50  # documents whose rows are brought in step at once; more are left to the walk
NOT_THERE = say("This fact no longer exists or was changed. Nothing was changed now.")


@dataclass(frozen=True, slots=True)
class Done:
    """The files have it. `change_set` None: they read so already. `paths` are the documents that were written, `joined` what others
    had added to them since they were read."""

    change_set: ChangeSet | None
    paths: tuple[str, ...]
    joined: Joined | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A fact as it stands in its file now; `locked` says why people may not change it, "" if they may."""

    path: str
    fact: FactAt
    locked: str


@dataclass(frozen=True, slots=True)
class _Paper:
    """A document as it is now. `locked` says why people may not change it."""

    path: str
    place: Place
    data: bytes | None
    facts: Sequence[FactAt]
    locked: str

    def unlocked(self) -> _Paper:
        """This document, if people may change it."""
        if self.locked:
            raise Refusal(self.locked)
        return self

    def fact(self, key: str, nth: int) -> FactAt:
        found = next((fact for fact in self.facts if (fact.key, fact.nth) == (key, nth)), None)
        if found is None:
            raise Refusal(NOT_THERE)
        return found


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be written and what it was made from, how the history calls it and which facts it is about."""

    changes: Sequence[Change]
    made_from: Sequence[_Paper]
    why: str
    keys: Sequence[str]


def add(bot: Bot, path: str, text: str, by: journal.By, now: datetime | None = None) -> Done | Refused:
    """One more fact: an entry of today's log, a list item of a long-term memory."""

    def wish() -> _Wish:
        paper = _paper(bot, path).unlocked()
        change = open_bot(bot).dialect.editing.add(path, paper.data, unmasked(text), now or open_bot(bot).now())
        return _Wish([change], [paper], say("Added %(text)s", text=quoted(text)), [])

    return _do(bot, by, wish)


def edit(bot: Bot, path: str, key: str, nth: int, text: str, by: journal.By, why: str = "") -> Done | Refused:
    """A fact says something else; all around it stays. `why` is what the history says of it, else what it says before and after."""

    def wish() -> _Wish:
        paper = _paper(bot, path).unlocked()
        fact = paper.fact(key, nth)
        change = open_bot(bot).dialect.editing.edit(path, paper.data or b"", fact, unmasked(text, fact.text))
        beside = open_bot(bot).family.reworded(bot, path, paper.data or b"", fact, text)
        before, after = quoted_pair(fact.text, text)
        return _Wish(
            [change, *(put for put, _ in beside)],
            [paper, *_papers(bot, beside)],
            why or say("Changed %(before)s to %(after)s", before=before, after=after),
            [key],
        )

    return _do(bot, by, wish)


def details(bot: Bot, path: str, key: str, nth: int) -> tuple[FactAt, Details] | Refused:
    """A fact and what it says of itself, as its file has it now."""
    try:
        paper = _paper(bot, path).unlocked()
        fact = paper.fact(key, nth)
        return fact, _detailing(bot).details(path, paper.data or b"", fact)
    except (Refusal, ValueError, VaultError) as error:
        return refused(error)


def set_details(
    bot: Bot, path: str, key: str, nth: int, changes: Mapping[str, object], by: journal.By
) -> Done | Refused:
    """Other details of a fact, by their names; its text stays."""

    def wish() -> _Wish:
        paper, now = _paper(bot, path).unlocked(), open_bot(bot).now()
        fact, data = paper.fact(key, nth), paper.data or b""
        unmasked("\n".join(map(str, changes.values())), data.decode("utf-8", "replace"))
        change = _detailing(bot).detailed(path, data, fact, changes, now)
        beside = open_bot(bot).family.detailed(bot, path, data, fact, changes, now)
        why = say("Changed the details of %(text)s", text=quoted(fact.text))
        return _Wish([change, *(put for put, _ in beside)], [paper, *_papers(bot, beside)], why, [key])

    return _do(bot, by, wish)


def _detailing(bot: Bot) -> Detailing:
    known = open_bot(bot).attributes
    if known is None or known.detailing is None:
        raise Refusal(say("The facts of this bot have no details. Nothing was changed."))
    return known.detailing


def forget(bot: Bot, wanted: Iterable[Wanted], by: journal.By) -> Done | Refused:
    """Facts go, of any number of documents, as one change set; all of them or none."""
    meant = tuple(dict.fromkeys(wanted))

    def wish() -> _Wish:
        going = _meant(bot, meant)
        changes: list[Change] = [
            open_bot(bot).dialect.editing.forget(paper.path, paper.unlocked().data or b"", facts)
            for paper, facts in going
        ]
        beside = open_bot(bot).family.without(bot, [(paper.path, paper.data or b"", facts) for paper, facts in going])
        changes += [put for put, _ in beside]
        papers = [*(paper for paper, _ in going), *_papers(bot, beside)]
        facts = [fact for _, some in going for fact in some]
        why = (
            say("Forgot %(text)s", text=quoted(facts[0].text))
            if len(facts) == 1
            else say("Forgot %(count)s facts", count=len(facts))
        )
        return _Wish(changes, papers, why, [fact.key for fact in facts])

    return _do(bot, by, wish)


def promote(bot: Bot, path: str, key: str, nth: int, by: journal.By) -> Done | Refused:
    """A log's fact goes into the long-term memory of the same scope, with its day and its clock, and leaves its log, as one change
    set."""

    def wish() -> _Wish:
        log, editing = _paper(bot, path).unlocked(), open_bot(bot).dialect.editing
        fact = log.fact(key, nth)
        target = editing.lasting(path, fact)
        if target is None:
            raise Refusal(say("Only facts in a daily log can be moved to long-term memory."))
        memory = _paper(bot, target).unlocked()
        there = next((known for known in memory.facts if known.key == key), None)
        if there is not None:
            raise Refusal(
                say(
                    "%(target)s already says this in line %(line)s. Nothing was changed.",
                    target=target,
                    line=there.line,
                )
            )
        added = editing.promoted(path, log.data or b"", fact, target, memory.data, open_bot(bot).now())
        left = editing.forget(path, log.data or b"", [fact])
        return _Wish(
            [added, left],
            [memory, log],
            say("Moved %(text)s to %(target)s", text=quoted(fact.text), target=target),
            [key],
        )

    return _do(bot, by, wish)


def move(bot: Bot, path: str, key: str, nth: int, scope: str, by: journal.By) -> Done | Refused:
    """A fact goes into the long-term memory of a chat and leaves its document, as one change set; where that says it already, it
    only leaves."""

    def wish() -> _Wish:
        paper, dialect = _paper(bot, path).unlocked(), open_bot(bot).dialect
        target = dialect.path(Kind.LONG_TERM, scope)
        if target is None or target == path:
            raise Refusal(say("It can’t be moved there. Nothing was changed."))
        fact, memory = paper.fact(key, nth), _paper(bot, target).unlocked()
        left = dialect.editing.forget(path, paper.data or b"", [fact])
        said = any(known.key == key for known in memory.facts)
        added = [] if said else [dialect.editing.add(target, memory.data, fact.text, open_bot(bot).now())]
        return _Wish(
            [*added, left],
            [memory, paper],
            say("Moved %(text)s to %(target)s", text=quoted(fact.text), target=target),
            [key],
        )

    return _do(bot, by, wish)


def find(bot: Bot, wanted: Iterable[Wanted]) -> list[Found] | Refused:
    """The facts that are meant as they stand in their files now."""
    try:
        return [Found(paper.path, fact, paper.locked) for paper, facts in _meant(bot, wanted) for fact in facts]
    except (Refusal, VaultError) as error:
        return refused(error)


def _meant(bot: Bot, wanted: Iterable[Wanted]) -> list[tuple[_Paper, list[FactAt]]]:
    papers: dict[str, tuple[_Paper, list[FactAt]]] = {}
    for path, key, nth in wanted:
        if path not in papers:
            papers[path] = _paper(bot, path), []
        paper, facts = papers[path]
        facts.append(paper.fact(key, nth))
    return list(papers.values())


def _papers(bot: Bot, beside: Iterable[Made]) -> list[_Paper]:
    """The documents as changes that go with others were made from them."""
    return [_paper(bot, put.path, {put.path: data}) for put, data in beside]


def _paper(bot: Bot, path: str, known: Mapping[str, bytes] | None = None) -> _Paper:
    """A document fresh from its file, unless it is `known`. Raises Refusal if it is none, VaultError if it cannot be read."""
    dialect = open_bot(bot).dialect
    place = dialect.describe(path)
    if place is None:
        raise Refusal(say("This bot has no file with that name. Nothing was changed."))
    data = index.BotMemory(bot, known=known).read(path)
    facts = dialect.facts(path, data) if data else ()
    # A database holds each row by itself: what is wrong with one keeps nobody from another.
    vault = open_bot(bot).vaults.get(split_path(path)[0])
    in_files = b"" if vault and vault.transactional else data or b""
    return _Paper(path, place, data, facts, kept_from_people(in_files, place))


def _do(bot: Bot, by: journal.By, wish: Callable[[], _Wish]) -> Done | Refused:
    """Write what is wished for. Where a file changed meanwhile so that the two do not go together, look and wish again."""

    def make() -> journal.Wish[_Wish]:
        wanted = wish()
        details = {"facts": list(wanted.keys), "made": _made(bot, wanted)}
        made_from = [paper.data for paper in wanted.made_from]
        return journal.Wish(wanted.changes, wanted, made_from, why=wanted.why, details=details)

    try:
        wanted, outcome = journal.attempt(bot, make, by=by)
    except (Refusal, ValueError, VaultError, journal.Busy) as error:
        return refused(error)
    if isinstance(outcome, journal.Conflict):
        return unchanged(outcome)
    paths = tuple(change.path for change in wanted.changes)
    index.look_all(bot, paths[:LOOKED_AT])
    joined = [joined_in(bot, outcome, change) for change in wanted.changes if isinstance(change, Put)]
    return Done(outcome.change_set, paths, all_of(joined))


def _made(bot: Bot, wanted: _Wish) -> list[tuple[str, str, str]]:
    """(path, time, key) of the facts that documents have after it and had not before; an append says by itself what it made."""
    papers = {paper.path: paper for paper in wanted.made_from}
    found: list[tuple[str, str, str]] = []
    for change in wanted.changes:
        if isinstance(change, Put):
            after = Counter((fact.time, fact.key) for fact in open_bot(bot).dialect.facts(change.path, change.data))
            after.subtract((fact.time, fact.key) for fact in papers[change.path].facts)
            found += [(change.path, time, key) for (time, key), more in after.items() if more > 0]
    return found
