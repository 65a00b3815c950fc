"""Working memory: what the bot reads of it and what not, and being rid of what is stale."""

from __future__ import annotations

import json
import os
import time

import pytest

from memory.models import ChangeSet
from memory.web.chats.working import DISCARDED_AT_ONCE


def write(desk, scope, text, days=0.0):
    desk.write(f"working/{scope}.md", text)
    then = time.time() - days * 86_400
    os.utime(desk.root / f"working/{scope}.md", (then, then))


@pytest.fixture
def pads(desk):
    """Two fresh scratchpads, three stale ones."""
    for scope, days in (("now", 0), ("week", 6.9), ("stale-1", 7.1), ("stale-2", 20), ("stale-3", 300)):
        write(desk, scope, f"- topic of {scope}\n- next: more\n", days)
    desk.indexed()
    return desk


def listed(page, shelf):
    return [link.get_text() for link in page.soup.select(f"[aria-labelledby={shelf}] .pads .called a")]


def there(desk):
    return sorted(path.stem for path in (desk.root / "working").glob("*.md"))


def discard(desk, scope, base=None, **more):
    path = f"working/{scope}.md"
    return desk.post("working/discard", path=path, base=base or desk.hash(path), **more)


def ask(desk):
    page = desk.post("working/discard")
    field = page.soup.find("input", {"name": "bases"})
    return page, field["value"] if field else ""


def test_fresh_and_stale_are_apart(pads):
    page = pads.get("working/")
    assert listed(page, "fresh") == ["now", "week"]
    assert listed(page, "stale") == ["stale-1", "stale-2", "stale-3"]
    assert "Notes per chat, read for 7 days after the last change" in page.text
    assert "topic of now" in page.text
    assert "3 working memories. Not updated for 7 days, so KenoBot ignores them. Editing renews one." in page.text


def test_the_rule_is_the_bots_own(pads):
    pads.bot.settings = {"working_memory_stale_days": 30}
    pads.bot.save()
    assert listed(pads.get("working/"), "fresh") == ["now", "week", "stale-1", "stale-2"]
    pads.write("procedural/patterns.json", "[]")  # 0.7 has a fixed number beside
    page = pads.get("working/")
    assert listed(page, "fresh") == ["now", "week"]
    assert "This version drops working memory after 7 days at most" in page.text


def test_the_page_is_as_the_files_are_now(pads):
    pads.write("working/stale-2.md", "- something new\n")
    (pads.root / "working/stale-3.md").unlink()
    page = pads.get("working/")
    assert listed(page, "fresh") == ["stale-2", "now", "week"]
    assert listed(page, "stale") == ["stale-1"]
    assert "something new" in page.text


def test_one_is_discarded_at_once_and_comes_back_with_its_age(pads):
    before = (pads.root / "working/stale-2.md").stat()
    page = discard(pads, "stale-2")
    assert there(pads) == ["now", "stale-1", "stale-3", "week"]
    assert "Discarded 1 working memory" in page.text
    undo = page.soup.select_one(".toast form")
    page = pads.post(undo["action"].removeprefix("/keno/"), next="/keno/working/")
    after = (pads.root / "working/stale-2.md").stat()
    assert after.st_mtime_ns == before.st_mtime_ns
    assert listed(page, "stale") == ["stale-1", "stale-2", "stale-3"]


def test_one_that_was_written_again_stays(pads):
    base = pads.hash("working/stale-1.md")
    write(pads, "stale-1", "- quite another topic\n", 7.1)
    page = discard(pads, "stale-1", base)
    assert "stale-1" in there(pads)
    assert "1 working memory was updated meanwhile and stays." in page.text


def test_one_that_is_gone_already_is_said(pads):
    base = pads.hash("working/stale-1.md")
    (pads.root / "working/stale-1.md").unlink()
    assert "It was already gone. Nothing was changed." in discard(pads, "stale-1", base).text
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"path": "MEMORY.md"},
        {"path": "working/../MEMORY.md"},
        {"path": "/etc/passwd"},
        {"path": ""},
        {"path": "working/now.md", "base": "nothing"},
        {"bases": "no json"},
        {"bases": "[1, 2]"},
        {"bases": '{"working/now.md": 7}'},
        {"bases": '{"MEMORY.md": ""}'},
    ],
)
def test_a_damaged_form_discards_nothing(pads, sent):
    before = there(pads)
    page = pads.post("working/discard", **{"base": pads.hash(), **sent})
    assert page.status == 200
    assert "Nothing was discarded" in page.text
    assert there(pads) == before
    assert pads.read("MEMORY.md")


