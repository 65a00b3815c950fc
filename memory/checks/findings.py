"""What somebody should look at: rules look at the facts that are new since the last time, and at what they found before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from memory import index
from memory.bots import open_bot
from memory.checks import (
    claims,
    contradictions,
    facts_alone,
    injection,
    leaks,
    near,
    never_loaded,
    past_dates,
    permissions,
    references,
    removals,
    stale,
    structure,
    subjects,
)
from memory.checks.subjects import Subject, Wrong
from memory.domain.errors import VaultError
from memory.domain.fact_ref import FactRef
from memory.models import Bot, ChecksRun, Document, Fact, Finding, quick
from memory.prompts.spill import SPILL, spilled
from memory.storage import locks
from memory.text.secrets import mask
from memory.text.sentences import say
from memory.text.storable import keepable

FACTS_AT_ONCE = 2000
DOCUMENTS_AT_ONCE = 100
ROWS_AT_ONCE = 400
OVERLAP = 400  # rows before the newest that are looked at again: those of a transaction that was longer under way
LONGEST = 2000  # characters of a fact's text that are kept
LATE = timedelta(minutes=1)  # so much before the last look a change may have been made that it did not see
PATIENCE = 60  # seconds that a look over everything waits for another to end
FACTS, ALIKE, FILES = say("Checking facts"), say("Comparing facts that are alike"), say("Checking files")
Tell = Callable[[int, int, str], None]  # done, of how many, what is being done


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding. `judge` says which of some facts are found and why: pk -> a sentence for people; `related` which facts
    beside new ones have to be looked at, None for none."""

    name: str
    judge: Callable[[Bot, Sequence[Subject]], Mapping[int, str]]
    related: Callable[[Bot, Sequence[Subject]], Iterable[Subject]] | None = None


PAST = Rule(past_dates.NAME, past_dates.judge)
NEAR = Rule(near.NAME, near.judge)
STALE = Rule(stale.NAME, stale.judge)
STALE_AGAIN = Rule(stale.NAME, stale.judge_again)
RULES = (
    Rule(facts_alone.SECRET, facts_alone.secrets),
    Rule(facts_alone.PERSONAL, facts_alone.personal_data),
    Rule(injection.NAME, injection.judge),
    Rule(leaks.NAME, leaks.judge, leaks.related),
    Rule(facts_alone.TWICE, facts_alone.twice),
    PAST,
)
# What is wrong with documents and directories, whichever changed: (path, how)
OF_DOCUMENTS: tuple[tuple[str, Callable[[Bot], Iterable[tuple[str, Wrong]]]], ...] = (
    (permissions.NAME, permissions.wide),
    (never_loaded.NAME, never_loaded.cut),
    (removals.NAME, removals.removed),
)


def look(bot: Bot) -> bool:
    """Let the rules look at what is new in the index and at what they found before; nothing to do where it has not changed. Who
    comes while another looks leaves it to them. Returns whether there is another number of open findings now."""
    standing = Bot.objects.values_list("indexed", flat=True).get(pk=bot.pk)
    if _is_looked_at(bot, standing):
        return False
    before = open_ones(bot)
    try:
        with locks.lock(f"findings-{bot.pk}", patience=0):
            _look_at_all(bot, standing, last_look(bot), lambda done, total, doing: None)
    except locks.Timeout:
        return False
    return open_ones(bot) != before


def _is_looked_at(bot: Bot, standing: int) -> bool:
    """Whether the rules have seen the index as it stands, on this day of the bot's."""
    looked, now = (
        ChecksRun.objects.filter(bot=bot, indexed=standing).values_list("looked", flat=True).first(),
        open_bot(bot).now(),
    )
    return looked is not None and looked.astimezone(now.tzinfo).date() == now.date()


def last_look(bot: Bot) -> ChecksRun | None:
    """How far the rules have come; None if they never looked."""
    return ChecksRun.objects.filter(bot=bot).first()


def open_ones(bot: Bot) -> int:
    """How many findings wait for somebody."""
    return Finding.objects.filter(bot=bot, gone=None, ignored=None).count()


def check_everything(bot: Bot, tell: Tell = lambda done, total, doing: None) -> None:
    """Let the rules look at everything, as the first look did. What `tell` raises ends it, and what was known before is known
    still. Raises locks.Timeout where another look goes on for long."""
    standing = Bot.objects.values_list("indexed", flat=True).get(pk=bot.pk)
    with locks.lock(f"findings-{bot.pk}", patience=PATIENCE):
        _look_at_all(bot, standing, None, tell)


