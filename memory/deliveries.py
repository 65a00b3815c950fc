"""What becomes of a call: answered from the first result if it is a repeat, else taken in once, all or nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, OperationalError
from django.db.models import Q
from django.utils import timezone

from memory import capture, journal
from memory.models import Bot, ChangeSet, Delivery
from memory.turns import Call, Refused
from memory.vault import VaultError

SAME_BODY = timedelta(minutes=10)
NO_MODEL = {"error": "no language model is configured", "status": "error"}
BUSY = {"error": "the memory is busy, send the call again", "status": "error"}
NOT_WRITTEN = {"error": "the memory cannot be written, nothing was changed", "status": "error"}


@dataclass(frozen=True, slots=True)
class Letter:
    """How a call came: the hash of its raw body, when it came (aware), `started` on the performance counter.

    `webhook_id` is the standard form's; `remember_body`: the form has no id and no time, so the body itself tells repeats.
    """

    body_sha256: str
    received: datetime
    started: float
    webhook_id: str | None = None
    remember_body: bool = False
    by: str = "delivery"

    @property
    def known_by(self) -> str | None:
        """The id that a repeat of this letter has too. Two equal bodies within ten minutes must never both be taken, and
        a unique column is the only thing that two processes cannot both pass."""
        if not self.remember_body:
            return self.webhook_id
        return f"body:{self.body_sha256}:{int(self.received.timestamp() // SAME_BODY.total_seconds())}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The HTTP status and the JSON of an answer. `why` is for the log and the command line; no answer over HTTP holds it."""

    status: int
    body: dict[str, Any]
    why: str = ""


def receive(bot: Bot, call: Call, letter: Letter) -> Answer:
    """Take a call in, or answer it as its first copy was answered."""
    try:
        return _receive(bot, call, letter)
    except IntegrityError:  # its twin was faster by an instant
        first = _first(bot, call, letter)
        return (first and _finished(bot, first)) or Answer(409, BUSY)
    except (journal.Busy, OperationalError) as error:
        return Answer(409, BUSY, str(error))


def _receive(bot: Bot, call: Call, letter: Letter) -> Answer:
    delivery = _first(bot, call, letter)
    if delivery is not None:
        if answer := _finished(bot, delivery):
            return answer
        if not _claim(delivery):
            return Answer(409, BUSY)
    else:
        delivery = Delivery(bot=bot, message_id=call.message_id, webhook_id=letter.known_by)
    delivery.body_sha256, delivery.received = letter.body_sha256, letter.received
    delivery.session_id, delivery.body = call.session_id, call.body()
    if call.response is None:
        return _close(delivery, letter, Answer(503, NO_MODEL))
    return _take(bot, call, delivery, letter)


def _take(bot: Bot, call: Call, delivery: Delivery, letter: Letter) -> Answer:
    try:
        taken = capture.take(bot, call, delivery, by=letter.by)
    except VaultError as error:
        return _close(delivery, letter, Answer(503, NOT_WRITTEN, str(error)))
    except journal.Busy as error:
        return _close(delivery, letter, Answer(409, BUSY, str(error)))
    if isinstance(taken, Refused):
        return Answer(taken.status, {"error": taken.error})
    return _close(delivery, letter, Answer(200, capture.answer_of(taken.clean_text, taken.stored)))


def _first(bot: Bot, call: Call, letter: Letter) -> Delivery | None:
    """The delivery that this call repeats."""
    same = Q()
    if call.message_id:
        same |= Q(message_id=call.message_id)
    if letter.remember_body:
        since = letter.received - SAME_BODY
        same |= Q(body_sha256=letter.body_sha256, received__gt=since, webhook_id__startswith="body:")
    elif letter.webhook_id:
        same |= Q(webhook_id=letter.webhook_id)
    return Delivery.objects.filter(same, bot=bot).order_by("id").first() if same else None


def _finished(bot: Bot, first: Delivery) -> Answer | None:
    """How the first call was answered, after finishing it if it was cut off; None if it came to nothing and may be tried again."""
    if not first.status:
        journal.recover(bot)
        first.refresh_from_db()
    if first.status in (409, 503):
        return None
    if not first.status:
        if not _stands(first):
            return None
        first.status = 200
        first.save(update_fields=["status"])
    return Answer(first.status, first.answer)


def _stands(first: Delivery) -> bool:
    """Whether what a cut-off call wanted written is written."""
    made = first.change_set
    if made is None:
        return bool(first.answer)
    written = made.state in (ChangeSet.State.APPLIED, ChangeSet.State.SETTLING)
    return written and not made.undone_by.filter(by=made.by).exists()


def _claim(delivery: Delivery) -> bool:
    """Make a failed delivery ours to try again; False if another copy of the call was faster."""
    unchanged = Delivery.objects.filter(pk=delivery.pk, status=delivery.status, received=delivery.received)
    delivery.status, delivery.answer, delivery.change_set = 0, {}, None
    return bool(unchanged.update(status=0, answer={}, change_set=None, received=timezone.now()))


def _close(delivery: Delivery, letter: Letter, answer: Answer) -> Answer:
    """Record how a call was answered."""
    delivery.status, delivery.answer = answer.status, answer.body
    delivery.milliseconds = round((time.perf_counter() - letter.started) * 1000, 3)
    if delivery.pk:
        delivery.save(update_fields=["status", "answer", "milliseconds", "received"])
    else:
        delivery.save()
    return answer
