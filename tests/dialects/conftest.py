from __future__ import annotations

import pytest

from tests.dialects import owners


@pytest.fixture
def visitor(bot):
    return owners.visitor()


@pytest.fixture
def sender(bot, there, fresh_tally):
    return owners.sender_of(bot, there)
