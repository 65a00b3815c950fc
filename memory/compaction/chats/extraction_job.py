"""The job that picks facts out of a chat's turns: what of the model's answer is proposed, and with which flags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.compaction.chats import known_facts
from memory.compaction.chats.apply_facts import apply, can_stand, log_of
from memory.compaction.chats.extraction import Picked, parse_facts, request, schema
from memory.compaction.chats.shapes import TOLD, by_of, chat_of, doubts, flag_unsaid
from memory.compaction.chats.turns import Turn, batches, came_by_call, turns_of
from memory.compaction.chats.verbatim import Passage, Record, lines_of
from memory.jobs import proposals, steps
from memory.jobs.outcomes import NotAccepted
from memory.jobs.run import Failed, Outcome, Run
from memory.llm import Fault, ModelFailed
from memory.models import Bot, Job, Proposal
from memory.text.markdown.normal import key
from memory.text.sentences import join_sentences, say
from memory.text.storable import quote

ASKED = 3  # facts of a turn, if it is asked for by hand and nothing is set
ANSWER = 2_000  # tokens
NOTHING = say("Nothing new to remember.")
NOT_HIS_WORDS = say("Not from a single sentence of the user.")
NO_TURN = say("The language model didn’t say which message it is from.")


def work(run: Run) -> Outcome:
    """Propose facts; apply at once those without a flag where the owner said so."""
    job, sentence = run.job, ""
    run.sets()  # what an attempt that died began to write is finished or abandoned
    proposals.reopen(job)
    if not job.outcome.get("done"):
        sentence = _propose(run, chat_of(job))
    rows = Proposal.objects.filter(job=job)
    plain = [row.number for row in rows.filter(state=Proposal.State.OPEN) if not row.flags]
    if plain and run.applies_at_once():
        run.say(job.outcome["turns"], job.outcome["turns"], steps.APPLYING)
        done = apply(run.bot, job, plain, by_of(job), run)
        sentence = sentence or (done.reason if isinstance(done, NotAccepted) else "")
    if rows.filter(state=Proposal.State.OPEN).exists():
        return Outcome(Job.State.PLANNED, job.outcome, sentence)
    return Outcome(Job.State.APPLIED, job.outcome, sentence or ("" if rows.exists() else NOTHING))


def _propose(run: Run, chat: str) -> str:
    """Ask about the turns, a few at a time, and keep what is proposed with how far that is. Returns what is to be said besides."""
    turns, sentence = turns_of(run.job, chat)
    known_facts.bring_in_step(run.bot, chat)
    asked = 0
    for batch in batches(turns):
        run.say(asked, len(turns), steps.ASKING)
        try:
            rows = _rows(run, chat, batch)
        except ModelFailed as failed:
            if failed.fault == Fault.CAP and came_by_call(run.job):
                raise Failed(str(failed), until=open_bot(run.bot).tomorrow()) from None
            if not asked:
                raise
            left = len(turns) - asked
            rest = say("%(left)s of %(count)s turns were not read.", left=left, count=len(turns))
            return join_sentences(rest, str(failed))
        asked += len(batch)
        proposals.save(run, rows, _looked_at(run.job, batch))
    proposals.save(run, [], {"done": True})
    return sentence


def _looked_at(job: Job, batch: Sequence[Turn]) -> dict[str, object]:
    """What the next attempt, or the next job, has to know of these turns."""
    turns = job.outcome.get("turns", 0) + len(batch)
    if batch[-1].upto:
        return {"turns": turns, "upto": batch[-1].upto}
    return {"turns": turns, "seen": [*job.outcome.get("seen", ()), *(turn.delivery for turn in batch)]}


def _rows(run: Run, chat: str, batch: Sequence[Turn]) -> list[Proposal]:
    """What the model picks out of some turns, without what the chat knows and what was proposed before."""
    bot, most = run.bot, automation_of(run.bot).facts_per_turn or ASKED
    facts = run.ask_json(
        request([turn.exchange for turn in batch], most, known=known_facts.reminders(bot, chat)),
        schema=schema(),
        check=partial(parse_facts, most=most, turns=len(batch)),
        most=ANSWER,
    )
    seen = {*known_facts.find_known(bot, chat, [fact.text for fact in facts]), *known_facts.proposed_keys(bot, chat)}
    rows = []
    for fact in facts:
        text = " ".join(fact.text.split())
        if (name := key(text)) not in seen and can_stand(bot, chat, text):
            seen.add(name)
            rows.append(_row(bot, chat, fact, text, batch))
    return rows


def _row(bot: Bot, chat: str, fact: Picked, text: str, batch: Sequence[Turn]) -> Proposal:
    turns = [batch[fact.turn - 1]] if fact.turn else batch
    said = [one for turn in turns for one in turn.texts]
    flags = [*doubts(text, said), *flag_unsaid(text, said)]
    return Proposal(
        action=Proposal.Action.REMEMBER,
        path=log_of(bot, chat),
        text=text,
        sources=[one for turn in turns for one in turn.sources],
        flags=[
            *(flags or _freely(text, turns)),
            *([] if fact.turn else [NO_TURN]),
            *known_facts.flag_similar(bot, chat, text),
        ],
    )


def _freely(text: str, turns: Sequence[Turn]) -> list[str]:
    """A flag for a fact that is not just what the user said: nobody's question is a fact, nor is half of a sentence."""
    record = Record(line for turn in turns for line in lines_of(turn.said, "user"))
    fact = Passage(text)
    if record.says(fact):
        return []
    near = record.nearest(fact)
    return [say("Not the user’s exact words: %(text)s.", text=quote(near[0].text, TOLD)) if near else NOT_HIS_WORDS]
