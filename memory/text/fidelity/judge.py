"""What code says to a model's operations over numbered facts: which facts they would lose, and what a person has to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.text.fidelity.composition import note, rearranged_words
from memory.text.fidelity.disguises import count_invisible, hiding_marks, recased_words
from memory.text.fidelity.operations import Archive, Fact, Keep, Merge, Operation, Supersede
from memory.text.fidelity.retention import added_words, content_words, invented_words, missing_words, shared_words
from memory.text.fidelity.swapped_words import swapped_words
from memory.text.markdown.entries import bullet, memory_facts
from memory.text.sentences import say
from memory.text.storable import is_keepable

LONGEST = 4000  # characters of a merged line
FEW = 3  # facts that may go to the archive, or for one newer fact, before somebody is asked


@dataclass(frozen=True, slots=True)
class Judgement:
    """One operation: `flags` are sentences for a person to decide, `losses` for nobody to accept; `lost` are the facts that it
    would lose."""

    operation: Operation
    flags: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A whole answer. `unnamed` are the facts that no operation names."""

    judgements: tuple[Judgement, ...]
    unnamed: tuple[int, ...]

    @property
    def blocked(self) -> bool:
        return bool(self.unnamed) or any(one.losses for one in self.judgements)

    @property
    def lost(self) -> tuple[int, ...]:
        """The facts that would be lost, each once."""
        return tuple(sorted({*self.unnamed, *(number for one in self.judgements for number in one.lost)}))


def judge(facts: Sequence[Fact], operations: Sequence[Operation]) -> Judged:
    """What these operations would do to the facts, which are numbered from 1 in their order."""
    named = Counter(number for one in operations for number in set(one.facts))
    judging = _Judging(facts, operations, named)
    judgements = tuple(judging.judged(one) for one in operations)
    return Judged(judgements, tuple(number for number in range(1, len(facts) + 1) if not named[number]))


class _Judging:
    """One answer while it is judged."""

    def __init__(self, facts: Sequence[Fact], operations: Sequence[Operation], named: Counter[int]) -> None:
        self.facts, self.named = facts, named
        self.standing = {number for one in operations if isinstance(one, Keep | Merge) for number in one.facts}
        self.archived = sum(isinstance(one, Archive) for one in operations)
        self.for_newer = Counter(one.newer for one in operations if isinstance(one, Supersede))

    def judged(self, one: Operation) -> Judgement:
        unknown = [number for number in one.facts if not self.known(number)]
        if unknown:
            return Judgement(
                one, losses=tuple(say("Fact %(number)s doesn’t exist.", number=number) for number in unknown)
            )
        losses = [
            say("Fact %(number)s appears in two operations.", number=number)
            for number in one.facts
            if self.named[number] > 1
        ]
        flags: list[str] = []
        match one:
            case Merge():
                self._merge(one, flags, losses)
            case Supersede():
                self._supersede(one, flags, losses)
            case Archive():
                self._archive(one, flags)
        lost = tuple(number for number in one.facts if losses)
        if isinstance(one, Merge) and losses and all(loss.startswith("The line leaves out") for loss in losses):
            lost = tuple(number for number in one.facts if missing_words(self.fact(number).text, one.text))
        return Judgement(one, tuple(flags), tuple(losses), lost)

    def known(self, number: int) -> bool:
        return 1 <= number <= len(self.facts)

    def fact(self, number: int) -> Fact:
        return self.facts[number - 1]

    def _merge(self, one: Merge, flags: list[str], losses: list[str]) -> None:
        if reason := fact_problem(one.text):
            losses.append(reason)
        sources = [self.fact(number) for number in one.facts]
        for number, source in zip(one.facts, sources, strict=True):
            if lost := missing_words(source.text, one.text):
                losses.append(
                    say("The line leaves out %(listed)s from fact %(number)s.", listed=_listed(lost), number=number)
                )
        texts = [source.text for source in sources]
        flags.extend(doubts(one.text, texts, [source.day for source in sources]))

    def _supersede(self, one: Supersede, flags: list[str], losses: list[str]) -> None:
        if not self.known(one.newer) or one.newer == one.fact:
            losses.append(say("Fact %(newer)s doesn’t exist or is the same fact.", newer=one.newer))
            return
        if one.newer not in self.standing:
            losses.append(say("Fact %(newer)s, the replacement, is neither kept nor merged.", newer=one.newer))
        old, new = self.fact(one.fact), self.fact(one.newer)
        common = shared_words(old.text, new.text)
        if not common:
            losses.append(say("Fact %(newer)s has no word in common with it, so it can’t replace it.", newer=one.newer))
        elif len(common) * 2 < len(content_words(old.text)):
            flags.append(say("The newer fact has little in common with it: %(listed)s.", listed=_listed(common)))
        elif (about := content_words(old.text)[0]) not in common:
            flags.append(
                say("The newer fact may be about something else: it doesn’t mention “%(about)s”.", about=about)
            )
        flags.extend(self._about_time(old, new, losses))
        if self.for_newer[one.newer] > FEW:
            flags.append(say("One newer fact would replace %(count)s others.", count=self.for_newer[one.newer]))

    def _about_time(self, old: Fact, new: Fact, losses: list[str]) -> Iterator[str]:
        if old.lasting or new.lasting or not (old.day and new.day):
            yield say("It isn’t clear which fact is newer: long-term memory has no dates.")
        elif (new.day, new.time if old.time else "") < (old.day, old.time if new.time else ""):
            losses.append(say("The replacement is the older fact."))
        elif old.day == new.day and (not (old.time and new.time) or old.time == new.time):
            yield say("It isn’t clear which fact is newer: both are from the same day.")

    def _archive(self, one: Archive, flags: list[str]) -> None:
        if self.fact(one.fact).lasting:
            flags.append(say("It would leave long-term memory, which the bot always reads."))
        if self.archived > FEW and self.archived * 2 > len(self.facts):
            flags.append(
                say(
                    "%(archived)s of %(count)s facts would move to the archive, which the bot doesn’t read.",
                    archived=self.archived,
                    count=len(self.facts),
                )
            )


