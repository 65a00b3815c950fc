"""The job that learns up to three facts out of what users wrote, after a summary: each with where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from memory import index, jobs, journal
from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.compaction.chats.extraction import Exchange, Picked, read, request, schema
from memory.compaction.chats.shapes import MESSAGE, QUOTED, chat_of, doubts, flag_unsaid
from memory.dialects.discoclaw import capture, durable, javascript, layout
from memory.dialects.discoclaw.prompt import milliseconds
from memory.dialects.discoclaw.renewal import heard
from memory.dialects.discoclaw.settings import Settings
from memory.domain.changes import Change, Put, base_of
from memory.jobs import proposals, steps
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Failed, Outcome, Run
from memory.jobs.suggesting import accept, chosen, worked
from memory.models import Bot, Delivery, Job, Proposal
from memory.text.sentences import say
from memory.text.storable import quote
from memory.text.utf16 import truncate

MOST = 3  # facts
ANSWER = 1_000  # tokens
REMINDED = 30  # facts of a user that the model is told so that it does not pick them again
NOTHING = say("Nothing new to remember.")
GONE = say("The deliveries with these messages are no longer on record.")
WAS_FORGOTTEN = say("This was forgotten before.")


def follow(bot: Bot, job: Job) -> None:
    """Queue what follows on a summary that was written, once."""
    name = f"summary {job.pk}"
    if not open_bot(bot).settings.learns or Job.objects.filter(bot=bot, kind=Job.Kind.EXTRACTION, name=name).exists():
        return
    params = {"chat": chat_of(job), "deliveries": job.outcome["deliveries"]}
    jobs.queue(bot, Job.Kind.EXTRACTION, params, journal.By(job.by, job.user), name=name)


def work(run: Run) -> Outcome:
    """Suggest facts; write at once those without a flag where the owner said so."""
    return worked(run, asked="turns", propose=_propose, apply=apply, nothing=NOTHING)


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: journal.By, run: Run | None = None) -> Accepted | NotAccepted:
    """Add these facts to those of their users. Raises Busy, VaultError and what `proposals.commit` raises."""

    def make() -> journal.CommitPlan[list[int]]:
        rows = chosen(job, numbers)
        memory, changes, read_from = index.BotMemory(bot), list[Change](), list[bytes | None]()
        for path, some in groupby(sorted(rows, key=lambda row: row.path), key=lambda row: row.path):
            data = memory.read(path)
            changes.append(_with(bot, path, data, list(some)))
            read_from.append(data)
        why = say("Learned by the language model in %(chat)s", chat=chat_of(job))
        return journal.CommitPlan(changes, [row.number for row in rows], read_from, why=why)

    return accept(bot, job, make, by, run)


def _with(bot: Bot, path: str, data: bytes | None, rows: Iterable[Proposal]) -> Put:
    """The facts of a user with these. Raises Malformed."""
    settings: Settings = open_bot(bot).settings
    store = durable.new() if data is None else durable.loaded(data, is_later=settings.is_later)
    now = milliseconds(open_bot(bot).now())
    for row in rows:
        about = row.sources[0]
        if replaced := about.get("replaces"):
            durable.forget(store, durable.matches(store, replaced), now)
        is_later = settings.is_later
        durable.add(store, row.text, about["noted"], now, settings.durable_items, about["kind"], is_later=is_later)
    return Put(path, javascript.written(store), base_of(data))


def _propose(run: Run) -> None:
    turns = [one for one in _deliveries(run.job) if heard.user_of(one)]
    rows = list[Proposal]()
    for number, (user, some) in enumerate(_by_user(turns)):
        run.say(number, len(turns), steps.ASKING)
        rows += _learned(run, user, some)
    proposals.save(run, rows, {"turns": len(turns)})


def _by_user(turns: Iterable[Delivery]) -> Iterable[tuple[str, list[Delivery]]]:
    return [(user, list(some)) for user, some in groupby(sorted(turns, key=heard.user_of), key=heard.user_of)]


def _deliveries(job: Job) -> list[Delivery]:
    """The turns that a job is about: those that a summary was made from, or one for which the owner wants facts picked. Raises
    Failed."""
    params, found = job.params, Delivery.objects.filter(bot=job.bot, session_id=chat_of(job), status=200)
    if "since" in params:
        found = found.filter(received__gte=params["since"], received__lt=params["until"])
    else:
        found = found.filter(pk__in=params.get("deliveries") or [params.get("delivery")])
    if not (turns := list(found.order_by("received", "id"))):
        raise Failed(GONE)
    return turns


def _learned(run: Run, user: str, turns: Sequence[Delivery]) -> list[Proposal]:
    """What the model picks out of what one user wrote, without what the bot knows of them."""
    path = layout.durable_path(user) or ""
    data = index.BotMemory(run.bot).read(path)
    store = durable.new() if data is None else _store(data)
    known = [str(one.get("text", "")) for _, one in durable.active(store)]
    most = automation_of(run.bot).facts_per_turn if "delivery" in run.job.params else MOST
    asked = request(
        [Exchange(truncate(heard.message_of(one), MESSAGE)) for one in turns],
        most or MOST,
        kinds=durable.KINDS,
        supersedes=open_bot(run.bot).settings.is_later,
        known=[truncate(text, QUOTED) for text in known[-REMINDED:]],
    )
    reply = run.ask(asked, schema=schema(durable.KINDS, supersedes=open_bot(run.bot).settings.is_later), most=ANSWER)
    facts = _facts(reply.text, most or MOST, len(turns))
    seen = {durable.same(text) for text in known}
    return [_row(path, store, fact, turns) for fact in facts if durable.same(fact.text) not in seen]


def _store(data: bytes) -> dict[str, Any]:
    """Raises Failed."""
    try:
        return durable.read(data)
    except durable.Malformed as error:
        raise Failed(str(error)) from None


def _facts(answer: str, most: int, turns: int) -> Sequence[Picked]:
    """The first few. Raises Failed for an answer that holds no list at all."""
    try:
        return read(answer, durable.KINDS, most, turns)[:most]
    except ValueError as error:
        raise Failed(str(error)) from None


def _row(path: str, store: dict[str, Any], fact: Picked, turns: Sequence[Delivery]) -> Proposal:
    """A fact with what is noted beside it: of the message that it is from, else of the last."""
    delivery = turns[fact.turn - 1]
    said = [heard.message_of(one) for one in (turns if not fact.turn else [delivery])]
    text = " ".join(fact.text.split())
    gone = any(durable.same(str(one.get("text", ""))) == durable.same(text) for _, one in durable.items(store))
    replaces = {"replaces": fact.supersedes} if fact.supersedes else {}
    going = [store["items"][at]["text"] for at in durable.matches(store, fact.supersedes)] if replaces else []
    would_go = [say("Would be forgotten: %(text)s.", text=quote(one)) for one in going]
    source = {"path": "", "line": 0, "role": "user", "text": truncate(heard.message_of(delivery), QUOTED)}
    return Proposal(
        action=Proposal.Action.REMEMBER,
        path=path,
        text=text,
        sources=[{**source, "delivery": delivery.pk, "kind": fact.kind, "noted": _noted(delivery), **replaces}],
        flags=[*doubts(text, said), *flag_unsaid(text, said), *([WAS_FORGOTTEN] if gone else []), *would_go],
    )


def _noted(delivery: Delivery) -> dict[str, str]:
    body = delivery.body
    told = (str(delivery.message_id or ""), str(body.get("group_id") or ""), str(body.get("chat_name") or ""))
    return capture.source(delivery.session_id, "summary", *told)
