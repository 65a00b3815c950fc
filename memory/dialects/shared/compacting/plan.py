"""Compaction: facts of old daily logs go into MEMORY.md, each of them accounted for before a byte is written."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from memory.dialects.shared.compacting import section
from memory.dialects.shared.compacting.layout import House, Rules
from memory.dialects.shared.compacting.logs import NO_TEXT, by_scope, first_kept_day, leaves, unclosed, undecodable
from memory.domain.changes import Change, Delete, Put, digest
from memory.domain.dialect import Decision, Fate, Kind, Memory, Plan
from memory.domain.errors import RootGone, Unreadable
from memory.text.markdown.blocks import Block, decode, encode
from memory.text.markdown.entries import FactAt, Stray, is_spent, log_facts, memory_facts, remainder, strays
from memory.text.markdown.fences import open_fence
from memory.text.markdown.normal import key
from memory.text.sentences import joined, say
from memory.text.storable import ODD_NAME, is_keepable

SUBSTRING_NOTE = say("Its text occurs inside a longer line there; it is dropped because substring matching is on.")
NO_DATE_NOTE = say("The file's name is no real date; it is compared as text, as the bot does.")
STRAY_NOTE = say("No fact: it stays in the log.")
PROSE_NOTE = say("Prose stays in its log.")


class _Stop(Exception):
    """Nothing may be written; the message says why, for people. `fence`: the document that has one open."""

    def __init__(self, sentence: str, fence: str = "") -> None:
        super().__init__(sentence)
        self.fence = fence


def compact(house: House, memory: Memory, today: str, scopes: Iterable[str], settings: Rules) -> Plan:
    """What happens to the logs of these scopes ("" is the bot's own) that are older than the retention on the day `today`.

    Every fact and every other line of every old log has its decision. A log that cannot be read is left as it is and named;
    long-term memory that cannot be read stops the whole run. Raises ValueError if `today` is no date.
    """
    cutoff = first_kept_day(today, settings.memory_retention_days)
    logs = by_scope(house, memory.paths(), cutoff)
    runs: list[_Run] = []
    try:
        for scope in dict.fromkeys(scopes):
            if logs[scope]:
                runs.append(_Run(house, memory, scope, settings))
                runs[-1].decide(logs[scope])
    except _Stop as stop:
        return Plan(stopped=str(stop), fence=stop.fence)
    except Unreadable as trouble:
        return Plan(stopped=say("%(trouble)s Nothing was changed.", trouble=str(trouble)))
    return Plan(
        decisions=tuple(decision for run in runs for decision in run.decisions()),
        changes=tuple(change for run in runs for change in run.changes),
        sizes={run.target: run.sizes for run in runs},
        sources=tuple(log.path for run in runs for log in run.logs),
        unread=tuple(pair for run in runs for pair in run.unread),
    )


def extended(house: House, path: str, data: bytes | None, facts: Iterable[str]) -> Put:
    """A MEMORY.md with more facts in its section, or an archive with more entries. Raises ValueError."""
    before, new = data or b"", list(facts)
    if undecodable(before):
        raise ValueError(_no_adding(path))
    text = decode(before)
    place = house.describe(path)
    after = (section.archived if place and place.kind is Kind.ARCHIVE else section.extended)(text, new)
    wanted = Counter([fact.key for fact in memory_facts(text)] + [key(one) for one in new])
    if Counter(fact.key for fact in memory_facts(after)) != wanted:
        raise ValueError(_would_not_read(path, text))
    return Put(path, encode(after), None if data is None else digest(data))


@dataclass(frozen=True, slots=True)
class _Log:
    """One old log: a decision for each of its facts and other lines, and its text without the facts (None: nothing is left)."""

    path: str
    data: bytes
    decisions: list[Decision]
    rest: str | None

    @property
    def loses(self) -> bool:
        return any(decision.fate is not Fate.KEEP for decision in self.decisions)


class _Known:
    """What says a fact already: long-term memory as it stands, and what moves there in this run."""

    def __init__(self, path: str, text: str, substring: bool) -> None:
        self.path = path
        self.places: dict[str, str] = {}
        for fact in memory_facts(text):
            self.places.setdefault(fact.key, f"{path}:{fact.line}")
        self.lower = text.lower() if substring else ""
        self.starts = [0, *(at + 1 for at, sign in enumerate(self.lower) if sign == "\n")]

    def says(self, fact: FactAt) -> tuple[str, str]:
        """(PATH:LINE, note) of what says this fact already, or ("", "")."""
        place = self.places.get(fact.key)
        if place is not None:
            return place, ""
        said = fact.text.strip().lower()
        at = self.lower.find(said) if self.lower and said else -1
        return ("", "") if at < 0 else (f"{self.path}:{bisect_right(self.starts, at)}", SUBSTRING_NOTE)

    def learn(self, fact: FactAt, path: str) -> None:
        self.places[fact.key] = f"{path}:{fact.line}"


class _Run:
    """The compaction of one scope."""

    def __init__(self, house: House, memory: Memory, scope: str, settings: Rules) -> None:
        self.house, self.memory, self.settings = house, memory, settings
        self.target = house.long_term(scope)
        self.before = memory.read(self.target)
        self.text = _text(self.target, self.before or b"")
        self.logs: list[_Log] = []
        self.unread: list[tuple[str, str]] = []
        self.changes: list[Change] = []
        self.sizes = (len(self.before or b""),) * 2

    def decide(self, logs: list[tuple[str, str]]) -> None:
        """Decide on every fact of these logs, then work out what is to be written."""
        known = _Known(self.target, self.text, self.settings.dedupe == "substring")
        for day, path in logs:
            data = self._read(path)
            if data is not None:
                self.logs.append(self._log(day, path, data, known))
        after = self._extended()
        if after is not None:
            self.changes.append(Put(self.target, after, None if self.before is None else digest(self.before)))
            self.sizes = (len(self.before or b""), len(after))
        self.changes += [change for log in self.logs for change in self._lightened(log)]

    def _read(self, path: str) -> bytes | None:
        """A log's bytes; None for one that is gone, or left as it is."""
        if not is_keepable(path):
            self.unread.append((path, ODD_NAME))
            return None
        try:
            data = self.memory.read(path)
        except RootGone:
            raise
        except Unreadable as trouble:
            self.unread.append((path, str(trouble)))
            return None
        if data is None or not undecodable(data):
            return data
        self.unread.append((path, NO_TEXT))
        return None

    def _log(self, day: str, path: str, data: bytes, known: _Known) -> _Log:
        text = decode(data)
        all_facts = log_facts(text)
        fence = unclosed(self.house, text, all_facts)
        facts = [fact for fact in all_facts if leaves(text, fact, fence)]
        others = [fact for fact in all_facts if not leaves(text, fact, fence)]
        about = "" if _is_date(day) else NO_DATE_NOTE
        decisions = [self._decided(path, fact, about, known) for fact in facts]
        rest = remainder(text, facts)
        if is_spent(rest, day):
            return _Log(path, data, decisions, None)
        staying = [_staying(path, stray) for stray in strays(text)] + [_kept(path, fact, fence) for fact in others]
        return _Log(path, data, sorted(decisions + staying, key=_line), rest)

    def _decided(self, path: str, fact: FactAt, about: str, known: _Known) -> Decision:
        place, why = known.says(fact)
        if not place:
            known.learn(fact, path)
        fate = Fate.DUPLICATE if place else Fate.MOVE
        note = joined(why, about)
        return Decision(path, fact.line, fact.end_line, fact.text, fate, place or self.target, note=note, key=fact.key)

    def _extended(self) -> bytes | None:
        """Long-term memory with what moves; None if nothing does."""
        moving = [one for one in self.decisions() if one.fate is Fate.MOVE]
        if not moving:
            return None
        after = section.extended(self.text, [decision.text for decision in moving])
        if _may_swallow(self.text) and not self._reads_back(after, moving):
            raise _Stop(_would_not_read(self.target, self.text), self.target if open_fence(self.text) else "")
        return encode(after)

    def _reads_back(self, after: str, moving: list[Decision]) -> bool:
        wanted = Counter([fact.key for fact in memory_facts(self.text)] + [decision.key for decision in moving])
        return Counter(fact.key for fact in memory_facts(after)) == wanted

    def _lightened(self, log: _Log) -> Iterator[Change]:
        """What is written to a log: nothing, its rest, or its removal when nothing is in it, or is left."""
        if log.rest is None:
            yield Delete(log.path, digest(log.data))
        elif log.loses and not self.settings.keep_logs:
            yield Put(log.path, encode(log.rest), digest(log.data))

    def decisions(self) -> Iterator[Decision]:
        """Every fact and every other line of every log, in file order."""
        for log in self.logs:
            yield from log.decisions


def _no_adding(path: str) -> str:
    return say("%(path)s is not valid UTF-8, so nothing can be added to it. Nothing was changed.", path=path)


def _would_not_read(path: str, text: str) -> str:
    if fence := open_fence(text):
        return say(
            "Line %(line)s of %(path)s opens a code fence that is never closed, so what is added below would read as code. "
            "Nothing was changed.",
            line=fence.line,
            path=path,
        )
    return say(
        "Facts added to %(path)s would not read as facts there; perhaps a code fence in it is never "
        "closed. Nothing was changed.",
        path=path,
    )


def _may_swallow(text: str) -> bool:
    """Whether something may be open at the end of a text that would take in what is added below."""
    return any(mark in text for mark in ("```", "~~~", "<!--")) or text.startswith("---")


def _staying(path: str, stray: Stray) -> Decision:
    return Decision(path, stray.line, stray.end_line, stray.text, Fate.KEEP, "", is_fact=False, note=STRAY_NOTE)


def _kept(path: str, fact: FactAt, fence: Block | None) -> Decision:
    note = _behind(fence.line) if fence and fact.end > fence.start else PROSE_NOTE
    return Decision(path, fact.line, fact.end_line, fact.text, Fate.KEEP, "", note=note, key=fact.key)


def _behind(line: int) -> str:
    return say(
        "Line %(line)s opens a code fence that is never closed, so this may be code and stays in its log.", line=line
    )


def _line(decision: Decision) -> int:
    return decision.line


def _text(path: str, data: bytes) -> str:
    if undecodable(data):
        raise _Stop(_no_adding(path))
    return decode(data)


def _is_date(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True
