"""The calendar, the list of days, and one day with all its logs."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from memory import index
from memory.bots import open_bot
from memory.models import Bot, ChatName, Day, Fact
from memory.web.base import fact_rows
from memory.web.base.calendar import KnownDays, known_days, name_of
from memory.web.base.dates import day as day_words

DAY = "2026-03-14"
OTHER = "chats/telegram-1/2026-03-14.md"


def entries(*said):
    return "".join(f"## {time} — {text}\n\n" for time, text in said)


def walked(desk):
    index.refresh(desk.bot)
    return desk


@pytest.fixture
def busy(desk):
    """A day with a log of the bot's own and two of chats, one of which people gave a name."""
    desk.write(f"{DAY}.md", entries(("09:00", "Own morning"), ("18:30", "Own evening")))
    desk.write(OTHER, entries(("12:15", "Plans a talk"), ("12:15", "Needs slides")))
    desk.write("chats/http-7/2026-03-14.md", entries(("08:00", "Asked early")))
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    return walked(desk)


def texts(page):
    return [one.get_text() for one in page.soup.select(".facts .fact")]


def rows(page):
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select(".facts > li")]


@pytest.mark.database
def test_a_day_shows_all_its_logs_by_time(busy):
    page = busy.get(f"days/{DAY}")
    assert texts(page) == ["Asked early", "Own morning", "Plans a talk", "Needs slides", "Own evening"]
    assert "5 facts in the shared log and 2 chats" in page.text
    assert "Saturday, 14 March 2026" in page.soup.h1.get_text()
    first, second, third = rows(page)[:3]
    assert "08:00" in first
    assert "http-7" in first
    assert "token" in first
    assert "shared" in second
    assert "Family" in third
    assert "telegram-1" not in third


def test_a_day_says_whether_the_bot_still_reads_it(desk):
    for ago in range(12):
        desk.write(f"{date.today() - timedelta(days=ago)}.md", entries(("09:00", f"Said {ago} days ago")))
    newest, oldest = (walked(desk).get(f"days/{date.today() - timedelta(days=ago)}").text for ago in (0, 11))
    assert "KenoBot still reads this day." in newest
    assert "KenoBot no longer reads this day." in oldest


def test_entries_without_a_time_stay_behind_the_one_before_them(desk):
    desk.write(
        f"{DAY}.md",
        "# 2026-03-14\n\n- Before all\n\n## 10:00 - Ten\n\n# Later\n\n- Untimed after ten\n\n## 08:00 - Eight\n",
    )
    desk.write(OTHER, entries(("09:00", "Nine")))
    page = walked(desk).get(f"days/{DAY}")
    assert texts(page) == ["Before all", "Eight", "Nine", "Ten", "Untimed after ten"]


def test_a_day_is_not_said_again_before_what_happened_on_it(desk):
    beats = f"[{DAY} 08:00Z] The pump runs\n\n- {DAY} 09:00: Rui called\n\n## {DAY} 10:00 — Trip\n\nTo Porto.\n"
    desk.write(f"{DAY}.md", f"{beats}\n## 11:00 — 2026-03-13 was better\n")
    page = walked(desk).get(f"days/{DAY}")
    assert page.soup.select_one(".facts .fold > summary").get_text() == "Trip To Porto."
    assert texts(page) == ["The pump runs", "Rui called", "Trip\n\nTo Porto. Show all", "2026-03-13 was better"]


def test_many_facts_of_a_day_can_be_filtered(desk, busy):
    assert busy.get(f"days/{DAY}").soup.select_one(".find") is None
    desk.write("2026-03-15.md", entries(*((f"{n:02}:00", f"{chr(97 + n)} is said") for n in range(20))))
    desk.write("chats/http-7/2026-03-15.md", entries(("08:00", "Asked early")))
    field = walked(desk).get("days/2026-03-15").soup.select_one(".find [name=q]")
    assert field["placeholder"] == "Filter 21 facts"
    assert desk.get("days/2026-03-15", scope="").soup.select_one(".find [name=q]")["placeholder"] == "Filter 20 facts"
    assert desk.get("days/2026-03-15", scope="http-7").soup.select_one(".find") is None
    asked = busy.get(f"days/{DAY}", q="own").soup.select_one(".find [name=q]")
    assert asked["value"] == "own"  # to take it back, or to ask for something else


def test_a_day_of_one_chat(busy):
    page = busy.get(f"days/{DAY}", scope="telegram-1")
    assert texts(page) == ["Plans a talk", "Needs slides"]
    assert "2 facts in 1 chat" in page.text
    assert page.soup.select_one(".filters [aria-current]").get_text(strip=True).startswith("Family")


def test_a_day_of_the_bot_alone(busy):
    page = busy.get(f"days/{DAY}", scope="")
    assert texts(page) == ["Own morning", "Own evening"]
    assert "2 facts, " in page.text


def test_search_marks_what_it_finds_and_keeps_whose(busy):
    page = busy.get(f"days/{DAY}", q="OWN")
    assert texts(page) == ["Own morning", "Own evening"]
    assert [mark.get_text() for mark in page.soup.find_all("mark")] == ["Own", "Own"]
    assert all("q=OWN" in a["href"] for a in page.soup.select(".filters a"))
    assert "2 of 5 facts contain “OWN”" in page.text
    page = busy.get(f"days/{DAY}", q="own", scope="telegram-1")
    assert "No facts on this day contain “own”." in page.text


