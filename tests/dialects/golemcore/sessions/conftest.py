"""Sessions that the bot's own code wrote, in both forms, and records with what nobody knows in them."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
CHATS = ("telegram_5550199", "telegram_48213377", "web_7d0c1c52-58f0-4f3e-9a0e-2f1b6a4d9c10")


def file(chat: str, ending: str) -> tuple[str, bytes]:
    """(path, bytes) of a session; a colon stands in its name only where the bot has it."""
    return f"sessions/{chat.replace('_', ':')}{ending}", (DATA / f"{chat}{ending}").read_bytes()


@pytest.fixture(params=CHATS)
def chat(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=(".pb", ".json"))
def ending(request: pytest.FixtureRequest) -> str:
    return str(request.param)
