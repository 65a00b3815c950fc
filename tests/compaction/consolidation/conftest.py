"""A bot with old logs, and a model that answers about the numbered facts as a test says."""

from __future__ import annotations

import json

import pytest

from memory.compaction import consolidation
from memory.jobs.tasks import run_job
from memory.journal import versions
from memory.models import Job, Proposal
from tests.journal.conftest import ANA, make_desk
from tests.llm.server import answers

OLD = "2026-01-10.md"
LATER = "2026-01-12.md"
LONG_TERM = "MEMORY.md"


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    made = make_desk(tmp_path)
    made.write(LONG_TERM, b"# Memory\n\n- Ana lives in Porto\n- The garden is green\n")
    made.write(OLD, log("08:00", "Ana likes tea", "Ana likes coffee", "The router is at 192.168.0.1"))
    made.write(LATER, log("09:00", "Ana lives in Lisbon now", "It rained"))
    return made


def log(first, *texts):
    """A day's log as the bot writes it, an entry each minute from `first` (HH:MM) on."""
    hour, minute = map(int, first.split(":"))
    return "".join(f"## {hour:02}:{minute + at:02} — {text}\n\n" for at, text in enumerate(texts)).encode()


def numbered(messages):
    """The facts that a model was asked about: number -> what it was told of it."""
    lines = messages[1]["content"].split("\n")[1:-1]
    return {fact["n"]: fact for fact in map(json.loads, lines)}


def op(action, *facts, text="", newer=0):
    return {"action": action, "facts": list(facts), "text": text, "newer": newer}


def clever(decide):
    """An answer that knows the facts: `decide(facts)` gives the operations, by number -> text."""

    def answer(messages):
        facts = {number: fact["text"] for number, fact in numbered(messages).items()}
        return answers({"operations": decide(facts)})

    return answer


def keeping(facts):
    return [op("keep", *facts)]


def number(facts, beginning):
    return next(number for number, text in facts.items() if text.startswith(beginning))


def planned(desk, model, *plays, scopes=("",), **options):
    """A job after a worker has had it, with a model that answers so."""
    if plays:
        model.plays(*plays)
    job = consolidation.start(desk.bot, scopes, ANA, **options)
    run_job.call(job.pk)
    return Job.objects.get(pk=job.pk)


def rows(job, **more):
    return list(Proposal.objects.filter(job=job, **more))


def accept(desk, job, *numbers):
    return consolidation.apply(desk.bot, Job.objects.get(pk=job.pk), list(numbers) or None, ANA)


def tree(desk):
    """Every file and its bytes."""
    return {
        path.relative_to(desk.root).as_posix(): path.read_bytes() for path in desk.root.rglob("*.md") if path.is_file()
    }


def stands(outcome):
    return versions.was_written(outcome.change_set)
