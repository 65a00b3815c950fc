"""Which engine searches: the database's own."""

from __future__ import annotations

from django.db import connection

from memory.search.postgres import Postgres
from memory.search.shapes import Engine
from memory.search.sqlite import Sqlite


def engine() -> Engine:
    """The engine of the database in use."""
    return Postgres() if connection.vendor == "postgresql" else Sqlite()
