"""What of a turn is not written at once: a bot's settings hold all that it wants to remember, or what removes much of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from memory import index
from memory.bots import automation, open_bot
from memory.curation import acts
from memory.curation.trash import live_facts, subtract
from memory.domain.changes import Append, Change
from memory.domain.errors import VaultError
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.turns import Captured, Turn
from memory.jobs import proposals
from memory.models import Bot, Delivery, Job, Proposal
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.utf16 import truncate

FEW = 3  # facts of a file that may go at once
MANY = 50  # parts of a turn that somebody decides one by one: for each of them its file is read again
MOST = 1000  # things of one bot that wait at a time: who reviews them has to be able to
QUOTED = 300  # characters of a message that are shown beside what waits


class TooMany(VaultError):
    """Nothing was changed: as much waits for review as may."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to a document that had so many facts: what it says afterwards, which facts are new, which go. `counts`: it
    changes what the bot knows, and not only what is noted beside it."""

    path: str
    after: bytes
    new: Sequence[FactAt]
    gone: Sequence[FactAt]
    had: int
    counts: bool

    def removes_much(self, percent: int) -> bool:
        """Whether more than this share of the facts goes; of 0, never."""
        return bool(percent) and len(self.gone) >= FEW and 100 * len(self.gone) > percent * self.had


@dataclass(frozen=True, slots=True)
class HeldPart:
    """What waits of a turn: the part of this `number`, None for all of it, or only what goes to the document `only`."""

    number: int | None
    only: str
    effects: Sequence[Effect]


def sift(bot: Bot, turn: Turn, captured: Captured, *, paid: bool = False) -> tuple[Captured, Sequence[HeldPart]]:
    """What is written at once of what a turn makes, and what waits. `paid`: a model was asked for the reply, and there was room
    before that (`must_have_room_to_ask`). Raises Unreadable, and TooMany."""
    wanted = automation.automation_of(bot)
    asks = wanted.deliveries == automation.ASK
    if asks:
        made = effects(bot, captured.changes, index.BotMemory(bot))
        parts = _parts(bot, turn, made) if made else []
    elif wanted.most_removed:
        some = [one for one in captured.changes if not isinstance(one, Append)]
        made = [one for one in effects(bot, some, index.BotMemory(bot)) if one.removes_much(wanted.most_removed)]
        parts = [HeldPart(None, one.path, [one]) for one in made]
    else:
        return captured, ()
    if not parts:
        return captured, ()
    if not (paid and asks):
        must_have_room(bot, len(parts))
    waits = {one.path for one in made}
    left = tuple(one for one in captured.changes if one.path not in waits)
    stored: dict[str, Any] = {} if asks else captured.stored
    stored = {**stored, "documents": [one.path for one in left], "held": len(parts)}
    return Captured(captured.clean_text, left, stored), parts


def effects(bot: Bot, changes: Sequence[Change], memory: Memory) -> list[Effect]:
    """What those changes do that change what the bot knows; its transcripts and scratchpads are none of that."""
    found = (_effect(bot, change, memory) for change in changes if _remembers(bot, change.path))
    return [one for one in found if one.counts]


def counting(bot: Bot, changes: Sequence[Change], memory: Memory) -> list[Change]:
    """Those changes that change what the bot knows."""
    return [one for one in changes if _remembers(bot, one.path) and _counts(bot, one, memory)]


def _counts(bot: Bot, change: Change, memory: Memory) -> bool:
    if _has_rows(bot, change.path):
        return _effect(bot, change, memory).counts
    before = memory.read(change.path) or b""
    return before != acts.bytes_after(change, before)


def _remembers(bot: Bot, path: str) -> bool:
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.holds_facts and place.kind is not Kind.WORKING


def _effect(bot: Bot, change: Change, memory: Memory) -> Effect:
    before = memory.read(change.path) or b""
    after = acts.bytes_after(change, before)
    had, has = live_facts(bot, change.path, before), live_facts(bot, change.path, after)
    new, gone = subtract(has, had), subtract(had, has)
    counts = bool(new or gone or (before != after and not _has_rows(bot, change.path)))
    return Effect(change.path, after, new, gone, len(had), counts)


def _has_rows(bot: Bot, path: str) -> bool:
    """Whether the uses of a document's facts are counted in the same file."""
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.has_attributes


