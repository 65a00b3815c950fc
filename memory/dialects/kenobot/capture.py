"""What a finished turn makes: KenoBot's own entries, byte for byte, and its whole-file notes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory.dialects.kenobot import identity, layout
from memory.dialects.kenobot.settings import V07, Settings
from memory.domain.changes import Append, Change, Put, base_of
from memory.domain.memory import Memory
from memory.domain.turns import Captured, Turn
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import bullet, escape, log_facts, memory_facts
from memory.text.markdown.normal import key
from memory.text.markdown.tags import Extracted, extract, js_trim
from memory.text.sentences import say
from memory.text.utf16 import well_formed

LEARNED = "## Learned Preferences"

_WORD = re.compile(r"[a-z0-9]+")
_TAG = re.compile(r"<([a-z-]+)>")
_TAIL = 65536  # bytes of today's log that are looked at for an entry that already stands
_LATELY = 5  # minutes


def capture(turn: Turn, memory: Memory, settings: Settings) -> Captured:
    """The changes that a finished turn makes, and the text the user may see.

    `stored` counts the entries written (`memories`, `chat_memories`), those that already stood there (`already`) and the
    `user` items found, and names the `documents` that change. Raises ValueError for a session id that cannot name files,
    Unreadable if a document that is to be replaced cannot be read.
    """
    problem = layout.session_id_problem(turn.session_id)
    if problem:
        raise ValueError(problem)
    found = extract(well_formed(turn.response))
    if settings.capture == "observe" and not turn.answered:
        said = _stored(found, len(found.memories), len(found.chat_memories), 0, ())
        return Captured(found.clean_text, (), {**said, "observed": True})
    desk = _Desk(turn, memory)
    memories = desk.log("", found.memories)
    chat_memories = desk.log(turn.session_id, found.chat_memories)
    if found.chat_context:
        desk.replace(layout.context_path(turn.session_id), found.chat_context)
    if found.working_memory:
        desk.replace(layout.working_path(turn.session_id), found.working_memory)
    if found.user:
        desk.learn(found.user, settings.version)
    paths = tuple(change.path for change in desk.changes)
    return Captured(found.clean_text, tuple(desk.changes), _stored(found, memories, chat_memories, desk.already, paths))


def alone(turn: Turn) -> tuple[Turn, ...]:
    """The turn once for each entry and note of it; the scratchpad of the session is none."""
    found = extract(well_formed(turn.response))
    said = [
        *(("memory", text) for text in found.memories),
        *(("chat-memory", text) for text in found.chat_memories),
        *(("chat-context", text) for text in (found.chat_context,) if text),
        *(("user", text) for text in found.user),
    ]
    replies = [_tagged(*one) for one in said]
    if any(_said(reply) != [text] for reply, (_tag, text) in zip(replies, said, strict=True)):
        return (turn,)
    return tuple(replace(turn, response=reply) for reply in replies)


def reworded(turn: Turn, text: str) -> Turn:
    """A turn of one entry or note that says something else. Raises ValueError with a sentence."""
    named = _TAG.match(turn.response)
    reply = _tagged(named[1], text) if named and len(_said(turn.response)) == 1 else ""
    if _said(reply) != [js_trim(text)]:
        raise ValueError(say("A fact can’t be empty, and can’t contain memory tags."))
    return replace(turn, response=reply)


def _tagged(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>"


def _said(reply: str) -> list[str]:
    """All that a reply asks to remember; it says nothing else."""
    found = extract(reply)
    notes = [note for note in (found.chat_context, found.working_memory) if note is not None]
    return [*found.memories, *found.chat_memories, *notes, *found.user, *filter(None, [found.clean_text])]


def _stored(
    found: Extracted, memories: int, chat_memories: int, already: int, paths: tuple[str, ...]
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "memories": memories,
        "chat_memories": chat_memories,
        "working_memory": found.working_memory is not None,
        "chat_context": found.chat_context is not None,
        "user": len(found.user),
        "bootstrap_complete": found.bootstrap_complete,
        "documents": list(paths),
    }
    return {**said, "already": already} if already else said


@dataclass
class _Desk:
    """One turn's changes in the making."""

    turn: Turn
    memory: Memory
    changes: list[Change] = field(default_factory=list)
    already: int = 0

    def log(self, scope: str, texts: tuple[str, ...]) -> int:
        """Append an entry for each text that does not stand in today's log already; how many were appended."""
        if not texts:
            return 0
        at = self.turn.at
        path = layout.daily_path(scope, at.date().isoformat())
        standing = self.lately(path, at, texts)
        entries = []
        for text in texts:
            name = key(text)
            if standing[name]:
                standing[name] -= 1
                self.already += 1
            else:
                entries.append(f"## {at:%H:%M} — {escape(text)}\n\n")
        if entries:
            self.changes.append(Append(path, "".join(entries).encode()))
        return len(entries)

    def lately(self, path: str, at: datetime, texts: tuple[str, ...]) -> Counter[str]:
        """The facts of the last minutes at the end of a log, by key; none if no text can be among them."""
        end = self.memory.tail(path, _TAIL)
        if not end or not _may_hold(end, texts):
            return Counter()
        now = at.hour * 60 + at.minute
        return Counter(
            fact.key for fact in log_facts(decode(end)) if fact.time and 0 <= now - _minutes(fact.time) <= _LATELY
        )

    def replace(self, path: str, text: str) -> None:
        self.put(path, self.memory.read(path), text.encode(), renew=True)

    def put(self, path: str, before: bytes | None, after: bytes, *, renew: bool = False) -> None:
        self.changes.append(Put(path, after, base_of(before), renew=renew))

    def learn(self, items: tuple[str, ...], version: str) -> None:
        """Write what the bot learned about its user where its version keeps it; nothing if it has no identity directory."""
        path = _preferences(self.memory, version)
        if path is None:
            return
        before = self.memory.read(path)
        text = decode(before or b"")
        known = {fact.key for fact in memory_facts(text)}
        later = path.endswith("preferences.md")
        fresh = []
        for item in items:
            said = f"learned: {item}" if later else item
            if key(said) not in known:
                known.add(key(said))
                fresh.append(said)
        if fresh:
            self.put(path, before, encode((_appended if later else _under_learned)(text, fresh)))


