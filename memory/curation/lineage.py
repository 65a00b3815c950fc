"""What became of one fact: how it was reworded, and which change took it away. Read from the versions that the history holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from memory.bots import open_bot
from memory.journal import versions
from memory.models import Bot, ChangeSet, Revision
from memory.text.markdown.entries import FactAt

STEPS = 20  # changes of its document that are looked at, the newest ones
OURS = (ChangeSet.Kind.EDIT, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE)


def reworded(bot: Bot, path: str, key: str) -> FactAt | None:
    """The last wording of a fact that was reworded in its place by changes of ours; None if it was not."""
    found = None
    for change_set, before, after in _steps(bot, path):
        if change_set.kind in OURS and (became := _became(before, after, key)):
            found, key = became, became.key
    return found


def taken_by(bot: Bot, path: str, key: str) -> ChangeSet | None:
    """The newest change set that left a document without a fact it had before; None if none of them did."""
    newest = None
    for change_set, before, after in _steps(bot, path):
        if _has(before, key) and not _has(after, key):
            newest = change_set
    return newest


def _steps(bot: Bot, path: str) -> Iterator[tuple[ChangeSet, Sequence[FactAt], Sequence[FactAt]]]:
    """The newest changes of a document in their order, each with its facts before and after."""
    done = Revision.objects.filter(bot=bot, path=path, done=True).select_related("change_set").order_by("-id")
    dialect = open_bot(bot).dialect
    for revision in reversed(done[:STEPS]):
        revision.bot = bot  # it would be asked for each time
        try:
            before, after = versions.sides(revision)
        except versions.Forgotten:
            continue
        read = [dialect.facts(path, data) if data else () for data in (before, after)]
        yield revision.change_set, read[0], read[1]


def _became(before: Sequence[FactAt], after: Sequence[FactAt], key: str) -> FactAt | None:
    """What a fact of `before` reads as in `after`, if as many stand between what begins and ends both alike."""
    at = next((at for at, fact in enumerate(before) if fact.key == key), None)
    if at is None or len(before) != len(after) or _has(after, key):
        return None
    head = _alike(before, after)
    tail = _alike(before[::-1], after[::-1])
    return after[at] if head <= at < len(before) - tail else None


def _alike(some: Sequence[FactAt], others: Sequence[FactAt]) -> int:
    """How many of both are the same at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0].key == pair[1].key, zip(some, others, strict=False)))


def _has(facts: Sequence[FactAt], key: str) -> bool:
    return any(fact.key == key for fact in facts)