def ended(bot: Bot, finding: Finding, facts: Iterable[FactRef] = ()) -> None:
    """A press ended a finding, and what was found of the facts that went by it: they leave the list without a look, which costs
    what changed in the whole memory. The next look brings back what is so again."""
    gone = set(facts)
    for some in quick.batches(sorted({one.key for one in gone}), ROWS_AT_ONCE):
        there = {FactRef.of(one) for one in subjects.by_key(bot, some)}
        found = Finding.objects.filter(bot=bot, gone=None, key__in=some)
        _let_go([one.pk for one in found if (ref := FactRef.of(one)) in gone and ref not in there])
    _let_go([finding.pk])


def ignore(finding: Finding, why: str, user: AbstractBaseUser) -> None:
    """A finding is no trouble, and why; it stays so if it is found again."""
    finding.ignored, finding.ignored_why, finding.ignored_by_id = timezone.now(), why, int(user.pk)
    finding.save(update_fields=["ignored", "ignored_why", "ignored_by"])


def heed(finding: Finding) -> None:
    """A finding is to be looked at after all."""
    finding.ignored, finding.ignored_why, finding.ignored_by_id = None, "", None
    finding.save(update_fields=["ignored", "ignored_why", "ignored_by"])


def _look_at_all(bot: Bot, standing: int, known: ChecksRun | None, tell: Tell) -> None:
    """At what is new since a look; None: everything is."""
    facts, documents = (rows.objects.filter(bot=bot) for rows in (Fact, Document))
    newest = facts.aggregate(newest=Max("pk"))["newest"] or 0
    count = facts.count() if known is None else 0
    total = count + documents.count()
    if known is None:
        claims.forget_gone(bot)
    touched, names = _look_at_facts(bot, known, newest, lambda done: tell(done, total, FACTS))
    tell(count, total, ALIKE)
    is_first = _look_at_the_day(bot, known)
    _find(bot, NEAR, list(near.meeting(bot, names if known else None)))
    for rule in (*RULES, STALE if is_first else STALE_AGAIN, NEAR):
        _look_again(bot, rule)
    _look_at_matters(bot, touched)
    tell(count, total, FILES)
    _look_at_documents(bot, everything=known is None, names=not is_first)
    _look_at_references(bot, None if is_first or known is None else _named_wrongly(bot, known))
    for name, wrong in OF_DOCUMENTS:
        _keep_all_wrong(bot, name, wrong(bot))
    _look_at_spills(bot)
    _look_at_its_family(bot)
    marks = {"looked": timezone.now(), "indexed": standing, "upto": newest}
    ChecksRun.objects.update_or_create(bot=bot, defaults=marks)


def _look_at_facts(
    bot: Bot, known: ChecksRun | None, newest: int, tell: Callable[[int], None]
) -> tuple[set[str], set[str]]:
    """What is new up to a fact, and what stands beside it. Returns the matters that it is about, and the names that it shares."""
    touched, names, done = set[str](), set[str](), 0
    claimed = known is None and claims.are_known(bot)
    for fresh in _fresh(bot, known.upto - OVERLAP if known else 0, newest):
        tell(done)
        done += len(fresh)
        if claimed:
            claims.forget(bot, [one.pk for one in fresh])
        for rule in RULES:
            beside = rule.related(bot, fresh) if known and rule.related else ()  # at first everything comes by itself
            seen = {one.pk: one for one in (*fresh, *beside)}
            _find(bot, rule, list(seen.values()))
        touched |= contradictions.learn(bot, fresh)
        past_dates.learn(bot, fresh)
        names |= near.learn(bot, fresh)
    return touched, names


def _look_at_the_day(bot: Bot, known: ChecksRun | None) -> bool:
    """What time alone makes a finding, on the first look of a day; whether it is one."""
    now = open_bot(bot).now()
    then = known.looked.astimezone(now.tzinfo).date() if known else None
    if then and then >= now.date():
        return False
    if then:
        _find(bot, PAST, list(past_dates.fell_due(bot, then, now.date())))
        claims.forget_gone(bot)
    _find(bot, STALE, stale.candidates(bot))
    return True


