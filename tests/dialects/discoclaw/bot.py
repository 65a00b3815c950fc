"""Seven weeks of a DiscoClaw's files, written by the bot's own code with invented talk, and what its functions of commit 9c23027
(ids, adding, forgetting, choosing, lines) make of them, run by node and put between the headings of its prompt: `data/golden.json`,
texts by their SHA-256."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

from memory.dialects.discoclaw import DIALECT
from memory.text import utf16
from tests.dialects.memories import FakeMemory

DATA = Path(__file__).parent / "data"
GOLDEN = json.loads((DATA / "golden.json").read_text())
NOW = datetime.fromtimestamp(GOLDEN["now"] / 1000, UTC)
EVERYTHING_ON = DIALECT.settings({"short_term": True, "capture": "write"})


def memory() -> FakeMemory:
    """All of its files."""
    files = {path.relative_to(DATA).as_posix(): path.read_bytes() for path in DATA.rglob("*") if path.is_file()}
    own = {name.removeprefix("memory/"): data for name, data in files.items() if name.startswith("memory/")}
    return FakeMemory({**own, **{f"@{name}": data for name, data in files.items() if name.startswith("workspace/")}})


def print_of(text: str | bytes) -> str:
    """What a text is known by in `golden.json`."""
    return hashlib.sha256(text if isinstance(text, bytes) else utf16.well_formed(text).encode()).hexdigest()
