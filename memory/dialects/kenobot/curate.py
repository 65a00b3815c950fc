"""One fact of a KenoBot's documents added, reworded or forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from memory.dialects.kenobot import layout
from memory.dialects.kenobot.facts import facts_of, items
from memory.domain.changes import Append, Change, Delete, Put, base_of, digest
from memory.domain.places import Kind, Place
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt, escape, is_spent, log_facts
from memory.text.markdown.rewrite import ELSE, ENTANGLED, append_bullets, remove_facts, replace_fact, tidy
from memory.text.sentences import say

NOT_TODAY = say("Facts can only be added to today’s log, so that dates stay true.")
ELSEWHERE = {
    Kind.WORKING: say("Working memory is one text that the bot replaces as a whole. Edit the file."),
    Kind.CONTEXT: say("“About this chat” is one text that the bot replaces as a whole. Edit the file."),
    Kind.TRANSCRIPT: say("Transcripts are the bot’s own record. Nothing can be added."),
    Kind.PATTERNS: say("Patterns pair a trigger with a response. Edit them in the file."),
}
UNKNOWN = say("This bot has no file with that name.")


def add(path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
    """More facts: entries of the day's log as the bot itself writes them, or list items of a long-term memory."""
    place = _place(path)
    if place.kind in ELSEWHERE:
        raise ValueError(ELSEWHERE[place.kind])
    if place.kind is Kind.DAILY:
        return _entries(path, place, data or b"", [tidy(text) for text in texts], now)
    after = append_bullets(decode(data or b""), texts, lambda whole: facts_of(place, encode(whole)))
    return Put(path, encode(after), base_of(data))


def edit(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The document with this fact reworded."""
    place = _place(path)
    if place.kind in (Kind.PATTERNS, Kind.TRANSCRIPT):
        raise ValueError(ELSEWHERE[place.kind])
    after = replace_fact(decode(data), fact, text, lambda whole: facts_of(place, encode(whole)))
    return Put(path, encode(after), digest(data))


def forget(path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
    """The document without these facts. A log with nothing left but its date goes: empty, it would still make a heading in
    the bot's prompt."""
    place, text = _place(path), decode(data)
    if place.kind is Kind.TRANSCRIPT:
        raise ValueError(ELSEWHERE[place.kind])
    if place.kind is Kind.PATTERNS:
        return Put(path, encode(_without_items(text, facts)), digest(data))
    is_log = bool(place.day)
    after = remove_facts(text, facts, lambda whole: facts_of(place, encode(whole)), may_surface=is_log)
    if is_log and is_spent(after, place.day):
        return Delete(path, digest(data))
    return Put(path, encode(after), digest(data))


def _place(path: str) -> Place:
    place = layout.describe(path)
    if place is None:
        raise ValueError(UNKNOWN)
    return place


def _entries(path: str, place: Place, data: bytes, texts: list[str], now: datetime) -> Append:
    if place.day != now.date().isoformat():
        raise ValueError(NOT_TODAY)
    gap = b"" if not data or data.endswith(b"\n") else b"\n\n"
    entries = gap + "".join(f"## {now:%H:%M} — {escape(text)}\n\n" for text in texts).encode()
    if [fact.text for fact in log_facts(decode(data + entries))[-len(texts) :]] != texts:
        raise ValueError(ELSE)
    return Append(path, entries)


def _without_items(text: str, facts: Iterable[FactAt]) -> str:
    """A JSON list without these of its items; the others keep their bytes and what stands between them."""
    going = {fact.start for fact in facts}
    found = list(items(text))
    cuts, kept = [], []
    for number, (item, start, end) in enumerate(found):
        if start not in going:
            kept.append(item)
        elif kept:
            cuts.append((found[number - 1][2], end))
        else:
            cuts.append((start, found[number + 1][1] if number + 1 < len(found) else end))
    bounds = [0, *(at for cut in cuts for at in cut), len(text)]
    after = "".join(text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
    try:
        reads = json.loads(after.removeprefix("\ufeff")) == kept
    except (ValueError, RecursionError):
        reads = False
    if not reads:
        raise ValueError(ENTANGLED)
    return after
