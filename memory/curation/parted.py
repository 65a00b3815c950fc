"""Facts that moved from one document to another in one change, of which an undo takes back the one part without the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from memory import index
from memory.bots import open_bot
from memory.domain.changes import Put
from memory.journal.preview import UndoPreview, foresee
from memory.journal.shapes import Conflict
from memory.journal.undo import standing
from memory.journal.undone import redoes, root_of, taken_back
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Fact
from memory.text.markdown.entries import FactAt


class Lost(NamedTuple):
    """A fact that no document has: whence the change took it, by which key, and where it put it, by which."""

    origin: str
    key: str
    path: str
    now: str


def lost_facts(bot: Bot, one: ChangeSet, back: Collection[str]) -> list[Lost]:
    """What no document has now, as the index says, of a change whose part in the documents `back` is undone."""
    return _nowhere(bot, _half(_moved(one), back))


def foresee_lost(bot: Bot, one: ChangeSet, paths: Collection[str] | None = None) -> list[Lost]:
    """What no document would have any more if a change, or its part in `paths`, were undone now; the files are asked. Raises what
    the vault raises."""
    if not paths and not one.undoes_id:  # the whole of a change takes both ends back
        return []
    moved = _moved(root_of(one)[0])
    if not moved:
        return []
    parts = [part for part in standing(one).order_by("id") if not paths or part.path in paths]
    touched = {part.path for part in parts}
    here = [fact for fact in _half(moved, _back_after(one, touched)) if touched & {fact.origin, fact.path}]
    if not here or isinstance(found := foresee(bot, parts), Conflict):
        return []
    index.refresh(bot)
    kept = frozenset(fact.key for each in found for fact in _facts(bot, each))
    return _nowhere(bot, here, touched, kept)


def _back_after(one: ChangeSet, touched: Collection[str]) -> set[str]:
    """The documents in which what a change is about in the end would be undone."""
    back = taken_back(root_of(one)[0])
    return back.difference(touched) if redoes(one) else back.union(touched)


def undo_of(bot: Bot, about: ChangeSet, paths: Collection[str]) -> ChangeSet | None:
    """What took a change back in these documents, and is not taken back itself."""
    undos = ChangeSet.objects.filter(bot=bot, undoes=about).order_by("-pk")
    return next((one for one in undos if standing(one).filter(path__in=paths).exists()), None)


def _facts(bot: Bot, one: UndoPreview) -> Sequence[FactAt]:
    return open_bot(bot).facts(one.change.path, one.change.data) if isinstance(one.change, Put) else ()


def _moved(one: ChangeSet) -> list[Lost]:
    """What a change moved between documents."""
    rows = one.lineage.exclude(from_path="").exclude(to_path="")
    named = rows.values_list("from_path", "from_key", "to_path", "to_key")
    return [fact for fact in map(Lost._make, named) if fact.origin != fact.path]


def _half(moved: Sequence[Lost], back: Collection[str]) -> list[Lost]:
    """What came into the documents `back` from others."""
    return [fact for fact in moved if fact.path in back and fact.origin not in back]


def _nowhere(
    bot: Bot, moved: Sequence[Lost], without: Collection[str] = (), kept: Collection[str] = frozenset()
) -> list[Lost]:
    """What of that is neither `kept` nor in any document but those `without`."""
    there = set(kept)
    for some in batches(sorted({key for fact in moved for key in (fact.key, fact.now)})):
        facts = Fact.objects.filter(bot=bot, key__in=some).exclude(document__path__in=without)
        there.update(facts.values_list("key", flat=True))
    return [fact for fact in moved if fact.key not in there and fact.now not in there]