@pytest.mark.database
def test_search_is_by_letters_in_every_script(desk):
    desk.write(f"{DAY}.md", entries(("09:00", "El NIÑO duerme"), ("10:00", "他喜欢茶"), ("11:00", "100% sure_ly")))
    walked(desk)
    assert texts(desk.get(f"days/{DAY}", q="niño")) == ["El NIÑO duerme"]
    assert texts(desk.get(f"days/{DAY}", q="欢")) == ["他喜欢茶"]
    assert texts(desk.get(f"days/{DAY}", q="0%")) == ["100% sure_ly"]
    assert texts(desk.get(f"days/{DAY}", q="_")) == ["100% sure_ly"]


def beats(count, start=0):
    return [(f"{8 + n // 60:02}:{n % 60:02}", f"Heartbeat {n} ok") for n in range(start, start + count)]


@pytest.mark.database
def test_repeats_are_one_row_until_they_are_unfolded(desk):
    desk.write(f"{DAY}.md", entries(("07:00", "Wakes"), *beats(42), ("23:00", "Sleeps")))
    page = walked(desk).get(f"days/{DAY}")
    assert texts(page) == ["Wakes", "Heartbeat 0 ok", "Sleeps"]
    assert "44 facts" in page.text
    more = page.soup.select_one(".facts .alike")
    assert more.get_text() == "42 alike until 08:41"
    unfolded = desk._page(desk.client.get(f"/keno/days/{DAY}{more['href']}"))
    assert len(texts(unfolded)) == 44
    assert unfolded.soup.find(id=more["href"].partition("#")[2])
    folded = unfolded.link("Fold all")
    assert len(texts(desk._page(desk.client.get(f"/keno/days/{DAY}{folded}")))) == 3


def test_search_finds_what_is_folded(desk):
    desk.write(f"{DAY}.md", entries(*beats(42)))
    assert texts(walked(desk).get(f"days/{DAY}", q="beat 17 ")) == ["Heartbeat 17 ok"]


def test_what_is_unfolded_and_gone_is_no_trouble(busy):
    for value in ("1", "999999999999999999", "x", "-1", "²"):
        assert len(texts(busy.get(f"days/{DAY}", run=value))) == 5


def test_a_long_day_comes_in_pages(desk):
    desk.write(
        f"{DAY}.md",
        entries(*((f"{n // 60:02}:{n % 60:02}", f"{chr(97 + n % 26)}{chr(97 + n // 26)}") for n in range(250))),
    )
    walked(desk)
    first, last = desk.get(f"days/{DAY}"), desk.get(f"days/{DAY}", page=2)
    assert (len(texts(first)), len(texts(last))) == (148, 102)
    assert "149–250 of 250" in last.text


@pytest.fixture
def long_day(desk):
    """A day of some sixty entries in three hours, three of them alike."""
    said = [(f"{9 + n // 20:02}:{n % 20:02}", f"{chr(97 + n % 26)}{chr(97 + n // 26)}\n\n- more") for n in range(57)]
    desk.write(f"{DAY}.md", entries(("08:00", "Early"), *said, *((f"11:3{n}", f"Heartbeat {n} ok") for n in range(3))))
    return walked(desk)


def test_the_hours_of_a_long_day_are_folded(long_day):
    page = long_day.get(f"days/{DAY}")
    said = [" ".join(one.get_text(" ").split()) for one in page.soup.select("details.hour > summary")]
    assert [one[:15] for one in said] == ["08:00 1 fact Ea", "09:00 20 facts ", "10:00 20 facts ", "11:00 20 facts "]
    assert said[3].endswith("dc, ec, Heartbeat 0 ok")
    assert not page.soup.select("details.hour[open]")
    assert len(page.soup.select(".hour .facts > li")) == len(texts(page)) == 59  # three are alike


def test_a_folded_hour_names_no_more_of_its_facts_than_its_line_shows(desk):
    names = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(60)]
    desk.write(f"{DAY}.md", entries(("08:00", "Early"), *((f"09:{n:02}", name) for n, name in enumerate(names))))
    line = walked(desk).get(f"days/{DAY}").soup.select("details.hour > summary .soft")[1].get_text()
    assert line.split(", ") == names[:24]


def test_a_folded_day_is_unfolded_and_folded_again(long_day):
    assert long_day.get(f"days/{DAY}").link("Unfold all") == "?open=1"
    for value in ("1", "all"):
        unfolded = long_day.get(f"days/{DAY}", open=value)
        assert not unfolded.soup.select(".hour, .fold:not([open]), .alike")
        assert len(unfolded.soup.select(".fold[open]")) == 57
        assert len(texts(unfolded)) == 61
        assert unfolded.link("Fold all") == "?page=1"
        assert unfolded.soup.find("a", string="Unfold all") is None


def test_all_is_unfolded_wherever_something_is_folded(desk):
    desk.write(f"{DAY}.md", entries(("09:00", "Heartbeat\n\n- three new"), ("09:30", "Plain")))
    desk.write("2026-03-15.md", entries(*beats(3)))
    desk.write("2026-03-16.md", entries(("09:00", "Plain"), ("10:00", "And short")))
    walked(desk)
    assert desk.get(f"days/{DAY}").link("Unfold all") == "?open=1"
    assert desk.get("days/2026-03-15").link("Unfold all") == "?open=1"
    assert len(texts(desk.get("days/2026-03-15", open=1))) == 3
    assert desk.get("days/2026-03-16").soup.find("a", string="Unfold all") is None


