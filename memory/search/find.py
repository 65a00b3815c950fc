"""A search from what was typed to what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import chain, zip_longest
from operator import itemgetter
from typing import NamedTuple

from django.conf import settings

from memory.domain.places import Kind
from memory.models import Bot
from memory.search.bounds import bounds
from memory.search.candidates import OFTEN
from memory.search.engines import engine
from memory.search.rank import REACH, Ranked, Why, rank
from memory.search.shapes import Best, Bounds, Candidate, Engine, EngineQuery, Sought
from memory.search.statements import id_table, placeholders, rows
from memory.search.time_asked import TimeAsked
from memory.text.sentences import say
from memory.text.words import query as queries
from memory.text.words.forms import forms, rejoined_forms, related_stem
from memory.text.words.query import Query, Term
from memory.text.words.terms import fold, is_common, is_filler, is_start, spans

FEW = 20  # hits, if nobody says how many
MOST = 200  # hits that are ranked at all: the order of the first ones must not change with how many are asked for
CANDIDATES = 300  # facts that the engine brings
HEARD = 40  # of them, that are weighed first, with their neighbours: of rare words more find no more (bench/recall.py)
KEPT = (Kind.LONG_TERM, Kind.WORKING, Kind.IDENTITY, Kind.CONTEXT, Kind.PATTERNS)  # which the bot has before its eyes
# Down to the fact, or PostgreSQL chooses of a long day as its rows happen to lie; SQLite's index has the first two.
LAST_LOGS = "d.day DESC, d.scope DESC, d.id, f.ordinal"
MARKED = 1000  # words of a hit: only some lines of it are shown
SHORTEST_PART = 3  # letters that can be looked for inside of words

_FIELDS = f"""
    f.id, f.document_id, f.ordinal, f.time, f.words, f.about, f.speaker, f.traits, d.day, d.kind = '{Kind.DAILY}'
"""


class Hit(NamedTuple):
    """A fact that was found: where it stands, its whole text, what in it was meant ([start, end), MARKED at most), and why."""

    id: int
    path: str
    line: int
    end_line: int
    time: str
    text: str
    heading: str
    key: str
    nth: int
    tokens: int
    kind: str
    tier: str
    scope: str
    day: str
    score: float
    why: Why
    marks: tuple[tuple[int, int], ...]


_SHOWN = """
    f.id, d.path, f.line, f.end_line, f.time, f.text, f.heading, f.key, f.nth, f.tokens, d.kind, d.tier, d.scope, d.day
