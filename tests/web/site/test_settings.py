"""The settings of a bot: a page for each kind, each with what it saves and what holds where nothing is saved."""

from __future__ import annotations

import pytest
from django.test import Client

from memory.bots import automation, costs, families, open_bot, privacy
from memory.dialects.kenobot.settings import FIELDS
from memory.models import Bot
from memory.web.site.settings_form import GROUPS

PAGES = ("settings", "settings/reads", "settings/compaction", "settings/costs", "webhooks/settings", "model")


def given(page, **more):
    """What a browser sends when nothing but `more` is touched."""
    form = page.soup.select_one("main form.settings")
    fields = {one["name"]: one.get("value", "") for one in form.select("input[name]") if one["type"] != "hidden"}
    for one in form.select("select[name]"):
        chosen = one.select_one("option[selected]") or one.option
        fields[one["name"]] = chosen["value"]
    return fields | more


def row(page, name):
    return " ".join(page.soup.find(attrs={"name": name}).find_parent(class_="setting").get_text(" ").split())


def change(desk, where, **more):
    """Change some settings of a page as a browser does; what is saved afterwards."""
    page = desk.post(where, **given(desk.get(where), **more))
    desk.bot.refresh_from_db()
    return page


@pytest.mark.parametrize("name", families.names())
def test_each_setting_of_a_family_stands_on_a_page(name):
    assert {field.group for field in families.dialect(name).fields} <= set(GROUPS)


@pytest.mark.parametrize("where", PAGES)
def test_form_that_is_sent_as_it_came_changes_nothing(desk, where):
    saved = {"memory_days": 5, "capture": "observe", "keep_logs": False, "token_price": 0.25, "facts_per_turn": 2}
    for before in ({}, saved):
        desk.bot.settings = before
        desk.bot.save()
        change(desk, where)
        assert (desk.bot.settings, desk.bot.name, desk.bot.time_zone) == (before, "KenoBot", "UTC")


def test_every_setting_stands_on_one_page(desk):
    shown = [name for where in PAGES for name in given(desk.get(where))]
    every = [field.name for field in (*FIELDS, *automation.FIELDS, *costs.FIELDS, *privacy.FIELDS)]
    assert sorted(shown) == sorted([*every, "name", "time_zone"])


def test_settings_are_saved_and_taken_back(desk):
    change(desk, "settings", name="Keno", time_zone="America/Mexico_City")
    change(desk, "settings/reads", memory_days="5")
    change(desk, "webhooks/settings", capture="observe")
    change(desk, "settings/compaction", keep_logs="false")
    assert desk.bot.settings == {"memory_days": 5, "capture": "observe", "keep_logs": False}
    assert (desk.bot.name, desk.bot.time_zone) == ("Keno", "America/Mexico_City")
    assert "saved here" in row(desk.get("settings/reads"), "memory_days")
    page = desk.get("settings/compaction")
    assert "saved here" not in row(page, "dedupe")
    assert given(page)["keep_logs"] == "false"
    change(desk, "settings/reads", memory_days="")
    change(desk, "webhooks/settings", capture="")
    assert desk.bot.settings == {"keep_logs": False}


def test_page_says_what_holds_without_a_saved_value(desk, settings):
    settings.BOT_DEFAULTS = {"MEMORY_DAYS": 9}
    desk.write("procedural/patterns.json", "[]")
    page = desk.get("settings/reads")
    assert "Default: 9, from MEMORY_DAYS in the environment" in row(page, "memory_days")
    assert "Default: 30, built in" in row(desk.get("settings/compaction"), "memory_retention_days")
    assert "Default: 0.7, guessed from its files" in row(desk.get("settings"), "version")
    field = page.soup.find("input", {"name": "memory_days"})
    assert (field["placeholder"], field.get("value"), field["max"]) == ("9", None, "30")
    change(desk, "settings/reads", memory_days="4")
    assert open_bot(desk.bot).settings.memory_days == 4
    assert "Default: 9, from MEMORY_DAYS in the environment" in row(desk.get("settings/reads"), "memory_days")


@pytest.mark.parametrize(
    ("where", "field", "value"),
    [
        ("settings/reads", "memory_days", "31"),
        ("settings/reads", "memory_days", "x"),
        ("settings", "time_zone", "Mars/Base"),
        ("settings", "name", ""),
        ("webhooks/settings", "capture", "maybe"),
        ("model", "facts_per_turn", "11"),
        ("settings/costs", "token_price", "-1"),
        ("settings/costs", "token_price", "0.00001"),
        ("settings/costs", "token_price", "nan"),
        ("settings/costs", "token_budget", "2.5"),
    ],
)
def test_settings_out_of_range_are_refused_in_words(desk, where, field, value):
    page = change(desk, where, **{field: value})
    assert page.status == 422
    kept = page.soup.find(attrs={"name": field})
    assert kept["aria-invalid"] == "true"
    assert kept.find_parent(class_="setting").select_one(".errorlist")
    assert kept.find_parent(class_="setting")["data-was"] == given(desk.get(where))[field]
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
    assert "Default: 0, built in" in row(desk.get("settings/costs"), "token_price")
    change(desk, "settings/costs", tokens_of="llama-2", token_price="0.25", token_budget="4000")
    assert desk.bot.settings == {"tokens_of": "llama-2", "token_price": 0.25, "token_budget": 4000}
    assert costs.costs_of(desk.bot) == costs.Costs("llama-2", 0.25, 4000)
    assert open_bot(desk.bot).settings == open_bot(desk.bot).unsaved_settings
    assert given(desk.get("settings/costs"))["token_price"] == "0.25"


