"""Chats: the list, one chat from all its sides, and the names that people give them."""

from __future__ import annotations

import json
import os
import time
from urllib.parse import quote

import pytest

from memory import index
from memory.bots import open_bot
from memory.checks import findings
from memory.domain.timeline import Stretch, Timeline
from memory.models import ChatName, Fact, Root
from tests.support.days import day
from tests.support.reading import counted

CHAT = "telegram--1001234567890"
TOKEN = "12345678:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-elrX"  # of a Telegram bot: a half of it looks like none
ODD = ['two\nlines & "quotes"', "<b>bold", "a?b#c%2F", "\N{PARTY POPPER} fête", "a\\b", "..md", " space "]


def age(path, days):
    then = time.time() - days * 86_400
    os.utime(path, (then, then))


def sessions(desk):
    directory = desk.root.parent / "sessions"
    directory.mkdir(exist_ok=True)
    Root.objects.get_or_create(bot=desk.bot, name="sessions", path=str(directory))
    return directory


def message(number, text="", role="user"):
    return json.dumps({"role": role, "content": text or f"Message {number}.", "timestamp": 1_770_508_800_000 + number})


def said(page):
    return [item.select_one(".fact").get_text() for item in page.soup.select(".talk li")]


@pytest.fixture
def chat(desk):
    """A group with two months of notes."""
    desk.write(f"chats/{CHAT}/{day(0)}.md", "## 09:00 — Plans a talk\n\n## 10:30 — Meets on Friday\n\n")
    desk.write(f"chats/{CHAT}/{day(40)}.md", "## 08:00 — Began long ago\n\n")
    desk.write(f"working/{CHAT}.md", "Slides for the talk")
    desk.indexed()
    return desk


def names(page):
    return [row.select_one(".called a").get_text() for row in page.soup.select(".chats tbody tr")]


# ---- the list ---------------------------------------------------------------------------------------------------------------


def test_weeks_are_drawn_from_a_chats_logs(chat):
    chat.write(f"chats/{CHAT}/{day(90)}.md", "## 08:00 — Older than twelve weeks\n\n")
    chat.write("chats/quiet/2020-01-01.md", "## 08:00 — Long ago\n\n")
    chat.write("chats/quiet/2020-13-45.md", "## 08:00 — On no day\n\n")
    chat.indexed()
    page = chat.get("chats/")
    rows = [[one.get_text() for one in row.select("th, td")] for row in page.soup.select("details table tr")]
    assert (len(rows), rows[0][0], len(rows[0]), rows[1][1:]) == (2, "Chat", 13, [*"000000100002"])
    drawings = page.soup.select(".weeks svg")
    assert [one.get_text().partition(": ")[2] for one in drawings] == ["0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2"]
    bars = drawings[0].path["d"].split("M")[1:]
    assert [bar.split("v-")[1].split("h")[0] for bar in bars] == ["1.5"] * 6 + ["10.0"] + ["1.5"] * 4 + ["20.0"]


def test_facts_a_week_are_a_chart_beside_a_chats_facts(chat):
    box = chat.get(f"chats/{CHAT}").soup.select_one("aside [aria-labelledby=weeks]")
    assert box.select_one(".bar.chat")
    assert box.h2.get_text() == "Facts a week"
    assert [row.select_one(".num").get_text() for row in box.select("tbody tr")] == ["2 facts", "1 fact"]
    chat.write(f"chats/telegram-1/{day(0)}.md", "## 09:00 — New\n\n")
    chat.indexed()
    assert chat.get("chats/telegram-1").soup.select_one("[aria-labelledby=weeks]") is None


def test_what_a_chats_prompt_costs_is_asked_for_apart(chat):
    page = chat.get("chats/")
    assert page.soup.select_one("[hx-trigger=load]")["href"] == "?tokens=1"
    priced = chat.get("chats/", tokens=1)
    assert not priced.soup.select("[hx-trigger=load]")
    told = priced.soup.select_one(".chats tbody .cost").get_text()
    assert f"{told} tokens" == chat.get("prompt/", chat=CHAT).soup.select_one("#sum").get_text()
    for one in (page, priced):
        heads = [head.get_text() for head in one.soup.select(".chats thead th")]
        assert heads == ["Chat", "Last activity", "Facts", "12 weeks", "Working memory", "Prompt tokens"]


