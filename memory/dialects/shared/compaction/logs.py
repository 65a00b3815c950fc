"""Which logs are old enough to be compacted, and what of a log may leave it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta

from memory.dialects.shared.compaction.layout import CompactionSettings, House
from memory.domain.places import Kind
from memory.text.markdown.blocks import Block, decode
from memory.text.markdown.entries import FactAt, log_facts
from memory.text.markdown.fences import open_fence
from memory.text.sentences import say
from memory.text.storable import text_problem

NO_TEXT = say("It isn’t valid UTF-8 and stays unchanged.")

# How a fact in a log begins that is an entry: a heading, a list item, a time in brackets. Anything else is prose.
ENTRY = re.compile(r" {0,3}(?:#{1,6}(?:\s|$)|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|\[)")


def first_kept_day(today: str, days: int) -> str:
    """The oldest day whose log is kept: logs are old when their name's date comes before it as text."""
    try:
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    except OverflowError:
        return ""
    except ValueError:
        raise ValueError(say("%(today)s is not a valid day. Write it as 2026-01-31.", today=today)) from None


def old_logs(
    house: House, paths: Iterable[str], today: str, scopes: Iterable[str], settings: CompactionSettings
) -> tuple[str, ...]:
    """The logs of these scopes that are older than the retention on the day `today`, oldest first in each. Raises ValueError if
    `today` is no date."""
    found = by_scope(house, paths, first_kept_day(today, settings.memory_retention_days))
    return tuple(path for scope in dict.fromkeys(scopes) for _day, path in found[scope])


def entries(house: House, data: bytes) -> list[FactAt]:
    """The facts of a log that leave it. Raises ValueError for one that is left as it is."""
    if undecodable(data):
        raise ValueError(NO_TEXT)
    text = decode(data)
    facts = log_facts(text)
    fence = unclosed(house, text, facts)
    return [fact for fact in facts if leaves(text, fact, fence)]


def leaves(text: str, fact: FactAt, fence: Block | None) -> bool:
    """Whether a fact of a log leaves it; `fence` is the log's `unclosed` one."""
    return ENTRY.match(text, fact.start) is not None and (fence is None or fact.end <= fence.start)


def unclosed(house: House, text: str, facts: Iterable[FactAt]) -> Block | None:
    """The code fence of a log that is never closed and has facts behind it. They are read, because one such fence would hide
    the rest of a log; but they may be code, and unless the bot splits code too, nobody moves them without being asked."""
    fence = None if house.splits else open_fence(text)
    return fence if fence and any(fact.start > fence.start for fact in facts) else None


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
    """Whether a log is no UTF-8, or no text at all, so that it is left as it is."""
    if text_problem(data):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False
