"""Show on a page that answers a form: who presses it sees that page again, with what was sent and typed, and nothing is written."""

from __future__ import annotations

import re

import pytest

from memory.models import ChangeSet, Fact

PASSWORD, OTHER = "hunter2-Regen", "Swordfish-99"
HELD = f"- The wifi password: {PASSWORD}\n- The mail password: {OTHER}\n"
LOG = f"## 10:30 — Likes Go\n\n## 10:31 — The alarm password: {PASSWORD}\n\n"


@pytest.fixture
def keeper(desk):
    desk.write("MEMORY.md", HELD)
    desk.write("2026-01-01.md", LOG)
    desk.step()
    return desk


def names(desk, path="MEMORY.md"):
    facts = Fact.objects.filter(bot=desk.bot, document__path=path).order_by("ordinal")
    return [f"{fact.key}:{fact.nth}:{path}" for fact in facts]


def pressed(desk, page, button="main .secret, #hidden-secrets button"):
    """What comes when Show is pressed on a page."""
    assert page.soup.select_one(button)["form"] == "show-secrets"
    return sent(desk, page.soup.find("form", id="show-secrets"))


def sent(desk, form):
    fields: dict[str, list[str]] = {}
    for field in form.select("input[name]"):
        fields.setdefault(field["name"], []).append(field["value"])
    assert form["action"].startswith("/keno/")
    return desk.post(form["action"].removeprefix("/keno/"), **fields)


def written():
    return ChangeSet.objects.count()


def test_facts_to_merge_are_there_with_their_text_after_show(keeper):
    page = keeper.post("entry/merge", fact=names(keeper))
    assert "Show it to edit the text." in page.text
    again = pressed(keeper, page)
    assert again.soup.find("textarea", {"name": "text"}).get_text(strip=True).endswith(PASSWORD)
    assert keeper.read() == HELD


def test_what_was_typed_is_there_after_show_and_not_written_by_it(keeper):
    page = keeper.post("entry/merge", fact=names(keeper), text="Both passwords are in the safe", sure="1")
    again = pressed(keeper, page)
    assert again.soup.find("textarea", {"name": "text"}).get_text(strip=True) == "Both passwords are in the safe"
    assert keeper.read() == HELD


def test_many_facts_that_are_about_to_be_forgotten_are_still_asked_about(keeper):
    page = keeper.post("entry/forget", fact=names(keeper))
    assert PASSWORD not in page.text
    again = pressed(keeper, page)
    assert "Forget 2 facts?" in again.text
    assert PASSWORD in again.text
    assert keeper.read() == HELD


def test_what_is_ticked_in_a_plan_stays_so_after_show(keeper):
    page = keeper.get("compaction")
    form = page.soup.find("form", id="plan-form")
    ticks = {"shown": [box["value"] for box in form.select("input[name=shown]")], "scope": "", "plan": "1"}
    page = keeper.post("compaction", **ticks)  # nothing is ticked
    assert "Nothing selected" in page.text
    again = pressed(keeper, page)
    assert "Nothing selected" in again.text
    assert PASSWORD in again.text


def test_a_plan_that_was_not_applied_is_not_applied_by_show(keeper):
    page = keeper.post("compaction/apply", fingerprint="another", same_words="on", shown=["none"])
    before = written()
    again = pressed(keeper, page)
    assert PASSWORD in again.text
    assert written() == before


def test_a_replacement_that_is_shown_is_not_made_by_show(keeper):
    page = keeper.post("replace", find="password", instead="word")
    again = pressed(keeper, page)
    assert PASSWORD in again.text
    marked = again.soup.find("input", {"name": "print"})["value"]
    form = {"find": "password", "instead": "word", "print": marked}
    refused = keeper.post("replace", secrets_are="shown", **form)
    assert "Nothing was saved yet. Press the button again to save." in refused.text
    assert keeper.read() == HELD
    keeper.post("replace", **form)
    assert keeper.read() == HELD.replace("password", "word")


def test_hiding_them_again_keeps_the_place_too(keeper):
    shown = pressed(keeper, keeper.post("entry/forget", fact=names(keeper)))
    again = sent(keeper, shown.soup.select_one("#secrets form"))
    assert "Forget 2 facts?" in again.text
    assert PASSWORD not in again.text


def test_a_page_that_answers_another_form_leads_back_to_where_that_was_sent(keeper):
    page = keeper.client.post(
        "/keno/settings", {"name": ""}, headers={"Referer": "http://testserver/keno/settings?from=here"}
    )
    assert page.status_code == 422
    [back] = re.findall(r'name="next" value="([^"]+)"', page.content.decode().split('id="show-secrets"')[1])[:1]
    assert back == "/keno/settings?from=here"