def _parts(bot: Bot, turn: Turn, made: Sequence[Effect]) -> list[HeldPart]:
    """The turn part by part; what the bot knows already is none. Of very many, all as one."""
    opened, memory = open_bot(bot), index.BotMemory(bot)
    capturing, found = opened.dialect.capturing, list[HeldPart]()
    alone = capturing.alone(turn) if capturing else ()
    if len(alone) > MANY:
        return [HeldPart(None, "", made)]
    for number, one in enumerate(alone):
        changes = capturing.capture(one, memory, opened.settings).changes if capturing else ()
        if made := effects(bot, changes, memory):
            found.append(HeldPart(number, "", made))
    return found


def keep(bot: Bot, delivery: Delivery, parts: Sequence[HeldPart]) -> None:
    """Put what waits beside all else that does, in the transaction that records its delivery; each part once."""
    there = [one.sources[0]["part"] for one in Proposal.objects.filter(delivery=delivery) if one.sources]
    most = automation.automation_of(bot).most_removed
    rows = [_row(delivery, part, most) for part in parts if [part.number, part.only] not in there]
    if rows:
        proposals.add(waiting(bot), rows)


def must_have_room(bot: Bot, more: int = 1) -> None:
    """Raises TooMany where so much more would be beyond what may wait."""
    open_ones = Proposal.objects.filter(bot=bot, job__kind=Job.Kind.HELD, state=Proposal.State.OPEN)
    if open_ones.count() + more > MOST:
        raise TooMany(
            say(
                "%(count)s changes wait for review. Nothing was changed; send it again once some are reviewed.",
                count=MOST,
            )
        )


def must_have_room_to_ask(bot: Bot) -> None:
    """Raises TooMany where what a reply wants remembered could not even wait: it would be paid for, and dropped."""
    if automation.automation_of(bot).deliveries == automation.ASK:
        must_have_room(bot)


def waits(deliveries: Iterable[int]) -> dict[int, bool]:
    """Of some deliveries, those of which anything was held: whether any of it still waits."""
    kept = Proposal.objects.filter(delivery__in=set(deliveries)).order_by().values("delivery")
    counted = kept.annotate(open=Count("pk", filter=Q(state=Proposal.State.OPEN)))
    return {row["delivery"]: bool(row["open"]) for row in counted}


def waiting(bot: Bot) -> Job:
    """The list that what waits is on, held until the transaction ends; a new one where all of the last is decided."""
    Bot.objects.select_for_update().get(pk=bot.pk)
    waits = Job.objects.filter(bot=bot, kind=Job.Kind.HELD, state=Job.State.PLANNED)
    if there := waits.select_for_update().first():
        return there
    now = timezone.now()
    return Job.objects.create(
        bot=bot, kind=Job.Kind.HELD, state=Job.State.PLANNED, by="delivery", created=now, run_after=now, finished=now
    )


def warnings(effects: Iterable[Effect], most: int) -> list[str]:
    """What is to be known of some of what waits: which files it would remove much of."""
    return [
        say("Removes %(lost)s of %(all)s facts from %(path)s.", lost=len(one.gone), all=one.had, path=one.path)
        for one in effects
        if one.removes_much(most)
    ]


def _row(delivery: Delivery, part: HeldPart, most: int) -> Proposal:
    first, gone = part.effects[0], [fact for one in part.effects for fact in one.gone]
    plain = not gone and any(one.new for one in part.effects)
    text = "\n".join(dict.fromkeys(fact.text for one in part.effects for fact in one.new))
    return Proposal(
        delivery=delivery,
        action=Proposal.Action.REMEMBER if plain else Proposal.Action.REPLACE,
        path=first.path,
        text=text if plain else first.after.decode("utf-8", "replace"),
        sources=[
            {
                "delivery": delivery.pk,
                "part": [part.number, part.only],
                "text": truncate(delivery.body.get("message", ""), QUOTED),
            }
        ],
        flags=warnings(part.effects, most),
    )
