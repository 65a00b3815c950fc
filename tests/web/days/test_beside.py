"""Today, yesterday and the months beside every page of Memory."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format

from memory import index
from tests.web.conftest import Visitor, make_bot

PAGES = ["memory", "documents/", "documents/MEMORY.md", "working", "days/", "days/today", "facts/MEMORY.md"]


def month(ago):
    """The first day of a month that many months before this one."""
    months = date.today().year * 12 + date.today().month - 1 - ago
    return date(months // 12, months % 12 + 1, 1)


def named(ago):
    return date_format(month(ago), "YEAR_MONTH_FORMAT")


def log(desk, day, facts=1):
    desk.write(f"{day}.md", "".join(f"## {n:02}:00 — Noted {n}\n\n" for n in range(facts)))


def beside(page):
    """Name and number of each line, and which of them say that they are shown."""
    rows = [one.get_text(" ").split() for one in page.soup.select("#days-beside li")]
    current = [one.select_one("span").get_text() for one in page.soup.select("#days-beside [aria-current]")]
    return [(" ".join(words), number) for *words, number in rows], current


@pytest.fixture
def lived(desk):
    """A bot with logs in each of the last six months, two facts a log, and one of a day that no calendar has."""
    for ago in range(1, 6):
        log(desk, month(ago), 2)
    log(desk, "2025-13-45")
    index.refresh(desk.bot)
    return desk


@pytest.mark.parametrize("place", PAGES)
def test_newest_months_stand_beside_every_page_of_memory(lived, place):
    rows, _current = beside(lived.get(place))
    months = [(named(ago), "2") for ago in (1, 2, 3)]
    assert rows == [*months, ("Older", "4")]


def test_elsewhere_no_days_stand_beside(lived):
    for place in ("", "history/", "tidy/", "settings"):
        assert not lived.get(place).soup.select("#days-beside"), place


def test_each_line_leads_to_a_page_that_says_it_is_this_one(lived):
    log(lived, date.today())
    log(lived, date.today() - timedelta(days=1))
    index.refresh(lived.bot)
    links = lived.get("memory").soup.select("#days-beside a")
    assert [link.span.get_text() for link in links][:2] == ["Today", "Yesterday"]
    for link in links:
        page = Visitor._page(lived.client.get(link["href"]))
        assert page.status == 200
        assert beside(page)[1] == [link.span.get_text()]
        assert [one.get_text() for one in page.soup.select("#tree > li > a[aria-current]")] == ["Days"]


def test_a_day_is_found_under_its_month(lived):
    assert beside(lived.get(f"days/{month(1)}"))[1] == [named(1)]
    assert beside(lived.get(f"days/{month(5)}"))[1] == ["Older"]
    assert beside(lived.get("days/2001-01-01"))[1] == []
    assert beside(lived.get("days/2025-13-45"))[1] == []


def test_four_months_need_no_line_for_what_is_older(desk):
    for ago in range(1, 5):
        log(desk, month(ago))
    index.refresh(desk.bot)
    assert [name for name, _number in beside(desk.get("memory"))[0]] == [*map(named, range(1, 5))]


def test_a_day_counts_the_logs_of_chats(desk):
    log(desk, date.today(), 2)
    log(desk, f"chats/telegram-1/{date.today()}", 3)
    index.refresh(desk.bot)
    assert beside(desk.get("memory"))[0] == [("Today", "5"), (named(0), "5")]
    assert desk.get("memory").soup.select_one("#days-beside .when")["title"] == "5 facts"


def test_a_bot_that_keeps_no_days_has_none_beside(desk, tmp_path):
    bot, root = make_bot(tmp_path, slug="toy")
    type(bot).objects.filter(pk=bot.pk).update(dialect="nanobot")
    bot.refresh_from_db()
    visitor = Visitor(bot, root, User.objects.create_superuser("bo", password="a long enough one"))
    assert visitor.get("documents/").status == 200
    assert not visitor.get("documents/").soup.select("#days-beside")


def test_ten_years_of_days_cost_no_statement_more(desk):
    def statements():
        desk.get("documents/")
        with CaptureQueriesContext(connection) as seen:
            desk.get("documents/")
        return len(seen)

    log(desk, date.today())
    index.refresh(desk.bot)
    before = statements()
    for ago in range(120):
        log(desk, month(ago))
    index.refresh(desk.bot)
    assert statements() == before
