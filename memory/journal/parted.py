"""Facts that moved from one document to another in one change, of which an undo takes back the one part without the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from memory.bots import open_bot
from memory.domain.changes import Put
from memory.journal.preview import Foreseen, foresee
from memory.journal.shapes import Conflict
from memory.journal.undone import taken_back
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Fact, Revision
from memory.text.markdown.entries import FactAt


class Lost(NamedTuple):
    """A fact that no document has: where the change put it, and by which key it was taken from there."""

    path: str
    key: str


def lost(bot: Bot, one: ChangeSet, back: Collection[str]) -> list[Lost]:
    """What no document has now, as the index says, of a change whose part in the documents `back` is undone."""
    return _nowhere(bot, one, back, (), frozenset())


def would_be_lost(bot: Bot, one: ChangeSet, revisions: Sequence[Revision]) -> list[Lost]:
    """What no document would have if these parts of a change were undone now. Raises what the vault raises."""
    found = foresee(bot, revisions)
    if isinstance(found, Conflict):
        return []
    paths = {revision.path for revision in revisions}
    kept = frozenset(fact.key for each in found for fact in _facts(bot, each))
    return _nowhere(bot, one, paths | taken_back(one), paths, kept)


def _facts(bot: Bot, one: Foreseen) -> Sequence[FactAt]:
    return open_bot(bot).facts(one.change.path, one.change.data) if isinstance(one.change, Put) else ()


def _nowhere(
    bot: Bot, one: ChangeSet, back: Collection[str], without: Collection[str], kept: Collection[str]
) -> list[Lost]:
    """What came into the documents `back` from others of the change, and is neither `kept` nor in any but those `without`."""
    rows = one.lineage.exclude(from_path="").exclude(to_path="")
    named = rows.values_list("from_path", "from_key", "to_path", "to_key")
    came = [row for row in named if row[2] in back and row[0] not in back]
    keys = {key for _path, key, _to, now in came for key in (key, now)}
    there = set(kept)
    for some in batches(sorted(keys)):
        facts = Fact.objects.filter(bot=bot, key__in=some).exclude(document__path__in=without)
        there.update(facts.values_list("key", flat=True))
    return [Lost(path, key) for _path, key, path, now in came if key not in there and now not in there]
