"""Bots taken off the desk, brought back, and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import bots, index, journal, registry
from memory.dialects.kenobot import first_bot
from memory.domain.changes import Append
from memory.domain.errors import Refusal
from memory.models import Blob, Bot, ChangeSet, Document, Fact, Root, WebhookSecret
from tests.web.site.test_adding_bots import machine, memory_in, name, roots

pytestmark = pytest.mark.django_db
__all__ = ["machine"]
ANA = journal.By("Ana")


def with_history(bot):
    index.refresh(bot)
    return journal.commit(bot, [Append("2026-03-01.md", b"## 10:00 - x\n\n")], by=ANA, kind="edit").change_set


def files(directory):
    return {path: path.read_bytes() for path in Path(directory).rglob("*") if path.is_file()}


def test_removed_bot_leaves_its_files_and_its_history(machine):
    bot = registry.add(memory_in(machine / "rosa"))
    made, before = with_history(bot), files(machine / "rosa")
    registry.remove(bot)
    assert list(Bot.present.all()) == []
    assert bots.default_bot() is None
    assert files(machine / "rosa") == before
    assert ChangeSet.objects.filter(pk=made.pk).exists()


def test_same_directory_again_is_the_same_bot_with_its_history(machine):
    bot = registry.add(memory_in(machine / "rosa"), time_zone="Europe/Madrid")
    made = with_history(bot)
    registry.remove(bot)
    (machine / "link").symlink_to(machine / "rosa")
    (machine / "sessions").mkdir()
    again = registry.add(machine / "link", name="Rosa again")
    assert (again.pk, again.slug, again.name, again.time_zone) == (bot.pk, "rosa", "Rosa again", "Europe/Madrid")
    assert roots(again) == {"memory": str(machine / "rosa"), "sessions": str(machine / "sessions")}
    assert journal.undo(again, made, ANA).change_set
    with pytest.raises(Refusal, match="already"):
        registry.add(machine / "rosa")


def test_name_of_a_removed_bot_is_not_given_away(machine):
    registry.remove(registry.add(memory_in(machine / "rosa")))
    other = registry.add(memory_in(machine / "other"), name="rosa")
    assert other.slug == "rosa-2"
    assert registry.add(machine / "rosa").slug == "rosa"


def test_removed_bot_whose_directory_is_gone_stays_removed(machine):
    bot = registry.add(memory_in(machine / "rosa"))
    registry.remove(bot)
    (machine / "rosa").rename(machine / "elsewhere")
    with pytest.raises(Refusal, match=r"This directory doesn’t exist\."):
        registry.bring_back(bot)
    assert Bot.objects.get(pk=bot.pk).removed is not None


@pytest.mark.parametrize("stated", [("KENOBOT_HOME",), ("DATA_DIR",), ()])
def test_bot_of_the_environment_cannot_be_removed_while_it_is_named(machine, settings, stated):
    memory_in(machine / "bot/data/memory")
    name(settings, home=machine / "bot", stated=stated)
    first_bot.ensure()
    bot = bots.default_bot()
    for act in (registry.remove, registry.forget):
        with pytest.raises(Refusal, match=r"the next start would add it again\."):
            act(bot)
    assert bots.default_bot() == bot


def test_bot_that_the_environment_no_longer_names_can_be_removed_and_comes_back_when_named_again(machine, settings):
    name(settings, home=machine / "bot")
    first_bot.ensure()
    name(settings, home=machine / "nothing", stated=())
    bot = bots.default_bot()
    registry.remove(bot)
    assert first_bot.ensure(with_sample=True) == []
    assert bots.default_bot() is None
    name(settings, home=machine / "bot")
    assert first_bot.ensure() == [f"KenoBot is back, at {machine / 'bot/data/memory'}."]
    assert bots.default_bot() == bot
    assert first_bot.ensure() == []


def test_another_directory_is_named_than_the_removed_bots(machine, settings):
    name(settings, home=machine / "one")
    first_bot.ensure()
    old = bots.default_bot()
    name(settings, home=machine / "nothing", stated=())
    registry.remove(old)
    name(settings, home=machine / "two")
    first_bot.ensure()
    assert bots.default_bot() != old
    assert Bot.objects.get(pk=old.pk).removed is not None


def test_removed_sample_does_not_rise_again(machine):
    first_bot.ensure(with_sample=True)
    registry.remove(bots.default_bot())
    assert first_bot.ensure(with_sample=True) == []
    assert bots.default_bot() is None
    back = registry.add(machine / "kenoweb/sample/data/memory")
    assert back.is_sample
    assert "sessions" in roots(back)


def test_forgetting_deletes_every_row_and_no_file(machine):
    kept, bot = registry.add(memory_in(machine / "kept")), registry.add(memory_in(machine / "rosa"))
    with_history(kept)
    with_history(bot)
    WebhookSecret.objects.create(bot=bot, sealed=b"x")
    before = files(machine / "rosa")
    registry.forget(bot)
    for model in (Bot, Root, Document, Fact, ChangeSet, Blob, WebhookSecret):
        rows = model.objects.filter(pk=bot.pk) if model is Bot else model.objects.filter(bot_id=bot.pk)
        assert not rows.exists(), model
    assert files(machine / "rosa") == before
    assert ChangeSet.objects.filter(bot=kept).exists()
    assert registry.add(machine / "rosa").slug == "rosa"


def test_directories_of_two_bots_lie_apart(machine):
    registry.add(memory_in(machine / "rosa/data/memory"), name="Rosa")
    with pytest.raises(Refusal, match=r"It is inside the memory of Rosa\."):
        registry.add(memory_in(machine / "rosa/data/memory/chats/another"))
    (machine / "rosa/data/MEMORY.md").write_text("# Notes\n")
    with pytest.raises(Refusal, match=r"It contains the memory of Rosa\."):
        registry.add(machine / "rosa/data", "kenobot")
    assert registry.add(memory_in(machine / "rosa/data/memory-of-another")).slug
    registry.remove(Bot.objects.get(name="Rosa"))
    assert registry.add(machine / "rosa/data/memory/chats/another").slug
