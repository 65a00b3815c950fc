"""A text that must not have been kept is written over wherever the database has it: shown first, done once, recorded without it.

Files come first and by the journal, like any edit; a version that a file still is would be learned again at the next look.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from memory import index, journal
from memory.bots import open_bot
from memory.curation import purge_rows
from memory.domain.changes import Change, Put, digest
from memory.domain.errors import Refusal, Unreadable
from memory.journal import versions
from memory.journal.lineage import differing
from memory.journal.reconcile import is_record, vault_of
from memory.models import (
    Bot,
    ChangeSet,
    Document,
    Draft,
    Fact,
    Fetched,
    Finding,
    Head,
    Job,
    Lineage,
    Pinned,
    Proposal,
    Purge,
    RecallTest,
    Revision,
    Use,
    Vector,
)
from memory.search import log
from memory.text.purging import LONGEST, MASK, SHORTEST, longest_word, mask_bytes, mask_json, pattern
from memory.text.sentences import say

VERSIONS = say("file versions")
DAMAGED = say("damaged versions")  # they go, for nobody can tell what they hold

# What is known of a fact by its key, with what else tells one row from another.
BY_KEY: dict[Any, tuple[str, ...]] = {Use: ("how",), Pinned: (), Finding: ("rule", "scope", "path", "nth")}
# Columns of JSON that name facts and versions: as they were, and as they are to be found now.
PAST: Sequence[tuple[Any, str]] = [(ChangeSet, "details"), (Fetched, "documents")]
TO_COME: Sequence[tuple[Any, str]] = [(Job, "params"), (Job, "outcome"), (Proposal, "sources"), (Proposal, "newer")]
HASH = re.compile(r"\b[0-9a-f]{32,64}\b")


@dataclass(frozen=True, slots=True)
class PurgeMatches:
    """Where a text is: how many rows by place, the documents that hold it, and those among them that only the bot writes."""

    places: dict[str, int]
    documents: Sequence[str]
    records: Sequence[str]


@dataclass(frozen=True, slots=True)
class Purged:
    """What was written over, by place. `left`: why traces may be in the database's file still, "" if there are none."""

    places: dict[str, int]
    left: str


def find(bot: Bot, text: str) -> PurgeMatches:
    """Look through the bot's documents and all that is kept of it. Raises Refusal if these or the text will not do."""
    sought = _sought(text)
    documents = _holders(bot, sought)
    places = purge_rows.count(bot, sought, longest_word(text)) | _counted(*_versions(bot, sought))
    records = [path for path in documents if is_record(bot, path)]
    ours = [path for path in documents if path not in records]
    return PurgeMatches({place: count for place, count in places.items() if count}, ours, records)


def take_out(bot: Bot, text: str, by: journal.By) -> journal.Applied | journal.Conflict:
    """Write over it in the bot's own documents. Raises Refusal, and what a commit raises."""
    sought = _sought(text)

    def make() -> journal.CommitPlan[None]:
        changes, links = list[Change](), list[journal.Link]()
        read = dict(_documents(bot))
        for path, data in read.items():
            if sought.search(data) and not is_record(bot, path):
                after = sought.sub(MASK, data) if _is_text(bot, path) else mask_bytes(data, sought)
                changes.append(Put(path, after, digest(data)))
                keys = _other_keys(bot, path, data, after)
                links += [journal.Link(journal.How.REWORDED, path, old, path, new) for old, new in keys.items()]
        return journal.CommitPlan(changes, None, list(read.values()), why=say("Purged a text"), links=links)

    return journal.attempt(bot, make, by=by)[1]


def _is_text(bot: Bot, path: str) -> bool:
    """Whether a document has lines; in one that has none every place stays where it is."""
    place = open_bot(bot).dialect.describe(path)
    return place is None or place.is_text


