"""A process that dies while it writes what was accepted: that is accepted or open then, and nothing is done twice."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.utils import timezone

from memory import journal
from memory.compaction import consolidation, runner
from memory.compaction.consolidation.groups import groups
from memory.compaction.consolidation.sources import sources
from memory.compaction.consolidation.to_proposals import make_proposals
from memory.jobs import proposals
from memory.jobs.run import Run
from memory.journal import execute, write
from memory.models import ChangeSet, Job, Proposal
from memory.storage import files
from memory.text.fidelity.judge import judge
from memory.text.fidelity.operations import Archive, Keep, Merge
from tests.compaction.consolidation.conftest import LONG_TERM, OLD, log, tree
from tests.journal.conftest import ANA, make_desk
from tests.support.crash import lines_that_differ, run_and_die, watched

pytestmark = [pytest.mark.database, pytest.mark.slow]
WATCHED = watched(execute, write, files)
WANTED = (
    "# Memory\n\n- The garden is green\n\n## Compacted memories\n- Ana likes tea and coffee\n"
    "- 2026-01-10 08:02 — The router is at 192.168.0.1\n"
)


def planned_desk(tmp_path, name):
    """A bot and a planned job, made without a model."""
    desk = make_desk(tmp_path, name)
    desk.write(LONG_TERM, b"# Memory\n\n- The garden is green\n")
    desk.write(OLD, log("08:00", "Ana likes tea", "Ana likes coffee", "The router is at 192.168.0.1", "It rained"))
    [found] = sources(desk.bot, runner.make_request(desk.bot, [""]))
    [group] = groups(found.noted, found.lasting)
    plan = [Merge((1, 2), "Ana likes tea and coffee"), Keep(3), Archive(4)]
    judged = judge([item.fact for item in group.items], plan)
    assert not judged.blocked
    now = timezone.now()
    job = Job.objects.create(
        bot=desk.bot, kind="consolidation", by="Ana", created=now, run_after=now, state="running", holder="me"
    )
    proposals.save(Run(job), make_proposals(desk.bot, "", group, judged))
    Job.objects.filter(pk=job.pk).update(state="planned")
    return desk, job


def accept(desk, job):
    return consolidation.apply(desk.bot, Job.objects.get(pk=job.pk), None, ANA)


def test_killed_while_it_is_written(transactional_db, tmp_path, kenoweb_home):
    desk, job = planned_desk(tmp_path, "whole")
    connection.close()
    lines = lines_that_differ(lambda: accept(desk, job), WATCHED, desk.root, least=4)
    chosen = sorted({lines[0], lines[-1], *random.Random(5).sample(lines, min(3, len(lines)))})
    for at in chosen:
        desk, job = planned_desk(tmp_path, f"killed-{at}")
        before = tree(desk)
        connection.close()
        died = run_and_die(lambda desk=desk, job=job: accept(desk, job), WATCHED, at)
        assert died or at == lines[-1]  # a slow machine waits for nobody, which is a line less
        proposals.reopen(job)
        states = set(Proposal.objects.filter(job=job).values_list("state", flat=True))
        assert len(states) == 1, at
        if states == {"open"}:
            accept(desk, job)
        assert tree(desk)[LONG_TERM].decode() == WANTED, at
        assert OLD not in tree(desk)
        assert tree(desk)["archive.md"].decode().count("It rained") == 1
        standing = [one for one in ChangeSet.objects.filter(job=job) if one.state in ("applied", "settling")]
        assert len(standing) == 1, at
        assert isinstance(journal.undo(desk.bot, standing[0], ANA), journal.Applied)
        assert tree(desk) == before