def test_files_and_chats_are_unfolded_and_folded_as_days_are(desk):
    text = entries(("09:00", "Heartbeat\n\n- three new"), ("09:30", "Plain"))
    for path in (f"{DAY}.md", f"chats/telegram-1/{DAY}.md"):
        desk.write(path, text)
    walked(desk)
    for place in (f"facts/{DAY}.md", "chats/telegram-1"):
        page = desk.get(place)
        assert page.link("Unfold all") == "?open=1", place
        assert len(page.soup.select(".fold:not([open])")) == 1
        unfolded = desk.get(place, open=1)
        assert len(unfolded.soup.select(".fold[open]")) == 1
        assert not unfolded.soup.select(".fold[name]"), "one that opens would close the others"
        assert unfolded.link("Fold all") == "?"
        assert unfolded.soup.find("a", string="Unfold all") is None
        assert unfolded.text.count("Fold all") == 1
    assert desk.get("facts/MEMORY.md").soup.find("a", string="Unfold all") is None


@pytest.mark.parametrize("asked", [{"q": "more"}, {"hour": "09"}, {"run": "1"}])
def test_what_is_looked_for_in_a_long_day_is_at_sight(long_day, asked):
    page = long_day.get(f"days/{DAY}", **asked)
    assert texts(page)
    assert not page.soup.select(".hour")


def test_whose_a_fact_is_is_said_only_where_chats_have_facts_too(desk, busy):
    assert "shared" in busy.get(f"days/{DAY}").soup.select_one(".facts .about").parent.parent.get_text()
    desk.write("2026-03-15.md", entries(("09:00", "Alone")))
    assert "shared" not in walked(desk).get("days/2026-03-15").soup.select_one(".facts").get_text()


def test_what_the_bot_writes_is_there_at_once(busy):
    busy.append(OTHER, entries(("13:00", "Booked a room")))
    assert "Booked a room" in texts(busy.get(f"days/{DAY}"))


def test_a_log_that_nobody_walked_over_yet_is_found(desk):
    desk.write(f"{DAY}.md", entries(("09:00", "First of the day")))
    assert texts(desk.get(f"days/{DAY}")) == ["First of the day"]


def test_a_forgotten_log_leaves_the_day(busy):
    (busy.root / OTHER).unlink()
    assert texts(busy.get(f"days/{DAY}")) == ["Asked early", "Own morning", "Own evening"]


def test_an_unreadable_log_is_said_and_the_others_are_shown(busy):
    (busy.root / OTHER).unlink()
    (busy.root / OTHER).mkdir()
    index.refresh(busy.bot)
    page = busy.get(f"days/{DAY}")
    assert f"{OTHER} can’t be read." in page.text
    assert "Own morning" in texts(page)


def test_neighbours_are_days_with_entries(busy):
    for day in ("2026-03-10", "2026-03-20"):
        busy.write(f"{day}.md", entries(("10:00", "x")))
    busy.write("2026-03-13.md", "# 2026-03-13\n")
    page = walked(busy).get(f"days/{DAY}")
    before, after = page.soup.find("a", rel="prev"), page.soup.find("a", rel="next")
    assert (before["href"], before["data-key"]) == ("2026-03-10", "[")
    assert (after["href"], after["data-key"]) == ("2026-03-20", "]")
    assert page.link("March 2026") == "/keno/days/?month=2026-03"


def test_a_day_that_no_calendar_has(desk):
    desk.write("2025-13-45.md", entries(("10:00", "Odd one")))
    page = walked(desk).get("days/2025-13-45")
    assert texts(page) == ["Odd one"]
    assert "This date doesn’t exist." in page.text
    listing = desk.get("days/")
    assert "Invalid dates" in listing.text
    assert listing.link("2025-13-45") == "2025-13-45"


def test_a_day_without_entries_says_so(busy):
    assert "Nothing on this day" in busy.get("days/2026-03-15").text
    assert "No facts yet today KenoBot adds one when a reply is worth remembering." in busy.get("days/today").text
    assert "This day is yet to come." in busy.get("days/2999-01-01").text
    assert "Nothing on this day" in busy.get("days/2999-02-30").text
    busy.write("2026-03-15.md", "# 2026-03-15\n")
    busy.write("2026-03-16.md", "\n")
    assert "Empty so far" in busy.get("days/2026-03-16").text
    page = busy.get("days/2026-03-15")
    assert "This day’s log contains no facts." in page.text
    assert page.soup.select_one("#live section.prose").get_text(strip=True) == "2026-03-15"
    assert "This chat has no log for this day." in busy.get(f"days/{DAY}", scope="nobody").text


@pytest.mark.parametrize("day", ["2026-3-14", "today-", "２０２６-03-14", "2026-03-14/x", "../x"])
def test_what_is_no_day_is_not_found(desk, day):
    assert desk.get(f"days/{day}").status == 404


def test_hostile_names_and_texts_stay_text(desk):
    scope = "<script>\n\"'&\u202e🦊"
    desk.write(f"chats/{scope}/{DAY}.md", entries(("10:00", "<img src=x onerror=alert(1)> & <mark>")))
    page = walked(desk).get(f"days/{DAY}", q="<mark>")
    assert page.status == 200
    assert not page.soup.find("img")
    assert [mark.get_text() for mark in page.soup.find_all("mark")] == ["<mark>"]
    page = desk.get(f"days/{DAY}", scope=scope)
    assert len(texts(page)) == 1
    assert scope.split()[0] in page.soup.select_one(".filters [aria-current]").get_text()


