"""Each message of a chat at this moment: summed up, waiting, in the transcript, in the prompt; and when more are summed up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby

from memory import index
from memory.bots import open_bot
from memory.dialects.autobot import layout, sessions, window
from memory.dialects.autobot.consolidation import blocks
from memory.dialects.autobot.sessions import Session, SessionLine
from memory.dialects.autobot.settings import Settings
from memory.domain.places import Kind
from memory.domain.timeline import Stretch, Timeline
from memory.journal import versions
from memory.models import Bot, Job, Revision
from memory.text.sentences import say, say_number

QUOTED = 3  # blocks that were summed up whose messages are shown
SENT = say("in the prompt")
NEITHER = say("in neither prompt nor memory")
WAITING = say("waiting")
ARCHIVED = say("archived in HISTORY.md")
OFF = say("memory_window is 0: the bot sums nothing up and drops all but the newest 10 messages of a chat.")


def timeline(bot: Bot, chat: str) -> Timeline:
    """All of a chat's messages that are known. Raises Unreadable."""
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    session = sessions.read(memory, layout.path_of(Kind.TRANSCRIPT, chat) or "")
    found = [*_archived(bot, chat), *_waiting(bot, chat, memory), *stretches(session, settings)]
    return Timeline(found, list(_notes(session, settings)))


def _waiting(bot: Bot, chat: str, memory: index.BotMemory) -> Iterator[Stretch]:
    for path in blocks.waiting(bot, chat):
        yield _left(WAITING, memory.read(path) or b"", "warn")


def _archived(bot: Bot, chat: str) -> Iterator[Stretch]:
    """Blocks that were summed up: the older ones as one, the newest message by message."""
    jobs = Job.objects.filter(bot=bot, kind=Job.Kind.SUMMARY, state=Job.State.APPLIED, params__chat=chat)
    counts = {str(job.outcome["path"]): int(job.outcome["messages"]) for job in jobs.order_by("id")}
    ends = _summed_up(bot, list(counts))
    if older := sum(counts[one.path] for one in ends[:-QUOTED]):
        yield Stretch(ARCHIVED, older)
    texts = versions.bytes_of_all(bot, [one.before for one in ends[-QUOTED:]])
    for one in ends[-QUOTED:]:
        yield _left(ARCHIVED, texts.get(one.before, b""), count=counts[one.path], change_set=one.change_set_id)


def _summed_up(bot: Bot, paths: list[str]) -> list[Revision]:
    """The ends of those blocks to which nothing happened since they went as the history was added to, by time."""
    found = Revision.objects.filter(bot=bot, path__in=paths, done=True).order_by("id")
    ends = [one for one in {one.path: one for one in found}.values() if one.action == Revision.Action.DELETE]
    sets = Revision.objects.filter(change_set__in=[one.change_set_id for one in ends], path=layout.HISTORY)
    told = set(sets.values_list("change_set", flat=True))
    return sorted((one for one in ends if one.change_set_id in told), key=lambda one: one.pk)


def _left(words: str, data: bytes, mark: str = "", count: int = 0, change_set: int = 0) -> Stretch:
    lines = [line.raw for line in sessions.parse(data).messages]
    return Stretch(words, count or len(lines), mark, lines=lines, change_set=change_set)


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


def _notes(session: Session, settings: Settings) -> Iterator[str]:
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
