"""Each message of a chat at this moment: summed up, waiting, in the transcript."""

from __future__ import annotations

from collections.abc import Iterator

from memory import index
from memory.bots import open_bot
from memory.dialects.autobot import layout, sessions, timeline as pure
from memory.dialects.autobot.consolidation import blocks
from memory.domain.places import Kind
from memory.domain.timeline import Stretch, Timeline
from memory.journal import versions
from memory.models import Bot, Job, Revision

QUOTED = 3  # blocks that were summed up whose messages are shown


def timeline(bot: Bot, chat: str) -> Timeline:
    """All of a chat's messages that are known. Raises Unreadable."""
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    session = sessions.read(memory, layout.path_of(Kind.TRANSCRIPT, chat) or "")
    found = [*_archived(bot, chat), *_waiting(bot, chat, memory), *pure.stretches(session, settings)]
    return Timeline(found, list(pure.notes(session, settings)))


def _waiting(bot: Bot, chat: str, memory: index.BotMemory) -> Iterator[Stretch]:
    for path in blocks.waiting(bot, chat):
        yield _left(pure.WAITING, memory.read(path) or b"", "warn")


def _archived(bot: Bot, chat: str) -> Iterator[Stretch]:
    """Blocks that were summed up: the older ones as one, the newest message by message."""
    jobs = Job.objects.filter(bot=bot, kind=Job.Kind.SUMMARY, state=Job.State.APPLIED, params__chat=chat)
    counts = {str(job.outcome["path"]): int(job.outcome["messages"]) for job in jobs.order_by("id")}
    ends = _summed_up(bot, list(counts))
    if older := sum(counts[one.path] for one in ends[:-QUOTED]):
        yield Stretch(pure.ARCHIVED, older)
    texts = versions.bytes_of_all(bot, [one.before for one in ends[-QUOTED:]])
    for one in ends[-QUOTED:]:
        yield _left(pure.ARCHIVED, texts.get(one.before, b""), count=counts[one.path], change_set=one.change_set_id)


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
