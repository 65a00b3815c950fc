"""Recall tests: a question that must find a fact. They are looked for again whenever the index has moved on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from math import inf
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memory import search
from memory.bots import open_bot
from memory.curation import lineage
from memory.domain.errors import VaultError
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet, Fact, RecallTest, Revision
from memory.prompts import build
from memory.search import Hit
from memory.text.sentences import say
from memory.text.storable import keepable

# What one run looks at, for each test is a search and somebody may be waiting: so many, and none begun after so many seconds.
AT_ONCE = 20
SECONDS = 0.5
MOST = 500  # tests of one bot
LONGEST = 500  # characters of a question
QUOTED = 300  # characters that are kept of what stands first instead
WITHIN = (1, 3, 5, 10, 20)  # among how many hits a fact may have to be
USUAL = 10


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of looking for a test's fact: the columns of its row, by their names."""

    key: str
    nth: int
    text: str
    rank: int | None
    is_read: bool | None
    missing: bool
    elsewhere: str
    instead: dict[str, Any]

    def holds(self, within: int) -> bool:
        """Whether the question finds the fact."""
        return self.rank is not None and self.rank <= within and self.is_read is not False


_OUTCOME = tuple(field.name for field in fields(_Outcome))
_WRITTEN = (*_OUTCOME, "was", "checked", "indexed", "seen", "broken", "since", "broken_by", "fixed_by")


def add(
    bot: Bot,
    question: str,
    wanted: FactRef,
    user: User | None = None,
    *,
    chat: str = "",
    within: int = USUAL,
    reads: bool = False,
) -> RecallTest | Refused:
    """From now on this question, asked by a chat ("": nobody's), must find this fact among the first `within`, and with `reads`
    the prompt for it must hold the fact. The same test again only changes these two. It is looked at at once."""
    asked = " ".join(keepable(question).split())
    path, key, nth = wanted
    fact = Fact.objects.filter(bot=bot, document__path=path, key=key, nth=nth).select_related("document").first()
    meant = {"bot": bot, "question": asked, "scope": chat, "path": path, "key": key, "nth": nth}
    if problem := _problem(bot, asked, fact, chat) or _too_many(bot, meant):
        return Refused(problem)
    assert fact is not None  # noqa: S101 - else there was a problem
    rules = {"within": within, "reads": reads}
    made, _is_new = RecallTest.objects.update_or_create(
        **meant, defaults=rules, create_defaults={**rules, "text": fact.text, "user": user}
    )
    check(bot, [made])
    return made


def _problem(bot: Bot, asked: str, fact: Fact | None, chat: str) -> str:
    """Why this cannot be a test, for people; "" if it can."""
    if not asked or search.search(bot, asked, now=open_bot(bot).now(), limit=0).query.is_empty:
        return say("The question contains no searchable word. No test was added.")
    if len(asked) > LONGEST:
        return say("Questions can have up to %(limit)s characters. No test was added.", limit=LONGEST)
    if fact is None:
        return say("This fact no longer exists or was changed. No test was added.")
    if chat and (problem := open_bot(bot).dialect.session_id_problem(chat)):
        return say("%(problem)s No test was added.", problem=problem)
    if chat and fact.document.scope not in ("", chat):
        return say("This fact belongs to another chat, which this one can’t read. No test was added.")
    return ""


def _too_many(bot: Bot, meant: Mapping[str, Any]) -> str:
    """Why no test can be added to those that there are, for people; "" if one can, or this is one of them."""
    if RecallTest.objects.filter(bot=bot).count() < MOST or RecallTest.objects.filter(**meant).exists():
        return ""
    return say("This bot already has the maximum of %(limit)s recall tests. No test was added.", limit=MOST)


def remove(bot: Bot, which: Iterable[int]) -> int:
    """Forget some tests by their pk; how many there were."""
    return RecallTest.objects.filter(bot=bot, pk__in=list(which)).delete()[0]


def follow(bot: Bot, one: RecallTest) -> bool:
    """Mean the document that says it now. False if none does, or if that is a test already."""
    with transaction.atomic():
        moved = Fact.objects.filter(bot=bot, document__path=one.elsewhere, key=one.key).order_by("nth").first()
        if moved is None or _is_taken(one, one.elsewhere, one.key, moved.nth):
            return False
        RecallTest.objects.filter(pk=one.pk).update(path=one.elsewhere, nth=moved.nth, elsewhere="")
    one.refresh_from_db()
    check(bot, [one])
    return True


def check_due(bot: Bot, most: int = AT_ONCE, seconds: float = SECONDS) -> bool:
    """Look at tests whose outcome is older than the index, the oldest first; whether any outcome is another one now."""
    due = RecallTest.objects.filter(bot=bot, indexed__lt=bot.indexed).order_by("indexed", "id")
    return check(bot, list(due[:most]), seconds)


def check(bot: Bot, tests: Sequence[RecallTest], seconds: float = inf) -> bool:
    """Look for the facts of some tests, for about so many seconds; whether any outcome is another one now. What cannot be asked
    stays as it was."""
    if not tests:
        return False
    now, moment = open_bot(bot).now(), timezone.now()
    newest = ChangeSet.objects.filter(bot=bot).order_by("-id").values_list("id", flat=True).first() or 0
    looked: list[RecallTest] = []
    changed, begun = False, time.monotonic()
    for one in tests:
        if looked and time.monotonic() - begun > seconds:
            break
        try:
            outcome = _outcome(bot, one, now, looked)
        except (VaultError, build.PromptRefused):
            continue
        changed = (
            changed or one.checked is None or any(getattr(one, name) != getattr(outcome, name) for name in _OUTCOME)
        )
        _take(bot, one, outcome, moment)
        one.checked, one.indexed, one.seen = moment, bot.indexed, newest
        looked.append(one)
    RecallTest.objects.bulk_update(looked, _WRITTEN)
    return changed


