"""Many facts with attributes at once: chosen by what their attributes say, counted, and forgotten as one change set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

from memory import index, journal
from memory.bots import open_bot
from memory.curation import pins
from memory.curation.writing import write
from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Change, join_path
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.attributes import Attributes, instant
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

NONE = say("This bot doesn’t keep entries.")
NOTHING = say("No entries match. Nothing was changed.")
CHANGED = say("These entries have changed since you looked. Nothing was changed.")
NO_FILTER = say("Choose entries by age, expiry or kind, or a scope with its owner. Nothing was changed.")

Chosen = Mapping[str, Sequence[FactAt]]  # facts by their documents
Going = tuple[str, bytes, Sequence[FactAt]]  # (path, the document's bytes, those of its facts that go)


@dataclass(frozen=True, slots=True)
class PruneSelection:
    """Facts of some scopes (none named: of all), of some kinds (none: of any), not said again for some days (None: ever).
    `expired`: only those past their time."""

    scopes: tuple[str, ...] = ()
    kinds: Collection[str] = ()
    older_than_days: int | None = None
    expired: bool = False

    def check(self) -> None:
        """Raises ValueError if it would mean everything there is."""
        if not self.scopes and not self.kinds and self.older_than_days is None and not self.expired:
            raise ValueError(NO_FILTER)

    def of(self, facts: Iterable[FactAt], now: datetime) -> list[FactAt]:
        """Those of some facts that are meant."""
        days = max(self.older_than_days or 0, 0)
        before = instant(now - timedelta(days=days)) if self.older_than_days is not None else ""
        at = instant(now)
        return [fact for fact in facts if fact.attributes and self._means(fact.attributes, before, at)]

    def _means(self, about: Attributes, before: str, now: str) -> bool:
        return (
            (not self.kinds or about.kind in self.kinds)
            and (not before or about.updated < before)
            and (not self.expired or about.is_expired(now))
        )


@dataclass(frozen=True, slots=True)
class Pruned:
    """So many facts were forgotten; `left` changed after they were looked at, and stayed."""

    change_set: ChangeSet | None
    count: int
    left: int


def ability(bot: Bot) -> AttributesAbility:
    """How the facts of a bot have attributes. Raises ValueError, with a sentence, for a bot whose facts have none."""
    if found := open_bot(bot).attributes:
        return found
    known = open_bot(bot).dialect.attributes
    raise ValueError(known.sentences.missing if known else NONE)


def choose(bot: Bot, choice: PruneSelection, now: datetime | None = None) -> dict[str, list[FactAt]]:
    """The facts that are meant, by document, but for those that are pinned. Raises ValueError for a choice that means everything
    and a bot whose facts have no attributes, RootGone and Unreadable."""
    choice.check()
    facts, at, pinned = open_bot(bot).dialect.facts, now or open_bot(bot).now(), pins.keys(bot)
    found = {
        path: [fact for fact in choice.of(facts(path, data), at) if fact.key not in pinned]
        for path, data in _documents(bot, choice.scopes)
    }
    return {path: some for path, some in found.items() if some}


def _documents(bot: Bot, scopes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The documents of these scopes, or of all, whose facts have attributes."""
    known, dialect = ability(bot), open_bot(bot).dialect
    if scopes:
        memory = index.BotMemory(bot)
        yield from ((path, memory.read(path) or b"") for path in map(known.path, scopes))
        return

    def is_one(below: str) -> bool:
        place = dialect.describe(join_path(known.root, below))
        return place is not None and place.has_attributes

    for below, content in open_bot(bot).vaults[known.root].everything(is_one):
        yield join_path(known.root, below), content.data


def print_of(found: Chosen) -> str:
    """A short text that is another one if other facts are meant, or if one of them says something else."""
    marks = sorted(repr((path, _mark(fact))) for path, some in found.items() for fact in some)
    return sha256("\n".join(marks).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def count_facts(found: Chosen) -> tuple[dict[str, int], dict[str, int]]:
    """How many facts of each kind, and of each sort of scope."""
    some = [fact.attributes for facts in found.values() for fact in facts if fact.attributes]
    by = Counter(about.kind for about in some), Counter(about.whose or "other" for about in some)
    return dict(sorted(by[0].items())), dict(sorted(by[1].items()))


def prune(bot: Bot, found: Chosen, by: journal.By) -> Pruned | Refused:
    """Forget these facts as one change set that can be undone. One that changed since it was looked at stays."""
    total = sum(map(len, found.values()))
    if not total:
        return Refused(NOTHING)
    done = write(bot, partial(_pruning, bot, found), by)
    if isinstance(done, Refused):
        return done
    count = sum(len(facts) for _, _, facts in done.told)
    return Pruned(done.change_set, count, total - count)


def _standing(bot: Bot, found: Chosen) -> Iterator[Going]:
    """Those of the facts that say what they said."""
    ability(bot)
    memory, dialect = index.BotMemory(bot), open_bot(bot).dialect
    for path, some in found.items():
        data, marks = memory.read(path), set(map(_mark, some))
        if data and (facts := [one for one in dialect.facts(path, data) if _mark(one) in marks]):
            yield path, data, facts


def _pruning(bot: Bot, found: Chosen) -> journal.CommitPlan[list[Going]]:
    """Raises Refusal where none of them says what it said."""
    going = list(_standing(bot, found))
    if not going:
        raise Refusal(CHANGED)
    forget, beside = open_bot(bot).dialect.forget, open_bot(bot).family.without(bot, going)
    changes: list[Change] = [*(forget(path, data, facts) for path, data, facts in going), *(put for put, _ in beside)]
    made_from = [*(data for _, data, _ in going), *(data for _, data in beside)]
    keys = [fact.key for _, _, facts in going for fact in facts]
    why = say("Forgot %(count)s entries", count=len(keys)) if len(keys) > 1 else say("Forgot an entry")
    return journal.CommitPlan(changes, going, made_from, why=why, details={"facts": keys})


def _mark(fact: FactAt) -> tuple[str, Attributes | None]:
    return fact.text, fact.attributes
