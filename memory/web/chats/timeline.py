"""What the page of a transcript says of where a chat's messages are: how many are where, and those that left the transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.timeline import Stretch, Timeline
from memory.models import Bot
from memory.web.chats.transcript import Said, spoken
from memory.webhook.transcripts import fitting


@dataclass(frozen=True, slots=True)
class Left:
    """Messages that left the transcript: the newest of them, and how many there are besides."""

    stretch: Stretch
    said: Sequence[Said]

    @property
    def more(self) -> int:
        return self.stretch.count - len(self.said)


def placed(bot: Bot, timeline: Timeline | None, *, at_beginning: bool) -> dict[str, object] | None:
    """What a timeline says on a page; messages that left stand on that which has the transcript's beginning. None where nothing is
    known."""
    if timeline is None:
        return None
    outside = [one for one in timeline.stretches if not one.is_inside] if at_beginning else []
    return {"counts": _counts(timeline), "notes": timeline.notes, "left": [_left(bot, one) for one in outside]}


def _counts(timeline: Timeline) -> list[dict[str, object]]:
    """How many messages are where."""
    marks = {one.words: one.mark for one in timeline.stretches}
    numbers = Counter[str]()
    for one in timeline.stretches:
        numbers[one.words] += one.count
    return [{"number": numbers[words], "words": words, "mark": mark} for words, mark in marks.items()]


def _left(bot: Bot, stretch: Stretch) -> Left:
    newest = fitting(list(reversed(stretch.lines)))
    return Left(stretch, [spoken(line, bot) for line in reversed(newest)])
