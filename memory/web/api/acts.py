"""Operations on many facts: move, merge, split, pin, find and replace. Without `print` they say what they would do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from memory.access import api_tokens
from memory.bots import open_bot
from memory.curation import acts, facts, merge_and_split, moving, pins, replacing
from memory.curation.documents import sides_as_text
from memory.domain.changes import Put, digest
from memory.domain.errors import Refusal
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.merge.diff import unified_diff
from memory.web.api.authentication import WRITE, bot_of, caller
from memory.web.api.errors import WITH_BODY, Problem, refused
from memory.web.api.facts import MOST, Meant
from memory.web.api.fields import Chat, OutputText, Sent, Slug, Text, like
from memory.web.api.reviewed import may_write

router = Router(tags=["facts"])
SHOWN = 20  # documents whose difference is told
FACT = {"path": "MEMORY.md", "key": "0b7e2d5a9c4f13868a1de0f5c2b79e64", "nth": 0}
Where = Literal["lasting", "shared", "chat", "working"]  # moving.To
Print = Field(
    "", max_length=64, description="What a call without it answered: only that is written. Left out: nothing is."
)


class Many(Sent):
    """Which facts are meant."""

    facts: list[Meant] = Field(min_length=1, max_length=MOST)

    @property
    def wanted(self) -> list[FactRef]:
        return [FactRef.of(one) for one in self.facts]


class Moved(Many):
    """Facts that shall be elsewhere."""

    model_config = like(facts=[FACT], to="chat", chat="telegram-42")

    to: Where = Field(description="`lasting`: long-term memory of the scope of each.")
    chat: Chat = ""
    heading: str = Field("", max_length=1000, description="Of the document that they go into; at its end if left out.")
    print: str = Print


class Merged(Many):
    """Facts that shall be one."""

    model_config = like(facts=[FACT, {**FACT, "nth": 1}], text="Lives in Porto since May")

    text: Text = Field(min_length=1)
    print: str = Print


class Split(Meant):
    """A fact that shall be several."""

    model_config = like(**FACT, parts=["Lives in Porto", "Has a cat"])

    parts: list[Text] = Field(min_length=2, max_length=100)
    print: str = Print


class Pinning(Many):
    """Facts that compaction shall leave where they are, or need not any more."""

    model_config = like(facts=[FACT], pinned=True)

    pinned: bool = True
    print: str = Print


class Replacing(Sent):
    """Words that shall be others in all files that can be edited."""

    model_config = like(find="Porto", instead="Vigo")

    find: str = Field(min_length=1, max_length=1000)
    instead: str = Field("", max_length=1000)
    ignores_case: bool = False
    within: str = Field("", max_length=200, description="Letters of the names of the documents that are meant.")
    print: str = Print


class Difference(Schema):
    """One document of an act."""

    path: OutputText
    diff: OutputText = Field(description="Unified.")


class Acted(Schema):
    """What was done, or would be."""

    count: int = Field(description="How many facts, or places, it is about.")
    reach: OutputText = Field("", description="That more would read what a chat alone knows; empty if they would not.")
    left_behind: list[OutputText] = Field(
        [], description="What facts say of themselves and their new place can’t hold."
    )
    documents: list[Difference] = Field(description="The first twenty; none once it is done.")
    print: str = Field(description="Give it back to have this written.")
    change_set: int | None = Field(None, description="What undoes it; null: nothing was written.")


class Pinned(Schema):
    """What was pinned or unpinned, or would be."""

    count: int
    alike: int = Field(description="How many other facts say the same and go along.")
    passing: int = Field(
        description="How many of all of them are in logs that the bot deletes by itself: they go with these."
    )
    print: str = Field(description="Give it back to have this done.")
    change_set: int | None = Field(None, description="What undoes it; null: nothing was done.")


ANSWERS: Any = {200: Acted, **WITH_BODY}


@router.post("/facts/move", auth=WRITE, response=ANSWERS, summary="Move facts")
def move_facts(request: HttpRequest, slug: Slug, what: Moved) -> dict[str, Any]:
    """Into long-term memory, that of a chat, or what a chat works with, where the bot's family has such a place."""
    bot = bot_of(request, slug)
    return _acted(
        request, bot, moving.make_act(bot, what.wanted, moving.To(what.to), what.chat, what.heading), what.print
    )


