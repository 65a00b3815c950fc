"""What an undo brought back: whether the documents are again as they were, and the words that are there again or gone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory.bots import open_bot
from memory.journal import versions
from memory.models import ChangeSet, Revision
from memory.text.storable import as_utf8
from memory.web.base.changed_words import LARGEST, changed

TOLD = 3  # documents whose words are told


def brought_back(one: ChangeSet, revisions: Iterable[Revision], count: int) -> dict[str, object]:
    """What an undo brought back; the words are those of its first `revisions`, of `count` files. `as_of`: when the documents were
    last what they are now to the byte, None where something else stands in them since; `others` are documents whose words are not
    told."""
    words = [told for revision in revisions if (told := _words(revision))]
    return {"as_of": _as_of(one), "words": words, "others": count - len(words)}


def _words(revision: Revision) -> dict[str, object] | None:
    """What changed in one document."""
    if max(revision.size_before or 0, revision.size_after or 0) > LARGEST:
        return None
    try:
        before, after = versions.sides(revision)
    except versions.Forgotten:
        return None
    dialect = open_bot(revision.bot).dialect
    told = changed(dialect, revision.path, before or b"", after or b"")
    return {"path": as_utf8(revision.path), "changed": told} if told else None


def _as_of(one: ChangeSet) -> datetime | None:
    """When the undone change was made, if each document is now what it was before it: nothing was written there since."""
    undone = one.undoes
    if undone is None or _changed_since(one):
        return None
    before = dict(undone.revisions.filter(done=True).order_by("-id").values_list("path", "before"))
    now = one.revisions.values_list("path", "after", "done")
    return undone.created if all(done and before.get(path) == after for path, after, done in now) else None


def _changed_since(one: ChangeSet) -> bool:
    """Whether anything was written to the documents of a change after it."""
    later = Revision.objects.filter(bot=one.bot_id, change_set__gt=one, done=True)
    return later.filter(path__in=one.revisions.values("path")).exists()
