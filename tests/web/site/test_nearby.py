"""Memories in the usual places of this machine are offered to operators where a bot may be added, and to nobody else."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest

from memory import registry
from memory.registry import nearby

LOG = "## 10:00 — Likes tea\n\n"
WRITTEN = datetime(2024, 4, 4, 12, tzinfo=UTC).timestamp()


def put(directory, *names, text=LOG):
    for name in names:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
        os.utime(directory / name, (WRITTEN, WRITTEN))
    return directory


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home of who runs Kenoweb, with nothing in it."""
    (tmp_path / "rosa").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "rosa"))
    return tmp_path / "rosa"


@pytest.fixture
def empty(desk):
    """A bot of which nothing is there yet: the first start."""
    (desk.root / "MEMORY.md").unlink()
    return desk


@pytest.fixture
def operator(empty):
    empty.user.is_superuser = True
    empty.user.save()
    return empty


def told(page):
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select("[aria-labelledby=nearby] li")]


def test_usual_places_are_listed_with_what_is_there(operator, home):
    put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md", "memory/2024-04-03.md", ".git/config")
    put(home / ".kenobot/memory", "chats/telegram-1/2024-04-03.md")
    put(home / "notes", "MEMORY.md")
    page = operator.get()
    kenobot, openclaw = told(page)
    assert kenobot == f"{home}/.kenobot/memory KenoBot · 1 file, newest 4 Apr 2024 Use this"
    assert openclaw == f"{home}/.openclaw/workspace OpenClaw · 3 files, newest 4 Apr 2024 Use this"


def test_use_this_leads_to_adding_with_the_directory_filled_in(operator, home):
    memory = put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md")
    link = operator.get().soup.find("a", string="Use this")["href"]
    answer = operator.client.get(link).content.decode()
    assert f'name="path" value="{memory}"' in answer
    given = {"path": str(memory), "name": "Moss", "time_zone": "UTC", "dialect": "workspace:openclaw"}
    assert operator.client.post("/bots/add", given).status_code == 302
    assert not told(operator.get())


def test_adding_a_bot_offers_them_too(operator, home):
    put(home / ".golemcore/workspace", "memory/items/semantic.jsonl", "preferences/settings.json", "sessions/a.json")
    answer = operator._page(operator.client.get("/bots/add"))
    assert [one.split(" ")[0] for one in told(answer)] == [f"{home}/.golemcore/workspace"]


def test_who_is_no_operator_is_shown_no_path(empty, home):
    put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md")
    page = empty.get()
    assert "No memory found yet" in page.text
    assert "Nearby" not in page.text
    assert str(home) not in page.response.content.decode()


@pytest.mark.parametrize("there", [[], [".openclaw/workspace/.keep/"], [".kenobot/memory/picture.png"]])
def test_where_there_is_none_nothing_is_said_of_it(operator, home, there):
    for name in there:
        if name.endswith("/"):
            (home / name).mkdir(parents=True)
        else:
            put(home, name)
    assert "Nearby" not in operator.get().text


def test_a_bot_on_the_desk_is_not_nearby(operator, home):
    memory = put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md")
    bot = registry.add(memory)
    assert "Nearby" not in operator.get().text
    registry.remove(bot)
    assert len(told(operator.get())) == 1


def test_a_link_out_of_the_home_is_not_followed(operator, home, tmp_path):
    outside = put(tmp_path / "elsewhere", "MEMORY.md", "SOUL.md")
    (home / ".openclaw").mkdir()
    (home / ".openclaw/workspace").symlink_to(outside)
    assert told(operator.get()) == []


def test_links_within_are_left_alone_and_two_names_are_one_place(operator, home, tmp_path):
    secret = put(tmp_path / "elsewhere", *(f"{number}.md" for number in range(9)))
    memory = put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md")
    (memory / "out").symlink_to(secret)
    (memory / "circle").symlink_to(memory)
    (home / ".clawdbot").symlink_to(home / ".openclaw")
    (row,) = told(operator.get())
    assert "OpenClaw · 2 files," in row


def test_of_a_huge_directory_no_more_is_looked_at_than_is_allowed(operator, home, monkeypatch):
    memory = put(home / ".openclaw/workspace", "MEMORY.md", "SOUL.md")
    for number in range(30):
        (memory / f"memory/{number}").mkdir(parents=True)
        put(memory / f"memory/{number}", "a.md", "b.md")
    seen, listed = [], nearby._scan

    def counting(*given):
        for entry in listed(*given):
            seen.append(entry)
            yield entry

    monkeypatch.setattr(nearby, "_scan", counting)
    monkeypatch.setattr(nearby, "MOST", 40)
    (row,) = told(operator.get())
    assert "OpenClaw · more than" in row
    assert "newest" not in row
    assert len(seen) == 41


def test_one_that_cannot_be_read_says_so_and_is_not_offered(operator, home, monkeypatch):
    put(home / ".openclaw/workspace", "MEMORY.md")
    scandir = os.scandir

    def closed(path):
        if str(path).endswith("/.openclaw/workspace"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(nearby.os, "scandir", closed)
    page = operator.get()
    assert told(page) == [f"{home}/.openclaw/workspace Workspace · can’t be read: Permission denied"]
    assert page.soup.find("a", string="Use this") is None


def test_no_file_is_opened(operator, home, monkeypatch):
    memory = put(home / ".nanobot/workspace", "MEMORY.md", "memory/HISTORY.md", "sessions/a.jsonl")
    for path in memory.rglob("*.*"):
        path.unlink()
        os.mkfifo(path)  # opened, it would wait for ever
    put(memory, "memory/2024-04-04.md")
    (row,) = told(operator.get())
    assert "HKUDS nanobot · 1 file," in row
