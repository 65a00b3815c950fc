"""Facts that cannot all be so: of one matter several answers, or a fact and its denial, in one chat's memory or in the shared one.

What a fact claims is worked out once, when it is new, and kept as the matter that it is about; the facts of a matter are compared
when one of them is new, or when they contradicted each other at the last look.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from memory.checks import claims
from memory.checks.subjects import ABOUT, KEYS_AT_ONCE, Subject, by_key
from memory.curation import doubts
from memory.domain.places import Kind
from memory.index.attributes import unusual
from memory.models import Bot, Claim, quick
from memory.text.claims.answers import agree
from memory.text.claims.denials import denied_texts, is_lasting
from memory.text.claims.statements import statement
from memory.text.markdown.normal import key, unstamped_text
from memory.text.markdown.stamps import stamp
from memory.text.secrets import mask
from memory.text.sentences import say

NAME = doubts.RULE
KINDS = (Kind.LONG_TERM, Kind.DAILY, Kind.TOPIC)  # where a bot writes down what is so
MOST = 60  # different answers that are compared
SAME_MATTER = 400  # facts of one matter that are looked at, the newest


@dataclass(frozen=True, slots=True)
class Answer:
    """What some facts say alike of a matter, the newest first."""

    facts: Sequence[Subject]

    @property
    def when(self) -> str:
        """The day and clock of the newest, as far as they are known."""
        return written(self.facts[0])


@dataclass(frozen=True, slots=True)
class Matter:
    """What is contradictory, in the memory of one scope: its answers, the newest first."""

    about: str
    scope: str
    answers: Sequence[Answer]


def learn(bot: Bot, fresh: Sequence[Subject]) -> set[str]:
    """Keep which matters new facts are about; returns them, and those that new facts may be the other side of."""
    here = [one for one in fresh if one.kind in KINDS]
    abouts = {one.pk: found for one in here if (found := _abouts(one))}
    claims.keep(bot, abouts)
    return _with_claims(bot, {one.key for one in here}.union(*abouts.values()))


def matters(bot: Bot, abouts: Iterable[str]) -> Iterator[Matter]:
    """Which of some matters are contradictory now."""
    for some in quick.batches(sorted(set(abouts)), KEYS_AT_ONCE):
        for (about, scope), facts in _sides(bot, some).items():
            answers = _answers(about, facts) if len(facts) > 1 else []
            if len(answers) > 1:
                yield Matter(about, scope, answers)


def told(matter: Matter) -> str:
    """What the answers say, in an order that depends on nothing else."""
    return "\n".join(sorted(mask(unstamped_text(answer.facts[0].text)) for answer in matter.answers))


def note(matter: Matter) -> str:
    """How many answers there are, for people."""
    number = len(matter.answers)
    return say("Two answers") if number == 2 else say("%(count)s answers", count=number)


def written(one: Subject) -> str:
    """When a fact was written down, as far as it tells: `YYYY-MM-DD HH:MM` or less, "" if it does not."""
    return stamp(one.text) or (f"{one.day} {one.time}".strip() if one.day else "")


def _abouts(one: Subject) -> list[str]:
    found = statement(one.text, one.heading)
    matter = [_named(one.scope, found.attribute, found.subject)] if found else []
    return [*matter, *(key(text) for text in denied_texts(one.text))]


def _named(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _with_claims(bot: Bot, abouts: Collection[str]) -> set[str]:
    """Those of some matters of which there are claims."""
    found: set[str] = set()
    for part in quick.batches(sorted(abouts), KEYS_AT_ONCE):
        some = Claim.objects.filter(bot=bot, about__in=part)
        found.update(some.order_by().values_list("about", flat=True).distinct())
    return found


def _sides(bot: Bot, abouts: Sequence[str]) -> Mapping[tuple[str, str], list[Subject]]:
    """The facts of some matters that the bot remembers, by matter and scope."""
    rows = Claim.objects.filter(bot=bot, about__in=abouts, fact__bot=bot).order_by()
    told = [(about, Subject(*one)) for about, *one in rows.values_list("about", *(f"fact__{name}" for name in ABOUT))]
    told += [(one.key, one) for one in by_key(bot, abouts) if one.kind in KINDS]
    unread = unusual(bot, list({one.pk for _about, one in told}))
    found: dict[tuple[str, str], dict[int, Subject]] = {}
    for about, one in told:
        if one.pk not in unread:
            found.setdefault((about, one.scope), {})[one.pk] = one
    return {matter: list(facts.values()) for matter, facts in found.items()}


def _answers(about: str, facts: Sequence[Subject]) -> list[Answer]:
    """What some facts of a matter say, the newest first; what they may mean alike is one answer."""
    newest_first = sorted(facts, key=lambda one: (written(one), one.pk), reverse=True)[:SAME_MATTER]
    by_value: dict[str, list[Subject]] = {}
    for one in newest_first:
        if (value := _value(about, one)) is not None:
            by_value.setdefault(value, []).append(one)
    if "" in by_value and not _may_deny([one for some in by_value.values() for one in some]):
        return []
    told: list[tuple[str, list[Subject]]] = []
    for value, some in list(by_value.items())[:MOST]:
        alike = next((known for first, known in told if value and first and agree(first, value)), None)
        if alike is None:
            told.append((value, some))
        else:
            alike.extend(some)
    return [Answer(some) for _value, some in told]


def _value(about: str, one: Subject) -> str | None:
    """What a fact answers: a text of its own that is not empty, or "" where it denies the matter; None where it is about none."""
    if one.key == about:
        return one.key
    found = statement(one.text, one.heading)
    if found and _named(one.scope, found.attribute, found.subject) == about:
        return found.value
    return "" if any(key(text) == about for text in denied_texts(one.text)) else None


def _may_deny(facts: Sequence[Subject]) -> bool:
    """Whether a denial is worth a word: what one day's log says of a state, another day's may deny."""
    return any(one.kind != Kind.DAILY for one in facts) or any(is_lasting(one.text) for one in facts)
