"""SQLite: FTS5 over the words that facts are found by, and over the trigrams of their text.

Both indexes belong to the table of facts and are kept by its triggers, so that no way of changing a fact can forget them. Words
come folded and stemmed already (memory.text.words); the tokenizer only parts them at spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection, transaction

from memory.search.asking import ids, listed, placeholders, rows
from memory.search.shapes import Bounds, Sought, Wish

TEXT, ABOUT = 1.0, 0.4  # weights of a fact's own words and of what it stands under

_MAKE = (
    "CREATE VIRTUAL TABLE memory_fact_words USING fts5(words, about, content='memory_fact', content_rowid='id', "
    "tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cf Cn'\")",
    "CREATE VIRTUAL TABLE memory_fact_grams USING fts5(text, content='memory_fact', content_rowid='id', "
    "tokenize='trigram', detail='none', columnsize=0)",
    "CREATE VIRTUAL TABLE memory_fact_vocabulary USING fts5vocab(memory_fact_words, 'row')",
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
_KNOWN = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger') AND name LIKE 'memory\\_fact\\_%%' ESCAPE '\\'"
)
_RANK = f"bm25({TEXT}, {ABOUT})"


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
                for statement in _FILL:
                    cursor.execute(statement)

    def remove(self) -> None:
        """Drop triggers and indexes; without the columns they read no row could be written."""
        with transaction.atomic(), connection.cursor() as cursor:
            for name in _TRIGGERS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            for name in ("memory_fact_vocabulary", "memory_fact_words", "memory_fact_grams"):
                cursor.execute(f"DROP TABLE IF EXISTS {name}")

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In how many facts each word stands."""
        sql = f"SELECT term, doc FROM memory_fact_vocabulary WHERE term IN ({placeholders(words)})"  # noqa: S608
        return dict(rows(sql, words))

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

    def best(self, wish: Wish, most: int) -> list[int]:
        """The first by bm25. Where all of a database is one bot's, its documents need not be asked for."""
        match = _match(wish)
        if not wish.bounds.narrow:
            first = self._first(match, most)
            inside = self._inside(first, wish.bounds)
            if len(inside) == most or len(first) < most:
                return inside
        return self._bounded(match, wish, most)

    def _first(self, match: str, most: int) -> list[int]:
        sql = "SELECT rowid FROM memory_fact_words WHERE memory_fact_words MATCH %s AND rank MATCH %s ORDER BY rank LIMIT %s"
        return ids(sql, [match, _RANK, most])

    def _inside(self, found: Sequence[int], bounds: Bounds) -> list[int]:
        if not found:
            return []
        table, value = listed(found)
        sql = f"""
            SELECT f.id FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
            WHERE f.id = wanted.value AND d.id = f.document_id AND {bounds.sql}
        """  # noqa: S608
        inside = set(ids(sql, [value, *bounds.values]))
        return [one for one in found if one in inside]

    def _bounded(self, match: str, wish: Wish, most: int) -> list[int]:
        sql = f"""
            SELECT f.id FROM memory_fact_words AS w JOIN memory_fact AS f ON f.id = w.rowid
            JOIN memory_document AS d ON d.id = f.document_id
            WHERE w.memory_fact_words MATCH %s AND rank MATCH %s AND {wish.bounds.sql} ORDER BY w.rank LIMIT %s
        """  # noqa: S608
        return ids(sql, [match, _RANK, *wish.bounds.values, most])


def _match(wish: Wish) -> str:
    """The question in FTS5's language."""
    asked = "(" + " OR ".join(_one(one) for one in wish.any_of) + ")"
    asked = " AND ".join([asked, *(_phrase(phrase) for phrase in wish.phrases)])
    return " NOT ".join([f"({asked})", *(_phrase(phrase) for phrase in wish.without)])


def _one(sought: Sought) -> str:
    return _phrase([sought.word]) + ("*" if sought.is_start else "")


def _phrase(words: Iterable[str]) -> str:
    return '"' + " ".join(words).replace('"', '""') + '"'
