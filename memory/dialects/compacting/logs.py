"""Which logs are old enough to be compacted, and what of a log may leave it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta

from memory.dialects.base import Kind
from memory.dialects.compacting.house import House, Rules
from memory.text.blocks import decode
from memory.text.entries import FactAt, log_facts

NO_TEXT = "It is not valid UTF-8. It is left as it is."

# How a fact in a log begins that is an entry: a heading, a list item, a time in brackets. Anything else is prose.
ENTRY = re.compile(r" {0,3}(?:#{1,6}(?:\s|$)|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|\[)")


def first_kept_day(today: str, days: int) -> str:
    """The oldest day whose log is kept: logs are old when their name's date comes before it as text."""
    try:
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    except OverflowError:
        return ""
    except ValueError:
        raise ValueError(f"{today} is no day; write it like 2026-01-31.") from None


def old_logs(house: House, paths: Iterable[str], today: str, scopes: Iterable[str], settings: Rules) -> tuple[str, ...]:
    """The logs of these scopes that are older than the retention on the day `today`, oldest first in each. Raises ValueError if
    `today` is no date."""
    found = by_scope(house, paths, first_kept_day(today, settings.memory_retention_days))
    return tuple(path for scope in dict.fromkeys(scopes) for _day, path in found[scope])


def entries(data: bytes) -> list[FactAt]:
    """The facts of a log that leave it. Raises ValueError for one that is left as it is."""
    if undecodable(data):
        raise ValueError(NO_TEXT)
    text = decode(data)
    return [fact for fact in log_facts(text) if ENTRY.match(text, fact.start)]


def by_scope(house: House, paths: Iterable[str], cutoff: str) -> defaultdict[str, list[tuple[str, str]]]:
    """(day, path) of every old log, oldest first, by scope."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in paths:
        place = house.describe(path)
        if place and place.kind is Kind.DAILY and place.day and place.day < cutoff:
            found[place.scope].append((place.day, path))
    for logs in found.values():
        logs.sort()
    return found


def undecodable(data: bytes) -> bool:
    """Whether a log is no UTF-8, so that it is left as it is."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False
