"""A finished turn becomes changes: what the bot said is worth remembering goes where the bot itself would write it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory import bots, journal, library
from memory.changes import is_safe_path
from memory.chat_turns import Hold
from memory.dialects.base import Captured, Turn
from memory.models import Bot, ChangeSet, Delivery
from memory.text.keep import keepable
from memory.turns import Call, Refused
from memory.vault.walk import is_hidden

TRIES = 4
GLANCE = 2048  # bytes; some twenty entries, and room for what the turn itself says comes on top


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn that was taken in: the text the user may see, what went where, and the change set (None: nothing to write)."""

    clean_text: str
    stored: dict[str, Any]
    change_set: ChangeSet | None


def take(
    bot: Bot, call: Call, delivery: Delivery, *, by: str = "delivery", hold: Hold | None = None
) -> Taken | Refused:
    """Take in the turn of a call; `delivery` is saved with its changes or, if there are none, by itself. Until its change
    set is written, its answer is what the sender will be told. `hold`: the reply was made here, in this turn of the chat, so
    that what was said goes into the transcript as well.

    Raises what the journal raises (Busy, VaultError), and Lost, each with nothing changed.
    """
    moment = bots.now(bot) if call.at is None else call.at.astimezone(bots.zone(bot))
    for _ in range(TRIES):
        captured = _captured(bot, call, moment, answered=hold is not None)
        if captured is None:
            return call.misnamed
        delivery.status, delivery.answer = 200, answer_of(keepable(captured.clean_text), captured.stored)
        outcome = journal.commit(
            bot,
            captured.changes,
            by=journal.By(by),
            kind=ChangeSet.Kind.ANSWER if hold else ChangeSet.Kind.CAPTURE,
            why=f"An answer in {call.session_id}" if hold else f"A turn in {call.session_id}",
            moved="merge",
            delivery=delivery,
            beside=hold.fence if hold else None,
        )
        if isinstance(outcome, journal.Applied):
            return Taken(captured.clean_text, captured.stored, outcome.change_set)
    raise journal.Busy("Others kept writing to the same document. Nothing was changed; send the turn again.")


class _Glance(library.BotMemory):
    """The memory as a turn looks at it: of a log only its very end, where the bot would just have written the same."""

    def __init__(self, bot: Bot, turn: Turn) -> None:
        super().__init__(bot)
        self._most = GLANCE + 2 * len(turn.response.encode("utf-8", "surrogatepass"))

    def tail(self, path: str, size: int) -> bytes | None:
        return super().tail(path, min(size, self._most))


def answer_of(clean_text: str, stored: dict[str, Any]) -> dict[str, Any]:
    """What the sender of a finished turn is told."""
    return {"response": clean_text, "status": "ok", "stored": stored}


def _captured(bot: Bot, call: Call, moment: datetime, *, answered: bool) -> Captured | None:
    """What the dialect makes of the turn; None if the session id cannot name this bot's files."""
    dialect, settings = bots.dialect(bot), bots.settings(bot)
    if dialect.session_id_problem(call.session_id):
        return None
    turn = Turn(call.session_id, call.message, call.response or "", moment, answered)
    memory = _Glance(bot, turn)
    captured = dialect.capture(turn, memory, settings)
    if answered:
        line = dialect.spoken(turn, captured.clean_text, memory)
        said = {**captured.stored, "documents": [*captured.stored.get("documents", ()), line.path]}
        captured = Captured(captured.clean_text, (*captured.changes, line), said)
    if not all(is_safe_path(change.path) and not is_hidden(change.path) for change in captured.changes):
        return None
    return captured
