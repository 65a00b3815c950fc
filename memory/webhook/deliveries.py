"""What becomes of a call: answered from the first result if it is a repeat, else taken in once, all or nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, IntegrityError, OperationalError, connection

from memory import journal, llm
from memory.access.request_body import RefusedCall
from memory.bots import open_bot
from memory.domain.errors import LeadsOutside, Unreadable, VaultError
from memory.journal import versions
from memory.models import Bot, ChangeSet, Delivery
from memory.storage import database
from memory.webhook import answer as answering, call as turn_calls, capture, chat_lock, held
from memory.webhook.answer import Unanswered
from memory.webhook.call import WebhookCall

SAME_BODY = timedelta(minutes=10)
WHILE_PEOPLE_REVIEW = 3600  # seconds
UNTAKEN = (408, 409, 429, 503)  # came to nothing, and may be tried again
NO_MODEL = {"error": answering.FAULTS[llm.Fault.NONE_SET][1], "status": "error"}
CHAT_BUSY = {"error": answering.CHAT_BUSY, "status": "error"}
ANOTHER_CHAT = {"error": "another chat's message had this id", "status": "error"}
BUSY = {"error": "the memory is busy, send the call again", "status": "error"}
FULL = {"error": "the disk of the server's database is full, nothing was changed", "status": "error"}
OUTSIDE = {"error": "the chat's directory is a link out of the memory", "status": "error"}
NOT_WRITTEN = {"error": "the memory cannot be written, nothing was changed", "status": "error"}
TOO_MANY = {"error": "too much of this bot waits for review, nothing was changed", "status": "error"}
NOT_READ = {"error": "the memory cannot be read, nothing was changed", "status": "error"}
DELIVERED = journal.By("delivery")
BODY = "body:"  # begins the name of a call that is signed over its body alone, and has no id


@dataclass(frozen=True, slots=True)
class Letter:
    """How a call came: the hash of its raw body, when it came (aware) and by the performance counter (`started`).

    `webhook_id` is the standard form's; `remember_body`: the form has no id and no time, so the body itself tells repeats.
    `secret` is the row of the secret that signed it, None for the environment's; `trial`: sent from the desk, by `by`.
    """

    body_sha256: str
    received: datetime
    started: float
    webhook_id: str | None = None
    remember_body: bool = False
    secret: int | None = None
    by: journal.By = DELIVERED
    trial: bool = False

    @property
    def names(self) -> tuple[str | None, ...]:
        """What a repeat of this letter is known by. A body without an id is named by its hash and these ten minutes, or the
        ten before: two equal ones must never both be taken, and a unique column is what two processes cannot both pass."""
        if not self.remember_body:
            return (self.webhook_id,)
        span = int(self.received.timestamp() // SAME_BODY.total_seconds())
        return (f"{BODY}{self.body_sha256}:{span}", f"{BODY}{self.body_sha256}:{span - 1}")


@dataclass(frozen=True, slots=True)
class DeliveryAnswer:
    """The HTTP status and the JSON of an answer. `why` is for the log and the command line; no answer over HTTP holds it.
    `repeated`: the call came before, and this is how it was answered then. `wait` seconds before it is sent again."""

    status: int
    body: dict[str, Any]
    why: str = ""
    repeated: bool = False
    wait: int = 0


def receive(bot: Bot, sent: WebhookCall, letter: Letter) -> DeliveryAnswer:
    """Take a call in, or answer it as its first copy was answered."""
    try:
        call = turn_calls.with_session(sent, open_bot(bot).dialect)
        return _receive(bot, call, letter)
    except RefusedCall as refused:
        return DeliveryAnswer(refused.status, {"error": refused.error})
    except IntegrityError:  # its twin was faster by an instant
        first = _first(bot, call, letter)
        if first and _is_another(first, call, letter):
            return DeliveryAnswer(400, ANOTHER_CHAT)
        return (first and _finished(bot, first)) or DeliveryAnswer(409, BUSY)
    except (journal.Busy, OperationalError) as error:
        if database.is_full(error):
            return DeliveryAnswer(503, FULL, str(error))
        return DeliveryAnswer(409, BUSY, str(error))
    except VaultError as error:  # its first copy was cut off, and cannot be finished now; it stays as it is
        return DeliveryAnswer(503, NOT_READ, str(error))


def _receive(bot: Bot, call: WebhookCall, letter: Letter) -> DeliveryAnswer:
    delivery = _first(bot, call, letter)
    if delivery is not None:
        if answer := _finished(bot, delivery):
            return DeliveryAnswer(400, ANOTHER_CHAT) if _is_another(delivery, call, letter) else answer
        if not delivery.status and chat_lock.chats_answering(bot, [delivery.session_id]):
            return DeliveryAnswer(409, CHAT_BUSY, wait=answering.AGAIN)
        if not _claim(delivery, letter):
            return DeliveryAnswer(409, BUSY)
    else:
        delivery = Delivery(bot=bot, message_id=call.message_id, webhook_id=letter.names[0])
    delivery.body_sha256, delivery.received, delivery.started = letter.body_sha256, letter.received, letter.started
    delivery.session_id, delivery.body = call.session_id, call.body()
    delivery.secret_id, delivery.trial = letter.secret, letter.trial
    if call.response is None and llm.server() is None and not capture.command(bot, call):
        return _close(delivery, DeliveryAnswer(503, NO_MODEL))
    if call.response is None:
        if open_bot(bot).dialect.session_id_problem(call.session_id):
            raise call.misnamed
        delivery.status, delivery.answer = 0, {}
        delivery.record()
    return _take(bot, call, delivery, letter.by)


def _take(bot: Bot, call: WebhookCall, delivery: Delivery, by: journal.By) -> DeliveryAnswer:
    try:
        act = capture.take if call.response is not None else answering.answer
        taken = act(bot, call, delivery, by=by)
    except LeadsOutside as error:
        return _close(delivery, DeliveryAnswer(400, OUTSIDE, str(error)))
    except Unreadable as error:
        return _close(delivery, DeliveryAnswer(503, NOT_READ, str(error)))
    except held.TooMany as error:
        return _close(delivery, DeliveryAnswer(429, TOO_MANY, str(error), wait=WHILE_PEOPLE_REVIEW))
    except VaultError as error:
        return _close(delivery, DeliveryAnswer(503, NOT_WRITTEN, str(error)))
    except journal.Busy as error:
        return _close(delivery, DeliveryAnswer(409, BUSY, str(error)))
    except answering.TakenOver:
        return DeliveryAnswer(409, CHAT_BUSY, wait=answering.AGAIN)
    if isinstance(taken, Unanswered):
        body = {"error": taken.error, "status": "error"}
        return _close(delivery, DeliveryAnswer(taken.status, body, taken.why, wait=taken.wait))
    if bot.settings.get("facts_per_turn"):
        _follow_on(bot, delivery)
    with suppress(VaultError, journal.Busy, DatabaseError):
        open_bot(bot).family.after_turn(bot, delivery)
    return DeliveryAnswer(200, capture.answer_of(taken.clean_text, taken.stored))


def _follow_on(bot: Bot, delivery: Delivery) -> None:
    from memory.compaction.chats import after_turn  # of no use to most bots, and slow to load

    after_turn(bot, delivery)


def _close(delivery: Delivery, answer: DeliveryAnswer) -> DeliveryAnswer:
    """Record a call that came to nothing."""
    delivery.status, delivery.answer = answer.status, answer.body
    delivery.record()
    return answer


def _first(bot: Bot, call: WebhookCall, letter: Letter) -> Delivery | None:
    """The delivery that this call repeats."""
    names = letter.names
    wanted: list[Any] = [bot.pk, call.message_id, bot.pk, names[0], names[-1]]
    with connection.cursor() as cursor:
        cursor.execute(_REPEATED, wanted)
        found = [row[0] for row in cursor.fetchall()]
    if not found:
        return None
    for delivery in Delivery.objects.filter(pk__in=found).select_related("change_set").order_by("id"):
        same_message = call.message_id is not None and delivery.message_id == call.message_id
        if same_message or not letter.remember_body or letter.received - delivery.received < SAME_BODY:
            return delivery
    return None


# By hand and not by the ORM: this runs for every call, and either half is one look into a unique index.
_REPEATED = """
    SELECT id FROM memory_delivery WHERE bot_id = %s AND message_id = %s
    UNION SELECT id FROM memory_delivery WHERE bot_id = %s AND webhook_id IN (%s, %s)
"""


def _finished(bot: Bot, first: Delivery) -> DeliveryAnswer | None:
    """How the first call was answered, after finishing it if it was cut off; None if it came to nothing and may be tried again."""
    if first.status in UNTAKEN:
        return None
    if not first.status or (first.change_set and first.change_set.state == ChangeSet.State.WRITING):
        journal.recover(bot)
        first.refresh_from_db()
    stands = first.status == 200 and versions.was_written(first.change_set)
    return DeliveryAnswer(first.status, first.answer, repeated=True) if stands else None


def _is_another(first: Delivery, call: WebhookCall, letter: Letter) -> bool:
    """Whether a call that has the id of an earlier one is another message, of another chat: nobody gets to read an answer of that
    one's. Calls without a chat are in a new one each time, and their repeats have the same body."""
    return first.session_id != call.session_id and first.body_sha256 != letter.body_sha256


def _claim(delivery: Delivery, letter: Letter) -> bool:
    """Make a failed delivery ours to try again; False if another copy of the call was faster."""
    unchanged = Delivery.objects.filter(pk=delivery.pk, status=delivery.status, received=delivery.received)
    delivery.change_set = None
    return bool(unchanged.update(status=0, answer={}, change_set=None, received=letter.received))
