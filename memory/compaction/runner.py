"""Old logs merged into long-term memory: planned line by line, written as one change set, checked before it stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple

from memory import index, journal
from memory.bots import open_bot
from memory.curation import doubts, pins
from memory.curation.parted import Lost
from memory.domain.changes import Delete
from memory.domain.errors import Refusal, Unreadable
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.domain.plan import Choice, Decision, Fate, Plan
from memory.jobs import steps
from memory.journal import versions
from memory.journal.shapes import Staged, untold
from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Job
from memory.text import sentences
from memory.text.sentences import say
from memory.text.storable import keepable

PASSES = say("With your selection, long-term memory would be larger than what the bot loads. Nothing was changed.")
Looking = Callable[[int, int], None]
Doing = Callable[[str], object]

# A decision as it is kept with its run: its fields in their order.
_FIELDS = tuple(field.name for field in fields(Decision))
_KEPT = attrgetter(*_FIELDS)
OPTIONS = {
    "retention_days": "memory_retention_days",
    "dedupe": "dedupe",
    "keep_logs": "keep_logs",
    "old_logs": "old_logs",
}
CHOICES = ("leave", "move", "past_limit", "same_words")  # what somebody chose of one plan
BY_WORD = (*OPTIONS, "past_limit", "same_words")  # what can be asked for without a look at the plan


class Counts(NamedTuple):
    """What a plan does: facts moved and named duplicates, logs removed and logs archived."""

    moved: int
    duplicates: int
    removed: int
    archived: int


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that stands. `change_set` None: there was nothing to do."""

    change_set: ChangeSet | None
    plan: Plan
    counts: Counts


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What is planned, on which day, by which of the dialect's settings, and what somebody chose of it."""

    scopes: tuple[str, ...]
    day: str
    settings: Any
    choice: Choice


class BadOption(ValueError):
    """An option that compaction does not take; the message is for people."""


def plan(bot: Bot, scopes: Iterable[str] = ("",), today: str | None = None, **options: Any) -> Plan:
    """What a run on the day `today` would do for these scopes ("": the bot's own logs). Options: those of `OPTIONS`, which come
    from the bot's settings where they are not given or None, and the fields of `Choice`. Raises BadOption."""
    question = make_request(bot, scopes, today, **options)
    try:
        return plan_request(bot, question, index.notes(bot, question.scopes))
    except Unreadable as error:
        return Plan(stopped=str(error))


def make_request(bot: Bot, scopes: Iterable[str] = ("",), today: str | None = None, **options: Any) -> PlanRequest:
    """What `plan` would plan. Raises BadOption."""
    wanted = tuple(dict.fromkeys(scopes))
    for scope in wanted:
        if scope and (problem := open_bot(bot).dialect.session_id_problem(scope)):
            raise BadOption(problem)
    chosen: dict[str, Any] = {name: value for name in CHOICES if (value := options.pop(name, None)) is not None}
    for name in {"leave", "move"} & set(chosen):
        chosen[name] = frozenset(chosen[name])
    opened = open_bot(bot)
    choice = Choice(
        **chosen,
        pinned=pins.keys(bot),
        doubted=doubts.contradicting_facts(bot),
        deleted_before=opened.deleted_before(),
    )
    return PlanRequest(wanted, _day(today) if today else opened.today(), _settings(bot, options), choice)


def plan_request(bot: Bot, question: PlanRequest, paths: Iterable[str]) -> Plan:
    """The plan over these documents, read now. Raises Unreadable."""
    return _planned(bot, question, index.BotMemory(bot, paths))


def _planned(bot: Bot, question: PlanRequest, memory: index.BotMemory) -> Plan:
    dialect = open_bot(bot).dialect
    if dialect.compacting is None:
        return Plan(stopped=dialect.no_logs)
    return dialect.compacting.compact(memory, question.day, question.scopes, question.settings, question.choice)


def run(
    bot: Bot,
    scopes: Iterable[str],
    by: journal.By,
    today: str | None = None,
    why: str = "",
    *,
    job: Job | None = None,
    beside: journal.Beside | None = None,
    looking: Looking = lambda done, total: None,
    doing: Doing = lambda words: None,
    staged: Staged = untold,
    **options: Any,
) -> Ran | Refused:
    """Compact, as one change set. Files that change meanwhile are planned again. `job`, `beside`, `staged`: as in `journal.commit`;
    `looking` is told how many of how many logs were looked at, `doing` what is done next. Raises BadOption, Busy and VaultError."""
    wanted = tuple(scopes)

    def make() -> journal.CommitPlan[Plan]:
        return _commit_plan(bot, make_request(bot, wanted, today, **options), why, looking, doing)

    try:
        made, outcome = journal.attempt(bot, make, by=by, job=job, beside=beside, staged=staged)
    except Refusal as stopped:
        return Refused(str(stopped))
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), passes=True)
    return Ran(outcome.change_set, made.told, counts(made.told))


def counts(decided: Plan) -> Counts:
    """What a plan does, in numbers."""
    facts = [decision.fate for decision in decided.decisions if decision.is_fact]
    removed = sum(isinstance(change, Delete) for change in decided.changes) - len(decided.archived)
    return Counts(facts.count(Fate.MOVE), facts.count(Fate.DUPLICATE), removed, len(decided.archived))


def queued_scopes(bot: Bot, scopes: Iterable[str], **options: Any) -> tuple[str, ...]:
    """The scopes of a job that is to be queued. Raises BadOption, also for a bot of which nothing could ever be compacted."""
    if why := compaction_problem(bot):
        raise BadOption(why)
    return make_request(bot, scopes, **options).scopes


