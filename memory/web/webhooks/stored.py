"""What a delivery stored, part by part, with where each stands now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from memory import index
from memory.bots import open_bot
from memory.journal.reconcile import is_record
from memory.models import Bot, ChangeSet, Chat, Fact, Revision
from memory.web.base.addresses import address
from memory.web.base.change_rows import SHOWN_DOCUMENTS, revision_diff
from memory.web.base.chat_names import chat_url
from memory.web.base.differences import ROOM, Block
from memory.web.base.fact_rows import at_row, excerpt, row_id

PARTS = 200  # facts of one delivery that are listed, with their beginnings


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One fact that was written. `place` says where it stands now, with `url`; "" if it does not any more."""

    text: str
    place: str
    url: str


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One document that a delivery wrote to: the facts that were added, or what changed in it."""

    path: str
    tier: str
    url: str
    facts: Sequence[StoredFact]
    blocks: Sequence[Block]
    words: str
    whole: str = ""  # where all of what was written is shown, of which this is a part
    more: int = 0  # facts that are not listed


def parts_of(bot: Bot, made: ChangeSet) -> list[StoredDocument]:
    """The documents that a change set wrote to, as they have it now."""
    revisions = list(made.revisions.order_by("id")[:SHOWN_DOCUMENTS])
    appended = {one.pk: _added(bot, one) for one in revisions if one.action == Revision.Action.APPEND}
    for path in {one.path for one in revisions if not is_record(bot, one.path)}:
        index.look(bot, path)
    standing = _standing(bot, revisions, appended)
    share = len(revisions)
    return [_part(bot, one, appended.get(one.pk), standing, PARTS // share, ROOM // 2 // share) for one in revisions]


def pretty(answer: Mapping[str, Any]) -> str:
    """An answer as JSON that people can read."""
    return json.dumps(answer, ensure_ascii=False, indent=2)


def _added(bot: Bot, revision: Revision) -> list[tuple[str, str]]:
    """(key, text) of the facts in what was appended."""
    found = open_bot(bot).dialect.facts(revision.path, bytes(revision.added or b""))
    return [(fact.key, fact.text) for fact in found]


def _standing(
    bot: Bot, revisions: Iterable[Revision], appended: Mapping[int, list[tuple[str, str]]]
) -> dict[tuple[str, str], Fact]:
    """The facts that are there now, by path and key; of several that say the same, the last."""
    keys = {key for facts in appended.values() for key, _text in facts[:PARTS]}
    if not keys:
        return {}
    paths = {one.path for one in revisions}
    found = Fact.objects.filter(bot=bot, key__in=keys, document__path__in=paths).select_related("document")
    return {(fact.document.path, fact.key): fact for fact in found.order_by("nth")}


def _part(
    bot: Bot,
    revision: Revision,
    added: list[tuple[str, str]] | None,
    standing: Mapping[tuple[str, str], Fact],
    most: int,
    room: int,
) -> StoredDocument:
    place = open_bot(bot).dialect.describe(revision.path)
    if is_record(bot, revision.path):
        scope = place.scope if place else ""
        chat = chat_url(bot, scope) if Chat.objects.filter(bot=bot, scope=scope).exists() else ""
        url = f"{chat}/transcript" if chat else ""
        words = _("The message and the reply were added to the transcript. They stay when you undo the rest.")
        return StoredDocument(revision.path, place.tier if place else "", url, (), (), words)
    added = added or []
    facts = [_said(bot, text, standing.get((revision.path, key))) for key, text in added[:most]]
    shown = None if facts else revision_diff(bot, revision, room)
    return StoredDocument(
        path=revision.path,
        tier=place.tier if place else "",
        url=address("document", bot, revision.path),
        facts=facts,
        blocks=shown.blocks if shown else (),
        words=shown.words if shown else "",
        whole=f"{reverse('memory:change_set', args=[bot.slug, revision.change_set_id])}?file={revision.pk}",
        more=len(added) - len(facts),
    )


def _said(bot: Bot, text: str, fact: Fact | None) -> StoredFact:
    some, cut = excerpt(text)
    text = f"{some}…" if cut else some
    if fact is None:
        return StoredFact(text, "", "")
    url, row = address("facts", bot, fact.document.path), row_id(fact.document_id, fact.key, fact.nth)
    return StoredFact(text, _("line %(line)s") % {"line": fact.line}, url and url + at_row(row))