# ---- the pages ----------------------------------------------------------------------------------------------------------------


def beside(page):
    return [(link.get_text(strip=True), link["href"]) for link in page.soup.select(".tree a")]


def test_pages_stand_beside_each_other_and_removing_for_operators_alone(desk, owner):
    assert beside(desk.get("settings")) == [
        ("General", "/keno/settings"),
        ("What it reads", "/keno/settings/reads"),
        ("Compaction", "/keno/settings/compaction"),
        ("Costs", "/keno/settings/costs"),
        ("Language model", "/keno/model"),
        ("Webhooks", "/keno/webhooks/"),
        ("API keys", "/keno/api"),
        ("Notifications", "/keno/notifications"),
        ("Export and import", "/keno/export"),
    ]
    desk.client.force_login(owner)
    assert beside(desk.get("model"))[-1] == ("Remove", "/bots/keno/remove")
    page = desk._page(desk.client.get("/bots/keno/remove"))
    assert page.soup.select_one(".tree a[aria-current]").get_text() == "Remove"
    assert page.soup.select_one(".places > ul a[aria-current]").get_text(strip=True) == "Settings"


def test_page_without_a_setting_is_left_out_and_says_why(desk, settings):
    settings.DIALECTS = [*settings.DIALECTS, "tests.support.jotter.family"]
    Bot.objects.filter(pk=desk.bot.pk).update(dialect="jotter")
    names = [name for name, _url in beside(desk.get("settings"))]
    assert not {"What it reads", "Compaction"} & set(names)
    assert {"General", "Costs", "Webhooks"} <= set(names)
    for where in ("settings/reads", "settings/compaction", "webhooks/settings"):
        page = desk.get(where)
        assert page.status == 404
        assert "KenoBot has no settings of this kind." in page.text
    assert "/keno/webhooks/settings" not in str(desk.get("webhooks/").soup)


# ---- what cannot work together ----------------------------------------------------------------------------------------------


def doubts(page):
    return [
        notice.get_text(strip=True) for notice in page.soup.select("main .body > .notice:not([hidden]):not(.rules)")
    ]


@pytest.mark.parametrize(
    ("where", "saved", "model", "words"),
    [
        ("settings/compaction", {}, "", None),
        (
            "settings/compaction",
            {"compact_by": "meaning"},
            "",
            "Compaction with the language model needs one to be set up. Until then it is exact.",
        ),
        ("settings/compaction", {"compact_by": "meaning"}, "playing-1", None),
        ("settings/costs", {"compact_by": "meaning"}, "", None),
        ("model", {"facts_per_turn": 3}, "", "Facts can’t be picked from deliveries until a language model is set up."),
        (
            "settings/costs",
            {"daily_dollars": 5},
            "playing-1",
            "The daily limit is in dollars but no price is set, so it is never reached.",
        ),
        ("settings/costs", {"daily_dollars": 5, "answer_price": 2.5}, "playing-1", None),
        ("settings/costs", {"daily_dollars": 5, "token_price": 2.5}, "", None),
    ],
)
def test_settings_that_cannot_work_together_are_named_beside_them(desk, settings, where, saved, model, words):
    settings.LLM_BASE_URL, settings.LLM_MODEL = ("http://127.0.0.1:9/v1" if model else ""), model
    desk.bot.settings = saved
    desk.bot.save()
    found = doubts(desk.get(where))
    assert found == ([] if words is None else [words])


def test_a_price_and_a_limit_are_set_where_they_are_missed(desk):
    page = desk.get("settings/costs")
    assert "0 for no limit. 0 to 2,000,000,000 Default: 0, built in" in page.text
    assert page.soup.select_one("#id_token_price")
    assert desk.get("prompt/").link("Set a price to see dollars") == "/keno/settings/costs#id_token_price"


@pytest.mark.parametrize(
    ("query", "address"),
    [
        (
            "retention",
            "/keno/settings/reads#id_memory_retention_days|/keno/settings/compaction#id_memory_retention_days",
        ),
        ("webhook", "/keno/webhooks/"),
        ("hold deliveries", "/keno/webhooks/settings#id_deliveries"),
        ("dark", "/account"),
        ("backup", "/keno/export"),
    ],
)
def test_a_setting_is_found_by_what_people_call_it(desk, query, address):
    found = [link["href"] for link in desk.get("settings/find", q=query).soup.select("main ul.rows a")]
    assert set(address.split("|")) & set(found), found


def test_a_setting_is_found_on_whichever_page_it_is(desk):
    page = desk.get("settings/find", q="retention OR nothing")
    assert page.soup.select(".tree a")
    assert not page.soup.select(".tree [aria-current]")
    assert "No results for “retention OR nothing”" in page.text
    page = desk.get("settings/find", q="token price")
    links = page.soup.select("main ul.rows a")
    assert links
    assert all(link["href"].startswith("/keno/settings/costs#id_") for link in links)
    assert page.soup.find("input", id="find-setting")["value"] == "token price"
    assert desk.get("settings").soup.find("input", {"placeholder": "Find a setting"})
