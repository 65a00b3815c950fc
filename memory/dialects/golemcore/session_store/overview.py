"""All sessions of a bot: what each says of itself, how large the bot takes it for, and what a running bot would do to its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.cache import cache

from memory import index
from memory.dialects.golemcore.sessions import compact, files
from memory.dialects.golemcore.sessions.record import STATES, Session, Unread
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.models import Bot, Document
from memory.text.sentences import say
from memory.text.storable import keepable

REMEMBERED = 86_400  # seconds
CONVERTS = say("A running bot converts this file to .pb, deletes it, and drops senders, metadata and voice.")
OVERWRITES = say("A running bot overwrites the newer .pb with this .json, and deletes it.")


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session in the list. `trouble`: why nobody can read it; `warnings`: what a running bot would do to the file."""

    path: str
    chat: str
    id: str
    channel: str
    state: str
    messages: int
    calls: int
    tokens: int
    updated: str
    written_ns: int
    summarised: bool = False
    trouble: str = ""
    warnings: tuple[str, ...] = ()
    is_passed_over: bool = False  # the bot has the same chat in a .pb as well, which is what is shown and changed


@dataclass(frozen=True, slots=True)
class SessionFilters:
    """What is looked for: words in an ID or in what is said, a channel, a state; "" for any."""

    words: str = ""
    channel: str = ""
    state: str = ""


def every(bot: Bot) -> list[ListedSession]:
    """The sessions, that which was updated last first. What was read once is not read again."""
    rows = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT).order_by("path")
    name, found = f"golem-sessions-{bot.pk}-{bot.created.timestamp()}", {}
    before: dict[str, tuple[str, ListedSession]] = cache.get(name) or {}
    told = list(rows.values_list("path", "scope", "sha256", "mtime_ns"))
    twice = {scope for path, scope, *_ in told if not files.is_proto(path)} & {
        scope for path, scope, *_ in told if files.is_proto(path)
    }
    for path, scope, sha256, written in told:
        version = f"{sha256}-{written}-{scope in twice}"
        known = before.get(path)
        is_known = known is not None and known[0] == version and bool(sha256)
        found[path] = known if known and is_known else (version, _listed(bot, path, scope, written, scope in twice))
    if found != before:
        cache.set(name, found, REMEMBERED)
    return sorted((one for _version, one in found.values()), key=lambda one: (one.updated, one.path), reverse=True)


def matching(bot: Bot, sessions: Sequence[ListedSession], asked: SessionFilters) -> list[ListedSession]:
    """Those of the sessions that are looked for."""
    some = [one for one in sessions if asked.channel in ("", one.channel) and asked.state in ("", one.state)]
    words = asked.words.casefold()
    return [one for one in some if words in one.id.casefold() or words in one.chat.casefold() or _says(bot, one, words)]


def _says(bot: Bot, one: ListedSession, words: str) -> bool:
    try:
        data = index.BotMemory(bot).read(one.path)
        session = files.read(one.path, data or b"")
    except (Unread, VaultError):
        return False
    return any(words in told.content.casefold() for told in session.messages)


def _listed(bot: Bot, path: str, chat: str, written: int, twice: bool) -> ListedSession:
    try:
        session = files.read(path, index.BotMemory(bot).read(path) or b"")
    except (Unread, VaultError) as error:
        about = (path, chat, chat, chat.partition(":")[0], STATES[0], 0, 0, 0, "", written, False, str(error))
        return ListedSession(*about, tuple(_twice(path, twice)), twice and not files.is_proto(path))
    return ListedSession(
        path,
        chat,
        keepable(session.id),
        keepable(session.channel),
        session.state,
        len(session.messages),
        sum(len(one.calls) for one in session.messages),
        compact.tokens(session),
        session.updated or session.created,
        written,
        any(one.is_summary for one in session.messages),
        warnings=tuple(_warnings(path, chat, session, twice)),
        is_passed_over=twice and not files.is_proto(path),
    )


def _warnings(path: str, chat: str, session: Session, twice: bool) -> Iterator[str]:
    yield from _twice(path, twice)
    if not files.is_proto(path) and not twice:
        yield CONVERTS
    if session.id != chat:
        yield say(
            "%(path)s says that it is %(id)s. A running bot writes it under that name.",
            path=path,
            id=keepable(session.id),
        )


def _twice(path: str, twice: bool) -> Iterator[str]:
    if twice and not files.is_proto(path):
        yield OVERWRITES
