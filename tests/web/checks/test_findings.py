"""The page of findings: what is found, why, where else it stands, and everything that can be done about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.checks import findings, permissions
from memory.jobs.tasks import run_job
from memory.models import ChangeSet, ChatName, Finding, Job
from tests.web.jobs.made_jobs import job

SECRET = "Marta expects a child in May"
OTHER = "The vault opens with nine sevens"
MORE = ("Move …", "Pin", "Split …")  # under "More …"


def walk(desk):
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)


@pytest.fixture
def leaky(desk):
    """A bot whose own memory says what one chat keeps for itself, in whole and in part."""
    desk.write("chats/telegram-1/2026-03-01.md", f"## 10:00 — {SECRET}\n\n## 10:05 — {OTHER}\n\n")
    desk.write("MEMORY.md", f"- Likes Go\n- {SECRET}\n- Heard at night: {OTHER} (once)\n- Heard at night: {OTHER}\n")
    walk(desk)
    return desk


def rows(page):
    return page.soup.select(".findings > li")


def row_of(page, text):
    return next(row for row in rows(page) if text in row.select_one(".fact").get_text())


def press(desk, page, text, words, **more):
    """Press a row's button as a browser does: with the fields of its form."""
    row = row_of(page, text)
    button = next(button for button in row.select("button") if button.get_text() == words)
    form = page.soup.find("form", id=button["form"]) if button.get("form") else row.find_parent("form")
    fields = {one["name"]: one.get("value", "") for one in form.select("input[type=hidden]")}
    fields |= {one["name"]: one.get("value", "") for one in row.select(f"input[form='{form.get('id')}']")}
    if button.get("name"):
        fields[button["name"]] = button["value"]
    before = tree(desk)
    page = desk.post((button.get("formaction") or form["action"]).removeprefix("/keno/"), **{**fields, **more})
    if page.soup.select_one(".acting button[name=print]"):
        assert tree(desk) == before
        return confirmed(desk, page)
    return page


def confirmed(desk, page):
    """Press the button of what was shown first: a difference, or what no text says."""
    assert page.soup.select("#live .diff") or page.soup.select_one(".acting .noted")
    form = page.soup.select_one(".acting form")
    fields = {one["name"]: one.get("value", "") for one in form.select("input[name], button[name=print]")}
    fields.pop("csrfmiddlewaretoken", None)
    return desk.post(form["action"].removeprefix("/keno/"), **fields)


def tree(desk):
    files = (one for one in desk.root.rglob("*") if one.is_file() and ".kenoweb-" not in one.name)
    return {one: (one.read_bytes(), one.stat().st_mode) for one in files}


def test_a_finding_says_what_why_and_where_else(leaky):
    ChatName.objects.create(bot=leaky.bot, scope="telegram-1", name="Family")
    page = leaky.get("tidy/")
    row = row_of(page, SECRET)
    assert "A private fact of one chat. Every chat reads it here." in row.get_text()
    assert "MEMORY.md, line 2" in row.get_text()
    assert "Also in Family 2026-03-01.md, line 1" in " ".join(row.get_text(" ").split())
    assert [link["href"] for link in row.select(".about a")] == [
        "/keno/documents/MEMORY.md",
        "/keno/chats/telegram-1",
        "/keno/documents/chats/telegram-1/2026-03-01.md",
    ]


def test_the_page_says_what_is_looked_for_when_there_is_nothing(desk):
    page = desk.get("tidy/")
    assert "Not checked yet. Check everything" in page.text
    walk(desk)
    page = desk.get("tidy/")
    assert "All tidy" in page.text
    assert "private facts of one chat that are also in shared memory or logs;" in page.text
    assert "links and names of files in long-term memory and notes that lead nowhere;" in page.text
    assert "Checked just now . Check again" in page.text


def test_ignoring_takes_a_reason_and_can_be_taken_back(leaky):
    page = leaky.get("tidy/")
    page = press(leaky, page, SECRET, "Ignore", why="  Everybody\nknows ")
    assert SECRET not in " ".join(row.get_text() for row in page.soup.select("form.entries .findings > li"))
    folded = page.soup.select_one("#ignored")
    assert folded.summary.get_text() == "Ignored 1"
    assert "Everybody knows" in folded.get_text()
    assert "by you," in folded.get_text()
    page = press(leaky, page, SECRET, "Stop ignoring")
    assert page.soup.select_one("#ignored") is None
    assert SECRET in page.text