"""
_TEXT = Hit._fields.index("text")


@dataclass(frozen=True, slots=True)
class Results:
    """The hits that were asked for. `found`: how many were ranked (at most MOST; `more` if others hold the words, too), `near` of
    them only because they stand beside one; `nowhere`: words as typed that no fact has; `notes`: what has to be said about the
    query, for people. `ids` are all that were found and not only stand beside one; `engine_query`: what all of them hold, None
    where words alone do not say what is found."""

    query: Query
    hits: tuple[Hit, ...]
    found: int = 0
    more: bool = False
    nowhere: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()
    near: int = 0
    engine_query: EngineQuery | None = None


def search(
    bot: Bot,
    text: str,
    *,
    now: datetime,
    chat: str | None = None,
    tier: str | None = None,
    limit: int = FEW,
    offset: int = 0,
    typing: bool = False,
) -> Results:
    """What a bot's memory holds of a query, best first, or where it says so the best MOST by their days, undated ones last. `now`
    is the bot's own time; `chat`: only what this chat may see; `typing`: the last word may be unfinished. Never raises for what
    is typed. A limit or offset only cuts: the order stays."""
    query = queries.parse(text, [str(kind) for kind in Kind], lambda word: _day(word, now), typing=typing)
    within, notes = bounds(bot, query.filters, chat, tier)
    notes = (*query.notes, *notes)
    if query.is_empty:
        return Results(query, (), notes=notes)
    database = engine()
    asked = _ask(database, bot, query, within, now.date().isoformat())
    ranked, later, engine_query = asked.ranked, asked.later, None if settings.EMBEDDER else asked.engine_query
    if asked.cut:
        notes = (
            *notes,
            say(
                "Only long-term memory, the last logs and %(count)s other matches were ranked. Add a word to find the others.",
                count=OFTEN,
            ),
        )
    if settings.EMBEDDER:
        ranked, more = _with_alike(bot, query, ranked, within, typing=typing)
        notes = (*notes, *more)
    nowhere = tuple(dict.fromkeys(one.typed for one in asked.sought if not one.there and not is_filler(one.typed)))
    start, end = max(offset, 0), min(max(offset, 0) + max(limit, 0), MOST)
    ranked, has_more = _with_room(ranked, len(later))
    count, near = min(len(ranked) + len(later), MOST), sum(one.is_near for one in ranked[:MOST])
    ids = (*(one.candidate.id for one in ranked if not one.is_near), *later)[: count - near]
    if later and (end > len(ranked) or query.newest_first):
        ranked = [*ranked, *asked.rank(_candidates(later, within))]
    if query.newest_first:
        ranked = sorted(ranked[:MOST], key=lambda one: (one.candidate.day, one.candidate.time), reverse=True)
    hits = _hits(ranked[start:end], asked.sought)
    return Results(query, hits, count, has_more, nowhere, notes, ids, near, engine_query)


def _with_room(ranked: list[Ranked], later: int) -> tuple[list[Ranked], bool]:
    """What is listed of these, and whether more hold the words than can be, with so many that come `later`. What only stands beside
    one keeps none that does from being listed: the last of it make room."""
    near = [one.candidate.id for one in ranked if one.is_near]
    holding = len(ranked) - len(near) + later
    if holding > MOST:
        return ranked, True
    kept = set(near[: MOST - holding])
    return [one for one in ranked if not one.is_near or one.candidate.id in kept], False


def _day(word: str, now: datetime) -> str:
    return (now - timedelta(days=word == "yesterday")).date().isoformat()


def _sought(database: Engine, terms: Sequence[Term], phrases: Iterable[Sequence[str]]) -> list[Sought]:
    """The words of a query with how many facts have them, and their other forms that some have; what is in a phrase is meant as
    it is. What no fact has as a word may be the beginning of one, or stand inside of one. Words that say next to nothing count
    only where there is nothing else."""
    telling = [term for term in terms if not is_common(term.word)] or list(terms)
    exact = {word for phrase in phrases for word in phrase}
    others = {
        term.word: frozenset[str]()
        if term.word in exact
        else forms(term.typed) | rejoined_forms(term.typed, terms[-1].typed)
        for term in telling
    }
    known = database.frequencies(list({*others, *chain.from_iterable(others.values())}))
    return [_one_sought(database, term, known, others[term.word]) for term in telling]


def _one_sought(database: Engine, term: Term, known: Mapping[str, int], others: Iterable[str]) -> Sought:
    begins = term.is_start or is_start(term.word)
    there = {word for word in others if word in known and not (term.word in known and word == related_stem(term.word))}
    some = tuple(Sought(word, term.typed, facts=known[word]) for word in sorted(there))
    if term.word in known and not begins:
        return Sought(term.word, term.typed, facts=known[term.word], forms=some)
    if count := database.starts(term.word):
        return Sought(term.word, term.typed, is_start=True, facts=count, forms=some)
    if some:
        return Sought(term.word, term.typed, facts=sum(one.facts for one in some), forms=some)
    letters = fold(term.typed)
    inside = len(letters) >= SHORTEST_PART
    return Sought(letters if inside else term.word, term.typed, is_part=inside)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query that was asked: its words with how many facts have them, what was found, best first, and facts (ids) that come
    after all of that, not weighed yet: few people look so far. `cut`: there are older ones that were not looked at.
    `engine_query`: what the engine was asked, None where letters inside of words are looked for, too."""

    sought: Sequence[Sought]
    ranked: list[Ranked]
    later: list[int]
    cut: bool
    rank: Callable[[Sequence[Candidate]], list[Ranked]]
    engine_query: EngineQuery | None


def _ask(database: Engine, bot: Bot, query: Query, within: Bounds, today: str) -> _Asked:
    sought = _sought(database, query.terms, query.phrases)
    whole = tuple(each for one in sought for each in one.there)
    parts = [one.word for one in sought if one.is_part]
    engine_query = EngineQuery(whole, query.phrases, query.without, within)
    best = database.best(engine_query, CANDIDATES) if whole else Best([])
    found = _of_very_many(bot, whole, within, best.ids) if best.cut else best.ids
    found += [pk for letters in parts for pk in database.parts(letters, within, CANDIDATES)]
    held = set(found)  # as the engine counts it: what stands beside one may begin like a word that was looked for
    heard, others = _candidates(found[:HEARD], within, REACH), found[HEARD:]
    more = len(others) if parts or settings.EMBEDDER else HEARD if best.cut else 0
    weighed = list({one.id: one for one in (*heard, *_candidates(others[:more], within))}.values())
    sought = _counted(sought, weighed)

    def ranking(some: Sequence[Candidate]) -> list[Ranked]:
        return _meant(rank(some, held, sought, _facts(bot), TimeAsked.of(query.text), today), query)

    ranked = ranking(weighed)
    known = {one.candidate.id for one in ranked}
    later = [pk for pk in others[more:] if pk not in known]
    return _Asked(sought, ranked, later, best.cut, ranking, None if parts or not whole else engine_query)


