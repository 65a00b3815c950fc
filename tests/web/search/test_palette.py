"""The palette: what a few letters find, what is offered to whom, and the same without JavaScript."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.models import Bot, ChatName, Root
from tests.web.conftest import make_bot


def yesterday():
    return (datetime.now(UTC) - timedelta(days=1)).date().isoformat()


@pytest.fixture
def full(desk):
    desk.write(f"{yesterday()}.md", "## 10:30 — Likes tea\n\n")
    desk.write("2024-11-03.md", "## 10:30 — Likes coffee\n\n")
    desk.write("chats/telegram--1001234567890/MEMORY.md", "- A family\n")
    desk.write("chats/telegram-7/MEMORY.md", "- Somebody\n")
    desk.indexed()
    ChatName.objects.create(bot=desk.bot, scope="telegram--1001234567890", name="Família Ávila")
    return desk


def found(desk, typed):
    """Labels in order, as the page without JavaScript lists them."""
    return [row.find(["a", "button"]).get_text() for row in desk.get("go", q=typed).soup.select(".found li")]


@pytest.mark.database(cases=3)
@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("fami", "Família Ávila"),
        ("ávila", "Família Ávila"),
        ("7890", "Família Ávila"),
        ("tg7", "telegram-7"),
        ("chats/telegram-7/", "chats/telegram-7/MEMORY.md"),
        ("2024-11", "Sunday, 3 November 2024"),
        ("nov 3 2024", "Sunday, 3 November 2024"),
        ("compact", "Compaction"),
        ("plan comp", "Plan compaction"),
        ("dark", "Dark theme"),
        ("MEMORY.md", "MEMORY.md"),
    ],
)
def test_a_few_letters_find(full, typed, first):
    assert found(full, typed)[0] == first


def test_yesterday_is_a_day(full):
    page = full.get("go", q="yesterday")
    assert page.soup.select_one(".found a")["href"] == f"/keno/days/{yesterday()}"


@pytest.mark.database
@pytest.mark.parametrize("typed", ["%", "_", "\\", "'; --", "<b>", "\x00", "é" * 500, "a%b", "zzzzqqq"])
def test_odd_letters_find_nothing_and_break_nothing(full, typed):
    page = full.get("go", q=typed)
    assert page.status == 200
    assert "No results" in page.text


@pytest.mark.database
def test_nothing_typed_offers_places_acts_and_the_latest_chats(full):
    names = found(full, "")
    assert names[:2] == ["Home", "Long-term memory"]
    assert {"Add a fact to today", "Família Ávila", "telegram-7"} <= set(names)


def test_acts_are_done_by_post_and_lead_back(full):
    page = full.get("go", q="dark theme")
    form = page.soup.select_one(".found form")
    assert (form["method"], form["action"]) == ("post", "/theme")
    assert form.button["value"] == "dark"


def test_what_only_operators_may_do_is_offered_to_them_alone(full):
    assert "People" not in found(full, "people")
    full.client.force_login(User.objects.create_superuser("root"))
    assert found(full, "people")[0] == "People"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("language", "Language model"),
        ("sessions", "Account"),
        ("theme", "Light theme"),
        ("invite", "People"),
        ("secret", "Webhook secrets"),
        ("password", "Password"),
        ("token", "API keys"),
        ("undo", "Undo your last change"),
    ],
)
def test_words_that_people_look_for_it_by_find_it(full, typed, first):
    full.client.force_login(User.objects.create_superuser("root"))
    assert found(full, typed)[0] == first


def test_the_dialog_gets_options_and_their_number_in_words(full):
    answer = full.client.get("/keno/go", {"q": "telegram"}, headers={"HX-Request": "true"})
    page = full._page(answer)
    assert page.soup.html is None
    options = page.soup.select("[role=option]")
    assert len({option["id"] for option in options}) == len(options) >= 2
    assert re.fullmatch(r"\d+ results?", page.soup.select_one("[data-said]")["data-said"])


def test_other_bots_come_first_and_lead_to_their_home(full, tmp_path):
    for slug, name in (("atlas", "Atlas"), ("moss", "Moss & <b>co</b>")):
        bot = make_bot(tmp_path, slug)[0]
        Bot.objects.filter(pk=bot.pk).update(name=name)
    assert found(full, "")[:3] == ["Atlas", "Moss & <b>co</b>", "Home"]
    assert found(full, "atl")[0] == "Atlas"
    assert full.get("go", q="atlas").soup.select_one(".found .when").get_text() == "KenoBot"
    Path(Root.objects.get(bot__slug="atlas").path).rename(tmp_path / "away")
    full.client.get("/atlas/")  # counts what there is to review
    assert full.get("go", q="atlas").soup.select_one(".found .when").get_text() == "KenoBot · 1 to review"
    assert found(full, "mos")[0] == "Moss & <b>co</b>"
    assert full.get("go", q="atlas").soup.select_one(".found a")["href"] == "/atlas/"
    assert "KenoBot" not in found(full, "keno")
    Bot.objects.filter(slug="atlas").update(removed=datetime.now(UTC))
    assert "Atlas" not in found(full, "atl")


def test_pages_of_one_name_are_told_apart_by_their_places(full):
    rows = [row.get_text(" ", strip=True) for row in full.get("go", q="compaction").soup.select(".found li")]
    assert {"Compaction Tidy up g k", "Compaction Settings"} <= set(rows)


def test_a_bot_is_added_by_operators(full):
    assert "Add a bot" not in found(full, "add a bot")
    full.client.force_login(User.objects.create_superuser("root"))
    assert found(full, "add a bot")[0] == "Add a bot"
    assert full.get("go", q="add a bot").soup.select_one(".found a")["href"] == "/bots/add"


def test_strangers_find_nothing(full):
    assert Client().get("/keno/go", {"q": "telegram"}).status_code == 302
    assert full.client.get("/nobody/go", {"q": "telegram"}).status_code == 404


def statements(desk, typed):
    with CaptureQueriesContext(connection) as seen:
        desk.get("go", q=typed)
    return len(seen)


def test_more_chats_cost_no_more_statements(full):
    before = [statements(full, typed) for typed in ("", "telegram", "2024")]
    for number in range(40):
        full.write(f"chats/telegram-9{number}/2024-11-04.md", "## 10:30 — x\n\n")
    full.indexed()
    assert [statements(full, typed) for typed in ("", "telegram", "2024")] <= before


def test_every_place_and_act_leads_somewhere(full):
    full.client.force_login(User.objects.create_superuser("root"))
    page = full.get("go")
    for link in page.soup.select(".found a"):
        assert full.client.get(link["href"]).status_code == 200, link["href"]
    for form in page.soup.select(".found form"):
        assert full.client.get(form["action"]).status_code == 405, form["action"]


def test_what_is_alike_is_under_one_name_and_the_best_is_first(full):
    answer = full.client.get("/keno/go", {"q": "telegram"}, headers={"HX-Request": "true"})
    groups = full._page(answer).soup.select("[role=group]")
    names = [group["aria-label"] for group in groups]
    assert len(set(names)) == len(names)
    assert (names[0], names[-1]) == ("Chats", "Facts")
    assert {"Places", "Actions"} <= {
        group["aria-label"]
        for group in full._page(full.client.get("/keno/go", headers={"HX-Request": "true"})).soup.select("[role=group]")
    }
