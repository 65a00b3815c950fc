"""Compaction at the desk: the plan, applying it, the run."""

from __future__ import annotations

from memory.models import ChangeSet
from tests.web.conftest import MEMORY

LOG = "## 10:30 — Likes Go\n\n## 10:31 — prefers concise responses\n\n"


def plan(desk, **query):
    return desk.get("compaction", **query)


def send(page):
    form = page.soup.select_one(".head form")
    return {
        field["name"]: field.get("value", "")
        for field in form.find_all("input")
        if field["name"] != "csrfmiddlewaretoken"
    }


def test_plan_names_each_fact_with_its_fate_and_writes_nothing(desk):
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    rows = [row.get_text(" ", strip=True) for row in page.soup.select(".plan tbody tr")]
    assert len(rows) == 2
    assert "Likes Go" in rows[0]
    assert "moves" in rows[0]
    assert "line 4 of MEMORY.md says it" in rows[1]
    assert "said already" in rows[1]
    assert "tokens by estimate" in page.text
    assert desk.read() == MEMORY
    assert (desk.root / "2026-01-01.md").exists()


def test_plan_is_filtered_by_fate(desk):
    desk.write("2026-01-01.md", LOG)
    assert len(plan(desk, fate="duplicate").soup.select(".plan tbody tr")) == 1
    assert len(plan(desk, fate="nonsense").soup.select(".plan tbody tr")) == 2


