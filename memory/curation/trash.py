"""What was forgotten, over all documents: found in the versions that the history holds, and put back where it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memory import journal
from memory.bots import open_bot
from memory.curation.documents import why_read_only
from memory.curation.writing import write
from memory.domain.attributes import usual_status
from memory.domain.changes import Change, Delete, Put, base_of, split_path
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused, refusal_of
from memory.journal import versions
from memory.journal.reconcile import vault_of
from memory.models import Bot, ChangeSet, Fact, Revision
from memory.text.markdown.entries import FactAt
from memory.text.merge.three_way import Clashed, merge
from memory.text.sentences import say
from memory.text.storable import quote

Named = tuple[int, str, int]  # (a revision's key, key, nth): which fact of the version before it

# Who takes facts out for good; an undo and a restore only follow one.
KINDS = [
    kind for kind in ChangeSet.Kind if kind not in (ChangeSet.Kind.FOUND, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE)
]
TAKES = (Revision.Action.PUT, Revision.Action.DELETE)
LARGEST = 1 << 20  # bytes of a version whose facts are compared; what is larger is only counted
SETS_AT_ONCE = 40
LOOKED_AT = 400  # change sets that one page goes through
LEFT = 3  # reasons that are told of what was not put back
MOST = 500  # facts that are put back at once


@dataclass(frozen=True, slots=True)
class Gone:
    """A fact that a change took out of a document; `again`: the document says it, again or by another copy."""

    revision: Revision
    fact: FactAt
    again: bool = False

    @property
    def named(self) -> Named:
        return self.revision.pk, self.fact.key, self.fact.nth


@dataclass(frozen=True, slots=True)
class Balance:
    """What one change set took out of a memory, and what it brought in: facts that were moved are neither. `dropped`: what it took
    out, and where several became one elsewhere, all but one of them."""

    gone: Sequence[Gone]
    dropped: Sequence[Gone]
    come: Sequence[tuple[Revision, FactAt]]


@dataclass(frozen=True, slots=True)
class TrashPage:
    """Some of what was forgotten, the newest first. `older`: change sets before this key are not looked through yet, None for no
    more; `large`: so many versions were too large to compare."""

    facts: Sequence[Gone]
    older: int | None
    large: int


@dataclass(frozen=True, slots=True)
class Restored:
    """So many facts are there again, by one change set (None: they were all there). `left`: why others are not, for people."""

    change_set: ChangeSet | None
    count: int
    left: Sequence[str]


def look(bot: Bot, before: int | None, limit: int, wanted: Callable[[Gone], bool]) -> TrashPage:
    """What was forgotten in change sets before a key, about `limit` facts of it that are `wanted`."""
    taking = ChangeSet.objects.filter(bot=bot, kind__in=KINDS, revisions__action__in=TAKES, revisions__done=True)
    sets = taking.order_by("-pk").values_list("pk", flat=True).distinct()
    found: list[Gone] = []
    seen = large = 0
    while seen < LOOKED_AT and len(found) < limit:
        some = list((sets.filter(pk__lt=before) if before else sets)[:SETS_AT_ONCE])
        here, skipped = _of_sets(bot, some)
        found += filter(wanted, here)
        seen, large = seen + len(some), large + skipped
        if len(some) < SETS_AT_ONCE:
            return TrashPage(_marked(bot, found), None, large)
        before = some[-1]
    return TrashPage(_marked(bot, found), before, large)


def _of_sets(bot: Bot, sets: Sequence[int]) -> tuple[list[Gone], int]:
    """The facts that some change sets (keys) took out, and how many versions were too large; few statements."""
    rows = Revision.objects.filter(change_set__in=sets, done=True, pruned=None).select_related("change_set")
    found, large = balances(bot, rows.order_by("-change_set_id", "pk"))
    return [gone for one in found for gone in one.dropped], large


def balances(bot: Bot, rows: Iterable[Revision]) -> tuple[list[Balance], int]:
    """What each change set did, of revisions with theirs, and how many versions were too large to compare."""
    sets: dict[int, list[Revision]] = {}
    large = 0
    for one in rows:
        one.bot = bot
        if max(one.size_before or 0, one.size_after or 0) > LARGEST:
            large += one.action in TAKES
        elif holds_facts(bot, one.path):
            sets.setdefault(one.change_set_id, []).append(one)
    names = {name for some in sets.values() for one in some for name in (one.before, one.after)}
    kept = versions.bytes_of_all(bot, names)
    return [_balance(bot, some, kept) for some in sets.values()], large


def holds_facts(bot: Bot, path: str) -> bool:
    """Whether a document has facts that the bot reads."""
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.holds_facts and place.is_read


def _balance(bot: Bot, revisions: Sequence[Revision], kept: Mapping[str, bytes]) -> Balance:
    """What one change set took out and put nowhere else, and what it brought in from nowhere else, however many copies it left.
    Where as much came into a document as left it, it was reworded."""
    taken: list[tuple[Revision, list[FactAt], list[FactAt]]] = []
    for one in revisions:
        if (sides := versions.sides_of(one, kept)) is not None:
            before, after = (live_facts(bot, one.path, data) for data in sides)
            taken.append((one, subtract(before, after), subtract(after, before)))
    went = {fact.key for _one, gone, _come in taken for fact in gone}
    came = Counter(fact.key for _one, _gone, come in taken for fact in come)
    others = [each for each in taken if len(each[1]) != len(each[2])]
    dropped = [Gone(one, fact) for one, gone, _come in others for fact in _left(gone, came)]
    return Balance(
        [each for each in dropped if each.fact.key not in came],
        dropped,
        [(one, fact) for one, _gone, come in others for fact in come if fact.key not in went],
    )


def live_facts(bot: Bot, path: str, data: bytes) -> list[FactAt]:
    """The facts of a version that its bot had not forgotten, where it marks those instead of taking them out."""
    usual = usual_status(open_bot(bot).dialect.attributes)
    facts = open_bot(bot).facts(path, data)
    return [fact for fact in facts if not usual or not fact.attributes or fact.attributes.status in ("", usual)]


def subtract(some: Iterable[FactAt], others: Iterable[FactAt]) -> list[FactAt]:
    """Those that `others` do not say, as often as they say it."""
    return _left(some, Counter(fact.key for fact in others))


def _left(some: Iterable[FactAt], there: Counter[str]) -> list[FactAt]:
    """Those that are not `there`, where each takes the place of one."""
    left: list[FactAt] = []
    for fact in some:
        if there[fact.key]:
            there[fact.key] -= 1
        else:
            left.append(fact)
    return left


def _marked(bot: Bot, found: Sequence[Gone]) -> list[Gone]:
    """With those that their documents say."""
    keys = sorted({one.fact.key for one in found})
    there: set[tuple[str, str]] = set()
    for some in versions.batches(keys):
        rows = Fact.objects.filter(bot=bot, key__in=some)
        there.update(rows.values_list("document__path", "key"))
    return [Gone(one.revision, one.fact, (one.revision.path, one.fact.key) in there) for one in found]


def restore(bot: Bot, wanted: Iterable[Named], by: journal.By) -> Restored | Refused:
    """Put facts back where they were, of any number of documents, as one change set; what cannot be is told, the rest is done."""
    meant = list(dict.fromkeys(wanted))
    if not meant:
        return Refused(say("Nothing selected. Nothing was changed."))
    if len(meant) > MOST:
        return Refused(say("Up to %(limit)s facts can be restored at once. Nothing was changed.", limit=MOST))
    done = write(bot, partial(_restoring, bot, meant), by)
    return done if isinstance(done, Refused) else Restored(done.change_set, *done.told)


def _restoring(bot: Bot, meant: Sequence[Named]) -> journal.CommitPlan[tuple[int, list[str]]]:
    """Raises Refusal where nothing can be put back."""
    by_revision: dict[int, list[tuple[str, int]]] = {}
    for pk, key, nth in meant:
        by_revision.setdefault(pk, []).append((key, nth))
    rows = bot.revision_set.filter(pk__in=by_revision, done=True, action__in=TAKES).order_by("-pk")
    by_path: dict[str, list[Revision]] = {}
    for one in rows:
        by_path.setdefault(one.path, []).append(one)
    changes, seen, texts, left = list[Change](), list[bytes](), list[str](), list[str]()
    for path, revisions in by_path.items():
        now, data, back = _document(bot, path, revisions, by_revision, left)
        if back and data != now:
            changes.append(Put(path, data or b"", base_of(now)))
            texts += back
            seen += [now] if now is not None else []
    if not changes:
        raise Refusal(left[0] if left else say("These facts are no longer in History. Nothing was changed."))
    why = (
        say("Restored %(text)s", text=quote(texts[0]))
        if len(texts) == 1
        else say("Restored %(count)s facts", count=len(texts))
    )
    return journal.CommitPlan(changes, (len(texts), left[:LEFT]), seen, why=why)


def _document(
    bot: Bot,
    path: str,
    revisions: Sequence[Revision],
    by_revision: Mapping[int, Sequence[tuple[str, int]]],
    left: list[str],
) -> tuple[bytes | None, bytes | None, list[str]]:
    """(a document now, with the facts of these revisions put back, their texts); why others are not goes into `left`."""
    vaults, place = open_bot(bot).vaults, open_bot(bot).dialect.describe(path)
    vault, below = vault_of(vaults, path)
    content = vault.read(below)
    now = content.data if content else None
    data, back = now, list[str]()
    in_files = b"" if vaults[split_path(path)[0]].transactional else now or b""
    if place is None or (why := why_read_only(in_files, place)):
        left.append(why if place else say("This bot has no file with that name. Nothing was changed."))
        return now, now, []
    for one in revisions:
        try:
            data, texts = _put_back(bot, one, by_revision[one.pk], data)
        except (Refusal, ValueError, versions.Forgotten) as error:
            left.append(refusal_of(error).reason if isinstance(error, Refusal | ValueError) else str(error))
            continue
        back += texts
    return now, data, back


def _put_back(
    bot: Bot, one: Revision, named: Sequence[tuple[str, int]], now: bytes | None
) -> tuple[bytes | None, list[str]]:
    """A document with facts of one version before a change. It is merged: from that version without these facts to the version
    itself, over what the document says by now. Raises Refusal, ValueError and Forgotten."""
    dialect, path = open_bot(bot).dialect, one.path
    versions.must_be_kept(one)
    before = versions.bytes_of(bot, one.before)
    facts = [fact for fact in live_facts(bot, path, before) if (fact.key, fact.nth) in set(named)]
    there = {fact.key for fact in live_facts(bot, path, now or b"")}
    facts = [fact for fact in facts if fact.key not in there]
    if not facts:
        raise Refusal(say("%(path)s already says this. Nothing to restore.", path=path))
    if now is None:
        whole = _only(bot, path, before, facts)
        versions.must_not_return(one, whole, b"")
        return whole, [fact.text for fact in facts]
    rest = dialect.forget(path, before, facts)
    merged = merge(b"" if isinstance(rest, Delete) else rest.data, before, now)
    if isinstance(merged, Clashed):
        raise Refusal(
            say(
                "%(text)s can’t be restored: %(path)s has changed around its place. Open the change in History to copy it.",
                text=quote(facts[0].text),
                path=path,
            )
        )
    versions.must_not_return(one, merged.data, now)
    data, again = dialect.returning(path, merged.data, now, now)
    if again:
        raise Refusal(say("%(path)s already says this. Nothing to restore.", path=path))
    if why := dialect.refused(path, now, data):
        raise Refusal(why)
    return data, [fact.text for fact in facts]


def _only(bot: Bot, path: str, before: bytes, facts: Sequence[FactAt]) -> bytes:
    """A version with these of its facts alone, for a document that is gone."""
    wanted = {(fact.key, fact.nth) for fact in facts}
    others = [fact for fact in open_bot(bot).dialect.facts(path, before) if (fact.key, fact.nth) not in wanted]
    if not others:
        return before
    left = open_bot(bot).dialect.forget(path, before, others)
    return before if isinstance(left, Delete) else left.data