@pytest.mark.parametrize("value", ["\0", "\udcff".encode("utf-8", "surrogatepass"), b"\xff\xfe", "a" * 5000])
def test_odd_questions_are_answered(busy, value):
    for name in ("q", "scope", "page", "open", "run"):
        assert busy.get(f"days/{DAY}", **{name: value}).status == 200
    for name in ("month", "page"):
        assert busy.get("days/", **{name: value}).status == 200


def test_the_month_of_a_calendar(busy):
    page = busy.get("days/", month="2026-03")
    assert page.soup.find(id="month").get_text() == "March 2026"
    assert page.soup.select_one("table.month thead th")["abbr"] == "Monday"
    squares = page.soup.select("table.month a")
    assert [square["href"] for square in squares] == [DAY]
    assert squares[0]["title"] == "Saturday, 14 March 2026"
    assert "5 facts on 1 day this month" in page.text
    weeks = page.soup.select("table.month tbody tr")
    assert [len(week.find_all("td")) for week in weeks] == [7] * len(weeks)


@pytest.mark.database
def test_the_calendar_leaps_over_empty_months_and_to_other_years(busy):
    busy.write("2019-02-03.md", entries(("10:00", "Old")))
    page = walked(busy).get("days/", month="2026-03")
    assert page.soup.find("a", rel="prev")["href"] == "?month=2019-02"
    assert [one.get_text() for one in page.soup.select(".year h2")] == ["2026", "2019"]
    months = [(link["href"], link.get_text()) for link in page.soup.select(".year")[1].select(".table a")]
    assert months == [("?month=2019-02", "February 2019")]


@pytest.mark.database
def test_the_newest_two_years_are_drawn_by_weeks_and_older_ones_are_a_row_of_months(busy):
    for day in ("2025-01-01", "2025-12-31", "2024-02-29", "2019-02-03"):
        busy.write(f"{day}.md", entries(("10:00", "Old"), ("10:01", "Older")))
    page = walked(busy).get("days/")
    newest, last = page.soup.select(".year")
    assert (newest.h2.get_text(), newest.p.get_text()) == ("2026", "1 day, 5 facts")
    assert (last.h2.get_text(), last.p.get_text()) == ("2025", "2 days, 4 facts")
    months = {(one["href"], one.title.get_text()): one for one in last.select("svg a")}
    assert list(months) == [("?month=2025-01", "January 2025: 2 facts"), ("?month=2025-12", "December 2025: 2 facts")]
    first, december = months.values()
    assert first.select_one(".l3")["d"] == "M0 40h10v10h-10z"  # a Wednesday, in the first week
    assert december.select_one(".l3")["d"] == "M624 40h10v10h-10z"
    assert sum(one["d"].count("M") for one in last.select(".l0")) == 363
    rows = {row.th.get_text(): row for row in page.soup.select(".years tbody tr")}
    assert list(rows) == ["2024", "2019"]
    assert [one["aria-label"] for one in rows["2024"].select("a")] == ["February 2024: 2 facts"]
    assert "5 days, 13 facts" in page.text


def test_today_is_outlined_in_its_year_alone(desk):
    today = open_bot(desk.bot).now().date()
    desk.write(f"{today}.md", entries(("10:00", "Now")))
    desk.write(f"{today.year - 1}-03-02.md", entries(("10:00", "Then")))
    newest, last = walked(desk).get("days/").soup.select(".year")
    outlined = newest.select_one(".today")
    assert newest.select_one(".l4")["d"] == f"M{outlined['x']} {outlined['y']}h10v10h-10z"
    assert last.select(".today") == []


def test_days_open_where_the_newest_are_and_end_there(busy):
    busy.write("2026-03-02.md", entries(("10:00", "Earlier")))
    page = walked(busy).get("days/")
    assert page.soup.find(id="month").get_text() == "March 2026"
    assert [one.get_text() for one in page.soup.select("table.month .date")][-1] == "15"  # the end of that week
    earlier = busy.get("days/", month="2026-02")
    assert [one.get_text() for one in earlier.soup.select("table.month .date")][-1] == "28"


def test_what_is_no_month_is_the_newest(busy):
    now = busy.get("days/").soup.find(id="month").get_text()
    for value in ("2026-13", "0000-01", "x", "2026-00", "2026-03-01", "٢٠٢٦-03"):
        assert busy.get("days/", month=value).soup.find(id="month").get_text() == now
    assert busy.get("days/", month="0001-01").status == busy.get("days/", month="9999-12").status == 200


@pytest.mark.database
def test_the_list_tells_of_each_day(busy):
    page = busy.get("days/")
    row = " ".join(page.soup.select_one(".rows li").get_text(" ").split())
    assert row.startswith("Saturday, 14 March 2026 5 facts · 2 chats ·")
    assert page.soup.select_one("header.head p").get_text() == "1 day, 5 facts"


def test_no_days_yet(desk):
    page = desk.get("days/")
    assert "No days yet" in page.text
    assert page.soup.select_one("table.month") is None  # an empty one says nothing