def test_chats_are_listed_by_last_activity(desk):
    for number, days in ((1, 5), (2, 1), (3, 9)):
        desk.write(f"chats/telegram-{number}/{day(days)}.md", "## 09:00 — Something\n\n")
        age(desk.root / f"chats/telegram-{number}/{day(days)}.md", days)
    desk.indexed()
    assert names(desk.get("chats/")) == ["telegram-2", "telegram-1", "telegram-3"]


def test_a_row_says_what_there_is_of_a_chat(chat):
    row = chat.get("chats/").soup.select_one(".chats tbody tr")
    assert "Telegram group" in row.get_text()
    assert row.select_one("[data-label=Facts]").get_text() == "old logs 3"
    assert row.select_one(".chips").get_text(" ", strip=True) == "current"
    age(chat.root / f"working/{CHAT}.md", 8)
    chat.indexed()
    assert chat.get("chats/").soup.select_one(".chats .chips .chip").get_text() == "stale"


@pytest.mark.database
@pytest.mark.parametrize(
    ("only", "found"),
    [("", 3), ("fresh", 1), ("due", 1), ("stale", 1), ("active", 2), ("groups", 1), ("nonsense", 3)],
)
def test_chats_can_be_filtered(chat, only, found):
    chat.write(f"chats/telegram-1/{day(0)}.md", "## 09:00 — New\n\n")
    chat.write("working/telegram-2.md", "old")
    age(chat.root / "working/telegram-2.md", 12)
    chat.indexed()
    page = chat.get("chats/", only=only)
    assert len(names(page)) == found
    assert page.soup.select_one(".filters [aria-current] .count").get_text() == str(found)


def test_chats_are_summed_up_above_their_list(chat):
    chat.write("working/telegram-2.md", "old")
    age(chat.root / "working/telegram-2.md", 12)
    chat.indexed()
    page = chat.get("chats/")
    assert "2 chats, 3 facts. 1 was active this week." in page.text
    assert "no name yet" not in page.text  # telegram-2 says what it is
    chat.write("working/x.md", "new")
    chat.indexed()
    assert "no name yet" in chat.get("chats/").text


@pytest.mark.database
def test_chats_are_found_by_name_and_by_id(chat):
    chat.write(f"chats/telegram-5/{day(0)}.md", "## 09:00 — Other\n\n")
    chat.indexed()
    ChatName.objects.create(bot=chat.bot, scope="telegram-5", name="Grandmother")
    assert names(chat.get("chats/", q="grandM")) == ["Grandmother"]
    assert names(chat.get("chats/", q="100123")) == [CHAT]
    page = chat.get("chats/", q="nobody\0")
    assert (page.status, names(page)) == (200, [])
    assert "No matching chats" in page.text


def test_what_there_is_of_chats_is_no_number_to_decide(chat):
    assert chat.get().soup.select("#doors a[href$='/chats/']")
    assert not chat.get().soup.select("#doors a[href$='/chats/'] .count")


def test_a_filter_is_offered_from_twenty_chats_on_and_where_one_is_set(chat):
    def offered(**query):
        return chat.get("chats/", **query).soup.select_one("main input[type=search]") is not None

    for number in range(18):
        chat.write(f"working/http-{number}.md", "topic")
    chat.indexed()
    assert (offered(), offered(q="http-1")) == (False, True)
    chat.write("working/http-18.md", "topic")
    chat.indexed()
    assert offered()


def test_a_chat_without_facts_counts_and_filters_none(chat):
    chat.write("working/telegram-9.md", "topic")
    chat.indexed()
    page = chat.get("chats/telegram-9")
    assert "No facts yet" in page.text
    assert "0 facts" not in page.text
    assert "Filter facts" not in page.text


def test_many_chats_come_in_pages_at_the_same_price(chat, django_assert_max_num_queries):
    for number in range(60):
        chat.write(f"working/http-{number}.md", "topic")
    chat.indexed()
    assert len(names(chat.get("chats/"))) == 50
    assert len(names(chat.get("chats/", page=2))) == 11
    with django_assert_max_num_queries(20):
        chat.client.get("/keno/chats/")