@router.post("/facts/merge", auth=WRITE, response=ANSWERS, summary="Merge facts into one")
def merge_facts(request: HttpRequest, slug: Slug, what: Merged) -> dict[str, Any]:
    """It stands where one of them says so already, else where the first of long-term memory stood."""
    bot = bot_of(request, slug)
    return _acted(request, bot, lambda: merge_and_split.plan_merge(bot, what.wanted, what.text), what.print)


@router.post("/facts/split", auth=WRITE, response=ANSWERS, summary="Split a fact")
def split_fact(request: HttpRequest, slug: Slug, what: Split) -> dict[str, Any]:
    """The first part stands in its place, the others behind it."""
    bot = bot_of(request, slug)
    return _acted(request, bot, lambda: merge_and_split.plan_split(bot, FactRef.of(what), what.parts), what.print)


@router.post("/facts/pin", auth=WRITE, response={200: Pinned, **WITH_BODY}, summary="Pin or unpin facts")
def pin_facts(request: HttpRequest, slug: Slug, what: Pinning) -> dict[str, Any]:
    """Compaction and pruning leave pinned facts where they are, and they are never stale. No file changes."""
    bot = bot_of(request, slug)
    found = facts.find(bot, what.wanted)
    if isinstance(found, Refused):
        raise _problem(found)
    foreseen = pins.foresee(bot, found, pinned=what.pinned)
    if what.print and what.print != foreseen.print:
        raise _problem(Refused(acts.MOVED))
    done = pins.do(bot, foreseen, api_tokens.by(caller(request))) if what.print else None
    counts = {name: getattr(foreseen, name) for name in ("count", "alike", "passing", "print")}
    return {**counts, "change_set": done.pk if done else None}


@router.post("/replace", auth=WRITE, response=ANSWERS, summary="Find and replace")
def replace_words(request: HttpRequest, slug: Slug, what: Replacing) -> dict[str, Any]:
    """Word for word, in every file that people may edit, and in the texts of entries in databases."""
    bot = bot_of(request, slug)
    wanted = replacing.Replacement(what.find, what.instead, what.ignores_case, what.within)
    try:
        plan = replacing.plan(bot, wanted)
    except Refusal as error:
        raise Problem(422, "refused", str(error)) from None
    told = {"count": plan.count, "print": plan.print}
    if not what.print:
        return {**told, "documents": _differences(bot, ((one.path, one.before, one.after) for one in plan.places))}
    may_write(bot, [Put(one.path, one.after, digest(one.before)) for one in plan.places])
    done = replacing.replace(bot, wanted, what.print, api_tokens.by(caller(request)))
    if isinstance(done, Refused):
        raise refused(done)
    return {**told, "documents": [], "change_set": done.change_set.pk if done.change_set else None}


def _acted(request: HttpRequest, bot: Bot, act: acts.Act, print_of: str) -> dict[str, Any]:
    foreseen = acts.foresee(bot, act)
    if isinstance(foreseen, Refused):
        raise _problem(foreseen)
    told = {
        "count": foreseen.count,
        "print": foreseen.print,
        "left_behind": list(foreseen.left_behind),
        "reach": foreseen.reach,
    }
    if not print_of:
        documents = ((one.path, one.before, one.after) for one in foreseen.documents)
        return {**told, "documents": _differences(bot, documents)}
    may_write(bot, act().changes)
    done = acts.do(bot, api_tokens.by(caller(request)), act, print_of)
    if isinstance(done, Refused):
        raise _problem(done)
    return {**told, "documents": [], "change_set": done.change_set.pk if done.change_set else None}


def _problem(outcome: Refused) -> Problem:
    gone = outcome.reason in (acts.NOT_THERE, acts.MOVED)
    return (
        Problem(409, "gone" if outcome.reason == acts.NOT_THERE else "changed", outcome.reason)
        if gone
        else refused(outcome)
    )


def _differences(bot: Bot, documents: Iterable[tuple[str, bytes, bytes]]) -> Sequence[dict[str, str]]:
    dialect = open_bot(bot).dialect
    some = list(documents)[:SHOWN]
    return [{"path": path, "diff": unified_diff(*sides_as_text(dialect, path, old, new))} for path, old, new in some]
