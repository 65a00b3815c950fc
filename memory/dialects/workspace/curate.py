"""One fact of a workspace's documents added, reworded or forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from memory.dialects.workspace import history, layout
from memory.dialects.workspace.facts import facts_of, is_lines
from memory.domain.changes import Append, Change, Delete, Put, base_of, digest
from memory.domain.places import Kind, Place
from memory.text.markdown.blocks import ITEM, decode, encode
from memory.text.markdown.entries import FactAt, bullet, escape, is_spent, log_facts
from memory.text.markdown.rewrite import ELSE, append_bullets, remove_facts, replace_fact, tidy
from memory.text.sentences import say

NOT_TODAY = say("Facts can only be added to today’s log, so that dates stay true.")
HISTORY = say("The history is the bot’s own record. Nothing can be added.")
ELSEWHERE = {
    Kind.TRANSCRIPT: say("Transcripts are the bot’s own record. They can be read, not edited."),
    Kind.CACHE: say("This is another tool’s index. It is listed but not opened."),
    Kind.TEXT: say("This text isn’t split into facts. Open the file to edit it."),
    Kind.OTHER: say("This file isn’t a note. It is listed but not opened."),
}
UNKNOWN = say("This bot has no file with that name.")

# Entries of one line each, or some with more below, which end in an empty line; and the file that OpenClaw makes of a session.
_HEAD = rb"## [0-2][0-9]:[0-5][0-9] \xe2\x80\x94 \S[^\n]*\n"
_ENTRIES = re.compile(rb"\n{0,2}(?:(?:%(head)s\n?)+|%(head)s(?s:.*)\n\n)" % {b"head": _HEAD})
_DATED = re.compile(rb"# [0-9]{4}-[0-9]{2}-[0-9]{2}\n\n")
_SESSION = re.compile(rb"# Session: [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{5,8} UTC\n\n- \*\*Session Key\*\*: (?s:.*)")


def are_own(before: bytes, added: bytes) -> bool:
    """Whether this, behind what stood there before, has a form in which bots write the notes of a day."""
    if before:
        return _ENTRIES.fullmatch(added) is not None
    begun = _DATED.match(added)
    return bool(_SESSION.fullmatch(added) or _ENTRIES.fullmatch(added, begun.end() if begun else 0))


def add(path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
    """More facts: entries of the day's notes in the form that they have, or list items of any other note."""
    place = _place(path)
    if place.kind is Kind.HISTORY:
        raise ValueError(HISTORY)
    if place.kind is not Kind.DAILY:
        return _bullets(path, place, data, texts)
    if place.day != now.date().isoformat():
        raise ValueError(NOT_TODAY)
    if _is_list(decode(data or b"")):
        return _bullets(path, place, data, list(_timed_if_others_are(data or b"", texts, now)))
    return _entries(path, data, [tidy(text) for text in texts], place.day, now)


def edit(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The document with this fact reworded."""
    place = _place(path)
    if place.kind is Kind.HISTORY and is_lines(path):
        return _reworded(path, data, fact, tidy(text))
    after = replace_fact(decode(data), fact, text, lambda whole: facts_of(path, place, encode(whole)))
    return Put(path, encode(after), digest(data))


def forget(path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
    """The document without these facts. Notes of a day with nothing left but their date go."""
    place, text = _place(path), decode(data)
    if place.kind is Kind.HISTORY and is_lines(path):
        return _without_lines(path, data, facts)
    is_log = bool(place.day)
    after = remove_facts(text, facts, lambda whole: facts_of(path, place, encode(whole)), may_surface=is_log)
    if is_log and is_spent(after, place.day):
        return Delete(path, digest(data))
    return Put(path, encode(after), digest(data))


def refused(path: str, before: bytes, after: bytes) -> str:
    """Why a document may not become this, for people; "" if it may."""
    place = layout.describe(path)
    if place and place.kind is Kind.HISTORY and is_lines(path):
        return history.cursor_problem(before, after)
    return ""


def _place(path: str) -> Place:
    place = layout.describe(path)
    if place is None:
        raise ValueError(UNKNOWN)
    if place.kind in ELSEWHERE:
        raise ValueError(ELSEWHERE[place.kind])
    return place


def _is_list(text: str) -> bool:
    """Whether the newest fact of a day's notes is a list item."""
    facts = log_facts(text)
    return bool(facts) and ITEM.match(text, facts[-1].start) is not None


def _timed_if_others_are(data: bytes, texts: Iterable[str], now: datetime) -> Iterator[str]:
    """Each text with the time, where the one before it has one."""
    newest = decode(data)
    for text in texts:
        said = tidy(text)
        is_timed = any(fact.time for fact in log_facts(newest)[-1:])
        yield f"{now:%H:%M} {said}" if is_timed else said
        newest = newest if is_timed else bullet(said)


def _bullets(path: str, place: Place, data: bytes | None, texts: list[str]) -> Put:
    whole = decode(data or b"")
    if place.kind is not Kind.DAILY:
        after = append_bullets(whole, texts, lambda one: facts_of(path, place, encode(one)))
    else:
        after = append_bullets(whole, texts, _as_typed)
    return Put(path, encode(after), base_of(data))


def _as_typed(text: str) -> list[FactAt]:
    """The facts of a day's notes, each as its whole line says it: with the time that stands before it."""
    return [fact if not fact.time else _timed(text, fact) for fact in log_facts(text)]


def _timed(text: str, fact: FactAt) -> FactAt:
    first = text[fact.start : fact.end].lstrip().split("\n", 1)[0].rstrip()
    mark = ITEM.match(first)
    rest = fact.text.split("\n", 1)[1:]
    return replace(fact, text="\n".join([first[mark.end() :] if mark else first, *rest]))


def _entries(path: str, data: bytes | None, texts: list[str], day: str, now: datetime) -> Append:
    """Headed entries behind what stands there. New notes begin with their day, as most have it."""
    before = data or b""
    entries = "\n".join(f"## {now:%H:%M} — {escape(text)}\n" for text in texts).encode()
    added = (_gap(before) if before else f"# {day}\n\n".encode()) + entries
    if [fact.text for fact in log_facts(decode(before + added))[-len(texts) :]] != texts:
        raise ValueError(ELSE)
    return Append(path, added)


def _gap(before: bytes) -> bytes:
    """What parts a new entry from the text above it."""
    if before.endswith(b"\n\n"):
        return b""
    return b"\n" if before.endswith(b"\n") else b"\n\n"


def _reworded(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    whole = decode(data)
    entry = next((one for one in history.entries(whole) if one.start == fact.start), None)
    if entry is None:
        raise ValueError(ELSE)
    after = whole[: entry.start] + history.reworded(whole[entry.start : entry.end], entry, text) + whole[entry.end :]
    return _checked(path, data, encode(after))


def _without_lines(path: str, data: bytes, facts: Iterable[FactAt]) -> Put:
    """A history.jsonl without the lines of these entries."""
    going = {fact.line for fact in facts}
    lines = decode(data).split("\n")
    after = "\n".join(line for number, line in enumerate(lines, start=1) if number not in going)
    return _checked(path, data, encode(after))


def _checked(path: str, before: bytes, after: bytes) -> Put:
    if problem := history.cursor_problem(before, after):
        raise ValueError(problem)
    return Put(path, after, digest(before))