def test_a_bot_without_chats_says_how_they_get_here(desk):
    assert "No chats yet" in desk.get("chats/").text


@pytest.mark.database(cases=2)
@pytest.mark.parametrize("scope", ODD)
def test_odd_names_neither_break_nor_leak(desk, scope):
    desk.write(f"chats/{scope}/{day(0)}.md", "## 09:00 — Something\n\n")
    desk.write(f"working/{scope}.md", "topic")
    desk.indexed()
    link = desk.get("chats/").soup.select_one(".chats .called a")
    assert link.get_text() == scope
    page = desk.get(link["href"].removeprefix("/keno/"))
    assert page.soup.h1.get_text() == scope
    assert "Something" in page.text
    for tab in page.soup.select(".chat-sides a"):
        assert desk.client.get(tab["href"]).status_code == 200, tab["href"]


# ---- one chat ---------------------------------------------------------------------------------------------------------------


@pytest.mark.database
def test_a_chat_shows_its_days_newest_first(chat):
    page = chat.get(f"chats/{CHAT}")
    entries = [row.select_one(".fact").get_text() for row in page.soup.select(".facts [data-row]")]
    assert entries == ["Plans a talk", "Meets on Friday", "Began long ago"]
    assert len(page.soup.select(".facts .heading")) == 2
    assert "3 facts" in page.text


def test_a_chat_shows_below_which_line_nothing_is_in_the_prompt(chat):
    chat.bot.settings = {"memory_days": 1}
    chat.bot.save()
    for ago in range(1, 9):
        chat.write(f"chats/{CHAT}/{day(ago)}.md", f"## 08:00 — Said {ago} days ago\n\n")
    chat.indexed()
    page = chat.get(f"chats/{CHAT}")
    [line] = page.soup.select(".facts .cut")
    assert line.get_text() == "no longer in the prompt below this line"
    below = " ".join(one.get_text() for one in line.find_all_next(class_="fact"))
    assert "Began long ago" in below
    assert "Plans a talk" not in below


def test_a_chat_is_as_its_files_are_now(chat):
    chat.append(f"chats/{CHAT}/{day(0)}.md", "## 11:00 — Just said\n\n")
    (chat.root / f"chats/{CHAT}/{day(40)}.md").unlink()
    page = chat.get(f"chats/{CHAT}")
    assert "Just said" in page.text
    assert "Began long ago" not in page.text


def test_notes_come_in_pages(chat):
    for ago in range(1, 31):
        chat.write(f"chats/{CHAT}/{day(ago)}.md", "## 09:00 — One\n\n## 10:00 — Two\n\n")
    chat.indexed()
    assert len(chat.get(f"chats/{CHAT}").soup.select(".facts [data-row]")) == 50
    last = chat.get(f"chats/{CHAT}", page=2)
    assert len(last.soup.select(".facts [data-row]")) == 13
    assert "Began long ago" in last.text


def test_a_log_that_cannot_be_read_is_said(chat):
    log = chat.root / f"chats/{CHAT}/{day(0)}.md"
    log.unlink()
    os.mkfifo(log)
    page = chat.get(f"chats/{CHAT}")
    assert f"{day(0)}.md can’t be read." in page.text
    assert "Plans a talk" in page.text  # as it was; unreadable is not gone
    assert "Began long ago" in page.text


@pytest.mark.database
@pytest.mark.parametrize("scope", ["nobody", "telegram-", "%00", "." * 300, "x" * 300])
def test_a_chat_without_documents_is_not_found(chat, scope):
    for side in ("", "/transcript", "/reads"):
        assert chat.client.get(f"/keno/chats/{scope}{side}").status_code == 404
    assert chat.client.post(f"/keno/chats/{scope}/name", {"name": "x"}).status_code == 404


def test_a_chat_that_just_began_is_found_before_any_walk(desk):
    desk.get()
    desk.write(f"chats/fresh-one/{day(0)}.md", "## 09:00 — Hello\n\n")
    assert "Hello" in desk.get("chats/fresh-one").text


