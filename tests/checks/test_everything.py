"""All rules over everything, as a job: it says how far it is and what it looked at, and can be stopped without a loss."""

from __future__ import annotations

import pytest

from memory import index
from memory.checks import findings, job as check_job
from memory.jobs.run import Cancelled
from memory.jobs.tasks import run_job
from memory.models import Claim, Finding, Job
from tests.journal.conftest import ANA, make_desk

TEXT = "- Lives in Porto\n- Lives in Lisbon\n- Tax return: due 2020-10-01\n- Key: sk-aB3aB3aB3aB3aB3aB3aB3\n"


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    one = make_desk(tmp_path)
    one.write("MEMORY.md", TEXT.encode())
    index.refresh(one.bot)
    one.bot.refresh_from_db()
    return one


def rules():
    return sorted(Finding.objects.filter(gone=None).values_list("rule", flat=True))


def done(job):
    run_job.call(job.pk)
    job.refresh_from_db()
    return job


def test_a_job_looks_at_everything_and_says_what_it_looked_at(desk):
    findings.look(desk.bot)
    before = rules()
    Finding.objects.all().delete()
    assert findings.look(desk.bot) is False  # nothing is new
    job = done(check_job.start(desk.bot, ANA))
    assert (job.state, job.outcome) == ("applied", {"facts": 4, "files": 1, "findings": 3})
    assert job.trouble == "Checked 4 facts in 1 files. Open findings: 3."
    assert rules() == before == ["contradiction", "past", "secret"]


def test_it_looks_at_the_files_as_they_are_now(desk):
    desk.write("MEMORY.md", f"{TEXT}- Likes tea\n".encode())
    assert done(check_job.start(desk.bot, ANA)).outcome == {"facts": 5, "files": 1, "findings": 3}


def test_it_is_queued_once(desk):
    assert check_job.start(desk.bot, ANA) == check_job.start(desk.bot, ANA)
    assert Job.objects.count() == 1


def test_it_says_how_far_it_is(desk, monkeypatch):
    monkeypatch.setattr(findings, "FACTS_AT_ONCE", 2)
    told = []
    findings.check_everything(desk.bot, lambda done, total, doing: told.append((done, total, str(doing))))
    assert told == [
        (0, 5, findings.FACTS),
        (2, 5, findings.FACTS),
        (4, 5, findings.ALIKE),
        (4, 5, findings.FILES),
    ]


def test_stopped_on_the_way_it_leaves_what_was_known(desk, monkeypatch):
    monkeypatch.setattr(findings, "FACTS_AT_ONCE", 2)
    findings.look(desk.bot)
    known = (rules(), findings.last_look(desk.bot).upto, Claim.objects.count())

    def stop(done, total, doing):
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        findings.check_everything(desk.bot, stop)
    assert (rules(), findings.last_look(desk.bot).upto, Claim.objects.count()) == known
    desk.write("MEMORY.md", f"{TEXT}- Lives in Madrid\n".encode())
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()
    findings.look(desk.bot)
    assert "Madrid" in Finding.objects.get(rule="contradiction").text


def test_only_what_changed_is_looked_at_when_something_changed(desk, monkeypatch):
    findings.look(desk.bot)
    monkeypatch.setattr(findings, "OVERLAP", 0)
    seen = []
    watched = findings.Rule("secret", lambda bot, some: seen.extend(one.text for one in some) or {})
    monkeypatch.setattr(findings, "RULES", (watched,))
    Finding.objects.all().delete()
    desk.write("MEMORY.md", f"{TEXT}- Plays chess\n".encode())
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()
    findings.look(desk.bot)
    assert seen == ["Plays chess"]
