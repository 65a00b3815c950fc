"""What a KenoBot keeps beside its memory."""

from __future__ import annotations

from pathlib import Path

from memory.bots.directories import IDENTITY_ROOT, SESSIONS_ROOT, first_existing


def beside(memory: Path) -> dict[str, Path]:
    """What a KenoBot keeps beside its memory: `sessions` next to it, or in `data` since 0.7. 0.7's identity lies inside."""
    above = memory.parent
    found = {
        SESSIONS_ROOT: first_existing([above / "sessions", above / "data" / "sessions"]),
        IDENTITY_ROOT: first_existing([above / "identity", above / "identities"]),
    }
    return {name: path for name, path in found.items() if path}
