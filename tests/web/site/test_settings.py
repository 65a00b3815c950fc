from __future__ import annotations

import pytest
from django.test import Client

from memory.bots import costs, open_bot
from memory.models import Bot


def given(page, **more):
    """What a browser sends when nothing but `more` is touched."""
    form = page.soup.select_one("main form")
    fields = {one["name"]: one.get("value", "") for one in form.select("input[name]") if one["type"] != "hidden"}
    for one in form.select("select[name]"):
        chosen = one.select_one("option[selected]") or one.option
        fields[one["name"]] = chosen["value"]
    return fields | more


def row(page, name):
    return " ".join(page.soup.find(attrs={"name": name}).parent.get_text(" ").split())


def test_form_that_is_sent_as_it_came_saves_nothing(desk):
    page = desk.get("settings")
    assert page.soup.find("input", {"name": "memory_days"})["max"] == "30"
    desk.post("settings", **given(page))
    desk.bot.refresh_from_db()
    assert desk.bot.settings == {}


def test_settings_are_saved_and_taken_back(desk):
    changed = {"memory_days": "5", "capture": "observe", "keep_logs": "false", "name": "Keno"}
    desk.post("settings", **given(desk.get("settings"), **changed, time_zone="America/Mexico_City"))
    desk.bot.refresh_from_db()
    assert desk.bot.settings == {"memory_days": 5, "capture": "observe", "keep_logs": False}
    assert (desk.bot.name, desk.bot.time_zone) == ("Keno", "America/Mexico_City")
    page = desk.get("settings")
    assert "saved here" in row(page, "memory_days")
    assert "saved here" not in row(page, "dedupe")
    assert given(page)["keep_logs"] == "false"
    desk.post("settings", **given(page, memory_days="", capture=""))
    desk.bot.refresh_from_db()
    assert desk.bot.settings == {"keep_logs": False}


def test_page_says_what_holds_without_a_saved_value(desk, settings):
    settings.BOT_DEFAULTS = {"MEMORY_DAYS": 9}
    desk.write("procedural/patterns.json", "[]")
    page = desk.get("settings")
    assert "Default: 9, from MEMORY_DAYS in the environment" in row(page, "memory_days")
    assert "Default: 30, built in" in row(page, "memory_retention_days")
    assert "0.7 (guessed from its files)" in row(page, "version")
    assert page.soup.find("input", {"name": "memory_days"})["placeholder"] == "9"
    desk.post("settings", **given(page, memory_days="4"))
    desk.bot.refresh_from_db()
    assert open_bot(desk.bot).settings.memory_days == 4
    assert "Default: 9, from MEMORY_DAYS in the environment" in row(desk.get("settings"), "memory_days")


@pytest.mark.parametrize(
    ("field", "value"),
    [("memory_days", "31"), ("memory_days", "x"), ("time_zone", "Mars/Base"), ("capture", "maybe"), ("name", "")],
)
def test_settings_out_of_range_are_refused_in_words(desk, field, value):
    page = desk.post("settings", **given(desk.get("settings"), **{field: value}))
    assert page.status == 422
    assert page.soup.select_one(".errorlist")
    desk.bot.refresh_from_db()
    assert (desk.bot.settings, desk.bot.name) == ({}, "KenoBot")


def test_rename_keeps_the_address_and_says_so(desk):
    page = desk.get("settings")
    assert "The address stays /keno/ , for pages and webhook alike." in page.text
    desk.post("settings", **given(page, name="<b>Rosa</b>"))
    assert desk.get("settings").soup.find("strong", string="<b>Rosa</b>")
    assert Bot.objects.get().slug == "keno"


def test_directories_and_removal_are_shown_to_operators_only(desk, owner):
    assert str(desk.root) not in str(desk.get("settings").soup)
    assert "/bots/keno/remove" not in str(desk.get("settings").soup)
    boss = Client()
    boss.force_login(owner)
    shown = boss.get("/keno/settings").content.decode()
    assert str(desk.root) in shown
    assert "/bots/keno/remove" in shown


def test_what_memory_costs_is_saved_beside_what_the_bot_knows(desk):
    page = desk.get("settings")
    assert "Default: 0, built in" in row(page, "token_price")
    desk.post("settings", **given(page, tokens_of="llama-2", token_price="0.25", token_budget="4000"))
    desk.bot.refresh_from_db()
    assert desk.bot.settings == {"tokens_of": "llama-2", "token_price": 0.25, "token_budget": 4000}
    assert costs.costs_of(desk.bot) == costs.Costs("llama-2", 0.25, 4000)
    assert open_bot(desk.bot).settings == open_bot(desk.bot).unsaved_settings
    assert given(desk.get("settings"))["token_price"] == "0.25"


@pytest.mark.parametrize(
    ("name", "value"),
    [("token_price", "-1"), ("token_price", "0.00001"), ("token_price", "nan"), ("token_budget", "2.5")],
)
def test_cost_that_is_none_is_refused(desk, name, value):
    page = desk.post("settings", **given(desk.get("settings"), **{name: value}))
    assert page.status == 422
    desk.bot.refresh_from_db()
    assert desk.bot.settings == {}


# ---- what cannot work together ----------------------------------------------------------------------------------------------


def doubts(page):
    return [
        notice.get_text(strip=True) for notice in page.soup.select("main .body > .notice:not([hidden]):not(.rules)")
    ]


@pytest.mark.parametrize(
    ("saved", "model", "words"),
    [
        ({}, "", None),
        (
            {"compact_by": "meaning"},
            "",
            "Compaction with the language model needs one to be set up. Until then it is exact.",
        ),
        ({"compact_by": "meaning"}, "playing-1", None),
        ({"facts_per_turn": 3}, "", "Facts can’t be picked from deliveries until a language model is set up."),
        (
            {"daily_dollars": 5},
            "playing-1",
            "The daily limit is in dollars but no price is set, so it is never reached.",
        ),
        ({"daily_dollars": 5, "answer_price": 2.5}, "playing-1", None),
        ({"daily_dollars": 5, "token_price": 2.5}, "", None),
    ],
)
def test_settings_that_cannot_work_together_are_named(desk, settings, saved, model, words):
    settings.LLM_BASE_URL, settings.LLM_MODEL = ("http://127.0.0.1:9/v1" if model else ""), model
    desk.bot.settings = saved
    desk.bot.save()
    found = doubts(desk.get("settings"))
    assert found == ([] if words is None else [words])


def test_settings_of_the_model_stand_after_the_prices_they_speak_of(desk):
    page = desk.get("settings")
    titles = [title.get_text() for title in page.soup.select(".settings h2")]
    assert titles.index("Costs") < titles.index("Language model")
    assert page.link("Setup and costs") == "/keno/model"
    assert "0 for no limit. 0 to 2,000,000,000 Default: 0, built in" in page.text
