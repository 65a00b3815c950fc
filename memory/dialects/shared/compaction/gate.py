"""The gate: the result of a compaction read again. A log may lose only what long-term memory now says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from memory.dialects.shared.compaction.layout import House
from memory.dialects.shared.compaction.logs import ENTRY
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.plan import Decision, Fate, Plan
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import is_spent, line_counts, log_facts, memory_facts, remainder
from memory.text.markdown.normal import normalise
from memory.text.sentences import say


class _Shut(Exception):
    """The gate stays shut; the message says what is missing."""


def verify(house: House, plan: Plan, memory: Memory, results: Mapping[str, bytes | None]) -> str:
    """ "" if every fact the plan takes from a log stands in `results` (path -> bytes to be written, None: removed) and
    nothing else is lost, else what is missing, for people. `memory` is as before the write."""
    accounted: defaultdict[str, list[Decision]] = defaultdict(list)
    for decision in plan.decisions:
        if decision.is_fact and decision.fate in (Fate.MOVE, Fate.DUPLICATE):
            accounted[decision.path].append(decision)
    try:
        _check_targets(house, accounted, memory, results)
        for path in plan.sources:
            if path in plan.archived:
                _check_archived(house, path, plan.archived[path], memory, results)
            elif path in results:
                _check_log(house, path, accounted[path], memory.read(path) or b"", results[path])
    except _Shut as shut:
        return str(shut)
    except Unreadable as trouble:
        return str(trouble)
    return ""


def _check_targets(
    house: House, accounted: Mapping[str, list[Decision]], memory: Memory, results: Mapping[str, bytes | None]
) -> None:
    by_target: defaultdict[str, list[Decision]] = defaultdict(list)
    for path, decisions in accounted.items():
        place = house.describe(path)
        by_target[house.long_term(place.scope if place else "")] += decisions
    for target, decisions in by_target.items():
        before = memory.read(target) or b""
        after = results.get(target, before)
        _check_target(target, decisions, decode(before), decode(after or b""))


def _check_target(target: str, decisions: list[Decision], before: str, after: str) -> None:
    """Long-term memory keeps what it had, gains what was promised, and says every named repeat."""
    if line_counts(before) - line_counts(after):
        raise _Shut(say("%(target)s would lose a line.", target=target))
    had = Counter(normalise(fact.text) for fact in memory_facts(before))
    there = memory_facts(after)
    has = Counter(normalise(fact.text) for fact in there)
    if had - has:
        raise _Shut(say("%(target)s would lose a fact.", target=target))
    promised = Counter(normalise(decision.said) for decision in decisions if decision.fate is Fate.MOVE)
    gained = has - had
    lower, keys = "", {fact.key for fact in there}
    for decision in decisions:
        said = normalise(decision.said)
        if decision.fate is Fate.MOVE and gained[said] < promised[said]:
            raise _Shut(say("%(named)s would be missing from %(target)s.", named=_named(decision), target=target))
        if decision.fate is Fate.DUPLICATE and decision.key not in keys:
            lower = lower or after.lower()
            if decision.text.strip().lower() not in lower:
                raise _Shut(
                    say(
                        "%(named)s counts as a duplicate, but %(target)s doesn’t contain it.",
                        named=_named(decision),
                        target=decision.target,
                    )
                )


def _check_log(house: House, path: str, gone: Iterable[Decision], before_data: bytes, after_data: bytes | None) -> None:
    """A log loses only facts that are accounted for; every other line of it is still there."""
    before, after = decode(before_data), decode(after_data or b"")
    left = Counter((decision.key, decision.time) for decision in gone)
    leaving = []
    for fact in log_facts(before):
        if left[fact.key, fact.time] and ENTRY.match(before, fact.start):
            left[fact.key, fact.time] -= 1
            leaving.append(fact)
    rest = remainder(before, leaving)
    place = house.describe(path)
    if after_data is None and not is_spent(rest, place.day if place else ""):
        raise _Shut(say("%(path)s would be removed although facts in it stay.", path=path))
    if after_data is not None and line_counts(rest) - line_counts(after):
        raise _Shut(say("%(path)s would lose a line that should stay.", path=path))
    if after_data is not None and Counter(f.key for f in log_facts(rest)) - Counter(f.key for f in log_facts(after)):
        raise _Shut(say("%(path)s would lose a fact that should stay.", path=path))


def _check_archived(house: House, path: str, where: str, memory: Memory, results: Mapping[str, bytes | None]) -> None:
    """An archived log lies there to the byte, but for what was added at its end meanwhile and stays in it."""
    place = house.describe(where)
    if place is None or place.kind is not Kind.ARCHIVE:
        raise _Shut(say("%(path)s would be archived where it can’t be found.", path=path))
    there = results[where] if where in results else memory.read(where)
    if there is None or there + (results.get(path) or b"") != memory.read(path):
        raise _Shut(say("The archived copy of %(path)s would differ from the log.", path=path))


def _named(decision: Decision) -> str:
    first = decision.text.strip().split("\n", 1)[0]
    return say("“%(text)s” (%(path)s, line %(line)s)", text=first[:60], path=decision.path, line=decision.line)