def test_a_chat_whose_files_are_gone_is_gone(chat):
    chat.write("working/http-1.md", "topic")
    chat.indexed()
    (chat.root / "working/http-1.md").unlink()
    chat.get("documents/working/http-1.md")
    page = chat.get("chats/http-1")
    assert page.soup.h1.get_text() == "History"
    assert "working/http-1.md" in page.soup.select_one(".changes li").get_text()
    assert chat.get("chats/http").status == 404, "which never was one"


def test_a_chat_has_four_sides_and_the_rest_in_a_menu(chat):
    (sessions(chat) / f"{CHAT}.jsonl").write_text(message(1))
    chat.write(f"chats/{CHAT}/context.md", "A group of friends")
    chat.step()
    page = chat.get(f"chats/{CHAT}")
    assert page.link("Chats").endswith("/chats/")
    tabs = [tab.get_text(strip=True) for tab in page.soup.select(".chat-sides a")]
    assert tabs == ["Facts3", "Working memory", "Transcript", "Prompt"]
    menu = page.soup.select("main .head .menu a")
    assert [one.get_text(strip=True) for one in menu] == ["Long-term memory", "About this chat", "Compaction"]
    for one in menu:
        assert chat.client.get(one["href"]).status_code == 200


def test_each_side_of_a_chat_is_inside_the_chat(chat):
    ChatName.objects.create(bot=chat.bot, scope=CHAT, name="Family")
    (sessions(chat) / f"{CHAT}.jsonl").write_text(message(1))
    chat.step()
    for tab in chat.get(f"chats/{CHAT}").soup.select(".chat-sides a"):
        page = chat.get(tab["href"].removeprefix("/keno/"))
        assert [one["href"] for one in page.soup.select(".chat-sides [aria-current=page]")] == [tab["href"]]
        assert page.soup.h1.get_text() == "Family"
        assert page.soup.select_one("#doors [aria-current]").get_text(strip=True).startswith("Chats")
        assert page.link("Chats").endswith("/chats/")


def test_the_working_memory_of_a_chat_is_edited_inside_it(chat):
    page = chat.get(f"chats/{CHAT}/working")
    assert page.soup.textarea.get_text().strip() == (chat.root / f"working/{CHAT}.md").read_text().strip()
    assert chat.get("chats/nobody/working").status == 404


def test_what_a_chat_is_about_and_works_on_stands_beside_its_facts(chat):
    chat.write(f"chats/{CHAT}/context.md", "A group of **friends**")
    chat.write(f"chats/{CHAT}/MEMORY.md", "- Members: Ana\n" + "- And more\n" * 500)
    chat.indexed()
    aside = chat.get(f"chats/{CHAT}").soup.select_one("main aside")
    assert [one.get_text() for one in aside.select("h2")][:3] == [
        "About this chat",
        "Working memory",
        "Long-term memory",
    ]
    assert aside.select_one(".prose strong").get_text() == "friends"
    assert "Slides for the talk" in aside.get_text()
    assert len(aside.get_text()) < 4000
    (chat.root / f"working/{CHAT}.md").unlink()
    os.mkfifo(chat.root / f"working/{CHAT}.md")
    aside = chat.get(f"chats/{CHAT}").soup.select_one("main aside")
    assert "Working memory" not in [one.get_text() for one in aside.select("h2")]


def test_no_half_of_a_secret_ends_what_stands_beside_a_chats_facts(chat):
    chat.write(f"chats/{CHAT}/context.md", f"{'tea ' * 296}{TOKEN} {'tea ' * 90}")
    chat.indexed()
    aside = chat.get(f"chats/{CHAT}").soup.select_one("main aside")
    assert "tea tea" in aside.get_text()
    assert TOKEN[:12] not in str(aside)


def test_a_working_memory_that_no_walk_has_met_yet_stands_beside_the_facts(chat):
    chat.write(f"chats/telegram-7/{day(0)}.md", "## 09:00 — New\n\n")
    chat.indexed()
    chat.write("working/telegram-7.md", "Just begun")
    page = chat.get("chats/telegram-7")
    assert page.status == 200
    assert "Just begun" in page.soup.select_one("main aside").get_text()


