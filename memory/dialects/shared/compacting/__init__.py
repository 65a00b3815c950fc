"""Compaction as every family of bots with daily logs and a MEMORY.md has it; a `House` says what lies where."""

from __future__ import annotations

from memory.dialects.shared.compacting.gate import verify
from memory.dialects.shared.compacting.layout import House
from memory.dialects.shared.compacting.logs import entries, old_logs
from memory.dialects.shared.compacting.plan import compact, extended

__all__ = ["House", "compact", "entries", "extended", "old_logs", "verify"]
