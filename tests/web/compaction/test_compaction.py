"""Compaction at the desk: the plan, applying it, the run."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from memory import index, jobs, journal
from memory.bots import open_bot
from memory.checks import findings
from memory.compaction import job as compaction_job, runner
from memory.domain.prompt import Limit
from memory.jobs import expected, progress
from memory.jobs.tasks import run_job
from memory.models import ChangeSet, Finding, Job, RecallTest
from memory.storage.files import FileVault
from memory.web.compaction.bars import size
from tests.web.conftest import MEMORY

LOG = "## 10:30 — Likes Go\n\n## 10:31 — prefers concise responses\n\n"


def plan(desk, **query):
    return desk.get("compaction", **query)


def send(page, *unticked, **more):
    """What the form of a plan sends, without the boxes of rows that hold these words."""
    sent = {}
    for field in page.soup.select("#plan-form input[name]"):
        row = field.find_parent("tr")
        off = row is not None and any(words in row.get_text() for words in unticked)
        if field["name"] == "csrfmiddlewaretoken" or (
            field.get("type") == "checkbox" and (off or "checked" not in field.attrs)
        ):
            continue
        sent.setdefault(field["name"], []).append(field.get("value", ""))
    return {**sent, **more}


def rows(page):
    """The rows of facts."""
    return page.soup.select(".plan tbody tr:not(.group)")


def said_of(row):
    """What a row says beside its box."""
    return " ".join(cell.get_text(" ", strip=True) for cell in row.select("td:not(.box-cell)"))


def button(page):
    return page.soup.select_one(".head .filled").get_text(strip=True)


def test_which_logs_are_meant_is_asked_only_where_chats_have_some(desk):
    desk.write("2026-01-01.md", LOG)
    desk.indexed()
    assert "Logs to compact" not in plan(desk).text
    desk.write("chats/tg-1/2026-01-01.md", LOG)
    desk.indexed()
    assert "Logs to compact shared shared and all chats" in " ".join(plan(desk).text.split())


def test_plan_names_each_fact_with_its_fate_and_writes_nothing(desk):
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    assert "it isn’t known yet which of these facts contradict others" in page.text
    findings.look(desk.bot)
    assert "isn’t known yet" not in plan(desk).text
    said = [said_of(row) for row in rows(page)]
    assert said == ["10:30 Likes Go MEMORY.md move", "10:31 prefers concise responses already in MEMORY.md:4 duplicate"]
    assert button(page) == "Move 1 fact, remove 1 log"
    assert "MEMORY.md 86 bytes → 141 bytes · 20 → 40 tokens" in page.text
    assert desk.read() == MEMORY
    assert (desk.root / "2026-01-01.md").exists()


def test_what_the_bot_deletes_by_itself_stands_above_the_plan(desk):
    desk.write("2026-01-01.md", LOG)
    assert desk.get("compaction").soup.select(".notice.bad") == []
    desk.write("procedural/patterns.json", "[]")  # only the version that deletes has this
    index.refresh(desk.bot)
    notice = " ".join(plan(desk).soup.select_one(".notice.bad").get_text(" ").split())
    assert notice.startswith(
        "KenoBot deletes logs over 30 days old by itself, whether compacted or not. "
        "1 log is due. What isn’t moved or copied before its next clean-up is lost. "
        "It holds 1 fact that is nowhere else. 1 of these logs"
    )
    assert "Plan all chats too" not in notice
    desk.write("chats/telegram-1/2026-01-01.md", LOG)
    index.refresh(desk.bot)
    notice = plan(desk).soup.select_one(".notice.bad")
    assert "1 shared log is due, and 1 log of a chat. What" in " ".join(notice.get_text(" ").split())
    assert "1 of these logs is in this plan. Plan all chats too Keep a copy of all 2" in " ".join(
        notice.get_text(" ").split()
    )
    everything = desk.get("compaction" + notice.select_one("a")["href"])
    told = " ".join(everything.soup.select_one(".notice.bad").get_text(" ").split())
    assert " or not. 2 logs are due. What" in told
    assert "2 of these logs are in this plan. Keep a copy of all 2" in told


def test_what_only_chats_have_to_compact_is_said_and_led_to_where_no_shared_log_is_old(desk):
    def told(**query):
        page = plan(desk, **query)
        return page, *(" ".join(one.get_text(" ").split()) for one in page.soup.select(".notice.bad, #plan .empty"))

    desk.write("chats/telegram-1/2026-01-01.md", LOG)
    desk.write("chats/telegram-2/2026-01-01.md", LOG)
    desk.write("chats/telegram-3/2099-01-01.md", LOG)
    index.refresh(desk.bot)
    page, empty = told()
    assert empty.startswith("Nothing to compact No shared logs older than 30 days. When")
    assert "2 of these" not in empty
    every = desk.get("compaction" + page.link("Plan 2 other old logs"))
    assert "2 logs older than 30 days, 4 facts" in every.text
    desk.write("procedural/patterns.json", "[]")  # the version that deletes
    index.refresh(desk.bot)
    page, danger, empty = told()
    assert " or not. No shared logs are due, but 2 logs of chats are. What" in danger
    assert "No shared logs older than" in empty
    assert desk.get("compaction" + page.link("Plan all chats")).soup.select("#plan-form")
    page, danger = told(scope="chat:telegram-1")
    assert " or not. 1 log of this chat is due, and 1 other. What" in danger
    assert "2 logs older than 30 days" in desk.get("compaction" + page.link("Plan all logs")).text
    page, danger, empty = told(scope="chat:telegram-3")
    assert " or not. No logs of this chat are due, but 2 others are. What" in danger
    assert "No logs of this chat older than 30 days." in empty
    page, danger = told(scope="all")
    assert " or not. 2 logs are due. What" in danger
    assert "Plan all" not in page.text
    for place in ("", "tidy/"):
        assert "KenoBot will delete 2 logs at its next clean-up" in desk.get(place).text
        assert desk.get(place).soup.find("a", string="Compact")["href"] == "/keno/compaction?scope=all"


def test_what_is_left_in_a_log_that_the_bot_deletes_says_so(desk):
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction", **send(plan(desk), "Likes Go"))
    assert said_of(rows(page)[0]) == "10:30 Likes Go Stays in the log leave"
    desk.write("procedural/patterns.json", "[]")
    index.refresh(desk.bot)
    page = desk.post("compaction", **send(plan(desk), "Likes Go"))
    assert said_of(rows(page)[0]) == "10:30 Likes Go Stays in the log, and KenoBot will delete it leave"


def test_facts_that_contradict_others_say_so_and_lead_to_the_decision(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:3{n} — Chuy: birthday is June 1{n}\n\n" for n in range(3)) + LOG)
    index.refresh(desk.bot)
    findings.look(desk.bot)
    page = plan(desk)
    assert "3 facts of this plan contradict others." in page.text
    assert [chip.get_text() for chip in page.soup.select(".plan a.chip")] == ["contradicts 2 others"] * 3
    assert page.soup.find("a", string="Decide in Tidy up first")["href"] == "/keno/tidy/?kind=contradiction"


BERLIN, HAMBURG = "Ana lives in Berlin", "Ana lives in Hamburg"


def told_twice(desk):
    """A log with a fact that long-term memory says otherwise, and one that it does not say."""
    desk.write("MEMORY.md", f"# Facts\n\n- {HAMBURG}\n")
    desk.write("2026-01-01.md", f"## 10:30 — {BERLIN}\n\n## 10:31 — Likes Go\n\n")
    index.refresh(desk.bot)
    findings.look(desk.bot)


def test_a_fact_that_contradicts_another_stays_in_its_log_until_it_is_ticked(desk):
    told_twice(desk)
    page = plan(desk)
    assert button(page) == "Move 1 fact"
    assert "What isn’t ticked stays out of long-term memory" in page.text
    berlin, go = rows(page)
    assert said_of(berlin) == f"10:30 {BERLIN} contradicts 1 other Stays in the log Move"
    assert "checked" not in berlin.select_one("input[name=take]").attrs
    assert said_of(go) == "10:31 Likes Go MEMORY.md move"
    desk.post("compaction/apply", **send(page))
    assert desk.read("2026-01-01.md") == f"## 10:30 — {BERLIN}\n\n"
    assert BERLIN not in desk.read("MEMORY.md")


def test_a_fact_that_contradicts_another_moves_if_somebody_ticks_it(desk):
    told_twice(desk)
    key = rows(plan(desk))[0].select_one("input[name=take]")["value"]
    page = desk.post("compaction", **send(plan(desk), take=key))
    assert button(page) == "Move 2 facts, remove 1 log"
    assert "What isn’t ticked" not in page.text
    assert "checked" in rows(page)[0].select_one("input[name=take]").attrs
    desk.post("compaction/apply", **send(page))
    assert BERLIN in desk.read("MEMORY.md")


def test_where_both_are_true_a_fact_moves_with_the_others(desk):
    told_twice(desk)
    Finding.objects.update(ignored=timezone.now())
    assert button(plan(desk)) == "Move 2 facts, remove 1 log"


def test_a_fact_that_contradicts_another_outlives_the_log_that_the_bot_deletes(desk):
    told_twice(desk)
    desk.write("procedural/patterns.json", "[]")  # only the version that deletes has this
    index.refresh(desk.bot)
    page = plan(desk)
    assert button(page) == "Move 1 fact, archive 1 log"
    assert said_of(rows(page)[0]) == f"10:30 {BERLIN} contradicts 1 other archive/ Move"
    assert said_of(rows(page)[1]) == "10:31 Likes Go MEMORY.md move"
    log = desk.read("2026-01-01.md")
    unticked = desk.post("compaction", **send(page, "Likes Go"))
    assert said_of(rows(unticked)[1]) == "10:31 Likes Go archive/ archive"
    desk.post("compaction/apply", **send(page))
    assert not (desk.root / "2026-01-01.md").exists()
    assert desk.read("archive/2026-01-01.md") == log
    assert "Likes Go" in desk.read("MEMORY.md")
    assert BERLIN not in desk.read("MEMORY.md")


def test_plan_is_filtered_by_fate(desk):
    desk.write("2026-01-01.md", LOG)
    assert len(rows(plan(desk, fate="duplicate"))) == 1
    assert len(rows(plan(desk, fate="nonsense"))) == 2
    page = plan(desk, q="likes")
    assert [row.select_one(".said").get_text().strip() for row in rows(page)] == ["Likes Go"]
    assert page.soup.select_one(".plan mark").get_text() == "Likes"
    assert "1 of 2 facts contain “likes”" in page.text


def test_filter_that_finds_nothing_says_so_and_keeps_what_was_unticked(desk):
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction", **send(plan(desk), "Likes Go", q="zebra"))
    assert rows(page) == []
    assert "0 of 2 facts contain “zebra”" in page.text
    page = desk.post("compaction", **send(page, q=""))
    assert said_of(rows(page)[0]) == "10:30 Likes Go Stays in the log leave"


def test_plan_is_paged_with_the_total(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:30 — Fact number {n}\n\n" for n in range(450)))
    page = plan(desk, page="9")
    assert len(rows(page)) == 50
    assert "401–450 of 450" in page.text


def test_apply_runs_the_plan_that_was_seen_and_undo_takes_it_back(desk):
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction/apply", **send(plan(desk)))
    assert "1 fact moved, 1 log removed" in page.soup.select_one("#messages").get_text()
    assert page.soup.find("h1").get_text() == "1 fact moved, 1 log removed"
    assert "## Compacted memories\n- 2026-01-01 10:30 — Likes Go\n" in desk.read()
    assert not (desk.root / "2026-01-01.md").exists()
    assert len(rows(page)) == 2
    assert "All 2 facts accounted for" in page.text
    assert page.link("Open MEMORY.md") == "/keno/memory"
    made = ChangeSet.objects.get(kind="compaction")
    undone = desk.post(f"changes/{made.pk}/undo")
    assert "1 log restored, 1 fact moved back." in undone.text
    assert desk.read() == MEMORY
    assert desk.read("2026-01-01.md") == LOG


def test_undoing_long_term_memory_alone_asks_first_and_the_run_tells_what_no_file_has(desk):
    desk.write("2026-01-01.md", LOG)
    desk.post("compaction/apply", **send(plan(desk)))
    made = ChangeSet.objects.get(kind="compaction")
    part = {"revision": made.revisions.get(path="MEMORY.md").pk}
    told, run = desk.read(), f"compaction/{made.pk}"
    asked = desk.post(f"changes/{made.pk}/undo", **part)
    assert asked.soup.h1.get_text() == "Undo MEMORY.md only?"
    assert "1 fact would then be in no file." in asked.text
    assert desk.read() == told, "nothing was undone"
    words = [one.get_text() for one in asked.soup.select("main form.actions button, main form.actions a")]
    assert words == ["Undo the whole change", "Undo MEMORY.md only", "Cancel"]
    assert "All 2 facts accounted for" in desk.get(run).text
    desk.post(f"changes/{made.pk}/undo", **part, confirmed="yes")
    page = desk.get(run)
    assert "accounted for" not in page.text
    assert "1 of 2 facts is in no file now" in page.text
    notice = page.soup.select_one(".notice.bad")
    assert "MEMORY.md was undone, and the files that its facts came from were not." in " ".join(
        notice.get_text(" ").split()
    )
    redo, rest = (one["action"].removeprefix("/keno/") for one in notice.select("form"))
    desk.post(redo)
    assert (desk.read(), "All 2 facts accounted for" in desk.get(run).text) == (told, True)
    again = f"changes/{ChangeSet.objects.latest('pk').pk}/undo"  # of the redo: gone again
    asked = desk.post(again)
    assert (asked.soup.h1.get_text(), desk.read()) == ("Undo MEMORY.md only?", told)
    assert asked.soup.select_one("form#way")["action"].endswith(f"changes/{made.pk}/undo"), "the change itself"
    desk.post(again, confirmed="yes")
    assert "1 of 2 facts is in no file now" in desk.get(run).text
    desk.post(rest)
    assert (desk.read(), desk.read("2026-01-01.md")) == (MEMORY, LOG)
    assert "All 2 facts accounted for" in desk.get(run).text


def test_what_is_asked_before_an_undo_leads_back_to_where_it_was_asked_for(desk):
    made = compacted(desk)
    undo, came = f"changes/{made.pk}/undo", "/keno/days/"
    part = {"revision": made.revisions.get(path="MEMORY.md").pk, "next": came}
    page = desk.post(undo, **part)
    assert page.link("Cancel") == came
    for form in page.soup.select("main form"):
        sent = {field["name"]: field["value"] for field in form.select("input[type=hidden][name]")}
        assert sent["next"] == came
    elsewhere = desk.post(undo, **{**part, "next": "https://elsewhere.example/"})
    assert elsewhere.link("Cancel") == f"/keno/changes/{made.pk}"
    assert desk.post(undo, **part, confirmed="yes").response.redirect_chain[0][0] == came


def compacted(desk):
    """A log whose fact a compaction moved."""
    desk.write("2026-01-01.md", LOG)
    desk.post("compaction/apply", **send(plan(desk)))
    return ChangeSet.objects.get(kind="compaction")


def undone(desk, one, path=None, **sent):
    part = {"revision": one.revisions.get(path=path).pk} if path else {}
    page = desk.post(f"changes/{one.pk}/undo", **part, **sent)
    return page, ChangeSet.objects.latest("pk")


def test_redoing_only_where_facts_were_taken_from_asks_first_and_offers_the_other_end(desk):
    made, told = compacted(desk), desk.read()
    _page, log = undone(desk, made, "2026-01-01.md")
    _page, memory = undone(desk, made, "MEMORY.md")
    assert (desk.read(), desk.read("2026-01-01.md")) == (MEMORY, LOG), "unasked: both ends are there"
    page, last = undone(desk, log)
    assert (page.soup.h1.get_text(), last) == ("Redo 2026-01-01.md only?", memory)
    assert "1 fact would then be in no file. The change moved its facts into MEMORY.md, where it stays undone." in (
        " ".join(page.soup.select_one("main .box").get_text(" ").split())
    )
    words = [one.get_text() for one in page.soup.select("main form.actions button")]
    assert words == ["Redo MEMORY.md first", "Redo 2026-01-01.md only"]
    way = page.soup.select_one("form#way")
    assert way["action"].endswith(f"changes/{memory.pk}/undo")
    desk.post(f"changes/{memory.pk}/undo", path=way.select_one("[name=path]")["value"])
    undone(desk, log)
    assert (desk.read(), (desk.root / "2026-01-01.md").exists()) == (told, False)


def test_part_of_a_redo_asks_and_offers_to_redo_it_all(desk):
    made, told = compacted(desk), desk.read()
    _page, undo = undone(desk, made)
    page, last = undone(desk, undo, "2026-01-01.md")
    assert (page.soup.h1.get_text(), last) == ("Redo 2026-01-01.md only?", undo)
    assert page.soup.select_one("main form.actions button").get_text() == "Redo the whole change"
    assert page.soup.select_one("form#way")["action"].endswith(f"changes/{undo.pk}/undo")
    undone(desk, undo)
    assert (desk.read(), (desk.root / "2026-01-01.md").exists()) == (told, False), "the whole of it is unasked"


def test_what_is_asked_before_an_undo_goes_by_the_files_as_they_are(desk):
    made = compacted(desk)
    desk.write("2026-01-02.md", LOG)  # the fact stands there by now, and nobody has looked
    page, part = undone(desk, made, "MEMORY.md")
    assert (part.kind, part.undoes_id) == ("undo", made.pk), "nothing is lost"
    undone(desk, part)
    (desk.root / "2026-01-02.md").unlink()
    page, _last = undone(desk, made, "MEMORY.md")
    assert "1 fact would then be in no file." in page.text


def test_a_run_says_which_recall_tests_it_broke_or_that_all_still_pass(desk):
    RecallTest.objects.create(bot=desk.bot, question="Where?", path="MEMORY.md", key="0" * 32, checked=timezone.now())
    desk.write("2026-01-01.md", LOG)
    run = desk.post("compaction/apply", **send(plan(desk)))
    assert "It still passes" in run.text
    made = ChangeSet.objects.get(kind="compaction")
    RecallTest.objects.update(broken=timezone.now(), broken_by=made)
    run = desk.get(f"compaction/{made.pk}")
    assert "It still passes" not in run.text
    assert "Broke the recall test Where?" in run.text


def test_what_is_over_the_recommended_size_is_hatched_amber_behind_a_line_that_is_named(desk):
    desk.write("MEMORY.md", "- " + "x" * 20_478 + "\n")  # twice 10 KB
    desk.write("2026-01-01.md", LOG)
    bars = plan(desk).soup.select_one(".bars")
    assert "advised" in bars["class"]
    line = bars.select_one(".limit text")
    assert (line.get_text(), line["x"]) == ("10 KB recommended", "41.7%")
    assert (bars.select_one("line")["x1"], bars.select_one(".old")["width"]) == ("417", "417")
    assert bars.select_one("pattern.hatch")
    spanish = desk.client.get("/keno/compaction", headers={"accept-language": "es"}).content.decode()
    assert '<text x="41.7%"' in spanish  # a comma is none in SVG


def test_a_plan_says_what_each_message_costs_more(desk):
    desk.bot.settings = {"token_price": 1000}
    desk.bot.save()
    desk.write("2026-01-01.md", LOG)
    assert re.search(r"\+\$0\.\d+ a message", plan(desk).text)


def test_an_earlier_compaction_is_said_undone_as_long_as_it_is(desk):
    def told():
        shown = desk.get(f"compaction/{made.pk}").soup
        return desk.get("compaction").soup.select_one("#runs").parent.parent.get_text(" ", strip=True), shown

    desk.write("2026-01-01.md", LOG)
    desk.post("compaction/apply", **send(plan(desk)))
    made = ChangeSet.objects.get(kind="compaction")
    assert "undone" not in told()[0]
    desk.post(f"changes/{made.pk}/undo")
    undoing = ChangeSet.objects.get(undoes=made)
    listed, shown = told()
    assert "undone" in listed
    assert "you · " in listed
    said = f"you, just now · Change {made.pk} · undone in change {undoing.pk}"
    assert said in shown.select_one(".head").get_text(" ", strip=True)
    assert [one.get_text() for one in shown.select(".head .button, .head button")] == ["Open MEMORY.md"]
    desk.post(f"changes/{undoing.pk}/undo")
    listed, shown = told()
    assert "undone" not in listed
    assert "You can undo this at any time, also later from History." in shown.get_text()


def test_a_compaction_undone_in_one_file_says_so_and_keeps_undo(desk):
    for day in ("2026-01-01", "2026-01-02"):
        desk.write(f"{day}.md", LOG)
    desk.post("compaction/apply", **send(plan(desk)))
    made = ChangeSet.objects.get(kind="compaction")
    desk.post(f"changes/{made.pk}/undo", path="2026-01-02.md")
    part = ChangeSet.objects.get(undoes=made)
    for _ in range(2):
        assert "undone in part" in desk.get("compaction").soup.select_one("#runs").find_parent("section").get_text()
        head = desk.get(f"compaction/{made.pk}").soup.select_one(".head")
        assert f"undone in part in change {part.pk}" in head.get_text(" ", strip=True)
        assert [one.get_text() for one in head.select("button")] == ["Undo"]
        desk.post(f"changes/{part.pk}/undo")
        assert "undone" not in desk.get(f"compaction/{made.pk}").soup.select_one(".head").get_text()
        desk.post(f"changes/{made.pk}/undo", path="2026-01-02.md")
        part = ChangeSet.objects.filter(undoes=made).first()
    desk.post(f"changes/{made.pk}/undo")
    assert [one.get_text() for one in desk.get(f"compaction/{made.pk}").soup.select(".head button")] == []


def test_apply_of_a_plan_that_changed_meanwhile_shows_the_new_one(desk):
    desk.write("2026-01-01.md", LOG)
    seen = send(plan(desk, retention_days="20"))
    desk.append("2026-01-01.md", "## 12:00 — One more\n\n")
    page = desk.post("compaction/apply", **seen)
    assert "The files or your selection have changed since, so here is a new plan. Nothing was written." in page.text
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
    assert [said_of(row) for row in rows(page)] == [
        "09:00 Plans a talk MEMORY.md move",
        "09:01 Knows Ana already in MEMORY.md:1 duplicate",
    ]
    assert "chats/telegram-1/2026-01-01.md" in plan(desk, scope="all").soup.select_one(".plan").get_text()
    run = desk.post("compaction/apply", **send(page))
    assert run.soup.select_one(".plan .when")["title"] == "2026-01-01.md:1"
    assert run.soup.title.get_text().startswith(f"Compaction, {ChangeSet.objects.latest('pk').created:%H:%M}")
    assert "chats/telegram-1/MEMORY.md" in run.text
    assert "Moved 1" in run.soup.select_one(".filters").get_text(" ")


def test_plan_refuses_options_out_of_range(desk):
    page = plan(desk, retention_days="0")
    assert page.status == 422
    assert page.soup.select_one(".errorlist")
    assert plan(desk, scope="chat:../../x").status == 422


def test_plan_with_nothing_to_do_says_when_there_will_be(desk):
    page = plan(desk)
    assert (
        "No logs older than 30 days. When there are, their facts are listed here with where each would go." in page.text
    )
    assert page.soup.select_one(".head form[method=post]") is None
    assert page.soup.select_one("#plan-head > div").get_text(strip=True) == "Compaction"


def test_a_plan_counts_nothing_that_it_cannot_see(desk):
    desk.root.rename(desk.root.with_name("elsewhere"))
    page = plan(desk)
    assert "Nothing can be compacted right now." in page.text
    assert page.soup.select_one("#plan-head > div").get_text(strip=True) == "Compaction"


def test_a_plan_says_only_what_happens(desk):
    desk.write("2026-01-01.md", LOG)
    sums = [item.get_text(" ", strip=True) for item in plan(desk).soup.select(".sums li")]
    assert sums == ["1 moves to long-term", "1 duplicate, dropped", "1 emptied log, removed"]


def test_plan_with_an_unreadable_log_names_it_and_compacts_the_others(desk):
    desk.write("2026-01-01.md", LOG)
    (desk.root / "2026-01-02.md").symlink_to("/etc/hostname")
    page = plan(desk)
    notice = page.soup.select_one("#plan .notice").get_text(" ", strip=True)
    assert "2026-01-02.md is not changed." in notice.replace("\n", " ")
    assert "2026-01-02.md is a link to a place outside the memory directory." in notice
    desk.post("compaction/apply", **send(page))
    assert not (desk.root / "2026-01-01.md").exists()
    assert (desk.root / "2026-01-02.md").is_symlink()


def test_finished_run_says_what_happened(desk):
    desk.write("2020-01-01.md", "## 09:00 — Likes tea\n\n")
    plan = desk.get("compaction")
    assert [chip.get_text() for chip in plan.soup.select(".plan .chip")] == ["move"]
    run = desk.post("compaction/apply", **send(plan))
    assert [chip.get_text() for chip in run.soup.select(".plan .chip")] == ["moved"]
    assert [one.get_text(" ", strip=True) for one in run.soup.select(".came li")] == [
        "1 moved to long-term",
        "1 emptied log removed",
        "✓ The fact is accounted for",
    ]
    assert [one.get_text() for one in run.soup.select(".head .button, .head button")] == ["Undo", "Open MEMORY.md"]
    assert run.soup.select_one(".head .filled").get_text() == "Open MEMORY.md"
    assert "you, just now · Change" in run.text
    assert run.soup.select_one(".toast form") is None


def test_button_and_page_say_what_happens_where_only_empty_logs_go(desk):
    desk.write("2026-01-01.md", "")
    page = plan(desk)
    assert button(page) == "Remove 1 log"
    desk.write("2026-01-02.md", "# 2026-01-02\n\n")
    page = plan(desk)
    assert button(page) == "Remove 2 logs"
    assert "2 old logs have no facts. They will be removed from the directory and kept in History." in page.text
    assert "No logs older than 30 days." not in page.text
    desk.post("compaction/apply", **send(page))
    assert not list(desk.root.glob("2026-01-0?.md"))
    assert "No logs older than 30 days." in plan(desk).text
    assert plan(desk).soup.select_one(".head form[method=post]") is None


def test_a_plan_that_an_open_fence_stops_names_its_line_and_closes_it(desk):
    before = MEMORY + "\n```\nmake test\n"
    desk.write("MEMORY.md", before)
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    assert "1 log older than 30 days. Nothing changes" in page.text
    assert "Line 7 of MEMORY.md opens a code fence that is never closed" in page.text
    assert page.soup.select_one(".notice.bad button").get_text() == "Close the fence"
    assert desk.read() == before
    closed = desk.post("compaction/fence", path="MEMORY.md")
    assert desk.read() == before + "```\n"
    assert "Closed the code fence of line 7" in closed.text
    assert closed.soup.find("form", action=lambda where: where and where.endswith("/undo"))
    assert "Nothing can be compacted right now." not in plan(desk).text
    assert (
        "All code fences in the file are already closed. Nothing was written."
        in desk.post("compaction/fence", path="MEMORY.md").text
    )


def test_what_is_not_ticked_stays_and_button_plan_toast_and_history_say_the_same(desk):
    desk.write("2026-01-01.md", LOG + "## 10:32 — Plans a talk\n\n")
    page = desk.post("compaction", **send(plan(desk), "Plans a talk"))
    assert button(page) == "Move 1 fact"
    ticks = {row.select_one(".said").get_text(strip=True): bool(row.select_one("[checked]")) for row in rows(page)}
    assert ticks == {"Likes Go": True, "prefers concise responses": True, "Plans a talk": False}
    ran = desk.post("compaction/apply", **send(page))
    assert "1 fact moved" in ran.soup.select_one("#messages").get_text()
    assert "1 fact moved" in desk.get("history").text
    assert desk.read("2026-01-01.md") == "## 10:32 — Plans a talk\n\n"


def test_lines_that_are_no_facts_are_counted_as_none_anywhere(desk):
    desk.write("2026-01-01.md", "---\na: 1\n---\n## 09:00 — Likes Go\n\n")
    desk.write("2026-01-02.md", "# x\n\n## 09:00 — Plans a talk\n\n## 09:05 — Has a dog\n\n")
    page = desk.post("compaction", **send(plan(desk), "Has a dog"))
    assert ", 3 facts. Nothing changes until you apply." in page.soup.select_one("#plan-head").get_text()
    assert [one.get_text() for one in page.soup.select(".plan-head .filters button")] == ["All 3", "Move 2", "Leave 1"]
    assert [one.get_text(" ", strip=True) for one in page.soup.select(".sums li")] == [
        "2 move to long-term",
        "1 stays in its log",
        "2 lines that aren’t facts stay in 2 logs",
    ]
    ran = desk.post("compaction/apply", **send(page))
    assert [one.get_text() for one in ran.soup.select(".went .filters button")] == [
        "All 3",
        "Moved 2",
        "Left in the log 1",
    ]
    came = [" ".join(one.get_text(" ").split()) for one in ran.soup.select(".came li")]
    assert came == ["2 moved to long-term", "1 fact stayed in its log", "✓ All 3 facts accounted for"]


def test_a_selection_that_nobody_has_seen_the_plan_of_is_shown_first(desk):
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction/apply", **send(plan(desk), "Likes Go"))
    assert "The files or your selection have changed since, so here is a new plan. Nothing was written." in page.text
    assert button(page) == "Drop 1 duplicate"
    assert desk.read() == MEMORY


def test_a_selection_outlives_paging(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:30 — Fact number {n} of all\n\n" for n in range(120)))
    second = desk.post("compaction", **send(plan(desk), "number 7 of"), page="2")
    assert "51–100 of 120" in second.text
    assert button(second) == "Move 119 facts"
    third = desk.post("compaction", **send(second, "number 60 of"), page="3")
    assert button(third) == "Move 118 facts"
    desk.post("compaction/apply", **send(third))
    assert desk.read("2026-01-01.md") == "## 10:30 — Fact number 7 of all\n\n## 10:30 — Fact number 60 of all\n\n"


def test_rows_that_say_the_same_are_one_with_their_number(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:{n} — all well\n\n" for n in range(10, 40)))
    page = plan(desk)
    assert [said_of(row) for row in rows(page)] == ["10:10 all well 30 alike MEMORY.md move"]
    assert button(page) == "Move 30 facts, remove 1 log"
    once = plan(desk, same_words="on")
    assert button(once) == "Move 1 fact, remove 1 log"
    desk.post("compaction/apply", **send(once))
    assert desk.read().count("all well") == 1


def test_what_passes_the_limit_is_archived_unless_somebody_types_that_it_moves(desk):
    log = "".join(f"## 10:30 — {'Fact ' * 40}{n}\n\n" for n in range(60))
    desk.write("2026-01-01.md", log)
    page = plan(desk)
    assert button(page) == "Archive 1 log"
    notice = page.soup.select_one("#plan .notice").get_text(" ", strip=True)
    assert notice.startswith("Moving these facts would make MEMORY.md 13.")
    assert (
        "10 KB is recommended. So this plan archives the logs instead. You can still move single facts below." in notice
    )
    assert not page.soup.select("[name=word]")
    everything = desk.post("compaction", **send(page, word="move"))
    assert button(everything) == "Move 60 facts, remove 1 log"
    first = page.soup.select_one("[name=take]")
    assert first.find_parent("label").get_text(strip=True) == "Move"
    single = {**send(page), "take": [first["value"]]}
    some = desk.post("compaction", **single)
    assert button(some) == "Move 1 fact, archive 1 log"
    done = desk.post("compaction/apply", **send(some))
    assert "1 fact moved, 1 log archived" in done.text
    assert desk.read("archive/2026-01-01.md") == log
    desk.post(f"changes/{ChangeSet.objects.get(kind='compaction').pk}/undo")
    assert (desk.read(), desk.read("2026-01-01.md")) == (MEMORY, log)
    journal.settle(desk.bot)
    assert not (desk.root / "archive").exists()


def test_what_a_plan_fills_is_not_complained_of(desk):
    for day in range(1, 21):
        desk.write(f"2026-01-{day:02}.md", f"## 10:30 — {'Fact ' * 180}{day}\n\n")
    page = plan(desk)
    assert button(page) == "Move 8 facts, remove 8 logs, archive 12 logs"
    assert "So this plan moves what fits and archives the other logs." in page.text
    desk.post("compaction/apply", **send(page))
    assert "of the recommended 10 KB" not in desk.get("tidy/").text


def test_what_a_selection_adds_to_a_memory_over_the_limit_is_told_apart(desk):
    desk.write("MEMORY.md", "- " + "x" * 12_285 + "\n")
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    over = desk.post("compaction", **{**send(page), "take": [one["value"] for one in page.soup.select("[name=take]")]})
    told = re.search(r"Already 2 KB over the limit. Your selection adds ([0-9]+) bytes.", over.text)
    assert told is not None
    desk.post("compaction/apply", **send(desk.post("compaction", **send(over, word="move"))))
    assert len(desk.read().encode()) - 12_288 == int(told[1])


def test_what_moves_because_somebody_typed_it_is_not_called_what_fits(desk):
    desk.write("MEMORY.md", "- " + "x" * 12_285 + "\n")
    desk.write("2026-01-01.md", LOG)
    page = plan(desk, old_logs="archive")
    meant = desk.post("compaction", **send(page, take=page.soup.select_one("[name=take]")["value"], word="move"))
    assert button(meant) == "Move 1 fact, archive 1 log"
    assert "what fits" not in meant.text


@pytest.mark.parametrize(("grown", "loads"), [(17, "19.5 KB"), (19, "19.5 KB"), (30, "17.5 KB")])
def test_a_plan_and_its_result_name_the_same_limit(grown, loads):
    limit = Limit(int(19.5 * 1024), cuts=True, keeps=int(17.5 * 1024))
    planned = size("MEMORY.md", 1024, grown * 1024, limit, whole=40 * 1024, less=True)
    done = size("MEMORY.md", 1024, grown * 1024, limit, done=True)
    assert (planned.limit, done.limit) == (f"{loads} loaded",) * 2
    assert planned.bars[1] == done.bars[1]
    line = planned.bars[2]
    assert line.past_at == line.limit, "what is over the limit begins at its line"


def test_a_selection_that_passes_the_limit_needs_the_typed_word(desk):
    desk.write("MEMORY.md", "- " + "x" * 10_200 + "\n")
    desk.write("2026-01-01.md", LOG)
    page = plan(desk)
    single = {**send(page), "take": [one["value"] for one in page.soup.select("[name=take]")]}
    over = desk.post("compaction", **single)
    assert "Your selection passes the limit by" in over.text
    assert over.soup.select("[name=word]")
    assert button(over) == "Move 2 facts, archive 1 log"
    waits = over.soup.select_one(".head .filled")
    assert "disabled" in waits.attrs
    assert "passes the limit" in over.soup.find(id=waits["aria-describedby"]).get_text()
    refused = desk.post("compaction/apply", **send(over, word="remove"))
    assert (
        "With your selection, long-term memory would be larger than what the bot loads. Nothing was changed."
        in refused.text
    )
    assert len(refused.soup.select("[name=take][checked]")) == len(single["take"])
    meant = desk.post("compaction", **send(over, word="move"))
    assert button(meant) == "Move 2 facts, remove 1 log"
    desk.post("compaction/apply", **send(meant))
    assert "10:31 — prefers concise" in desk.read()


def test_logs_that_are_archived_are_found_and_read_by_their_day(desk):
    desk.write("2026-01-01.md", LOG)
    page = plan(desk, old_logs="archive")
    assert button(page) == "Archive 1 log"
    left = desk.post("compaction", **send(page, "2026-01-01.md"))
    assert button(left) == "Nothing selected"
    assert button(desk.post("compaction", **{**send(left), "log": ["2026-01-01.md"]})) == "Archive 1 log"
    desk.post("compaction/apply", **send(page))
    assert desk.read("archive/2026-01-01.md") == LOG
    assert "Likes Go" in desk.get("search", q="likes").text
    assert "Likes Go" in desk.get("days/2026-01-01").text
    assert "No logs older than 30 days." in plan(desk).text


def test_a_day_is_left_by_its_own_box_and_stays_in_sight(desk):
    desk.write("2026-01-01.md", LOG)
    desk.write("2026-01-02.md", "## 09:00 — Plans a talk\n\n")
    left = desk.post("compaction", **send(plan(desk), "2026-01-01.md"))
    assert button(left) == "Move 1 fact, remove 1 log"
    assert "2 stay in 1 log" in left.text
    boxes = left.soup.select("tr.group input[type=checkbox]")
    assert [(one["value"], "checked" in one.attrs) for one in boxes] == [
        ("2026-01-01.md", False),
        ("2026-01-02.md", True),
    ]
    desk.post("compaction/apply", **send(left))
    assert desk.read("2026-01-01.md") == LOG
    assert not (desk.root / "2026-01-02.md").exists()


SAME = "## 10:30 — All well\n\n"


@pytest.fixture
def alike(desk):
    """Three logs that say the same, to be archived."""
    for day in (1, 2, 3):
        desk.write(f"2026-01-0{day}.md", SAME)
    return desk


def boxes(page):
    """The boxes of facts, by what they say and whether they are ticked."""
    return [(one["aria-label"], "checked" in one.attrs) for one in page.soup.select(".plan input[name=pick]")]


def test_a_row_of_several_says_how_many_it_stands_for_and_leaves_all_of_them(alike):
    page = plan(alike, old_logs="archive")
    assert boxes(page) == [("All well (3 alike)", True)]
    left = alike.post("compaction", **send(page, "All well"))
    assert boxes(left) == [("All well (3 alike)", False)]
    assert button(left) == "Nothing selected"


def test_several_alike_are_unfolded_and_left_one_by_one(alike):
    page = plan(alike, old_logs="archive")
    opens = page.soup.find("button", {"name": "unfold"})
    unfolded = alike.post("compaction", **send(page, unfold=opens["value"]))
    assert boxes(unfolded) == [("All well", True)] * 3
    sent = send(unfolded)
    gone = sent["pick"].pop(1)
    left = alike.post("compaction", **sent)
    assert boxes(left) == [("All well", True), ("All well", False), ("All well", True)]
    assert button(left) == "Archive 2 logs"
    folded = alike.post("compaction", **send(left, fold=opens["value"]))
    assert boxes(folded) == [("All well (2 alike)", True), ("All well", False)]
    again = alike.post("compaction", **(send(folded) | {"pick": [*send(folded)["pick"], gone]}))
    assert boxes(again) == [("All well (3 alike)", True)]
    alike.post("compaction/apply", **send(folded))
    assert sorted(one.name for one in alike.root.glob("2026-*.md")) == ["2026-01-02.md"]


def test_what_was_left_together_is_left_one_by_one_when_it_is_unfolded(alike):
    left = alike.post("compaction", **send(plan(alike, old_logs="archive"), "All well"))
    opens = left.soup.find("button", {"name": "unfold"})
    unfolded = alike.post("compaction", **send(left, unfold=opens["value"]))
    assert boxes(unfolded) == [("All well", False)] * 3
    one = unfolded.soup.select(".plan input[name=pick]")[2]["value"]
    assert button(alike.post("compaction", **send(unfolded, pick=[one]))) == "Archive 1 log"


def test_several_alike_of_one_log_are_told_by_their_times(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:{n} — all well\n\n" for n in range(10, 13)))
    page = plan(desk)
    unfolded = desk.post("compaction", **send(page, unfold=page.soup.find("button", {"name": "unfold"})["value"]))
    assert [said_of(row).split()[0] for row in rows(unfolded)] == ["10:10", "10:11", "10:12"]
    left = desk.post("compaction", **send(unfolded, "10:11"))
    assert button(left) == "Move 2 facts"
    desk.post("compaction/apply", **send(left))
    assert desk.read("2026-01-01.md") == "## 10:11 — all well\n\n"


def test_one_of_several_alike_moves_by_itself(alike):
    page = plan(alike, old_logs="archive")
    unfolded = alike.post("compaction", **send(page, unfold=page.soup.find("button", {"name": "unfold"})["value"]))
    take = unfolded.soup.select(".plan input[name=take]")[1]["value"]
    moves = alike.post("compaction", **send(unfolded, take=[take]))
    assert button(moves) == "Move 1 fact, archive 3 logs"
    alike.post("compaction/apply", **send(moves))
    assert "2026-01-02 10:30 — All well" in alike.read()


def test_what_takes_long_is_a_job(desk, monkeypatch):
    monkeypatch.setattr(expected, "FACTS_A_SECOND", 0.5)
    desk.write("2026-01-01.md", LOG)
    page = desk.post("compaction/apply", **send(plan(desk, old_logs="archive")))
    made = Job.objects.get(kind="compaction")
    assert page.response.redirect_chain[-1][0] == f"/keno/jobs/{made.pk}"
    assert made.params == {
        "scopes": [""],
        "old_logs": "archive",
        "same_words": False,
        "past_limit": False,
        "leave": [],
        "move": [],
        "counts": {"moved": 0, "duplicates": 0, "removed": 0, "archived": 1},
    }
    assert page.soup.h1.get_text() == "Archiving 1 log"
    assert desk.read("2026-01-01.md") == LOG
    desk.write(f"{open_bot(desk.bot).today()}.md", LOG)  # no old one
    seen = []
    runner.run(desk.bot, [""], journal.By("Ana"), doing=seen.append, looking=lambda *told: seen.append(told))
    assert set(seen) == {(0, 1), "Checking that no fact is lost", "Keeping a snapshot of all files"}
    assert seen[-2:] == ["Checking that no fact is lost", "Keeping a snapshot of all files"]


def test_job_that_archives_says_how_many_logs_are_on_disk(desk, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0)
    for day in range(1, 5):
        desk.write(f"2026-01-0{day}.md", LOG)
    made = compaction_job.start(desk.bot, [""], journal.By("Ana"), runner.Counts(0, 0, 0, 4), old_logs="archive")
    shown, stage = [], FileVault.stage

    def staging(self, path, slot, data, stamp):
        if data is not None:  # a log that goes leaves nothing to write
            shown.append(desk.get(f"jobs/{made.pk}").soup.select_one("#progress"))
        stage(self, path, slot, data, stamp)

    monkeypatch.setattr(FileVault, "stage", staging)
    run_job.call(made.pk)
    assert [one.strong and one.strong.get_text() for one in shown] == [None, *(f"{n} of 4 logs" for n in (1, 2, 3))]
    assert [one.progress.get("value") for one in shown] == [None, "1", "2", "3"]
    assert {one.select_one("[aria-current=step]").get_text() for one in shown} == {"Move logs to archive/"}
    assert not any("left" in one.select_one("p").get_text() for one in shown)
    made.refresh_from_db()
    assert made.state == Job.State.APPLIED


def test_a_compaction_that_was_called_off_is_shown_as_done_nowhere(desk, monkeypatch):
    monkeypatch.setattr(FileVault, "stage", lambda self, *named: jobs.cancel(made))
    desk.write("2026-01-01.md", LOG)
    made = compaction_job.start(desk.bot, [""], journal.By("Ana"), runner.Counts(0, 0, 0, 1), old_logs="archive")
    run_job.call(made.pk)
    one = ChangeSet.objects.get(job=made)
    for page in (desk.get(f"compaction/{one.pk}"), desk.get(f"changes/{one.pk}")):
        assert page.soup.h1.get_text() == "Compaction"
        assert page.soup.select_one(".head .chip").get_text() == "not written"
        assert page.soup.select_one(".box.empty strong").get_text() == "Nothing was written"
        assert page.soup.main.find_all("button", string="Undo") == []
        assert not re.search("archived|accounted for|You can undo|Created", page.text)
    listed = desk.get("compaction").soup.select_one("#runs").parent.parent
    assert [chip.get_text() for chip in listed.select("li .chip")] == ["not written"]


def test_the_options_say_what_is_set(desk):
    form = plan(desk).soup.select_one(".menu form")
    assert form.find("input", {"name": "retention_days"})["placeholder"] == "30"
    chosen = {one["name"]: one.parent.get_text(strip=True) for one in form.select("fieldset input[checked]")}
    assert chosen == {
        "old_logs": "as set: their facts move to long-term memory",
        "keep_logs": "as set: cut out what moved",
    }
    asked = plan(desk, old_logs="archive", keep_logs="true").soup.find("form", class_="pop")
    assert {one["name"]: one["value"] for one in asked.select("fieldset input[checked]")} == {
        "old_logs": "archive",
        "keep_logs": "true",
    }


def test_rows_that_stand_for_several_facts_are_told_beside_them(desk):
    for day in range(1, 3):
        desk.write(f"2026-01-0{day}.md", "".join(f"## 10:{n:02} — Fact {n}\n\n" for n in range(51)))
    assert "1–50 of 51 rows, 102 facts" in plan(desk).text


def archived_logs(desk):
    """Two logs to be archived, which have a fact in common."""
    desk.write("2026-01-01.md", LOG)
    desk.write("2026-01-02.md", "## 09:00 — Plans a talk\n\n## 09:01 — all well\n\n")
    desk.write("2026-01-03.md", "## 09:00 — all well\n\n")
    return plan(desk, old_logs="archive")


def test_a_fact_that_is_left_keeps_its_log_from_the_archive(desk):
    page = archived_logs(desk)
    assert button(page) == "Archive 3 logs"
    left = desk.post("compaction", **send(page, "Likes Go"))
    assert button(left) == "Archive 2 logs"
    assert "2 stay in 1 log" in left.text
    assert [said_of(row) for row in rows(left)[:2]] == [
        "10:30 Likes Go Stays in the log · You leave it, so its whole log stays. leave",
        "10:31 prefers concise responses Stays in the log · A fact that you leave keeps this log where it is. leave",
    ]
    assert [len(row.select("input[type=checkbox]")) for row in rows(left)[:3]] == [1, 0, 2]
    assert [one["value"] for one in left.soup.select("tr.group input[name=log]")] == ["2026-01-02.md"]
    assert button(desk.post("compaction", **{**send(left), "shown": [], "leave": []})) == "Archive 3 logs"
    done = desk.post("compaction/apply", **send(left))
    assert "2 logs archived" in done.text
    assert desk.read("2026-01-01.md") == LOG
    assert sorted(path.name for path in (desk.root / "archive").iterdir()) == ["2026-01-02.md", "2026-01-03.md"]


def test_a_fact_that_several_logs_have_keeps_them_all(desk):
    page = desk.post("compaction", **send(archived_logs(desk), "all well"))
    assert button(page) == "Archive 1 log"
    assert "2 alike" in next(row for row in rows(page) if "all well" in row.get_text()).get_text(" ")


def test_what_is_left_on_one_page_stays_so_on_the_next(desk):
    for day in range(1, 29):
        desk.write(f"2026-01-{day:02}.md", "".join(f"## 10:3{n} — fact {n} of day {day}.\n\n" for n in range(3)))
    page = desk.post("compaction", **send(plan(desk, old_logs="archive"), "fact 1 of day 3."))
    assert button(page) == "Archive 27 logs"
    second = desk.post("compaction", **{**send(page), "page": "2"})
    assert button(second) == "Archive 27 logs"
    assert "of day 3." not in second.soup.select_one(".plan").get_text()
    desk.post("compaction/apply", **send(second))
    assert (desk.root / "2026-01-03.md").exists()
    assert not (desk.root / "2026-01-04.md").exists()


def test_in_a_log_that_stays_nothing_is_offered_to_move(desk):
    page = archived_logs(desk)
    talk = next(row for row in rows(page) if "Plans a talk" in row.get_text()).select_one("[name=take]")
    moved = desk.post("compaction", **send(page, take=talk["value"]))
    assert button(moved) == "Move 1 fact, archive 3 logs"
    for left in (send(moved, "all well"), send(moved, "2026-01-02.md")):
        page = desk.post("compaction", **left)
        assert "Move" not in button(page)
        row = next(row for row in rows(page) if "Plans a talk" in row.get_text())
        assert said_of(row).startswith("09:00 Plans a talk Stays in the log")
        assert not row.select("[name=take]")
        assert button(desk.post("compaction", **{**send(page), "leave": [], "shown": [], "log_shown": []})) == button(
            moved
        )
