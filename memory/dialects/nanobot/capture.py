"""What a turn makes: its notes in the session's state file, entries, and their lines in the mirrors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.dialects.nanobot import chats, curate, layout, lines, mirrors, scopes, states
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.picking import LONGEST, UNSAFE, UNSURE, CandidateEntry, Dropped, Picked, picked
from memory.dialects.nanobot.recall import ABOUT_THE_USER
from memory.dialects.nanobot.settings import ANY, RENEWED, Settings
from memory.domain.changes import Append, Change, Put, digest
from memory.domain.memory import Memory
from memory.domain.turns import Captured, Turn
from memory.text.attributes import instant
from memory.text.sentences import say

SAVED, DEDUPED = "memory_capture_saved", "memory_capture_deduped"
LOW_CONFIDENCE, SAFETY = "memory_capture_dropped_low_conf", "memory_capture_dropped_safety"
NO_SENDER = say("The sender’s name is too long for a file name.")


@dataclass(frozen=True, slots=True)
class _Laid:
    """Some entries in the document of a scope: the change, and those of them that no entry said before."""

    change: Change
    fresh: Sequence[CandidateEntry]


def begun(turn: Turn, memory: Memory, settings: Settings, path: str | None) -> tuple[Change, ...]:
    """What is noted of a message, in the state file `path`, before the reply is there. Raises ValueError for a session id that
    names no chat."""
    note = states.before(instant(turn.at), turn.message, turn.reply_to)
    return _noted(turn, note, memory, settings, path)


def capture(turn: Turn, memory: Memory, settings: Settings, path: str | None) -> Captured:
    """The changes of a turn. Of one that was answered here `begun` is written already. Raises ValueError for a session id that
    names no chat."""
    if settings.capture != "write" and not turn.answered:
        return Captured(turn.response, (), {"observed": True})
    note = states.after(instant(turn.at), turn.response)
    if not turn.answered:
        note = states.before(instant(turn.at), turn.message, turn.reply_to) + note
    notes = _noted(turn, note, memory, settings, path)
    if not _listens(chats.chat_of(turn.session_id), settings):
        return Captured(turn.response, notes, _stored((), (), {}, ()))
    found = picked(turn.message, settings, turn.response if settings.picks_replies else None)
    return _entered(turn, found, notes, memory, settings)


def _listens(chat: scopes.Scope, settings: Settings) -> bool:
    """Whether anything said in a chat may become an entry."""
    is_on = settings.enabled and settings.picks_messages
    return is_on and (chat.channel in settings.channels or ANY in settings.channels)


def _noted(turn: Turn, note: str, memory: Memory, settings: Settings, path: str | None) -> tuple[Change, ...]:
    """A note at the end of the session's state file."""
    chat = chats.chat_of(turn.session_id)
    if path is None or not (settings.enabled and settings.notes_sessions):
        return ()
    last = memory.tail(path, 1)
    if last is None and turn.response and turn.answered:
        note = states.late_head() + note
    elif last is None:
        note = states.head(f"{chat.channel}:{chat.who}", chat.channel, chat.who) + note
    return (Append(path, (b"" if last in (None, b"", b"\n") else b"\n") + note.encode()),)


def _entered(turn: Turn, found: Picked, notes: Sequence[Change], memory: Memory, settings: Settings) -> Captured:
    """What was picked out of a turn as entries, in the scopes that they belong to, and in the mirrors."""
    chat = chats.chat_of(turn.session_id)
    user = scopes.name_of(scopes.user_key(chat.channel, turn.sender, chat.who), "")
    kept, dropped = found.kept, found.dropped
    if scopes.key_of(user, "") is None:
        kept = tuple(one for one in kept if one.kind not in ABOUT_THE_USER)
        lost = (one for one in found.kept if one.kind in ABOUT_THE_USER)
        dropped = (*dropped, *(Dropped(one.kind, one.content, NO_SENDER) for one in lost))
    by_name: dict[str, list[CandidateEntry]] = {}
    for one in kept:
        by_name.setdefault(user if one.kind in ABOUT_THE_USER else turn.session_id, []).append(one)
    laid = [_laid(name, some, turn, memory, settings) for name, some in by_name.items()]
    fresh = [one for some in laid for one in some.fresh]
    counted = {
        **{SAVED: len(fresh), DEDUPED: len(kept) - len(fresh)},
        **{
            LOW_CONFIDENCE: sum(one.why == UNSURE for one in dropped),
            SAFETY: sum(one.why == UNSAFE for one in dropped),
        },
    }
    copies = mirrored(fresh, turn.at, memory) if settings.mirrors else []
    changes = (*(some.change for some in laid), *copies)
    return Captured(turn.response, (*notes, *changes), _stored(kept, dropped, counted, changes))