def test_forgetting_is_undone_like_everything_else(leaky):
    page = leaky.get("tidy/")
    page = press(leaky, page, SECRET, "Forget")
    assert SECRET not in leaky.read()
    assert page.soup.find("button", string="Undo") is not None
    walk(leaky)
    assert Finding.objects.filter(gone=None).count() == 2


def test_what_holds_a_chats_fact_can_go_to_the_chat(leaky):
    page = leaky.get("tidy/")
    row = row_of(page, f"{OTHER} (once)")
    assert [button.get_text() for button in row.select("button")] == ["Move to telegram-1", "Forget", *MORE, "Ignore"]
    assert [button.get_text() for button in row_of(page, SECRET).select("button")] == ["Forget", *MORE, "Ignore"]
    page = press(leaky, page, f"{OTHER} (once)", "Move to telegram-1")
    assert "Moved to the chat’s own memory" in page.text
    assert f"- Heard at night: {OTHER} (once)\n" in leaky.read("chats/telegram-1/MEMORY.md")
    assert f"{OTHER} (once)" not in leaky.read()


def test_what_is_gone_from_the_file_is_said_and_nothing_is_done(leaky):
    page = leaky.get("tidy/")
    leaky.write("MEMORY.md", "- Likes Go\n")
    page = press(leaky, page, f"{OTHER} (once)", "Move to telegram-1")
    assert "This fact no longer exists or was changed. Nothing was changed now." in page.text
    assert leaky.read() == "- Likes Go\n"


def test_a_row_can_be_mended_in_place(leaky):
    page = leaky.get("tidy/")
    address = row_of(page, SECRET).select_one("[data-edit]")["href"]
    part = leaky.client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert SECRET in part
    assert "data-editing" in part


def test_findings_are_counted_beside_the_places_and_on_the_overview(leaky):
    page = leaky.get()
    assert "3 private facts that every chat can read" in page.text
    door = page.soup.select_one(".places > ul a[href='/keno/tidy/'] .count")
    assert " ".join(door.get_text(" ").split()) == "4 to review"
    assert page.soup.select_one("#needs .count").get_text() == "4"
    told = leaky.get("tidy/").soup.select_one("#reviewed").get_text()
    assert " ".join(told.split()) == "4 things to review. Checked just now. 3 findings, 1 other thing"
    other = leaky.get("history/").soup.select_one(".places > ul a[href='/keno/tidy/'] .count")
    assert (other.get_text(), other["class"]) == (door.get_text(), door["class"])


def test_kinds_are_listed_beside_them_with_their_numbers_and_looked_at_alone(leaky):
    assert not leaky.get("tidy/").soup.select(".kinds a"), "one kind needs no list"
    leaky.write("MEMORY.md", f"- {SECRET}\n" + "".join(f"- Number {n} again\n" * 2 for n in range(8)))
    walk(leaky)
    leaves = leaky.get("tidy/").soup.select(".kinds a")
    said = [" ".join(leaf.get_text(" ").split()) for leaf in leaves]
    assert [one for one in said if not one.startswith("Much")] == ["Wrong chat 1", "Duplicates 8"]
    page = leaky.get(leaves[-1]["href"].removeprefix("/keno/"))
    assert kinds(page) == ["Duplicates"]
    assert len(rows(page)) == 8, "none of those that were asked for is folded"
    assert [one.get_text(" ").split()[0] for one in page.soup.select(".tree [aria-current]")] == ["Duplicates"]
    assert kinds(leaky.get("tidy/?kind=nothing"))[-1] == "Duplicates"


def test_the_walk_beside_a_page_looks_and_says_that_there_is_news(desk):
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    desk.write("MEMORY.md", f"- {SECRET}\n")
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()
    fields = {"seen": str(desk.bot.indexed)}
    answer = desk.client.post("/keno/step", fields, headers={"HX-Request": "true"})
    assert "kenoweb:changed" in answer.headers.get("HX-Trigger", "")
    assert Finding.objects.count() == 1
    answer = desk.client.post("/keno/step", fields, headers={"HX-Request": "true"})
    assert "HX-Trigger" not in answer.headers


@pytest.mark.parametrize("deed", ["ignore", "heed", "move", "mend"])
def test_another_bots_finding_and_none_are_404(leaky, deed):
    assert leaky.post(f"findings/999999/{deed}").status == 404
    assert leaky.client.post(f"/other/findings/1/{deed}").status_code == 404
    assert leaky.client.get(f"/keno/findings/1/{deed}").status_code == 405


