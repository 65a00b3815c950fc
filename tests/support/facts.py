"""What facts say wherever they stand: compaction puts their day and their clock before them."""

from __future__ import annotations

import re

_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})? — ")


def words(text: str) -> str:
    """A fact's text without the day and the clock that compaction put before it."""
    return _STAMP.sub("", text, count=1)