def _laid(name: str, some: Iterable[CandidateEntry], turn: Turn, memory: Memory, settings: Settings) -> _Laid:
    """Entries in the document of their scope. What one says already is said again: it counts as newer."""
    path = layout.entries_path(name)
    data = memory.read(path) or b""
    known = {(one.kind, lines.normal(one.text)): one for one in entries(path, data)}
    rows, added, fresh = data.split(b"\n"), b"", []
    for one in some:
        known_as = known.get((one.kind, lines.normal(one.content)))
        if known_as is None:
            added += _row(name, one, turn, settings)
            fresh.append(one)
        else:
            at = known_as.fact.line - 1
            rows[at] = said_again(rows[at], one, turn.at, _until(known_as, turn.at, settings))
    whole = b"\n".join(rows)
    return _Laid(Put(path, whole + added, digest(data)) if whole != data else Append(path, added), fresh)


def _row(name: str, one: CandidateEntry, turn: Turn, settings: Settings) -> bytes:
    chat = chats.chat_of(turn.session_id)
    about = {
        **{"kind": one.kind, "importance": one.importance, "confidence": one.confidence},
        **{"expires_at": expiry(one.kind, turn.at, settings), "source": "auto_heuristic", "source_role": one.role},
        **{"channel": chat.channel, "chat_id": chat.who, "sender_id": turn.sender or _on_command_line(chat)},
        "source_message_id": turn.message_id.strip() or None,
    }
    return curate.entry(name, one.content, turn.at, about)


def _on_command_line(chat: scopes.Scope) -> str | None:
    """Who writes where nobody says: on its command line the bot takes the chat for that, elsewhere it notes nobody."""
    return chat.who if chat.channel == chats.CLI else None


def _until(entry: Entry, at: datetime, settings: Settings) -> str | None:
    """When an entry that was said again expires."""
    return expiry(entry.kind, at, settings) if settings.said_again == RENEWED else entry.expires or None


def said_again(row: bytes, one: CandidateEntry, at: datetime, expires: str | None) -> bytes:
    """The row, without its line end, of an entry that was said once more."""
    found = lines.row(row + b"\n")
    weights = {
        name: max(float(str(found[name])), value)
        for name, value in (("importance", one.importance), ("confidence", one.confidence))
    }
    told = {**found, **weights, "updated_at": instant(at), "expires_at": expires}
    return lines.line(told).rstrip(b"\n")


def expiry(kind: str, at: datetime, settings: Settings) -> str | None:
    """When an entry of a kind expires, None for never."""
    return curate.expiry(at, settings.days(kind))


def mirrored(fresh: Iterable[CandidateEntry], at: datetime, memory: Memory) -> list[Change]:
    """New entries as lines of the workspace's files."""
    told: dict[str, str] = {}
    for one in fresh:
        path = mirrors.path_of(one.kind, at)
        if path not in told:
            told[path] = "" if memory.tail(path, 1) is not None else mirrors.head(path)
        told[path] += mirrors.line(one.content, at)
    return [Append(path, text.encode()) for path, text in told.items()]


def _stored(
    kept: Iterable[CandidateEntry], dropped: Iterable[Dropped], counted: Mapping[str, int], changes: Iterable[Change]
) -> dict[str, object]:
    """What went where, with the bot's own counters and the reason for each thing that was not kept."""
    return {
        "entries": [{"kind": one.kind, "text": one.content} for one in kept],
        "dropped": [{"kind": one.kind, "text": _short(one.content), "why": one.why} for one in dropped],
        "counters": {name: count for name, count in counted.items() if count},
        "documents": [change.path for change in changes],
    }


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
