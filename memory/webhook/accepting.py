"""What was held of turns is written once somebody accepts it: by the dialect's own capture, as of the time of its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory import index, journal
from memory.bots import open_bot
from memory.curation import acts
from memory.curation.writing import check_unmasked
from memory.domain.abilities import Capturing
from memory.domain.changes import Append, Change, Delete, Put, base_of
from memory.domain.errors import Refusal
from memory.domain.memory import Memory
from memory.domain.turns import Turn
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Run
from memory.jobs.suggesting import accept, chosen
from memory.models import Bot, ChangeSet, Job, Proposal
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.webhook import call as turn_calls, capture, held, held_writes

GONE = say("The text of its delivery was deleted, so it can’t be accepted. Reject it.")
APART = say("Others that you accepted change the same file. Accept it by itself.")
OTHERWISE = say("Its delivery is read differently now, so it can’t be accepted. Reject it.")
DECIDED = say("Somebody else already edited or reviewed this. Nothing was changed.")


class PendingMemory(index.BotMemory):
    """The memory with changes that are not written yet."""

    def __init__(self, bot: Bot) -> None:
        self._over: dict[str, bytes | None] = {}
        self._made: dict[str, list[Change]] = {}
        self._first: dict[str, bytes | None] = {}
        super().__init__(bot)
        self._known = self._over

    def tail(self, path: str, size: int) -> bytes | None:
        if path not in self._over:
            return super().tail(path, size)
        data = self._over[path]
        return None if data is None else data[-size:]

    def add(self, change: Change) -> None:
        """Have one change more."""
        before = self.read(change.path)
        self._first.setdefault(change.path, before)
        self._made.setdefault(change.path, []).append(change)
        self._over[change.path] = None if isinstance(change, Delete) else acts.bytes_after(change, before)

    def changes(self) -> list[Change]:
        """All of them, as one of each document."""
        return [self._joined(path, made) for path, made in self._made.items()]

    def _joined(self, path: str, made: Sequence[Change]) -> Change:
        if len(made) == 1:
            return made[0]
        appends = [one.data for one in made if isinstance(one, Append)]
        if len(appends) == len(made):
            return Append(path, b"".join(appends))
        data, first = self._over[path], self._first[path]
        if data is None and first is not None:
            return Delete(path, base_of(first) or "")
        return Put(path, data or b"", base_of(first), renew=any(isinstance(one, Put) and one.renew for one in made))


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: journal.By, run: Run | None = None) -> Accepted | NotAccepted:
    """Write what these stand for, as one change set; what cannot be written now stays open. Raises Busy and VaultError."""
    left = list[tuple[int, str]]()

    def make() -> journal.CommitPlan[list[int]]:
        memory, taken = PendingMemory(bot), list[int]()
        left.clear()
        delivered = True
        for row in chosen(job, numbers):
            try:
                changes = changes_of(bot, row, memory)
                if any(isinstance(one, Put | Delete) and one.base != base_of(memory.read(one.path)) for one in changes):
                    raise ValueError(APART)  # it was made from the file, which another one of them changes
                for change in changes:
                    memory.add(change)
            except (Refusal, ValueError) as error:
                left.append((row.number, str(error)))
            else:
                taken.append(row.number)
                delivered = delivered and "act" not in row.newer
        if not taken:
            raise Refusal(left[0][1])
        # What deliveries said is remembered from them; with what programs wanted among it, it is an edit of who accepted it.
        kind = ChangeSet.Kind.CAPTURE if delivered else ChangeSet.Kind.EDIT
        return journal.CommitPlan(memory.changes(), taken, kind=kind, why=_why(job, taken))

    outcome = accept(bot, job, make, by, run)
    if isinstance(outcome, NotAccepted):
        return outcome
    return replace(outcome, refused=tuple(left))


def changes_of(bot: Bot, row: Proposal, memory: Memory) -> list[Change]:
    """What one of them writes now. Raises Refusal and ValueError with a sentence, and Unreadable."""
    if "act" in row.newer:
        return list(held_writes.changes_of(bot, row, memory))
    opened = open_bot(bot)
    capturing = opened.dialect.capturing
    if capturing is None:
        raise ValueError(GONE)
    number, only = row.sources[0]["part"]
    turn = _turn(bot, row)
    if number is not None:
        turn = _alone(capturing, turn, number)
    if row.newer.get("reworded"):
        turn = capturing.reworded(turn, row.text)
    changes = capturing.capture(turn, memory, opened.settings).changes
    return held.counting(bot, [one for one in changes if only in ("", one.path)], memory)


def effects_of(bot: Bot, row: Proposal) -> list[held.Effect]:
    """What accepting one of them would do now. Raises as `changes_of`."""
    memory = index.BotMemory(bot)
    return held.effects(bot, changes_of(bot, row, memory), memory)


def can_reword(bot: Bot, row: Proposal) -> bool:
    """Whether one of them can be edited before it is accepted."""
    try:
        _reworded(bot, row, row.text)
    except ValueError:
        return False
    return True


def reword(bot: Bot, row: Proposal, text: str) -> None:
    """Have one of them say something else than the bot did, before it is accepted. Raises ValueError and Refusal."""
    _reworded(bot, row, check_unmasked(text, row.text))
    still = Proposal.objects.filter(pk=row.pk, state=Proposal.State.OPEN, text=row.text)
    if not still.update(text=keepable(text), newer={**row.newer, "reworded": True}):
        raise ValueError(DECIDED)


def _reworded(bot: Bot, row: Proposal, text: str) -> Turn:
    capturing, number = open_bot(bot).dialect.capturing, row.sources[0]["part"][0] if row.delivery else None
    if capturing is None or number is None:
        raise ValueError(GONE)
    return capturing.reworded(_alone(capturing, _turn(bot, row), number), text)


def _alone(capturing: Capturing, turn: Turn, number: int) -> Turn:
    """One part of a turn. Raises ValueError where the family takes the turn apart otherwise than when it was held."""
    parts = capturing.alone(turn)
    if number >= len(parts):
        raise ValueError(OTHERWISE)
    return parts[number]


def _turn(bot: Bot, row: Proposal) -> Turn:
    delivery = row.delivery
    if delivery is None or not delivery.body:
        raise ValueError(GONE)
    return capture.turn_of(bot, turn_calls.call_of(delivery), answered="response" not in delivery.body)


def _why(job: Job, numbers: Sequence[int]) -> str:
    if len(numbers) > 1:
        return say("Accepted %(count)s changes that were held", count=len(numbers))
    row = Proposal.objects.select_related("delivery").get(job=job, number=numbers[0])
    if "act" in row.newer:
        return say("Accepted what %(name)s wanted to write", name=row.newer["by"])
    return say("Accepted from a delivery of %(session_id)s", session_id=row.delivery.session_id if row.delivery else "")