def _fresh(bot: Bot, after: int, newest: int) -> Iterator[list[Subject]]:
    """The facts with rows newer than `after`, in portions. Rows of all bots are gone through by their keys: asked for this bot's,
    SQLite would sort all that there are."""
    rows = Fact.objects.filter(pk__lte=newest).order_by("pk").values_list("pk", flat=True)
    while some := list(rows.filter(pk__gt=after)[:FACTS_AT_ONCE]):
        yield list(subjects.by_row(bot, some))
        after = some[-1]


def _find(bot: Bot, rule: Rule, looked_at: Sequence[Subject]) -> set[int]:
    """What a rule says of some facts becomes findings. Returns the keys of the facts that it found."""
    found = rule.judge(bot, looked_at)
    rows = [
        _row(
            bot,
            rule.name,
            one.path,
            mask(one.text),
            found[one.pk],
            scope=one.scope,
            key=one.key,
            nth=one.nth,
            line=one.line,
        )
        for one in looked_at
        if one.pk in found
    ]
    with transaction.atomic():
        _keep(bot, rows)
    return set(found)


def _look_again(bot: Bot, rule: Rule) -> None:
    """What was found before and is not so any more is gone."""
    before = list(Finding.objects.filter(bot=bot, rule=rule.name, gone=None).order_by("pk"))
    for some in quick.batches(before, FACTS_AT_ONCE):
        named = {FactRef.of(one) for one in some}
        facts = [one for one in subjects.by_key(bot, {one.key for one in some}) if FactRef.of(one) in named]
        found = _find(bot, rule, facts)
        still = {FactRef.of(one) for one in facts if one.pk in found}
        _let_go([one.pk for one in some if FactRef.of(one) not in still])


def _look_at_matters(bot: Bot, touched: Iterable[str]) -> None:
    """Which matters are contradictory: those that new facts are about, and those that were. However many facts say something else,
    it is one finding; who ignored it is asked again when one of the answers is another."""
    before = {(one.key, one.scope): one for one in Finding.objects.filter(bot=bot, rule=contradictions.NAME, gone=None)}
    rows, other = {}, []
    for matter in contradictions.matters(bot, {*touched, *(about for about, _scope in before)}):
        text, known = contradictions.told(matter), before.get((matter.about, matter.scope))
        note = contradictions.note(matter)
        rows[matter.about, matter.scope] = _row(
            bot, contradictions.NAME, "", text, note, scope=matter.scope, key=matter.about
        )
        if known and known.ignored and known.text != rows[matter.about, matter.scope].text:
            other.append(known)
    with transaction.atomic():
        _keep(bot, list(rows.values()))
        for one in other:
            heed(one)
    _let_go([one.pk for matter, one in before.items() if matter not in rows])


def _look_at_documents(bot: Bot, *, everything: bool, names: bool) -> None:
    """What is wrong with the form of the documents that are others since the last look, and with the `names` of files in them."""
    there = Document.objects.filter(bot=bot).order_by("path")
    changed = there if everything else there.exclude(checked=F("sha256"))
    for some in _batched(changed):
        found = {(one.path, wrong.what): (one.scope, wrong) for one in some for wrong in structure.judge(bot, one)}
        before = Finding.objects.filter(bot=bot, rule=structure.NAME, gone=None, path__in=[one.path for one in some])
        _keep_wrong(bot, structure.NAME, found, before)
        _look_at_references(bot, [one.path for one in some] if names else [])
        for one in some:
            one.checked = one.sha256
        Document.objects.bulk_update(some, ["checked"])
    before = Finding.objects.filter(bot=bot, rule=structure.NAME, gone=None)
    _let_go(list(before.exclude(path__in=there.values("path")).values_list("pk", flat=True)))


def _named_wrongly(bot: Bot, known: ChecksRun) -> list[str]:
    """The documents whose names of files may be right or wrong since a look though they are as they were."""
    before = Finding.objects.filter(bot=bot, rule=references.NAME, gone=None).order_by()
    return sorted({*before.values_list("path", flat=True), *references.left_by(bot, known.looked - LATE)})


def _look_at_references(bot: Bot, paths: Sequence[str] | None) -> None:
    """Which names of files lead nowhere, in some documents or in all."""
    if paths is None:
        _keep_all_wrong(bot, references.NAME, references.broken(bot))
        return
    for some in quick.batches(paths, DOCUMENTS_AT_ONCE):
        before = Finding.objects.filter(bot=bot, rule=references.NAME, gone=None, path__in=some)
        _keep_wrong(bot, references.NAME, _placed(bot, references.broken(bot, some)), before)


