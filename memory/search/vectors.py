"""The vectors of facts as rows: which texts have none yet, keeping them, and on PostgreSQL a column that pgvector can search."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from django.db import DatabaseError, connection, transaction

from memory.models import Bot, Vector
from memory.search.statements import rows

PLACED_AT_ONCE = 500
BYTES_OF_A_NUMBER = 4
_MISSING = """
    SELECT f.id, f.key, f.text FROM memory_fact AS f
    LEFT JOIN memory_vector AS v ON v.bot_id = f.bot_id AND v.model = %s AND v.key = f.key
    WHERE f.bot_id + 0 = %s AND f.id > %s AND v.id IS NULL ORDER BY f.id LIMIT %s
"""  # + 0: else all facts of the bot would be gathered and sorted for each batch
_STALE = """
    DELETE FROM memory_vector WHERE bot_id = %s AND (model <> %s OR NOT EXISTS (
        SELECT 1 FROM memory_fact AS f WHERE f.bot_id = memory_vector.bot_id AND f.key = memory_vector.key))
"""
_HAS_PLACE = """
    SELECT 1 FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'memory_vector' AND column_name = 'place'
"""
_OFFERED = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"
_MAKE = ("CREATE EXTENSION IF NOT EXISTS vector", "ALTER TABLE memory_vector ADD COLUMN place vector")
_UNPLACED = "SELECT id, data FROM memory_vector WHERE place IS NULL LIMIT %s"
_PLACE = "UPDATE memory_vector SET place = %s::vector WHERE id = %s"


def missing(bot: Bot, model: str, after: int, most: int) -> list[tuple[int, str, str]]:
    """(id, key, text) of facts newer than the row `after` whose texts have no vector of this model yet, oldest first."""
    return [(pk, key, text) for pk, key, text in rows(_MISSING, [model, bot.pk, after, most])]


def keep(bot: Bot, model: str, vectors: Iterable[tuple[str, bytes]]) -> None:
    """Keep (key, vector). Those of this model that have another length are dropped: it is another one under the old name."""
    fresh = [_row(bot, model, key, data) for key, data in dict(vectors).items()]
    if not fresh:
        return
    known = Vector.objects.filter(bot=bot, model=model)
    with transaction.atomic():
        if (one := known.only("dimensions").first()) and one.dimensions != fresh[0].dimensions:
            known.delete()
        Vector.objects.bulk_create(fresh, ignore_conflicts=True)
        if has_places():
            _place()


def _row(bot: Bot, model: str, key: str, data: bytes) -> Vector:
    return Vector(bot=bot, model=model, key=key, dimensions=len(data) // BYTES_OF_A_NUMBER, data=data)


def sweep(bot: Bot, model: str) -> None:
    """Drop the vectors of other models, and of texts that no fact says any more."""
    with connection.cursor() as cursor:
        cursor.execute(_STALE, [bot.pk, model])


def prepare() -> None:
    """On PostgreSQL, make the column that pgvector searches if the server has that extension and lets us; else nothing."""
    if connection.vendor != "postgresql" or has_places() or not rows(_OFFERED):
        return
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in _MAKE:
                cursor.execute(statement)
    except DatabaseError:
        return  # it is not ours to make: NumPy looks through them
    _place()


def has_places() -> bool:
    """Whether pgvector can be asked."""
    return connection.vendor == "postgresql" and bool(rows(_HAS_PLACE))


def format_vector(vector: bytes) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(str, unpack(vector)))}]"


def unpack(vector: bytes) -> Sequence[float]:
    """The numbers of a vector."""
    found = array("f")
    found.frombytes(vector)
    return found


def _place() -> None:
    """Give pgvector what it has not got yet."""
    while found := rows(_UNPLACED, [PLACED_AT_ONCE]):
        with connection.cursor() as cursor:
            cursor.executemany(_PLACE, [(format_vector(bytes(data)), pk) for pk, data in found])