def test_a_name_with_a_line_end_can_be_discarded(desk):
    write(desk, "two\nlines", "topic", 9)
    desk.indexed()
    form = desk.get("working/").soup.select_one("[aria-labelledby=stale] .pads form")
    sent = {field["name"]: field["value"].replace("\n", "\r\n") for field in form.select("input[type=hidden]")}
    desk.post("working/discard", path=sent["path"], base=sent["base"])
    assert there(desk) == []


def test_all_stale_ones_are_counted_first_and_discarded_in_one_change(pads):
    page, seen = ask(pads)
    assert "Discard 3 stale working memories?" in page.text
    assert "topic of stale-3" in page.text
    assert len(there(pads)) == 5
    page = pads.post("working/discard", bases=seen)
    assert there(pads) == ["now", "week"]
    assert "Discarded 3 working memories" in page.text
    assert ChangeSet.objects.get(kind=ChangeSet.Kind.EDIT).revisions.count() == 3
    pads.post(page.soup.select_one(".toast form")["action"].removeprefix("/keno/"))
    assert listed(pads.get("working/"), "stale") == ["stale-1", "stale-2", "stale-3"]


def test_what_was_written_since_the_question_stays_and_is_said(pads):
    seen = ask(pads)[1]
    write(pads, "stale-1", "- again\n", 7.1)
    write(pads, "stale-4", "- not asked about\n", 9)
    page = pads.post("working/discard", bases=seen)
    assert there(pads) == ["now", "stale-1", "stale-4", "week"]
    assert "Discarded 2 working memories" in page.text
    assert "1 working memory was updated meanwhile and stays." in page.text


def test_five_of_many_are_shown_and_as_many_discarded_as_were_counted(desk):
    for number in range(DISCARDED_AT_ONCE + 20):
        write(desk, f"http-{number}", f"- topic {number}\n", 10 + number / 100)
    desk.indexed()
    page, seen = ask(desk)
    assert f"Discard {DISCARDED_AT_ONCE} stale working memories?" in page.text
    assert len(page.soup.select(".pads > li")) == 5
    assert len(page.response.content) < 200_000
    page = desk.post("working/discard", bases=seen)
    assert len(there(desk)) == 20
    assert len(listed(page, "stale")) == 20


def test_nothing_stale_is_said(desk):
    write(desk, "now", "topic")
    desk.indexed()
    assert "None No readable working memory is stale now." in ask(desk)[0].text


def test_no_working_memory_says_how_it_gets_here(desk):
    assert "No working memory" in desk.get("working/").text


def test_one_that_cannot_be_read_is_said_and_kept(pads):
    (pads.root / "working/stale-3.md").unlink()
    (pads.root / "working/stale-3.md").mkdir()
    page = pads.get("working/")
    row = next(row for row in page.soup.select(".pads > li") if "stale-3" in row.get_text())
    assert "unreadable" in row.get_text()
    assert row.find("form") is None
    assert "working/stale-3.md" not in json.loads(ask(pads)[1])


def test_many_come_in_pages_at_the_same_price(desk, django_assert_max_num_queries):
    for number in range(60):
        write(desk, f"http-{number}", "topic", 0.01 + number / 10)  # what is written just now is looked at once more
        write(desk, f"old-{number}", "topic", 10 + number)
    desk.indexed()
    page = desk.get("working/", stale=3)
    assert (len(listed(page, "fresh")), len(listed(page, "stale"))) == (25, 10)
    with django_assert_max_num_queries(30):
        desk.client.get("/keno/working/")


def test_the_chats_own_page_says_whether_it_is_read(pads):
    page = pads.get("documents/working/stale-1.md")
    assert "Stale: the bot no longer reads it." in page.text
    assert "Current: the bot reads it with every message in this chat." in pads.get("documents/working/now.md").text
    form = page.soup.select_one(".notice form")
    sent = {field["name"]: field["value"] for field in form.select("input[type=hidden]")}
    page = pads.post("working/discard", **sent)
    assert "Discarded 1 working memory" in page.text
    assert page.status == 200
    assert "stale-1" not in there(pads)