def test_the_number_of_statements_does_not_grow(desk, django_assert_max_num_queries):
    def statements(*addresses):
        with CaptureQueriesContext(
            connection,
        ) as seen:
            for address in addresses:
                assert desk.get(address).status == 200
        return len(seen)

    def write(chats, entries_each, days):
        for chat in range(chats):
            desk.write(
                f"chats/c-{chat}/{DAY}.md",
                entries(*((f"{n % 24:02}:00", f"{chat} said {n * 7}x{chat}") for n in range(entries_each))),
            )
        for n in range(days):
            desk.write(f"{date(2020, 1, 1) + timedelta(n)}.md", entries(("10:00", "x")))
        walked(desk)

    addresses = ("days/", "days/?month=2020-02", f"days/{DAY}", f"days/{DAY}?q=said", f"days/{DAY}?page=2")
    write(2, 2, 40)
    few = statements(*addresses)
    write(60, 5, 400)
    statements(f"days/{DAY}")  # what was written just now is looked at once more
    assert statements(*addresses) <= few


def added(desk, **fields):
    desk.get("days/")  # the walk of the first visit
    return desk.post("days/add", **fields)


def test_a_year_is_drawn_to_its_newest_day_with_facts_and_told_once_if_it_is_the_only_one(desk):
    today = open_bot(desk.bot).now().date()
    newest = today - timedelta(days=1) if today.day > 1 else today
    desk.write(f"{newest}.md", entries(("10:00", "Then")))
    index.refresh(desk.bot)
    (year,) = desk.get("days/").soup.select(".year")
    assert len(re.findall("M", " ".join(path["d"] for path in year.select("path[d]")))) == newest.timetuple().tm_yday
    assert bool(year.select(".today")) == (newest == today)
    assert year.select("p.small") == []
    desk.write(f"{today.year - 1}-03-02.md", entries(("10:00", "Before")))
    index.refresh(desk.bot)
    told = [one.get_text() for one in desk.get("days/").soup.select(".year > p.small")]
    assert told == ["1 day, 1 fact", "1 day, 1 fact"]


def test_an_entry_for_today(desk):
    page = added(desk, text="Ana moved to Lisbon")
    assert texts(page) == ["Ana moved to Lisbon"]
    assert "Added to today" in page.soup.find(id="messages").get_text()
    log = next(path for path in desk.root.iterdir() if path.name[0] == "2")
    assert re.fullmatch(r"## \d\d:\d\d — Ana moved to Lisbon\n\n", log.read_text())
    assert "by you" in rows(page)[0]
    undo = page.soup.select_one("#messages form")["action"]
    desk.client.post(undo)
    assert not log.exists() or not log.read_text()


@pytest.mark.database
@pytest.mark.parametrize("called", ["telegram-1", "Family", " Family "])
def test_an_entry_for_a_chat_by_its_id_or_its_name(busy, called):
    page = added(busy, text="Meets on Friday", chat=called)
    assert texts(page) == ["Meets on Friday"]
    assert [path for path in (busy.root / "chats/telegram-1").iterdir() if "Meets" in path.read_text()]
    assert "Family" in rows(page)[0]


@pytest.mark.parametrize(
    ("chat", "why"),
    [
        ("../x", "slash"),
        ("nobody", "Unknown chat. Choose one from the list or leave it empty."),
        ("Team", "Several chats have this name."),
        ("x" * 256, "at most 255"),
        ("a\0b", "Null characters are not allowed"),
    ],
)
def test_a_chat_that_is_none_is_refused_in_words(busy, chat, why):
    for scope in ("telegram-1", "http-7"):
        ChatName.objects.update_or_create(bot=busy.bot, scope=scope, defaults={"name": "Team"})
    before = sorted(busy.root.rglob("*"))
    page = added(busy, text="Meets on Friday", chat=chat)
    assert page.status == 422
    assert why in page.soup.find(role="alert").get_text()
    assert page.soup.find("textarea", {"name": "text"}).get_text().strip() == "Meets on Friday"
    assert sorted(busy.root.rglob("*")) == before


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 20_001])
def test_an_entry_without_words_or_too_long_is_refused(desk, text):
    assert added(desk, text=text).status == 422
    assert [path.name for path in desk.root.iterdir()] == ["MEMORY.md"]


def test_a_fact_is_added_to_an_earlier_day_at_its_time(busy):
    form = busy.get(f"days/{DAY}").soup.select_one("details:not([open]) > #add")
    assert form.label.get_text() == "Add a fact to this day"
    assert form.find_parent("details").summary.svg is not None, "a quiet + as of every list’s first row"
    assert form.find("input", {"name": "clock"})["value"] == "18:30", "behind the day’s last entry"
    page = busy.post("days/add", day=form.find("input", {"name": "day"})["value"], clock="23:07", text="It rained")
    assert page.soup.h1.get_text().strip() == name_of(DAY)
    assert "23:07 It rained" in page.text
    assert f"Added to {day_words(DAY)}" in page.text
    assert "## 23:07 — It rained" in busy.read(f"{DAY}.md")
    assert busy.get("days/2026-01-01").soup.select_one("#add input[name=clock]")["value"] == "12:00", "nothing is known"


@pytest.mark.parametrize("clock", ["", "25:00", "noon"])
def test_an_earlier_day_needs_a_time(busy, clock):
    before = busy.read(f"{DAY}.md")
    page = busy.post("days/add", day=DAY, clock=clock, text="It rained")
    assert (page.status, page.soup.h1.get_text().strip()) == (422, name_of(DAY))
    form = page.soup.select_one("details[open] > #add")
    assert (form.textarea.get_text().strip(), form.find("input", {"name": "day"})["value"]) == ("It rained", DAY)
    assert busy.read(f"{DAY}.md") == before


