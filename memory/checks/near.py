"""Facts that say the same in nearly the same words: within long-term memory and notes, there and in a log, in a chat's memory and
the shared one.

A new fact is kept under a few short names, of which texts that are alike share one (`text/claims/alike.py`); facts are compared
that share a name, so that a look costs what changed. Of those that are alike the first one is found: what stays longest, what
every chat reads, what comes first. An event of another day is another event, and two logs are never compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from django.db.models import Count

from memory.checks import claims, facts_alone
from memory.checks.contradictions import Answer, Matter
from memory.checks.subjects import ABOUT, Subject
from memory.domain.places import Kind, Tier
from memory.index.attributes import unusual
from memory.models import Bot, Claim, quick
from memory.text.claims.alike import are_alike, bands
from memory.text.claims.statements import of_the_user
from memory.text.fidelity.pieces import is_telling
from memory.text.markdown.stamps import stamp
from memory.text.sentences import say

NAME = "near"
KINDS = (Kind.LONG_TERM, Kind.TOPIC, Kind.CONTEXT, Kind.DAILY)  # what stays longest first
WORDS = say("Nearly the same words")
PRIVATE = say("A private fact of one chat, in nearly the same words in shared memory")
CHATS = say("Nearly the same words in the memory of another chat")
FAR = 2  # times as long as usual has to be what two scopes say alike
MOST = 40  # different facts of one name that are compared, the newest
NAMES_AT_ONCE = 2000  # asked for in one statement
SAME_NAME = 400  # facts of one name that are looked at at all


def learn(bot: Bot, fresh: Sequence[Subject]) -> set[str]:
    """Keep the names of new facts; returns them."""
    named = {one.pk: found for one in fresh if one.kind in KINDS and (found := bands(one.text))}
    claims.keep(bot, named)
    return {name for names in named.values() for name in names}


def meeting(bot: Bot, names: Collection[str] | None) -> Iterator[Subject]:
    """The facts that share one of these names with others; with None those that share any. Logs are left out: no fact of one is
    the first of several."""
    shared = Claim.objects.filter(bot=bot, about__startswith="~").order_by().values("about")
    shared = shared.annotate(facts=Count("fact")).filter(facts__gt=1)
    if names is None:
        names = set(shared.values_list("about", flat=True))
    seen = set[int]()
    for part in quick.batches(sorted(names), NAMES_AT_ONCE):
        some = list(shared.filter(about__in=part).values_list("about", flat=True))
        rows = Claim.objects.filter(bot=bot, about__in=some, fact__bot=bot).exclude(fact__document__kind=Kind.DAILY)
        for told in rows.order_by().values_list(*(f"fact__{name}" for name in ABOUT)):
            one = Subject(*told)
            if one.pk not in seen:
                seen.add(one.pk)
                yield one


def judge(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Which of these facts others repeat in nearly the same words: pk -> why."""
    return {pk: _why(some) for pk, some in _groups(bot, looked_at).items()}


def matters(bot: Bot, firsts: Sequence[Subject]) -> dict[int, Matter]:
    """The facts that say the same as some, each with the copies of it: pk -> they side by side, the first one first."""
    return {pk: side_by_side(some) for pk, some in _groups(bot, firsts).items()}


def side_by_side(some: Sequence[Subject]) -> Matter:
    """Facts of which one may be kept, each an answer."""
    first = some[0]
    return Matter(first.key, first.scope, [Answer([one]) for one in some])


def _groups(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, list[Subject]]:
    """Each of these facts that is the first of several, with the others behind it. What one document says again in the very same
    words is a duplicate of the first there, and another rule's."""
    named = {one.pk: bands(one.text) for one in looked_at if one.kind in KINDS and one.kind != Kind.DAILY}
    there = _named(bot, {name for names in named.values() for name in names})
    found = {}
    for one in looked_at:
        beside = {other.pk: other for name in named.get(one.pk, ()) for other in there.get(name, ())}
        copies = [other for other in beside.values() if not other.nth and _are_copies(one, other)]
        if copies and not one.nth and min(map(_rank, copies)) > _rank(one):
            found[one.pk] = [one, *sorted(copies, key=_rank)]
    return found


def _named(bot: Bot, names: Iterable[str]) -> Mapping[str, Collection[Subject]]:
    """The facts that the bot remembers under some names, of each name a bounded number of different ones."""
    found = dict[str, list[Subject]]()
    for some in quick.batches(sorted(names), NAMES_AT_ONCE):
        rows = Claim.objects.filter(bot=bot, about__in=some, fact__bot=bot, fact__document__kind__in=KINDS)
        for name, *told in rows.order_by("about", "-fact").values_list("about", *(f"fact__{name}" for name in ABOUT)):
            found.setdefault(name, []).append(Subject(*told))
    unread = unusual(bot, list({one.pk for some in found.values() for one in some}))
    return {name: _bounded([one for one in some if one.pk not in unread]) for name, some in found.items()}


def _bounded(facts: Sequence[Subject]) -> list[Subject]:
    different: dict[str, None] = {}
    kept = []
    for one in facts[:SAME_NAME]:
        if one.key in different or len(different) < MOST:
            different[one.key] = None
            kept.append(one)
    return kept


def _are_copies(one: Subject, other: Subject) -> bool:
    if one.pk == other.pk or (one.key == other.key and (one.path == other.path or one.scope != other.scope)):
        return False  # the same words in one document, and in two chats, have rules of their own
    days = {day for fact in (one, other) if (day := stamp(fact.text)[:10] or fact.day)}
    if len(days) > 1 or not _is_of_the_same(one, other):
        return False
    return _may_be_compared(one, other) and (one.key == other.key or are_alike(one.text, other.text))


def _is_of_the_same(one: Subject, other: Subject) -> bool:
    """Whether the headings above two facts leave them about the same: what stands under two names is about two."""
    if one.heading == other.heading:
        return True
    return all(not fact.heading or of_the_user(fact.heading) == "" for fact in (one, other))


def _may_be_compared(one: Subject, other: Subject) -> bool:
    """Whether it says something that two facts are alike: in two scopes only what is no accident is."""
    if _scope(one) == _scope(other):
        return True
    return all(is_telling(fact.text, FAR) for fact in (one, other)) and Kind.DAILY not in (one.kind, other.kind)


def _scope(one: Subject) -> str:
    return "" if one.tier == Tier.GLOBAL else one.scope


def _rank(one: Subject) -> tuple[int, bool, str, int, int]:
    return KINDS.index(Kind(one.kind)), bool(_scope(one)), one.path, one.line, one.pk


def _why(some: Sequence[Subject]) -> str:
    scopes = {_scope(one) for one in some}
    if len(scopes) > 1:
        return PRIVATE if "" in scopes else CHATS
    return WORDS if len({one.key for one in some}) > 1 else facts_alone.SAME_WORDS
