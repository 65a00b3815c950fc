"""Sessions that the bot's own code wrote, in both forms, and a bot on the desk that has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dialects.owners import owner_of

DATA = Path(__file__).parent / "data"
CHATS = ("telegram_5550199", "telegram_48213377", "web_7d0c1c52-58f0-4f3e-9a0e-2f1b6a4d9c10")
OTHER = "telegram:5550199"  # a chat of six messages, as protobuf
JONAS = "telegram:48213377"  # one of 55 behind a summary
LIN = "web:7d0c1c52-58f0-4f3e-9a0e-2f1b6a4d9c10"  # one of 54, as JSON


def file(chat: str, ending: str) -> tuple[str, bytes]:
    """(path, bytes) of a session; a colon stands in its name only where the bot has it."""
    return f"sessions/{chat.replace('_', ':')}{ending}", (DATA / f"{chat}{ending}").read_bytes()


@pytest.fixture(params=CHATS)
def chat(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=(".pb", ".json"))
def ending(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def directory(tmp_path):
    """A workspace with three sessions, one of them as an older bot wrote it."""
    found = tmp_path / "machine" / "workspace"
    (found / "sessions").mkdir(parents=True)
    for number, chat in enumerate(CHATS):
        path, data = file(chat, ".json" if number == 2 else ".pb")
        (found / path).write_bytes(data)
    (found / "memory" / "items").mkdir(parents=True)
    (found / "memory" / "MEMORY.md").write_text("- Lives in Kiel\n")
    (found / "preferences").mkdir()
    settings = {"enabled": True, "maxContextTokens": 10300, "keepLastMessages": 12}
    (found / "preferences" / "compaction.json").write_text(json.dumps(settings))
    return found


@pytest.fixture
def owner(db, directory, kenoweb_home, fresh_tally):
    return owner_of(directory, "Golem")