def test_documents_of_a_chat_wear_its_head(chat):
    ChatName.objects.create(bot=chat.bot, scope=CHAT, name="Family")
    tabs = {
        f"chats/{CHAT}/MEMORY.md": "Facts",
        f"chats/{CHAT}/context.md": "Facts",
        f"chats/{CHAT}/{day(0)}.md": "Facts",
        f"working/{CHAT}.md": "Working memory",
    }
    for path, tab in tabs.items():
        for view in ("documents", "history"):
            page = chat.get(f"{view}/{path}")
            assert page.soup.h1.get_text() == "Family"
            assert page.soup.select_one(".chat-sides [aria-current]").get_text(strip=True).startswith(tab)
    assert chat.get("memory").soup.select(".chat-sides") == []


def test_long_term_memory_of_a_chat_is_written_where_there_was_none(chat):
    path = f"chats/{CHAT}/MEMORY.md"
    chat.save("- Members: Ana\n", base="", path=path)
    assert chat.read(path) == "- Members: Ana\n"


def test_what_a_chat_is_about_is_offered_where_the_bot_has_it(chat):
    assert "About this chat" not in chat.get(f"chats/{CHAT}").text
    chat.write(f"chats/{CHAT}/context.md", "A group of friends")
    chat.indexed()
    page = chat.get(f"chats/{CHAT}")
    assert "A group of friends" in chat.get(page.link("About this chat").removeprefix("/keno/")).field


def test_compaction_of_a_chats_logs_wears_its_head(chat):
    link = chat.get(f"chats/{CHAT}").soup.select_one(".head.chat .menu a:last-child")["href"]
    page = chat._page(chat.client.get(link))
    assert "Began long ago" in page.text
    assert page.soup.select_one(".head.chat [aria-current]").get_text(strip=True) == "Compaction"


# ---- names ------------------------------------------------------------------------------------------------------------------


def files(desk):
    return {path: path.read_bytes() for path in desk.root.parent.rglob("*") if path.is_file()}


def test_a_name_is_kept_here_and_nowhere_in_the_bots_files(chat):
    before = files(chat)
    page = chat.post(f"chats/{CHAT}/name", name="  Family \n and <friends> ", next=f"/keno/chats/{CHAT}/transcript")
    assert page.response.redirect_chain == [(f"/keno/chats/{CHAT}/transcript", 302)]
    assert page.soup.h1.get_text() == "Family and <friends>"
    assert CHAT in page.text
    assert names(chat.get("chats/")) == ["Family and <friends>"]
    assert files(chat) == before


def test_an_empty_name_goes_back_to_the_session_id(chat):
    chat.post(f"chats/{CHAT}/name", name="Family")
    assert chat.post(f"chats/{CHAT}/name", name=" ").soup.h1.get_text() == CHAT
    assert not ChatName.objects.exists()


@pytest.mark.database
def test_a_name_that_somebody_else_gave_meanwhile_stands(chat):
    chat.post(f"chats/{CHAT}/name", name="Family", was="")
    page = chat.post(f"chats/{CHAT}/name", name="Clan", was="")
    assert page.soup.h1.get_text() == "Family"
    assert "Someone just renamed this chat to Family. “Clan” was not saved." in page.text
    assert page.soup.select_one("input[name=was]")["value"] == "Family"
    assert chat.post(f"chats/{CHAT}/name", name="Clan", was="Family").soup.h1.get_text() == "Clan"


def test_a_name_that_is_too_long_changes_nothing(chat):
    chat.post(f"chats/{CHAT}/name", name="Family")
    page = chat.post(f"chats/{CHAT}/name", name="x" * 81)
    assert "Names can have up to 80 characters. The name was not changed." in page.text
    assert page.soup.h1.get_text() == "Family"


@pytest.mark.parametrize(
    ("scope", "hint"),
    [
        ("telegram-48213377", "Telegram"),
        ("telegram--100", "Telegram group"),
        ("http-http-workshop", "Webhook"),
        ("http-3f2a1b9c-0000-4000-8000-000000000000", "Webhook, one delivery"),
        ("somebody-1", "no name yet"),
        ("telegram", "no name yet"),
    ],
)
def test_a_session_id_is_read_as_words_where_it_says_something(desk, scope, hint):
    desk.write(f"working/{scope}.md", "topic")
    desk.indexed()
    aside = desk.get("chats/").soup.select_one(".chats .called .soft")
    assert (aside.get_text() if aside else "") == hint


