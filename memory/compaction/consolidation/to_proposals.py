"""From what was judged to the rows that people decide about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory.bots import open_bot
from memory.compaction.consolidation.groups import Group
from memory.compaction.consolidation.sources import Item
from memory.curation import doubts
from memory.domain.places import Kind
from memory.models import Bot, Proposal
from memory.text.fidelity.judge import Judged, Judgement
from memory.text.fidelity.operations import Archive, Keep, Merge, Supersede
from memory.text.sentences import say

UNNAMED = say("The plan leaves out this fact.")

AGAINST = say("It contradicts another fact.")
ADDING = (Proposal.Action.KEEP, Proposal.Action.MERGE)  # to long-term memory

_ACTIONS = {
    Keep: Proposal.Action.KEEP,
    Archive: Proposal.Action.ARCHIVE,
    Supersede: Proposal.Action.SUPERSEDE,
    Merge: Proposal.Action.MERGE,
}


def make_proposals(bot: Bot, scope: str, group: Group, judged: Judged) -> list[Proposal]:
    """The proposals of a plan that loses nothing, in the order of their facts. What would take a fact to long-term memory that
    contradicts others waits for somebody."""
    ordered = sorted(judged.judgements, key=lambda one: one.operation.facts)
    rows = [_row(bot, scope, group, one) for one in ordered if not _changes_nothing(group, one)]
    doubted = doubts.contradicting_facts(bot)
    for row in rows:
        if row.action in ADDING and any((one["path"], one["key"]) in doubted for one in row.sources if one["day"]):
            row.flags.append(AGAINST)
    return rows


def blocked_proposals(bot: Bot, scope: str, group: Group, judged: Judged) -> list[Proposal]:
    """What the gate did not let through, and each fact that was not named."""
    rows = [_row(bot, scope, group, one) for one in judged.judgements if one.losses]
    for number in judged.unnamed:
        item = group.items[number - 1]
        rows.append(Proposal(action=Proposal.Action.KEEP, sources=_sources([item]), losses=[UNNAMED]))
    for row in rows:
        row.state = Proposal.State.BLOCKED
    return rows


def _changes_nothing(group: Group, one: Judgement) -> bool:
    """Whether a fact is kept that stands in long-term memory and nowhere else."""
    kept = isinstance(one.operation, Keep) and group.items[one.operation.fact - 1]
    return bool(kept) and not any(source.day for source in kept.sources)  # type: ignore[union-attr]


def _row(bot: Bot, scope: str, group: Group, one: Judgement) -> Proposal:
    operation, dialect = one.operation, open_bot(bot).dialect
    row = Proposal(
        action=_ACTIONS[type(operation)],
        sources=_sources(_items(group, operation.facts)),
        flags=list(one.flags),
        losses=list(one.losses),
    )
    match operation:
        case Merge():
            row.text, row.path = operation.text, dialect.path(Kind.LONG_TERM, scope) or ""
        case Keep():
            row.path = dialect.path(Kind.LONG_TERM, scope) or ""
        case Archive():
            row.path = dialect.path(Kind.ARCHIVE, scope) or ""
        case Supersede():
            newer = list(_items(group, (operation.newer,)))
            row.newer = newer[0].sources[-1].row() if newer else {}
    return row


def _items(group: Group, numbers: tuple[int, ...]) -> Iterator[Item]:
    """The facts of these numbers; of what a model made up there is none."""
    return (group.items[number - 1] for number in numbers if 1 <= number <= len(group.items))


def _sources(items: Any) -> list[dict[str, Any]]:
    return [source.row() for item in items for source in item.sources]
