"""Entries that a machine wrote again and again: the same but for their numbers and ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

LEAST = 3  # so many in a row are a run; two may be chance
DASHES = 4  # of a UUID

# A UUID, or a word that holds a digit with whatever figures hang on it: 14:05, 1.234, 2026-11-03, req_9f2.
_WITH_DIGIT = r"[^\W\d]*+\d\w*+"
_VARIABLE = re.compile(
    rf"\b(?:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\b|{_WITH_DIGIT}(?:[.,:/-]{_WITH_DIGIT})*+)"
)
_DIGIT = re.compile(r"\d")


class Standing(NamedTuple):
    """Where an entry stands among those of its log. `since` is its time or, if it has none, that of the entry before it, ""
    at the beginning. `run` is 1, for the first of a run how many it has, for the others of it 0; `until` is when a run ends."""

    since: str
    run: int = 1
    until: str = ""


def standings(entries: Iterable[tuple[str, str]]) -> list[Standing]:
    """How the entries of one log stand, each (time "HH:MM" or "", text), in order."""
    found: list[Standing] = []
    since = ""
    for alike, same in groupby(entries, key=lambda entry: likeness(entry[1])):
        times = [since := time or since for time, _text in same]
        if alike and len(times) >= LEAST:
            found.append(Standing(times[0], len(times), times[-1]))
            found += [Standing(time, 0) for time in times[1:]]
        else:
            found += [Standing(time) for time in times]
    return found


def standings_by_day(entries: Iterable[tuple[str, str, str]]) -> list[Standing]:
    """The same for entries of several days in one log, each (day, time, text), in order: each day begins anew, because its entries
    are shown without the others."""
    found: list[Standing] = []
    for _day, same in groupby(entries, key=itemgetter(0)):
        found += standings((time, text) for _, time, text in same)
    return found


def likeness(text: str) -> str:
    """The text in lower case, with "#" for every number and id, so that repeats are equal; "" if no word would be left."""
    alike = " ".join(text.casefold().split())
    if _DIGIT.search(alike) or alike.count("-") >= DASHES:
        alike = _VARIABLE.sub("#", alike)
    return alike if any(map(str.isalpha, alike)) else ""
