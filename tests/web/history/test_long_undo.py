"""Undoing a change of many files takes longer than a moment: then it is a job, and what came of it reads as it always does."""

from __future__ import annotations

from threading import Timer

import pytest
from django.utils import timezone

from memory import jobs, journal
from memory.compaction import job as compaction, runner
from memory.domain.changes import Put
from memory.jobs import expected, holder, progress, steps
from memory.jobs.reap import reap
from memory.jobs.tasks import run_job
from memory.journal import write
from memory.models import ChangeSet, Document, Job
from memory.storage import locks
from memory.web.jobs.words import so_far

ANA = journal.By("Ana")
HALF = (
    "Writing stopped halfway, so some files may already be changed. The memory directory is missing. "
    "Make the directory available and writable again; Kenoweb then finishes this by itself."
)
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")


@pytest.fixture
def archived(desk, monkeypatch):
    """A compaction that archived three logs, as many files as take long here."""
    monkeypatch.setattr(expected, "FILES_A_SECOND", 2)
    monkeypatch.setattr(progress, "EVERY", 0)
    for day in DAYS:
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
    return runner.run(desk.bot, [""], ANA, old_logs="archive").change_set


def asked(desk, one, how="undo"):
    """Where somebody gets to who asks for it, and the job that is to do it."""
    page = desk.post(f"changes/{one.pk}/{how}")
    job = Job.objects.latest("pk")
    assert page.response.redirect_chain[-1][0] == f"/keno/jobs/{job.pk}"
    return page, job


def done(desk, job):
    """What the page of a job leads to when its work is over: the address, and what stands there."""
    run_job.call(job.pk)
    answer = desk.get(f"jobs/{job.pk}").response.redirect_chain[-1][0]
    told = desk.client.get(f"/keno/jobs/{job.pk}/progress", headers={"HX-Request": "true"})
    assert told["HX-Redirect"] == answer
    return desk.get(answer.removeprefix("/keno/"))


def logs(desk):
    return sorted(one.name for one in desk.root.glob("2026-*.md"))


def test_a_long_undo_is_a_job_that_leads_to_what_it_brought_back(desk, archived):
    page, job = asked(desk, archived)
    assert page.soup.h1.get_text() == "Undo"
    assert page.link(f"change {archived.pk}") == f"/keno/changes/{archived.pk}"
    assert page.soup.select("noscript meta[http-equiv=refresh]")
    assert logs(desk) == []
    assert asked(desk, archived)[1] == job, "once is enough"
    after = done(desk, job)
    assert logs(desk) == [f"{day}.md" for day in DAYS]
    assert after.soup.h1.get_text() == "Compaction undone"
    assert "3 logs restored" in after.text
    toast = after.soup.select_one(".toast")
    assert toast.p.get_text() == "Compaction undone"
    assert toast.form.button.get_text() == "Redo"
    assert "you" in after.soup.select_one(".head p:not(.back)").get_text()


def test_when_it_is_done_the_rows_are_those_of_the_files_though_another_process_walked(desk, archived):
    job = asked(desk, archived)[1]
    walk = locks.lock(f"walk-{desk.bot.pk}", thread_local=False)
    walk.acquire()
    ends = Timer(1, walk.release)
    ends.start()
    run_job.call(job.pk)
    ends.join()
    there = Document.objects.filter(bot=desk.bot).values_list("path", flat=True)
    assert {f"{day}.md" for day in DAYS} <= set(there)
    assert not [path for path in there if path.startswith("archive/")]


@pytest.mark.parametrize("how", ["undo", "restore"])
def test_of_one_large_file_it_is_a_job_as_well(desk, monkeypatch, how):
    monkeypatch.setattr(expected, "BYTES_A_SECOND", 150)
    desk.post("entry/add", path="MEMORY.md", text="Likes tea")
    small = ChangeSet.objects.latest("pk")
    large = journal.commit(desk.bot, [Put("large.md", b"- Likes Go\n" * 60, None)], by=ANA, kind="import").change_set
    if how == "restore":
        (desk.root / "large.md").unlink()
    done(desk, asked(desk, large, how)[1])
    assert (desk.root / "large.md").exists() is (how == "restore")
    if how == "undo":
        page, job = asked(desk, ChangeSet.objects.get(kind="undo"))
        assert page.soup.h1.get_text() == "Redo"
        done(desk, job)
        assert (desk.root / "large.md").exists()
    jobs = Job.objects.count()
    desk.post(f"changes/{small.pk}/{how}")
    assert Job.objects.count() == jobs, "at once"