# ---- the transcript ---------------------------------------------------------------------------------------------------------


def test_a_transcript_is_turned_page_by_page_without_loss(chat):
    lines = [message(number) for number in range(250)]
    (sessions(chat) / f"{CHAT}.jsonl").write_text("\n".join(lines) + "\n")
    chat.indexed()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert said(page) == [f"Message {number}." for number in range(150, 250)]
    seen = said(page)
    while earlier := page.soup.select_one("nav.pages a[rel=prev]"):
        page = chat.get(
            earlier["href"].removeprefix("/keno/").partition("?")[0], before=earlier["href"].partition("=")[2]
        )
        seen = said(page) + seen
    assert seen == [f"Message {number}." for number in range(250)]
    seen = said(page)
    while later := page.soup.select_one("nav.pages a[rel=next]"):
        page = chat.get(f"chats/{CHAT}/transcript", after=later["href"].partition("=")[2])
        seen += said(page)
    assert seen == [f"Message {number}." for number in range(250)]


def test_a_long_transcript_opens_from_its_end(chat):
    line = message(1, "x" * 900)
    with (sessions(chat) / f"{CHAT}.jsonl").open("w") as file:
        for _ in range(60):
            file.write(f"{line}\n" * 1024)
        file.write(message(2, "The last word.") + "\n")
    chat.indexed()
    page, read = counted(lambda: chat.get(f"chats/{CHAT}/transcript"))
    assert read < 10 << 20
    assert said(page)[-1] == "The last word."
    assert len(page.response.content) < 200_000


def test_long_lines_are_cut_and_counted(chat):
    (sessions(chat) / f"{CHAT}.jsonl").write_text("\n".join(message(n, "y" * 30_000) for n in range(40)))
    chat.indexed()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert "22,000 more characters are not shown." in page.text
    assert len(page.response.content) < 200_000
    assert 1 <= len(said(page)) < 40


def test_no_half_of_a_secret_ends_what_is_shown_of_a_message(chat):
    (sessions(chat) / f"{CHAT}.jsonl").write_text(message(1, f"{'tea ' * 1996}{TOKEN} {'tea ' * 90}"))
    chat.indexed()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert "more characters are not shown." in page.text
    assert TOKEN[:12] not in page.response.content.decode()


def test_a_line_without_an_end_is_shown_in_pieces(chat):
    (sessions(chat) / f"{CHAT}.jsonl").write_text("z" * 3_000_000)
    chat.indexed()
    page, turned = chat.get(f"chats/{CHAT}/transcript"), 1
    while earlier := page.soup.select_one("nav.pages a[rel=prev]"):
        page = chat.get(f"chats/{CHAT}/transcript", before=earlier["href"].partition("=")[2])
        turned += 1
    assert turned == 3
    assert "not recognised" in page.text


def test_lines_that_are_no_messages_are_shown_as_they_are(chat):
    odd = ["torn {", '{"role": 1, "content": "x"}', "[" * 5000, '{"content": "no role"}', "", "\udcff"]
    lines = [message(1, "<b>hello</b>"), *odd]
    text = "\n".join(lines).encode("utf-8", "surrogateescape")
    (sessions(chat) / f"{CHAT}.jsonl").write_bytes(text)
    chat.indexed()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert said(page)[0] == "<b>hello</b>"
    assert len(said(page)) == 6
    assert len(page.soup.select(".talk .chip.warn")) == 5


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("place", ["0", "7", "99999999", "-1", "x", "9" * 40])
def test_a_place_that_is_none_leads_to_a_page(chat, side, place):
    (sessions(chat) / f"{CHAT}.jsonl").write_text(f"{message(1)}\n{message(2)}\n")
    chat.indexed()
    assert chat.get(f"chats/{CHAT}/transcript", **{side: place}).status == 200


