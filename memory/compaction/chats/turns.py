"""The turns of a chat that facts are picked out of: those of its transcript since the last time, or the one of a delivery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Q

from memory.compaction.chats.extraction import Exchange
from memory.compaction.chats.shapes import MESSAGE, QUOTED, source, talk_of
from memory.compaction.chats.transcript_tail import Heard
from memory.jobs import proposals
from memory.jobs.run import Failed
from memory.models import Bot, Delivery, Job
from memory.text.sentences import say
from memory.text.utf16 import truncate

READ = 64 * 1024  # bytes of a transcript's end
BATCH = 8_000  # characters of turns in one question
NOT_ALL = say("Only the newest messages were read; there are too many older ones.")
MISSED = 50  # calls of a chat, the newest, that are looked at on the day after
GONE = say("The delivery with this message is no longer on record.")


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said from one message of the user's to the next. `upto`: the byte of the transcript where it ends, 0 for a call;
    `delivery`: the call, 0 for a transcript."""

    sources: tuple[dict[str, object], ...]
    texts: tuple[str, ...]
    exchange: Exchange
    upto: int = 0
    delivery: int = 0
    said: str = ""  # by the user, whole

    @property
    def size(self) -> int:
        return len(self.exchange.message) + len(self.exchange.reply)


def call_job_name(pk: int) -> str:
    """The name of a job about one call alone."""
    return f"delivery {pk}"


def came_by_call(job: Job) -> bool:
    """Whether a job is about turns that came in by webhook, for which nobody asked it."""
    return "delivery" in job.params or "since" in job.params


def turns_of(job: Job, chat: str) -> tuple[list[Turn], str]:
    """The turns that a job has to look at, and a sentence about those that are too many. Raises Failed and Unreadable."""
    pk = job.params.get("delivery")
    if pk is not None:
        return [] if job.outcome.get("turns") else [_delivered(job.bot, chat, pk)], ""
    if "since" in job.params:
        return _missed(job, chat)
    talk = talk_of(job.bot, chat, READ, _since(job, chat))
    return list(_spoken(talk.path, talk.messages)), "" if talk.is_whole else NOT_ALL


def batches(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    """Turns in questions that are not too long."""
    batch, size = list[Turn](), 0
    for turn in turns:
        if batch and size + turn.size > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(turn)
        size += turn.size
    if batch:
        yield batch


def _delivered(bot: Bot, chat: str, pk: int) -> Turn:
    """The turn that came with a call, if it was taken in for this very chat."""
    delivery = Delivery.objects.filter(bot=bot, pk=pk, session_id=chat, status=200).first()
    if delivery is None:
        raise Failed(GONE)
    return _of(delivery)


def _missed(job: Job, chat: str) -> tuple[list[Turn], str]:
    """The turns of the day on which the model was not asked any more; those that it was asked about have jobs of their own."""
    came = Delivery.objects.filter(
        bot=job.bot,
        session_id=chat,
        received__gte=job.params["since"],
        received__lt=job.params["until"],
        status=200,
        trial=False,
    ).exclude(pk__in=job.outcome.get("seen", ()))
    found = list(came.order_by("-received", "-pk")[: MISSED + 1])
    looked = Job.objects.filter(bot=job.bot, kind=job.kind, name__in=[call_job_name(one.pk) for one in found])
    names = set(looked.values_list("name", flat=True))
    turns = [_of(one) for one in reversed(found[:MISSED]) if call_job_name(one.pk) not in names]
    return turns, NOT_ALL if len(found) > MISSED else ""


def _of(delivery: Delivery) -> Turn:
    said = {"user": str(delivery.body.get("message", "")), "assistant": str(delivery.answer.get("response", ""))}
    told = [
        {"path": "", "line": 0, "role": role, "text": truncate(text, QUOTED), "delivery": delivery.pk}
        for role, text in said.items()
    ]
    return Turn(tuple(told), tuple(said.values()), _exchange(*said.values()), 0, delivery.pk, said["user"])


def _spoken(path: str, messages: Sequence[Heard]) -> Iterator[Turn]:
    """Messages in turns: each begins with a message of the user's."""
    starts = [at for at, one in enumerate(messages) if at and one.message.role == "user"]
    for start, end in pairwise([0, *starts, len(messages)]):
        if some := messages[start:end]:
            texts = tuple(one.message.content for one in some)
            said = texts if some[0].message.role == "user" else ("", *texts)
            told = tuple(source(path, one) for one in some)
            yield Turn(told, texts, _exchange(said[0], "\n".join(said[1:])), some[-1].end, said=said[0])


def _exchange(message: str, reply: str) -> Exchange:
    return Exchange(truncate(message, MESSAGE), truncate(reply, MESSAGE))


def _since(job: Job, chat: str) -> int:
    """The byte of the transcript up to which turns were looked at: by an earlier attempt, else by the last job that ended in
    proposals which somebody could decide."""
    if "upto" in job.outcome:
        return int(job.outcome["upto"])
    ended = Q(state__in=(Job.State.PLANNED, Job.State.APPLIED))
    refused = Q(state=Job.State.CANCELLED, trouble=proposals.ALL_REFUSED)
    earlier = Job.objects.filter(ended | refused, bot=job.bot, kind=job.kind, params__chat=chat, outcome__upto__gt=0)
    last = earlier.order_by("-pk").values_list("outcome", flat=True).first()
    return int(last["upto"]) if last else 0
