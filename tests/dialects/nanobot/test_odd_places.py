"""A bot whose own file names places that can be none, or whose database is a circle of links: no other bot is in its way."""

from __future__ import annotations

import json

import pytest

from memory.models import Bot
from tests.dialects.nanobot import home
from tests.management.cli.conftest import run
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db
NOBODY = "~nobody-of-this-name/x.db"
CONFIGS = {
    "memory.dbPath": [{"dbPath": "a\0b"}, {"dbPath": NOBODY}, {"dbPath": "\ud800.db"}],
    "memory.wal.stateDir": [{"wal": {"stateDir": "memory/semantic\0"}}, {"wal": {"stateDir": "\ud800"}}],
}
PAGES = (
    "",
    "settings",
    "entries/",
    "history/",
    "documents/",
    "prompt/?chat=telegram_123&query=tea",
    "chats/telegram_123/reads",
)


def added(place):
    """A bot for the workspace, added as people do."""
    done = run("add-bot", place, "--json")
    assert (done.code, done.err) == (0, "")
    return Bot.objects.get(slug=done.json["slug"])


def other(tmp_path, name):
    """One more bot, with nothing odd about it."""
    return added(home.make(tmp_path / name / ".nanobot")[0])


def opens(bot, owner):
    """Every page of the bot opens; the texts of all of them."""
    visitor = Visitor(bot, None, owner)
    pages = [visitor._page(visitor.client.get(f"/{bot.slug}/{page}", follow=True)) for page in PAGES]
    assert [page.status for page in pages] == [200] * len(PAGES)
    return " ".join(page.text for page in pages)


@pytest.mark.parametrize(("key", "config"), [(key, one) for key, some in CONFIGS.items() for one in some])
@pytest.mark.slow
def test_a_config_that_names_no_place_is_said_and_stands_in_nobodys_way(there, tmp_path, owner, key, config):
    (tmp_path / ".nanobot" / "config.json").write_text(json.dumps({"memory": config}))
    bot = added(there[0])
    other(tmp_path, "second")
    other(tmp_path, "third")
    text = opens(bot, owner)
    assert f"The bot ignores its config.json because of the value at {key} and uses its defaults for everything" in text
    done = run("status", "--bot", bot.slug, "--json")
    assert (done.code, done.json["facts"] > 0) == (0, True)


@pytest.mark.parametrize("named", [NOBODY, "a\0b", "\ud800"])
@pytest.mark.slow
def test_a_workspace_that_the_config_cannot_name_stands_in_nobodys_way(there, tmp_path, owner, named):
    config = {"agents": {"defaults": {"workspace": named}}}
    (tmp_path / ".nanobot" / "config.json").write_text(json.dumps(config))
    opens(added(there[0]), owner)
    other(tmp_path, "second")


def test_a_database_that_is_a_circle_of_links_stands_in_nobodys_way(there, tmp_path, owner):
    workspace, file = there
    bot = added(workspace)
    file.unlink()
    file.symlink_to(file)
    other(tmp_path, "second")
    assert "The bot’s database can’t be opened" in opens(bot, owner)
    assert "The bot’s database can’t be opened" in run("status", "--bot", bot.slug).err