def _batched(documents: QuerySet[Document]) -> Iterator[list[Document]]:
    """Documents in portions. What is looked at stops being changed, so the next portion begins behind the last one."""
    last = ""
    while some := list(documents.filter(path__gt=last)[:DOCUMENTS_AT_ONCE]):
        yield some
        last = some[-1].path


def _keep_all_wrong(bot: Bot, rule: str, wrong: Iterable[tuple[str, Wrong]]) -> None:
    """All that a rule of documents finds now becomes findings."""
    _keep_wrong(bot, rule, _placed(bot, wrong), Finding.objects.filter(bot=bot, rule=rule, gone=None))


def _placed(bot: Bot, wrong: Iterable[tuple[str, Wrong]]) -> dict[tuple[str, str], tuple[str, Wrong]]:
    """What is wrong by its document and what it is, each with the scope whose document it is."""
    described = open_bot(bot).dialect.describe
    return {(path, one.what): (place.scope if (place := described(path)) else "", one) for path, one in wrong}


def _keep_wrong(
    bot: Bot, rule: str, found: Mapping[tuple[str, str], tuple[str, Wrong]], before: Iterable[Finding]
) -> None:
    """What is wrong with some documents, (path, what) -> (whose it is, how), becomes findings; what was before and is not goes."""
    gone = [one.pk for one in before if (one.path, one.key) not in found]
    with transaction.atomic():
        _keep(
            bot,
            [
                _row(bot, rule, path, mask(wrong.text), wrong.why, scope=scope, key=what, line=wrong.line)
                for (path, what), (scope, wrong) in found.items()
            ],
        )
        _let_go(gone)


def _look_at_spills(bot: Bot) -> None:
    """Whether the prompts that held what is others' still do. There are none unless the rules of a bot are broken."""
    dialect = open_bot(bot).dialect
    for one in Finding.objects.filter(bot=bot, rule=SPILL, gone=None):
        chat, memory = one.scope or None, index.BotMemory(bot)
        try:
            prompt = dialect.prompt(memory, chat, "", open_bot(bot).now(), open_bot(bot).settings)
        except VaultError:  # as long as nobody can tell, it stands
            continue
        if one.path not in spilled(dialect, prompt, chat):
            _let_go([one.pk])


def _look_at_its_family(bot: Bot) -> None:
    """What only bots of its family can have wrong: however much of it, each check has one finding, which leads to a page."""
    bot.refresh_from_db(fields=["indexed"])  # what is remembered of a look goes by it
    for check in open_bot(bot).family.checks:
        found, before = check.look(bot), Finding.objects.filter(bot=bot, rule=check.name, gone=None)
        _let_go(list(before.exclude(path=found.path if found else None).values_list("pk", flat=True)))
        if found:
            with transaction.atomic():
                _keep(bot, [_row(bot, check.name, found.path, found.text, found.note, scope="", line=found.line)])


def _let_go(keys: Sequence[int]) -> None:
    for part in quick.batches(keys, ROWS_AT_ONCE):
        Finding.objects.filter(pk__in=part).update(gone=timezone.now())


def _row(
    bot: Bot, rule: str, path: str, text: str, note: str, *, scope: str, key: str = "", nth: int = 0, line: int = 0
) -> Finding:
    said = keepable(text[:LONGEST])
    where = {"path": path, "scope": scope, "key": key, "nth": nth, "line": line}
    return Finding(bot=bot, rule=rule, text=said, note=note, found=timezone.now(), **where)


def _keep(bot: Bot, rows: Sequence[Finding]) -> None:
    """Save findings; what was found before keeps its row, and since when it is known unless it was gone."""
    named = {(row.rule, row.path, row.key, row.nth, row.scope) for row in rows}
    for part in quick.batches(sorted({row.path for row in rows}), ROWS_AT_ONCE):
        again = Finding.objects.filter(bot=bot, path__in=part).exclude(gone=None)
        back = [one.pk for one in again if (one.rule, one.path, one.key, one.nth, one.scope) in named]
        Finding.objects.filter(pk__in=back).update(found=timezone.now(), gone=None)
    Finding.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["bot", "rule", "scope", "path", "key", "nth"],
        update_fields=["line", "text", "note"],
        batch_size=ROWS_AT_ONCE,
    )