def compaction_problem(bot: Bot) -> str:
    """Why nothing of this bot could ever be compacted, for people; "" for one that keeps logs."""
    dialect = open_bot(bot).dialect
    return dialect.no_logs if dialect.compacting is None else ""


def moves_facts(bot: Bot, old_logs: str | None = None) -> bool:
    """Whether facts of old logs move to long-term memory of themselves; else the logs are archived. `old_logs`: the option."""
    opened = open_bot(bot)
    return opened.compacts and (old_logs or opened.settings.old_logs) == "move"


def all_scopes(bot: Bot) -> tuple[str, ...]:
    """The bot's own logs and those of every chat that has any document."""
    dialect = open_bot(bot).dialect
    places = (dialect.describe(path) for path in index.BotMemory(bot).paths())
    return ("", *sorted({place.scope for place in places if place and place.scope and place.kind is Kind.DAILY}))


def has_logs(bot: Bot, chat: str) -> bool:
    """Whether a chat's directory has any daily log at this moment."""
    dialect = open_bot(bot).dialect
    if dialect.session_id_problem(chat) is not None:
        return False
    try:
        places = [dialect.describe(path) for path in index.notes(bot, [chat])]
    except Unreadable:
        return False
    return any(place and place.kind is Kind.DAILY for place in places)


def decisions_of(change_set: ChangeSet) -> tuple[Decision, ...]:
    """The decisions that a run was made of, as they were planned; none if the history has lost them."""
    kept = versions.bytes_or_none(change_set.bot, change_set.details.get("plan", ""))
    return tuple(_decision(Decision(*one)) for one in json.loads(kept or b"[]"))


def lost_facts(change_set: ChangeSet, lost: Sequence[Lost]) -> int:
    """How many facts that is of what a change is about in the end, as a run counted them: one that several logs said is as many."""
    if not lost:
        return 0
    keys = {one.key for one in lost}
    gone = (one.fate is not Fate.KEEP and one.key in keys for one in decisions_of(root_of(change_set)[0]))
    return sum(gone) or len(lost)


def _decision(kept: Decision) -> Decision:
    return replace(kept, fate=Fate(kept.fate), note=sentences.loads(kept.note))


class _Read(index.BotMemory):
    """The bot's documents, and what was read of them."""

    def __init__(self, bot: Bot, question: PlanRequest, looking: Looking) -> None:
        super().__init__(bot, index.notes(bot, question.scopes))
        self.found: dict[str, bytes | None] = {}
        self.looking = looking
        able = open_bot(bot).dialect.compacting
        asked = self.paths(), question.day, question.scopes, question.settings
        self.logs = set(able.old_logs(*asked) if able else ())
        self.read_logs = 0

    def read(self, path: str) -> bytes | None:
        self.looking(self.read_logs, len(self.logs))
        self.read_logs += path in self.logs and path not in self.found
        self.found[path] = super().read(path)
        return self.found[path]


def _commit_plan(bot: Bot, question: PlanRequest, why: str, looking: Looking, doing: Doing) -> journal.CommitPlan[Plan]:
    """A plan over the files as they are. Raises Refusal for one that was stopped."""
    compacting = open_bot(bot).dialect.compacting
    try:
        memory = _Read(bot, question, looking)
        decided = _planned(bot, question, memory)
    except Unreadable as error:
        raise Refusal(str(error)) from None
    if decided.stopped:
        raise Refusal(decided.stopped)
    if decided.passes:
        raise Refusal(PASSES)

    def gate(before: Mapping[str, bytes | None], after: Mapping[str, bytes | None]) -> str:
        doing(steps.CHECKING_FACTS)
        try:
            wrong = compacting.verify(decided, index.BotMemory(bot, known=before), after) if compacting else ""
        except Unreadable as error:
            return str(error)
        doing(steps.SNAPSHOT)
        return wrong

    return journal.CommitPlan(
        decided.changes,
        decided,
        made_from=[memory.found.get(change.path) for change in decided.changes],
        kind=ChangeSet.Kind.COMPACTION,
        why=why,
        gate=gate,
        details=_details(bot, question.scopes, decided) if decided.changes else {},
    )


def _details(bot: Bot, scopes: Iterable[str], decided: Plan) -> dict[str, Any]:
    """Counts beside the change set; the decisions may be many and lie compressed among the versions."""
    numbers = counts(decided)
    kept = json.dumps([_KEPT(replace(one, note=sentences.dumps(one.note))) for one in decided.decisions]).encode()
    return {
        "scopes": [keepable(scope) for scope in scopes],
        "moved": numbers.moved,
        "duplicates": numbers.duplicates,
        "removed": numbers.removed,
        "archived_logs": numbers.archived,
        "kept": sum(one.is_fact and one.fate is Fate.KEEP for one in decided.decisions),
        "sizes": {keepable(path): list(sizes) for path, sizes in decided.sizes.items()},
        "sources": len(decided.sources),
        "unread": [[keepable(path), why] for path, why in decided.unread],
        "plan": versions.remember(bot, kept),
    }


def _settings(bot: Bot, options: Mapping[str, Any]) -> Any:
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise BadOption(say("Compaction has no option named %(unknown)s.", unknown=unknown[0]))
    opened = open_bot(bot)
    table = {field.name: field for field in opened.dialect.fields}
    given = {OPTIONS[name]: (name, value) for name, value in options.items() if value is not None}
    try:
        chosen = {name: table[name].value(value, called) for name, (called, value) in given.items() if name in table}
    except ValueError as wrong:
        raise BadOption(str(wrong)) from None
    return replace(opened.settings, **chosen)


def _day(today: str) -> str:
    try:
        return date.fromisoformat(today).isoformat()
    except ValueError:
        raise BadOption(say("%(today)s is not a valid day. Write it as 2026-01-31.", today=today)) from None