@pytest.mark.parametrize("day", ["0000-00-00", "9999-12-31", "2026-13-45", "20261120", "2026-W01-1", f"{DAY} ", "x"])
def test_a_day_that_is_to_come_or_none_is_refused_and_nothing_is_written(busy, day):
    before = sorted(busy.root.rglob("*"))
    page = added(busy, day=day, clock="09:00", text="It rained")
    assert page.status == 422
    assert "Facts can be added to today and to earlier days only." in page.soup.find(role="alert").get_text()
    assert page.soup.find("textarea", {"name": "text"}).get_text().strip() == "It rained"
    assert sorted(busy.root.rglob("*")) == before


def test_a_fact_is_added_to_today_by_its_date(desk):
    page = added(desk, day=str(open_bot(desk.bot).today()), text="Ana moved to Lisbon")
    assert texts(page) == ["Ana moved to Lisbon"]
    assert "Added to today" in page.soup.find(id="messages").get_text()


def test_a_fact_that_was_typed_before_midnight_goes_to_its_day_with_its_time(desk):
    desk.bot.time_zone = "Pacific/Midway"
    desk.bot.save()
    form = desk.get("days/today").soup.find("form", id="add")
    sent = {one["name"]: one["value"] for one in form.select("input[type=hidden]")}
    desk.bot.time_zone = "Pacific/Kiritimati"  # where the next day has begun already
    desk.bot.save()
    page = desk.post("days/add", **sent, text="Ana moved to Lisbon")
    assert (page.status, page.soup.h1.get_text().strip()) == (422, name_of(sent["day"]))
    asked = page.soup.select_one("details[open] > #add")
    assert asked.textarea.get_text().strip() == "Ana moved to Lisbon"
    assert [path.name for path in desk.root.iterdir()] == ["MEMORY.md"]
    page = desk.post("days/add", **sent, text="Ana moved to Lisbon", clock="23:58")
    assert "23:58 Ana moved to Lisbon" in page.text
    assert "## 23:58" in desk.read(f"{sent['day']}.md")


def test_no_fact_is_added_to_a_day_that_is_to_come_or_that_no_calendar_has(busy):
    assert busy.get("days/today").soup.find("form", id="add").label.get_text() == "Add a fact to today"
    for day in ("2999-01-01", "2026-02-30"):
        assert not busy.get(f"days/{day}").soup.find("form", id="add")


def test_the_form_offers_the_latest_chats_with_their_names(busy):
    offered = busy.get("days/").soup.select("#chats option")
    assert {(one["value"], one.get_text()) for one in offered} == {("telegram-1", "Family"), ("http-7", "")}


def test_today_is_the_bots_day(desk):
    for zone in ("Pacific/Kiritimati", "Pacific/Midway"):
        desk.bot.time_zone = zone
        desk.bot.save()
        assert desk.client.get("/keno/days/today")["Location"] == f"/keno/days/{datetime.now(ZoneInfo(zone)).date()}"


def test_a_new_day_is_known_at_once(busy):
    busy.get("days/")
    busy.write("2025-02-30.md", entries(("10:00", "Odd one")))
    busy.write("1999-12-31.md", entries(("10:00", "Old one")))
    page = walked(busy).get("days/")
    assert page.link("2025-02-30") == "2025-02-30"
    assert "1999" in page.soup.select_one(".calendar").get_text()


class Dates(TestCase):
    """Whether a calendar has a day is decided in the database as Python decides it."""

    @given(
        st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True)
        | st.dates().map(str)
        | st.builds("{:04}-02-29".format, st.integers(0, 9999))
    )
    def test_the_database_knows_the_calendar(self, day):
        bot = Bot.objects.create(slug="b", name="B", dialect="kenobot")
        Day.objects.create(bot=bot, day=day, written_ns=0)
        try:
            date.fromisoformat(day)
        except ValueError:
            assert known_days(bot).impossible == (day,)
        else:
            assert known_days(bot) == KnownDays((), {day[:7]: 0}, {})


def test_entries_of_several_lines_are_folded_under_their_title(desk):
    desk.write(
        f"{DAY}.md", entries(("09:00", "Heartbeat\n\n- **Club:** <b>three</b> new\n- one *asks*"), ("09:10", "Plain"))
    )
    page = walked(desk).get(f"days/{DAY}")
    folded, plain = page.soup.select(".facts [data-row]")
    assert folded.select_one("details.fold:not([open]) summary").get_text() == "Heartbeat Club: <b>three</b> new"
    assert plain.select_one("details.fold") is None
    link = folded.select_one("[data-whole]")["href"]
    whole = desk.client.get(link + "&whole=1", headers={"HX-Request": "true"}).content.decode()
    assert "<strong>Club:</strong>" in whole
    assert "<b>" not in whole
    assert "Heartbeat" not in whole  # the row says so above


def test_a_search_shows_where_it_stands_and_folds_nothing(desk):
    desk.write(f"{DAY}.md", entries(("09:00", "Heartbeat\n\n- three new\n- one asks")))
    page = walked(desk).get(f"days/{DAY}", q="asks")
    assert page.soup.select_one(".facts mark").get_text() == "asks"
    assert page.soup.select_one("details.fold") is None


