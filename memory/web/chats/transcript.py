"""A transcript as a conversation: what a session's lines say, by the bot's clock."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.domain.timeline import Stretch, Timeline
from memory.domain.turns import Exchange
from memory.models import Bot, Revision
from memory.text.secrets import place_to_cut
from memory.text.storable import keepable
from memory.web.base.dates import clock_of
from memory.web.chats.transcript_pages import SHOWN, Leaf, fitting, leaf, page_of

FAR = 64 * 1024  # bytes before a page in which a turn may begin that ends on it
ROLES = {
    "user": gettext_lazy("user"),
    "assistant": gettext_lazy("bot"),
    "system": gettext_lazy("system"),
    "tool": gettext_lazy("tool"),
}


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line of a transcript. `who` "" where the line could not be understood: then `text` is the line itself. `when` is as the
    line has it where that is no moment, "" where it has none. `left` counts
    the characters that are not shown. `ours`: what the bot says here was answered by Kenoweb. `tools`: what it calls. `place` says
    where the message is at this moment, "" where nobody knows, and `mark` how that looks. `is_record`: it is no message, but what
    the file notes beside them."""

    who: str
    when: datetime | str
    text: str
    left: int = 0
    ours: bool = False
    tools: Sequence[str] = ()
    place: str = ""
    mark: str = ""
    is_record: bool = False

    @property
    def at(self) -> datetime | None:
        """The moment in which it was said, where that is known."""
        return self.when if isinstance(self.when, datetime) else None

    @property
    def role(self) -> str:
        """What people call who said it."""
        return str(ROLES.get(self.who, self.who))


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """A page of a transcript. `before` and `after` are where the pages beside it end and begin, None at either end: bytes, or in a
    transcript that is one record the numbers of messages."""

    said: Sequence[TranscriptLine]
    before: int | None
    after: int | None
    size: int

    @property
    def messages(self) -> int:
        """How many of its lines are what somebody said."""
        return sum(not line.is_record for line in self.said)

    @property
    def since(self) -> datetime | None:
        return next((line.at for line in self.said if line.at), None)

    @property
    def until(self) -> datetime | None:
        return next((line.at for line in reversed(self.said) if line.at), None)


@dataclass(frozen=True, slots=True)
class _Left:
    """Messages that left the transcript: the newest of them, and how many there are besides."""

    stretch: Stretch
    said: Sequence[TranscriptLine]

    @property
    def more(self) -> int:
        return self.stretch.count - len(self.said)


def talk(
    bot: Bot, path: str, *, before: int | None = None, after: int | None = None, timeline: Timeline | None = None
) -> TranscriptPage | None:
    """A page of a transcript of JSON lines with role, content and a timestamp (in ms or ISO), or of one that is a record: the
    newest, or the one that ends or begins at a place. `timeline` says where its messages are. None if there is no such file.
    Raises Unreadable."""
    if open_bot(bot).has_records:
        return _recorded(bot, path, before, after)
    found = leaf(bot, path, before=before, after=after)
    if found is None:
        return None
    talking = open_bot(bot).dialect.talking
    turns = talking.exchanges(path, b"\n".join(found.lines)) if talking else None
    if turns is not None:
        return TranscriptPage(list(_exchanged(bot, found, turns)), *_beside(found), found.size)
    answered = _answered(bot, path, found)
    rows = zip(found.lines, found.offsets, strict=True)
    said = [_placed(spoken(line, bot, ours=line.strip() in answered), at, timeline) for line, at in rows]
    return TranscriptPage(said, *_beside(found), found.size)


def _placed(line: TranscriptLine, at: int, timeline: Timeline | None) -> TranscriptLine:
    stretch = timeline.at(at) if timeline else None
    return replace(line, place=stretch.words, mark=stretch.mark) if stretch else line