def _of_very_many(bot: Bot, words: Sequence[Sought], within: Bounds, newest: Sequence[int]) -> list[int]:
    """What is looked at of words that stand in very many facts: of each one in turn what the bot keeps before its eyes, its logs
    from the last day back, and the newest rows, which are whatever was read last."""
    kept = [pk for _count, pk in sorted(_holding(bot, words, within, KEPT, "f.id DESC"))[:HEARD]]
    told = [pk for _count, pk in sorted(_holding(bot, words, within, (Kind.DAILY,), LAST_LOGS), key=itemgetter(0))]
    each = chain.from_iterable(zip_longest(kept, told, newest))
    return [pk for pk in dict.fromkeys(each) if pk is not None]


def _holding(
    bot: Bot, words: Sequence[Sought], within: Bounds, kinds: Sequence[Kind], order: str
) -> list[tuple[int, int]]:
    """(how many of the words it holds, negative, id) of facts of documents of these kinds: so few that each can be read."""
    sql = f"""
        SELECT f.id, f.words FROM memory_document AS d CROSS JOIN memory_fact AS f
        WHERE d.bot_id = %s AND d.kind IN ({placeholders(kinds)}) AND f.bot_id = d.bot_id AND f.document_id = d.id AND {within.sql}
        ORDER BY {order} LIMIT {OFTEN}
    """  # noqa: S608
    exact = {one.word for one in words if not one.is_start}
    starts = [f" {one.word}" for one in words if one.is_start]

    def met(said: str) -> int:
        return len(exact.intersection(said.split(" "))) + any(start in f" {said}" for start in starts)

    return [(-count, pk) for pk, said in rows(sql, [bot.pk, *map(str, kinds), *within.values]) if (count := met(said))]


def _with_alike(
    bot: Bot, query: Query, ranked: Sequence[Ranked], within: Bounds, *, typing: bool
) -> tuple[list[Ranked], tuple[str, ...]]:
    """What means something alike among what was found by words, and what has to be said about it."""
    # here, for who sets up no embedder need not wait for what it is made of
    from memory.search.semantic import add_similar

    question = " ".join(term.typed for term in query.terms)
    found, notes = add_similar(bot, question, ranked, within, _candidates, typing=typing)
    return _meant(found, query), notes


def _counted(sought: Sequence[Sought], found: Sequence[Candidate]) -> list[Sought]:
    """With how many facts hold letters inside of words, which nobody has counted before."""
    return [
        replace(one, facts=sum(any(map(one.is_met_by, each.words.split(" "))) for each in found))
        if one.is_part
        else one
        for one in sought
    ]


def _meant(ranked: list[Ranked], query: Query) -> list[Ranked]:
    """Those that hold every phrase, and nothing of what was ruled out."""
    if not (query.phrases or query.without):
        return ranked
    return [one for one in ranked if _is_meant(f" {one.candidate.words} ", query)]


def _is_meant(said: str, query: Query) -> bool:
    has = [f" {' '.join(phrase)} " in said for phrase in query.phrases]
    return all(has) and not any(f" {' '.join(phrase)} " in said for phrase in query.without)


def _candidates(wanted: Collection[int], within: Bounds, reach: int = 0) -> list[Candidate]:
    """These facts, with so many on either side of each in its log. Beside what stands in another document nobody is heard
    (memory.search.rank)."""
    if not wanted:
        return []
    table, value = id_table(wanted)
    away = f"CASE d.kind WHEN '{Kind.DAILY}' THEN {reach} ELSE 0 END"
    sql = f"""
        SELECT {_FIELDS} FROM {table} CROSS JOIN memory_fact AS hit CROSS JOIN memory_document AS d CROSS JOIN memory_fact AS f
        WHERE hit.id = wanted.value AND d.id = hit.document_id AND f.document_id = d.id
            AND f.ordinal BETWEEN hit.ordinal - {away} AND hit.ordinal + {away} AND {within.sql}
    """  # noqa: S608
    found = {row[0]: row for row in rows(sql, [value, *within.values])}
    return list(map(Candidate._make, found.values()))


def _hits(ranked: Sequence[Ranked], sought: Sequence[Sought]) -> tuple[Hit, ...]:
    if not ranked:
        return ()
    table, value = id_table([one.candidate.id for one in ranked])
    sql = f"""
        SELECT {_SHOWN} FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
        WHERE f.id = wanted.value AND d.id = f.document_id
    """  # noqa: S608
    there = {row[0]: row for row in rows(sql, [value])}
    others = {form.word for each in sought for form in each.forms}
    meant = cache(lambda word: word in others or any(each.is_it(word) for each in sought))
    return tuple(
        Hit._make((*row, one.score, one.why, tuple(spans(row[_TEXT], meant, MARKED))))
        for one in ranked
        if (row := there.get(one.candidate.id))
    )


def _facts(bot: Bot) -> int:
    """How many facts there are, of all bots: the engines' counts of words are over all of them as well."""
    key = bot.pk, bot.created, bot.indexed
    if key not in _counts:
        ((count,),) = rows("SELECT SUM(facts_count) FROM memory_document", [])
        _counts.clear()
        _counts[key] = int(count or 0)
    return _counts[key]


_counts: dict[tuple[int, datetime, int], int] = {}
