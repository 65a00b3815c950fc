"""Conversations of the LoCoMo data set, as files of a bot that was there and as questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

CATEGORIES = {1: "several turns", 2: "dates", 3: "general knowledge", 4: "one turn", 5: "made to mislead"}
COUNTED = (1, 2, 3, 4)  # what is reported together, as others do: the fifth kind has no answer
LAST_MINUTE = 24 * 60 - 1
_WHEN = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")
_PLACE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said; `caption` tells of a picture they sent. `id` is how the questions name it."""

    id: str
    speaker: str
    said: str
    caption: str
    when: datetime  # of its session
    number: int  # in its session, from 0

    @property
    def minute(self) -> int:
        """When it is written down, of the day: a turn takes a minute, and a session ends with its day."""
        return min(self.when.hour * 60 + self.when.minute + self.number, LAST_MINUTE)

    @property
    def text(self) -> str:
        """The entry in one line."""
        caption = f" [{self.caption}]" if self.caption else ""
        return " ".join(f"{self.speaker}: {self.said}{caption}".split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns (ids) that answer it."""

    text: str
    category: int
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def read(directory: Path) -> list[Talk]:
    """Every conversation of a directory, by name. Raises SystemExit if there is none."""
    found = [
        _talk(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(directory.glob("*.json"))
    ]
    if not found:
        raise SystemExit(f"No conversation (*.json) is in {directory}.")
    return found


def write(talk: Talk, memory: Path) -> dict[tuple[str, int], str]:
    """A KenoBot's logs, one a day that has sessions. Returns which turn begins at each (path, line)."""
    memory.mkdir(parents=True, exist_ok=True)
    days: dict[str, list[Turn]] = {}
    for turn in talk.turns:
        days.setdefault(turn.when.date().isoformat(), []).append(turn)
    where = {}
    for day, turns in days.items():
        (memory / f"{day}.md").write_text("".join(map(_entry, turns)), encoding="utf-8")
        where.update({(f"{day}.md", 1 + 2 * number): turn.id for number, turn in enumerate(turns)})
    return where


def _entry(turn: Turn) -> str:
    return f"## {turn.minute // 60:02}:{turn.minute % 60:02} — {turn.text}\n\n"


def _talk(name: str, data: Mapping[str, Any]) -> Talk:
    turns = tuple(_turns(data))
    ids = {turn.id for turn in turns}
    return Talk(name, turns, tuple(_questions(data["qa"], ids)))


def _turns(data: Mapping[str, Any]) -> Iterator[Turn]:
    for session in sorted(int(match[1]) for key in data if (match := _SESSION.fullmatch(key))):
        when = datetime.strptime(data[f"session_{session}_date_time"], _WHEN)
        for number, turn in enumerate(data[f"session_{session}"]):
            yield Turn(turn["dia_id"], turn["speaker"], turn["text"], turn.get("blip_caption", ""), when, number)


def _questions(asked: Iterable[Mapping[str, Any]], ids: set[str]) -> Iterator[Question]:
    """The questions with evidence that is there. Places are written in several ways: D3:7, D03:7, D:3:7, two in one string."""
    for one in asked:
        named = (place for evidence in one.get("evidence", ()) for place in _PLACE.findall(evidence))
        if answers := frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named) & ids:
            yield Question(one["question"], one["category"], answers)
