"""How long writing takes, about: what takes longer than a moment is a job."""

from __future__ import annotations

FACTS_A_SECOND, FILES_A_SECOND, BYTES_A_SECOND, SECONDS_AT_ONCE = 5000, 200, 1_000_000, 2


def takes_long(*, files: int, facts: int = 0, fresh: int = 0) -> bool:
    """Whether so many files, and facts that are looked at for them, are expected to take longer than somebody waits for a page.
    `fresh`: bytes among them of which no facts are known yet."""
    seconds = facts / FACTS_A_SECOND + files / FILES_A_SECOND + fresh / BYTES_A_SECOND
    return seconds > SECONDS_AT_ONCE
