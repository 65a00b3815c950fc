"""An import that takes longer than a moment is a job. It writes what was shown and agreed to, once, or says why it did not."""

from __future__ import annotations

import os
import time

import pytest
from django.db import connection

from memory import jobs
from memory.jobs import expected, holder, progress, steps
from memory.jobs.tasks import run_job
from memory.models import ChangeSet, Job
from memory.web.jobs.words import so_far
from tests.web.site.test_exports import decide, kept, sent, zipped

FILES = {f"2026-03-0{day}.md": b"## 10:30 \xe2\x80\x94 Likes Go\n\n" for day in range(1, 4)}


@pytest.fixture
def page(desk, monkeypatch):
    """The preview of an import of three files, as many as take long here."""
    monkeypatch.setattr(expected, "FILES_A_SECOND", 1)
    monkeypatch.setattr(progress, "EVERY", 0)
    return sent(desk, zipped(FILES))


def asked(desk, page):
    """Where somebody gets to who imports it, and the job that is to do it."""
    after = decide(desk, page, "write")
    job = Job.objects.latest("pk")
    assert after.response.redirect_chain[-1][0] == f"/keno/jobs/{job.pk}"
    return after, job


def done(desk, job):
    """The page after the work of a job."""
    run_job.call(job.pk)
    job.refresh_from_db()
    return desk.get(f"jobs/{job.pk}")


def logs(desk):
    return sorted(one.name for one in desk.root.glob("2026-*.md"))


def buttons(page):
    return [one.get_text() for one in page.soup.select("main .head button")]


def press(desk, page, words):
    """The page after pressing one of the buttons of a page's head."""
    button = next(one for one in page.soup.select("main .head button") if one.get_text() == words)
    action = button.find_parent("form")["action"]
    return desk._page(desk.client.post(action, {button["name"]: button["value"]}, follow=True))


def test_a_long_import_is_a_job_that_leads_to_its_change(desk, page, settings):
    after, job = asked(desk, page)
    assert after.soup.h1.get_text() == "Import"
    assert "rosa.zip" in after.soup.select_one(".head").get_text()
    assert after.soup.select("noscript meta[http-equiv=refresh]")
    assert logs(desk) == []
    for act in ("write", "drop"):
        assert decide(desk, page, act).response.redirect_chain[-1][0] == f"/keno/jobs/{job.pk}", (
            "it is the job's by now"
        )
    assert desk.client.get(page.response.request["PATH_INFO"])["Location"] == f"/keno/jobs/{job.pk}"
    run_job.call(job.pk)
    made = ChangeSet.objects.get(kind="import")
    assert (made.why, made.by, made.job) == ("Import of rosa.zip", "ana", job)
    told = desk.client.get(f"/keno/jobs/{job.pk}/progress", headers={"HX-Request": "true"})
    assert told["HX-Redirect"] == f"/keno/changes/{made.pk}"
    toast = desk.get(f"jobs/{job.pk}").soup.select_one(".toast")
    assert (toast.p.get_text(), toast.form.button.get_text()) == ("Imported 3 files", "Undo")
    assert logs(desk) == sorted(FILES)
    assert kept(settings) == []


def test_an_import_that_a_job_is_to_write_is_kept_however_long_it_waits(desk, page, settings):
    job = asked(desk, page)[1]
    for path in kept(settings):
        os.utime(path, (time.time() - 4000, time.time() - 4000))
    sent(desk, zipped({"MEMORY.md": b"- mine\n"}), name="other.zip")
    done(desk, job)
    assert logs(desk) == sorted(FILES)
    assert len(kept(settings)) == 2, "the other one waits for its yes"


def test_a_long_import_moves_on_over_all_its_steps(desk, page, monkeypatch):
    job, said, told = asked(desk, page)[1], [], holder.prolong
    within = list(connection.savepoint_ids)

    def prolong(held, **values):
        assert connection.savepoint_ids == within, "nobody else hears what is said in a transaction"
        is_held = told(held, **values)
        job.refresh_from_db()
        said.append((job.doing, so_far(job)))
        return is_held

    monkeypatch.setattr(holder, "prolong", prolong)
    done(desk, job)
    percents = [int(percent.rstrip("%")) for _doing, percent in said]
    assert percents == sorted(percents)
    for doing in (steps.READING_FILES, steps.WRITING, steps.REREADING):
        assert len({percent for at, percent in said if at == doing}) > 1, doing
    assert percents[0] == 0


def test_a_large_file_moves_a_long_import_on_further_than_a_small_one(desk, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0)
    large = b"# Memory\n\n" + b"".join(b"- Likes Go, for the %d. time\n" % number for number in range(5000))
    small = {f"2026-03-{day:02}.md": FILES["2026-03-01.md"] for day in range(1, 9)}
    monkeypatch.setattr(expected, "FILES_A_SECOND", 1)
    job, said, told = asked(desk, sent(desk, zipped({"2026-01-01.md": large, **small})))[1], [], holder.prolong

    def prolong(held, **values):
        said.append((values["doing"], values["done"] / (values["total"] or 1)))
        return told(held, **values)

    monkeypatch.setattr(holder, "prolong", prolong)
    done(desk, job)
    for doing in (steps.READING_FILES, steps.REREADING):
        second = sorted({part for at, part in said if at == doing})[1]
        assert second > 0.9, doing


def test_a_long_import_is_cancelled_while_files_are_prepared_and_can_be_looked_at_again(desk, page, monkeypatch):
    job, seen, staged = asked(desk, page)[1], [], progress.Progress.staged

    def cancelled(self, number, total):
        staged(self, number, total)
        if not seen:
            seen.extend((desk.get(f"jobs/{job.pk}"), desk.get("")))
            jobs.cancel(job)

    with monkeypatch.context() as patch:
        patch.setattr(progress.Progress, "staged", cancelled)
        after = done(desk, job)
    assert seen[0].soup.select_one("#progress strong").get_text() == "44%"
    assert "Cancel" in buttons(seen[0])
    assert "Writing files, 44%" in seen[1].text
    assert (job.state, logs(desk)) == ("cancelled", [])
    assert "Cancelled. No file was changed." in after.text
    assert buttons(after) == ["Preview import"]
    again = press(desk, after, "Preview import")
    assert again.soup.h1.get_text() == "Import preview"
    done(desk, asked(desk, again)[1])
    assert logs(desk) == sorted(FILES)


def test_a_long_import_over_a_memory_that_moved_on_writes_nothing_until_it_is_seen(desk, page):
    job = asked(desk, page)[1]
    desk.write("2026-03-02.md", "## 11:00 — the bot wrote this\n")
    after = done(desk, job)
    assert job.state == "failed"
    assert "The memory has changed since the preview. No file was changed." in after.text
    assert logs(desk) == ["2026-03-02.md"]
    assert buttons(after) == ["Preview import"]
    again = press(desk, after, "Preview import")
    assert "Changed 1" in again.text
    done(desk, asked(desk, again)[1])
    assert desk.read("2026-03-02.md") == FILES["2026-03-02.md"].decode()


def test_a_long_import_whose_upload_is_gone_says_so(desk, page, settings):
    job = asked(desk, page)[1]
    for path in kept(settings):
        path.unlink()
    after = done(desk, job)
    assert job.state == "failed"
    assert "The uploaded file isn’t kept any more. Upload it again." in after.text
    assert buttons(after) == []
    assert logs(desk) == []
