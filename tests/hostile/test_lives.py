"""Whatever is done to facts, in whatever order: the life of each, told from the rows, is what a simple model remembers of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from memory import index, journal
from memory.compaction import runner
from memory.curation import acts, facts, lineage, merge_and_split, moving
from memory.domain.outcomes import Refused
from memory.journal import How
from memory.models import ChangeSet, Fact
from memory.text.markdown.normal import key, unstamped_text
from tests.journal.conftest import ANA, make_desk
from tests.support.amounts import times

MEMORY, LOG, CHAT = "MEMORY.md", "2026-11-20.md", "chats/telegram-1/MEMORY.md"
ACTS = [
    "turn",
    "add",
    "edit",
    "promote",
    "move",
    "merge",
    "merge into one of them",
    "split",
    "forget",
    "undo",
    "reworded outside",
    "removed outside",
    "grown outside",
    "compact",
]
SYLLABLES = ["ba", "ko", "ri", "mu", "ze", "ta", "lo", "fi", "ne", "wu"]


def words(number: int) -> str:
    """A text that is like no other."""
    first, second, third = (SYLLABLES[int(digit)] for digit in f"{number:03}")
    return f"{first * 4} {second * 3}{third * 2} {third * 5}{number}"


@dataclass
class Known:
    """A fact as the model knows it: where it is ("" for nowhere), what it says, and what became of it. One that was merged lives on
    in its `heir`, and is asked for by its last `name`."""

    path: str
    text: str
    steps: list[tuple[How | None, str]] = field(default_factory=list)
    heir: Known | None = None
    name: tuple[str, str] = ("", "")

    def become(self, how: How | None, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.steps = [*self.steps, (how, text if path else "")]

    def go_into(self, heir: Known, how: How, name: tuple[str, str]) -> None:
        self.heir, self.name, self.path = heir, name, ""
        self.steps = [*self.steps, (how, heir.text)]

    @property
    def last(self) -> Known:
        return self.heir.last if self.heir else self


@dataclass
class Model:
    """The facts, and of the newest change set what it did: what each fact was before, and how it changed."""

    facts: list[Known] = field(default_factory=list)
    before: list[Known] = field(default_factory=list)
    made: ChangeSet | None = None

    def at(self, pick: int, path: str = "") -> Known | None:
        there = [one for one in self.facts if one.path and (not path or one.path == path)]
        return there[pick % len(there)] if there else None

    def remember(self) -> None:
        self.before = [replace(one) for one in self.facts]


class Life:
    """A bot and its model, to which the same is done."""

    def __init__(self, desk) -> None:
        self.desk, self.bot, self.model, self.number = desk, desk.bot, Model(), 0

    def fresh(self) -> str:
        self.number += 1
        return words(self.number)

    def do(self, act: str, pick: int) -> None:
        if act != "undo":
            self.model.remember()
        newest = self.newest()
        getattr(self, act.replace(" ", "_"))(pick)
        index.refresh(self.bot)
        self.bot.refresh_from_db()
        made = self.newest()
        self.model.made = made if made != newest and act != "undo" else None

    def newest(self) -> ChangeSet | None:
        return ChangeSet.objects.filter(bot=self.bot).first()

    def name(self, one: Known) -> tuple[str, str, int]:
        fact = Fact.objects.get(bot=self.bot, document__path=one.path, key=key(one.text))
        return one.path, fact.key, fact.nth

    def turn(self, pick: int) -> None:
        text = self.fresh()
        self.desk.append(LOG, f"## 10:00 — {text}\n\n".encode())
        self.come(LOG, text)

    def grown_outside(self, pick: int) -> None:
        text = self.fresh()
        self.desk.write(MEMORY, (self.desk.read(MEMORY) or b"") + f"- {text}\n".encode())
        self.come(MEMORY, text)

    def add(self, pick: int) -> None:
        text, was_there = self.fresh(), self.desk.read(MEMORY) is not None
        assert not isinstance(facts.add(self.bot, MEMORY, text, ANA), Refused)
        self.come(MEMORY, text, How.ADDED if was_there else None)

    def come(self, path: str, text: str, how: How | None = None) -> None:
        one = Known("", "")
        one.become(how, path, text)
        self.model.facts.append(one)

    def edit(self, pick: int) -> None:
        if one := self.model.at(pick):
            text = self.fresh()
            assert not isinstance(facts.edit(self.bot, *self.name(one), text, ANA), Refused)
            one.become(How.REWORDED, one.path, text)

    def promote(self, pick: int) -> None:
        if one := self.model.at(pick, LOG):
            assert not isinstance(moving.promote(self.bot, [self.name(one)], ANA), Refused)
            one.become(How.PROMOTED, MEMORY, one.text)

    def move(self, pick: int) -> None:
        if (one := self.model.at(pick)) and one.path != CHAT:
            assert not isinstance(moving.move(self.bot, [self.name(one)], CHAT, ANA), Refused)
            one.become(How.MOVED, CHAT, one.text)

    def merge(self, pick: int) -> None:
        one, other = self.model.at(pick), self.model.at(pick + 1)
        if one is None or other is None or one is other:
            return
        text = self.fresh()
        wish = partial(merge_and_split.plan_merge, self.bot, [self.name(one), self.name(other)], text)
        assert not isinstance(acts.do(self.bot, ANA, wish), Refused)
        home = next((some for some in (one, other) if some.path != LOG), one)
        gone = other if home is one else one
        name = gone.path, key(gone.text)
        home.become(How.REWORDED, home.path, text)
        gone.go_into(home, How.MERGED, name)

    def merge_into_one_of_them(self, pick: int) -> None:
        one, other = self.model.at(pick), self.model.at(pick + 1)
        if one is None or other is None or one is other:
            return
        name = other.path, key(other.text)
        wish = partial(merge_and_split.plan_merge, self.bot, [self.name(one), self.name(other)], one.text)
        assert not isinstance(acts.do(self.bot, ANA, wish), Refused)
        other.go_into(one, How.MERGED, name)

    def split(self, pick: int) -> None:
        if one := self.model.at(pick):
            parts = [self.fresh(), self.fresh()]
            wish = partial(merge_and_split.plan_split, self.bot, self.name(one), parts)
            assert not isinstance(acts.do(self.bot, ANA, wish), Refused)
            self.model.facts.append(replace(one))
            for part, text in zip((one, self.model.facts[-1]), parts, strict=True):
                part.become(How.SPLIT, part.path, text)

    def forget(self, pick: int) -> None:
        if one := self.model.at(pick):
            assert not isinstance(facts.forget(self.bot, [self.name(one)], ANA), Refused)
            one.become(How.FORGOTTEN, "", one.text)

    def reworded_outside(self, pick: int) -> None:
        if one := self.model.at(pick):
            text = f"{one.text} indeed"
            self.desk.write(one.path, self.desk.read(one.path).replace(one.text.encode(), text.encode()))
            one.become(How.REWORDED, one.path, text)

    def removed_outside(self, pick: int) -> None:
        if one := self.model.at(pick, MEMORY):
            lines = self.desk.read(MEMORY).splitlines(keepends=True)
            self.desk.write(MEMORY, b"".join(line for line in lines if one.text.encode() not in line))
            one.become(How.FORGOTTEN, "", one.text)

    def compact(self, pick: int) -> None:
        ran = runner.run(self.bot, [""], ANA, today="2027-06-01")
        assert not isinstance(ran, Refused)
        for one in self.model.facts:
            if one.path == LOG:
                one.become(How.MOVED, MEMORY, one.text)

    def undo(self, pick: int) -> None:
        made, self.model.made = self.model.made, None
        if made is None or made.kind == ChangeSet.Kind.FOUND:
            return
        assert isinstance(journal.undo(self.bot, made, ANA), journal.Applied)
        before = self.model.before
        texts = {one.text for one in before if one.path}
        returning = {  # what went nowhere, or into one that was there before
            number
            for number, one in enumerate(self.model.facts)
            if not one.last.path or (one.heir and one.last.text in texts)
        }
        for number, one in enumerate(self.model.facts):
            was = before[number] if number < len(before) else Known("", one.text)
            if (one.path, one.text) != (was.path, was.text):
                how = one.steps[-1][0] if was.path else How.FORGOTTEN
                how = How.RETURNED if number in returning else how
                one.become(how, was.path, was.text)
                one.heir = was.heir
        if self.model.facts[len(before) :] and self.model.facts[-1].steps[-2][0] is How.SPLIT:
            self.together_again(len(before))

    def together_again(self, number: int) -> None:
        """A split was undone: what it was goes on, by the last of its parts; that part went into it."""
        whole = next(one for one in self.model.facts[:number] if one.steps[-1][0] is How.SPLIT and one.path)
        part = self.model.facts[number]
        whole.steps[-2:-1] = [part.steps[-2]]
        part.steps.pop()
        part.go_into(whole, How.SPLIT, (whole.path, key(part.text)))

    def check(self) -> None:
        for one in self.model.facts:
            if one.heir:
                life = lineage.lineage_of(self.bot, *one.name)
                steps = [(step.how, unstamped_text(step.text)) for step in life.steps]
                assert steps[: len(one.steps)] == one.steps
                assert (life.stands is not None) == bool(one.last.path)
                continue
            path = one.path or next(
                step.was[0]
                for step in reversed(lineage.lineage_of(self.bot, MEMORY, key(one.text)).steps or self.log(one))
            )
            life = lineage.lineage_of(self.bot, path, key(one.text))
            assert [(step.how, unstamped_text(step.text)) for step in life.steps] == one.steps
            assert (life.stands is not None) == bool(one.path)

    def log(self, one: Known):
        return lineage.lineage_of(self.bot, LOG, key(one.text)).steps


@pytest.fixture
def home(db, tmp_path, kenoweb_home):
    return tmp_path


@pytest.mark.slow
@settings(max_examples=times(20, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 5)), min_size=2, max_size=10))
@example([("add", 0), ("add", 0), ("merge into one of them", 0), ("undo", 0), ("edit", 1)])
@example(
    [("turn", 0), ("promote", 0), ("turn", 0), ("merge into one of them", 0), ("undo", 0), ("merge", 0), ("undo", 0)]
)
def test_every_fact_has_the_life_that_a_model_remembers(home, acts):
    life = Life(make_desk(home, f"bot-{len(list(home.iterdir()))}"))
    for act, pick in acts:
        life.do(act, pick)
    life.check()
