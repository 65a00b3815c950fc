"""Words replaced in all documents of a bot at once: counted and shown first, then one change that one undo takes back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace as replaced
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation.documents import json_problem, why_read_only
from memory.curation.writing import Written, check_unmasked, write
from memory.domain.changes import Put, digest, split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import Refusal, Unreadable
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.sentences import say, say_number

MOST = 500  # documents that are written at once
MOVED = say("The files have changed. Nothing was replaced; check the updated preview.")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is looked for, word for word, and what is to stand there. `within` are letters of the names of the documents meant, ""
    for all."""

    find: str
    instead: str
    ignores_case: bool = False
    within: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.find), re.IGNORECASE if self.ignores_case else 0)


@dataclass(frozen=True, slots=True)
class DocumentMatches:
    """A document in which it is found so many times, before and after. `refused` says why it stays as it is, "" if it changes."""

    path: str
    count: int
    before: bytes
    after: bytes
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """What would be replaced, and what would not."""

    wanted: Replacement
    places: Sequence[DocumentMatches]
    refused: Sequence[DocumentMatches]

    @property
    def count(self) -> int:
        return sum(place.count for place in self.places)

    @property
    def print(self) -> str:
        """Another one for any other outcome."""
        told = [f"{place.path}\0{digest(place.before)}\0{digest(place.after)}\n" for place in self.places]
        return digest("".join(told).encode("utf-8", "surrogateescape"))


def plan(bot: Bot, wanted: Replacement) -> ReplacementPlan:
    """Look for it in every document that people may edit, as the files are now. Raises Refusal, VaultError."""
    if not wanted.find.strip() or "\n" in wanted.find + wanted.instead:
        raise Refusal(say("Enter what to find, on one line. Nothing was changed."))
    check_unmasked(wanted.instead)
    found = list(_places(bot, wanted))
    places = [place for place in found if not place.refused]
    if len(places) > MOST:
        raise Refusal(
            say_number(
                "This is in %(count)s file, more than can be changed at once. Name fewer files.",
                "This is in %(count)s files, more than can be changed at once. Name fewer files.",
                count=len(places),
            )
        )
    return ReplacementPlan(wanted, places, [place for place in found if place.refused])


def replace(bot: Bot, wanted: Replacement, print_of: str, by: journal.By) -> Written[ReplacementPlan] | Refused:
    """Replace what a plan with this print shows, in all of its documents or in none."""
    return write(bot, partial(_plan, bot, wanted, print_of), by)


def _plan(bot: Bot, wanted: Replacement, print_of: str) -> journal.CommitPlan[ReplacementPlan]:
    planned = plan(bot, wanted)
    if planned.print != print_of:
        raise Refusal(MOVED)
    changes = [Put(place.path, place.after, digest(place.before)) for place in planned.places]
    why = say_number(
        "Replaced “%(find)s” with “%(instead)s” %(count)s time",
        "Replaced “%(find)s” with “%(instead)s” %(count)s times",
        find=wanted.find,
        instead=wanted.instead,
        count=planned.count,
    )
    return journal.CommitPlan(changes, planned, [place.before for place in planned.places], why=why)


def _places(bot: Bot, wanted: Replacement) -> Iterator[DocumentMatches]:
    dialect, vaults, memory = open_bot(bot).dialect, open_bot(bot).vaults, index.BotMemory(bot)
    letters = wanted.within.casefold()
    for path in sorted(memory.paths()):
        place, vault = dialect.describe(path), vaults.get(split_path(path)[0])
        if place is None or not place.editable or not place.is_text or vault is None:
            continue
        if letters not in path.casefold():
            continue
        try:
            data = memory.read(path)
        except Unreadable:
            continue
        found = data and (_in_rows if vault.transactional else _in_text)(dialect, path, data, wanted)
        if found:
            yield found


def _in_text(dialect: Dialect, path: str, data: bytes, wanted: Replacement) -> DocumentMatches | None:
    """A document in which it is found wherever it stands."""
    count, after = _replaced(data, wanted.pattern, wanted.instead) or (0, data)
    place = dialect.describe(path)
    if after == data or place is None:
        return None
    why = why_read_only(data, place) or json_problem(path, after) or dialect.refused(path, data, after)
    return DocumentMatches(path, count, data, after, why)


def _in_rows(dialect: Dialect, path: str, data: bytes, wanted: Replacement) -> DocumentMatches | None:
    """What a database shows as a document, a row a line: those that say it are reworded, each by itself, for there are thousands.
    Their other columns are no words of anybody."""
    count, why, rows, sought = 0, "", data.split(b"\n"), wanted.pattern
    for fact in dialect.facts(path, data):
        text, times = sought.subn(lambda _found: wanted.instead, fact.text)
        if text == fact.text:
            continue
        count += times
        row = rows[fact.line - 1]
        alone = replaced(fact, line=1, end_line=1, start=0, end=len(row.decode("utf-8", "surrogateescape")))
        try:
            rows[fact.line - 1] = dialect.edit(path, row, alone, text).data
        except ValueError as error:
            why = str(error)
    after = b"\n".join(rows)
    return DocumentMatches(path, count, data, after, why or dialect.refused(path, data, after)) if count else None


def _replaced(data: bytes, sought: re.Pattern[str], instead: str) -> tuple[int, bytes] | None:
    """(how many times, the bytes after) in a document; None where it is not found. All other bytes stay, also those of no text."""
    text, count = sought.subn(lambda _found: instead, data.decode("utf-8", "surrogateescape"))
    return (count, text.encode("utf-8", "surrogateescape")) if count else None