def test_where_messages_are_is_said_only_where_the_family_knows(chat, monkeypatch):
    lines = [message(number) + "\n" for number in range(3)]
    (sessions(chat) / f"{CHAT}.jsonl").write_text("".join(lines))
    chat.indexed()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert page.soup.select(".placed, .talk .chip") == []
    left = Stretch("put <away>", 7, "warn", lines=(message(9, "Long ago.").encode(),))
    inside = Stretch("read", 2, "good", len(lines[0]), len("".join(lines)))
    known = Timeline((left, inside), ("Soon & more.",))
    monkeypatch.setattr(type(open_bot(chat.bot).family), "timeline", lambda self, bot, scope: known)
    page = chat.get(f"chats/{CHAT}/transcript")
    assert [chip.get_text() for chip in page.soup.select(".placed .chip")] == ["7 put <away>", "2 read"]
    assert [len(row.select(".chip")) for row in page.soup.select(".talk:not(details *) li")] == [0, 1, 1]
    aside = page.soup.select_one("details.left")
    assert aside.has_attr("open")
    assert [text in aside.get_text() for text in ("7 messages", "6 older messages", "Long ago.")] == [True] * 3
    assert "Soon & more." in page.text


def test_a_transcript_that_cannot_be_read_is_said(chat):
    file = sessions(chat) / f"{CHAT}.jsonl"
    file.write_text(message(1))
    chat.indexed()
    file.unlink()
    file.mkdir()
    page = chat.get(f"chats/{CHAT}/transcript")
    assert "The transcript can’t be read." in page.text
    assert str(file) not in page.text


def test_an_empty_transcript_and_none_are_told_apart(chat):
    assert "No transcript" in chat.get(f"chats/{CHAT}/transcript").text
    (sessions(chat) / f"{CHAT}.jsonl").write_text("")
    assert "No messages yet" in chat.get(f"chats/{CHAT}/transcript").text


def test_sides_of_a_chat_cost_the_same_however_much_there_is(chat, django_assert_max_num_queries):
    for ago in range(1, 45):
        chat.write(f"chats/{CHAT}/{day(ago)}.md", "## 09:00 — One\n\n" * 3)
        chat.write(f"{day(ago)}.md", "## 09:00 — One\n\n" * 3)
    chat.indexed()
    for side in ("", "/reads", "/transcript"):
        chat.client.get(f"/keno/chats/{quote(CHAT)}{side}")
        with django_assert_max_num_queries(32):
            chat.client.get(f"/keno/chats/{quote(CHAT)}{side}")


def test_a_fact_that_contradicts_another_names_the_file_of_that(chat):
    chat.write(f"chats/{CHAT}/{day(1)}.md", "## 10:00 — Chuy: birthday is June 10\n\n## 11:00 — Likes tea\n\n")
    chat.write(f"chats/{CHAT}/{day(0)}.md", "## 10:00 — Chuy: birthday is June 11\n\n")
    index.refresh(chat.bot, accept_vanished=True)
    findings.look(chat.bot)
    rows = [one.get_text(" ", strip=True) for one in chat.get(f"chats/{CHAT}").soup.select(".facts .said")]
    told = {row.partition(" contradicts ")[0]: row.partition(" contradicts ")[2] for row in rows}
    assert told["Chuy: birthday is June 11"] == f"{day(1)}.md"
    assert told["Chuy: birthday is June 10"] == f"{day(0)}.md"
    assert told["Likes tea"] == ""


def test_an_address_opens_a_fact_of_a_chat_on_its_page(chat):
    many = "".join(f"## 10:{n % 60:02} — Note {n}\n\n- more of {n}\n- **and** more\n\n" for n in range(120))
    chat.write(f"chats/{CHAT}/{day(3)}.md", many)
    chat.indexed()
    fact = Fact.objects.get(bot=chat.bot, text__contains="more of 77\n")
    row = f"{fact.document_id}-{fact.key[:16]}-{fact.nth}"
    page = chat.get(f"chats/{CHAT}", at=row)
    (opened,) = page.soup.select(".facts > li:has(.fold[open])")
    assert opened["id"] == f"f-{row}"
    assert [item.get_text() for item in opened.select(".prose li")] == ["more of 77", "and more"]
    assert chat.get(f"chats/{CHAT}", at=row, page="1").soup.find(id=f"f-{row}") is None
