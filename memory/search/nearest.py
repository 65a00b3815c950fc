"""The facts whose vectors lie nearest to a question's: looked through one by one, which is exact and takes milliseconds.

On PostgreSQL by pgvector where it is; else by NumPy over what is held in memory for each bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from threading import Lock
from typing import Any

from memory.models import Bot
from memory.search.embedders import NoVectors
from memory.search.shapes import Bounds
from memory.search.statements import ids, rows
from memory.search.vectors import BYTES_OF_A_NUMBER, format_vector, has_places
from memory.text.sentences import say

BOTS = 4  # whose vectors are held at once: a hundred thousand of 384 numbers take some 150 MB
_NEAREST = """
    SELECT f.id FROM memory_vector AS v
    JOIN memory_fact AS f ON f.bot_id = v.bot_id AND f.key = v.key
    JOIN memory_document AS d ON d.id = f.document_id
    WHERE v.bot_id = %s AND v.model = %s AND v.dimensions = %s AND {bounds}
    ORDER BY v.place <=> %s::vector, f.id LIMIT %s
"""
_NEW = """
    SELECT id, key, data FROM memory_vector
    WHERE bot_id + 0 = %s AND model = %s AND dimensions = %s AND id > %s ORDER BY id
"""  # + 0: else all vectors of the bot would be gathered to find that none is new
_FACTS = "SELECT id, document_id, key FROM memory_fact WHERE bot_id = %s ORDER BY id"
_DOCUMENTS = """
    SELECT d.id FROM memory_document AS d
    WHERE EXISTS (SELECT 1 FROM memory_fact AS f WHERE f.document_id = d.id AND {bounds})
"""


def nearest(bot: Bot, model: str, question: bytes, within: Bounds, most: int) -> Sequence[int]:
    """The facts nearest to a question, the nearest first, none of them outside the bounds. Raises NoVectors without NumPy."""
    if has_places():
        length = len(question) // BYTES_OF_A_NUMBER
        values = [bot.pk, model, length, *within.values, format_vector(question), most]
        return ids(_NEAREST.format(bounds=within.sql), values)
    documents = ids(_DOCUMENTS.format(bounds=within.sql), within.values) if within.narrow else None
    return _vectors_of(bot, model, question).nearest(question, documents, most)


@dataclass(slots=True)
class _Vectors:
    """The vectors of one bot in memory, and which of its facts have which."""

    model: str
    length: int
    numpy: Any
    last: int = 0  # the newest vector that is held
    at: dict[str, int] = field(default_factory=dict)  # key -> its row in the matrix
    matrix: Any = None
    indexed: int = -1
    facts: Any = None
    documents: Any = None
    rows: Any = None

    def catch_up(self, bot: Bot) -> None:
        """Take in vectors that are new, and which facts there are if the index has moved on."""
        new = rows(_NEW, [bot.pk, self.model, self.length, self.last])
        if new:
            self._take_in(new)
        if new or self.indexed != bot.indexed:
            known = [(pk, document, self.at[key]) for pk, document, key in rows(_FACTS, [bot.pk]) if key in self.at]
            columns = self.numpy.array(known, dtype="int64").reshape(-1, 3).T
            self.facts, self.documents, self.rows = columns
            self.indexed = bot.indexed

    def _take_in(self, new: Sequence[tuple[int, str, bytes]]) -> None:
        numpy, before = self.numpy, len(self.at) if self.matrix is None else len(self.matrix)
        found = numpy.frombuffer(b"".join(bytes(data) for _pk, _key, data in new), dtype="<f4").reshape(-1, self.length)
        self.matrix = found if self.matrix is None else numpy.concatenate([self.matrix, found])
        self.at.update((key, before + nth) for nth, (_pk, key, _data) in enumerate(new))
        self.last = new[-1][0]

    def nearest(self, question: bytes, documents: Sequence[int] | None, most: int) -> list[int]:
        numpy = self.numpy
        if self.matrix is None or not len(self.facts):
            return []
        alike = (self.matrix @ numpy.frombuffer(question, dtype="<f4"))[self.rows]
        facts = self.facts
        if documents is not None:
            inside = numpy.isin(self.documents, numpy.array(documents, dtype="int64"))
            alike, facts = alike[inside], facts[inside]
        if len(facts) > most:
            best = numpy.argpartition(-alike, most)[:most]
            alike, facts = alike[best], facts[best]
        found: list[int] = facts[numpy.lexsort((facts, -alike))].tolist()
        return found


_all: dict[int, _Vectors] = {}
_lock = Lock()


def _vectors_of(bot: Bot, model: str, question: bytes) -> _Vectors:
    length = len(question) // BYTES_OF_A_NUMBER
    with _lock:
        vectors = _all.pop(bot.pk, None)
        if vectors is None or (vectors.model, vectors.length) != (model, length):
            vectors = _Vectors(model, length, _numpy())
        vectors.catch_up(bot)
        _all[bot.pk] = vectors  # the last one is the one asked for last
        while len(_all) > BOTS:
            _all.pop(next(iter(_all)))
        return vectors


def _numpy() -> Any:
    try:
        return import_module("numpy")
    except ImportError:
        raise NoVectors(say("The embedder needs NumPy with this database: pip install numpy.")) from None


def forget() -> None:
    """Let go of what is held in memory."""
    with _lock:
        _all.clear()
