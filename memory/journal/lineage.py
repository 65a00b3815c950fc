"""What became of facts, written down with the change set that did it: what its act says of them, and what can be told from its
documents before and after.

A fact that is gone from one document and new in another of the same set was moved; one that is gone where a text like it is new
was reworded. What is appended, and what documents are made with, the revisions tell by themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.db.models import Q

from memory.bots import open_bot
from memory.domain.places import Kind, Place
from memory.journal.shapes import Staged, untold
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Lineage, Pinned, Revision, quick
from memory.text.likeness import pairs
from memory.text.markdown.entries import FactAt
from memory.text.merge.common_ends import differing_sections

How = Lineage.How
Named = tuple[str, str]  # (path, key): which fact is meant
NOTHING: Named = ("", "")
ROW = ("bot", "change_set", "how", "from_path", "from_key", "to_path", "to_key")
LONG, TEXT = 1 << 16, ".md"  # bytes of a text of which only the sections that differ are read


@dataclass(frozen=True, slots=True)
class Link:
    """A fact, by the path of its document and its key, became another one, or the same in another place."""

    how: Lineage.How
    path: str
    key: str
    to_path: str
    to_key: str


@dataclass(frozen=True, slots=True)
class DocumentSides:
    """One document of a change set, before and after (None: no document). `added`: these bytes were appended to it, unread."""

    path: str
    before: bytes | None = None
    after: bytes | None = None
    added: bytes = b""


@dataclass(slots=True)
class Facts:
    """The facts of a change set's documents: (path, key) -> text."""

    before: dict[Named, str]
    after: dict[Named, str]
    known: set[str]  # documents that were there before: no revision tells by itself what comes into them

    @property
    def paths(self) -> set[str]:
        return {path for path, _key in (*self.before, *self.after)}

    @property
    def gone(self) -> list[Named]:
        return [one for one in self.before if one not in self.after]

    @property
    def come(self) -> list[Named]:
        return [one for one in self.after if one not in self.before]


def read(bot: Bot, parts: Iterable[DocumentSides], looking: Staged = untold) -> Facts | None:
    """The facts of these documents, None where all is appended and there is nothing to tell. `looking` hears how many of how many
    kilobytes are read: it takes long, and belongs before a transaction."""
    dialect = open_bot(bot).dialect
    parts = [part for part in parts if not _is_passing(dialect.describe(part.path))]
    return None if all(part.added for part in parts) else _facts(bot, parts, looking)


def record(change_set: ChangeSet, facts: Facts | None, said: Sequence[Link] = ()) -> None:
    """Write down what becomes of these facts, as they were read; `said` is what the act knows."""
    if facts is None:
        return
    paths = facts.paths
    links = [link for link in said if _holds(link, facts, paths)]
    if change_set.undoes is not None:
        links += _reversed_links(change_set.undoes, facts)
    links += _found_links(change_set.bot, facts, links)
    of, links = (change_set.bot_id, change_set.pk), list(dict.fromkeys(links))
    rows = [(*of, one.how.value, one.path, one.key, one.to_path, one.to_key) for one in links]
    quick.insert_all(Lineage, ROW, rows)
    if change_set.undoes is None:
        _follow(change_set.bot, links)


def _follow(bot: Bot, links: Iterable[Link]) -> None:
    """What a pinned fact became is pinned too. What it was stays so, for an undo brings that back."""
    became = [(one.key, one.to_key) for one in links if one.key and one.to_key and one.key != one.to_key]
    if not became:
        return
    pinned = set(Pinned.objects.filter(bot=bot).values_list("key", flat=True))
    fresh = {now for was, now in became if was in pinned} - pinned
    Pinned.objects.bulk_create([Pinned(bot=bot, key=key) for key in sorted(fresh)], ignore_conflicts=True)


def _is_passing(place: Place | None) -> bool:
    """Whether a document is replaced with each turn: its facts stay for no time, and have no life."""
    return place is not None and place.kind is Kind.WORKING


def forget_undone(change_set: ChangeSet, revisions: Iterable[Revision]) -> None:
    """What was not written became of nothing."""
    undone = [revision.path for revision in revisions if not revision.done]
    if undone:
        Lineage.objects.filter(Q(from_path__in=undone) | Q(to_path__in=undone), change_set=change_set).delete()


