"""A GolemCore's workspace, written by the bot's own code with invented talk (commit 4104ae1d, run on Java 17 with a seeded clock):
what its classes stored, and with that what they scored, merged, dropped and answered."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from memory.dialects.golemcore import DIALECT, config
from tests.dialects.memories import FakeMemory

DATA = Path(__file__).parent / "data" / "workspace"
ZONE = ZoneInfo("Europe/Berlin")  # of the bot's process
NOW = datetime(2026, 2, 22, 11, tzinfo=UTC).astimezone(ZONE)
SEMANTIC, PROCEDURAL = "memory/items/semantic.jsonl", "memory/items/procedural.jsonl"
TODAY = "memory/items/episodic/2026-02-22.jsonl"


def files() -> dict[str, bytes]:
    """All of its files."""
    return {path.relative_to(DATA).as_posix(): path.read_bytes() for path in sorted(DATA.rglob("*")) if path.is_file()}


def memory(**changed: bytes) -> FakeMemory:
    """The same as a memory."""
    return FakeMemory({**files(), **changed})


def settings(**values: object):
    """Its settings as its own files say them, with others."""
    found = config.configured({name: (DATA / "preferences" / name).read_bytes() for name in config.FILES})
    return DIALECT.settings({**found.values, **values})