def test_plan_is_paged_with_the_total(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:30 — Fact number {n}\n\n" for n in range(450)))
    page = plan(desk, page="3")
    assert len(page.soup.select(".plan tbody tr")) == 50
    assert "401 to 450 of 450" in page.text


def test_apply_runs_the_plan_that_was_seen_and_undo_takes_it_back(desk):
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction/apply", **send(plan(desk)))
    assert "Compacted." in page.text
    assert "## Compacted memories\n- Likes Go\n" in desk.read()
    assert not (desk.root / "2026-01-01.md").exists()
    assert len(page.soup.select(".plan tbody tr")) == 2
    made = ChangeSet.objects.get(kind="compaction")
    desk.post(f"changes/{made.pk}/undo")
    assert desk.read() == MEMORY
    assert desk.read("2026-01-01.md") == LOG


def test_apply_of_a_plan_that_changed_meanwhile_shows_the_new_one(desk):
    desk.write("2026-01-01.md", LOG)
    seen = send(plan(desk, retention_days="20"))
    desk.append("2026-01-01.md", "## 12:00 — One more\n\n")
    page = desk.post("compaction/apply", **seen)
    assert "here is another plan" in page.text
    assert "One more" in page.text
    assert page.soup.find("input", {"name": "retention_days", "type": "hidden"})["value"] == "20"
    assert desk.read() == MEMORY


def test_plan_for_one_chat_leaves_the_bots_own_logs(desk):
    desk.write("2026-01-01.md", LOG)
    desk.write("chats/telegram-1/2026-01-01.md", "## 09:00 — Plans a talk\n\n")
    page = plan(desk, scope="chat:telegram-1")
    assert "Plans a talk" in page.text
    assert "Likes Go" not in page.text
    both = plan(desk, scope="all")
    assert "Plans a talk" in both.text
    assert "Likes Go" in both.text
    desk.post("compaction/apply", **send(page))
    assert "Plans a talk" in desk.read("chats/telegram-1/MEMORY.md")
    assert desk.read() == MEMORY


def test_rows_of_one_chat_do_not_repeat_where_it_lies(desk):
    desk.write("2026-01-01.md", LOG)
    desk.write("chats/telegram-1/2026-01-01.md", "## 09:00 — Plans a talk\n\n## 09:01 — Knows Ana\n\n")
    desk.write("chats/telegram-1/MEMORY.md", "- Knows Ana\n")
    page = plan(desk, scope="chat:telegram-1")
    rows = [row.get_text(" ", strip=True) for row in page.soup.select(".plan tbody tr")]
    assert rows == [
        "2026-01-01.md:1 Plans a talk MEMORY.md moves",
        "2026-01-01.md:3 Knows Ana line 1 of MEMORY.md says it said already",
    ]
    assert "chats/telegram-1/2026-01-01.md:1" in plan(desk, scope="all").text
    run = desk.post("compaction/apply", **send(page))
    assert run.soup.select_one(".plan .from").get_text() == "2026-01-01.md:1"
    assert "chats/telegram-1/MEMORY.md" in run.text
    assert "Moved 1" in run.soup.select_one(".filters").get_text(" ")


def test_plan_refuses_options_out_of_range(desk):
    page = plan(desk, retention_days="0")
    assert page.status == 422
    assert page.soup.select_one(".errorlist")
    assert plan(desk, scope="chat:../../x").status == 422


def test_plan_with_nothing_to_do_says_when_there_will_be(desk):
    page = plan(desk)
    assert "No daily log is older than 30 days." in page.text
    assert page.soup.select_one(".head form") is None


def test_plan_with_an_unreadable_log_names_it_and_compacts_the_others(desk):
    desk.write("2026-01-01.md", LOG)
    (desk.root / "2026-01-02.md").symlink_to("/etc/hostname")
    page = plan(desk)
    notice = page.soup.select_one("#plan .notice").get_text(" ", strip=True)
    assert "2026-01-02.md is left as it is." in notice.replace("\n", " ")
    assert "a link that leaves the memory directory" in notice
    fields = {one["name"]: one["value"] for one in page.soup.select('form[action$="/apply"] input[name]')}
    desk.post("compaction/apply", **fields)
    assert not (desk.root / "2026-01-01.md").exists()
    assert (desk.root / "2026-01-02.md").is_symlink()


def test_finished_run_says_what_happened(desk):
    desk.write("2020-01-01.md", "## 09:00 — Likes tea\n\n")
    plan = desk.get("compaction")
    assert "moves" in [chip.get_text() for chip in plan.soup.select(".plan .chip")]
    fields = {one["name"]: one["value"] for one in plan.soup.select('form[action$="/apply"] input[name]')}
    run = desk.post("compaction/apply", **fields)
    chips = [chip.get_text() for chip in run.soup.select(".plan .chip")]
    assert "moved" in chips
    assert "moves" not in chips


def test_button_and_page_say_what_happens_where_only_empty_logs_go(desk):
    desk.write("2026-01-01.md", "")
    page = plan(desk)
    assert page.soup.select_one(".head form button").get_text() == "Remove 1 empty log"
    desk.write("2026-01-02.md", "# 2026-01-02\n\n")
    page = plan(desk)
    assert page.soup.select_one(".head form button").get_text() == "Remove 2 empty logs"
    assert "Nothing stands in 2 old logs. They leave the folder and stay in the history." in page.text
    assert "No daily log is older" not in page.text
    desk.post("compaction/apply", **send(page))
    assert not list(desk.root.glob("2026-01-0?.md"))
    assert "No daily log is older" in plan(desk).text
    assert plan(desk).soup.select_one(".head form") is None


def test_a_plan_that_an_open_fence_stops_names_its_line_and_closes_it(desk):
    before = MEMORY + "\n```\nmake test\n"
    desk.write("MEMORY.md", before)
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    assert "Line 7 of MEMORY.md opens a code fence that is never closed" in page.text
    assert page.soup.select_one(".notice.bad button").get_text() == "Close the fence"
    assert desk.read() == before
    closed = desk.post("compaction/fence", path="MEMORY.md")
    assert desk.read() == before + "```\n"
    assert "Closed the code fence of line 7" in closed.text
    assert closed.soup.find("form", action=lambda where: where and where.endswith("/undo"))
    assert "Nothing can be compacted now" not in plan(desk).text
    assert "Every code fence in it is closed" in desk.post("compaction/fence", path="MEMORY.md").text
