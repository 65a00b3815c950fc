"""What the bot makes of a turn: an item that tells it, and by signal words at most one constraint, failure and fix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.dialects.golemcore import curate, items, java, layout
from memory.dialects.golemcore.items import Item
from memory.dialects.golemcore.settings import Settings
from memory.text.utf16 import count_units, prefix

ASKED = "User asked: "
UPDATE = "Conversation update"
USER, ASSISTANT, OUTPUT = 1200, 1800, 800  # units of what an item tells
_MUST = ("must ", "should ", "always ", "never ", "prefer ")
_FAILED = ("failed", "failure", "exception", "error", "stacktrace")
_FIXED = ("fixed", "resolved", "patched", "workaround", "solution")
_OPEN = ("todo", "next", "blocker")
_TAGS = (
    ("java", ("java",)),
    ("maven", ("maven", "./mvnw")),
    ("spring", ("spring",)),
    ("tests", ("test",)),
    ("docker", ("docker",)),
    ("database", ("sql", "postgres")),
)
_ENDINGS = "java|kt|groovy|kts|xml|yml|yaml|json|md|txt|ts|tsx|js|jsx|py|go|rs|sql"
_RUN = re.compile(r"[A-Za-z0-9_./-]++")
_ENDING = re.compile(rf"\.(?:{_ENDINGS})")
# A run of signs without a test in it is passed over whole: tried from each of its parts, it would take the square of its length.
_TEST = re.compile(r"(\b[A-Za-z0-9_$.]+Test(?:#[A-Za-z0-9_$]+)?\b)|[$.]++|[A-Za-z0-9_$.]++", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Signal:
    """What a word in a turn makes of it."""

    type: str
    title: str
    words: tuple[str, ...]
    most: int  # units of its content
    confidence: float
    salience: float


_SIGNALS = (
    _Signal("CONSTRAINT", "Constraint", _MUST, 360, 0.78, 0.82),
    _Signal("FAILURE", "Failure context", _FAILED, 420, 0.80, 0.86),
    _Signal("FIX", "Fix context", _FIXED, 420, 0.78, 0.83),
)


@dataclass(frozen=True, slots=True)
class Event:
    """A turn as the bot remembers it. `outputs` are what its tools said."""

    user: str
    assistant: str
    at: datetime
    outputs: Sequence[str] = ()

    @property
    def both(self) -> str:
        """What was said on both sides."""
        return java.trim(f"{self.user}\n{self.assistant}")

    @property
    def whole(self) -> str:
        """What was said, by tools too."""
        outputs = (java.cut(text.replace("\n", " "), OUTPUT) for text in self.outputs)
        return "\n".join((self.both, *outputs))


def event(message: str | None, answer: str | None, at: datetime, outputs: Sequence[str] = ()) -> Event:
    """A turn with its texts on one line each."""
    return Event(java.trim(java.flat(message or "")), java.trim(java.flat(answer or "")), at, outputs)


def extracted(turn: Event, settings: Settings) -> list[Item]:
    """The items of a turn, each once, in the order in which the bot writes them."""
    found = [_told(turn)] if not java.is_blank(turn.both) else []
    if settings.codeAwareExtractionEnabled:
        found += _derived(turn)
    once = {one.fingerprint: one for one in reversed(found)}
    kept = [one for one in found if once.get(one.fingerprint) is one]
    return sorted(kept, key=lambda one: _bucket(one.fingerprint or ""))


def _told(turn: Event) -> Item:
    kind, said = "TASK_STATE", turn.both.lower()
    asked = java.cut(turn.user, curate.TITLE)
    item = _item(turn, kind, f"User: {java.cut(turn.user, USER)}\nAssistant: {java.cut(turn.assistant, ASSISTANT)}")
    return replace(
        item,
        title=UPDATE if java.is_blank(asked) else f"{ASKED}{asked}",
        tags=tags(turn.both),
        references=references(turn.both),
        source="turn",
        confidence=0.65,
        salience=_salience(said),
        fingerprint=items.hashed("TASK|" + java.normal(f"{turn.user}\n{turn.assistant}")),
    )


def _salience(said: str) -> float:
    base = 0.55 + 0.20 * _has(said, (*_FAILED, *_FIXED)) + 0.15 * _has(said, _MUST) + 0.10 * _has(said, _OPEN)
    return min(1.0, base)


def _derived(turn: Event) -> Iterator[Item]:
    whole = turn.whole
    for signal in _SIGNALS:
        if _has(whole.lower(), signal.words):
            item = _item(turn, signal.type, snippet(whole, signal.most))
            yield replace(item, title=signal.title, confidence=signal.confidence, salience=signal.salience)


def _item(turn: Event, kind: str, content: str) -> Item:
    return Item(
        id=curate.own_id(layout.EPISODIC, kind, content, turn.at),
        layer="EPISODIC",
        type=kind,
        content=content,
        tags=tags(content),
        source="derived",
        created=turn.at,
        updated=turn.at,
        references=references(content),
        fingerprint=items.fingerprint(kind, content),
    )


def snippet(text: str, most: int) -> str:
    """The beginning of a text on one line, up to the last full stop if that is not too early."""
    said = java.trim(java.flat(text))
    if count_units(said) <= most:
        return said
    stop = prefix(said, most + 1).rfind(".")
    return said[: stop + 1] if count_units(said[: max(stop, 0)]) > most / 2 else java.cut(said, most)


def tags(text: str) -> tuple[str, ...]:
    """What a text is about, by words that it contains and by the files that it names."""
    said = text.lower()
    known = [name for name, words in _TAGS if _has(said, words)]
    return tuple(dict.fromkeys((*known, *(name.rpartition(".")[2] for name in _files(text)))))


def references(text: str) -> tuple[str, ...]:
    """The files and tests that a text names."""
    return tuple(dict.fromkeys((*_files(text), *filter(None, _TEST.findall(text)))))


def _files(text: str) -> Iterator[str]:
    for run in _RUN.finditer(text):  # the bot's own pattern takes all up to the last ending in it
        ends = [found.end() for found in _ENDING.finditer(run[0]) if found.start()]
        if ends:
            yield run[0][: ends[-1]]


def _has(said: str, words: Sequence[str]) -> bool:
    return any(word in said for word in words)


def _bucket(name: str) -> int:
    """Where Java's hash table has a text."""
    code = 0
    for sign in name:
        code = (31 * code + ord(sign)) & 0xFFFFFFFF
    return (code ^ (code >> 16)) & 15
