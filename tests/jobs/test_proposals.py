"""What a job proposes: saved while the job is ours, decided once, opened again where nothing came of it."""

from __future__ import annotations

import os

import pytest
from django.utils import timezone

from memory import journal
from memory.domain.changes import Append
from memory.domain.errors import WriteFailed
from memory.jobs import proposals
from memory.jobs.run import Lost, Run
from memory.journal import Applied, By, CommitPlan, Conflict
from memory.models import Bot, ChangeSet, Job, Proposal
from memory.text.sentences import say
from tests.journal.conftest import make_desk
from tests.support.together import together

pytestmark = pytest.mark.database

ANA = By("Ana")
LOG = "2026-03-20.md"


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    return make_desk(tmp_path)


@pytest.fixture
def run(desk):
    now = timezone.now()
    job = Job.objects.create(
        bot=desk.bot, kind="extraction", by="Ana", created=now, run_after=now, state="running", holder="me"
    )
    return Run(job)


@pytest.fixture
def job(run):
    """A planned job with three proposals."""
    proposals.save(run, [row(text) for text in "abc"])
    Job.objects.filter(pk=run.job.pk).update(state="planned")
    return Job.objects.get(pk=run.job.pk)


def row(text):
    return Proposal(action="remember", text=text, path=LOG, sources=[{"text": text}])


def accept(job, *numbers, gate=None, **more):
    changes = [Append(LOG, b"## 10:00 \xe2\x80\x94 %d\n\n" % number) for number in numbers]
    return proposals.commit(job, numbers, CommitPlan(changes, None, why="Accepted", gate=gate), by=ANA, **more)


def states(job):
    return [one.state for one in Proposal.objects.filter(job=job)]


def state_of(job):
    return Job.objects.get(pk=job.pk).state


def test_rows_are_numbered_on_and_come_with_what_the_next_attempt_has_to_know(run):
    proposals.save(run, [row("a")], {"upto": 10})
    proposals.save(run, [row("b"), row("c\0\udcff")], {"more": "\0"})
    assert [(one.number, one.text) for one in Proposal.objects.filter(job=run.job)] == [
        (1, "a"),
        (2, "b"),
        (3, "c\ufffd\ufffd"),
    ]
    assert Job.objects.get(pk=run.job.pk).outcome == {"upto": 10, "more": "\ufffd"}


def test_a_warning_stays_a_sentence_that_can_be_translated(run):
    flag = say("Removes %(lost)s of %(all)s facts from %(path)s.", lost=1, all=2, path="\0\udcff.md")
    proposals.save(run, [Proposal(action="remember", text="a", path=LOG, flags=[flag])])
    (kept,) = Proposal.objects.get(job=run.job).flags
    assert (kept.msgid, kept.parameters) == (flag.msgid, flag.parameters)


def test_who_does_not_hold_the_job_any_more_saves_nothing(run):
    Job.objects.filter(pk=run.job.pk).update(holder="another")
    with pytest.raises(Lost):
        proposals.save(run, [row("a")], {"upto": 10})
    assert not Proposal.objects.exists()
    assert Job.objects.get().outcome == {}


def test_accepting_some_leaves_the_others_open_and_the_last_closes_the_job(desk, job):
    outcome = accept(job, 2)
    assert isinstance(outcome, Applied)
    assert outcome.change_set.job == job
    assert (states(job), state_of(job)) == (["open", "applied", "open"], "planned")
    assert proposals.refuse(job, [1, 2], ANA) == 1
    accept(job, 3)
    assert (states(job), state_of(job)) == (["refused", "applied", "applied"], "applied")
    assert desk.read(LOG) == "## 10:00 — 2\n\n## 10:00 — 3\n\n".encode()


def test_a_job_of_which_everything_is_refused_changes_nothing_and_says_so(desk, job):
    proposals.refuse(job, [1, 2, 3], ANA)
    closed = Job.objects.get(pk=job.pk)
    assert (closed.state, closed.trouble) == ("cancelled", proposals.ALL_REFUSED)
    assert desk.read(LOG) is None


def test_what_is_decided_already_cannot_be_accepted_and_takes_the_rest_with_it(desk, job):
    proposals.refuse(job, [1], ANA)
    assert accept(job, 1, 2) == Conflict((), proposals.DECIDED)
    Proposal.objects.filter(job=job, number=3).update(state="blocked")
    assert accept(job, 3) == Conflict((), proposals.DECIDED)
    assert desk.read(LOG) is None
    assert not ChangeSet.objects.exists()
    assert states(job) == ["refused", "open", "blocked"]


def test_two_who_accept_at_once_write_it_once(desk, job):
    outcomes = together(2, lambda: accept(Job.objects.get(pk=job.pk), 1, 2, 3))
    assert sorted(type(one).__name__ for one in outcomes) == ["Applied", "Conflict"]
    assert desk.read(LOG).count(b"##") == 3
    assert (states(job), state_of(job)) == (["applied"] * 3, "applied")


def test_a_set_that_is_refused_by_the_disk_leaves_the_proposals_open(desk, job):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    desk.write("MEMORY.md", b"old\n")
    desk.root.chmod(0o500)
    try:
        with pytest.raises(WriteFailed):
            proposals.commit(job, [1], CommitPlan([desk.put("MEMORY.md", b"new\n")], None), by=ANA)
    finally:
        desk.root.chmod(0o700)
    assert (states(job), desk.read("MEMORY.md")) == (["open"] * 3, b"old\n")


@pytest.mark.parametrize("state", ["abandoned", "failed"])
def test_what_a_dead_process_had_accepted_is_open_again(job, state):
    made = accept(job, 1, 2, 3).change_set
    ChangeSet.objects.filter(pk=made.pk).update(state=state)
    proposals.reopen(job)
    assert (states(job), state_of(job)) == (["open"] * 3, "planned")
    assert set(Proposal.objects.values_list("change_set", flat=True)) == {None}


def test_a_gate_that_says_no_leaves_everything_open(desk, job):
    outcome = accept(job, 1, gate=lambda before, after: "Not so.")
    assert outcome == Conflict((), "Not so.")
    assert (states(job), desk.read(LOG)) == (["open"] * 3, None)


def test_what_the_files_say_already_is_applied_without_a_change_set(desk, job):
    desk.write("MEMORY.md", b"same\n")
    same = CommitPlan([desk.put("MEMORY.md", b"same\n")], None)
    outcome = proposals.commit(job, [1, 2, 3], same, by=ANA)
    assert outcome == Applied(None)
    assert (states(job), state_of(job)) == (["applied"] * 3, "applied")


def test_an_attempt_that_lost_its_job_writes_nothing(desk, run):
    proposals.save(run, [row("a")])
    Job.objects.filter(pk=run.job.pk).update(holder="another")
    with pytest.raises(Lost):
        accept(run.job, 1, run=run)
    assert (desk.read(LOG), states(run.job)) == (None, ["open"])


def test_another_bot_s_job_is_not_touched(desk, job, tmp_path):
    other = make_desk(tmp_path, "other")
    assert Bot.objects.count() == 2
    twin = Job.objects.create(
        bot=other.bot, kind="extraction", by="B", created=timezone.now(), run_after=timezone.now(), state="planned"
    )
    Proposal.objects.create(bot=other.bot, job=twin, number=1, action="remember")
    accept(job, 1)
    assert states(twin) == ["open"]
    assert journal.recover(other.bot) is None
