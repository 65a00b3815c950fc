"""The sample nanobot: a home as the bot leaves it, the same for the same moment, added once however often it is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index
from memory.dialects.nanobot import sample, states
from memory.dialects.nanobot.pages.sessions import WAITS
from memory.models import Bot, Document, Fact
from memory.text.attributes import instant
from tests.dialects.nanobot import golden

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path):
    return sample.write(tmp_path / "bot", NOW)


def test_sample_has_the_bots_own_database(workspace):
    file = workspace.parent / "memory" / "longterm.db"
    golden.check(file)
    rows = golden.entries(file).values()
    assert {row["workspace_id"] for row in rows} == {golden.workspace_id(workspace)}
    assert {row["kind"] for row in rows} == {"preference", "fact", "decision", "episodic"}
    assert {row["source"] for row in rows} == {"auto_heuristic", "manual", "import"}
    assert {row["scope_type"] for row in rows} == {"chat", "user", "global"}
    assert {row["channel"] for row in rows} >= {"telegram", "whatsapp", "discord", "cli"}
    assert sum(row["is_deleted"] for row in rows) == 3
    assert sum(row["expires_at"] < instant(NOW) for row in rows if not row["is_deleted"]) == 3
    assert all(row["created_at"] < instant(NOW) for row in rows)
    assert max(row["created_at"] for row in rows) > instant(NOW - timedelta(days=1))


def test_sample_has_turns_that_died_and_mirrors_that_no_longer_match(workspace):
    files = {path.stem: path.read_bytes() for path in (workspace / "memory/session-state").iterdir()}
    died = {name: sum(turn.died for turn in states.exchanges(data)) for name, data in files.items()}
    assert {name for name, count in died.items() if count} == {"telegram_4821", "discord_shop"}
    assert len(died) == 5
    decisions = (workspace / "memory/semantic/decisions.md").read_text()
    live = golden.live(workspace.parent / "memory" / "longterm.db")
    said = [line.partition("] ")[2] for line in decisions.splitlines() if line.startswith("- ")]
    assert [text for text in said if text not in live] == [
        "we decided to fire stoneware at 1260 degrees, cone 8",
        "do you think we should not take the bridge",
    ]


@pytest.mark.parametrize("hour", range(24))
def test_turns_have_died_whatever_the_hour(tmp_path, hour):
    now = NOW.replace(hour=hour, minute=1)
    workspace = sample.write(tmp_path / "bot", now)
    asked = [
        datetime.fromisoformat(turn.at)
        for path in (workspace / "memory/session-state").iterdir()
        for turn in states.exchanges(path.read_bytes())
        if turn.died
    ]
    assert len(asked) == 2
    assert max(asked) <= now - WAITS


def test_sample_is_written_once(workspace):
    (workspace / "SOUL.md").write_text("Mine")
    assert sample.write(workspace.parent, NOW + timedelta(days=9)) == workspace
    assert (workspace / "SOUL.md").read_text() == "Mine"


@pytest.mark.django_db
def test_sample_is_added_once_with_its_database(kenoweb_home):
    visitor = Client()
    visitor.force_login(User.objects.create_superuser("ana", password="a long enough one"))
    for _ in range(2):
        assert visitor.post("/bots/sample", {"family": "nanobot"}).url == "/sample-nanobot/"
    bot = Bot.objects.get()
    assert (bot.dialect, bot.is_sample) == ("nanobot", True)
    index.refresh(bot)
    assert Document.objects.filter(bot=bot, path__startswith="@database/").count() > 6
    assert Fact.objects.filter(bot=bot, text="my timezone is Europe/Lisbon").exists()
