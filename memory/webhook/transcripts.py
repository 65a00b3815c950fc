"""What an answer needs of a chat's transcript: its newest messages, and that what is said can be written there."""

from __future__ import annotations

from memory import index
from memory.bots import open_bot, reopen
from memory.bots.directories import SESSIONS_ROOT, make_like
from memory.domain.changes import split_path
from memory.domain.errors import WriteFailed
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.turns import Turn
from memory.models import Bot, Root
from memory.text.message import Message
from memory.text.sentences import say

PIECE = 64 * 1024  # bytes of a transcript's end that are read first
REMINDED = 1 << 20  # bytes of it that a model is reminded of at the most


def newest(bot: Bot, chat: str, limit: int, memory: Memory) -> tuple[Message, ...]:
    """The newest `limit` messages of a chat, oldest first, read from the end of its transcript; none if it has none. Raises
    Unreadable."""
    dialect = open_bot(bot).dialect
    path, size = dialect.path(Kind.TRANSCRIPT, chat), PIECE
    if path and open_bot(bot).family.is_anothers(bot, path, chat):
        return ()
    if path and limit and open_bot(bot).has_records:
        return open_bot(bot).messages(memory.read(path) or b"", limit)
    while path and limit:
        data = memory.tail(path, size) or b""
        found = open_bot(bot).messages(data, limit)
        if len(found) >= limit or len(data) < size or size >= REMINDED:
            return found
        size *= 4
    return ()


def unwritable(bot: Bot, chat: str) -> str:
    """Why what is said in a chat and what becomes of it could not be written down, for people; "" if it can. Raises Unreadable."""
    if why := open_bot(bot).family.closed(bot):
        return why
    capturing, turn = open_bot(bot).dialect.capturing, Turn(chat, "", "", open_bot(bot).now(), answered=True)
    try:
        if capturing:
            capturing.spoken(turn, "", index.BotMemory(bot))
    except ValueError as error:
        return str(error)
    return ""


def make_directory(bot: Bot) -> None:
    """Give a bot that keeps no transcripts yet the directory that it would make for them itself. Raises WriteFailed."""
    path = open_bot(bot).dialect.path(Kind.TRANSCRIPT, "chat") or ""
    if split_path(path)[0] != SESSIONS_ROOT or SESSIONS_ROOT in bot.directories:
        return
    directory = open_bot(bot).family.sessions_of(bot)
    if directory is None:
        return
    try:
        make_like(directory, open_bot(bot).memory_path)
    except OSError as error:
        why = error.strerror or say("the system denied access")
        raise WriteFailed(
            say("The transcript directory can’t be created: %(why)s. Nothing was changed.", why=why)
        ) from error
    root, _made = Root.objects.get_or_create(bot=bot, name=SESSIONS_ROOT, defaults={"path": str(directory)})
    bot.directories = {**bot.directories, root.name: root.path}
    reopen(bot)
