"""The page of numbers over time, and the same as CSV and for programs."""

from __future__ import annotations

import csv
from datetime import date, timedelta

import pytest
from django.utils import timezone

from memory.bots import open_bot
from memory.models import Fact, Measure, Tallied, Tally
from memory.numbers import tallies


def today_of(bot):
    return date.fromisoformat(open_bot(bot).today())


@pytest.fixture
def counted(desk):
    """A bot that was measured for ten days and learned and forgot in that time."""
    today = today_of(desk.bot)
    for back in range(10):
        Measure.objects.create(
            bot=desk.bot,
            day=(today - timedelta(days=back)).isoformat(),
            at=timezone.now(),
            facts=10,
            size=1000 - back,
            tokens=2000 - 100 * back,
            open=back,
            settled=1,
        )
    for back, source, learned, forgotten in ((0, "turns", 12, 0), (0, "edits", 2, 3), (400, "found", 7, 0)):
        day = (today - timedelta(days=back)).isoformat()
        Tally.objects.create(bot=desk.bot, day=day, source=source, learned=learned, forgotten=forgotten)
    Tallied.objects.create(bot=desk.bot)
    return desk


def part(page, key):
    return page.soup.select_one(f"section[aria-labelledby={key}]")


def table(page, key):
    return [[cell.get_text(" ", strip=True) for cell in row("td")] for row in part(page, key).select("tbody tr")]


def test_each_chart_says_its_result_and_has_a_table_behind_it(counted):
    page = counted.get("numbers")
    for key in ("prompt", "learned", "forgotten", "open", "settled"):
        svg = part(page, key).select_one("svg")
        assert svg["role"] == "img", key
        assert svg.title.get_text(), key
        assert svg.select_one("desc"), key
        assert table(page, key), key
    assert table(page, "prompt")[0][1] == "2,000 tokens"
    assert table(page, "prompt")[-1][1] == "1,100 tokens"
    assert table(page, "open")[-1][1] == "9"
    assert "2,000 tokens" in part(page, "prompt").title.get_text()


def test_what_was_learned_is_told_by_week_and_source(counted):
    page = counted.get("numbers")
    assert [row[1] for row in table(page, "learned")] == ["14 (Deliveries 12, Edits 2)"]
    assert [row[1] for row in table(page, "forgotten")] == ["3 (Edits 3)"]
    rows = [row.get_text("|", strip=True) for row in part(page, "sources").select("tbody tr")]
    assert rows == ["Deliveries|12|0", "Edits|2|3"]


def test_all_goes_back_to_the_first_day(counted):
    rows = part(counted.get("numbers?span=all"), "sources").select("tbody tr")
    assert [row.td.get_text() for row in rows] == ["Deliveries", "Edits", "First import"]
    assert counted.get("numbers?span=nonsense").soup.select_one(".filters [aria-current]").get_text() == "6 months"


def test_a_long_time_is_told_by_month_and_a_very_long_one_by_quarter(counted):
    year = today_of(counted.bot).year
    for when in (f"{year - 3}-03-04", f"{year - 3}-03-05"):
        Tally.objects.create(bot=counted.bot, day=when, source="outside", learned=5)
    page = counted.get("numbers?span=all")
    assert table(page, "learned")[-1] == [f"March {year - 3}", "10 (Edited outside Kenoweb 10)"]
    assert "Month" in part(page, "learned").select_one("thead").get_text()
    Tally.objects.create(bot=counted.bot, day="2016-03-04", source="outside", learned=5)
    page = counted.get("numbers?span=all")
    assert table(page, "learned")[-1] == ["Three months from January 2016", "5 (Edited outside Kenoweb 5)"]
    names = [row[0] for row in table(page, "learned")]
    assert len(names) == len(set(names))


def test_a_year_asks_for_no_more_statements_than_a_week(counted, django_assert_max_num_queries):
    with django_assert_max_num_queries(30) as few:
        counted.get("numbers")
    today = today_of(counted.bot)
    Measure.objects.bulk_create(
        Measure(bot=counted.bot, day=str(today - timedelta(days=n)), at=timezone.now(), facts=1, open=0, settled=0)
        for n in range(10, 3000)
    )
    with django_assert_max_num_queries(30) as many:
        counted.get("numbers?span=all")
    assert len(many) <= len(few) + 2


def test_a_bot_that_was_never_measured_says_how_its_numbers_come(desk):
    page = desk.get("numbers")
    assert "Noted once a day" in page.text
    assert "aren’t counted yet" in page.text
    assert "None in this time" not in page.text
    assert page.soup.select_one("main svg.chart") is None


@pytest.mark.parametrize("span", ["half", "year", "all"])
def test_two_days_make_a_line_however_long_a_time_is_asked_for(desk, span):
    monday = today_of(desk.bot) - timedelta(days=today_of(desk.bot).weekday() + 7)
    for after in range(2):
        day = (monday + timedelta(days=after)).isoformat()
        Measure.objects.create(bot=desk.bot, day=day, at=timezone.now(), facts=1, tokens=9, open=1, settled=0)
    Tally.objects.create(bot=desk.bot, day=str(monday - timedelta(days=300)), source="found", learned=1)
    assert len(table(desk.get(f"numbers?span={span}"), "prompt")) == 2


def test_csv_has_a_line_a_day_and_a_column_a_source(counted):
    response = counted.client.get("/keno/numbers.csv")
    assert response["Content-Type"].startswith("text/csv")
    assert "attachment" in response["Content-Disposition"]
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert len(rows) == 11
    last = rows[-1]
    assert (last["prompt_tokens"], last["learned_turns"], last["forgotten_edits"]) == ("2000", "12", "3")
    assert rows[0]["prompt_tokens"] == ""
    assert rows[0]["learned_found"] == "7"


def test_others_see_none_of_it(counted, client):
    for address in ("numbers", "numbers.csv"):
        assert client.get(f"/keno/{address}").status_code == 302


def test_what_somebody_forgets_is_on_the_page(desk):
    desk.indexed()
    desk.bot.refresh_from_db()
    tallies.count(desk.bot)
    one = Fact.objects.select_related("document").filter(document__path="MEMORY.md").first()
    desk.post("entry/forget", path=one.document.path, fact=f"{one.key}:{one.nth}:{one.document.path}")
    tallies.count(desk.bot)
    assert [row[1] for row in table(desk.get("numbers"), "forgotten")] == ["1 (Edits 1)"]