def test_a_long_day_is_narrowed_by_its_hours(desk):
    times = [f"{9 + number // 8:02}:{number:02}" for number in range(24)]
    desk.write(f"{DAY}.md", entries(*((time, f"Note {number}") for number, time in enumerate(times))))
    page = walked(desk).get(f"days/{DAY}")
    bars = page.soup.select(".hours svg:first-child a")
    assert len(page.soup.select(".hours svg")) == 2  # twelve hours each, so that they fit a phone
    assert [bar["aria-label"] for bar in bars] == ["09:00, 8 facts", "10:00, 8 facts", "11:00, 8 facts"]
    assert [bar["tabindex"] for bar in bars] == ["0", "-1", "-1"]
    assert len(texts(page)) == 1  # alike, so one row until somebody asks for an hour
    assert len(texts(desk.get(f"days/{DAY}", hour="9"))) == 8
    page = desk.get(f"days/{DAY}", hour="10")
    assert texts(page) == [f"Note {number}" for number in range(8, 16)]
    assert page.soup.select_one(".hours .shown")["aria-label"] == "10:00, 8 facts"
    assert page.soup.select_one(".hours figcaption").get_text() == "Facts by hour 10:00 to 11:00 Show all"
    assert page.soup.select_one(".hours figcaption a")["href"] == "?"
    assert desk.get(f"days/{DAY}", hour="1x").soup.select_one(".hours .shown") is None


def test_a_day_costs_what_its_facts_cost(desk):
    desk.write(f"{DAY}.md", entries(("09:00", "Likes tea"), ("10:00", "Lives in Porto, near the river")))
    page = walked(desk).get(f"days/{DAY}")
    each = [
        int(one.get_text().split()[0]) for one in page.soup.select(".facts .about span") if "token" in one.get_text()
    ]
    assert f"2 facts, {sum(each)} tokens." in page.text


def test_a_short_day_has_no_bars(busy):
    assert busy.get(f"days/{DAY}").soup.select_one(".hours") is None


@pytest.fixture
def heavy(desk):
    """A day of 148 long entries, no two neighbours alike."""
    said = [
        (f"{n // 7:02}:{n % 7 * 8:02}", f"Beat {n} of {chr(97 + n % 26)}\n\n- first {n}\n" + "- **Club:** words\n" * 60)
        for n in range(148)
    ]
    desk.write(f"{DAY}.md", entries(*said))
    return walked(desk)


@pytest.mark.parametrize("asked", [{}, {"open": "1"}, {"q": "words"}, {"hour": "04"}])
def test_no_page_of_long_entries_is_over_200_kb(heavy, asked):
    page = heavy.get(f"days/{DAY}", **asked)
    assert len(page.response.content) < 200 * 1024
    assert len(page.soup.select(".facts > li")) == (148 if not asked else 7 if "hour" in asked else len(texts(page)))


LONG = {
    "links": "T\n\n" + "a line with [a link](MEMORY.md) in it\n" * 60,
    "hits": "T\n\n" + "a a a a a a a a a a a a\n" * 60,
    "signs": "<&'\"> a " * 170,
    "chinese": "题\n\n" + "这是一个很长的中文条目，" * 100,
    "titles": f"a{chr(39) * 90}\n{chr(39) * 190}\n" + "'" * 700,
}


@pytest.mark.parametrize("kind", LONG)
def test_no_page_of_a_day_is_over_200_kb_whatever_its_entries_hold(desk, kind):
    desk.write("MEMORY.md", "- tea\n")
    said = [(f"{10 + n // 60}:{n % 60:02}", f"{n} {LONG[kind]}") for n in range(160)]
    for path in (f"{DAY}.md", f"chats/telegram--100123456789/{DAY}.md"):
        desk.write(path, entries(*said))
        walked(desk)
        for asked in ({}, {"open": "1"}, {"q": "a"}, {"q": "a", "open": "1"}, {"q": "'"}):
            page = desk.get(f"days/{DAY}", **asked)
            assert len(page.response.content) < 200 * 1024, asked
            rows = page.soup.select(".facts > li")
            later = [row for row in rows if row.select_one("[data-later]")]
            folds = page.soup.select(".facts .fold")
            assert [fold for fold in folds if fold.has_attr("open") != ("open" in asked)] == [], asked
            assert all(row.select_one("[data-whole]") for row in later), asked


def test_no_half_of_a_secret_ends_the_beginning_of_a_row(desk, monkeypatch):
    monkeypatch.setattr(fact_rows, "ROOM", 1)
    token = "12345678:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-elrX"  # of a Telegram bot: a half of it looks like none
    desk.write(
        f"{DAY}.md", entries(("09:00", f"Key {token} {'tea ' * 90}"), ("10:00", f"Bot key {token}\n{'tea ' * 90}"))
    )
    page = walked(desk).get(f"days/{DAY}")
    assert len(page.soup.select(".facts [data-later]")) == 2
    assert token[:12] not in page.response.content.decode()


def test_the_text_of_later_entries_comes_when_they_are_opened_and_is_a_link_without_a_script(heavy):
    rows = heavy.get(f"days/{DAY}").soup.select(".facts > li")
    there, later = rows[0], rows[-1]
    assert "first 0" in there.select_one(".fact").get_text()
    assert later.select_one(".fact").get_text().strip() == "Show all"
    assert [deed.get_text() for deed in later.select(".deeds > *")] == ["Edit"]
    link = later.select_one("[data-whole]")["href"]
    assert "first 147" in heavy.client.get(link).content.decode()
    part = BeautifulSoup(heavy.client.get(link + "&whole=1", headers={"HX-Request": "true"}).content, "html.parser")
    assert part.select_one(".prose li").get_text() == "first 147"
    deeds = [deed.get_text() for deed in part.select(".deeds > *")]
    assert deeds == [deed.get_text() for deed in there.select(".deeds > *")]
    assert part.select_one("[data-edit]")["href"] == later.select_one("[data-edit]")["href"]