def test_odd_names_and_texts_break_nothing(desk):
    scope = "a<b>'\"\n👩‍🚀-7"
    desk.write(f"chats/{scope}/MEMORY.md", f"- <script>{SECRET}</script>\n")
    desk.write("MEMORY.md", f"- <script>{SECRET}</script>\n")
    walk(desk)
    page = desk.get("tidy/")
    assert page.status == 200
    assert "<script>Marta" not in page.response.content.decode()
    assert f"<script>{SECRET}</script>" in row_of(page, SECRET).get_text()


def test_a_page_of_findings_costs_the_same_statements_however_many_there_are(desk):
    def statements():
        with CaptureQueriesContext(connection) as seen:
            assert desk.get("tidy/").status == 200
        return len(seen)

    def secrets(number):
        lines = "".join(f"- {SECRET}, says the oracle number {each}\n" for each in range(number))
        desk.write("chats/telegram-1/MEMORY.md", lines)
        desk.write("MEMORY.md", lines)
        walk(desk)

    secrets(2)
    few = statements()
    secrets(120)
    assert statements() == few
    page = desk.get("tidy/")
    assert len(rows(page)) == 50
    assert "1–50 of 120" in page.text
    assert len(page.response.content) < 200_000


# ---- kinds ------------------------------------------------------------------------------------------------------------------

TOKEN = "123456789:" + "Abc-_" * 7


def kinds(page):
    return [section["aria-label"] for section in page.soup.select(".kind")]


def test_the_worst_kind_comes_first_and_many_of_one_are_folded(leaky):
    repeats = "".join(f"- Number {n} again\n" * 2 for n in range(8))
    leaky.write("MEMORY.md", f"- {SECRET}\n- The shop’s bot is {TOKEN}\n{repeats}")
    walk(leaky)
    page = leaky.get("tidy/")
    assert kinds(page) == ["Exposed secrets", "Wrong chat", "Duplicates"]
    folded = page.soup.select(".kind")[2]
    assert len(folded.select("details li[data-row]")) == 5
    assert folded.select_one(":scope > details > summary").get_text() == "5 more"
    assert "11 things to review" in page.text


def test_one_secret_in_a_log_is_named_by_its_day_and_several_by_their_number(desk):
    desk.write("2026-03-02.md", f"## 10:30 — The shop’s bot is {TOKEN}\n\n")
    walk(desk)
    said = "Exposed secret in the log of 2 Mar findings · Stored as plain text Review"
    assert said in desk.get().text
    desk.write("MEMORY.md", f"- The shop’s bot was {TOKEN} before\n")
    walk(desk)
    assert "2 exposed secrets findings · Stored as plain text Review" in desk.get().text


def test_logs_that_the_bot_deletes_stand_first_among_the_kinds(desk):
    desk.write("procedural/patterns.json", "[]")  # only the version that deletes has this
    desk.write("MEMORY.md", "- Likes tea\n- Likes tea\n")
    desk.write("2020-01-01.md", "## 10:30 — Old\n\n")
    walk(desk)
    kinds = [one.get_text(" ", strip=True) for one in desk.get("tidy/").soup.select(".kinds a")]
    assert kinds == ["Logs about to be deleted 1", "Duplicates 1"]


def test_duplicates_are_one_kind_whose_rows_say_whether_their_words_are_the_same(desk):
    nearly = "- Ana lives in a flat by the river Douro\n- Ana lives in the flat by the river Douro\n"
    desk.write("MEMORY.md", f"- Likes tea\n- Likes tea\n{nearly}")
    walk(desk)
    link = desk.get().soup.find("a", string="Merge")
    assert (link["aria-label"], link["href"]) == ("Merge: 2 duplicates", "/keno/tidy/?kind=twice")
    for address in ("tidy/?kind=twice", "tidy/?kind=near"):
        page = desk.get(address)
        assert kinds(page) == ["Duplicates"]
        why = [row.select_one(".why").get_text() for row in rows(page)]
        assert why == ["Exactly the same words", "Nearly the same words"]
    assert "Keep one of each" in page.text


def test_a_contradiction_is_compared_from_home(desk):
    desk.write("MEMORY.md", "- Likes tea\n- Likes tea\n- Chuy: birthday is June 10\n- Chuy: birthday is June 11\n")
    walk(desk)
    link = desk.get().soup.find("a", string="Compare")
    assert kinds(desk.get(link["href"].removeprefix("/keno/"))) == ["Contradictions"]


