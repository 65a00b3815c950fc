"""What a turn makes: a command carried out, or one turn more for the summary and for what happened lately."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memory.dialects.discoclaw import commands, durable, javascript, layout, rolling, shortterm
from memory.dialects.discoclaw.commands import FORGET, REMEMBER, RESET, SHOW, ChatCommand
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.discoclaw.prompt import milliseconds
from memory.dialects.discoclaw.settings import Settings
from memory.domain.abilities import observe
from memory.domain.changes import Change, Delete, Put, base_of, digest
from memory.domain.memory import Memory
from memory.domain.turns import Captured, Turn

_REPLY = 300  # units of a reply that its excerpt is made of


def command(turn: Turn, settings: Settings) -> ChatCommand | None:
    """The command of a turn; None for one that goes to the model."""
    return commands.parse(turn.message, is_later=settings.is_later) if settings.commands else None


def capture(turn: Turn, memory: Memory, settings: Settings) -> Captured:
    """The changes of a turn. A file that the bot could not read, and would replace, is left as it is."""
    if settings.capture != "write" and not turn.answered:
        return observe(turn)
    if told := command(turn, settings):
        try:
            return _carried_out(told, turn, memory, settings)
        except Malformed as error:
            return _captured(f"Memory command error: {error}", (), command=told.action)
    made, malformed = [], 0
    for notes in (_counted, _noted, _hit):
        try:
            made += notes(turn, memory, settings)
        except Malformed:
            malformed += 1
    return _captured(turn.response, made, **({"malformed": malformed} if malformed else {}))


def _captured(response: str, changes: Iterable[Change], **more: Any) -> Captured:
    made = tuple(changes)
    return Captured(response, made, {**more, "documents": [change.path for change in made]})


def _carried_out(told: ChatCommand, turn: Turn, memory: Memory, settings: Settings) -> Captured:
    user = layout.user_of(turn.session_id, turn.sender)
    if told.action == SHOW:
        chat, now = turn.session_id, milliseconds(turn.at)
        told_them = commands.shown(memory, chat, user, settings, server=turn.group_id, now=now)
        return _captured(told_them, (), command=SHOW)
    if told.action == RESET:
        return _captured(commands.CLEARED, _cleared(turn, memory), command=RESET)
    path = layout.durable_path(user) if user else None
    if path is None:  # where it cannot name a file the bot says nothing, either; who wrote it always knows
        return _captured("" if turn.sender else commands.NOBODY, (), command=told.action)
    store, base = _store(memory, path, settings)
    now = milliseconds(turn.at)
    if told.action == FORGET:
        going = durable.matches(store, told.text)
        durable.forget(store, going, now)
        made = [_put(path, store, base)] if going else []
        return _captured(commands.forgot(len(going)), made, command=FORGET, forgotten=len(going))
    said = source(turn.session_id, "manual", turn.message_id, turn.group_id, turn.chat_name)
    durable.add(store, told.text, said, now, settings.durable_items, is_later=settings.is_later)
    return _captured(commands.remembered(told.text), [_put(path, store, base)], command=REMEMBER)


def source(chat: str, by: str, message_id: str, group_id: str, chat_name: str) -> dict[str, str]:
    """Where something was said, as far as a turn tells."""
    told = {"channelId": layout.channel_of(chat), "messageId": message_id}
    told |= {"guildId": group_id, "channelName": chat_name if group_id else ""}
    return {"type": by, **{name: value for name, value in told.items() if value}}


def _store(memory: Memory, path: str, settings: Settings) -> tuple[dict[str, Any], bytes | None]:
    data = memory.read(path)
    return (durable.new() if data is None else durable.loaded(data, is_later=settings.is_later)), data


def _put(path: str, store: dict[str, Any], base: bytes | None) -> Put:
    return Put(path, javascript.written(store), base_of(base))


def _cleared(turn: Turn, memory: Memory) -> list[Change]:
    path = layout.rolling_path(turn.session_id)
    data = memory.read(path)
    return [] if data is None else [Delete(path, digest(data))]


def _counted(turn: Turn, memory: Memory, settings: Settings) -> list[Change]:
    """One turn more since the summary was made; without one nothing is noted."""
    path = layout.rolling_path(turn.session_id)
    data = memory.read(path) if settings.summaries else None
    if data is None:
        return []
    found = rolling.loaded(data, is_later=settings.is_later)
    return [_put(path, rolling.after_turn(found, milliseconds(turn.at)), data)] if found["summary"] else []


def _noted(turn: Turn, memory: Memory, settings: Settings) -> list[Change]:
    """What happened in a channel that everybody on its server may read."""
    user = layout.user_of(turn.session_id, turn.sender)
    path = layout.short_term_path(turn.group_id, user) if user else None
    if not (settings.short_term and turn.is_public and path):
        return []
    data = memory.read(path)
    store = shortterm.new() if data is None else shortterm.loaded(data, is_later=settings.is_later)
    now, channel = milliseconds(turn.at), layout.channel_of(turn.session_id)
    entry = {
        **{"timestamp": now, "sessionKey": turn.session_id},
        **({"channelId": channel} if channel else {}),
        **{"channelName": turn.chat_name or channel},
        "summary": shortterm.excerpt(turn.message, javascript.cut(turn.response, _REPLY)),
    }
    shortterm.append(store, entry, now, settings.short_term_entries, settings.short_term_age)
    return [_put(path, store, data)]


def _hit(turn: Turn, memory: Memory, settings: Settings) -> list[Change]:
    """A bot of March 2026 counts which facts it read, and forgets what is too much."""
    path = layout.durable_path(layout.user_of(turn.session_id, turn.sender))
    data = memory.read(path) if path and settings.is_later and settings.durable else None
    if path is None or data is None:
        return []
    store, now = durable.loaded(data, is_later=True), milliseconds(turn.at)
    read = durable.chosen(store, settings.durable_chars, is_later=True, query=turn.message, now=now)
    if read is None:
        return []
    durable.hit(store, [line.at for line in read], now)
    return [_put(path, store, data)] if store["updatedAt"] == now else []