@pytest.mark.parametrize("how", ["undo", "restore"])
def test_of_one_large_file_of_several_it_is_a_job_of_that_file(desk, monkeypatch, how):
    monkeypatch.setattr(expected, "BYTES_A_SECOND", 150)
    puts = [
        Put(path, b"- Likes Go\n" * many, None) for path, many in (("large.md", 60), ("other.md", 60), ("small.md", 1))
    ]
    made = journal.commit(desk.bot, puts, by=ANA, kind="import").change_set
    parts = {one.path: one.pk for one in made.revisions.all()}
    if how == "restore":
        for path in parts:
            (desk.root / path).unlink()
    jobs = {path: Job.objects.latest("pk") for path in ("large.md", "other.md") if asks(desk, made, how, parts[path])}
    assert jobs["large.md"] != jobs["other.md"], "each of its own"
    assert not asks(desk, made, how, parts["small.md"]), "at once"
    done(desk, jobs["large.md"])
    there = {path for path in parts if (desk.root / path).exists()}
    assert there == ({"other.md"} if how == "undo" else {"large.md", "small.md"})


def asks(desk, made, how, revision):
    """Whether it gets a job."""
    page = desk.post(f"changes/{made.pk}/{how}", revision=revision)
    return "/jobs/" in page.response.redirect_chain[-1][0]


def test_a_change_of_three_megabytes_takes_long(desk):
    made = journal.commit(
        desk.bot, [Put("large.md", b"- Likes Go\n" * 300_000, None)], by=ANA, kind="import"
    ).change_set
    asked(desk, made)


def test_a_change_of_large_files_takes_long_by_how_much_it_changed(desk, monkeypatch):
    monkeypatch.setattr(expected, "BYTES_A_SECOND", 150)
    monkeypatch.setattr(expected, "FACTS_A_SECOND", 10)
    desk.write("2026-01-01.md", "".join(f"## 10:30 — Fact {n:03}\n\n" for n in range(100)))
    desk.indexed()
    for path, size in (("2026-01-01.md", 1), ("2026-01-01.md", 100)):
        now = desk.read(path).replace("Fact", "Word", size)
        put = Put(path, now.encode(), desk.hash(path))
        made = journal.commit(desk.bot, [put], by=ANA, kind="edit").change_set
        assert asks(desk, made, "undo", made.revisions.get().pk) is (size > 1)
    assert asks(desk, made, "restore", made.revisions.get().pk), "nobody knows what changed since"


def test_a_long_redo_is_a_job_too(desk, archived):
    done(desk, asked(desk, archived)[1])
    page, job = asked(desk, ChangeSet.objects.get(kind="undo"))
    assert page.soup.h1.get_text() == "Redo"
    after = done(desk, job)
    assert after.soup.h1.get_text() == "Compaction redone"
    assert after.soup.select_one(".toast p").get_text() == "Compaction redone"
    assert logs(desk) == []


def test_going_back_to_many_files_is_a_job_too(desk, archived):
    done(desk, asked(desk, archived)[1])
    page, job = asked(desk, archived, "restore")
    assert page.soup.h1.get_text() == "Go back to this version"
    after = done(desk, job)
    assert logs(desk) == []
    assert ChangeSet.objects.latest("pk").kind == "restore"
    assert after.soup.select_one(".toast p").get_text() == "Went back to the files after: 3 logs archived"


def test_one_file_of_many_is_undone_at_once(desk, archived):
    moved = archived.revisions.get(path="2026-01-01.md")
    desk.post(f"changes/{archived.pk}/undo", revision=moved.pk)
    assert not Job.objects.exists()
    assert logs(desk) == ["2026-01-01.md"]


