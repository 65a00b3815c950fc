"""What compaction has to know of a bot family: what a path is, and where long-term memory lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from memory.domain.places import Place
from memory.domain.prompt import Limit

ARCHIVE = "archive"  # the directory beside logs for those that are put away whole
MOVE = "move"
SUBSTRING = "substring"


class CompactionSettings(Protocol):
    """The settings of any family that compacts."""

    @property
    def memory_retention_days(self) -> int: ...
    @property
    def dedupe(self) -> str: ...
    @property
    def keep_logs(self) -> bool: ...
    @property
    def old_logs(self) -> str: ...


@dataclass(frozen=True, slots=True)
class House:
    """`long_term` gives the path of the memory into which logs of a scope go ("" is the bot's own), `limit` how much of it the bot
    loads. `splits`: the bot itself takes each heading of the form `## 10:17 — ` for an entry, in code or not."""

    describe: Callable[[str], Place | None]
    long_term: Callable[[str], str]
    limit: Callable[[Any], Limit | None]
    splits: bool = False


def archived(path: str, number: int = 1) -> str:
    """Where a log lies once it is archived: beside where it lay, under its name, or the `number`th file of that name."""
    above, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    return f"{above}{slash}{ARCHIVE}/" + (name if number == 1 else f"{stem}-{number}{dot}{ending}")
