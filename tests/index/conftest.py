"""A nanobot with a database, indexed."""

from __future__ import annotations

import pytest

from memory import index, registry


@pytest.fixture
def bot(there):
    """The bot of the workspace that a file's own fixture `there` makes first."""
    found = registry.add(there[0])
    index.refresh(found, patience=5)
    return found
