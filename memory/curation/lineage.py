"""One fact's life: where it came from, how it was reworded and moved, which change took it away. Read from the rows that the
journal writes, and from the revisions where they tell it by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet

from memory.bots import open_bot
from memory.journal import How, versions
from memory.journal.lineage import differing
from memory.models import Bot, ChangeSet, Delivery, Fact, Lineage, Revision
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import unstamped_text

Named = tuple[str, str]  # (path, key): which fact is meant

OURS = (ChangeSet.Kind.EDIT, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE)
ABSORBING = (How.MERGED, How.SUPERSEDED)
STEPS = 500  # of one life that are followed
LOOKED_THROUGH = 5000  # revisions in which its beginning is looked for
LARGEST = 1 << 18  # bytes of a version whose facts are read to make sure; in a larger one the words are enough
HINT = 80  # characters of its first line by which it is looked for


@dataclass(frozen=True, slots=True)
class LineageStep:
    """What a change made of a fact. `how` None: it was said for the first time, or again, as a revision tells; `text` is what it
    says since then, "" where the history no longer tells; `beside` are those that were merged into it, or split from it, by the
    same change."""

    how: How | None
    change_set: ChangeSet
    was: Named
    has: Named
    text: str = ""
    beside: Sequence[str] = ()
    delivery: Delivery | None = None
    revision: int | None = None  # that took it out, as far as it can be put back from there

    @property
    def is_end(self) -> bool:
        """Whether the fact went with it."""
        return not self.has[1]


@dataclass(frozen=True, slots=True)
class FactLineage:
    """The steps of a fact, the oldest first; the first one may not be known. `path` and `key` are its last, and `stands` says
    whether it is there now."""

    steps: Sequence[LineageStep]
    path: str
    key: str
    text: str
    stands: Fact | None
    keys: frozenset[str]

    @property
    def is_known_from_the_start(self) -> bool:
        """Whether the history has the change that it came with, and that is no first look at its document."""
        first = self.steps[0] if self.steps else None
        is_start = first is not None and (first.how is None or first.how is How.ADDED)
        return is_start and first is not None and first.change_set.kind != ChangeSet.Kind.FOUND


def lineage_of(bot: Bot, path: str, key: str) -> FactLineage:
    """All that is known of a fact, by any of its wordings in any document where it was."""
    rows = list(_chain(bot, (path, key)))
    last = _ends(rows[-1]) if rows else (path, key)
    stands = Fact.objects.filter(bot=bot, document__path=last[0], key=last[1]).select_related("document").first()
    texts = _Texts(bot, rows, last)
    steps = [_step(row, texts) for row in rows]
    if not rows or rows[0].from_key:
        start = (rows[0].from_path, rows[0].from_key) if rows else last
        steps = [*_begun(bot, start, texts.of(start), rows[0] if rows else None), *steps]
    if stands and steps and steps[-1].is_end:
        steps += _said(bot, last, stands.text, since=steps[-1].change_set.pk)
    keys = frozenset({last[1], *(key for row in rows for key in (row.from_key, row.to_key) if key)})
    return FactLineage(_with_deliveries(steps), *last, stands.text if stands else texts.of(last), stands, keys)


def origin_change(bot: Bot, step: Lineage) -> ChangeSet | None:
    """The change that a fact's words came with before a step moved them; None if it is not known."""
    was, upto = (step.from_path, step.from_key), step
    for _ in range(STEPS):
        before = _touching(bot, was).filter(_has(was), id__lt=upto.pk).select_related("change_set").last()
        if before is None:
            break
        if undone := _undone(before):
            upto = undone
            continue
        if before.from_key != before.to_key:
            return before.change_set
        was, upto = (before.from_path, before.from_key), before
    text = Fact.objects.filter(bot=bot, key=was[1]).values_list("text", flat=True).first() or ""
    said = _begun(bot, was, unstamped_text(text), upto)
    return said[0].change_set if said else None


def as_json(life: FactLineage) -> dict[str, Any]:
    """A fact's lineage for programs."""
    return {
        "path": life.path,
        "key": life.key,
        "text": life.text,
        "stands": life.stands is not None,
        "steps": [_told(one) for one in life.steps],
    }


def _told(one: LineageStep) -> dict[str, Any]:
    made, (path, key) = one.change_set, one.was if one.is_end else one.has
    return {
        "how": one.how.value if one.how else "said",
        "at": (made.finished or made.created).isoformat(),
        "by": made.by,
        "why": made.why,
        "change_set": made.pk,
        "path": path,
        "key": key,
        "text": one.text,
        "beside": list(one.beside),
        "chat": one.delivery.session_id if one.delivery else None,
        "delivery": one.delivery.pk if one.delivery else None,
    }