def fact_problem(text: str) -> str:
    """Why a text cannot be one fact of a long-term memory, for people; "" if it can."""
    if not text:
        return say("The line is empty.")
    if len(text) > LONGEST:
        return say("The line is longer than %(limit)s characters.", limit=LONGEST)
    read = memory_facts(bullet(text)) if is_keepable(text) and "\n" not in text and "\r" not in text else []
    if [fact.text for fact in read] != [text] or text.startswith(("#", "<", "```", "~~~", "- ", "* ", "+ ", "• ")):
        return say("The line wouldn’t be read as one fact.")
    return ""


def doubts(line: str, texts: Sequence[str], days: Iterable[str] = ()) -> Iterator[str]:
    """What a person has to look at in a line made of these texts, a sentence each. `days`: when each was noted, "" if that is
    not known."""
    noted = tuple(days)
    told = tuple(_news(line, [*texts, *map(note, filter(None, noted))], texts))
    yield from told
    if not told and (found := rearranged_words(line, texts, noted)):
        yield say("The word order differs from the sources: %(listed)s.", listed=_listed(found))
    if found := recased_words(line, texts):
        yield say("The sources spell it differently: %(listed)s.", listed=_listed(found))
    if found := hiding_marks(line, texts):
        yield say("It contains markup that can hide text: %(listed)s.", listed=_listed(found))
    if count_invisible(line, texts):
        yield say("It contains invisible characters.")


def _news(line: str, sources: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    if found := invented_words(line, sources):
        yield say("No source contains %(listed)s.", listed=_listed(found))
    if found := added_words(line, sources):
        yield say("It adds words that are not in its sources: %(listed)s.", listed=_listed(found))
    if found := swapped_words(line, texts):
        yield say(
            "%(listed)s may have changed meaning: the words next to it differ from the sources.", listed=_listed(found)
        )


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:8])
    return shown if len(words) <= 8 else f"{shown} …"
