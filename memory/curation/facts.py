"""A person mends what the bot remembers: facts added, reworded, given other details, forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from memory import journal
from memory.bots import open_bot
from memory.curation.acts import ActPlan, CurrentDocument, Done, do, extra_documents, find_facts, read_current
from memory.curation.writing import check_unmasked
from memory.domain.attributes import Detailing, Details
from memory.domain.changes import Change, Put
from memory.domain.errors import Refusal, VaultError
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused, refusal_of
from memory.journal import How, Link
from memory.models import Bot
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import quote, quote_pair


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact as it stands in its file now; `locked` says why people may not change it, "" if they may."""

    path: str
    fact: FactAt
    locked: str


def add(bot: Bot, path: str, text: str, by: journal.By, now: datetime | None = None) -> Done | Refused:
    """One more fact: an entry of today's log, a list item of a long-term memory."""

    return do(bot, by, partial(plan_add, bot, path, text, now))


def plan_add(
    bot: Bot, path: str, text: str, now: datetime | None = None, known: Mapping[str, bytes] | None = None
) -> ActPlan:
    """The act of adding a fact, to the document as it is unless it is `known`."""
    document = read_current(bot, path, known).unlocked()
    change = open_bot(bot).dialect.add(path, document.data, [check_unmasked(text)], now or open_bot(bot).now())
    return ActPlan([change], [document], say("Added %(text)s", text=quote(text)), [])


def edit(bot: Bot, path: str, key: str, nth: int, text: str, by: journal.By, why: str = "") -> Done | Refused:
    """A fact says something else; all around it stays. `why` is what the history says of it, else what it says before and after."""
    return do(bot, by, partial(plan_edit, bot, FactRef(path, key, nth), text, why))


def plan_edit(bot: Bot, wanted: FactRef, text: str, why: str = "") -> ActPlan:
    """The act of having this fact say something else."""
    path, key, nth = wanted
    document = read_current(bot, path).unlocked()
    fact = document.fact(key, nth)
    change = open_bot(bot).dialect.edit(path, document.data or b"", fact, check_unmasked(text, fact.text))
    more = open_bot(bot).family.reworded(bot, path, document.data or b"", fact, text)
    before, after = quote_pair(fact.text, text)
    return ActPlan(
        [change, *(put for put, _ in more)],
        [document, *extra_documents(bot, more)],
        why or say("Changed %(before)s to %(after)s", before=before, after=after),
        [key],
        _reworded(bot, document, fact, change),
    )


def _reworded(bot: Bot, document: CurrentDocument, fact: FactAt, change: Put) -> list[Link]:
    """What the fact that stands in its place now says, however little it is like it."""
    after, keys = open_bot(bot).facts(change.path, change.data), [known.key for known in document.facts]
    if len(after) != len(keys):
        return []
    now = after[document.facts.index(fact)].key
    how = How.MERGED if now in keys else How.REWORDED
    return [Link(how, document.path, fact.key, document.path, now)] if now != fact.key else []


def details(bot: Bot, path: str, key: str, nth: int) -> tuple[FactAt, Details] | Refused:
    """A fact and what it says of itself, as its file has it now."""
    try:
        document = read_current(bot, path).unlocked()
        fact = document.fact(key, nth)
        return fact, _detailing(bot).details(path, document.data or b"", fact)
    except (Refusal, ValueError, VaultError) as error:
        return refusal_of(error)


def set_details(
    bot: Bot, path: str, key: str, nth: int, changes: Mapping[str, object], by: journal.By
) -> Done | Refused:
    """Other details of a fact, by their names; its text stays."""

    def make() -> ActPlan:
        document, now = read_current(bot, path).unlocked(), open_bot(bot).now()
        fact, data = document.fact(key, nth), document.data or b""
        check_unmasked("\n".join(map(str, changes.values())), data.decode("utf-8", "replace"))
        change = _detailing(bot).detailed(path, data, fact, changes, now)
        more = open_bot(bot).family.detailed(bot, path, data, fact, changes, now)
        why = say("Changed the details of %(text)s", text=quote(fact.text))
        return ActPlan([change, *(put for put, _ in more)], [document, *extra_documents(bot, more)], why, [key])

    return do(bot, by, make)


def _detailing(bot: Bot) -> Detailing:
    known = open_bot(bot).attributes
    if known is None or known.detailing is None:
        raise Refusal(say("The facts of this bot have no details. Nothing was changed."))
    return known.detailing


def forget(bot: Bot, wanted: Iterable[FactRef], by: journal.By) -> Done | Refused:
    """Facts go, of any number of documents, as one change set; all of them or none."""
    return do(bot, by, partial(plan_forget, bot, tuple(wanted)))


def plan_forget(bot: Bot, wanted: Iterable[FactRef]) -> ActPlan:
    """The act of forgetting these facts."""
    going, opened = find_facts(bot, wanted), open_bot(bot)
    told = [(document.path, document.unlocked().data or b"", facts) for document, facts in going]
    changes: list[Change] = [opened.dialect.forget(path, data, facts) for path, data, facts in told]
    more = opened.family.without(bot, told)
    facts = [fact for _, some in going for fact in some]
    why = (
        say("Forgot %(text)s", text=quote(facts[0].text))
        if len(facts) == 1
        else say("Forgot %(count)s facts", count=len(facts))
    )
    documents = [*(document for document, _ in going), *extra_documents(bot, more)]
    return ActPlan([*changes, *(put for put, _ in more)], documents, why, [fact.key for fact in facts])


def find(bot: Bot, wanted: Iterable[FactRef]) -> list[FoundFact] | Refused:
    """The facts that are meant as they stand in their files now."""
    try:
        return [
            FoundFact(document.path, fact, document.locked)
            for document, facts in find_facts(bot, wanted)
            for fact in facts
        ]
    except (Refusal, VaultError) as error:
        return refusal_of(error)
