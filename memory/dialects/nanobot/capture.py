"""What a finished turn makes: its notes in the session's state file, entries, and their lines in the mirrors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from memory.changes import Append, Change, Put, digest
from memory.dialects.base import Captured, Memory, Turn
from memory.dialects.nanobot import curate, layout, lines, scopes, states
from memory.dialects.nanobot.entries import entries
from memory.dialects.nanobot.picking import UNSAFE, UNSURE, Candidate, Dropped, picked
from memory.dialects.nanobot.settings import USUAL, USUAL_CHANNELS, Settings

NO_CHAT = "This session id names no chat of a nanobot. Give it as telegram:123, with the channel before the chat."
MIRRORS = {"preference": "preferences", "fact": "facts", "decision": "decisions"}


def capture(turn: Turn, memory: Memory, settings: Settings) -> Captured:
    """The changes of a turn. Raises ValueError for a session id that names no chat."""
    if settings.capture != "write":
        return Captured(turn.response, (), {"observed": True})
    chat = chat_of(turn.session_id)
    changes: list[Change] = [_noted(turn, chat, memory)] if settings.notes_sessions else []
    if settings.channels == USUAL and chat.channel not in USUAL_CHANNELS:
        return Captured(turn.response, tuple(changes), {"entries": [], "dropped": []})
    own = picked(turn.message, settings)
    reply = picked(turn.response, settings, taken=len(own.kept), episodic=False) if settings.picks_replies else None
    kept = [*((one, "user") for one in own.kept), *((one, "assistant") for one in (reply.kept if reply else ()))]
    dropped = (*own.dropped, *(reply.dropped if reply else ()))
    counted: Counter[str] = Counter()
    fresh, saved = _saved(kept, chat, turn.at, memory, settings, counted)
    changes += [*saved, *(mirrored(fresh, turn.at, memory) if settings.mirrors else ())]
    return Captured(turn.response, tuple(changes), _stored(kept, dropped, counted))


def chat_of(session_id: str) -> scopes.Scope:
    """The chat of a session: by its name here, by the bot's own key, or with a dash between channel and chat. Raises
    ValueError."""
    if found := scopes.chat_of(session_id):
        return found
    for sign in (":", "-"):
        channel, _, who = session_id.partition(sign)
        if channel and who:
            return scopes.Scope(scopes.CHAT, channel, who)
    raise ValueError(NO_CHAT)


def _noted(turn: Turn, chat: scopes.Scope, memory: Memory) -> Append:
    """The turn in the session's state file, as the bot writes it before and after its answer."""
    key = f"{chat.channel}:{chat.who}"
    path = f"{layout.STATES}/{scopes.session_file(key)}.md"
    at = lines.instant(turn.at)
    head = "" if memory.tail(path, 1) is not None else states.head(key, chat.channel, chat.who)
    return Append(path, (head + states.before(at, turn.message) + states.after(at, turn.response)).encode())


def _saved(
    kept: Iterable[tuple[Candidate, str]],
    chat: scopes.Scope,
    at: datetime,
    memory: Memory,
    settings: Settings,
    counted: Counter[str],
) -> tuple[list[Candidate], list[Change]]:
    """(what is new, the changes of the scopes' documents). What an entry says already is said again: it counts as newer."""
    chat_key = scopes.chat_key(chat.channel, chat.who)
    user_key = scopes.user_key(chat.channel, "", chat.who)
    by_name: dict[str, list[tuple[Candidate, str]]] = {}
    for one, role in kept:
        name = scopes.name_of(user_key if one.kind in ("preference", "fact") else chat_key, "")
        by_name.setdefault(name, []).append((one, role))
    fresh: list[Candidate] = []
    changes = []
    for name, some in by_name.items():
        changes.append(_laid(name, some, chat, at, memory, settings, fresh, counted))
    return fresh, changes


def _laid(
    name: str,
    some: list[tuple[Candidate, str]],
    chat: scopes.Scope,
    at: datetime,
    memory: Memory,
    settings: Settings,
    fresh: list[Candidate],
    counted: Counter[str],
) -> Change:
    path = layout.entries_path(name)
    data = memory.read(path) or b""
    known = {(one.kind, lines.normal(one.text)): one for one in entries(path, data)}
    rows, added = data.split(b"\n"), b""
    for one, role in some:
        expires = expiry(one.kind, at, settings)
        again = known.get((one.kind, lines.normal(one.content)))
        if again is not None:
            number = again.fact.line - 1
            rows[number] = said_again(rows[number], one, at, expires)
            counted["memory_capture_deduped"] += 1
            continue
        about = {
            **{"kind": one.kind, "importance": one.importance, "confidence": one.confidence, "expires_at": expires},
            **{"source": "auto_heuristic", "source_role": role, "channel": chat.channel, "chat_id": chat.who},
            "sender_id": chat.who,
        }
        added += curate.entry(name, one.content, at, about)
        fresh.append(one)
        counted["memory_capture_saved"] += 1
    whole = b"\n".join(rows)
    return Put(path, whole + added, digest(data)) if whole != data else Append(path, added)


def said_again(row: bytes, one: Candidate, at: datetime, expires: str | None) -> bytes:
    """The row, without its line end, of an entry that was said once more."""
    found = lines.row(row + b"\n")
    weights = {
        name: max(float(str(found[name])), value)
        for name, value in (("importance", one.importance), ("confidence", one.confidence))
    }
    told = {**found, **weights, "updated_at": lines.instant(at), "expires_at": expires}
    return lines.line(told).rstrip(b"\n")


def expiry(kind: str, at: datetime, settings: Settings) -> str | None:
    """When an entry of a kind expires, None for never."""
    days = settings.days(kind)
    return lines.instant(at + timedelta(days=days)) if days > 0 else None


def mirrored(fresh: Iterable[Candidate], at: datetime, memory: Memory) -> list[Change]:
    """New entries as lines of the workspace's files."""
    told: dict[str, str] = {}
    moment = at.astimezone(UTC)
    for one in fresh:
        day = f"{moment:%Y-%m-%d}"
        title = MIRRORS[one.kind].capitalize() if one.kind in MIRRORS else day
        name = f"{layout.SEMANTIC}/{MIRRORS[one.kind]}" if one.kind in MIRRORS else f"{layout.EPISODIC}/{day}"
        path = f"memory/{name}.md"
        if path not in told:
            told[path] = "" if memory.tail(path, 1) is not None else f"# {title}\n\n"
        told[path] += f"- [{moment:%Y-%m-%d %H:%M:%S} UTC] {one.content}\n"
    return [Append(path, text.encode()) for path, text in told.items()]


def _stored(
    kept: Iterable[tuple[Candidate, str]], dropped: Iterable[Dropped], counted: Counter[str]
) -> dict[str, object]:
    """What went where, with the bot's own counters and the reason for each thing that was not kept."""
    dropped = list(dropped)
    counted["memory_capture_dropped_low_conf"] = sum(one.why == UNSURE for one in dropped)
    counted["memory_capture_dropped_safety"] = sum(one.why == UNSAFE for one in dropped)
    return {
        "entries": [{"kind": one.kind, "text": one.content} for one, _ in kept],
        "dropped": [{"kind": one.kind, "text": one.content, "why": one.why} for one in dropped],
        "counters": {name: count for name, count in counted.items() if count},
    }