def test_a_private_fact_in_the_shared_log_says_from_which_chat_it_is(desk):
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    desk.write("chats/telegram-1/2026-03-01.md", f"## 10:00 — {SECRET}\n\n")
    desk.write("2026-03-02.md", f"## 10:00 — {SECRET}\n\n")
    walk(desk)
    why = row_of(desk.get("tidy/"), SECRET).select_one(".why").get_text()
    assert why == "Private fact that every chat can read · from Family, in the shared log"


def test_two_answers_are_two(desk):
    desk.write("MEMORY.md", "- Chuy: birthday is June 10\n- Chuy: birthday is June 11\n")
    walk(desk)
    assert desk.get("tidy/").soup.select_one(".why").get_text() == "Two answers"


def test_a_secret_is_masked_until_somebody_asks_and_that_is_logged(leaky, caplog):
    leaky.write("MEMORY.md", f"- The shop’s bot is {TOKEN}, says Ana\n")
    walk(leaky)
    page = leaky.get("tidy/")
    assert TOKEN not in page.response.text
    assert "1234••••••••••••••••c-_" in row_of(page, "The shop").get_text()
    assert [button.get_text() for button in row_of(page, "The shop").select(".deeds button")] == [
        "Replace with [removed]",
        "Forget",
        *MORE,
        "Ignore",
    ]
    leaky.post("secrets/show")
    shown = leaky.get("tidy/")
    assert TOKEN in row_of(shown, "The shop").get_text()
    assert "looked at the secrets of the bot" in caplog.text
    assert TOKEN not in caplog.text
    done = press(leaky, shown, "The shop", "Forget")
    assert "Forgot" in done.text


def test_a_secret_goes_and_what_is_said_around_it_stays(leaky):
    leaky.write("MEMORY.md", f"- The shop’s bot is {TOKEN}, says Ana\n")
    walk(leaky)
    page = press(leaky, leaky.get("tidy/"), "The shop", "Replace with [removed]")
    assert leaky.read() == "- The shop’s bot is [removed], says Ana\n"
    assert TOKEN not in page.response.text
    assert TOKEN not in leaky.get("history").response.text
    walk(leaky)
    assert kinds(leaky.get("tidy/")) == ["Much removed"]  # by this test, which wrote one line for four


def test_a_due_date_gone_by_says_so_and_can_be_edited_or_forgotten(desk):
    desk.write("MEMORY.md", "- Tax return: due 2020-10-31\n")
    walk(desk)
    page = desk.get("tidy/")
    assert kinds(page) == ["Dates in the past"]
    row = row_of(page, "Tax return")
    assert "The date has passed: 31 Oct 2020" in row.get_text()
    assert row.select_one("[data-edit]") is not None
    assert [button.get_text() for button in row.select("button")] == ["Forget", *MORE, "Ignore"]
    assert "1 date in the past" in desk.get().text


def test_tomorrow_of_a_day_long_ago_says_which_day_it_was(desk):
    desk.write("MEMORY.md", "- 2020-10-30 09:00 — The plumber comes tomorrow\n")
    walk(desk)
    row = row_of(desk.get("tidy/"), "The plumber")
    assert row.select_one(".why").get_text() == "Noted 30 Oct 2020, so it means 31 Oct 2020"
    confirmed(desk, desk.post(f"findings/{Finding.objects.get().pk}/date"))
    assert desk.read() == "- 2020-10-30 09:00 — The plumber comes 2020-10-31\n"
    walk(desk)
    assert not Finding.objects.filter(gone=None)


def test_an_event_at_two_times_is_no_duplicate(desk):
    desk.write("MEMORY.md", "- 2026-01-01 10:00 — It rained all day\n- 2026-01-02 10:00 — It rained all day\n")
    walk(desk)
    assert Finding.objects.count() == 0


def test_everything_is_checked_as_a_job_when_somebody_asks(leaky):
    Finding.objects.all().delete()
    page = leaky.post("tidy/check")
    assert "Full check" in page.soup.select_one("#running").get_text()
    job = Job.objects.get(kind="check")
    run_job.call(job.pk)
    assert Finding.objects.filter(gone=None).count() == 3
    page = leaky.get(f"jobs/{job.pk}")
    assert "Open findings: 3." in page.text
    assert page.link("Tidy up")
    assert leaky.get("tidy/").soup.select_one("#running") is None