def test_what_is_left_of_a_change_is_few_files_by_then(desk, archived):
    for path in ("2026-01-01.md", "2026-01-02.md"):
        desk.post(f"changes/{archived.pk}/undo", revision=archived.revisions.get(path=path).pk)
    desk.post(f"changes/{archived.pk}/undo")
    assert not Job.objects.exists()
    assert logs(desk) == [f"{day}.md" for day in DAYS]


def while_it_writes(monkeypatch, job, act):
    """Do the work of a job, and something else as soon as the first of its files is prepared."""
    gave, told = [], progress.Progress.staged

    def staged(self, number, total):
        told(self, number, total)
        if not gave:
            gave.append(act())

    monkeypatch.setattr(progress.Progress, "staged", staged)
    run_job.call(job.pk)
    job.refresh_from_db()
    return gave[0]


def test_a_long_undo_says_how_far_it_is_and_can_be_cancelled(desk, archived, monkeypatch):
    job = asked(desk, archived)[1]
    seen = while_it_writes(
        monkeypatch, job, lambda: (desk.get(f"jobs/{job.pk}"), desk.get(""), desk.post(f"jobs/{job.pk}/cancel"))[:2]
    )
    box = seen[0].soup.select_one("#progress")
    assert (box.progress["value"], box.progress["max"]) == ("44", "100"), "all is read, a third written"
    assert box.strong.get_text() == "44%"
    assert box.select_one("[aria-current=step]").get_text() == "Write the files"
    assert "Cancelling removes the copy already made." in box.get_text()
    assert "Writing files, 44%" in seen[1].text
    assert (job.state, job.trouble, logs(desk)) == ("cancelled", "Cancelled.", [])
    assert "No file was changed." in desk.get(f"jobs/{job.pk}").text
    done(desk, jobs.again(job, ANA))
    assert len(logs(desk)) == 3


def test_a_long_undo_moves_on_over_all_its_steps(desk, archived, monkeypatch):
    job, said, told = asked(desk, archived)[1], [], holder.prolong

    def prolong(held, **values):
        done = told(held, **values)
        job.refresh_from_db()
        said.append((job.doing, so_far(job)))
        return done

    monkeypatch.setattr(holder, "prolong", prolong)
    done(desk, job)
    percents = [int(percent.rstrip("%")) for _doing, percent in said]
    assert percents == sorted(percents)
    for doing in (steps.READING_FILES, steps.WRITING, steps.REREADING):
        assert len({percent for at, percent in said if at == doing}) > 1, doing
    assert percents[0] == 0
    assert 85 < percents[-1] < 100


def test_a_long_undo_says_that_later_edits_were_kept(desk, archived):
    desk.append("archive/2026-01-02.md", "## 11:00 — Tea\n\n")
    after = done(desk, asked(desk, archived)[1])
    assert after.soup.select_one(".toast p").get_text() == "Compaction undone · Later edits were kept."
    notices = [one.get_text(strip=True) for one in after.soup.select(".notice.calm")]
    assert "Later edits were kept." in notices, "without JavaScript, too"


def test_a_worker_that_ends_after_it_wrote_does_not_undo_twice(desk, archived):
    job = asked(desk, archived)[1]
    run_job.call(job.pk)
    Job.objects.filter(pk=job.pk).update(state="queued")
    done(desk, job)
    assert ChangeSet.objects.filter(kind="undo").count() == 1


class Died(BaseException):
    """A worker is no more."""


def die_while_it_writes(monkeypatch, job):
    """The worker of a job dies when it has changed some files. Its set is finished, and its lease runs out later."""
    changes = write.exchange
    left = [2]

    def exchange(*args):
        left[0] -= 1
        if left[0] < 0:
            raise Died
        return changes(*args)

    with monkeypatch.context() as patch:
        patch.setattr(write, "exchange", exchange)
        with pytest.raises(Died):
            run_job.call(job.pk)
    journal.recover(job.bot)


