"""One fact or entry added, reworded or forgotten, and what people may make of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memory.dialects.autobot import history, sessions
from memory.domain.changes import Append, Put, digest
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import ELSE, ENTANGLED, tidy
from memory.text.sentences import say


def added(path: str, data: bytes | None, texts: list[str], now: datetime) -> Append:
    """More entries of the history, with the stamp that the bot asks its model for unless they have one. Raises ValueError."""
    told = [tidy(text) for text in texts]
    entries = [text if history.is_stamped(text) else f"{history.stamp(now)} {text}" for text in told]
    more = [history.appended(None if at else data, entry) for at, entry in enumerate(entries)]
    change = Append(path, b"".join(more))
    if _texts((data or b"") + change.data) != [*_texts(data or b""), *entries]:
        raise ValueError(ELSE)
    return change


def edited(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The history with this entry reworded, all else byte for byte. Raises ValueError where it would not stay one entry."""
    whole, new = decode(data), tidy(text)
    start = whole.index(fact.text, fact.start)
    after = encode(whole[:start] + new + whole[start + len(fact.text) :])
    wanted = [new if one.start == fact.start else one.text for one in history.facts(data)]
    if _texts(after) != wanted:
        raise ValueError(ELSE)
    return Put(path, after, digest(data))


def forgotten(path: str, data: bytes, facts: Iterable[FactAt]) -> Put:
    """The history without these entries and the blank lines below them. Raises ValueError where others would change by it."""
    whole, going, at, kept = decode(data), {fact.start: fact for fact in facts}, 0, []
    for start in sorted(going):
        kept.append(whole[at:start])
        at = going[start].end
    after = encode("".join(kept) + whole[at:])
    if _texts(after) != [one.text for one in history.facts(data) if one.start not in going]:
        raise ValueError(ENTANGLED)
    return Put(path, after, digest(data))


def refused(before: bytes, after: bytes) -> str:
    """Why a transcript may not become this, for people: the bot would load it as empty. "" if it may."""
    known = {line.raw.strip() for line in sessions.parse(before).damaged}
    for line in sessions.parse(after).damaged:
        if line.raw.strip() not in known:
            return say(
                "Line %(number)s can’t be a message: %(why)s. The bot would load the whole chat as empty and overwrite it.",
                number=line.number,
                why=line.why,
            )
    return ""


def _texts(data: bytes) -> Sequence[str]:
    return [fact.text for fact in history.facts(data)]