def test_the_bar_of_running_jobs_has_the_page_look_again_when_they_are_over(desk):
    asking = {"HX-Request": "true", "HX-Target": "running"}
    one = job(desk.bot, "running", done=3, total=12, doing="Asking")
    assert "HX-Trigger" not in desk.client.get("/keno/tidy/", headers=asking)
    Job.objects.filter(pk=one.pk).update(state="applied")
    assert "kenoweb:changed" in desk.client.get("/keno/tidy/", headers=asking)["HX-Trigger"]


def test_running_jobs_are_on_top_with_how_far_they_are(desk):
    job(desk.bot, "running", done=3, total=12, doing="Asking")
    page = desk.get("tidy/")
    row = page.soup.select_one("#running")
    assert "3 of 12" in row.get_text()
    assert row.select_one("progress")["value"] == "3"
    assert row.select_one("button").get_text() == "Cancel"


def test_personal_data_is_found_hidden_and_replaced(desk):
    desk.write("MEMORY.md", "- Call Ana at +34 612 345 678 or write to ana.ruiz@gmail.com\n- Likes tea\n")
    walk(desk)
    page = desk.get("tidy/")
    assert kinds(page) == ["Personal data"]
    assert "A number or an address of somebody" in row_of(page, "Call Ana").get_text()
    for place in ("tidy/", "facts/MEMORY.md", "prompt/", "search/?q=Ana", "documents/MEMORY.md"):
        assert "612 345 678" not in desk.get(place).text, place
    one = Finding.objects.get(rule="personal")
    assert "612" not in one.text
    confirmed(desk, desk.post(f"findings/{one.pk}/redact"))
    assert desk.read() == "- Call Ana at [removed] or write to [removed]\n- Likes tea\n"
    findings.look(desk.bot)
    assert Finding.objects.filter(gone=None).count() == 0


FIXES = {
    "redact": ("- Call Ana at +34 612 345 678\n", "Replace with [removed]"),
    "move": (None, "Move to telegram-1"),
    "date": ("- 2020-10-30 09:00 — The plumber comes tomorrow\n", "Write the date"),
    "fence": ("- Likes tea\n\n```sh\nmake\n", "Close the fence"),
    "heading": ("##Home\n\n- Likes tea\n", "Add the space"),
    "mode": ("- Likes tea\n", "Close it to others"),
    "removal": ("".join(f"- Number {number}\n" for number in range(12)), "Undo"),
}


@pytest.mark.parametrize("fix", FIXES)
def test_every_fix_shows_what_it_will_change_and_changes_it_then(leaky, fix, monkeypatch):
    monkeypatch.setattr(permissions, "_is_reachable", lambda _place: True)
    text, words = FIXES[fix]
    if text:
        leaky.write("MEMORY.md", text)
        leaky.step()
    if fix == "mode":
        (leaky.root / "MEMORY.md").chmod(0o666)
    if fix == "removal":
        leaky.write("MEMORY.md", "- Number 1\n")
    walk(leaky)
    page = leaky.get("tidy/")
    button = next(one for one in page.soup.select(".findings button") if one.get_text() == words)
    before = tree(leaky)
    shown = leaky.post(button["formaction"].removeprefix("/keno/"))
    assert shown.soup.select_one(".acting button.filled[name=print]")
    assert tree(leaky) == before
    confirmed(leaky, shown)
    assert tree(leaky) != before
    leaky.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert tree(leaky) == before


def test_every_button_of_a_finding_that_changes_files_is_a_fix_that_is_shown_first():
    markup = Path("templates/memory/checks/_finding.html").read_text()
    named = set(re.findall(r"{% url 'memory:(\w+)'", markup))
    many = {"fact_merge", "fact_move", "fact_pin", "fact_split"}
    in_sight = {"finding_keep"}  # what goes says what stays, word for word, and is named by its places
    assert named == {"finding_redact", "finding_mend", "finding_move", "finding_date", *many, *in_sight}


def test_facts_of_a_finding_are_moved_and_pinned_together(leaky):
    leaky.write("MEMORY.md", "- Ana's birthday is 3 May\n- Ana's birthday is 4 May\n- Likes Go\n")
    walk(leaky)
    for words, done in (("Move …", "Move 2 facts"), ("Pin", "Pin 2 facts")):
        page = leaky.get("tidy/")
        button = next(one for one in page.soup.select(".findings button") if one.get_text() == words)
        shown = leaky.post(button["formaction"].removeprefix("/keno/"), fact=button["value"])
        assert done in shown.text
        said = {one.get_text() for one in shown.soup.select(".acting .fact")}
        assert said >= {"Ana's birthday is 3 May", "Ana's birthday is 4 May"}
