"""A sample GolemCore: some weeks at a made-up weather station, lived by the family's own code and counted back from today."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memory.dialects.golemcore import DIALECT, config, layout, tool
from memory.dialects.golemcore.settings import WRITE
from memory.dialects.golemcore.tool import Here
from memory.dialects.shared.sample import moment, write_files
from memory.domain.changes import Append, Change, Delete
from memory.domain.memory import Documents
from memory.domain.turns import Turn

TOLD = tomllib.loads(Path(__file__).with_name("sample.toml").read_text(encoding="utf-8"))


class _Life(Documents):
    """The files of a memory that is being lived, each with the time of its last write."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, datetime]] = {}
        super().__init__(self.files)

    def take(self, changes: Iterable[Change], at: datetime) -> None:
        """Write what a turn or a call makes."""
        for change in changes:
            if isinstance(change, Delete):
                del self.files[change.path]
            else:
                before = self.read(change.path) or b"" if isinstance(change, Append) else b""
                self.files[change.path] = before + change.data, at


def write(directory: Path, now: datetime) -> Path:
    """Write the sample workspace as `directory`, once: what is there already stays as it is. Returns the directory."""
    if not directory.exists():
        write_files(directory, files(now))
    return directory


def files(now: datetime) -> dict[str, tuple[bytes, datetime]]:
    """Every file's bytes and modification time by its path. The same `now` gives the same files."""
    life, long_ago = _Life(), now - timedelta(days=40)
    settings = DIALECT.settings({"capture": WRITE})
    life.files[f"{layout.MEMORY}/MEMORY.md"] = TOLD["long_term"].lstrip("\n").encode(), long_ago
    life.files[f"{layout.PROMPTS}/RULES.md"] = TOLD["rules"].lstrip("\n").encode(), long_ago
    for name, keys in config.FILES.items():
        values = {setting: getattr(settings, setting) for setting in keys.values()}
        life.files[f"{layout.PREFERENCES}/{name}"] = config.written(name, None, values), long_ago
    for at, told in sorted(_happened(now), key=lambda one: one[0]):
        if "with" in told:
            answer = tool.run(Here(life, layout.MEMORY, at, settings), told["with"])
            life.take(answer.changes, at)
        else:
            turn = Turn(told["chat"], told["asked"], told["answered"], at)
            life.take(DIALECT.capture(turn, life, settings).changes, at)
    return life.files


def _happened(now: datetime) -> Iterable[tuple[datetime, dict[str, Any]]]:
    return (
        (moment(one["days_ago"], one["time"], now.replace(microsecond=0)), one)
        for one in (*TOLD["turns"], *TOLD["tools"])
    )