def purge(bot: Bot, text: str, by: journal.By) -> Purged:
    """Write over it in everything that is kept of the bot. Raises Refusal as long as one of its documents holds it, and Busy."""
    sought = _sought(text)
    _must_be_out(bot, _holders(bot, sought))
    pending = journal.settle(bot, patience=5)
    with journal.locked(bot):
        _must_be_out(bot, _holding(bot, sought))  # a turn may have brought it back since
        holding, damaged = _versions(bot, sought)  # before the transaction: others write to the database meanwhile
        with transaction.atomic():
            places = purge_rows.mask(bot, sought, longest_word(text)) | _counted(holding, damaged)
            _mask_versions(bot, sought, holding, damaged)
            _forget_meanings(bot)
            places = {place: count for place, count in places.items() if count}
            Purge.objects.create(bot=bot, by=by.name, user=by.user, print=print_of(text), counts=places)
    left = purge_rows.clear_traces()
    if pending:
        left = say("Another program still has an old file open. It is removed once that program closes it.")
    return Purged(places, left)


def _forget_meanings(bot: Bot) -> None:
    """A vector tells much of its text: those of what no fact says any more go, whichever embedder made them."""
    says = Fact.objects.filter(bot=bot, key=OuterRef("key"))
    Vector.objects.filter(~Exists(says), bot=bot).delete()


def print_of(text: str) -> str:
    """What a purged text is known by: nobody without this Kenoweb's key can try texts against it."""
    return salted_hmac(__name__, " ".join(text.split()), algorithm="sha256").hexdigest()


def _sought(text: str) -> re.Pattern[bytes]:
    try:
        return pattern(text)
    except ValueError:
        raise Refusal(
            say(
                "Choose a text of %(least)s to %(most)s characters that isn’t part of “%(mask)s”. Nothing was changed.",
                least=SHORTEST,
                most=LONGEST,
                mask=MASK.decode(),
            )
        ) from None


def _must_be_out(bot: Bot, paths: Sequence[str]) -> None:
    """Raises Refusal if one of these is a document that the text can be taken out of."""
    if ours := [path for path in paths if not is_record(bot, path)]:
        raise Refusal(
            say("%(path)s contains the text. Nothing was purged. Remove the text from the files first.", path=ours[0])
        )


def _holders(bot: Bot, sought: re.Pattern[bytes]) -> list[str]:
    """The documents of the bot that hold it, once the index is in step with the files. Raises Refusal where it cannot be."""
    if trouble := index.refresh(bot).trouble:
        raise Refusal(trouble)
    return _holding(bot, sought)


def _holding(bot: Bot, sought: re.Pattern[bytes]) -> list[str]:
    return [path for path, data in _documents(bot) if sought.search(data)]


def _documents(bot: Bot) -> Iterator[tuple[str, bytes]]:
    """Every document of the bot that can be read, as it is now."""
    vaults = open_bot(bot).vaults
    for path in Document.objects.filter(bot=bot).order_by("path").values_list("path", flat=True):
        vault, below = vault_of(vaults, path)
        try:
            content = vault.read(below)
        except Unreadable:
            continue
        if content is not None:
            yield path, content.data


def _versions(bot: Bot, sought: re.Pattern[bytes]) -> tuple[dict[str, str], set[str]]:
    """The versions that hold the text, oldest first, each with the one that it is made from; and the names of the damaged ones."""
    holding, damaged, plans = dict[str, str](), set[str](), _plans(bot)
    for name, parent, data in versions.each(bot):
        if data is None:
            damaged.add(name)
        elif sought.search(data) and _without(data, sought, name in plans) != data:
            holding[name] = parent
    return holding, damaged


def _counted(holding: Collection[str], damaged: Collection[str]) -> dict[str, int]:
    return {VERSIONS: len(holding), DAMAGED: len(damaged)}


def _plans(bot: Bot) -> set[str]:
    """The versions that are plans of compactions: JSON of ours and no document."""
    runs = ChangeSet.objects.filter(bot=bot, details__has_key="plan")
    return set(runs.values_list("details__plan", flat=True))


def _without(data: bytes, sought: re.Pattern[bytes], is_plan: bool) -> bytes:
    return json.dumps(mask_json(json.loads(data), sought, ())).encode() if is_plan else mask_bytes(data, sought)


