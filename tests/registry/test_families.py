"""Whose memory a directory is: told by where it lies and what is in it, said with its reason, and chosen by people if need be."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.bots import families, open_bot
from memory.models import Bot, Document
from tests.support.workspaces import FILES, OPENCLAW, write

LINE = '{"role": "user", "content": "Frost tonight?", "timestamp": "2026-01-03T21:10:00"}\n'
BARE = {"MEMORY.md": "- Olive cuttings root in sand.\n"}
LOGS = BARE | {"2026-01-03.md": "- frost\n"}
KEPT = {  # where it lies, what is in it, whose it is, and whether that is a guess
    "Claude Code, by its place": (".claude/projects/-home-rosa-shop/memory", BARE, "workspace:claude-code", False),
    "Claude Code, by its place, with notes": (".claude/projects/x/memory", LOGS, "workspace:claude-code", False),
    "Claude Code, by its topics": ("m", BARE | {"debugging.md": "- x\n"}, "workspace:claude-code", True),
    "OpenClaw, by its place": (".openclaw/workspace", BARE, "workspace:openclaw", False),
    "OpenClaw, a second agent's": (".openclaw/workspace-night", LOGS, "workspace:openclaw", False),
    "OpenClaw, by its identity": ("clawd", BARE | {"SOUL.md": "Calm.\n"}, "workspace:openclaw", False),
    "HKUDS, by its place": (
        ".nanobot/workspace",
        {"memory/MEMORY.md": "- x\n", "AGENTS.md": "- y\n"},
        "workspace:hkuds",
        False,
    ),
    "HKUDS, by its history": ("bot", FILES, "workspace:hkuds", False),
    "HKUDS, by where its MEMORY.md and sessions are": (
        "bot",
        {"AGENTS.md": "a\n", "memory/MEMORY.md": "- x\n", "sessions/cli_direct.jsonl": LINE},
        "workspace:hkuds",
        True,
    ),
    "HKUDS, by its transcripts": (
        "bot",
        {
            "AGENTS.md": "a\n",
            "memory/MEMORY.md": "- x\n",
            "sessions/a.jsonl": '{"_type": "metadata", "key": "a"}\n' + LINE,
        },
        "workspace:hkuds",
        False,
    ),
    "HKUDS or another, by a history": (
        "bot",
        {"memory/MEMORY.md": "- x\n", "memory/HISTORY.md": ""},
        "workspace:hkuds",
        True,
    ),
    "KenoBot, by its place": (".kenobot/data/memory", LOGS, "kenobot", False),
    "KenoBot, by its chats": ("data/memory", BARE | {"chats/telegram_1/MEMORY.md": "- x\n"}, "kenobot", False),
    "anybody's MEMORY.md": ("m", BARE, "kenobot", True),
    "anybody's notes": ("m", LOGS, "kenobot", True),
    "another bot's": ("m", BARE | {"memory/2026-01-03.md": "- frost\n"}, "workspace:plain", False),
    "a nanobot with a database": (
        "ws",
        {"memory/session-state/cli_direct.md": "x", "AGENTS.md": "a"},
        "nanobot",
        False,
    ),
    "nobody's": ("m", {"readme.txt": "x"}, "", False),
}


@pytest.fixture
def owner(db, kenoweb_home):
    visitor = Client()
    visitor.force_login(User.objects.create_superuser("ana", password="a long enough one"))
    return visitor


def page(response):
    return BeautifulSoup(response.content.decode(), "lxml")


@pytest.mark.parametrize("kept", KEPT)
def test_whose_it_is_is_told_and_said(owner, tmp_path, kept):
    place, files, name, is_guess = KEPT[kept]
    root = write(tmp_path / "machine" / place, files)
    found = registry.look_at(root).told
    assert (found.name, found.doubtful) == (name, is_guess)
    text = page(owner.get("/bots/add", {"path": str(root)})).get_text(" ")
    assert ("This is a guess" in text) == is_guess
    assert not name or found.why in text


@pytest.mark.parametrize("chosen", [name for name, _label in families.choices()])
def test_another_family_is_chosen_looked_at_and_added(owner, tmp_path, chosen):
    root = write(tmp_path / "m", LOGS)
    shown = page(owner.get("/bots/add", {"path": str(root), "dialect": chosen}))
    assert shown.select_one("select[name=dialect] option[selected]")["value"] == chosen
    sent = {field["name"]: field.get("value", "") for field in shown.select("form[method=post] input[name]")}
    assert sent["dialect"] == chosen
    answer = owner.post("/bots/add", sent | {"name": "Chosen"})
    assert answer.status_code == 302, page(answer).get_text()
    bot = Bot.objects.get(name="Chosen")
    dialect, flavour = families.split_name(chosen)
    assert bot.dialect == dialect
    assert not flavour or open_bot(bot).settings.flavour == flavour
    index.refresh(bot)
    assert owner.get(f"/{bot.slug}/").status_code == 200


def test_a_removed_workspace_comes_back_as_what_it_was(owner, tmp_path):
    root = write(tmp_path / "m", LOGS)
    bot = registry.add(root, "workspace:openclaw", name="Shop")
    registry.remove(bot)
    shown = page(owner.get("/bots/add", {"path": str(root), "dialect": "kenobot"}))
    assert shown.select_one("select[name=dialect]") is None
    sent = {field["name"]: field.get("value", "") for field in shown.select("form[method=post] input[name]")}
    assert owner.post("/bots/add", sent).status_code == 302
    bot.refresh_from_db()
    assert bot.removed is None
    assert open_bot(bot).settings.flavour == "openclaw"


@pytest.mark.parametrize("wrong", ["parrot", "workspace:parrot", ":", "workspace:"])
def test_a_family_that_is_none_changes_nothing(owner, tmp_path, wrong):
    root = write(tmp_path / "m", LOGS)
    shown = page(owner.get("/bots/add", {"path": str(root), "dialect": wrong}))
    assert shown.select_one("select[name=dialect] option[selected]")["value"] == "kenobot"
    assert (
        owner.post("/bots/add", {"path": str(root), "name": "X", "time_zone": "UTC", "dialect": wrong}).status_code
        == 422
    )
    assert not Bot.objects.exists()


@pytest.mark.parametrize(
    ("workspace", "agent"), [("workspace", "main"), ("workspace-night", "night"), ("workspace", "the-only-one")]
)
def test_the_sessions_of_an_openclaw_lie_beside_its_workspace(owner, tmp_path, workspace, agent):
    home = tmp_path / ".openclaw"
    root = write(home / workspace, OPENCLAW)
    write(home / "agents" / agent / "sessions", {"abc-123.jsonl": LINE, "sessions.json": "{}"})
    shown = page(owner.get("/bots/add", {"path": str(root)})).get_text(" ")
    assert str(home / "agents" / agent / "sessions") in shown
    bot = registry.add(root, name="Claw")
    index.refresh(bot)
    row = Document.objects.get(bot=bot, path="@sessions/abc-123.jsonl")
    assert (row.kind, row.scope) == ("transcript", "abc-123")
    assert "Frost tonight?" in page(owner.get(f"/{bot.slug}/chats/abc-123/transcript")).get_text()
    before = (home / "agents" / agent / "sessions" / "abc-123.jsonl").read_bytes()
    save = owner.post(f"/{bot.slug}/save/@sessions/abc-123.jsonl", {"text": "x", "base": row.sha256})
    assert save.status_code in (403, 404, 422)
    assert (home / "agents" / agent / "sessions" / "abc-123.jsonl").read_bytes() == before


def test_of_several_agents_none_is_guessed(tmp_path):
    root = write(tmp_path / ".openclaw" / "workspace-third", OPENCLAW)
    for agent in ("one", "two"):
        write(tmp_path / ".openclaw" / "agents" / agent / "sessions", {"a.jsonl": LINE})
    assert set(registry.roots_of(root, "workspace", "openclaw")) == {"memory"}