def _take(bot: Bot, one: RecallTest, outcome: _Outcome, moment: datetime) -> None:
    """Keep what came of a test: if it broke just now since when and through what, and if it holds again through what."""
    for name in _OUTCOME:
        setattr(one, name, getattr(outcome, name))
    if outcome.holds(one.within):
        one.fixed_by = _newer(bot, one) if one.broken else one.fixed_by
        one.broken, one.since, one.was = None, None, one.rank
    elif one.broken is None:
        one.broken, one.since = moment, _since(bot, one)
        one.broken_by = one.since or one.broken_by


def _since(bot: Bot, one: RecallTest) -> ChangeSet | None:
    """The change set that broke a test: the one that took its fact, else the newest one since it held."""
    if one.checked is None:
        return None
    if one.missing or one.elsewhere:
        return lineage.change_that_took(bot, one.path, one.key)
    return _newer(bot, one) or _last_change(bot, one.instead.get("path", ""))


def _newer(bot: Bot, one: RecallTest) -> ChangeSet | None:
    """The newest change set since a test was looked at."""
    return ChangeSet.objects.filter(bot=bot, pk__gt=one.seen).first()


def changed_by(change_set: ChangeSet) -> tuple[list[str], list[str]]:
    """The questions of the recall tests that a change broke, and of those that it made hold again, as far as is known."""
    tests = RecallTest.objects.filter(bot=change_set.bot).order_by("pk")
    broke, fixed = (tests.filter(**{name: change_set}) for name in ("broken_by", "fixed_by"))
    return list(broke.values_list("question", flat=True)), list(fixed.values_list("question", flat=True))


def passing(bot: Bot) -> int:
    """How many recall tests there are, if all of them pass; 0 if one fails or was not looked at yet."""
    tests = RecallTest.objects.filter(bot=bot)
    return 0 if tests.filter(Q(broken__isnull=False) | Q(checked=None)).exists() else tests.count()


def _last_change(bot: Bot, path: str) -> ChangeSet | None:
    """The last change of a document. What others append joins a set that may be older than the last look."""
    last = Revision.objects.filter(bot=bot, path=path, done=True).select_related("change_set").order_by("-id").first()
    return last.change_set if last else None


def _outcome(bot: Bot, one: RecallTest, now: datetime, looked: Sequence[RecallTest]) -> _Outcome:
    key, nth, text = _meant(bot, one, looked)
    stands = _stands(bot, one.path, key)
    elsewhere = "" if stands else _elsewhere(bot, one.path, key)
    where = one.path if stands else elsewhere
    hits = search.search(bot, one.question, now=now, chat=one.scope or None, limit=search.MOST).hits
    rank = next((at for at, hit in enumerate(hits, 1) if (hit.path, hit.key) == (where, key)), None)
    is_read = _is_read(bot, one, where, key, now) if one.reads else None
    return _Outcome(key, nth, text, rank, is_read, not where, elsewhere, _instead(hits, rank, one.within))


def _meant(bot: Bot, one: RecallTest, looked: Sequence[RecallTest]) -> tuple[str, int, str]:
    """(key, nth, text) of the fact as it reads now: where changes of ours reworded it, a test goes along, unless one of those that
    were looked at just now has gone there."""
    if not _stands(bot, one.path, one.key):
        became = lineage.latest_wording(bot, one.path, one.key)
        now = Fact.objects.filter(bot=bot, document__path=one.path, key=became or "").order_by("nth").first()
        if now and not _is_taken(one, one.path, now.key, now.nth, looked):
            return now.key, now.nth, now.text
    return one.key, one.nth, one.text


def _is_taken(one: RecallTest, path: str, key: str, nth: int, looked: Sequence[RecallTest] = ()) -> bool:
    """Whether there is another test for the same question and this fact, also among those that are not saved yet."""
    meant = (one.question, one.scope, path, key, nth)
    if any((other.question, other.scope, other.path, other.key, other.nth) == meant for other in looked):
        return True
    same = RecallTest.objects.filter(
        bot=one.bot_id, question=one.question, scope=one.scope, path=path, key=key, nth=nth
    )
    return same.exclude(pk=one.pk).exists()


def _stands(bot: Bot, path: str, key: str) -> bool:
    """Whether a document says it. Of equal entries any one will do."""
    return Fact.objects.filter(bot=bot, document__path=path, key=key).exists()


def _elsewhere(bot: Bot, path: str, key: str) -> str:
    """Another document that says the same and that the same chat sees; "" if there is none."""
    place = open_bot(bot).dialect.describe(path)
    scopes = {"", place.scope if place else ""}
    same = Fact.objects.filter(bot=bot, key=key, document__scope__in=scopes).order_by("-id")
    return same.values_list("document__path", flat=True).first() or ""


def _is_read(bot: Bot, one: RecallTest, path: str, key: str, now: datetime) -> bool:
    """Whether the prompt for the question holds the fact. Raises PromptRefused and Unreadable."""
    lines = build.build(bot, one.scope or None, one.question, now).lines
    return any(line.fact and (line.path, line.fact.key) == (path, key) for line in lines)


def _instead(hits: Sequence[Hit], rank: int | None, within: int) -> dict[str, Any]:
    """What is found first where the fact is not found among the first."""
    if not hits or (rank and rank <= within):
        return {}
    first = hits[0]
    return {"path": first.path, "key": first.key, "nth": first.nth, "text": first.text[:QUOTED]}