def _recorded(bot: Bot, path: str, before: int | None, after: int | None) -> TranscriptPage | None:
    found = open_bot(bot).recorded(path)
    if found is None:
        return None
    messages, size = found
    start, end = page_of(messages, before, after)
    said = [
        TranscriptLine(
            one.role, _when(one.at, bot), *_cut(keepable(one.content)), tools=[_cut(tool)[0] for tool in one.tools]
        )
        for one in messages[start:end]
    ]
    return TranscriptPage(said, start or None, end if end < len(messages) else None, size)


def _exchanged(bot: Bot, found: Leaf, turns: Sequence[Exchange]) -> Iterator[TranscriptLine]:
    """What a transcript notes of each turn; a turn without an answer was never finished."""
    for number, turn in enumerate(turns, 1):
        if turn.asked is not None:
            yield TranscriptLine("user", _noted(turn.at, bot), *_cut(turn.asked))
        if turn.answer is not None:
            yield TranscriptLine("assistant", _noted(turn.answered, bot), *_cut(turn.answer))
        elif number < len(turns) or found.end >= found.size:
            yield TranscriptLine(_("unanswered"), "", _("Never answered: the bot stopped or failed."))


def _noted(at: str, bot: Bot) -> datetime | str:
    try:
        there = datetime.fromisoformat(at)
        return (there if there.tzinfo else there.replace(tzinfo=open_bot(bot).zone)).astimezone(clock_of(bot))
    except (ValueError, OverflowError):
        return at


def _answered(bot: Bot, path: str, found: Leaf) -> set[bytes]:
    """The lines of a page that Kenoweb added where it answered in the bot's place."""
    near = (found.start - FAR, found.end)
    ours = Revision.objects.filter(bot=bot, path=path, action=Revision.Action.APPEND, done=True, offset__range=near)
    return {line.strip() for added in ours.values_list("added", flat=True) for line in bytes(added or b"").split(b"\n")}


def _beside(found: Leaf) -> tuple[int | None, int | None]:
    return found.start or None, found.end if found.end < found.size else None


def spoken(raw: bytes, bot: Bot, *, ours: bool = False) -> TranscriptLine:
    """A line of a transcript for people. `ours`: Kenoweb wrote it."""
    line = raw.decode("utf-8", "replace").strip()
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return TranscriptLine("", "", *_cut(line))
    if not isinstance(found.get("content"), str):
        return _otherwise(line, found, bot)
    role = found.get("role")
    who = role if isinstance(role, str) else ""
    return TranscriptLine(who, _when(found.get("timestamp"), bot), *_cut(found["content"]), ours and who == "assistant")


def _otherwise(line: str, found: dict[str, Any], bot: Bot) -> TranscriptLine:
    """A line in another form: a message as the bot's family writes it, or a record under its own name."""
    for message in open_bot(bot).messages(line.encode(), 1):
        return TranscriptLine(message.role, _when(message.at, bot), *_cut(message.content))
    name = found.get("type", found.get("_type"))
    return (
        TranscriptLine(name, "", *_cut(line), is_record=True)
        if isinstance(name, str)
        else TranscriptLine("", "", *_cut(line))
    )


def _cut(text: str) -> tuple[str, int]:
    """(as much of a text as a page shows, how many characters are left)."""
    end = place_to_cut(text, SHOWN)
    return text[:end], len(text) - end


def _when(stamp: object, bot: Bot) -> datetime | str:
    if isinstance(stamp, str) and not stamp.isdecimal():
        return _noted(stamp, bot)
    stamp = int(stamp) if isinstance(stamp, str) and len(stamp) < 20 else stamp
    if isinstance(stamp, bool) or not isinstance(stamp, int | float):
        return ""
    try:
        return datetime.fromtimestamp(stamp / 1000, UTC).astimezone(clock_of(bot))
    except (OverflowError, ValueError, OSError):
        return ""


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


def _left(bot: Bot, stretch: Stretch) -> _Left:
    newest = fitting(list(reversed(stretch.lines)))
    return _Left(stretch, [spoken(line, bot) for line in reversed(newest)])