def _mask_versions(bot: Bot, sought: re.Pattern[bytes], holding: Mapping[str, str], damaged: Collection[str]) -> None:
    """Each version that holds it becomes another one, by name too, and what goes by the old name by the new one."""
    renamed, keys, plans = dict[str, str](), dict[str, str](), _plans(bot)
    for name, parent in sorted(holding.items(), key=lambda one: one[0] in plans):
        had = versions.bytes_of(bot, name)
        data = _without(had, sought, name in plans)
        if name in plans:  # they name facts of the others
            data = _otherwise_named(data.decode(), keys).encode()
        keys |= _keys_in(bot, name, had, data)
        renamed[name] = versions.remember(bot, data, renamed.get(parent, parent))
    for names in versions.batches(sorted(renamed)):
        _rename(bot, names, renamed)
    now = _rename_keys(bot, keys)
    _rename_notes(bot, PAST, keys | renamed)
    _rename_notes(bot, TO_COME, now | renamed)
    log.forget(bot, keys)
    versions.drop(bot, {*renamed, *damaged}, renamed)


def _rename_keys(bot: Bot, keys: Mapping[str, str]) -> dict[str, str]:
    """What goes by the keys of facts that held the text goes by those of what they say now, which are told."""
    known = dict[str, str]()
    for old, new in keys.items():
        said = Lineage.objects.filter(bot=bot, from_key=old).exclude(to_key="").order_by("pk")
        now = said.values_list("to_key", flat=True).last() or new
        known[old] = keys.get(now, now)
        _known_as(bot, old, known[old])
        Lineage.objects.filter(bot=bot, from_key=old).update(from_key=new)
        Lineage.objects.filter(bot=bot, to_key=old).update(to_key=new)
    return known


def _rename_notes(bot: Bot, notes: Sequence[tuple[Any, str]], names: Mapping[str, str]) -> None:
    """What is noted there of facts and versions by such names goes by the new ones."""
    for model, field in notes if names else ():
        for pk, value in model.objects.filter(bot=bot).values_list("pk", field).iterator():
            text = json.dumps(value, ensure_ascii=False)
            told = _otherwise_named(text, names)
            if told != text:
                model.objects.filter(pk=pk).update(**{field: json.loads(told)})


def _otherwise_named(text: str, names: Mapping[str, str]) -> str:
    return HASH.sub(lambda found: names.get(found[0], found[0]), text)


def _known_as(bot: Bot, old: str, now: str) -> None:
    """What is known of a fact by its key; of what is known of both keys, what is known of the later."""
    RecallTest.objects.filter(bot=bot, key=old).update(key=now)
    for model, names in BY_KEY.items():
        for row in model.objects.filter(bot=bot, key=old):
            same = {name: getattr(row, name) for name in names}
            if model.objects.filter(bot=bot, key=now, **same).exists():
                row.delete()
            else:
                model.objects.filter(pk=row.pk).update(key=now)


def _keys_in(bot: Bot, name: str, had: bytes, has: bytes) -> dict[str, str]:
    """The same in whatever documents were a version of that name."""
    paths = Revision.objects.filter(Q(before=name) | Q(after=name), bot=bot).order_by().values_list("path", flat=True)
    return {old: new for path in paths.distinct() for old, new in _other_keys(bot, path, had, has).items()}


def _other_keys(bot: Bot, path: str, had: bytes, has: bytes) -> dict[str, str]:
    """The keys of the facts that a document says otherwise now; a key is made of the words that must not be known."""
    old, new = differing(bot, path, had, has)
    if len(old) != len(new):
        return {}
    return {was.key: now.key for was, now in zip(old, new, strict=True) if was.key != now.key}


def _rename(bot: Bot, names: Sequence[str], renamed: Mapping[str, str]) -> None:
    rows = list(Revision.objects.filter(Q(before__in=names) | Q(after__in=names), bot=bot).defer("added"))
    for row in rows:
        row.before, row.after = renamed.get(row.before, row.before), renamed.get(row.after, row.after)
        row.purged = timezone.now()
    Revision.objects.bulk_update(rows, ["before", "after", "purged"], batch_size=versions.ROWS_AT_ONCE)
    for draft in Draft.objects.filter(bot=bot, base__in=names):
        Draft.objects.filter(pk=draft.pk).update(base=renamed[draft.base])
    for head in Head.objects.filter(bot=bot, sha256__in=names):  # of a file that cannot be read now
        Head.objects.filter(pk=head.pk).update(sha256=renamed[head.sha256])
