"""Compaction: facts of old daily logs go into MEMORY.md, each of them accounted for before a byte is written."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from memory.changes import Change, Delete, Put, digest
from memory.dialects.base import Decision, Fate, Memory, Plan
from memory.dialects.kenobot import layout, section
from memory.dialects.kenobot.settings import Settings
from memory.text.blocks import decode, encode
from memory.text.entries import FactAt, Stray, bullet, is_spent, log_facts, memory_facts, remainder, strays
from memory.vault import Unreadable


class _Stop(Exception):
    """Nothing may be written; the message says why, for people."""


def compact(memory: Memory, today: str, scopes: Iterable[str], settings: Settings) -> Plan:
    """What happens to the logs of these scopes ("" is the bot's own) that are older than the retention on the day `today`.

    Every fact and every other line of every old log has its decision. A file that cannot be read stops the whole run.
    Raises ValueError if `today` is no date.
    """
    cutoff = first_kept_day(today, settings.memory_retention_days)
    logs = _old_logs(memory.paths(), cutoff)
    runs: list[_Run] = []
    try:
        for scope in dict.fromkeys(scopes):
            if logs[scope]:
                runs.append(_Run(memory, scope, settings))
                runs[-1].decide(logs[scope])
    except _Stop as stop:
        return Plan(stopped=str(stop))
    except Unreadable as trouble:
        return Plan(stopped=f"{trouble} Nothing was changed.")
    return Plan(
        decisions=tuple(decision for run in runs for decision in run.decisions()),
        changes=tuple(change for run in runs for change in run.changes),
        sizes={run.target: run.sizes for run in runs},
        sources=tuple(log.path for run in runs for log in run.logs),
        unread=tuple(pair for run in runs for pair in run.unread),
    )


def first_kept_day(today: str, days: int) -> str:
    """The oldest day whose log is kept: logs are old when their name's date comes before it as text."""
    try:
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    except OverflowError:
        return ""


def _old_logs(paths: Iterable[str], cutoff: str) -> defaultdict[str, list[tuple[str, str]]]:
    """(day, path) of every old log, oldest first, by scope."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in paths:
        place = layout.describe(path)
        if place and place.day and place.day < cutoff:
            found[place.scope].append((place.day, path))
    for logs in found.values():
        logs.sort()
    return found


@dataclass
class _Verdict:
    """What happens to one fact, while it may still change."""

    fact: FactAt
    fate: Fate
    target: str
    note: str = ""


@dataclass
class _Log:
    """One old log: its bytes, its facts with their verdicts, its other lines."""

    path: str
    day: str
    data: bytes
    text: str
    verdicts: list[_Verdict]
    strays: list[Stray]

    def leaving(self) -> list[FactAt]:
        return [verdict.fact for verdict in self.verdicts if verdict.fate is not Fate.KEEP]


@dataclass
class _Known:
    """What long-term memory says already: keys with their line, and its text for the substring rule."""

    path: str
    text: str
    lines: dict[str, int]
    substring: bool
    lower: str = ""
    starts: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, path: str, text: str, substring: bool) -> _Known:
        lines: dict[str, int] = {}
        for fact in memory_facts(text):
            lines.setdefault(fact.key, fact.line)
        known = cls(path, text, lines, substring)
        if substring:
            known.lower = text.lower()
            known.starts = [0, *(at + 1 for at, sign in enumerate(known.lower) if sign == "\n")]
        return known

    def says(self, fact: FactAt) -> tuple[str, str]:
        """(PATH:LINE, note) of what says this fact already, or ("", "")."""
        line = self.lines.get(fact.key)
        if line is not None:
            return f"{self.path}:{line}", ""
        at = self.lower.find(fact.text.strip().lower()) if self.substring and fact.text.strip() else -1
        if at < 0:
            return "", ""
        return f"{self.path}:{bisect_right(self.starts, at)}", SUBSTRING_NOTE


SUBSTRING_NOTE = "Its text occurs inside a longer line there; it is dropped because substring matching is on."
ODD_NOTE = "It would not read back as the same fact as a bullet, so it stays."
NO_DATE_NOTE = "The file's name is no real date; it is compared as text, as the bot does."


class _Run:
    """The compaction of one scope."""

    def __init__(self, memory: Memory, scope: str, settings: Settings) -> None:
        self.memory, self.settings = memory, settings
        self.target = layout.long_term_path(scope)
        self.before = memory.read(self.target)
        self.text = _text(self.target, self.before or b"")
        self.logs: list[_Log] = []
        self.unread: list[tuple[str, str]] = []
        self.changes: list[Change] = []
        self.sizes = (len(self.before or b""),) * 2

    def decide(self, logs: list[tuple[str, str]]) -> None:
        """Give every fact its verdict, then work out what is to be written."""
        known = _Known.of(self.target, self.text, self.settings.dedupe == "substring")
        moved: dict[str, str] = {}
        for day, path in logs:
            log = self._log(day, path)
            if log is None:
                continue
            for verdict in log.verdicts:
                self._judge(log, verdict, known, moved)
            self.logs.append(log)
        after = self._extended()
        if after is not None:
            self.changes.append(Put(self.target, after, None if self.before is None else digest(self.before)))
            self.sizes = (len(self.before or b""), len(after))
        self.changes += [change for log in self.logs for change in self._lightened(log)]

    def _log(self, day: str, path: str) -> _Log | None:
        data = self.memory.read(path)
        if data is None:
            return None
        if _undecodable(data):
            self.unread.append((path, "It is not valid UTF-8. It is left as it is."))
            return None
        text = decode(data)
        verdicts = [_Verdict(fact, Fate.MOVE, self.target) for fact in log_facts(text)]
        return _Log(path, day, data, text, verdicts, list(strays(text)))

    def _judge(self, log: _Log, verdict: _Verdict, known: _Known, moved: dict[str, str]) -> None:
        where, note = known.says(verdict.fact)
        where = where or moved.get(verdict.fact.key, "")
        if where:
            verdict.fate, verdict.target, verdict.note = Fate.DUPLICATE, where, note
        else:
            moved[verdict.fact.key] = f"{log.path}:{verdict.fact.line}"

    def _extended(self) -> bytes | None:
        """MEMORY.md with what moves; None if nothing does. What would not read back stays in its log."""
        after = self._with_moving()
        if after is not None and not self._reads_back(after):
            self._keep_odd_ones()
            after = self._with_moving()
            if after is not None and not self._reads_back(after):
                raise _Stop(
                    f"Facts added to {self.target} would not read as facts there; perhaps a code fence in it is never closed. "
                    "Nothing was changed."
                )
        return None if after is None else encode(after)

    def _moving(self) -> list[_Verdict]:
        return [verdict for log in self.logs for verdict in log.verdicts if verdict.fate is Fate.MOVE]

    def _with_moving(self) -> str | None:
        moving = self._moving()
        return section.extended(self.text, [verdict.fact.text for verdict in moving]) if moving else None

    def _reads_back(self, after: str) -> bool:
        wanted = Counter(fact.key for fact in memory_facts(self.text))
        wanted.update(verdict.fact.key for verdict in self._moving())
        return Counter(fact.key for fact in memory_facts(after)) == wanted

    def _keep_odd_ones(self) -> None:
        """Leave the facts in their logs whose bullet is not exactly that fact, and what counted on them as repeats."""
        odd = set()
        for verdict in self._moving():
            if [fact.key for fact in memory_facts(bullet(verdict.fact.text))] != [verdict.fact.key]:
                odd.add(verdict.fact.key)
        known = {fact.key for fact in memory_facts(self.text)}
        for log in self.logs:
            for verdict in log.verdicts:
                if verdict.fact.key in odd - known:
                    verdict.fate, verdict.target, verdict.note = Fate.KEEP, "", ODD_NOTE

    def _lightened(self, log: _Log) -> Iterator[Change]:
        """What is written to a log: nothing, its rest, or its removal when nothing is left in it."""
        leaving = log.leaving()
        if not leaving:
            return
        rest = remainder(log.text, leaving)
        if is_spent(rest, log.day):
            yield Delete(log.path, digest(log.data))
        elif not self.settings.keep_logs:
            yield Put(log.path, encode(rest), digest(log.data))

    def decisions(self) -> Iterator[Decision]:
        """Every fact and every other line of every log, in file order."""
        for log in self.logs:
            note = "" if _is_date(log.day) else NO_DATE_NOTE
            found = [_of_fact(log.path, verdict, note) for verdict in log.verdicts]
            found += [_of_stray(log.path, stray) for stray in log.strays]
            yield from sorted(found, key=lambda decision: decision.line)


def _of_fact(path: str, verdict: _Verdict, note: str) -> Decision:
    fact = verdict.fact
    note = " ".join(part for part in (verdict.note, note) if part)
    return Decision(path, fact.line, fact.end_line, fact.text, verdict.fate, verdict.target, note=note, key=fact.key)


def _of_stray(path: str, stray: Stray) -> Decision:
    note = "No fact: it stays in the log."
    return Decision(path, stray.line, stray.end_line, stray.text, Fate.KEEP, "", is_fact=False, note=note)


def _text(path: str, data: bytes) -> str:
    if _undecodable(data):
        raise _Stop(f"{path} is not valid UTF-8, so nothing can be added to it. Nothing was changed.")
    return decode(data)


def _undecodable(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _is_date(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True
