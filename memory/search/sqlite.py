"""SQLite: FTS5 over the words that facts are found by, and over the trigrams of their text.

Both indexes belong to the table of facts and are kept by its triggers, so that no way of changing a fact can forget them. Words
come folded and stemmed already (memory.text.words.terms); the tokenizer only parts them at spaces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby

from django.db import connection, transaction

from memory.search import candidates
from memory.search.candidates import OFTEN, Look, Measured
from memory.search.shapes import Best, Bounds, EngineQuery, PlaceKey, Sought
from memory.search.statements import id_table, ids, rows

TEXT, ABOUT = 1.0, 0.4  # weights of a fact's own words and of what it stands under

_MAKE = (
    "CREATE VIRTUAL TABLE memory_fact_words USING fts5(words, about, content='memory_fact', content_rowid='id', "
    "tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cf Cn'\")",
    "CREATE VIRTUAL TABLE memory_fact_grams USING fts5(text, content='memory_fact', content_rowid='id', "
    "tokenize='trigram', detail='none', columnsize=0)",
    "CREATE VIRTUAL TABLE memory_fact_vocabulary USING fts5vocab(memory_fact_words, 'row')",
    # What is written is merged in sixteens, not in fours: a first index writes it less often, and the worker merges the rest.
    "INSERT INTO memory_fact_words (memory_fact_words, rank) VALUES ('automerge', 16)",
    "INSERT INTO memory_fact_grams (memory_fact_grams, rank) VALUES ('automerge', 16)",
)
_WORDS_IN = "INSERT INTO memory_fact_words (rowid, words, about) VALUES (new.id, new.words, new.about);"
_WORDS_OUT = (
    "INSERT INTO memory_fact_words (memory_fact_words, rowid, words, about) "
    "VALUES ('delete', old.id, old.words, old.about);"
)
_GRAMS_IN = "INSERT INTO memory_fact_grams (rowid, text) VALUES (new.id, new.text);"
_GRAMS_OUT = "INSERT INTO memory_fact_grams (memory_fact_grams, rowid, text) VALUES ('delete', old.id, old.text);"
_TRIGGERS = {
    "memory_fact_added": f"AFTER INSERT ON memory_fact BEGIN {_WORDS_IN} {_GRAMS_IN} END",
    "memory_fact_gone": f"AFTER DELETE ON memory_fact BEGIN {_WORDS_OUT} {_GRAMS_OUT} END",
    "memory_fact_said_anew": (
        "AFTER UPDATE OF words, about ON memory_fact WHEN old.words <> new.words OR old.about <> new.about "
        f"BEGIN {_WORDS_OUT} {_WORDS_IN} END"
    ),
    "memory_fact_read_anew": (
        f"AFTER UPDATE OF text ON memory_fact WHEN old.text <> new.text BEGIN {_GRAMS_OUT} {_GRAMS_IN} END"
    ),
}
_FILL = (
    "INSERT INTO memory_fact_words (memory_fact_words) VALUES ('rebuild')",
    "INSERT INTO memory_fact_grams (memory_fact_grams) VALUES ('rebuild')",
)
ALIKE, MANY = 5, 4  # letters that so many words have to begin with for all between them to be read
PIECES = 5  # of an index: more are merged
PAGES = 500  # that one step of merging writes, about
_KNOWN = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger') AND name LIKE 'memory\\_fact\\_%%' ESCAPE '\\'"
)
# Asked for as a function: what is ordered by FTS5's own `rank` it prepares a statement of its own for, each time.
_RANK = f"bm25(w.memory_fact_words, {TEXT}, {ABOUT})"


class Sqlite:
    """The embedded engine."""

    def prepare(self) -> None:
        """Make the indexes and the triggers that keep them; a migration that makes the table anew drops its triggers."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_KNOWN)
            known = {name for (name,) in cursor.fetchall()}
            missing = [name for name in _TRIGGERS if name not in known]
            if "memory_fact_words" not in known:
                for statement in _MAKE:
                    cursor.execute(statement)
            for name in missing:
                cursor.execute(f"CREATE TRIGGER {name} {_TRIGGERS[name]}")
        if missing:
            self.rebuild()

    def rebuild(self) -> None:
        """Make both indexes anew, without what deleted facts left in them."""
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in _FILL:
                cursor.execute(statement)

    def merge(self) -> None:
        """Merge the pieces that each index was written in, where they are many: a search looks for every word in every piece. In
        steps of some pages, between which others write (https://sqlite.org/fts5.html#the_merge_command)."""
        for index in ("memory_fact_words", "memory_fact_grams"):
            ((pieces,),) = rows(f"SELECT COUNT(DISTINCT segid) FROM {index}_idx")  # noqa: S608
            pages = -PAGES if pieces > PIECES else 0
            while pages and self._merged(index, pages):
                pages = PAGES

    def _merged(self, index: str, pages: int) -> bool:
        """One step; whether there is more to merge."""
        ((before,),) = rows("SELECT total_changes()")
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', %s)", [pages])  # noqa: S608
        ((after,),) = rows("SELECT total_changes()")
        return bool(after - before >= 2)

    def remove(self) -> None:
        """Drop triggers and indexes; without the columns they read no row could be written."""
        with transaction.atomic(), connection.cursor() as cursor:
            for name in _TRIGGERS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            for name in ("memory_fact_vocabulary", "memory_fact_words", "memory_fact_grams"):
                cursor.execute(f"DROP TABLE IF EXISTS {name}")

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In how many facts each word stands. The vocabulary is in order, and what it is asked for is looked for word by word in
        every piece of the index: forms of one word, most of which nobody wrote, stand so close that all between them is read."""
        alike = [list(some) for _start, some in groupby(sorted(set(words)), lambda word: word[:ALIKE])]
        single = [(word, word) for some in alike if len(some) < MANY for word in some]
        between = [(some[0], some[-1]) for some in alike if len(some) >= MANY]
        sql = """
            SELECT term, doc FROM json_each(%s) AS wanted CROSS JOIN memory_fact_vocabulary
            WHERE term BETWEEN json_extract(value, '$[0]') AND json_extract(value, '$[1]')
        """
        found = dict(rows(sql, [json.dumps(single + between)]))
        return {word: found[word] for word in words if word in found}

    def starts(self, beginning: str) -> int:
        """In how many facts a word begins so; one with two such words counts twice."""
        sql = "SELECT SUM(doc) FROM memory_fact_vocabulary WHERE term >= %s AND term < %s"
        ((found,),) = rows(sql, [beginning, beginning + "\U0010ffff"])
        return int(found or 0)

    def parts(self, letters: str, bounds: Bounds, most: int) -> list[int]:
        """Facts whose text holds these letters, without regard to case."""
        sql = f"""
            SELECT f.id FROM memory_fact_grams AS g CROSS JOIN memory_fact AS f ON f.id = g.rowid
            CROSS JOIN memory_document AS d ON d.id = f.document_id
            WHERE g.text LIKE %s AND {bounds.sql} ORDER BY f.id DESC LIMIT %s
        """  # noqa: S608
        like = "%" + letters.replace("%", "_") + "%"  # without ESCAPE, for that is what the index can be asked with
        return ids(sql, [like, *bounds.values, most])

    def best(self, query: EngineQuery, most: int) -> Best:
        """The first by bm25."""
        return candidates.best_candidates(query.any_of, most, lambda look: self._look(look, query, most))

    def places(self, query: EngineQuery, most: int) -> list[PlaceKey]:
        """By the index alone, in the order of its rows."""
        sql = f"""
            SELECT d.tier, d.kind, d.scope, d.day
            FROM memory_fact_words AS w CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
            WHERE w.memory_fact_words MATCH %s AND f.id = w.rowid AND d.id = f.document_id AND {query.bounds.sql}
            ORDER BY w.rowid DESC LIMIT %s
        """  # noqa: S608
        return rows(sql, [_match(query, query.any_of), *query.bounds.values, most])

    def _look(self, look: Look, query: EngineQuery, most: int) -> tuple[list[Measured], bool]:
        """Facts by bm25. What counts without being looked for is asked for where it stands with what is."""
        if look.newest:
            return self._newest(_match(query, look.any_of, look.beside), query.bounds, most)
        found = self._all(_match(query, look.any_of), query.bounds, most)
        if look.others:
            found += self._all(_match(query, look.any_of, look.others), query.bounds, most)
        return found, False

    def _all(self, match: str, bounds: Bounds, most: int) -> list[Measured]:
        """The best of all. Where all of a database is one bot's, its documents need not be asked for."""
        if not bounds.narrow:
            first = self._first(match, "1", most)
            inside = self._inside(first, bounds)
            if len(inside) == most or len(first) < most:
                return inside
        return self._bounded(match, bounds, "1", most)

    def _newest(self, match: str, bounds: Bounds, most: int) -> tuple[list[Measured], bool]:
        """The best of the newest, and whether there are older ones."""
        if not bounds.narrow:
            first = self._first(match, "w.rowid DESC", OFTEN)
            best = sorted(first)[:most]
            if len(self._inside(best, bounds)) == len(best):
                return best, len(first) == OFTEN
        found = self._bounded(match, bounds, "w.rowid DESC", OFTEN)
        return sorted(found)[:most], len(found) == OFTEN

    def _first(self, match: str, order: str, most: int) -> list[Measured]:
        sql = f"""
            SELECT {_RANK}, w.rowid FROM memory_fact_words AS w
            WHERE w.memory_fact_words MATCH %s ORDER BY {order} LIMIT %s
        """  # noqa: S608
        return rows(sql, [match, most])

    def _inside(self, found: Sequence[Measured], bounds: Bounds) -> list[Measured]:
        if not found or (not bounds.narrow and _is_alone()):
            return list(found)
        table, value = id_table([int(pk) for _rank, pk in found])
        sql = f"""
            SELECT f.id FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
            WHERE f.id = wanted.value AND d.id = f.document_id AND {bounds.sql}
        """  # noqa: S608
        inside = set(ids(sql, [value, *bounds.values]))
        return [one for one in found if one[-1] in inside]

    def _bounded(self, match: str, bounds: Bounds, order: str, most: int) -> list[Measured]:
        sql = f"""
            SELECT {_RANK}, w.rowid FROM memory_fact_words AS w JOIN memory_fact AS f ON f.id = w.rowid
            JOIN memory_document AS d ON d.id = f.document_id
            WHERE w.memory_fact_words MATCH %s AND {bounds.sql} ORDER BY {order} LIMIT %s
        """  # noqa: S608
        return rows(sql, [match, *bounds.values, most])


def _is_alone() -> bool:
    """Whether there is one bot, so that every fact is its own."""
    return rows("SELECT COUNT(*) FROM memory_bot") == [(1,)]


def _match(query: EngineQuery, any_of: Sequence[Sought], beside: Sequence[Sought] = ()) -> str:
    """The question in FTS5's language, asked for any of some words, and any of others beside them if there are."""
    words = [f"({' OR '.join(map(_one, some))})" for some in (any_of, beside) if some]
    asked = " AND ".join([*words, *(_phrase(phrase) for phrase in query.phrases)])
    return " NOT ".join([f"({asked})", *(_phrase(phrase) for phrase in query.without)])


def _one(sought: Sought) -> str:
    return _phrase([sought.word]) + ("*" if sought.is_start else "")


def _phrase(words: Iterable[str]) -> str:
    return '"' + " ".join(words).replace('"', '""') + '"'
