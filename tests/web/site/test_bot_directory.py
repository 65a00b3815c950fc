"""A bot that is read from another directory: the same checks as for one that is added, and its history stays."""

from __future__ import annotations

import pytest

from memory import index, journal, registry
from memory.dialects.kenobot import first_bot
from memory.domain.changes import Append
from memory.models import Bot, ChangeSet, Document, Root
from tests.web.site.test_adding_bots import machine, memory_in, roots

pytestmark = pytest.mark.django_db
__all__ = ["machine"]


@pytest.fixture
def bot(machine):
    bot = registry.add(memory_in(machine / "rosa"), name="Rosa")
    index.refresh(bot)
    journal.commit(bot, [Append("2026-03-01.md", b"## 10:00 - x\n\n")], by=journal.By("Ana"), kind="edit")
    return bot


@pytest.fixture
def asking(client, owner, bot):
    client.force_login(owner)

    def ask(path="", method="get"):
        return getattr(client, method)(f"/bots/{bot.slug}/directory", {"path": str(path)} if path else {}, follow=True)

    return ask


@pytest.mark.database
def test_a_bot_follows_its_memory_and_keeps_its_history(bot, machine, asking):
    (machine / "rosa").rename(machine / "moved")
    assert str(machine / "rosa") in asking().content.decode()
    shown = asking(machine / "moved").content.decode()
    assert "1 daily log" in shown
    assert roots(bot) == {"memory": str(machine / "rosa")}  # checking changes nothing
    before = ChangeSet.objects.filter(bot=bot).count()
    page = asking(machine / "moved", "post")
    assert page.redirect_chain[-1][0] == "/rosa/"
    assert roots(bot) == {"memory": str(machine / "moved")}
    assert Document.objects.filter(bot=bot, path="2026-03-01.md").exists()
    assert ChangeSet.objects.filter(bot=bot).count() == before
    bot = Bot.objects.get(pk=bot.pk)
    assert journal.undo(bot, ChangeSet.objects.filter(bot=bot, kind="edit").get(), journal.By("Ana")).change_set
    assert b"10:00" not in b"".join(one.read_bytes() for one in (machine / "moved").glob("*.md"))


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("nowhere", "This directory doesn’t exist."),
        ("other", "Another bot already uses this directory."),
        ("other/below", "It is inside the memory of other."),
        ("gone", "It was the memory of gone, which is removed."),
    ],
)
def test_a_directory_that_none_may_be_added_with_is_refused(bot, machine, asking, where, why):
    registry.add(memory_in(machine / "other"))
    registry.remove(registry.add(memory_in(machine / "gone")))
    (machine / "other" / "below").mkdir()
    answer = asking(machine / where, "post")
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert roots(bot) == {"memory": str(machine / "rosa")}
    assert Document.objects.filter(bot=bot).exists()


def test_a_memory_of_another_type_is_refused(bot, machine, asking):
    memory_in(machine / "atlas").joinpath("SOUL.md").write_text("- x\n")
    (machine / "atlas" / "AGENTS.md").write_text("- x\n")
    assert "another bot type: Workspace" in asking(machine / "atlas").content.decode()


def test_what_the_environment_names_is_changed_there(bot, machine, asking, settings):
    settings.KENOBOT_VARIABLES = ("KENOBOT_HOME",)
    Bot.objects.update(from_environment=True)
    memory_in(machine / "other")
    assert "KENOBOT_HOME names this directory." in asking().content.decode()
    assert asking(machine / "other", "post").status_code == 422
    assert Root.objects.get(bot=bot).path == str(machine / "rosa")


def test_one_that_is_only_where_kenoweb_looks_by_default_may_move_and_stays_there(machine, client, owner, settings):
    settings.KENOBOT_VARIABLES, settings.KENOBOT_HOME = (), machine / "home"
    settings.DATA_DIR, settings.MEMORY_DIR = machine / "home/data", memory_in(machine / "home/data/memory")
    first_bot.ensure()
    bot = Bot.objects.get()
    client.force_login(owner)
    client.post(f"/bots/{bot.slug}/directory", {"path": str(memory_in(machine / "other"))})
    assert first_bot.ensure() == []
    assert roots(Bot.objects.get())["memory"] == str(machine / "other")


def test_only_operators_may(bot, machine, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ana"))
    assert client.get(f"/bots/{bot.slug}/directory").status_code == 403
