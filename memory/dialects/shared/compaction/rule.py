"""Compaction: facts of old daily logs go into MEMORY.md, or whole logs beside it; each of them accounted for before a byte is
written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory.dialects.shared.compaction import section, spared
from memory.dialects.shared.compaction.known import KnownFacts
from memory.dialects.shared.compaction.layout import MOVE, CompactionSettings, House, archived
from memory.dialects.shared.compaction.logs import (
    NO_TEXT,
    by_scope,
    first_kept_day,
    leaves,
    unclosed,
    undecodable,
)
from memory.dialects.shared.compaction.spared import as_it_is
from memory.domain.changes import Change, Delete, Put, base_of, digest
from memory.domain.errors import RootGone, Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.plan import LEFT, Choice, Decision, Fate, Plan
from memory.text.markdown.blocks import Block, decode, encode
from memory.text.markdown.entries import FactAt, Stray, bullet, is_spent, log_facts, memory_facts, remainder, strays
from memory.text.markdown.fences import open_fence
from memory.text.markdown.normal import key
from memory.text.markdown.stamps import stamped_text
from memory.text.sentences import join_sentences, say
from memory.text.storable import ODD_NAME, is_keepable
from memory.text.words.days import date_of

NO_DATE_NOTE = say("The file name isn’t a real date; it is compared as text, as the bot does.")
STRAY_NOTE = say("Not a fact; it stays in its log.")
PROSE_NOTE = say("Prose; it stays in its log.")


class _Stop(Exception):
    """Nothing may be written; the message says why, for people. `fence`: the document that has one open."""

    def __init__(self, sentence: str, fence: str = "") -> None:
        super().__init__(sentence)
        self.fence = fence


def compact(
    house: House, memory: Memory, today: str, scopes: Iterable[str], settings: CompactionSettings, choice: Choice
) -> Plan:
    """What happens to the logs of these scopes ("" is the bot's own) that are older than the retention on the day `today`.

    Every fact and every other line of every old log that is not archived whole has its decision. A log that cannot be read is left
    as it is and named; long-term memory that cannot be read stops the whole run. Raises ValueError if `today` is no date.
    """
    cutoff = first_kept_day(today, settings.memory_retention_days)
    logs = by_scope(house, memory.paths(), cutoff)
    wanted = [scope for scope in dict.fromkeys(scopes) if logs[scope]]
    runs: list[_Run] = []
    try:
        for scope in wanted:
            runs.append(_Run(house, memory, scope, settings, choice))
            runs[-1].decide(logs[scope])
    except _Stop as stop:
        return Plan(stopped=str(stop), fence=stop.fence, sources=_paths(logs[scope] for scope in wanted))
    except Unreadable as trouble:
        return Plan(
            stopped=say("%(trouble)s Nothing was changed.", trouble=str(trouble)),
            sources=_paths(logs[scope] for scope in wanted),
        )
    return Plan(
        decisions=tuple(decision for run in runs for decision in run.decisions()),
        changes=tuple(change for run in runs for change in run.changes),
        sizes={run.target: run.sizes for run in runs},
        sources=tuple(log.path for run in runs for log in run.logs),
        unread=tuple(pair for run in runs for pair in run.unread),
        archived={log.path: log.archive for run in runs for log in run.logs if log.archive},
        passes=sum(run.passes for run in runs),
        whole={run.target: run.whole for run in runs},
    )


def _paths(logs: Iterable[list[tuple[str, str]]]) -> tuple[str, ...]:
    return tuple(path for some in logs for _day, path in some)


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
    return Put(path, encode(after), base_of(data))


@dataclass(frozen=True, slots=True)
class _Log:
    """One old log: a decision for each of its facts and other lines, and its text without the facts (None: nothing is left).
    `archive`: where it goes whole."""

    path: str
    data: bytes
    decisions: list[Decision]
    rest: str | None
    archive: str = ""

    @property
    def loses(self) -> bool:
        return any(decision.fate is not Fate.KEEP for decision in self.decisions)


class _Run:
    """The compaction of one scope."""

    def __init__(self, house: House, memory: Memory, scope: str, settings: CompactionSettings, choice: Choice) -> None:
        self.house, self.memory, self.settings, self.choice = house, memory, settings, choice
        self.moves, self.passes = settings.old_logs == MOVE, 0
        self.target = house.long_term(scope)
        self.before = memory.read(self.target)
        self.text = self._long_term()
        self.limit = None if choice.past_limit else house.limit(settings)
        self.room = self.limit.roomy if self.limit else None
        self.logs: list[_Log] = []
        self.taken: set[str] = set()
        self.unread: list[tuple[str, str]] = []
        self.changes: list[Change] = []
        self.sizes = (len(self.before or b""),) * 2
        self.size = self.whole = self.sizes[0] + section.overhead(self.text)

    def _long_term(self) -> str:
        """The text of long-term memory. Where nothing is to go there, it does not matter whether anything could."""
        data = self.before or b""
        if undecodable(data):
            if self.moves or self.choice.move:
                raise _Stop(_no_adding(self.target))
            return ""
        return decode(data)

    def decide(self, logs: list[tuple[str, str]]) -> None:
        """Decide on every fact of these logs, then work out what is to be written."""
        known = KnownFacts(self.target, self.text, self.settings.dedupe, by_words=self.choice.same_words)
        for day, path in logs:
            data = self._read(path)
            if data is not None:
                make = self._left if path in self.choice.leave else self._log
                self.logs.append(make(day, path, data, known))
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

    def _facts(self, day: str, text: str) -> list[FactAt]:
        """A log's facts; where logs are archived, it is counted how much larger all of them would make long-term memory."""
        facts = log_facts(text)
        if not self.moves:
            self.whole += _length(day, facts)
        return facts

    def _log(self, day: str, path: str, data: bytes, known: KnownFacts) -> _Log:
        """What becomes of a log: its facts move, where they are to and long-term memory has room for them; else it is archived."""
        text = decode(data)
        facts = self._facts(day, text)
        if not self.moves and not any(self.choice.moves(path, fact.key, fact.time) for fact in facts):
            return self._archived(path, data, facts, [as_it_is(path, fact) for fact in facts])
        fence = unclosed(self.house, text, facts)
        decisions = [self._decided(day, path, text, fact, fence, known) for fact in facts]
        if self.moves and self._has_room(decisions):
            if spared.would_be_lost(day, decisions, self.choice):
                return self._spared(path, data, decisions)
            return _emptied(day, path, data, facts, decisions)
        known.forget(decisions)
        return self._archived(path, data, facts, decisions)

    def _archived(self, path: str, data: bytes, facts: Sequence[FactAt], decisions: list[Decision]) -> _Log:
        """A log that goes as a whole, unless one of its facts is pinned or left."""
        if kept := spared.kept_whole(path, facts, self.choice):
            return _Log(path, data, kept, decode(data))
        return self._put_away(path, data, decisions)

    def _spared(self, path: str, data: bytes, decisions: list[Decision]) -> _Log:
        """A log that goes as a whole, where what stays in it would be lost; what moves moves."""
        where = self._free(path, data)
        return _Log(path, data, spared.archived(decisions, where), None, where)

    def _has_room(self, decisions: Iterable[Decision]) -> bool:
        """Whether long-term memory takes what moves of a log, which is its own from then on. What somebody leaves in its log keeps
        its room: nothing moves in its place that they did not choose."""
        growth = _growth(decisions)
        self.whole += growth
        fits = not growth or self.room is None or self.size + growth <= self.room
        self.size += growth if fits else 0
        return fits

    def _left(self, day: str, path: str, data: bytes, known: KnownFacts) -> _Log:
        """A log that somebody chose to leave."""
        text = decode(data)
        decisions = [self._chosen(day, as_it_is(path, fact), text, fact, known) for fact in self._facts(day, text)]
        if self.moves:
            self._has_room(decisions)
        return _Log(path, data, decisions, text)

    def _chosen(self, day: str, decision: Decision, text: str, fact: FactAt, known: KnownFacts) -> Decision:
        """A fact that somebody leaves in its log; `said` as it would be if they did not."""
        said = stamped_text(text, fact, day)
        return replace(decision, note=LEFT, said="" if known.says(fact, said)[0] else said)

    def _stays(self, text: str, fact: FactAt, fence: Block | None) -> str:
        """Why a fact stays in its log, "" if it leaves."""
        if leaves(text, fact, fence):
            return ""
        return _behind(fence.line) if fence and fact.end > fence.start else PROSE_NOTE

    def _decided(
        self, day: str, path: str, text: str, fact: FactAt, fence: Block | None, known: KnownFacts
    ) -> Decision:
        decision = as_it_is(path, fact)
        if fact.key in self.choice.pinned:
            return replace(decision, note=spared.PINNED)
        if self.choice.leaves(path, fact.key, fact.time):
            return self._chosen(day, decision, text, fact, known)
        if note := self._stays(text, fact, fence):
            return replace(decision, note=note)
        about, said = "" if date_of(day) else NO_DATE_NOTE, stamped_text(text, fact, day)
        place, why = known.says(fact, said)
        if place:
            return replace(decision, fate=Fate.DUPLICATE, target=place, note=join_sentences(why, about), said=said)
        if spared.is_doubted(path, fact, self.choice):
            return replace(decision, note=spared.DOUBTED, said=said, doubted=True)
        known.learn(said, decision.place)
        return replace(decision, fate=Fate.MOVE, target=self.target, note=about, said=said)

    def _put_away(self, path: str, data: bytes, facts: list[Decision]) -> _Log:
        """A log that goes to the archive as it is; facts that somebody chose are said in long-term memory besides."""
        where = self._free(path, data)
        decisions = [
            one
            if one.fate is Fate.MOVE and self.choice.moves(path, one.key, one.time)
            else replace(one, fate=Fate.ARCHIVE, target=where, note="", said="")
            for one in facts
        ]
        return _Log(path, data, decisions, None, where)

    def _free(self, path: str, data: bytes) -> str:
        """Where a log can lie in the archive: its own name, unless another text has that already."""
        number = 1
        while (where := archived(path, number)) in self.taken or self.memory.read(where) not in (None, data):
            number += 1
        self.taken.add(where)
        return where

    def _extended(self) -> bytes | None:
        """Long-term memory with what moves; None if nothing does."""
        moving = [one for one in self.decisions() if one.fate is Fate.MOVE]
        if not moving:
            return None
        after = section.extended(self.text, [decision.said for decision in moving])
        if _may_swallow(self.text) and not self._reads_back(after, moving):
            raise _Stop(_would_not_read(self.target, self.text), self.target if open_fence(self.text) else "")
        data = encode(after)
        self.passes = self.limit.over(len(data)) if self.limit else 0
        return data

    def _reads_back(self, after: str, moving: list[Decision]) -> bool:
        wanted = Counter([fact.key for fact in memory_facts(self.text)] + [key(decision.said) for decision in moving])
        return Counter(fact.key for fact in memory_facts(after)) == wanted

    def _lightened(self, log: _Log) -> Iterator[Change]:
        """What is written to a log: nothing, its rest, its removal when nothing is in it or is left, or it lies in the archive."""
        if log.archive and self.memory.read(log.archive) is None:
            yield Put(log.archive, log.data, None)
        if log.rest is None:
            yield Delete(log.path, digest(log.data))
        elif log.loses and not self.settings.keep_logs:
            yield Put(log.path, encode(log.rest), digest(log.data))

    def decisions(self) -> Iterator[Decision]:
        """Every fact and every other line of every log, in file order."""
        for log in self.logs:
            yield from log.decisions


def _no_adding(path: str) -> str:
    return say("%(path)s isn’t valid UTF-8, so nothing can be added. Nothing was changed.", path=path)


def _would_not_read(path: str, text: str) -> str:
    if fence := open_fence(text):
        return say(
            "Line %(line)s of %(path)s opens a code fence that is never closed, so anything added below would read "
            "as code. Nothing was changed.",
            line=fence.line,
            path=path,
        )
    return say(
        "Facts added to %(path)s wouldn’t be read as facts; a code fence may be left open. Nothing was changed.",
        path=path,
    )


def _may_swallow(text: str) -> bool:
    """Whether something may be open at the end of a text that would take in what is added below."""
    return any(mark in text for mark in ("```", "~~~", "<!--")) or text.startswith("---")


def _staying(path: str, stray: Stray) -> Decision:
    return Decision(path, stray.line, stray.end_line, stray.text, Fate.KEEP, "", is_fact=False, note=STRAY_NOTE)


def _growth(decisions: Iterable[Decision]) -> int:
    """How many bytes longer those that move make long-term memory, or would if nobody had left them, about."""
    moving = (one.said for one in decisions if one.said and one.fate in (Fate.MOVE, Fate.KEEP))
    return sum(len(bullet(said).encode("utf-8", "surrogatepass")) for said in moving)


def _length(day: str, facts: Iterable[FactAt]) -> int:
    """How many bytes longer the facts of an archived log would make long-term memory, about; whatever is chosen of them."""
    return sum(len(bullet(f"{day} {fact.time} — {fact.text}").encode("utf-8", "surrogatepass")) for fact in facts)


def _emptied(day: str, path: str, data: bytes, facts: list[FactAt], decisions: list[Decision]) -> _Log:
    """A log without the facts that leave it."""
    text = decode(data)
    going = [fact for fact, one in zip(facts, decisions, strict=True) if one.fate is not Fate.KEEP]
    rest = remainder(text, going)
    if is_spent(rest, day):
        return _Log(path, data, decisions, None)
    staying = [_staying(path, stray) for stray in strays(text)]
    return _Log(path, data, sorted(decisions + staying, key=lambda one: one.line), rest)


def _behind(line: int) -> str:
    return say(
        "Line %(line)s opens a code fence that is never closed, so this may be code. It stays in its log.", line=line
    )
