"""A finished turn becomes changes: what the bot said is worth remembering goes where the bot itself would write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from memory import index, journal
from memory.bots import open_bot
from memory.domain.abilities import observe
from memory.domain.changes import is_safe_path
from memory.domain.errors import WriteFailed
from memory.domain.turns import Captured, Turn
from memory.models import Bot, ChangeSet, Delivery
from memory.storage.walk import is_hidden
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.webhook import held
from memory.webhook.call import WebhookCall
from memory.webhook.chat_lock import Hold

GLANCE = 2048  # bytes; some twenty entries, and room for what the turn itself says comes on top

_Sifted = tuple[Captured, Sequence[held.HeldPart]]  # what is written of a turn, and what waits for somebody


def take(
    bot: Bot,
    call: WebhookCall,
    delivery: Delivery,
    *,
    by: journal.By,
    hold: Hold | None = None,
    counted: Mapping[str, int] | None = None,
) -> Captured:
    """Take in the turn of a call, and say what was made of it; `delivery` is saved with its changes or, if there are none, by
    itself. Until its change set is written, its answer is what the sender will be told. `hold`: the reply was made here, in this
    turn of the chat, so that what was said goes into the transcript as well; `counted` is what the bot counts of the prompt that
    it was made with.

    Raises what the journal raises (Busy, VaultError), RefusedCall and Lost, each with nothing changed.
    """
    turn = turn_of(bot, call, answered=hold is not None)
    kind = ChangeSet.Kind.ANSWER if hold else ChangeSet.Kind.CAPTURE
    why = (
        say("A reply in %(session_id)s", session_id=call.session_id)
        if hold
        else say("A delivery from %(session_id)s", session_id=call.session_id)
    )

    def make() -> journal.CommitPlan[_Sifted]:
        captured = _capture(bot, turn, counted or {})
        if captured is None:
            raise call.misnamed
        captured, parts = held.sift(bot, turn, captured, paid=hold is not None)
        delivery.status, delivery.answer = 200, answer_of(keepable(captured.clean_text), captured.stored)
        return journal.CommitPlan(captured.changes, (captured, parts))

    def write(plan: journal.CommitPlan[_Sifted]) -> journal.Applied | journal.Conflict:
        parts = plan.told[1]

        def beside(change_set: ChangeSet | None) -> None:
            if hold and change_set:
                hold.fence(change_set)
            delivery.change_set = change_set
            delivery.record()
            if parts:
                held.keep(bot, delivery, parts)

        outcome = journal.commit(bot, plan.changes, by=by, kind=kind, why=why, beside=beside)
        if outcome == journal.Applied(None):  # there is nothing to write, or all of it waits
            with transaction.atomic():
                beside(None)
        return outcome

    # What could not be written is perhaps there by now, from the bot itself; then the turn is another one.
    plan, outcome = journal.attempt(bot, make, by=by, write=write, passing=(WriteFailed,))
    if isinstance(outcome, journal.Applied):
        return plan.told[0]
    raise journal.Busy(say("The file kept changing. Nothing was changed; send the delivery again."))


def command(bot: Bot, call: WebhookCall) -> str | None:
    """What the bot itself answers to a call, without asking its model; None where it would ask."""
    capturing = open_bot(bot).dialect.capturing
    return capturing.command(turn_of(bot, call, answered=True)) if capturing else None


def begin(bot: Bot, call: WebhookCall, hold: Hold, by: journal.By) -> None:
    """Write what the bot itself would of a message before its reply is there, as a change of its own: it stays if there never is
    one. Raises what the journal raises, and Lost."""
    turn, capturing = turn_of(bot, call, answered=True), open_bot(bot).dialect.capturing
    changes = capturing.begun(turn, _Glance(bot, turn), open_bot(bot).settings) if capturing else ()
    why = say("A message in %(session_id)s", session_id=call.session_id)
    journal.commit(bot, changes, by=by, kind=ChangeSet.Kind.ANSWER, why=why, beside=hold.fence)


def turn_of(bot: Bot, call: WebhookCall, *, answered: bool) -> Turn:
    """A call as the bot's turn."""
    moment = open_bot(bot).now() if call.at is None else call.at.astimezone(open_bot(bot).zone)
    return Turn(
        *(call.session_id, call.message, call.response or "", moment),
        answered=answered,
        sender=call.user_id or "",
        reply_to=call.reply_to or "",
        message_id=call.message_id or "",
        group_id=call.group_id or "",
        chat_name=call.chat_name or "",
        is_public=call.is_public,
    )


class _Glance(index.BotMemory):
    """The memory as a turn looks at it: of a log only its very end, where the bot would just have written the same."""

    def __init__(self, bot: Bot, turn: Turn) -> None:
        super().__init__(bot)
        self._most = GLANCE + 2 * len(turn.response.encode("utf-8", "surrogatepass"))

    def tail(self, path: str, size: int) -> bytes | None:
        return super().tail(path, min(size, self._most))


def answer_of(clean_text: str, stored: dict[str, Any]) -> dict[str, Any]:
    """What the sender of a finished turn is told."""
    return {"response": clean_text, "status": "held" if stored.get("held") else "ok", "stored": stored}


def _capture(bot: Bot, turn: Turn, counted: Mapping[str, int]) -> Captured | None:
    """What the dialect makes of the turn; None if the session id cannot name this bot's files."""
    dialect, settings = open_bot(bot).dialect, open_bot(bot).settings
    if dialect.session_id_problem(turn.session_id):
        return None
    memory = _Glance(bot, turn)
    capturing = dialect.capturing
    captured = capturing.capture(turn, memory, settings) if capturing else observe(turn)
    if turn.answered and capturing and (line := capturing.spoken(turn, captured.clean_text, memory)):
        said = {**captured.stored, "documents": [*captured.stored.get("documents", ()), line.path]}
        captured = Captured(captured.clean_text, (*captured.changes, line), said)
    if counted:
        both = {**counted, **captured.stored.get("counters", {})}
        captured = replace(captured, stored={**captured.stored, "counters": both})
    if not all(is_safe_path(change.path) and not is_hidden(change.path) for change in captured.changes):
        return None
    return captured
