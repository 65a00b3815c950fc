"""A document that is there no more: since when, by whom, and what the history keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from memory.access.permissions import Visitor
from memory.curation.documents import as_text
from memory.journal import versions
from memory.models import Bot, ChangeSet, Head, Revision
from memory.web.base.addresses import address
from memory.web.base.change_rows import can_undo, who


@dataclass(frozen=True, slots=True)
class Vanished:
    """A document that History knows and that is gone. `who` removed it, "" for nobody known; `when` that was done or noticed, else
    when it was seen last; `text` is its last version, None where that isn't kept."""

    who: str
    when: datetime | None
    is_noticed: bool
    text: str | None
    url: str  # where History tells of it
    restores: str  # what posting to this address brings back, "" for nothing
    revision: int


def vanished(bot: Bot, path: str, reader: Visitor) -> Vanished | None:
    """What is told of a document that isn't there; None of one that never was."""
    rows = Revision.objects.filter(bot=bot, path=path, done=True).select_related("change_set").order_by("-pk")
    last, head = rows.first(), Head.objects.filter(bot=bot, path=path).first()
    if last is None or head is None:
        return None
    if head.sha256:  # nobody has said yet that it is gone for good
        return Vanished("", bot.walked, False, _text(bot, head.sha256), address("document_history", bot, path), "", 0)
    one = last.change_set
    one.bot = bot  # it would be asked for again
    url = reverse("memory:change_set", args=[bot.slug, one.pk])
    is_outside = one.kind == ChangeSet.Kind.OUTSIDE
    brings = (is_outside or one.kind == ChangeSet.Kind.EDIT) and can_undo(bot, one, [last]) and not last.pruned
    name = "" if is_outside else who(bot, one, reader.pk)
    return Vanished(name, one.created, True, _text(bot, last.before), url, f"{url}/undo" if brings else "", last.pk)


def _text(bot: Bot, version: str) -> str | None:
    try:
        return as_text(versions.bytes_of(bot, version))
    except versions.Forgotten:
        return None
