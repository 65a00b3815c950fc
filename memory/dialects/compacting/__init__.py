"""Compaction as every family of bots with daily logs and a MEMORY.md has it; a `House` says what lies where."""

from __future__ import annotations

from memory.dialects.compacting.gate import verify
from memory.dialects.compacting.house import House
from memory.dialects.compacting.logs import entries, old_logs
from memory.dialects.compacting.plan import compact, extended

__all__ = ["House", "compact", "entries", "extended", "old_logs", "verify"]
