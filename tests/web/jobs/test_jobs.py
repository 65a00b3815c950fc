"""The list of jobs and the page of one: how it stands, live, and what can be done about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import jobs, journal, llm
from memory.compaction import job as compacting, runner
from memory.domain.outcomes import Refused
from memory.jobs import progress, steps
from memory.jobs.run import stopping
from memory.jobs.tasks import run_job
from memory.models import Bot, ChangeSet, ChatName, Job, ModelCall
from memory.web.base import dates
from memory.web.jobs.words import when
from tests.web.jobs.made_jobs import job, propose

NOW = timezone.now


def lines(page):
    return [" ".join(row.get_text(" ").split()) for row in page.soup.select(".jobs > li")]


@pytest.fixture
def with_model(settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"
    assert llm.server() is not None


# ---- the list ---------------------------------------------------------------------------------------------------------------


def test_no_jobs_says_what_will_be_here(desk):
    page = desk.get("tidy/", show="jobs")
    assert page.status == 200
    assert "No jobs yet" in page.text
    assert page.link("Plan compaction") == "/keno/compaction"
    desk.root.rename(desk.root.with_name("elsewhere"))
    page = desk.get("tidy/", show="jobs")
    assert "No jobs yet" in page.text
    assert not page.soup.select("main a[href='/keno/compaction'].button, .onward a")


def test_jobs_are_listed_newest_first_in_words(desk):
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    job(desk.bot, "applied", "compaction", ago=9000, by="schedule")
    job(desk.bot, "failed", ago=4000, trouble="The language model gave no answer.")
    job(desk.bot, "running", "summary", params={"chat": "telegram-1"}, done=3, total=1200, doing="Reading")
    job(desk.bot, "planned", params={"scopes": ["", "telegram-1", "telegram-2"]})
    failed, finished = (dates.ago(when(one), desk.bot) for one in Job.objects.order_by("-pk")[2:4])
    assert lines(desk.get("tidy/", show="jobs")) == [
        "Compaction with the language model shared logs and those of 2 chats Ana · 1 min ago needs review",
        "Chat summary Family 3 of 1,200 · Reading Ana · 1 min ago running",
        f"Compaction with the language model shared logs The language model gave no answer. Ana · {failed} failed",
        f"Compaction shared logs schedule · {finished} finished",
    ]


def test_jobs_are_a_list_of_tidy_up(desk):
    job(desk.bot, "planned")
    page, inbox = desk.get("tidy/", show="jobs"), desk.get("tidy/")
    assert page.soup.h1.get_text() == inbox.soup.h1.get_text() == "Tidy up"
    assert page.soup.select_one("#reviewed").get_text() == inbox.soup.select_one("#reviewed").get_text()
    assert [one["href"] for one in page.soup.select(".tree [aria-current=page]")] == ["/keno/tidy/?show=jobs"]
    assert [one["href"] for one in inbox.soup.select(".tree [aria-current=page]")] == ["/keno/tidy/"]
    assert "1 job has suggestions to review" in inbox.text


def test_address_of_the_list_that_was_a_page_leads_there_with_its_filters(desk):
    made = [job(desk.bot, "failed") for _ in range(3)]
    job(desk.bot, "applied")
    sent = desk.client.get(f"/keno/jobs/?state=failed&kind=consolidation&before={made[2].pk}")
    assert (sent.status_code, sent["Location"].split("?")[0]) == (302, "/keno/tidy/")
    assert len(lines(desk.get("jobs/", state="failed", kind="consolidation", before=made[2].pk))) == 2
    assert len(lines(desk.get("jobs/", state="failed", show="other"))) == 3
    assert desk.post("jobs/").status == 405


def test_who_asked_is_said_as_the_history_says_it(desk):
    mine = job(desk.bot, "cancelled", by="ana", user=desk.user)
    nightly, turn = job(desk.bot, "cancelled", by="schedule"), job(desk.bot, "cancelled", by="delivery")
    mine_by = {pk: desk.get(f"jobs/{pk}").soup.select_one("header.head").get_text() for pk in (mine.pk, nightly.pk)}
    assert [row.split(" · ")[0].split()[-1] for row in lines(desk.get("tidy/", show="jobs"))] == [
        "KenoBot",
        "schedule",
        "you",
    ]
    assert "requested by you" in mine_by[mine.pk]
    assert "requested by schedule" in mine_by[nightly.pk]
    assert "requested by KenoBot" in desk.get(f"jobs/{turn.pk}").text
    desk.client.force_login(User.objects.create_user("bo"))
    assert "requested by ana" in desk.get(f"jobs/{mine.pk}").text


def test_who_decided_what_was_held_is_said_as_the_history_says_it(desk):
    made = job(desk.bot, "applied", "held", by="delivery")
    propose(
        made,
        "remember",
        [],
        text="Likes tea",
        path="MEMORY.md",
        state="refused",
        by="ana",
        user=desk.user,
        decided=NOW(),
    )
    assert "rejected by you, just now" in desk.get(f"jobs/{made.pk}").text
    desk.client.force_login(User.objects.create_user("bo"))
    assert "rejected by ana, just now" in desk.get(f"jobs/{made.pk}").text


def test_another_bots_jobs_are_not_listed_and_not_shown(desk, tmp_path):
    other = Bot.objects.create(slug="other", name="Other", dialect="kenobot")
    made = job(other, "planned")
    assert lines(desk.get("tidy/", show="jobs")) == []
    assert desk.get(f"jobs/{made.pk}").status == 404
    for act in ("cancel", "again", "accept", "refuse"):
        assert desk.post(f"jobs/{made.pk}/{act}").status == 404
    assert Job.objects.count() == 1


def test_list_is_narrowed_by_state_and_kind(desk):
    job(desk.bot, "planned")
    job(desk.bot, "failed")
    job(desk.bot, "failed", "summary", params={"chat": "telegram-1"})
    assert len(lines(desk.get("tidy/", show="jobs", state="failed"))) == 2
    assert len(lines(desk.get("tidy/", show="jobs", state="failed", kind="summary"))) == 1
    assert len(lines(desk.get("tidy/", show="jobs", state="nonsense", kind="'"))) == 3
    none = desk.get("tidy/", show="jobs", state="running")
    assert "No matching jobs" in none.text
    assert none.link("Show all") == "/keno/tidy/?show=jobs"


def chips(page):
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select("nav.filters a")]


def test_filters_are_of_states_and_kinds_that_there_are_each_with_its_count(desk):
    job(desk.bot, "failed")
    assert chips(desk.get("tidy/", show="jobs")) == []
    job(desk.bot, "applied")
    assert chips(desk.get("tidy/", show="jobs")) == ["All 2", "Failed 1", "Finished 1"]
    job(desk.bot, "failed", "summary", params={"chat": "telegram-1"})
    types = ["Any type 3", "Compaction with the language model 2", "Chat summary 1"]
    assert chips(desk.get("tidy/", show="jobs")) == ["All 3", "Failed 2", "Finished 1", *types]
    narrowed = desk.get("tidy/", show="jobs", kind="summary", state="running")
    assert chips(narrowed) == ["All 1", "Running 0", "Failed 1", "Any type 0", "Chat summary 0"]
    assert [one.contents[0].strip() for one in narrowed.soup.select("nav.filters [aria-current]")] == [
        *("Running", "Chat summary")
    ]


def test_filters_cost_the_same_however_many_states_there_are(desk):
    job(desk.bot, "applied")
    desk.get("tidy/", show="jobs")
    with CaptureQueriesContext(connection) as one:
        desk.get("tidy/", show="jobs")
    for state in ("failed", "queued", "cancelled"):
        job(desk.bot, state, "check")
    with CaptureQueriesContext(connection) as several:
        assert len(chips(desk.get("tidy/", show="jobs"))) == 8
    assert len(several) == len(one)


def test_long_list_goes_on_by_pages_with_few_statements(desk, django_assert_max_num_queries):
    for _ in range(120):
        job(desk.bot, "applied")
    first = desk.get("tidy/", show="jobs")
    older = desk.client.get("/keno/tidy/" + first.link("Older")).text
    assert len(lines(first)) == 50
    with CaptureQueriesContext(connection) as few:
        desk.get("tidy/", show="jobs", before="2")
    with CaptureQueriesContext(connection) as many:
        desk.get("tidy/", show="jobs")
    assert len(many) <= len(few)
    assert older.count("<li data-key") == 50
    assert desk.get("tidy/", show="jobs", before="9" * 40).status == 200


def test_list_asks_for_itself_again_only_when_something_changed(desk):
    made = job(desk.bot, "running", done=1, total=4, doing="Reading")
    poll = desk.get("tidy/", show="jobs").soup.select_one("#live [hx-get]")["hx-get"]
    quiet = desk.client.get("/keno/tidy/" + poll, headers={"HX-Request": "true"})
    assert (quiet.status_code, quiet.headers.get("HX-Trigger")) == (204, None)
    Job.objects.filter(pk=made.pk).update(done=2)
    news = desk.client.get("/keno/tidy/" + poll, headers={"HX-Request": "true"})
    assert (news.status_code, "kenoweb:changed" in news.headers["HX-Trigger"]) == (204, True)


def test_jobs_that_wait_for_somebody_stand_at_the_side_and_on_the_overview(desk):
    job(desk.bot, "planned")
    failed = job(desk.bot, "failed", trouble="The language model gave no answer.")
    job(desk.bot, "failed", ago=3 * 86400, trouble="Long ago.")
    page = desk.get()
    door = page.soup.select_one(".places > ul a[href='/keno/tidy/']")
    assert " ".join(door.get_text(" ").split()) == "Tidy up 2 to review"  # that one, and the one that failed
    inside = desk.get("tidy/").soup.select_one(".tree a[href='/keno/tidy/?show=jobs']")
    assert " ".join(inside.get_text(" ").split()) == "Jobs 1 to review"
    needs = {row.strong.get_text(): row.find("a", class_="button")["href"] for row in page.soup.select(".needs li")}
    assert needs["1 job has suggestions to review"] == "/keno/tidy/?show=jobs&state=planned"
    failure = "Compaction with the language model failed: The language model gave no answer."
    assert needs[failure] == f"/keno/jobs/{failed.pk}"
    assert "Long ago" not in page.text


# ---- one job ----------------------------------------------------------------------------------------------------------------


def test_running_job_shows_its_progress_and_asks_for_it_each_second(desk):
    made = job(desk.bot, "running", done=3, total=12, doing="Asking about 4 facts")
    page = desk.get(f"jobs/{made.pk}")
    bar = page.soup.select_one("progress")
    assert (bar["value"], bar["max"]) == ("3", "12")
    assert "3 of 12 Asking about 4 facts" in page.text
    box = page.soup.select_one("#progress")
    assert box["hx-trigger"] == "every 1s"
    assert page.soup.select_one("noscript meta[http-equiv=refresh]")["content"] == "3"
    Job.objects.filter(pk=made.pk).update(done=6)
    part = desk.client.get(box["hx-get"], headers={"HX-Request": "true"})
    assert "6 of 12" in part.text
    assert "<html" not in part.text
    assert "HX-Trigger" not in part.headers


def test_running_job_says_its_steps_what_is_left_and_what_it_cost(desk):
    made = job(desk.bot, "running", ago=120, done=4, total=12, doing=steps.asking(5, 12))
    ModelCall.objects.create(
        bot=desk.bot, job=made, purpose="consolidation", model="m", at=NOW(), day="2026-03-20", micros=4000
    )
    page = desk.get(f"jobs/{made.pk}")
    assert "4 of 12 Asking about part 5 of 12 · about 4 min left · $0.0040 so far" in page.text
    assert [(one.get("class"), one.contents[0]) for one in page.soup.select(".steps li")] == [
        (["done"], "Read the old logs"),
        (["now"], "Ask the language model"),
        ([], "Save the suggestions"),
    ]
    live = page.soup.select_one("[role=status][hx-trigger='every 5s']")
    said = desk.client.get(live["hx-get"], headers={"HX-Request": "true"}).text
    assert " ".join(said.split()) == "4 of 12 Asking about part 5 of 12 about 4 min left"


@pytest.mark.parametrize(
    ("ago", "done", "left"),
    [(20, 11, ""), (20, 12, "min left"), (20, 60, "about 3 min left"), (2, 60, ""), (30, 120, "")],
)
def test_what_is_left_is_not_told_by_the_first_steps(desk, ago, done, left):
    made = job(desk.bot, "running", "compaction", ago=ago, done=done, total=120, doing=steps.reading(""))
    page = desk.get(f"jobs/{made.pk}")
    assert f"{done} of 120 logs" in page.text
    assert ("left" in page.text, left in page.text) == (bool(left), True)


def test_compaction_counts_no_logs_before_it_knows_how_many(desk, monkeypatch):
    desk.write("2026-01-01.md", "## 10:30 — Likes Go\n\n")
    made, seen = compacting.start(desk.bot, [""], journal.By("Ana")), []
    monkeypatch.setattr(runner, "run", lambda *_, **__: seen.append(desk.get(f"jobs/{made.pk}")) or Refused("No."))
    run_job.call(made.pk)
    box = seen[0].soup.select_one("#progress")
    assert "Reading the old logs" in box.get_text()
    assert " of " not in box.select_one("p").get_text()
    assert not box.progress.has_attr("value")


@pytest.mark.parametrize(
    ("counts", "title", "step"),
    [
        ({"moved": 0, "archived": 33}, "Archiving 33 logs", "Move logs to archive/"),
        ({"moved": 1, "archived": 3}, "Moving 1 fact", "Write the files"),
    ],
)
def test_running_compaction_says_what_it_does_in_its_plans_numbers(desk, counts, title, step):
    params = {"scopes": [""], "counts": counts}
    made = job(desk.bot, "running", "compaction", done=4, total=12, doing=steps.reading(""), params=params)
    page = desk.get(f"jobs/{made.pk}")
    assert page.soup.h1.get_text() == title
    assert "4 of 12 logs" in page.text
    assert title in desk.get("tidy/").soup.select_one("#running").get_text()
    assert [one.contents[0] for one in page.soup.select(".steps li")] == [
        *("Read the old logs", "Check that no fact is lost", "Snapshot of all files", step, "Read the files again")
    ]
    assert "shared logs" in page.text
    Bot.objects.update(dialect="workspace")
    assert "shared" not in desk.get(f"jobs/{made.pk}").soup.main.get_text()
    Job.objects.update(doing=steps.SNAPSHOT)
    page = desk.get(f"jobs/{made.pk}")
    assert "of 12" not in page.text
    assert not page.soup.progress.has_attr("value")
    Job.objects.update(state="applied")
    assert desk.get(f"jobs/{made.pk}").soup.h1.get_text() == "Compaction"


def test_every_work_says_its_steps_in_the_words_of_the_list():
    for kind, listed in steps.STEPS.items():
        found = {steps.at(kind, one) for step in listed for one in step.said}
        assert found == set(range(len(listed)))


def test_what_a_running_job_cost_and_when_it_was_asked_for_is_brought_anew(desk):
    made = job(desk.bot, "running", ago=130)

    def part():
        asked = desk.get(f"jobs/{made.pk}").soup.select_one("#progress")["hx-get"]
        return lambda: desk.client.get(asked, headers={"HX-Request": "true"}).headers.get("HX-Trigger", "")

    again = part()
    assert again() == ""
    ModelCall.objects.create(
        bot=desk.bot, job=made, purpose="summary", model="m", at=NOW(), day="2026-03-20", tokens_in=5
    )
    assert "kenoweb:changed" in again()
    again = part()
    assert again() == ""
    Job.objects.filter(pk=made.pk).update(created=NOW() - timedelta(seconds=190))
    assert "kenoweb:changed" in again()


def test_job_without_a_known_amount_has_a_bar_without_a_value(desk):
    bar = desk.get(f"jobs/{job(desk.bot, 'running').pk}").soup.select_one("progress")
    assert not bar.has_attr("value")


@pytest.mark.parametrize("state", ["planned", "applied", "failed", "cancelled"])
def test_part_of_a_job_that_is_over_stops_asking_and_says_so(desk, state):
    made = job(desk.bot, "running")
    asked = desk.get(f"jobs/{made.pk}").soup.select_one("#progress")["hx-get"]
    Job.objects.filter(pk=made.pk).update(state=state, finished=NOW())
    part = desk.client.get(asked, headers={"HX-Request": "true"})
    assert "hx-trigger" not in part.text
    assert "kenoweb:changed" in part.headers["HX-Trigger"]
    assert 'id="said"' in part.text


def test_compaction_that_is_over_leads_to_what_came_of_it(desk):
    desk.write("2026-01-01.md", "## 10:30 — Likes Go\n\n")
    made = job(desk.bot, "running", "compaction")
    asked = desk.get(f"jobs/{made.pk}").soup.select_one("#progress")["hx-get"]
    ran = runner.run(desk.bot, [""], journal.By("Ana"), job=made, old_logs="archive")
    Job.objects.update(state="applied", finished=NOW(), trouble="Some logs were left as they are.", done=1, total=1)
    spoken = desk.client.get(f"/keno/jobs/{made.pk}/progress?spoken=1", headers={"HX-Request": "true"})
    assert spoken.content.strip() == b""
    for _second in range(3):  # until the next page has come
        part = desk.client.get(asked, headers={"HX-Request": "true"})
        assert part.headers["HX-Redirect"] == f"/keno/compaction/{ran.change_set.pk}"
    page = desk.get(f"jobs/{made.pk}")
    assert page.response.redirect_chain == [(part.headers["HX-Redirect"], 302)]
    assert page.soup.h1.get_text() == "1 log archived"
    assert [one.get_text() for one in page.soup.select(".toast p")] == ["1 log archived"]
    assert page.soup.select_one(".body .notice.calm").get_text(strip=True) == "Some logs were left as they are."
    assert "1 log archived" in desk.get(f"jobs/{made.pk}").soup.h1.get_text()
    assert desk.get("tidy/", show="jobs").soup.select_one(".jobs .chip").get_text() == "finished"


def test_compaction_of_several_runs_lists_them(desk):
    made = job(desk.bot, "applied", "compaction")
    for day in ("2026-01-01", "2026-01-02"):
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
        runner.run(desk.bot, [""], journal.By("Ana"), job=made, old_logs="archive")
    page = desk.get(f"jobs/{made.pk}")
    assert page.response.redirect_chain == []
    assert page.text.count("1 log archived") == 2


def test_part_without_htmx_leads_to_the_page(desk):
    made = job(desk.bot, "running")
    answer = desk.client.get(f"/keno/jobs/{made.pk}/progress")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/keno/jobs/{made.pk}")


def test_job_that_nobody_takes_names_the_command(desk):
    made = job(desk.bot, "queued", ago=16)
    assert "python manage.py worker" in desk.get(f"jobs/{made.pk}").text
    job(desk.bot, "running")  # a worker is busy with another
    page = desk.get(f"jobs/{made.pk}")
    assert "python manage.py worker" not in page.text
    assert "The next free worker will pick it up." in page.text
    young = job(desk.bot, "queued", ago=1)
    Job.objects.filter(state="running").delete()
    assert "python manage.py worker" not in desk.get(f"jobs/{young.pk}").text


@pytest.mark.parametrize(("wait", "words"), [(timedelta(minutes=4), "12:04"), (timedelta(days=1), "12:00, 22 Nov")])
def test_job_that_waits_for_another_attempt_says_why_and_until_when(desk, monkeypatch, wait, words):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 21, 12, tzinfo=UTC))
    later = timezone.now() + wait
    made = job(
        desk.bot, "queued", attempt=2, trouble="The language model is busy.", run_after=later, started=timezone.now()
    )
    page = desk.get(f"jobs/{made.pk}")
    assert f"Retries at {words}." in page.soup.select_one("#progress").get_text()
    assert page.soup.select_one("#progress time")["title"] == f"{later.day} {later:%B %Y, %H:%M}"
    assert "2 attempts failed. No file was changed." in page.text
    assert "The language model is busy." in page.text
    assert "Still working" not in page.text
    assert "retried once" in page.text
    assert "manage.py worker" not in page.text


def test_failed_job_says_why_and_what_it_did_not_touch(desk, with_model):
    made = job(desk.bot, "failed", trouble="The language model gave no answer.", attempt=4)
    page = desk.get(f"jobs/{made.pk}")
    notice = page.soup.select_one("#live .notice.bad").get_text(" ", strip=True)
    assert notice == "The language model gave no answer. No file was changed. Tried 4 times."
    assert "Retry" in page.text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("failed", "No file was changed."),
        ("applied", "What it changed before that is listed below and can be undone."),
    ],
)
def test_failed_job_says_that_it_changed_something_only_if_it_did(desk, state, words):
    made = job(desk.bot, "failed", "compaction", trouble="The disk is full.")
    ChangeSet.objects.create(bot=desk.bot, job=made, kind="compaction", state=state, created=NOW())
    notice = desk.get(f"jobs/{made.pk}").soup.select_one("#live .notice.bad").get_text(" ", strip=True)
    assert notice == f"The disk is full. {words}"


def test_sentence_of_a_job_that_went_well_is_no_failure(desk):
    page = desk.get(f"jobs/{job(desk.bot, 'applied', trouble='Nothing was old enough.').pk}")
    assert page.soup.select_one("#live .notice.calm").get_text(strip=True) == "Nothing was old enough."
    assert page.soup.select_one("#live .notice.bad") is None


def test_waiting_job_is_cancelled_and_a_running_one_stops(desk):
    waiting, running, over = job(desk.bot), job(desk.bot, "running"), job(desk.bot, "applied")
    assert "Cancelled. Nothing was changed." in desk.post(f"jobs/{waiting.pk}/cancel").text
    page = desk.post(f"jobs/{running.pk}/cancel")
    assert "It stops as soon as it can." in page.text
    assert page.soup.select_one("#progress .chip").get_text() == "stopping"
    assert not page.soup.select("form[action$='/cancel']")
    assert "It had already finished. Nothing was changed." in desk.post(f"jobs/{over.pk}/cancel").text
    states = {made.pk: (made.state, made.to_cancel) for made in Job.objects.all()}
    assert states == {waiting.pk: ("cancelled", False), running.pk: ("running", True), over.pk: ("applied", False)}


def files_of(desk):
    return {str(one.relative_to(desk.root)): one.read_bytes() for one in desk.root.rglob("*") if one.is_file()}


def while_it_writes(monkeypatch, made, act, *, staged_all=False):
    """Do the work of a job, and something else as soon as the first of its files is prepared, or all are. Returns what that gave,
    and the job."""
    gave, told = [], progress.Progress.staged

    def staged(progress, done, total):
        told(progress, done, total)
        if not gave and (done == total or not staged_all):
            gave.append(act())

    monkeypatch.setattr(progress.Progress, "staged", staged)
    run_job.call(made.pk)
    made.refresh_from_db()
    return gave[0], made


def test_job_that_writes_the_last_of_it_cannot_be_cancelled_and_says_so(desk, monkeypatch):
    for day in ("2026-01-01", "2026-01-02"):
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
    made = compacting.start(desk.bot, [""], journal.By("Ana"), old_logs="archive")
    assert desk.get(f"jobs/{made.pk}").soup.select("form[action$='/cancel']")
    asked = {"HX-Request": "true"}
    assert b"hx-swap-oob" not in desk.client.get(f"/{desk.bot.slug}/jobs/{made.pk}/progress", headers=asked).content

    def looks():
        told = desk.client.get(f"/{desk.bot.slug}/jobs/{made.pk}/progress", headers=asked).content
        seen, page = desk.get(f"jobs/{made.pk}"), desk.post(f"jobs/{made.pk}/cancel")
        assert page.soup.select_one("#progress .chip").get_text() == "running"
        return told, seen, page

    (told, seen, page), made = while_it_writes(monkeypatch, made, looks, staged_all=True)
    assert b"It is already writing." in told
    assert b'<div id="cancel" hx-swap-oob="true"></div>' in told  # the button goes with what it would do
    assert not seen.soup.select("form[action$='/cancel']")
    assert "You can leave this page. It is already writing. You can undo it afterwards." in seen.text
    assert page.soup.select_one(".toast p").get_text() == "It is already writing. You can undo it afterwards."
    assert (made.state, made.to_cancel, made.outcome["archived_logs"]) == ("applied", False, 2)


def test_job_that_prepares_its_files_is_cancelled_with_all_as_it_was(desk, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0)
    for day in ("2026-01-01", "2026-01-02", "2026-01-03"):
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
    before = files_of(desk)
    made = compacting.start(desk.bot, [""], journal.By("Ana"), old_logs="archive")
    (seen, page), made = while_it_writes(
        monkeypatch, made, lambda: (desk.get(f"jobs/{made.pk}"), desk.post(f"jobs/{made.pk}/cancel"))
    )
    assert "files stay as they are now. Cancelling removes the copy already made." in seen.text
    assert page.soup.select_one(".toast p").get_text() == "It stops as soon as it can."
    assert (made.state, made.trouble, files_of(desk)) == ("cancelled", "Cancelled.", before)
    over = desk.get(f"jobs/{made.pk}")
    assert over.soup.select_one("#live .notice.calm").get_text(strip=True) == "Cancelled. No file was changed."
    assert "not written" in over.soup.select_one("[aria-labelledby=changed]").get_text()
    assert not over.soup.select(".bars")
    assert "called off before anything was written" in desk.get(f"changes/{made.change_sets.get().pk}").text
    run_job.call(jobs.again(made, journal.By("Ana")).pk)
    assert sum(path.startswith("archive/") for path in files_of(desk)) == 3


def test_job_whose_worker_stops_while_it_prepares_says_so_and_is_cancelled_at_once(desk, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0)
    for day in ("2026-01-01", "2026-01-02"):
        desk.write(f"{day}.md", "## 10:30 — Likes Go\n\n")
    made = compacting.start(desk.bot, [""], journal.By("Ana"), old_logs="archive")
    _, made = while_it_writes(monkeypatch, made, stopping.set)
    stopping.clear()
    assert made.state == "queued"
    words = desk.get(f"changes/{made.change_sets.get().pk}").text
    assert "Kenoweb was stopped before writing. Nothing was changed." in words
    assert "called off" not in words
    page = desk.post(f"jobs/{made.pk}/cancel")
    assert page.soup.select_one(".toast p").get_text() == "Cancelled. Nothing was changed."
    made.refresh_from_db()
    assert (made.state, made.trouble) == ("cancelled", "Cancelled.")


def test_job_cut_off_while_it_wrote_says_what_cancelling_it_does(desk):
    made = job(desk.bot, "queued", "compaction", attempt=1)
    ChangeSet.objects.create(bot=desk.bot, job=made, kind="compaction", state="writing", created=NOW())
    page = desk.post(f"jobs/{made.pk}/cancel")
    words = "It was interrupted while writing. A change already begun is finished, nothing more is written."
    assert page.soup.select_one(".toast p").get_text() == words
    run_job.call(made.pk)
    made.refresh_from_db()
    assert made.state == "cancelled"


def test_job_that_writes_more_afterwards_stops_before_that(desk, monkeypatch):
    for path in ("2026-01-01.md", "sessions/telegram-1/2026-01-01.md"):
        desk.write(path, "## 10:30 — Likes Go\n\n")
    made = compacting.start(desk.bot, ["", "telegram-1"], journal.By("Ana"), old_logs="archive")
    page, made = while_it_writes(monkeypatch, made, lambda: desk.post(f"jobs/{made.pk}/cancel"), staged_all=True)
    assert "It stops as soon as it can." in page.text
    assert (made.state, made.trouble) == ("cancelled", "Cancelled. What was written before that stays.")
    assert made.change_sets.count() == 1


def test_job_is_done_again_as_a_new_one(desk, with_model):
    made = job(desk.bot, "failed", params={"scopes": ["", "telegram-1"], "retention_days": 9}, trouble="No.")
    page = desk.post(f"jobs/{made.pk}/again")
    new = Job.objects.exclude(pk=made.pk).get()
    assert page.response.redirect_chain[-1][0] == f"/keno/jobs/{new.pk}"
    assert (new.state, new.params, new.by, new.user) == ("queued", made.params, "ana", desk.user)


def test_what_is_done_is_not_offered_again(desk):
    assert "Retry" not in desk.get(f"jobs/{job(desk.bot, 'applied', 'compaction').pk}").text
    assert "Retry" in desk.get(f"jobs/{job(desk.bot, 'cancelled', 'compaction').pk}").text


def test_without_a_model_what_asks_it_is_not_offered_again(desk):
    assert "Retry" not in desk.get(f"jobs/{job(desk.bot, 'failed').pk}").text
    assert "Retry" in desk.get(f"jobs/{job(desk.bot, 'failed', 'compaction').pk}").text


def test_page_tells_what_the_questions_cost(desk):
    made = job(desk.bot, "planned")
    fields = {"bot": desk.bot, "job": made, "purpose": "consolidation", "model": "m", "at": NOW(), "day": "2026-11-22"}
    ModelCall.objects.create(**fields, tokens_in=12_000, tokens_out=345, micros=1_250_000)
    ModelCall.objects.create(**fields, fault="timeout", counted=False)
    cost = "2 questions, 1 unanswered · 12,000 tokens read, 345 written · $1.25"
    assert cost in desk.get(f"jobs/{made.pk}").text


def test_page_names_whose_memory_it_is_about(desk):
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    made = job(desk.bot, "planned", "summary", params={"chat": "telegram-1"})
    assert desk.get(f"jobs/{made.pk}").link("Family") == "/keno/chats/telegram-1"


@pytest.mark.parametrize("params", [{}, {"scopes": "x"}, {"scopes": [1, None]}, {"chat": 7}, {"chat": "a\n<b>'\""}])
def test_odd_parameters_break_no_page(desk, params):
    made = job(desk.bot, "failed", "summary", params=params, trouble="<script>", by="<b>")
    for page in (desk.get("tidy/", show="jobs"), desk.get(f"jobs/{made.pk}")):
        assert page.status == 200
        assert "<script>" not in page.response.text.replace("<script src=", "")


def test_what_is_held_is_to_review_and_no_job_to_whoever_decides(desk):
    made = job(desk.bot, "planned", "held", by="delivery")
    page = desk.get(f"jobs/{made.pk}")
    assert page.soup.select_one("#live .small a")["href"] == "/keno/tidy/"
    assert page.soup.select_one(".tree [aria-current]").get_text(strip=True).startswith("To review")


def test_acts_want_a_post(desk):
    made = job(desk.bot, "planned")
    propose(made, "keep", [])
    for act in ("cancel", "again", "accept", "refuse"):
        assert desk.client.get(f"/keno/jobs/{made.pk}/{act}").status_code == 405
