"""The job: a model is asked group by group, what it answers is judged, and what passes is proposed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memory import jobs, journal
from memory.compaction import runner
from memory.compaction.consolidation import question
from memory.compaction.consolidation.apply import apply
from memory.compaction.consolidation.groups import Group, groups
from memory.compaction.consolidation.sources import ScopeFacts, sources
from memory.compaction.consolidation.to_proposals import blocked_proposals, make_proposals
from memory.jobs import proposals, steps
from memory.jobs.outcomes import NotAccepted
from memory.jobs.run import Failed, Outcome, Run
from memory.llm import Fault, ModelFailed
from memory.models import Bot, Job, Proposal
from memory.text.fidelity.judge import Judged, judge
from memory.text.fidelity.operations import SCHEMA, Operation, parse
from memory.text.message import Message
from memory.text.sentences import say

UNREADABLE = frozenset((Fault.NO_JSON, Fault.WRONG_SHAPE))
NOTHING = say("None of these logs are old enough to compact.")
WAITS = say("Its suggestions need review.")
LONGEST_NAME = 200

Asked = tuple[ScopeFacts, Group]


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a run would ask. `tokens`: what the model would read, by estimate; `unread`: (path, why) of logs left as they are;
    `stopped`: why a run would fail before it asks anything."""

    facts: int
    lasting: int
    groups: int
    tokens: int
    unread: tuple[tuple[str, str], ...] = ()
    stopped: str = ""


def start(bot: Bot, scopes: Iterable[str], by: journal.By, **options: Any) -> Job:
    """Queue the consolidation of these scopes ("": the bot's own logs), with options as for `runner.plan`. One that waits or
    runs for the same scopes is returned instead. Raises BadOption."""
    wanted = runner.queued_scopes(bot, scopes, **options)
    chosen = runner.CHOICES  # of a plan line by line, which this is none
    given = {name: value for name, value in options.items() if value is not None and name not in chosen}
    params = {"scopes": list(wanted), **given}
    return jobs.queue(bot, Job.Kind.CONSOLIDATION, params, by, name=_name(wanted))


def work(run: Run) -> Outcome:
    """Ask about the scopes in `params` ("scopes" and options as for `runner.plan`), and propose what the gate lets through. A
    plan that would lose a fact fails the job as a whole, with what it would lose as blocked proposals."""
    had = Proposal.objects.filter(job=run.job)
    if not had.exists():
        _plan(run)
    if had.filter(state=Proposal.State.BLOCKED).exists():
        raise Failed(_would_lose(run.job.outcome.get("losing", 0)))
    return _finished(run)


def prospect(bot: Bot, scopes: Sequence[str], **options: Any) -> Prospect:
    """What a run would ask. Reads the files and asks nobody. Raises BadOption and Unreadable."""
    if why := runner.compaction_problem(bot):
        raise runner.BadOption(why)
    every = sources(bot, runner.make_request(bot, scopes, **options))
    asked = _asked(every)
    return Prospect(
        facts=sum(not item.lasting for _found, group in asked for item in group.items),
        lasting=sum(item.lasting for _found, group in asked for item in group.items),
        groups=len(asked),
        tokens=sum(question.estimate_tokens(question.question(group)) for _found, group in asked),
        unread=tuple(pair for found in every for pair in found.unread),
        stopped=next((found.stopped for found in every if found.stopped), ""),
    )


def _plan(run: Run) -> None:
    """Ask about every group and save what comes of it; nothing is saved of a plan that is not whole."""
    run.say(0, 0, steps.READING)
    given = {name: run.job.params.get(name) for name in runner.OPTIONS}
    try:
        wanted = runner.make_request(
            run.bot, run.job.params.get("scopes") or [""], run.job.params.get("today"), **given
        )
    except runner.BadOption as bad:
        raise Failed(str(bad)) from None
    found = sources(run.bot, wanted)
    if stopped := next((one.stopped for one in found if one.stopped), ""):
        raise Failed(stopped)
    asked, rows = _asked(found), []
    notes = _Notes(run, asked)
    for number, (one, group) in enumerate(asked):
        run.say(number, len(asked), steps.asking(number + 1, len(asked)))
        judged = notes.judged(group)
        if judged.blocked:
            proposals.save(
                run, blocked_proposals(run.bot, one.scope, group, judged), notes.numbers(losing=len(judged.lost))
            )
            return
        rows += make_proposals(run.bot, one.scope, group, judged)
    run.say(len(asked), len(asked), steps.SAVING)  # nothing of it, if somebody cancelled meanwhile
    flagged = sum(bool(row.flags) for row in rows)
    documents = {path: version for one in found for path, version in one.documents.items()}
    proposals.save(run, rows, notes.numbers(proposals=len(rows), flagged=flagged, documents=documents))


