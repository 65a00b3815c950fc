"""Facts of any family that have attributes have rows, the pages of entries and the command that prunes them."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from memory.curation import pins
from memory.journal import By, pinning
from memory.models import ChangeSet, FactAttributes
from memory.text.markdown.normal import key

ITEMS = "items/telegram-5.jsonl"


def line(text, kind="note", status="open", at="2026-01-02T00:00:00+00:00"):
    return json.dumps({"text": text, "kind": kind, "status": status, "at": at}) + "\n"


@pytest.fixture
def jotter(desk, settings):
    settings.DIALECTS = [*settings.DIALECTS, "tests.support.jotter.family"]
    desk.bot.dialect = "jotter"
    desk.bot.save()
    desk.write(ITEMS, line("Water the plants", "task") + line("Call Ana", "task", "done") + line("Likes tea"))
    desk.indexed()
    return desk


def prune(*words, capsys):
    call_command("memory", "prune", "--bot", "keno", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_rows_follow_the_file(jotter):
    told = FactAttributes.objects.values_list("fact__text", "kind", "whose", "status")
    assert set(told) == {
        ("Water the plants", "task", "chat", "open"),
        ("Call Ana", "task", "chat", "done"),
        ("Likes tea", "note", "chat", "open"),
    }
    jotter.write(ITEMS, line("Water the plants", "task", "done") + line("Likes tea"))
    jotter.step()
    told = FactAttributes.objects.values_list("fact__text", "status")
    assert set(told) == {("Water the plants", "done"), ("Likes tea", "open")}


def test_page_has_the_words_of_the_family_and_no_column_that_it_lacks(jotter):
    page = jotter.get("entries")
    assert page.status == 200
    assert "What it jotted down." in page.text
    assert {"Water the plants", "Call Ana", "Likes tea"} == {
        row.a.get_text() for row in page.soup.select("tr[data-row]")
    }
    assert "Importance" not in page.text
    assert "entries" in str(jotter.get().soup.find("nav"))
    assert [
        row.a.get_text() for row in jotter.get("entries", kind="task", status="done").soup.select("tr[data-row]")
    ] == ["Call Ana"]


def test_where_only_texts_are_edited_no_details_are_offered(jotter):
    row = jotter.get("entries").soup.select_one("tr[data-row]")
    assert "Details" not in row.get_text()
    fact = FactAttributes.objects.first().fact
    assert jotter.get("entries/details", fact=f"{fact.key}:0:{ITEMS}").status == 404


def test_family_without_attributes_has_no_such_page(desk, capsys):
    for page in (desk.get("entries"), desk.get("entries/new"), desk.get("entries/details"), desk.post("entries/prune")):
        assert page.status == 404
        assert "This bot doesn’t keep entries." in page.text
    with pytest.raises(SystemExit):
        call_command("memory", "prune", "--bot", "keno", "--expired")
    assert capsys.readouterr().err == "This bot doesn’t keep entries.\n"


def test_one_is_added(jotter):
    asked = {"kind": "task", "whose": "chat", "chat": "telegram-5", "text": "BUY BREAD"}
    assert "It shouts." in jotter.post("entries/new", **asked).text
    added = jotter.post("entries/new", **asked, anyway="on")
    assert added.soup.select_one(".toast p").get_text() == "Added"
    assert json.loads(jotter.read(ITEMS).splitlines()[-1])["text"] == "BUY BREAD"
    assert FactAttributes.objects.get(fact__text="BUY BREAD").status == "open"


def test_what_the_filters_mean_is_forgotten_and_comes_back(jotter):
    before = jotter.read(ITEMS)
    shown = jotter.post("entries/prune", kind="task")
    assert "Forget 2 entries?" in shown.text
    assert "The lines go." in shown.text
    assert jotter.read(ITEMS) == before
    told = shown.soup.find("input", {"name": "print"})["value"]
    jotter.post("entries/prune", kind="task", print=told)
    assert jotter.read(ITEMS) == line("Likes tea")
    jotter.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert jotter.read(ITEMS) == before


def test_command_prunes(jotter, capsys):
    assert prune("--older-than-days", "30", "--kind", "task", capsys=capsys)["by_kind"] == {"task": 2}
    assert prune("--scope", "chat", "--channel", "telegram", "--chat-id", "5", capsys=capsys)["entries"] == 3
    assert prune("--kind", "task", "--yes", capsys=capsys)["entries"] == 2
    assert jotter.read(ITEMS) == line("Likes tea")


def test_pinned_entries_are_neither_shown_nor_forgotten(jotter):
    pinning.mark(jotter.bot, [key("Call Ana")], By("Ana"), pinned=True)
    shown = jotter.post("entries/prune", kind="task")
    assert "Water the plants" in shown.text
    assert "Call Ana" not in shown.text
    jotter.post("entries/prune", kind="task", print=shown.soup.select_one("[name=print]")["value"])
    assert jotter.read(ITEMS) == line("Call Ana", "task", "done") + line("Likes tea")


def test_entries_that_are_selected_in_the_table_are_moved_forgotten_pinned_and_merged(jotter):
    page = jotter.get("entries")
    form = page.soup.select_one("form.entries")
    boxes = {row.a.get_text(): row.select_one("input.select")["value"] for row in form.select("tr[data-row]")}
    assert form["action"].endswith("/entry/forget")
    deeds = {button["data-deed"]: button.get("formaction", form["action"]) for button in form.select("[data-deed]")}
    assert set(deeds) == {"forget", "move", "merge", "pin"}
    some = [boxes["Water the plants"], boxes["Call Ana"]]
    page = jotter.post("entry/pin", fact=some)
    jotter.post("entry/pin", fact=some, print=page.soup.select_one("button[name=print]")["value"])
    assert pins.keys(jotter.bot) == {key("Water the plants"), key("Call Ana")}
    shown = jotter.post("entry/move", fact=some, to="shared")
    assert shown.soup.h1.get_text() == "Move 2 facts"
    assert "“Call Ana”: kind Task" in shown.soup.select_one(".acting").get_text()
    button = shown.soup.select_one("button[name=print]")
    jotter.post("entry/move", fact=some, to="shared", print=button["value"])
    assert jotter.read("MEMORY.md").endswith("- Water the plants\n- Call Ana\n")
    assert jotter.read(ITEMS) == line("Likes tea")
    jotter.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert jotter.read(ITEMS).count("\n") == 3
    assert jotter.post("entry/merge", fact=some).soup.h1.get_text() == "Merge 2 facts"
    assert jotter.post("entry/forget", fact=some).soup.h1.get_text() == "Forget 2 facts?"
