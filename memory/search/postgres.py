"""PostgreSQL: a generated tsvector of the words that facts are found by, with GIN, and pg_trgm over their text.

Words come folded and stemmed already (memory.text.words.terms), so the vector takes them as they are and no dictionary is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from django.db import connection, transaction

from memory.search import candidates
from memory.search.candidates import OFTEN, Look, Measured
from memory.search.shapes import Best, Bounds, EngineQuery, PlaceKey, Sought
from memory.search.statements import ids, rows

COUNTED = 10_000  # facts with one word that are counted; a more frequent word is known to the statistics, or counts as this many
_MAKE = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "ALTER TABLE memory_fact ADD COLUMN found tsvector "
    "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(btrim(words || ' ' || about), ' '))) STORED",
    "CREATE INDEX facts_by_word ON memory_fact USING gin (found)",
    "CREATE INDEX facts_by_trigram ON memory_fact USING gin (text gin_trgm_ops)",
)
_KNOWN = """
    SELECT 1 FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'memory_fact' AND column_name = 'found'
"""
_COUNTS = """
    SELECT asked.word, counted.facts FROM UNNEST(%s::text[], %s::text[]) AS asked (word, query) CROSS JOIN LATERAL (
        SELECT COUNT(*) AS facts FROM (SELECT 1 FROM memory_fact WHERE found @@ asked.query::tsquery LIMIT %s) AS held
    ) AS counted
"""
_COUNT = "SELECT COUNT(*) FROM (SELECT 1 FROM memory_fact WHERE found @@ %s::tsquery LIMIT %s) AS counted"
_OFTEN = """
    SELECT known.word, known.share * GREATEST(c.reltuples, 0)
    FROM pg_stats AS s
    JOIN pg_class AS c ON c.oid = 'memory_fact'::regclass
    CROSS JOIN LATERAL UNNEST(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS known (word, share)
    WHERE s.schemaname = current_schema() AND s.tablename = 'memory_fact' AND s.attname = 'found' AND known.word = ANY(%s)
"""


class Postgres:
    """The engine of a server."""

    def prepare(self) -> None:
        """Make the column, which fills itself, and its indexes."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_KNOWN)
            if cursor.fetchone() is None:
                for statement in _MAKE:
                    cursor.execute(statement)

    def remove(self) -> None:
        """Drop the column, and with it its index."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("ALTER TABLE memory_fact DROP COLUMN IF EXISTS found")
            cursor.execute("DROP INDEX IF EXISTS facts_by_trigram")

    def merge(self) -> None:
        """Nothing: autovacuum does."""

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In how many facts each word stands: counted up to a bound, from there on as the table's statistics say."""
        found = dict(rows(_COUNTS, [list(words), [_one(Sought(word, word)) for word in words], COUNTED]))
        if often := [word for word, facts in found.items() if facts == COUNTED]:
            found.update({word: max(COUNTED, int(facts)) for word, facts in rows(_OFTEN, [often])})
        return {word: facts for word, facts in found.items() if facts}

    def starts(self, beginning: str) -> int:
        """In how many facts a word begins so, up to a bound."""
        return self._count(_one(Sought(beginning, beginning, is_start=True)))

    def parts(self, letters: str, bounds: Bounds, most: int) -> list[int]:
        """Facts whose text holds these letters, without regard to case."""
        sql = f"""
            SELECT f.id FROM memory_fact AS f JOIN memory_document AS d ON d.id = f.document_id
            WHERE f.text ILIKE %s AND {bounds.sql} ORDER BY f.id DESC LIMIT %s
        """  # noqa: S608
        like = "%" + letters.replace("\\", "\\\\").replace("%", "_") + "%"
        return ids(sql, [like, *bounds.values, most])

    def best(self, query: EngineQuery, most: int) -> Best:
        """The first by how rare the words are that a fact holds: PostgreSQL's own ranks know nothing of rarity."""
        return candidates.best_candidates(query.any_of, most, lambda look: self._look(look, query, most))

    def places(self, query: EngineQuery, most: int) -> list[PlaceKey]:
        """By the index, phrases by the words of the rows."""
        conditions, likes = _phrased(query)
        sql = f"""
            SELECT d.tier, d.kind, d.scope, d.day FROM memory_fact AS f JOIN memory_document AS d ON d.id = f.document_id
            WHERE f.found @@ %s::tsquery{conditions} AND {query.bounds.sql} ORDER BY f.id DESC LIMIT %s
        """  # noqa: S608
        return rows(sql, [_match(query, query.any_of, ()), *likes, *query.bounds.values, most])

    def _look(self, look: Look, query: EngineQuery, most: int) -> tuple[list[Measured], bool]:
        worth = " + ".join(["CASE WHEN f.found @@ %s::tsquery THEN %s::float8 ELSE 0 END"] * len(query.any_of))
        total = max(one.facts for one in query.any_of) + 1
        worths = [value for one in query.any_of for value in (_one(one), log(1 + total / max(one.facts, 1)))]
        conditions, likes = _phrased(query)
        order, limit = ("f.id DESC", OFTEN) if look.newest else ("1, 2, 3", most)
        sql = f"""
            SELECT -({worth}), length(f.words), f.id FROM memory_fact AS f JOIN memory_document AS d ON d.id = f.document_id
            WHERE f.found @@ %s::tsquery{conditions} AND {query.bounds.sql} ORDER BY {order} LIMIT %s
        """  # noqa: S608
        asked = _match(query, look.any_of, look.beside)
        found = rows(sql, [*worths, asked, *likes, *query.bounds.values, limit])
        return found, look.newest and len(found) == OFTEN

    def _count(self, asked: str) -> int:
        ((found,),) = rows(_COUNT, [asked, COUNTED])
        return int(found)


def _phrased(query: EngineQuery) -> tuple[str, list[str]]:
    """The conditions that hold a fact to the phrases of a question, and their values."""
    signs = [(phrase, "LIKE") for phrase in query.phrases] + [(phrase, "NOT LIKE") for phrase in query.without]
    conditions = "".join(f" AND ' ' || f.words || ' ' {sign} %s" for _phrase, sign in signs)
    return conditions, [f"% {' '.join(phrase)} %" for phrase, _sign in signs]


def _match(query: EngineQuery, any_of: Sequence[Sought], beside: Sequence[Sought]) -> str:
    """The question in PostgreSQL's language, asked for any of some words, and any of others beside them if there are; phrases are
    parted into their words, for a vector of words has no places."""
    asked = [f"({' | '.join(map(_one, some))})" for some in (any_of, beside) if some]
    asked += [_one(Sought(word, word)) for phrase in query.phrases for word in phrase]
    return " & ".join(asked)


def _one(sought: Sought) -> str:
    word = sought.word.replace("\\", "\\\\").replace("'", "''")
    return f"'{word}'" + (":*" if sought.is_start else "")
