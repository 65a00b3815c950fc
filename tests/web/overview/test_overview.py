"""The overview: what it says of a bot, in which words, and at what cost."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import journal
from memory.bots.opened import OpenBot
from memory.compaction import runner
from memory.domain.changes import Put
from memory.index import refresh
from memory.journal import By, pinning
from memory.models import Bot, ChangeSet, ChatName, Delivery, Document, RefusedCalls
from memory.prompts import spill
from memory.text.markdown.normal import key
from memory.web.base.counts import sidebar_counts
from memory.web.base.dates import day as day_words
from memory.web.overview.views import glance
from tests.support.days import day
from tests.web.conftest import Visitor, make_bot

SECRET = "only tests know it"


@pytest.fixture
def posting(desk, settings):
    """Takes in turns of this bot as it posts them."""
    settings.WEBHOOK_SECRET = SECRET
    desk.bot.from_environment = True
    desk.bot.save()
    desk.indexed()  # what lay there before is the first import

    def post(response, session="telegram-7"):
        body = json.dumps({"message": "hi", "response": response, "session_id": session, "chat_id": "7"}).encode()
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Webhook-Signature": f"sha256={signature}"}
        answer = Client().post("/webhook", body, content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content

    return post


def lately(page):
    return list(page.soup.select("[aria-labelledby=lately] li"))


def words(row):
    """The words of a change, those that went struck out and those that came between plus signs."""
    for kind, sign in (("del", "~"), ("ins", "+")):
        for piece in row.a.select(kind):
            piece.select_one(".unseen").decompose()
            piece.string = f"{sign}{piece.get_text()}{sign}"
    return row.a.get_text().strip()


def needs(page):
    return [" ".join(row.get_text(" ").split()) for row in page.soup.select("[aria-labelledby=needs] li")]


@pytest.mark.database
def test_what_was_learned_last_is_told_however_many_documents_changed_before(desk, posting, monkeypatch):
    posting("<memory>Prefers tea</memory>")
    posting("<memory>Plans a talk</memory>")
    monkeypatch.setattr("memory.web.overview.activity.REVISIONS", 1)
    assert words(lately(desk.get())[0]) == "+Plans a talk+"


@pytest.mark.database
def test_lately_tells_what_was_learned_by_whom_and_in_which_chat(desk, posting):
    ChatName.objects.create(bot=desk.bot, scope="telegram-7", name="Family")
    posting("Sure. <memory>Prefers tea</memory><chat-memory>Plans a talk</chat-memory>")
    rows = lately(desk.get())
    assert [words(row) for row in rows[:2]] == ["+Prefers tea+", "+Plans a talk+"]
    assert [row.select_one(".tier")["class"] for row in rows[:2]] == [["tier", "global"], ["tier", "chat"]]
    assert all("Family · KenoBot" in row.get_text() for row in rows[:2])


def test_what_a_test_delivery_stored_is_told_by_its_file_as_in_history(desk, posting):
    posting("Sure. <memory>Prefers tea</memory>", session="http-kenoweb-trial")
    Delivery.objects.update(trial=True)
    name = lately(desk.get())[0].select_one(".tier").get_text().split(" · ")[0]
    assert name == f"{day(0)}.md"
    assert desk.get("history/").soup.select_one(".changes .tier").get_text() == name


def test_each_of_what_was_learned_has_its_own_undo(desk, posting):
    posting("Sure. <memory>Prefers tea</memory><chat-memory>Plans a talk</chat-memory>")
    button = lately(desk.get())[1].button
    desk.post(button["formaction"].removeprefix("/keno/"), **{button["name"]: button["value"]})
    assert "Prefers tea" in desk.read(f"{day(0)}.md")
    assert not (desk.root / f"chats/telegram-7/{day(0)}.md").exists()
    rows = {words(row): row for row in lately(desk.get())}
    assert rows["+Plans a talk+"].button is None
    assert "undone" in rows["+Plans a talk+"].get_text()
    assert rows["+Prefers tea+"].button is not None


def test_a_new_log_tells_what_it_begins_with(desk):
    desk.get()
    desk.save("- One\n")
    desk.write(f"chats/telegram-7/{day(0)}.md", "## 10:30 — Plans a talk\n\n## 10:31 — In March\n\n")
    desk.post("step")
    rows = lately(desk.get())
    assert [words(row) for row in rows] == ["+Plans a talk+", "~Prefers concise responses~+One+", "First import"]
    assert "telegram-7" in rows[0].get_text()


def test_a_file_that_somebody_put_there_later_is_nobodys_known_and_no_import(desk):
    desk.indexed()
    desk.write("2026-03-10.md", "Plans a talk\n")
    desk.indexed()
    row, first = lately(desk.get())
    assert words(first) == "First import"
    (same, _first) = desk.get("history/").soup.select(".changes > li")
    for told in (row, same):
        assert words(told) == "+Plans a talk+"
        assert "edited outside Kenoweb · just now" in told.get_text(" ", strip=True)
    assert row.button.get_text(strip=True) == "Undo"


def test_what_was_learned_is_told_without_its_markdown_as_in_history(desk):
    desk.get()
    desk.post("days/add", day=day(0), text="Ana **moved** to [Porto](https://x.example) on `Friday`")
    assert words(lately(desk.get())[0]) == "+Ana moved to Porto on Friday+"
    assert words(desk.get("history/").soup.select_one(".changes > li")) == "+Ana moved to Porto on Friday+"


def test_an_edit_tells_the_words_that_it_changed(desk):
    desk.get()
    desk.save(desk.read().replace("Google Docs", "Google Sheets"))
    row = lately(desk.get())[0]
    assert words(row) == "Likes Google ~Docs~+Sheets+"
    assert "MEMORY.md · you ·" in row.get_text()
    desk.save(desk.read() + "- Lives in Porto\n- Likes tea\n")
    row = lately(desk.get())[0]
    assert words(row) == "+Lives in Porto+"
    assert "and 1 more fact" in row.get_text()


def test_what_nobody_but_the_bot_writes_is_told_as_its_own(desk):
    desk.write("chats/telegram-7/context.json", "{}")
    desk.write("procedural/patterns.json", "[]")
    desk.get()
    desk.write("procedural/patterns.json", '[{"pattern": "x"}]')
    desk.step()
    rows = [row for row in lately(desk.get()) if "patterns.json" in row.get_text()]
    assert rows
    assert all("KenoBot ·" in row.get_text() and "outside" not in row.get_text() for row in rows)


def test_a_new_day_begun_by_the_bot_is_told_as_its_own_wherever_it_is_told(desk):
    desk.indexed()
    desk.write(f"{day(0)}.md", "## 02:55 — Likes tea\n\n")
    desk.write("working/telegram-7.md", "Brewing")
    desk.indexed()
    rows = [row for row in lately(desk.get()) if "First import" not in row.get_text()]
    assert sorted(words(row) for row in rows) == ["+Brewing+", "+Likes tea+"]
    for row in rows:
        assert "KenoBot · just now" in row.get_text(" ", strip=True)
        assert row.button.get_text(strip=True) == "Undo"
        pk = row.a["href"].rpartition("/")[2]
        assert "· KenoBot," in desk.get(f"changes/{pk}").soup.select_one(".head").get_text(" ", strip=True)
    told = desk.get("history/").soup.select(".changes > li")
    assert [row.get_text(" ", strip=True).count("KenoBot ·") for row in told] == [1, 1, 0]


def test_what_i_did_is_told_as_mine_and_to_others_by_name(desk):
    desk.save("- One\n")
    assert "you ·" in lately(desk.get())[0].get_text()
    desk.client.force_login(User.objects.create_user("bo"))
    assert "ana ·" in lately(desk.get())[0].get_text()


def test_what_is_archived_is_counted_apart_as_what_moved_out_of_it_stands_twice(desk):
    desk.write("archive/2026-01-01.md", "## 10:30 — One\n\n## 10:31 — Two\n\n")
    desk.step()
    assert desk.get().soup.select_one("#lead .on-wide").get_text() == (
        f"2 facts in 1 file, newest {day_words(date(2026, 1, 1))} · 2 facts in archived files"
    )


@pytest.mark.database
def test_the_cards_say_how_much_how_old_and_what_of_it_is_loaded(desk):
    desk.write("chats/telegram-7/MEMORY.md", "- One\n- Two\n")
    desk.write("working/telegram-8.md", "topic")
    page = desk.get()
    assert "5 facts in 3 files" in page.text
    assert "newest" not in page.text  # nothing says when any of them was learned
    assert "Long-term memory 86 bytes of 10 KB" in page.text
    assert page.soup.select_one(".strip .gauge title").get_text() == "1% of the recommended 10 KB"
    assert "Chats 2 facts in 2 chats 2 active this week" in page.text
    assert "Working memory 1 current, 0 stale Stale after 7 days" in page.text
    spanish = desk.client.get("/keno/", headers={"Accept-Language": "es"}).content.decode()
    assert "vigente, 0 caducadas" in spanish
    assert re.search(r"Prompt \d+ tokens Set a price to see dollars", page.text)
    desk.bot.settings = {"token_price": 1000}
    desk.bot.save()
    assert re.search(r"Prompt \d+ tokens About \$0\.\d+ a message", desk.get().text)


def test_the_newest_fact_is_not_what_was_written_last(desk):
    desk.write(f"{day(3)}.md", "## 09:00 — Three days ago\n")
    desk.write(f"{day(20)}.md", "## 09:00 — Long ago\n")
    assert re.search(r"newest [A-Z][a-z][a-z]\b", desk.get().text)
    (desk.root / f"{day(3)}.md").unlink()
    desk.step()
    page = desk.get()
    assert re.search(r"newest \d+ \w{3}\b", page.text)
    desk.write(f"{day(0)}.md", "- Said without a clock\n")
    desk.step()
    assert "newest today" in desk.get().text
    assert re.fullmatch(r"Newest fact \d+ \w{3}( \d{4})?", page.soup.select_one("#lead .on-phone").get_text())


def test_what_a_message_costs_is_told_as_on_the_page_of_the_prompt(desk):
    desk.write("chats/telegram-7/MEMORY.md", "- Has a chat\n" * 20)
    desk.step()
    said = re.search(r"Prompt (\d+) tokens", desk.get().text)[1]
    assert f"{said} tokens" in desk.get("prompt/").text
    assert f"{said} tokens" not in desk.get("prompt/", chat="").text


def test_a_prompt_that_held_text_of_another_chat_is_not_shown_and_all_else_is(desk, monkeypatch):
    desk.write("chats/telegram-7/MEMORY.md", "- Has a chat\n")
    desk.indexed()
    monkeypatch.setattr(spill, "spilled", lambda *_told: {"chats/telegram-8/MEMORY.md": "- Secret\n"})
    cells = [cell.get_text(" ", strip=True) for cell in desk.get().soup.select(".strip > a")]
    assert len(cells) == 3
    assert "Prompt" not in cells[-1]


def test_what_is_to_be_reviewed_is_counted_by_what_it_is(desk):
    desk.write("working/telegram-9.md", "old")
    old = time.time() - 12 * 86_400
    os.utime(desk.root / "working/telegram-9.md", (old, old))
    desk.write("MEMORY.md", "- The sauna is open on Sundays\n- Tea\n- The sauna is open on Sundays\n")
    desk.step()
    for place in ("", "tidy/"):
        assert "1 finding, 1 other thing" in desk.get(place).text


def test_many_old_logs_that_only_an_archive_takes_are_a_hint(desk):
    desk.bot.settings = {"old_logs": "archive"}
    desk.bot.save()
    for number in range(101):
        desk.write(f"{day(100 + number)}.md", "## 09:00 — Said\n")
    desk.step()
    needs = desk.get().soup.select(".needs > li")
    (hint,) = [one for one in needs if "101 logs are older than 30 days" in one.get_text()]
    assert hint.select_one("a.button").get_text() == "Compact"
    assert not hint.select(".severity.warn, .severity.bad")
    assert "1 hint" in desk.get().soup.select_one(".reviewing header").get_text()
    assert "hint" not in desk.get("tidy/").soup.select_one("#reviewed").get_text()


def test_07_does_not_load_all_of_it(desk):
    desk.write("procedural/patterns.json", "[]")
    assert "Loads matching sections only" in desk.get().text


@pytest.mark.database
def test_needs_a_look_names_every_kind_and_leads_there(desk):
    desk.write(f"{day(40)}.md", "## 10:30 — Old\n\n")
    desk.write(f"chats/telegram-7/{day(40)}.md", "## 10:30 — Old\n\n")
    desk.write("2026-02-30.md", "## 10:30 — Never\n\n")
    desk.write("notes.txt", "nothing to a bot")
    desk.write("working/telegram-9.md", "old")
    (desk.root / "2025-01-01.md").mkdir()
    old = time.time() - 12 * 86_400
    os.utime(desk.root / "working/telegram-9.md", (old, old))
    page = desk.get()
    said = " / ".join(needs(page))
    for words in (
        "1 log has an invalid date",
        "1 chat has facts older than 30 days",
        "1 stale working memory stale · The oldest is 12 days old Review",
        "1 unrecognised file not opened",
    ):
        assert words in said
    for link in page.soup.select("[aria-labelledby=needs] a"):
        assert desk.client.get(link["href"]).status_code == 200, link["href"]


@pytest.mark.database
def test_hostile_names_are_shown_as_they_are(desk, posting):
    scope = '"><img src=x>\u202e'
    posting("<memory><script>alert(1)</script></memory>", session=scope)
    page = desk.get()
    assert page.soup.find("img") is None
    assert "<script>alert(1)" in page.text
    assert page.status == 200


def test_statements_do_not_grow_with_the_memory(desk, posting):
    posting("<memory>Prefers tea</memory>")
    desk.write(f"{day(4)}.md", "## 10:30 — x\n\n")  # as there are more below
    desk.post("step")
    desk.get()

    def statements():
        desk.bot.refresh_from_db()
        with CaptureQueriesContext(connection) as seen:
            glance(desk.bot, desk.user, sidebar_counts(desk.bot))
        return len(seen)

    few = statements()
    for number in range(30):
        desk.write(f"chats/telegram-9{number}/{day(number)}.md", "## 10:30 — x\n\n")
        desk.write(f"{day(number + 5)}.md", "## 10:30 — x\n\n")
        posting(f"<memory>Thing {number}</memory>", session=f"telegram-9{number}")
    desk.post("step")
    desk.get()
    assert statements() <= few <= 20


def test_totals_are_never_older_than_the_index(desk):
    before = desk.get().soup.find(id="lead").get_text()
    desk.append("MEMORY.md", "- Likes tea\n")
    desk.post("step")
    after = desk.get().soup.find(id="lead").get_text()
    assert before.startswith("2 facts")
    assert after.startswith("3 facts")


def test_step_tells_a_page_that_the_files_changed(desk):
    desk.get()
    seen = desk._page(desk.client.get("/keno/")).soup.find("input", {"name": "seen"})["value"]
    quiet = desk.client.post("/keno/step", {"seen": seen}, headers={"HX-Request": "true"})
    assert "HX-Trigger" not in quiet
    desk.append("MEMORY.md", "- Likes tea\n")
    told = desk.client.post("/keno/step", {"seen": seen}, headers={"HX-Request": "true"})
    assert "kenoweb:changed" in told["HX-Trigger"]
    now = desk._page(told).soup.find("input", {"name": "seen"})["value"]
    assert now != seen
    assert "HX-Trigger" not in desk.client.post("/keno/step", {"seen": now}, headers={"HX-Request": "true"})


def test_unreadable_files_come_first(desk):
    desk.get()
    os.mkfifo(desk.root / f"{day(0)}.md")
    desk.post("step")
    assert Document.objects.exclude(error="").count() == 1
    assert needs(desk.get())[0] == "1 file can’t be read unreadable Open"


def test_somebody_without_a_password_is_told_so(desk):
    words = "Set a password so you can log in without a link"
    assert words not in desk.get().text
    desk.user.set_unusable_password()
    desk.user.save()
    desk.client.force_login(desk.user)
    page = desk.get()
    assert words in page.text
    assert page.soup.select_one("#needs .count") is None  # it is no fault of the memory


def test_calls_refused_before_a_bot_was_there_are_not_its_own(desk):
    moment = desk.bot.created - timedelta(hours=1)
    RefusedCalls.objects.create(address="192.0.2.1", minute=moment, status=401, reason="invalid signature", count=1)
    assert "rejected deliver" not in desk.get().text


def week(page):
    """(heading, how many, the lines by day) of what was learned."""
    box = page.soup.find(id="learned").find_parent("section")
    days = {
        day.get_text(): [row.find("a").get_text(" ", strip=True) for row in day.find_next("ul").select("li")]
        for day in box.select("h3")
    }
    return box.h2.get_text(), box.header.find(class_="small").get_text(), days


def test_what_was_learned_this_week_is_told_by_day_with_its_chat(desk):
    desk.write(f"{day(8)}.md", "## 09:00 — An old one\n\n")
    desk.write(f"{day(1)}.md", f"[{day(1)} 08:00Z] Lives in Porto\n\n## 09:00 — Likes tea\n\n")
    desk.write(f"chats/telegram-1/{day(0)}.md", "## 09:30 — Plans a trip\n\n## 09:31 — Plans a trip\n\n")
    refresh(desk.bot)
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    page = desk.get()
    told = {"Today": ["Plans a trip"], "Yesterday": ["Likes tea", "Lives in Porto"]}
    assert week(page) == ("Learned this week", "4 facts", told)
    line = page.soup.find("a", string="Plans a trip")
    assert re.fullmatch(rf"/keno/days/{day(0)}\?at=(\d+-[0-9a-f]{{16}}-\d)#f-\1", line["href"])
    assert "2 alike" in line.find_parent("li").get_text(" ")
    assert "Family" in line.find_parent("li").get_text(" ")
    assert page.soup.select_one("[aria-labelledby=learned] .more-rows").get_text() == "usually 2 a day"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "usually 1,200.5 a day"), ("es", "normalmente 1\xa0200,5 al día")]
)
def test_how_many_facts_a_day_are_usual_is_written_as_the_reader_does(desk, language, said):
    for ago, facts in ((1, 1201), (3, 1200)):
        desk.write(f"{day(ago)}.md", "".join(f"## 09:00 — Fact {n}\n\n" for n in range(facts)))
    refresh(desk.bot)
    page = desk.client.get("/keno/", headers={"Accept-Language": language}).content.decode()
    assert said in page


@pytest.mark.parametrize(
    ("days", "said", "url"), [((0,), "All 20 facts", "/keno/days/{today}"), ((0, 1), "Days", "/keno/days/")]
)
def test_more_than_fits_of_what_was_learned_is_where_it_leads(desk, days, said, url):
    for ago in days:
        desk.write(f"{day(ago)}.md", "".join(f"## 09:{n:02} — Fact {n}\n\n" for n in range(20)))
    refresh(desk.bot)
    link = desk.get().soup.select_one("[aria-labelledby=learned] .more-rows a")
    assert (link.get_text(), link["href"]) == (said, url.format(today=day(0)))


def test_an_undone_compaction_is_told_as_what_it_was(desk):
    for n in range(30):
        desk.write(f"2026-01-{n + 1:02}.md", f"## 10:30 — Fact {n}\n\n")
    runner.run(desk.bot, [""], By("Ana"))
    journal.undo(desk.bot, ChangeSet.objects.get(kind="compaction"), By("Ana"))
    lines = [row.get_text(" ", strip=True) for row in desk.get().soup.select(".changed li")]
    assert lines[0].startswith("Undone: 30 facts moved, 30 logs removed Ana · ")
    assert lines[1].startswith("30 facts moved, 30 logs removed Ana · ")
    assert desk.get("history/").soup.select_one(".changes li a").get_text() == "Undone: 30 facts moved, 30 logs removed"


def test_days_are_said_as_the_readers_language_says_them(desk):
    desk.write(f"{day(3)}.md", "## 09:00 — Likes tea\n\n")
    refresh(desk.bot)
    when = datetime.now(UTC) - timedelta(days=3)
    assert f"{when:%A} {when.day} {when:%B}" in week(desk.get())[2]
    page = desk.client.get("/keno/", headers={"Accept-Language": "es"}).content.decode()
    assert re.search(rf"<h3>\w+ {when.day} de \w+</h3>", page)


@pytest.mark.parametrize("name", ["0001-01-01", "0001-01-04", "9999-12-31"])
def test_home_is_there_whatever_day_the_newest_log_is_of(desk, name):
    desk.write(f"{name}.md", "## 10:30 — Sold the boat\n\n")
    desk.indexed()
    assert desk.get("").status == 200


def test_a_bot_that_fell_silent_shows_its_last_week(desk):
    desk.write("2020-01-01.md", "## 09:00 — An old one\n\n")
    desk.write("2020-03-02.md", "## 09:00 — Likes tea\n\n")
    refresh(desk.bot)
    heading, span, days = week(desk.get())
    assert (heading, span) == ("Last learned", "25 Feb 2020 to 2 Mar 2020, 1 fact")
    assert days == {"2 March 2020": ["Likes tea"]}
    assert re.search(r"Nothing new for \d+ months\. Is this the right directory\?", desk.get().text)


def test_logs_that_the_bot_is_about_to_delete_come_first(desk):
    desk.write("procedural/patterns.json", "[]")
    desk.write(f"{day(40)}.md", "## 10:30 — Old\n\n## 10:31 — Older\n\n## 10:32 — Likes tea\n\n")
    desk.write(f"{day(20)}.md", "## 10:30 — Young\n\n## 10:32 — Likes tea\n\n")
    refresh(desk.bot)
    page = desk.get()
    assert needs(page)[0] == (
        "KenoBot will delete 1 log at its next clean-up about to be deleted · It holds 2 facts that are nowhere else "
        "· Keep a copy Compact"
    )
    assert page.soup.find("a", string="Keep a copy")["href"] == "/keno/export"
    desk.write(f"{day(41)}.md", "## 10:31 — Older\n\n")
    refresh(desk.bot)
    assert "They hold 2 facts that are nowhere else" in needs(desk.get())[0]
    pinning.mark(desk.bot, [key("Older"), key("Young")], By("Ana"), pinned=True)
    assert "nowhere else. 2 pinned facts are among them · Keep a copy Compact" in needs(desk.get())[0]


def test_sizes_of_long_term_memory_are_drawn_with_a_table_behind_them(desk):
    desk.get()
    assert desk.get().soup.select_one("svg.of-global") is None
    desk.save("- One\n" * 40)
    ChangeSet.objects.update(created=timezone.now() - timedelta(days=40))
    desk.save("- One\n" * 60)
    page = desk.get()
    rows = [row.get_text(" ", strip=True) for row in page.soup.select("[aria-labelledby=growth] tbody tr")]
    then = day_words((timezone.now() - timedelta(days=40)).date())
    assert rows == [f"{day_words(timezone.localdate())} 360 bytes", f"{then} 240 bytes"]
    assert page.soup.select_one("svg.of-global title").get_text().endswith("360 bytes now")


def test_sizes_of_a_first_day_are_drawn_step_by_step_by_the_bots_clock(desk):
    Bot.objects.filter(pk=desk.bot.pk).update(time_zone="Asia/Tokyo")
    desk.get()
    noon = timezone.now().astimezone(ZoneInfo("Asia/Tokyo")).replace(hour=12, minute=0)
    for number in (10, 20, 5):
        desk.save("- One\n" * number)
    for hour, one in enumerate(ChangeSet.objects.filter(revisions__path="MEMORY.md").order_by("pk")):
        one.created = noon - timedelta(hours=5 - hour)
        one.kind = ChangeSet.Kind.COMPACTION if hour == 3 else one.kind
        one.save()
    for page in ("", "numbers", "numbers?span=year"):
        chart = desk.get(page).soup.select_one("[aria-labelledby=growth]")
        rows = [row.get_text(" ", strip=True) for row in chart.select("tbody tr")]
        assert rows[:3] == ["10:00 30 bytes", "09:00 120 bytes", "08:00 60 bytes"]
        assert chart.select_one("thead").get_text(" ", strip=True) == "Time Size"
        assert chart.title.get_text().startswith(rows[-1][6:] + " at 07:00, 30 bytes now")
        assert len(chart.select("path.mark")) == 1
        assert "Growth is flat" not in chart.get_text()


def test_sizes_within_one_minute_tell_it_once(desk, monkeypatch):
    desk.save("- One\n" * 10)
    desk.save("- One\n" * 20)
    then = timezone.now().replace(second=0)
    ChangeSet.objects.update(created=then)
    monkeypatch.setattr(OpenBot, "now", lambda bot: (then + timedelta(seconds=30)).astimezone(bot.zone))
    named = [one.get_text() for one in desk.get().soup.select("[aria-labelledby=growth] svg > text")]
    assert sum(":" in one for one in named) == 1


def test_more_than_six_things_are_reviewed_on_their_own_page(desk):
    desk.write("notes.txt", "nothing to a bot")
    for reason in ("invalid signature", "too large", "too old"):
        moment = timezone.now()
        RefusedCalls.objects.create(address="192.0.2.1", minute=moment, status=401, reason=reason, count=1)
    desk.write(f"{day(40)}.md", "## 10:30 — Old\n\n")
    for number in range(3):
        desk.write(f"working/telegram-{number}.md", "old")
        os.utime(desk.root / f"working/telegram-{number}.md", (1, 1))
    desk.write("2026-02-30.md", "## 10:30 — Never\n\n")
    (desk.root / "2025-01-01.md").mkdir()
    page = desk.get()
    assert len(needs(page)) == 6
    link = page.soup.select_one("[aria-labelledby=needs] .more-rows a")
    rest = int(link.select_one(".on-wide").get_text().split()[0])
    assert int(page.soup.select_one("#needs .count").get_text()) == 6 + rest + 2, (
        "three working memories stand in one row"
    )
    assert int(link.select_one(".on-phone").get_text().split()[0]) == 3 + rest
    keys = [row["data-key"] for row in page.soup.select("[aria-labelledby=needs] li")]
    assert len(set(keys)) == len(keys)


def heads(page):
    """The heading of Home, and what can be done beside it."""
    return page.soup.h1.get_text(), [
        one.get_text(strip=True) for one in page.soup.select("#head .actions :is(a, button)")
    ]


def test_first_start_welcomes_until_there_is_a_file_or_another_bot(desk, tmp_path):
    (desk.root / "MEMORY.md").unlink()
    page = desk.get()
    assert heads(page) == ("Welcome to Kenoweb", [])
    assert "Read, edit and tidy what your bot remembers. Every change can be undone." in page.text
    other, _root = make_bot(tmp_path, "rosa")
    assert heads(desk.get()) == ("KenoBot", ["Add a fact", "Edit memory"])
    other.delete()
    desk.write("MEMORY.md", "- Likes tea\n")
    desk.indexed()
    assert heads(desk.get()) == ("KenoBot", ["Add a fact", "Edit memory"])
    (desk.root / "MEMORY.md").unlink()
    desk.post("step", vanished="yes")
    page = desk.get()
    assert "No memory found yet" in page.text
    assert heads(page)[0] == "KenoBot"


def test_first_start_welcomes_where_the_directory_is_not_there_yet(desk):
    desk.root.rename(desk.root.with_name("elsewhere"))
    page = desk.get()
    assert heads(page)[0] == "Welcome to Kenoweb"
    assert "That directory doesn’t exist." in page.text


def test_an_empty_memory_says_where_it_is_looked_for(desk, settings):
    (desk.root / "MEMORY.md").unlink()
    page = desk.get()
    assert "No memory found yet" in page.text
    assert "Talk to your bot and its first fact will show here" in page.text
    assert str(desk.root) not in page.response.content.decode()
    assert page.soup.select_one(".strip") is None
    desk.user.is_superuser = True
    desk.user.save()
    settings.KENOBOT_VARIABLES = ("KENOBOT_HOME",)
    desk.bot.from_environment = True
    desk.bot.save()
    page = desk.get()
    assert f"Looking in {desk.root} from KENOBOT_HOME" in page.text
    assert [one.get_text() for one in page.soup.select("main .filled")] == ["Check"]
    assert page.soup.find("a", string="Change the directory") is None
    assert "KENOBOT_HOME names this directory. Change it there and restart Kenoweb." in page.text
    settings.KENOBOT_VARIABLES, settings.KENOBOT_HOME, settings.MEMORY_DIR = (), desk.root.parent, desk.root
    page = desk.get()
    assert "Kenoweb looks here by default. To look elsewhere, set KENOBOT_HOME, DATA_DIR or MEMORY_DIR" in page.text
    assert "names this directory" not in page.text
    assert page.link("Change the directory") == "/bots/keno/directory"
    desk.bot.from_environment = False
    desk.bot.save()
    assert desk.get().link("Change the directory") == "/bots/keno/directory"
    desk.root.rmdir()
    desk.step()
    assert "That directory doesn’t exist." in desk.get().text


def test_the_first_import_is_one_change_as_in_the_history(desk):
    for number in range(3):
        desk.write(f"chats/telegram-1/2026-03-1{number}.md", "## 09:00 — Noted\n")
    desk.indexed()
    (row,) = lately(desk.get())
    assert row.get_text(" ", strip=True) == "First import 4 files · Kenoweb · just now"
    assert row.button is None
    (same,) = desk.get("history/").soup.select(".changes > li")
    assert row.a["href"] in str(same)
    assert "No changes yet" not in desk.get().text
    desk.save("- Likes tea\n")
    assert [words(one) for one in lately(desk.get())][1:] == ["First import"]


def test_a_first_import_of_very_many_files_costs_no_statement_more(desk, tmp_path):
    def statements(desk):
        desk.indexed()
        desk.get()
        with CaptureQueriesContext(connection) as seen:
            desk.get()
        return len(seen)

    before = statements(desk)
    many = Visitor(*make_bot(tmp_path, "many"), desk.user)
    many.write("MEMORY.md", desk.read())
    for number in range(60):
        many.write(f"identity/{number}.md", "- x\n")
    assert statements(many) == before
    assert "61 files" in many.get().text


def test_undos_of_many_files_cost_no_statement_more(desk):
    def statements():
        desk.indexed()
        desk.get()
        with CaptureQueriesContext(connection) as seen:
            page = desk.get()
        assert words(lately(page)[0]).startswith(("Undone: ", "Undone and redone: "))
        return len(seen)

    desk.indexed()
    files = [Put(f"identity/n{number}.md", b"- x\n", None) for number in range(40)]
    last = journal.commit(desk.bot, files, by=By("Ana"), kind=ChangeSet.Kind.EDIT).change_set
    asked = []
    for _ in range(4):
        last = journal.undo(desk.bot, last, By("Ana")).change_set
        asked.append(statements())
    assert asked == [asked[0]] * 4