def _preferences(memory: Memory, version: str) -> str | None:
    """The document that `<user>` items go to; None if the bot has no identity directory."""
    below = identity.below(memory)
    if not below:
        return None
    held = set(memory.paths())
    names = ("preferences.md", "USER.md") if version == V07 else ("USER.md", "preferences.md")
    return next((below + name for name in names if below + name in held), below + names[0])


def _under_learned(text: str, items: list[str]) -> str:
    """Bullets right under the heading, which is made at the end if it is missing."""
    end = "\r\n" if "\r\n" in text else "\n"
    bullets = "".join(bullet(item).rstrip("\n").replace("\n", end) + end for item in items)
    at = 0
    for line in text.split("\n"):
        at += len(line) + 1
        if line.rstrip() == LEARNED:
            head = text[:at] if at <= len(text) else text + end
            return head + bullets + text[at:]
    return f"{text}{end * 2 if text else ''}{LEARNED}{end}{bullets}"


def _appended(text: str, items: list[str]) -> str:
    """Bullets at the end, without a last line end, as 0.7 leaves its preferences."""
    bullets = "\n".join(bullet(item).rstrip("\n") for item in items)
    kept = text.rstrip("\r\n")
    return f"{kept}\n{bullets}" if js_trim(text) else f"# User Preferences\n\n{bullets}"


def _may_hold(end: bytes, texts: tuple[str, ...]) -> bool:
    """Whether one of the texts may stand there already. Equal facts have the same words, so most turns need no parsing."""
    standing = _words(decode(end))
    return any(not text.isascii() or _words(text) in standing for text in texts)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:5])