def taken_by_another(job):
    """Its lease runs out, and the next worker has the job."""
    Job.objects.filter(pk=job.pk, state="running").update(lease=timezone.now())
    reap()
    run_job.call(job.pk)
    job.refresh_from_db()
    return job


def test_what_was_redone_before_the_next_worker_takes_the_job_stays_so(desk, archived, monkeypatch):
    job = asked(desk, archived)[1]
    die_while_it_writes(monkeypatch, job)
    assert len(logs(desk)) == 3
    done(desk, asked(desk, ChangeSet.objects.get(kind="undo"))[1])
    assert logs(desk) == []
    assert taken_by_another(job).state == "applied"
    assert logs(desk) == []
    assert ChangeSet.objects.filter(job=job).count() == 1


def goes_missing(desk, monkeypatch, at):
    """Where the directory of the bot is after so many files were to be exchanged."""
    changes, left, away = write.exchange, [at], desk.root.with_name("away")

    def exchange(*args):
        left[0] -= 1
        if not left[0]:
            desk.root.rename(away)
        return changes(*args)

    monkeypatch.setattr(write, "exchange", exchange)
    return away


@pytest.mark.parametrize("at", [2, 4])
def test_what_is_half_undone_says_so_until_its_directory_is_back(desk, archived, monkeypatch, at):
    job, away = asked(desk, archived)[1], goes_missing(desk, monkeypatch, at)
    for _ in range(6):
        Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
        run_job.call(job.pk)
        job.refresh_from_db()
        assert (job.state, job.trouble) == ("queued", HALF)
    page = desk.get(f"jobs/{job.pk}")
    assert HALF in page.text
    assert "No file was changed." not in page.text
    assert "can be undone" not in page.text
    away.rename(desk.root)
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
    after = done(desk, job)
    assert after.soup.h1.get_text() == "Compaction undone"
    assert logs(desk) == [f"{day}.md" for day in DAYS]
    assert not list(desk.root.glob("archive/*.md"))


def test_what_is_half_undone_at_once_says_so_too(desk, archived, monkeypatch):
    monkeypatch.setattr(expected, "FILES_A_SECOND", 200)
    away = goes_missing(desk, monkeypatch, 3)
    page = desk.post(f"changes/{archived.pk}/undo")
    assert page.status == 409
    assert HALF in page.text
    assert page.soup.select_one(".head p") is None, "it said that nothing was changed"
    away.rename(desk.root)
    journal.recover(desk.bot)
    assert logs(desk) == [f"{day}.md" for day in DAYS]
    assert not list(desk.root.glob("archive/*.md"))


def test_a_compaction_that_was_undone_before_the_next_worker_takes_it_stays_undone(desk, monkeypatch):
    for day in DAYS:
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
    job = compaction.start(desk.bot, [""], ANA, old_logs="archive")
    die_while_it_writes(monkeypatch, job)
    assert logs(desk) == []
    journal.undo(desk.bot, ChangeSet.objects.get(kind="compaction"), ANA)
    assert taken_by_another(job).state == "applied"
    assert len(logs(desk)) == 3


def test_what_stands_in_the_way_of_a_long_undo_is_said_with_the_change(desk, archived):
    job = asked(desk, archived)[1]
    for day in DAYS[1:]:
        desk.write(f"archive/{day}.md", "something else\n")
    run_job.call(job.pk)
    page = desk.get(f"jobs/{job.pk}")
    assert [one.get_text() for one in page.soup.select("h2 a.mono")] == [f"archive/{day}.md" for day in DAYS[1:]]
    assert "You can undo its files one by one, or edit the conflicting text by hand." in page.text
    assert page.link(f"Back to change {archived.pk}") == f"/keno/changes/{archived.pk}"
    assert "Retry" not in [one.get_text() for one in page.soup.select("main button")], "it would meet the same"
    assert "archive/2026-01-02.md: One version changes lines 1 to 2" in page.text
    assert "No file was changed." in page.text
    assert page.link(f"change {archived.pk}")
    assert logs(desk) == []
