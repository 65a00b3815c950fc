"""The search as a page: what it finds, what it says of it, how it is narrowed, and that anything may be typed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib import import_module
from urllib.parse import parse_qsl

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index, search
from memory.bots.opened import OpenBot
from memory.models import ChatName, Document, Fact
from memory.web.base.dates import day as day_words
from tests.web.conftest import make_bot

pytestmark = pytest.mark.database
FAMILY = "telegram--100"
ODD = (
    *('"', "-", "*", "NEAR(a b)", "day:", "tier:x", "'; DROP TABLE x; --", "%", "\\", "<b>", "a:b:c", "in:", 'chat:"'),
    *("\x00", "x" * 5000, "👩‍🚀", "ﷺ", "-:-", "kind:nothing", "after:yesterday before:2026", "chat:%", "\ud800"),
)


@pytest.fixture
def full(desk):
    desk.write("MEMORY.md", "# Memory\n\n## Boat\n- Needs blue paint\n- Lies in <Hamburg>\n\n## Food\n- Likes tea\n")
    desk.write(
        "2026-03-14.md", "## 10:30 — Sold the red boat\n\n## 11:00 — 我们去北京吃烤鸭\n\n## 12:00 — Müller kommt 🎉\n\n"
    )
    desk.write(f"chats/{FAMILY}/2026-03-15.md", "## 09:00 — Ana: the boat trip is in May\n\n")
    desk.write("working/telegram-7.md", "- Topic: boats")
    ChatName.objects.create(bot=desk.bot, scope=FAMILY, name="Family")
    desk.indexed()
    return desk


def hits(page):
    return [row.select_one(".fact").get_text() for row in page.soup.select(".hits > li")]


def told(page):
    return page.soup.select_one("#live")["data-said"]


def test_words_are_found_and_marked(full):
    page = full.get("search/", q="red boat")
    assert hits(page)[0] == "Sold the red boat"
    first = page.soup.select_one(".hits > li")
    assert [mark.get_text() for mark in first.select("mark")] == ["red", "boat"]
    assert first.select_one("a.place")["href"] == "/keno/documents/2026-03-14.md?line=1"
    assert "matches “red”, “boat”" in first.get_text()
    assert "score" not in first.select_one("summary").get_text()
    assert re.search(r"score\s*[\d.]+", first.select_one(".why dl").get_text())
    assert told(page) == f"{len(hits(page)) - 1} results, and 1 fact near them"


@pytest.mark.parametrize(
    ("query", "text"), [("北京", "我们去北京吃烤鸭"), ("muller", "Müller kommt 🎉"), ("🎉", "Müller kommt 🎉")]
)
def test_any_script_is_found(full, query, text):
    page = full.get("search/", q=query)
    assert hits(page)[0] == text
    assert page.soup.select_one(".hits mark")


def test_a_hit_leads_to_its_line_and_to_its_row(full):
    row = full.get("search/", q="blue paint").soup.select_one(".hits > li")
    assert row.select_one("a.place")["href"] == "/keno/documents/MEMORY.md?line=4"
    among = row.select_one(".why a")["href"].removeprefix("/keno/")
    page = full.get(among.partition("?")[0], line="4")
    assert page.response.redirect_chain[-1][0].endswith(page.soup.select_one(".facts > li")["id"])
    assert page.soup.select_one(".facts > li .fact").get_text() == "Needs blue paint"


def test_why_names_what_stands_around(full):
    rows = {row.select_one(".fact").get_text(): row for row in full.get("search/", q="boat").soup.select(".hits > li")}
    assert "under “boat”" in rows["Needs blue paint"].get_text()
    assert "matches “boat”" in rows["Ana: the boat trip is in May"].get_text()
    parts = [part.get_text() for part in rows["Sold the red boat"].select(".why dt")]
    assert parts[0] == "own words"


def test_chat_of_a_hit_goes_by_its_name(full, monkeypatch):
    monkeypatch.setattr(OpenBot, "now", lambda _self: datetime(2026, 3, 16, 12, tzinfo=UTC))
    row = next(row for row in full.get("search/", q="trip").soup.select(".hits > li"))
    assert "09:00" in row.get_text()
    above = row.find_parent("section").header
    assert above.select_one(".tier.chat").get_text() == f"chats/{FAMILY}/2026-03-15.md"
    assert "Family · yesterday" in above.get_text()


def test_hits_of_chats_that_are_called_alike_are_told_apart(full):
    full.write("chats/telegram--200/2026-03-15.md", "## 09:00 — Leo: a boat of tin\n\n")
    ChatName.objects.create(bot=full.bot, scope="telegram--200", name="Family")
    full.indexed()
    page = full.get("search/", q="boat")
    above = [" ".join(one.get_text().split()) for one in page.soup.select("section.flush header .small")]
    assert {f"Family ({number}) · {day_words('2026-03-15')}" for number in (100, 200)} <= set(above)
    assert {"Family (100) 1", "Family (200) 1"} <= chips(page).keys()


def chips(page):
    return {" ".join(link.get_text().split()): link["href"] for link in page.soup.select(".filters a")}


def test_each_filter_leaves_as_many_results_as_it_says_and_none_leaves_all_or_nothing(full):
    page = full.get("search/", q="boat")
    counted = {words: url for words, url in chips(page).items() if words[-1].isdigit()}
    assert len(counted) > 2
    for words, url in counted.items():
        heading = full.get("search/" + url).soup.h1.get_text()
        assert heading.startswith(f"{words.split()[-1]} result"), (words, heading)
        assert page.soup.h1.get_text().split()[0] != words.split()[-1]
    assert not {words.rpartition(" ")[0] for words in chips(page)} & {"Today", "Last 30 days"}


def boats(count):
    return "".join(f"## 10:{at % 60:02} — Boat number {at}\n\n" for at in range(count))


def test_filters_of_more_results_than_are_ranked_say_how_many_they_leave(desk):
    desk.write("2026-03-14.md", boats(230))
    desk.write(f"chats/{FAMILY}/2026-03-15.md", boats(30))
    desk.indexed()
    page = desk.get("search/", q="boat")
    assert page.soup.h1.get_text() == "260 results, the best 200 shown"
    offered = chips(page)
    assert {"Shared 230", "Chats 30"} <= offered.keys()
    assert desk.get("search/" + offered["Shared 230"]).soup.h1.get_text() == "230 results, the best 200 shown"
    assert not [words for words in offered if words.startswith(("Today", "Working", "Daily logs"))]
    narrowed = desk.get("search/" + offered["Chats 30"])
    assert narrowed.soup.h1.get_text().startswith("30 results")
    assert not [words for words in chips(narrowed) if words[-1].isdigit()]


def test_filters_of_very_many_results_are_counted_among_the_newest(desk, monkeypatch):
    monkeypatch.setattr(import_module("memory.search.spots"), "COUNTED", 250)
    desk.write("2026-03-14.md", boats(230))
    desk.write(f"chats/{FAMILY}/2026-03-15.md", boats(30))
    desk.indexed()
    page = desk.get("search/", q="boat")
    assert {"Chats 30+", "Shared 220+", "Daily logs 250+"} <= chips(page).keys()
    assert page.soup.h1.get_text() == "250 or more results, the best 200 shown"
    assert "March 2026: 250 or more results" in page.text


def test_filters_of_letters_inside_of_words_are_not_counted_beyond_what_is_ranked(desk):
    desk.write("2026-03-14.md", boats(260).replace("Boat", "Sailboats"))
    desk.indexed()
    assert {"Shared", "Daily logs", "Today"} <= chips(desk.get("search/", q="ailboa")).keys()


def test_filters_are_words_that_a_click_adds_and_takes_out(full):
    assert chips(full.get("search/", q="boat"))["Chats 1"] == "?q=boat+tier%3Achat"
    narrowed = full.get("search/", q="boat tier:chat")
    assert hits(narrowed) == ["Ana: the boat trip is in May"]
    chip = narrowed.soup.select_one(".filters a.on")
    assert chip.get_text().startswith("tier:chat")
    assert chip["href"] == "?q=boat"


def test_chats_that_were_found_are_offered(full):
    assert chips(full.get("search/", q="boat"))["Family 1"] == "?q=boat+chat%3Atelegram--100"
    assert hits(full.get("search/", q=f"boat chat:{FAMILY}")) == ["Ana: the boat trip is in May"]


def test_chat_that_is_half_typed_is_suggested(full):
    page = full.get("search/", q="boat chat:fam")
    assert chips(page)["Family"] == "?q=boat+chat%3Atelegram--100"


def test_places_of_that_name_stand_above(full):
    page = full.get("search/", q="family")
    assert [link.get_text() for link in page.soup.select(".places-found a")] == ["Family"]
    assert full.get("search/", q="2026-03-14").soup.select_one(".places-found a")["href"] == "/keno/days/2026-03-14"


def test_word_that_no_fact_has_is_named(full):
    page = full.get("search/", q="boat zzzq")
    assert "No results for “zzzq”" in page.text
    assert hits(page)


def test_nothing_found_says_how_fresh_the_index_is(full):
    page = full.get("search/", q="zzzq")
    assert told(page) == "No results"
    assert "No results for “zzzq”" in page.text
    assert re.search(r"Searched 4 files, updated just now \.", page.text)
    Document.objects.filter(path="MEMORY.md").update(error="It is a directory.")
    assert "1 file can’t be read, so results may be out of date." in full.get("search/", q="zzzq").text


def test_trouble_with_the_files_is_said_where_nothing_is_found(full):
    full.root.rename(full.root.with_name("elsewhere"))
    full.indexed()
    full.bot.refresh_from_db()
    page = full.get("search/", q="zzzq")
    assert full.bot.trouble
    assert full.bot.trouble in page.text
    assert "Searched" not in page.text


def test_filters_without_a_word_ask_for_one(full):
    page = full.get("search/", q="tier:chat")
    assert "Add a word to search for" in page.text
    assert page.soup.select_one(".filters a.on")


def test_what_a_filter_cannot_be_is_said(full):
    assert "tier: use one of these: global, chat, working." in full.get("search/", q="boat tier:x").text
    assert "No chat is named nobody." in full.get("search/", q="boat chat:nobody").text


@pytest.mark.parametrize("query", ODD)
def test_anything_may_be_typed(full, query):
    for path in ("search/", "search/near"):
        response = full.client.get(f"/keno/{path}", {"q": query.encode("utf-8", "surrogatepass")})
        assert response.status_code == 200
    assert full.get("search/", q=query.encode("utf-8", "surrogatepass")).soup.find(id="goto")


def test_texts_and_names_are_escaped(full):
    ChatName.objects.filter(scope=FAMILY).update(name="<i>Fam</i>")
    page = full.get("search/", q="Hamburg boat <script>")
    assert "Lies in <Hamburg>" in hits(page)
    assert not page.soup.select("hamburg, main i, main script")
    assert page.soup.find(id="goto")["value"] == "Hamburg boat <script>"


def typed(desk, query):
    """The part that the box asks for by itself."""
    return desk._page(
        desk.client.get("/keno/search/", {"q": query}, headers={"HX-Request": "true", "HX-Trigger": "goto"})
    )


def test_while_typing_a_word_may_be_unfinished(full):
    part = typed(full, "Hambu")
    assert part.soup.html is None
    assert hits(part) == ["Lies in <Hamburg>", *hits(part)[1:]]
    assert part.response["HX-Replace-Url"] == "/keno/search/?q=Hambu"
    assert typed(full, " ").response["HX-Replace-Url"] == "/keno/search/"


def test_what_is_done_to_a_hit_leads_back_to_what_was_typed(full):
    header = {"HX-Request": "true", "HX-Trigger": "goto", "HX-Current-URL": "http://testserver/keno/search/?q=Ham"}
    part = full._page(full.client.get("/keno/search/", {"q": "Hamburg"}, headers=header))
    assert part.soup.find("input", {"name": "next"})["value"] == "/keno/search/?q=Hamburg"


def test_hit_is_edited_and_forgotten_where_it_stands(full):
    row = full.get("search/", q="blue paint").soup.select_one(".hits > li")
    name = row.select_one(".select")["value"]
    page = full.post("entry/edit", one=name, text="Needs green paint", next="/keno/search/?q=paint")
    assert hits(page)[0] == "Needs green paint"
    assert "- Needs green paint\n" in full.read()
    name = page.soup.select_one(".hits .select")["value"]
    done = full.post("entry/forget", one=name, next="/keno/search/?q=paint")
    assert done.soup.select_one(".toast p").get_text() == "Forgotten"
    assert "paint" not in full.read()


def test_where_one_bot_has_nothing_all_bots_are_searched(full, tmp_path):
    assert "search all bots" not in full.get("search/", q="quince tart").text
    bot, root = make_bot(tmp_path, "atlas")
    (root / "MEMORY.md").write_text("- Bakes a quince tart\n")
    index.refresh(bot)
    page = full.get("search/", q="quince tart")
    assert "Try fewer words, or search all bots" in page.text
    everywhere = full._page(full.client.get(page.link("search all bots")))
    assert [row.get_text(" ", strip=True) for row in everywhere.soup.select(".rows li")] == [
        "KenoBot 1 result",
        "KenoBot No results",
    ]
    assert everywhere.soup.select_one(".rows a")["href"] == "/atlas/search/?q=quince+tart"


@pytest.mark.parametrize("query", ['"', "-x", "tier:global", "\x00 &"])
def test_search_without_a_word_asks_for_one_and_finds_not_nothing(full, query):
    page = full._page(full.client.get("/bots/search", {"q": query}))
    assert "Add a word to search for" in page.text
    assert "No results" not in page.text
    assert "Add a word" not in full._page(full.client.get("/bots/search")).text


def test_the_order_is_chosen_by_a_chip(full):
    newest = full.get("search/", q="boat").soup.find("a", string="Newest first")
    best = full.get("search/" + newest["href"]).soup.find("a", string="Best match")
    assert best["href"] == "?q=boat"


def edited_at(full, page, at, text):
    """The page after its hit at this place was edited there."""
    link = page.soup.select(".hits > li")[at].select_one("[data-edit]")["href"]
    field = full.get(link.removeprefix("/keno/").partition("?")[0], **dict(parse_qsl(link.partition("?")[2])))
    name, there = field.soup.select_one("[data-save]")["value"], field.soup.select_one("main input[name=next]")["value"]
    return full.post("entry/edit", one=name, text=text, next=there)


def test_edited_hit_stays_where_it_is_with_its_new_text(full):
    full.write(
        "2026-03-16.md", "## 10:00 — A boat, a boat\n\n## 14:00 — The boat is gone\n\n## 18:00 — No boat here\n\n"
    )
    full.indexed()
    before = full.get("search/", q="boat gone")
    at = hits(before).index("The boat is gone")
    after = edited_at(full, before, at, "Nothing like it")
    assert hits(after)[at] == "Nothing like it"
    assert "Edited; it no longer matches" in after.soup.select(".hits > li")[at].get_text()
    assert sorted(hits(after)) == sorted(
        "Nothing like it" if one == "The boat is gone" else one for one in hits(before)
    )


def test_hits_that_were_edited_one_after_another_stay_in_the_first_group(full):
    full.write("2026-03-16.md", "## 10:00 — Quince\n\n## 10:05 — Quince jelly, quince tart\n\n")
    full.write("2026-03-17.md", "## 10:00 — Bought a quince\n\n")
    full.indexed()
    page = full.get("search/", q="quince")
    assert {name.get_text() for name in page.soup.select(".entries h2")} == {"2026-03-16.md", "2026-03-17.md"}
    assert page.soup.select_one(".entries h2").get_text() == "2026-03-16.md"
    page = edited_at(full, page, 0, "Nothing like it")
    assert hits(page)[0] == "Nothing like it"
    page = edited_at(full, page, 1, "Nor like this")
    assert hits(page) == ["Nothing like it", "Nor like this", "Bought a quince"]
    page = edited_at(full, page, 0, "Edited once more")
    assert hits(page) == ["Edited once more", "Nor like this", "Bought a quince"]


def test_only_the_hit_that_was_edited_is_said_to_be_however_its_lines_shift(full):
    edited = edited_at(full, full.get("search/", q="blue paint"), 0, "Nothing like it")
    assert hits(edited)[0] == "Nothing like it"
    full.write("MEMORY.md", "- Not this\n" * 3 + full.read())
    full.indexed()
    again = full._page(full.client.get(edited.response.redirect_chain[-1][0]))
    assert hits(again)[0] == "Nothing like it"
    full.write("MEMORY.md", full.read().replace("- Nothing like it\n", ""))
    full.indexed()
    again = full._page(full.client.get(edited.response.redirect_chain[-1][0]))
    assert "Edited; it no longer matches" not in again.text


def test_edited_hit_that_still_matches_is_there_once(full):
    key = Fact.objects.get(text="Needs blue paint").key
    page = full.get("search/", q="boat", stays=f"0.0:MEMORY.md:{key}")
    assert hits(page)[0] == "Needs blue paint"
    assert len(hits(page)) == len(set(hits(page)))


@pytest.mark.parametrize(
    "stays", ["", "x", "0:MEMORY.md:5", "0.0:nowhere.md:3", "999.0:MEMORY.md:99", "1.0:../../etc/passwd:1"]
)
def test_what_names_no_fact_stays_nowhere(full, stays):
    assert hits(full.get("search/", q="boat", stays=stays)) == hits(full.get("search/", q="boat"))


def test_hits_of_one_document_stand_together(full):
    page = full.get("search/", q="boat")
    names = [group.h2.get_text() for group in page.soup.select(".entries section")]
    assert sorted(names) == sorted(set(names))
    for group in page.soup.select(".entries section"):
        links = {link["href"].partition("?")[0] for link in group.select("a.place")}
        assert links == {f"/keno/documents/{group.h2.get_text()}"}


def test_other_forms_of_a_word_are_found_and_named(full):
    full.write("2026-04-01.md", "## 10:00 — Rodas delivers on Wednesdays\n\n")
    full.indexed()
    page = full.get("search/", q="deliveries")
    assert hits(page) == ["Rodas delivers on Wednesdays"]
    assert page.soup.mark.get_text() == "delivers"
    assert "1 result for “deliveries”" in page.text
    assert "Also matches delivers" in page.text


@pytest.fixture
def months(full):
    for day in ("2025-12-31", "2026-01-01", "2026-01-31", "2026-04-02"):
        full.write(f"{day}.md", f"## 10:00 — A boat on {day}\n\n")
    full.indexed()
    return full


def bars(page):
    cells = [[cell.get_text() for cell in row.select("td")] for row in page.soup.select(".months tbody tr")]
    return {month: int(words.split()[0]) for month, words in cells}


ALL = {"April 2026": 1, "March 2026": 2, "January 2026": 2, "December 2025": 1}


def chosen(page):
    return [one["href"] for one in page.soup.select(".months svg a") if one.select(".chosen")]


def test_months_stand_above_as_bars_that_lead_to_them(months):
    page = months.get("search/", q="boat")
    assert bars(page) == ALL
    assert len(page.soup.select(".months svg .bar")) == 12
    assert [link["href"] for link in page.soup.select(".months svg a")] == [
        f"?q=boat+day%3A{month}" for month in ("2025-12", "2026-01", "2026-03", "2026-04")
    ]
    assert len(chosen(page)) == 4
    assert "results, most in January 2026 (2 results)" in page.soup.select_one(".months desc").get_text()


def test_bars_and_filters_say_what_stands_above_the_results_that_they_lead_to(desk):
    for month, count in (("2026-02", 230), ("2026-03", 60), ("2026-04", 40)):
        told_of = "".join(f"## 10:{at % 60:02} — A boat {at}\n\n" + "## 10:30 — Rain\n\n" * 3 for at in range(count))
        desk.write(f"{month}-01.md", told_of)
    desk.write(f"chats/{FAMILY}/2026-04-02.md", boats(150))
    desk.indexed()
    page = desk.get("search/", q="boat")
    assert bars(page) == {"April 2026": 190, "March 2026": 60, "February 2026": 230}
    assert page.soup.h1.get_text().startswith("480 results, the best ")
    assert {"Shared 330", "Chats 150"} <= chips(page).keys()
    said = {"day:2026-02": 230, "day:2026-03": 60, "day:2026-04": 190, "tier:global": 330, "tier:chat": 150}
    for words, number in said.items():
        then = desk.get("search/", q=f"boat {words}")
        assert then.soup.h1.get_text().startswith(f"{number} results"), words
        assert bars(then) == bars(page) or words.startswith("tier")


def test_every_result_is_listed_however_many_stand_near_them(desk):
    rain = "## 10:30 — Rain\n\n" * 3
    desk.write("2026-03-14.md", "".join(f"## 10:{at % 60:02} — A boat {at}\n\n{rain}" for at in range(190)))
    desk.indexed()
    page = desk.get("search/", q="boat")
    assert page.soup.h1.get_text() == "190 results for “boat”, and 10 facts near them"
    listed = [text for number in range(1, 11) for text in hits(desk.get("search/", q="boat", page=number))]
    assert sorted(set(listed)) == sorted(["Rain", *(f"A boat {at}" for at in range(190))])
    assert len(listed) == 200


def test_month_that_is_chosen_leaves_the_others_to_be_seen(months):
    page = months.get("search/", q="boat day:2026-01")
    assert sorted(hits(page)) == ["A boat on 2026-01-01", "A boat on 2026-01-31"]
    assert bars(page) == ALL
    assert chosen(page) == ["?q=boat+day%3A2026-01"]
    assert page.soup.select_one(".months header a")["href"] == "?q=boat"
    assert "January 2026" in page.soup.select_one(".months header").get_text()


@pytest.mark.parametrize(
    ("span", "query", "number"),
    [
        ({"from": "2026-01", "until": "2026-03"}, "boat after:2025-12 before:2026-04", 2),
        ({"from": "2026-01"}, "boat after:2025-12", 3),
        ({"until": "2025-12"}, "boat before:2026-01", 1),
        ({"from": "2026-13", "until": "x"}, "boat", 4),
    ],
)
def test_from_one_month_until_another(months, span, query, number):
    page = months.get("search/", q="boat day:2026-04", **span)
    assert page.soup.find(id="goto")["value"] == query
    assert bars(page) == ALL
    assert len(chosen(page)) == number


def test_what_has_no_day_has_no_months(full):
    assert not full.get("search/", q="Hamburg paint").soup.select(".months")


def test_pages_end_at_what_is_ranked(desk):
    desk.write("2026-03-14.md", "".join(f"## 10:{at % 60:02} — Boat number {at}\n\n" for at in range(260)))
    desk.indexed()
    page = desk.get("search/", q="boat")
    assert told(page) == "260 results, the best 200 shown"
    everywhere = desk._page(desk.client.get("/bots/search", {"q": "boat"}))
    assert everywhere.soup.select_one(".rows .when").get_text() == "260 results"
    assert len(hits(page)) == 20
    assert page.soup.select_one("a[rel=next]")["href"] == "?q=boat&page=2"
    last = desk.get("search/", q="boat", page="99")
    assert f"{search.MOST - 19}–{search.MOST} of {search.MOST}" in last.soup.select_one(".pages").get_text()
    assert not last.soup.select_one("a[rel=next]")
    assert not set(hits(page)) & set(hits(last))


def test_a_search_of_all_bots_ends_in_time_and_leads_to_those_it_did_not_reach(full, monkeypatch):
    monkeypatch.setattr("memory.web.search.everywhere.SECONDS", 0)
    page = full._page(full.client.get("/bots/search", {"q": "boat"}))
    rows = page.soup.select("main ul.rows li")
    assert rows
    assert all("Not searched yet" in row.get_text() for row in rows)
    assert rows[0].a["href"] == "/keno/search/?q=boat"


def test_page_behind_the_last_one_is_the_last(full):
    assert hits(full.get("search/", q="boat", page="7")) == hits(full.get("search/", q="boat"))


def test_box_of_every_page_leads_to_the_search(full):
    for path in ("", "memory", "days/", "chats/"):
        form = full.get(path).soup.select_one("form[role=search].goto")
        assert form["action"] == "/keno/search/"
        assert form.find("input")["name"] == "q"


def test_box_offers_the_search_places_and_facts(full):
    options = full.get("search/near", q="boa").soup.select("[role=option]")
    assert options[0]["href"] == "/keno/search/?q=boa"
    assert "/keno/documents/2026-03-14.md?line=1" in [option["href"] for option in options]
    names = [option.find("span").get_text() for option in full.get("search/near", q="fam").soup.select("[role=option]")]
    assert names[:2] == ["Search KenoBot for “fam”", "Family"]
    assert full.get("search/near", q="").text == ""


def test_box_offers_each_text_once_and_no_neighbours(full):
    for day in ("2026-03-01", "2026-03-02"):
        full.write(f"{day}.md", "## 10:00 — Feeds the ducks\n\n## 10:01 — Goes home\n\n")
    full.indexed()
    assert len(hits(full.get("search/", q="ducks"))) == 4
    options = full.get("search/near", q="ducks").soup.select("[role=option] .fact, [role=option] > span:first-child")
    assert [option.get_text() for option in options] == ["Search KenoBot for “ducks”", "Feeds the ducks"]


def test_page_asks_the_database_the_same_however_much_there_is(full):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            full.get("search/", q="boat")
        return len(captured)

    full.get("search/", q="boat")
    few = statements()
    for at in range(30):
        full.write(f"chats/telegram-{at}/2026-03-14.md", "## 10:00 — A boat of its own\n\n")
    full.indexed()
    full.get("search/", q="boat")
    assert statements() == few


def test_bot_of_nobody_is_not_searched(full):
    assert full.client.get("/other/search/", {"q": "boat"}).status_code == 404
