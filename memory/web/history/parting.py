"""What is asked before an undo that would leave facts in no file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory.compaction import runner
from memory.curation import parted
from memory.journal.undo import standing
from memory.journal.undone import redoes, root_of
from memory.models import Bot, ChangeSet
from memory.web.base.gauges import number_of
from memory.web.history.moves import moved_files


def asked(bot: Bot, one: ChangeSet, paths: Collection[str], lost: Sequence[parted.Lost]) -> dict[str, object]:
    """Which documents are meant, how many facts no file would have then, and the way that keeps them."""
    about, again = root_of(one)[0], redoes(one)
    parts = [part for part in standing(one).order_by("id") if not paths or part.path in paths]
    into = {fact.path for fact in lost}
    way = parted.undo_of(bot, about, into) if again else about
    return {
        "bot": bot,
        "place": "history",
        "set": one,
        "parts": parts if paths else (),
        "file": _named(one, {part.path for part in parts}),
        "into": ", ".join(sorted(into)),
        "paths": sorted(into),
        "lost": runner.lost_facts(one, lost),
        "redoes": again,
        "way": way,
    }


def _named(one: ChangeSet, paths: set[str]) -> str:
    """The one document, or how many there are; one that was moved is one."""
    named = paths - {file.from_path for file in moved_files(one) if file.path in paths}
    words = number_of("%(count)s file", "%(count)s files", len(named))
    return min(named) if len(named) == 1 else words
