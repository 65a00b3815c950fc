"""What others added to a document while somebody wrote to it, and what was kept beside theirs: it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from memory.domain.changes import Put
from memory.journal import Applied, versions
from memory.journal.outside_changes import LOOKS_LIKE_THE_BOT
from memory.models import Bot, ChangeSet, Revision


@dataclass(frozen=True, slots=True)
class Joined:
    """So many lines that others had added and that were kept; `by_bot`: the bot did, as far as is known."""

    lines: int
    by_bot: bool


def find_joined(bot: Bot, outcome: Applied, change: Put) -> Joined | None:
    """What a commit of this change kept beside it; None if nobody had written there meanwhile."""
    made = outcome.change_set
    if made is None or change.path not in outcome.joined:
        return None
    revision = made.revisions.get(path=change.path)
    lines = (_lines(versions.bytes_of(bot, revision.after)) - _lines(change.data)).total()
    return Joined(lines, _is_the_bots(revision)) if lines else None


def combine(some: Iterable[Joined | None]) -> Joined | None:
    """What was kept in several documents, as one."""
    found = [one for one in some if one]
    return Joined(sum(one.lines for one in found), all(one.by_bot for one in found)) if found else None


def is_the_bots(one: ChangeSet) -> bool:
    """Whether a change was the bot's own doing, as far as is known."""
    return one.kind in ChangeSet.TURNS or one.by == LOOKS_LIKE_THE_BOT


def _lines(data: bytes) -> Counter[bytes]:
    return Counter(line for line in (raw.strip() for raw in data.splitlines()) if line)


def _is_the_bots(revision: Revision) -> bool:
    """Whether what stood there before a revision was the bot's own doing."""
    earlier = Revision.objects.filter(bot=revision.bot, path=revision.path, done=True, pk__lt=revision.pk)
    last = earlier.select_related("change_set").order_by("-pk").first()
    return last is not None and is_the_bots(last.change_set)
