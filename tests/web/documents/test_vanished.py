"""The pages of a file that is gone: since when, what History keeps of it, and the way back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.models import Bot, ChangeSet

PATH = "2026-01-02.md"
LOG = "## 10:30 — Likes Go\n\n"


@pytest.fixture
def gone(desk):
    desk.write(PATH, LOG)
    desk.indexed()
    (desk.root / PATH).unlink()
    return desk


@pytest.mark.parametrize("page", [f"documents/{PATH}", f"facts/{PATH}", f"documents/{PATH}?blame=1", f"raw/{PATH}"])
def test_it_tells_since_when_and_what_is_kept_and_leads_to_history(gone, page):
    gone.get(page)
    noticed = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
    ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).update(created=noticed)
    shown = gone.get(page)
    told = shown.soup.find(id="vanished")
    assert f"{PATH} is no longer there." in told.get_text()
    assert "05:06, 4 Mar" in " ".join(told.get_text().split())
    assert "Likes Go" in shown.soup.find("pre", class_="verbatim").get_text()
    assert shown.soup.select("#editor, .list-head, .empty") == []
    assert "Likes Go" in gone.get(told.find("a")["href"].removeprefix("/keno/")).text


def test_it_comes_back_at_a_press(gone):
    form = gone.get(f"documents/{PATH}").soup.find(id="vanished").form
    pressed = {one["name"]: one["value"] for one in form.select("[name]") if one["name"] != "csrfmiddlewaretoken"}
    back = gone.post(form["action"].removeprefix("/keno/"), **pressed)
    assert gone.read(PATH) == LOG
    assert back.soup.find(id="vanished") is None
    assert back.field == LOG


def test_who_removed_it_is_told(desk):
    desk.write(PATH, LOG)
    desk.indexed()
    name = desk.get(f"facts/{PATH}").soup.select_one("[name=fact]")["value"]
    desk.post("entry/forget", fact=name)
    assert not (desk.root / PATH).exists()
    told = " ".join(desk.get(f"documents/{PATH}").soup.find(id="vanished").get_text().split())
    assert "ou removed it (" in told


def test_of_many_that_went_at_once_it_was_seen_when_the_others_were(desk):
    for day in range(10, 20):
        desk.write(f"2026-01-{day}.md", LOG)
    desk.indexed()
    Bot.objects.update(walked=datetime(2026, 3, 4, 5, 6, tzinfo=UTC))
    for file in desk.root.glob("*.md"):
        file.unlink()
    desk.indexed()
    shown = desk.get("documents/2026-01-10.md")
    told = shown.soup.find(id="vanished")
    assert "Last seen: 05:06, 4 Mar" in " ".join(told.get_text().split())
    assert told.form is None
    assert shown.soup.select("#editor"), "nothing else brings it back"
    assert "Likes Go" in shown.soup.find("pre", class_="verbatim").get_text()


def test_a_file_that_never_was_is_none_that_vanished(desk):
    assert desk.get(f"documents/{PATH}").soup.find(id="vanished") is None
    assert desk.get(f"facts/{PATH}").soup.select(".list-head") == []
