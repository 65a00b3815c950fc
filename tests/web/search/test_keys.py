"""The keys: one table for page and dialog, a switch, and the one that takes back the last deed."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from memory.domain.abilities import Talking
from memory.models import Bot, ChangeSet, Chat


def last_said(page):
    return page.soup.find(id="messages").get_text(" ", strip=True)


def listed(desk, address="/keys"):
    """The letters behind g in a list of the keys."""
    rows = desk._page(desk.client.get(address)).soup.select("dt")
    return {row.find_all("kbd")[1].get_text() for row in rows if row.kbd.get_text() == "g"}


def test_page_and_dialog_list_the_same(desk):
    page = desk._page(desk.client.get("/keys"))
    part = desk._page(desk.client.get("/keys", headers={"HX-Request": "true"}))
    assert part.soup.html is None
    assert [one.get_text() for one in page.soup.select("main dt")] == [one.get_text() for one in part.soup.select("dt")]
    assert len(page.soup.select("main dt")) > 15


def test_every_letter_behind_g_has_a_place_that_says_so(desk):
    there = {link["data-go"] for link in desk.get().soup.select("[data-go]")}
    assert listed(desk) == there
    assert "w" in there
    told = {link["title"] for link in desk.get("days/").soup.select(".places > ul a[title], .tree a[title]")}
    assert {"g then o", "g then d"} <= told


def test_the_dialog_of_a_bot_without_chats_lists_no_key_that_does_nothing_there(desk, monkeypatch):
    monkeypatch.setattr(Talking, "talking", None)  # a family that keeps no transcripts either
    Bot.objects.update(dialect="workspace")
    Chat.objects.all().delete()
    page = desk.get()
    there = {link["data-go"] for link in page.soup.select("[data-go]")}
    assert listed(desk, page.soup.select_one("[data-fill]")["data-fill"]) == there
    assert not {"c", "w"} & there
    missing = [desk.get(address) for address in ("chats/", "working/")]
    assert [page.status for page in missing] == [404, 404]
    assert "Nothing of this bot belongs to a chat" in missing[0].text
    assert "This bot keeps no working memory." in missing[1].text


def test_keys_can_be_switched_off_and_on(desk):
    answer = desk.client.post("/keys", {"keys": "off", "next": "/keno/memory"})
    assert answer["Location"] == "/keno/memory"
    assert desk.get().soup.body["data-keys"] == "off"
    assert "Single-key shortcuts are off in this browser." in desk._page(desk.client.get("/keys")).text
    desk.client.post("/keys", {"keys": "on"})
    assert "data-keys" not in desk.get().soup.body.attrs


def test_undo_takes_back_my_last_change_and_then_the_one_before(desk):
    before = desk.read()
    desk.save("- One\n")
    desk.save("- Two\n")
    assert desk.post("undo", next="/keno/memory").field == "- One\n"
    assert desk.read() == "- One\n"
    desk.post("undo")
    assert desk.read() == before
    page = desk.post("undo")
    assert last_said(page) == "You have no changes to undo here."
    assert desk.read() == before


def test_undo_takes_back_a_pin_and_not_the_edit_before_it(desk):
    desk.save("- One\n")
    one = desk.get("facts/MEMORY.md").soup.select_one(".facts .select")["value"]
    desk.post("entry/pin", one=one)
    assert "Undone: Pinned 1 fact" in last_said(desk.post("undo"))
    assert ("Nothing is pinned" in desk.get("pinned").text, desk.read()) == (True, "- One\n")


def test_undo_leaves_what_others_did(desk):
    desk.save("- Mine\n")
    other = Client()
    other.force_login(User.objects.create_user("bo"))
    other.post("/keno/undo")
    assert desk.read() == "- Mine\n"
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.UNDO).exists()


def test_undo_of_something_undone_by_hand_takes_the_one_before(desk):
    desk.save("- One\n")
    desk.save("- Two\n")
    desk.post(f"changes/{ChangeSet.objects.first().pk}/undo")
    assert desk.read() == "- One\n"
    desk.post("undo")
    assert "Prefers concise" in desk.read()


def test_undo_takes_back_what_was_redone(desk):
    desk.save("- One\n")
    desk.save("- Two\n")
    for _ in range(2):
        desk.post(f"changes/{ChangeSet.objects.first().pk}/undo")
    assert desk.read() == "- Two\n"
    desk.post("undo")
    assert desk.read() == "- One\n"


def test_undo_needs_a_post(desk):
    assert desk.client.get("/keno/undo").status_code == 405
