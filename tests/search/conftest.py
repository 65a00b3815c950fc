from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory import index, search
from tests.journal.conftest import desk as desk_fixture  # noqa: F401

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Searched:
    """A bot over real files whose index is in step, and what is found in it."""

    def __init__(self, desk):
        self.desk = desk
        self.bot = desk.bot

    def write(self, **files):
        """Documents by name, `__` for a slash; then the walk."""
        for name, text in files.items():
            self.put(name.replace("__", "/"), text)
        return self.walk()

    def put(self, path, text):
        self.desk.write(path, text.encode() if isinstance(text, str) else text)

    def walk(self):
        index.refresh(self.bot)
        self.bot.refresh_from_db()
        return self

    def find(self, query, **more):
        return search.search(self.bot, query, **{"now": NOW, **more})

    def texts(self, query, **more):
        return [hit.text for hit in self.find(query, **more).hits]


@pytest.fixture
def searched(desk_fixture):  # noqa: F811
    return Searched(desk_fixture)