def differing(
    bot: Bot, path: str, before: bytes | None, after: bytes | None
) -> tuple[Sequence[FactAt], Sequence[FactAt]]:
    """The facts of a document before and after, of a long text those of the sections that differ."""
    opened, sides = open_bot(bot), (before or b"", after or b"")
    place = opened.dialect.describe(path)
    if place is None or not place.holds_facts:
        return (), ()
    if min(map(len, sides)) > LONG and path.endswith(TEXT):
        sides = differing_sections(*sides)
    return opened.facts(path, sides[0]), opened.facts(path, sides[1])


def _facts(bot: Bot, parts: Sequence[DocumentSides], looking: Staged) -> Facts:
    found = Facts({}, {}, set())
    sizes = (1 + (len(part.before or b"") + len(part.after or part.added)) // 1024 for part in parts)
    read = list(accumulate(sizes, initial=0))
    for part, done in zip(parts, read, strict=False):
        looking(done, read[-1])
        sides = differing(bot, part.path, part.before, part.after or part.added)
        for side, some in zip((found.before, found.after), sides, strict=True):
            side.update({(part.path, fact.key): fact.text for fact in some})
        if part.before is not None:
            found.known.add(part.path)
    return found


def _holds(link: Link, facts: Facts, paths: Collection[str]) -> bool:
    """Whether it is so, as far as the documents tell: others may have written meanwhile."""
    was, has = (link.path, link.key), (link.to_path, link.to_key)
    return (was in facts.before or link.path not in paths) and (has in facts.after or link.to_path not in paths)


def _reversed_links(undone: ChangeSet, facts: Facts) -> Iterator[Link]:
    """The links of a change set the other way round, where its undo does that. What went nowhere, or into a fact with a life of
    its own, returns."""
    gone, come = set(facts.gone), set(facts.come)
    for how, path, key, to_path, to_key in undone.lineage.exclude(from_key="").values_list(*ROW[2:]):
        if (path, key) not in come:
            continue
        if (to_path, to_key) in gone and how != How.SUPERSEDED:
            yield Link(How(how), to_path, to_key, path, key)
        else:
            yield Link(How.RETURNED, path, key, path, key)


def _found_links(bot: Bot, facts: Facts, said: Sequence[Link]) -> Iterator[Link]:
    """What the documents tell beyond what is said."""
    gone = _without(facts.gone, {(link.path, link.key) for link in said})
    come = _without(facts.come, {(link.to_path, link.to_key) for link in said if link.how != How.SUPERSEDED})
    by_key = list(_moves(gone, come, facts))
    yield from by_key
    gone = _without(gone, {(link.path, link.key) for link in by_key})
    come = _without(come, {(link.to_path, link.to_key) for link in by_key})
    for old, new in pairs([facts.before[one] for one in gone], [facts.after[one] for one in come]):
        was, has = gone[old], come[new]
        yield Link(How.REWORDED if was[0] == has[0] else How.MOVED, *was, *has)
        gone[old] = come[new] = NOTHING
    yield from (Link(How.FORGOTTEN, *one, *NOTHING) for one in gone if one != NOTHING)
    back = _forgotten(bot, come)
    for one in come:
        if one in back:
            yield Link(How.RETURNED, *one, *one)
        elif one[0] in facts.known:
            yield Link(How.ADDED, *NOTHING, *one)


def _moves(gone: Iterable[Named], come: Iterable[Named], facts: Facts) -> Iterator[Link]:
    """The same words, gone here and there now: moved, or merged with what was there."""
    fresh, stands = _by_key(come), _by_key(facts.after)
    for path, key in gone:
        if there := fresh.get(key):
            yield Link(How.MOVED, path, key, there.pop(0) if len(there) > 1 else there[0], key)
        elif there := stands.get(key):
            yield Link(How.MERGED, path, key, there[0], key)


def _by_key(some: Iterable[Named]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, key in some:
        found.setdefault(key, []).append(path)
    return found


def _without(some: Iterable[Named], others: set[Named]) -> list[Named]:
    return [one for one in some if one not in others]


def _forgotten(bot: Bot, come: Sequence[Named]) -> set[Named]:
    """Those of the facts that had been forgotten there."""
    found: set[Named] = set()
    for keys in batches([key for _path, key in come if key]):
        rows = Lineage.objects.filter(bot=bot, from_key__in=keys, how=How.FORGOTTEN)
        found.update(rows.order_by().values_list("from_path", "from_key"))
    return found