def latest_wording(bot: Bot, path: str, key: str) -> str | None:
    """The key of the last wording of a fact that was reworded in its place by changes of ours; None if it was not."""
    steps = Lineage.objects.filter(bot=bot, from_path=path, to_path=path, change_set__kind__in=OURS)
    found, upto = None, 0
    for _ in range(STEPS):
        step = steps.filter(from_key=key, id__gt=upto).exclude(to_key=key).first()
        if step is None:
            break
        found = key = step.to_key
        upto = step.pk
    return found


def change_that_took(bot: Bot, path: str, key: str) -> ChangeSet | None:
    """The newest change set that left a document without a fact it had before; None if none is known."""
    step = _touching(bot, (path, key)).select_related("change_set").last()
    return step.change_set if step and (step.to_path, step.to_key) != (path, key) else None


def _was(named: Named) -> Q:
    return Q(from_path=named[0], from_key=named[1])


def _has(named: Named) -> Q:
    return Q(to_path=named[0], to_key=named[1])


def _touching(bot: Bot, named: Named) -> QuerySet[Lineage]:
    return Lineage.objects.filter(_was(named) | _has(named), bot=bot)


def _ends(row: Lineage) -> Named:
    """The fact after a step, or what it was last."""
    return (row.to_path, row.to_key) if row.to_key else (row.from_path, row.from_key)


def _chain(bot: Bot, named: Named) -> Sequence[Lineage]:
    """The steps of a fact, from the newest that names it back to its beginning and on to its end."""
    newest = _last(bot, named, _touching(bot, named))
    if newest is None:
        return []
    found = [newest]
    while found[0].from_key and len(found) < STEPS:
        was = found[0].from_path, found[0].from_key
        ended = _has(was) | (_was(was) & Q(to_key=""))
        before = _undone(found[0]) or _last(bot, was, _touching(bot, was).filter(ended, id__lt=found[0].pk))
        if before is None:
            break
        found.insert(0, before)
    while len(found) < STEPS:
        has = _ends(found[-1])
        began = _was(has) | (_has(has) & Q(from_key=""))
        some = _touching(bot, has).filter(began, id__gt=found[-1].pk).select_related("change_set")
        after = _taken_back(found[-1]) or some.first()
        if after is None:
            break
        found.append(after)
    return found


def _undone(row: Lineage) -> Lineage | None:
    """The step that this one takes back: where several became one, each goes back the way it came."""
    if row.change_set.undoes_id is None or not row.to_key:
        return None
    steps = Lineage.objects.filter(_was(_ends(row)), change_set=row.change_set.undoes_id).select_related("change_set")
    return steps.last() if row.how == How.RETURNED else steps.filter(_has((row.from_path, row.from_key))).last()


def _taken_back(row: Lineage) -> Lineage | None:
    """The step that takes this one back."""
    was = (row.from_path, row.from_key)
    back = _was((row.to_path, row.to_key)) | Q(how=How.RETURNED)
    steps = Lineage.objects.filter(back, _has(was), change_set__undoes=row.change_set_id)
    return steps.select_related("change_set").first()


def _last(bot: Bot, named: Named, steps: QuerySet[Lineage]) -> Lineage | None:
    """The last of some steps of a fact. What others became part of keeps its own life, if it had one."""
    steps = steps.select_related("change_set")
    own = steps.exclude(_has(named), how__in=ABSORBING, change_set__undoes=None).last()
    taken_in = None if own else steps.last()
    if taken_in is None:
        return own
    text = Fact.objects.filter(bot=bot, key=named[1]).values_list("text", flat=True).first() or ""
    return None if any(_said(bot, named, unstamped_text(text), upto=taken_in.change_set_id)) else taken_in


def _step(row: Lineage, texts: _Texts) -> LineageStep:
    was, has = (row.from_path, row.from_key), (row.to_path, row.to_key)
    beside = []
    if row.how in (How.MERGED, How.SPLIT):
        same = row.change_set.lineage.filter(how=row.how).exclude(pk=row.pk)
        others = same.filter(_has(has)) if row.how == How.MERGED else same.filter(_was(was))
        beside = [texts.at(one, is_after=row.how == How.SPLIT) for one in others]
    revision = None
    if not row.to_key:
        took = Revision.objects.filter(change_set=row.change_set_id, path=row.from_path, done=True, pruned=None)
        revision = took.exclude(action=Revision.Action.APPEND).values_list("pk", flat=True).first()
    text = texts.of(has) if row.to_key else ""
    return LineageStep(How(row.how), row.change_set, was, has, text, beside, revision=revision)


