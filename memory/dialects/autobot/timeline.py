"""Which messages of a transcript the bot sends along, and which are in neither prompt nor memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby

from memory.dialects.autobot import window
from memory.dialects.autobot.sessions import Session, SessionLine
from memory.dialects.autobot.settings import Settings
from memory.domain.timeline import Stretch
from memory.text.sentences import say, say_number

SENT = say("in the prompt")
NEITHER = say("in neither prompt nor memory")
WAITING = say("waiting")
ARCHIVED = say("archived in HISTORY.md")
OFF = say("memory_window is 0: the bot sums nothing up and drops all but the newest 10 messages of a chat.")


def stretches(session: Session, settings: Settings) -> Iterator[Stretch]:
    """The messages of a transcript, in runs that lie together. Of one that the bot loads as empty it sends none."""
    sent = 0 if session.damaged else settings.session_history_limit
    reached = {line.number for line in session.messages[-sent:]} if sent else set()
    starts = accumulate((len(line.raw) for line in session.lines), initial=0)
    rows = zip(session.lines, starts, strict=False)
    for words, run in groupby(rows, lambda row: _words(row[0], reached)):
        if words:
            found = list(run)
            (_first, start), (last, at) = found[0], found[-1]
            yield Stretch(words, len(found), "good" if words == SENT else "", start, at + len(last.raw))


def notes(session: Session, settings: Settings) -> Iterator[str]:
    """What is said of the next consolidation."""
    if session.damaged:
        yield session.damage
    elif settings.memory_window == window.OFF:
        yield OFF
    else:
        line = window.timeline(len(session.messages), settings.memory_window, settings.session_history_limit)
        yield _due(line.due) if line.due else _falls(line.turns or 0)


def _words(line: SessionLine, reached: set[int]) -> str:
    if not line.message:
        return ""
    return SENT if line.number in reached else NEITHER


def _due(count: int) -> str:
    return say_number(
        "At the start of the next turn the bot archives the oldest message.",
        "At the start of the next turn the bot archives the oldest %(count)s messages.",
        count=count,
    )


def _falls(turns: int) -> str:
    return say_number(
        "The next consolidation is in %(count)s turn.", "The next consolidation is in %(count)s turns.", count=turns
    )