def test_all_entries_of_a_heavy_day_are_unfolded_a_page_at_a_time(heavy):
    pages = [heavy.get(f"days/{DAY}", open=1, page=number) for number in (1, 2)]
    shown = [row.get_text() for page in pages for row in page.soup.select(".fold[open] .fact")]
    assert [number for number in range(148) if f"first {number}\n" not in shown[number]] == []
    assert pages[0].link("Next") == "?open=1&page=2"


def at(page):
    """The rows of a page that stand open, and whether their hours do."""
    return [(row.select_one(".prose") or row).get_text() for row in page.soup.select(".facts > li:has(.fold[open])")]


@pytest.fixture
def row_of(desk):
    def row(text):
        fact = Fact.objects.get(bot=desk.bot, text__contains=text)
        return f"{fact.document_id}-{fact.key[:16]}-{fact.nth}"

    return row


def test_an_address_opens_its_entry_whole_in_its_hour(heavy, row_of):
    page = heavy.get(f"days/{DAY}", at=row_of("first 140\n"))
    assert [text.split("\n")[1:3] for text in at(page)] == [["first 140", "Club: words"]]
    assert at(page)[0].count("Club: words") == 60
    assert [row.parent.parent["id"] for row in page.soup.select(".hour[open] > .facts > li:has(.fold[open])")] == [
        "h-21"
    ]
    assert len(page.soup.select(".hour[open]")) == 1
    assert page.soup.select_one(".facts > li:has(.fold[open])")["id"] == f"f-{row_of('first 140' + chr(10))}"


@pytest.mark.parametrize("asked", [{"open": "1"}, {"q": "words"}, {"scope": ""}, {"hour": "20"}])
def test_an_address_opens_its_entry_on_whichever_page_it_is(heavy, row_of, asked):
    row = row_of("first 140\n")
    page = heavy.get(f"days/{DAY}", at=row, **asked)
    assert page.soup.find(id=f"f-{row}")
    turned = heavy.get(f"days/{DAY}", at=row, page="1", **asked)
    assert (turned.soup.find(id=f"f-{row}") is None) == ("open" in asked or "q" in asked)


def test_an_address_of_a_repeat_unfolds_what_it_is_one_of(desk):
    desk.write(f"{DAY}.md", entries(*beats(5)))
    walked(desk)
    for fact in Fact.objects.filter(bot=desk.bot, document__day=DAY):
        page = desk.get(f"days/{DAY}", at=f"{fact.document_id}-{fact.key[:16]}-{fact.nth}")
        assert len(texts(page)) == 5
        assert page.soup.find(id=f"f-{fact.document_id}-{fact.key[:16]}-{fact.nth}")


@pytest.mark.parametrize(
    "value", ["", "x", "1-2-3", "999999999999999999-0123456789abcdef-0", "\x00", "²-0123456789abcdef-1"]
)
def test_an_address_of_no_entry_opens_none(heavy, value):
    page = heavy.get(f"days/{DAY}", at=value)
    assert page.status == 200
    assert not page.soup.select(".fold[open], .hour[open]")


def test_one_entry_is_open_at_a_time_but_where_all_are(heavy):
    assert {fold.get("name") for fold in heavy.get(f"days/{DAY}").soup.select(".fold")} == {"entry"}
    assert {fold.get("name") for fold in heavy.get(f"days/{DAY}", open=1).soup.select(".fold")} == {None}


def test_what_was_learned_leads_to_its_entry(desk):
    day = open_bot(desk.bot).today()
    desk.write(f"{day}.md", entries(("09:00", "Heartbeat\n\n- three new\n- one asks"), ("09:10", "Plain")))
    walked(desk)
    link = next(one["href"] for one in desk.get().soup.select(".learned a") if "Heartbeat" in one.get_text())
    address, _hash, row = link.partition("#")
    page = desk._page(desk.client.get(address))
    assert page.soup.find(id=row).select_one(".fold[open] .prose li").get_text() == "three new"


def test_an_entry_of_more_than_20_kb_is_opened_with_a_link_to_all_of_it(desk, row_of):
    desk.write(f"{DAY}.md", entries(("09:00", "Heartbeat\n\n" + "- words\n" * 3000 + "- the end")))
    page = walked(desk).get(f"days/{DAY}", at=row_of("the end"))
    (row,) = page.soup.select(".facts > li:has(.fold[open])")
    assert "Rest of this fact" in row.select_one("[data-whole]").get_text()
    assert "the end" in desk.client.get(row.select_one("[data-whole]")["href"]).content.decode()


def test_nothing_is_called_current_while_the_directory_is_missing(busy):
    log = busy.root / f"{DAY}.md"
    log.unlink()
    log.mkdir()
    assert "the others are current" in busy.get(f"days/{DAY}").text
    log.rmdir()
    busy.root.rename(busy.root.with_name("away"))
    assert "the others are current" not in busy.get(f"days/{DAY}").text