def _begun(bot: Bot, named: Named, text: str, step: Lineage | None) -> Sequence[LineageStep]:
    """What said a fact before a step of it: anew, where another step had made something else of it before, or else at first."""
    if step is None:
        return list(_said(bot, named, text))
    left = _touching(bot, named).filter(_was(named), id__lt=step.pk).exclude(_has(named)).last()
    anew = list(_said(bot, named, text, upto=step.change_set_id, since=left.change_set_id)) if left else []
    return anew or list(_said(bot, named, text, upto=step.change_set_id))


def _said(bot: Bot, named: Named, text: str, *, upto: int | None = None, since: int = 0) -> Iterator[LineageStep]:
    """The first revision that says a fact by what it appends, or by making its document."""
    path, key = named
    told = Q(action=Revision.Action.APPEND) | Q(action=Revision.Action.PUT, before="")
    done = Revision.objects.filter(told, bot=bot, path=path, done=True, pruned=None, change_set__gt=since)
    if upto is not None:
        done = done.filter(change_set__lt=upto)
    hint = text.split("\n", 1)[0][:HINT].encode("utf-8", "surrogateescape")
    some = done.order_by("pk").select_related("change_set")[:LOOKED_THROUGH]
    for sure in (False, True):  # where the words stand in another form, as in JSON, only their facts tell
        for revision in some:
            if _says(bot, revision, key, b"" if sure else hint):
                yield LineageStep(None, revision.change_set, ("", ""), named, text)
                return


def _says(bot: Bot, revision: Revision, key: str, hint: bytes) -> bool:
    """Whether what a revision appended or made holds a fact."""
    data = bytes(revision.added or b"")
    if revision.action == Revision.Action.PUT:
        data = versions.bytes_of_all(bot, [revision.after]).get(revision.after, b"")
    if hint not in data:
        return False
    if hint and len(data) > LARGEST:
        return True
    return any(fact.key == key for fact in open_bot(bot).dialect.facts(revision.path, data))


def _with_deliveries(steps: Sequence[LineageStep]) -> list[LineageStep]:
    """The steps, each with the call that made it."""
    sets = [one.change_set for one in steps if one.change_set.kind in ChangeSet.TURNS]
    found = {one.change_set_id: one for one in Delivery.objects.filter(change_set__in=sets).order_by("-pk")}
    return [replace(one, delivery=found.get(one.change_set.pk)) for one in steps]


class _Texts:
    """What facts of a life said: as they stand now, else as the versions before and after its steps have it."""

    def __init__(self, bot: Bot, rows: Sequence[Lineage], last: Named) -> None:
        self.bot, self.rows = bot, rows
        keys = {last[1], *(key for row in rows for key in (row.from_key, row.to_key))}
        there = Fact.objects.filter(bot=bot, key__in=keys).values_list("document__path", "key", "text")
        self.known: dict[Named, str] = {(path, key): text for path, key, text in there}

    def of(self, named: Named) -> str:
        """What a fact said, "" if nothing tells."""
        if named not in self.known:
            rows = [row for row in self.rows if named in ((row.from_path, row.from_key), (row.to_path, row.to_key))]
            told = (self.at(row, is_after=named == (row.to_path, row.to_key)) for row in rows)
            self.known[named] = next(filter(None, told), "")
        return self.known[named]

    def at(self, row: Lineage, *, is_after: bool) -> str:
        """What a fact said before a step or after it."""
        path, key = (row.to_path, row.to_key) if is_after else (row.from_path, row.from_key)
        if (path, key) in self.known:
            return self.known[path, key]
        revisions = Revision.objects.filter(bot=self.bot, change_set=row.change_set_id, path=path, done=True)
        facts = (fact for one in revisions for fact in _facts(self.bot, one, is_after=is_after))
        return next((fact.text for fact in facts if fact.key == key), "")


def _facts(bot: Bot, revision: Revision, *, is_after: bool) -> Sequence[FactAt]:
    """The facts of a document that differ, before a revision or after it."""
    if revision.action == Revision.Action.APPEND:
        return open_bot(bot).facts(revision.path, bytes(revision.added or b"")) if is_after else ()
    try:
        sides = versions.sides(revision)
    except versions.Forgotten:
        return ()
    return differing(bot, revision.path, *sides)[is_after]
