"""Jobs over the API: queued, looked at, cancelled, one page at a time."""

from __future__ import annotations

import pytest

from memory import jobs
from memory.jobs import Run, holder
from memory.jobs.tasks import run_job
from memory.models import ChangeSet, Job
from tests.jobs.conftest import ANA
from tests.web.conftest import make_bot


@pytest.fixture
def logs(program):
    program.write("2025-01-05.md", "## 10:00 — an old fact\n\n")
    return program


def test_compaction_is_queued_once_and_read_until_it_is_over(logs):
    status, job = logs.post("jobs", kind="compaction")
    assert (status, job["kind"], job["state"], job["change_sets"]) == (200, "compaction", "queued", [])
    assert logs.post("jobs", kind="compaction")[1]["id"] == job["id"]
    assert logs.post("jobs", kind="compaction", chat="tg-1")[1]["id"] != job["id"]
    run_job.call(job["id"])
    status, over = logs.get(f"jobs/{job['id']}")
    assert (status, over["state"], over["outcome"]["moved"]) == (200, "applied", 1)
    assert over["change_sets"] == [ChangeSet.objects.get(kind="compaction").pk]
    assert "an old fact" in (logs.root / "MEMORY.md").read_text()


def test_job_is_cancelled_once(logs):
    job = logs.post("jobs", kind="compaction")[1]
    assert logs.post(f"jobs/{job['id']}/cancel")[1]["state"] == "cancelled"
    status, told = logs.post(f"jobs/{job['id']}/cancel")
    assert (status, told["error"]["code"]) == (409, "over")


def test_job_that_writes_the_last_of_it_is_not_cancelled(logs):
    job = logs.post("jobs", kind="compaction")[1]
    run = Run(holder.claim(job["id"]))
    run.early_fence(ChangeSet())
    run.last_call()
    status, told = logs.post(f"jobs/{job['id']}/cancel")
    assert (status, told["error"]["code"]) == (409, "writing")
    assert (Job.objects.get().state, Job.objects.get().to_cancel) == ("running", False)


def test_job_that_prepares_its_files_is_cancelled(logs):
    job = logs.post("jobs", kind="compaction")[1]
    Run(holder.claim(job["id"])).early_fence(ChangeSet())
    assert logs.post(f"jobs/{job['id']}/cancel")[0] == 200
    assert (Job.objects.get().state, Job.objects.get().to_cancel) == ("running", True)


def test_jobs_come_by_pages_and_by_state(logs):
    made = [jobs.queue(logs.bot, Job.Kind.COMPACTION, {}, ANA).pk for _ in range(3)]
    Job.objects.filter(pk=made[0]).update(state="failed")
    first = logs.get("jobs", limit=2)[1]
    assert [job["id"] for job in first["jobs"]] == [made[2], made[1]]
    rest = logs.get("jobs", limit=2, before=first["next"])[1]
    assert ([job["id"] for job in rest["jobs"]], rest["next"]) == ([made[0]], None)
    assert [job["id"] for job in logs.get("jobs", state="failed", kind="compaction")[1]["jobs"]] == [made[0]]


def test_list_costs_the_same_however_many_there_are(logs, django_assert_max_num_queries):
    for _ in range(20):
        jobs.queue(logs.bot, Job.Kind.COMPACTION, {}, ANA)
    with django_assert_max_num_queries(8):
        assert len(logs.get("jobs")[1]["jobs"]) == 20


@pytest.mark.parametrize("kind", ["consolidation", "summary", "extraction"])
def test_what_needs_a_model_says_that_there_is_none(logs, kind):
    status, told = logs.post("jobs", kind=kind, chat="tg-1")
    assert (status, told["error"]["code"]) == (409, "no_model")
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{"kind": "summary"}, {"kind": "compaction", "chat": "tg-1", "all_chats": True}, {"kind": "nothing"}, {}],
)
def test_what_cannot_be_queued_is_refused(logs, model, body):
    assert logs.post("jobs", **body)[0] == 422
    assert not Job.objects.exists()


def test_with_a_model_a_consolidation_is_queued(logs, model):
    status, job = logs.post("jobs", kind="consolidation", retention_days=30)
    assert (status, job["kind"]) == (200, "consolidation")
    assert Job.objects.get().params == {"scopes": [""], "retention_days": 30}


def test_job_of_another_bot_is_not_there(logs):
    other, _root = make_bot(logs.root.parent / "other", "other")
    job = jobs.queue(other, Job.Kind.COMPACTION, {}, ANA)
    assert logs.get(f"jobs/{job.pk}")[0] == 404
    assert logs.post(f"jobs/{job.pk}/cancel")[0] == 404
