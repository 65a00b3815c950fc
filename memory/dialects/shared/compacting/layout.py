"""What compaction has to know of a bot family: what a path is, and where long-term memory lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from memory.domain.dialect import Place


class Rules(Protocol):
    """The settings of any family that compacts."""

    @property
    def memory_retention_days(self) -> int: ...
    @property
    def dedupe(self) -> str: ...
    @property
    def keep_logs(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class House:
    """`long_term` gives the path of the memory into which logs of a scope go ("" is the bot's own). `splits`: the bot itself takes
    each heading of the form `## 10:17 — ` for an entry, in code or not."""

    describe: Callable[[str], Place | None]
    long_term: Callable[[str], str]
    splits: bool = False
