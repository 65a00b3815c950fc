"""Whatever a model answers: once everything acceptable is accepted, every fact is accounted for."""

from __future__ import annotations

import random

import pytest
from django.utils import timezone

from memory import journal
from memory.bots import open_bot
from memory.compaction import consolidation, runner
from memory.compaction.consolidation.groups import groups
from memory.compaction.consolidation.sources import sources
from memory.compaction.consolidation.to_proposals import blocked_proposals, make_proposals
from memory.jobs import proposals
from memory.jobs.run import Run
from memory.models import Job, Proposal
from memory.text.fidelity.judge import judge
from memory.text.fidelity.operations import Archive, Keep, Merge, Supersede
from memory.text.fidelity.retention import missing_words
from memory.text.markdown.normal import key
from tests.compaction.consolidation.conftest import LONG_TERM, tree
from tests.journal.conftest import ANA, make_desk
from tests.support.amounts import times

pytestmark = pytest.mark.database(cases=1)

WHO = ["Ana", "Bob", "Ольга", "She"]
DOES = ["likes", "does not like", "lives in", "left", "never saw", "喜欢"]
WHAT = [
    "tea",
    "Porto",
    "port 80",
    "port 8080",
    "`make test`",
    "the cat 🐈",
    "5 km",
    "https://a.b/c",
    "“all of it”",
    "2026-01-05",
]
WHERE = ["", " since 2019", " (maybe?)", " on January 5", "\n  and a second line", " — # x"]


def fact(dice):
    return " ".join((dice.choice(WHO), dice.choice(DOES), dice.choice(WHAT))) + dice.choice(WHERE)


def filled(dice, desk):
    """Random logs, of days and hours in and out of order, and a long-term memory of the same sort; every text that it has."""
    for day in range(dice.randint(1, 3)):
        entries = [
            f"## {dice.randint(0, 23):02}:{dice.randint(0, 59):02} — {fact(dice)}\n\n"
            for _ in range(dice.randint(1, 6))
        ]
        loose = dice.choice(["", "", "Words that are no entry.\n\n", "```\ncode\n```\n\n"])
        desk.write(f"2026-01-{10 + day}.md", (loose + "".join(entries)).encode())
    lasting = "".join(f"- {fact(dice)}\n" for _ in range(dice.randint(0, 5)))
    desk.write(LONG_TERM, dice.choice([b"", b"# Memory\n\n", b"# Memory\r\n\r\n"]) + lasting.encode())


def answer(dice, count):
    """Random operations; most name every fact, some are nonsense."""
    left, operations = list(range(1, count + 1)), []
    dice.shuffle(left)
    if dice.random() < 0.1:
        left = left[: dice.randint(0, count)]
    while left:
        some = tuple(left.pop() for _ in range(min(len(left), dice.choice([1, 1, 1, 2, 3]))))
        kind = dice.random()
        if kind < 0.35:
            operations += map(Keep, some)
        elif kind < 0.5:
            operations += map(Archive, some)
        elif kind < 0.75:
            operations += [Supersede(one, dice.randint(0, count + 1)) for one in some]
        else:
            operations.append(some)
    return operations


def merged(dice, some, texts):
    """A merge of these facts: honest, sloppy, or a lie."""
    text = "; ".join(texts[one - 1].replace("\n", " ") for one in some)
    words = text.split(" ")
    lie = dice.random()
    if lie < 0.15:
        words.pop(dice.randrange(len(words)))
    elif lie < 0.25:
        dice.shuffle(words)
    elif lie < 0.35:
        words = [word.replace("80", "8080").replace("not", "now") for word in words]
    elif lie < 0.4:
        words = ["#", *words]
    return Merge(some, " ".join(words))


def mended(dice, facts, judged):
    """What an answer becomes when everything that would lose something is kept instead."""
    bad = {number for one in judged.judgements if one.losses for number in one.operation.facts}
    bad |= {one.operation.newer for one in judged.judgements if isinstance(one.operation, Supersede) and one.losses}
    good = [one.operation for one in judged.judgements if not bad & set(one.operation.facts)]
    named = {number for one in good for number in one.facts}
    return [*good, *(Keep(number) for number in range(1, len(facts) + 1) if number not in named)]


def everything(desk):
    """Every text that a document says as a fact, by document."""
    dialect = open_bot(desk.bot).dialect
    return {path: [one.text for one in dialect.facts(path, data)] for path, data in tree(desk).items()}


def job_of(desk):
    now = timezone.now()
    return Job.objects.create(
        bot=desk.bot, kind="consolidation", by="Ana", created=now, run_after=now, state="running", holder="me"
    )


@pytest.mark.parametrize("seed", range(times(3, 16)))
@pytest.mark.slow
def test_every_fact_is_accounted_for(transactional_db, tmp_path, kenoweb_home, seed):
    dice = random.Random(seed)
    desk = make_desk(tmp_path)
    filled(dice, desk)
    files, before = tree(desk), everything(desk)
    [found] = sources(desk.bot, runner.make_request(desk.bot, [""]))
    job = job_of(desk)
    for group in groups(found.noted, found.lasting):
        facts = [item.fact for item in group.items]
        texts = [one.text for one in facts]
        plan = [merged(dice, one, texts) if isinstance(one, tuple) else one for one in answer(dice, len(facts))]
        judged = judge(facts, plan)
        while judged.blocked:
            assert blocked_proposals(desk.bot, "", group, judged)
            judged = judge(facts, mended(dice, facts, judged))
        proposals.save(Run(job), make_proposals(desk.bot, "", group, judged))
    Job.objects.filter(pk=job.pk).update(state="planned")
    job.refresh_from_db()
    sets = []
    numbers = list(Proposal.objects.filter(job=job).values_list("number", flat=True))
    dice.shuffle(numbers)
    while numbers:  # some now, some later
        lot = [numbers.pop() for _ in range(dice.randint(1, len(numbers)))]
        done = consolidation.apply(desk.bot, job, lot, ANA)
        assert isinstance(done, consolidation.Accepted) or done.refused, done
        if isinstance(done, consolidation.Accepted) and done.change_set:
            sets.append(done.change_set)
    after = everything(desk)
    said = [text for path, some in after.items() if path != "archive.md" for text in some]
    archived = after.get("archive.md", [])
    superseded = {
        key(source["text"]): row.newer
        for row in Proposal.objects.filter(job=job, action="supersede", state="applied")
        for source in row.sources
    }
    keys = {key(text) for text in said}
    lines = [row.text for row in Proposal.objects.filter(job=job, action="merge", state="applied")]
    for text in (text for some in before.values() for text in some):
        standing = key(text) in keys or any(not missing_words(text, line) and key(line) in keys for line in lines)
        newer = superseded.get(key(text))
        replaced = newer and (
            key(newer["text"]) in keys
            or any(not missing_words(newer["text"], line) and key(line) in keys for line in lines)
        )
        assert standing or replaced or any(one.endswith(f"— {text}") or one == text for one in archived), text
    for change_set in reversed(sets):
        assert isinstance(journal.undo(desk.bot, change_set, ANA), journal.Applied)
    assert tree(desk) == files
