"""Compaction as every family of bots with daily logs and a MEMORY.md has it; a `House` says what lies where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.dialects.shared.compaction import gate, logs, rule
from memory.dialects.shared.compaction.layout import CompactionSettings, House
from memory.domain.changes import Put
from memory.domain.memory import Memory
from memory.domain.plan import NOTHING_CHOSEN, Choice, Plan
from memory.text.markdown.entries import FactAt

__all__ = ["House", "LogsIntoMemory"]


@dataclass(frozen=True, slots=True)
class LogsIntoMemory(House):
    """Facts of old daily logs go into long-term memory, or whole logs into the archive beside them."""

    def compact(
        self,
        memory: Memory,
        today: str,
        scopes: Iterable[str],
        settings: CompactionSettings,
        choice: Choice = NOTHING_CHOSEN,
    ) -> Plan:
        return rule.compact(self, memory, today, scopes, settings, choice)

    def old_logs(
        self, paths: Iterable[str], today: str, scopes: Iterable[str], settings: CompactionSettings
    ) -> tuple[str, ...]:
        return logs.old_logs(self, paths, today, scopes, settings)

    def entries(self, path: str, data: bytes) -> list[FactAt]:
        return logs.entries(self, data)

    def extended(self, path: str, data: bytes | None, facts: Iterable[str]) -> Put:
        return rule.extended(self, path, data, facts)

    def verify(self, decided: Plan, memory: Memory, results: Mapping[str, bytes | None]) -> str:
        return gate.verify(self, decided, memory, results)