def _asked(found: Sequence[ScopeFacts]) -> list[Asked]:
    return [(one, group) for one in found for group in groups(one.noted, one.lasting)]


def _finished(run: Run) -> Outcome:
    """Apply at once what may be, if the bot is set so; the rest waits."""
    job, sentence = run.job, ""
    state = Proposal.State
    # No code can tell whether a newer fact says otherwise: what would go for one waits for somebody even without a flag.
    sure = Proposal.objects.filter(job=job, state=state.OPEN, flags=[]).exclude(action=Proposal.Action.SUPERSEDE)
    clear = list(sure.values_list("number", flat=True))
    if clear and run.applies_at_once():
        parts = job.outcome.get("groups", 0)
        run.say(parts, parts, steps.APPLYING)
        outcome = apply(run.bot, job, clear, journal.By(job.by, job.user), run=run)
        sentence = outcome.reason if isinstance(outcome, NotAccepted) else ""
    numbers = {name: value for name, value in job.outcome.items() if name != "answers"}
    if Proposal.objects.filter(job=job, state=state.OPEN).exists():
        return Outcome(Job.State.PLANNED, numbers, sentence or WAITS)
    return Outcome(Job.State.APPLIED, numbers, "" if numbers.get("facts") else NOTHING)


class _Notes:
    """What one run asks and is answered. Answers are kept with the job, so that who takes it up again does not pay twice."""

    def __init__(self, run: Run, asked: Sequence[Asked]) -> None:
        self.run, self.asked = run, asked
        self.answers: dict[str, str] = dict(run.job.outcome.get("answers", {}))  # as JSON: it is written each time
        self.repairs = 0

    def judged(self, group: Group) -> Judged:
        """The answer about a group, judged; one that cannot be read or would lose something is asked for once more. Raises
        ModelFailed."""
        messages = question.question(group)
        name = hashlib.sha256("\n".join(one.content for one in messages).encode("utf-8", "replace")).hexdigest()
        facts = [item.fact for item in group.items]
        if name in self.answers:
            value, repairs = json.loads(self.answers[name])
            self.repairs += repairs
            return judge(facts, parse(value))
        value, judged, repairs = self._asked(messages, facts, group)
        self.repairs += repairs
        self.answers[name] = json.dumps([value, repairs], ensure_ascii=False)
        proposals.save(self.run, [], {"answers": self.answers})
        return judged

    def numbers(self, **more: Any) -> dict[str, Any]:
        items = [item for _found, group in self.asked for item in group.items]
        return {
            "answers": {},
            "facts": len(items),
            "lasting": sum(item.lasting for item in items),
            "groups": len(self.asked),
            "repairs": self.repairs,
            **more,
        }

    def _asked(self, messages: list[Message], facts: list[Any], group: Group) -> tuple[Any, Judged, int]:
        room = question.answer_limit(group)
        try:
            operations, value = self._ask(messages, room)
        except ModelFailed as failed:
            if failed.fault not in UNREADABLE or failed.reply is None:
                raise
            retry = question.retry_unreadable(messages, failed.reply.text, str(failed))
            operations, value = self._ask(retry, room)
            return value, judge(facts, operations), 1
        judged = judge(facts, operations)
        if not judged.blocked:
            return value, judged, 0
        operations, value = self._ask(question.retry(messages, json.dumps(value, ensure_ascii=False), judged), room)
        return value, judge(facts, operations), 1

    def _ask(self, messages: list[Message], room: int) -> tuple[tuple[Operation, ...], Any]:
        return self.run.ask_json(messages, schema=SCHEMA, check=lambda value: (parse(value), value), most=room)


def _would_lose(facts: int) -> str:
    if facts == 0:
        return say("The model’s plan refers to facts that don’t exist. Nothing was changed.")
    if facts == 1:
        return say("The model’s plan would lose 1 fact. Nothing was changed.")
    return say("The model’s plan would lose %(facts)s facts. Nothing was changed.", facts=facts)


def _name(scopes: Iterable[str]) -> str:
    name = "/".join(sorted(scopes))  # no scope has a slash
    if len(name) > LONGEST_NAME:
        return "of many: " + hashlib.sha256(name.encode()).hexdigest()
    return "of " + name
