from __future__ import annotations

import re
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import bots, index, registry
from memory.bots import open_bot
from memory.dialects.kenobot import first_bot
from memory.dialects.kenobot.settings import SEED, V07
from memory.domain.errors import Refusal
from memory.models import Bot, Document

pytestmark = pytest.mark.django_db


@pytest.fixture
def machine(settings, tmp_path, monkeypatch):
    """A machine with an empty home: what the settings say when no variable is set."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    settings.KENOWEB_HOME = tmp_path / "kenoweb"
    settings.KENOWEB_HOME.mkdir()
    settings.WEBHOOK_SECRET = ""
    settings.BOT_DEFAULTS = {}
    name(settings, home=home / ".kenobot", stated=())
    return tmp_path


def name(settings, *, home, memory=None, stated=("KENOBOT_HOME",)):
    settings.KENOBOT_HOME = Path(home)
    settings.DATA_DIR = settings.KENOBOT_HOME / "data"
    newer = settings.KENOBOT_HOME / "memory"
    settings.MEMORY_DIR = Path(memory) if memory else newer if newer.is_dir() else settings.DATA_DIR / "memory"
    settings.KENOBOT_VARIABLES = ("MEMORY_DIR", *stated) if memory else stated


def roots(bot):
    return {root.name: root.path for root in bot.roots.all()}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def memory_in(directory, name="MEMORY.md"):
    directory.mkdir(parents=True)
    (directory / name).write_text("# Notes\n")
    return directory


def test_first_bot_is_the_one_the_environment_names_and_a_missing_directory_stays_missing(machine, settings):
    name(settings, home=machine / "bot")
    assert first_bot.ensure() == [f"Added KenoBot, at {machine / 'bot/data/memory'}."]
    bot = bots.default_bot()
    assert (bot.slug, bot.dialect, bot.from_environment, bot.is_sample) == ("kenobot", "kenobot", True, False)
    assert roots(bot) == {"memory": str(machine / "bot/data/memory")}
    assert not (machine / "bot").exists()


def test_first_bot_is_found_where_it_comes_to_be_after_a_start(machine, settings):
    name(settings, home=machine / "bot")
    first_bot.ensure()
    memory_in(machine / "bot/memory")
    name(settings, home=machine / "bot", memory=machine / "bot/memory")
    first_bot.ensure()
    assert roots(bots.default_bot()) == {"memory": str(machine / "bot/memory")}
    assert Bot.objects.count() == 1


def test_first_bot_keeps_the_mode_of_a_directory_that_was_there(machine, settings):
    memory_in(machine / "bot/data/memory").chmod(0o750)
    name(settings, home=machine / "bot")
    first_bot.ensure()
    assert mode(machine / "bot/data/memory") == 0o750


def test_first_bot_of_version_07_has_its_sessions_in_data(machine, settings):
    memory_in(machine / "bot/memory")
    (machine / "bot/data/sessions").mkdir(parents=True)
    name(settings, home=machine / "bot")
    first_bot.ensure()
    bot = bots.default_bot()
    assert roots(bot) == {"memory": str(machine / "bot/memory"), "sessions": str(machine / "bot/data/sessions")}
    assert open_bot(bot).settings.version == V07


def test_first_bot_of_the_seeds_version_has_its_identity_in_config(machine, settings):
    memory_in(machine / "bot/data/memory")
    (machine / "bot/config/identities/kenobot").mkdir(parents=True)
    name(settings, home=machine / "bot")
    first_bot.ensure()
    assert roots(bots.default_bot())["identity"] == str(machine / "bot/config/identities/kenobot")
    assert open_bot(bots.default_bot()).settings.version == SEED


def test_memory_directory_alone_brings_what_lies_beside_it(machine, settings):
    memory_in(machine / "x/memory")
    (machine / "x/sessions").mkdir()
    (machine / "home/.kenobot/data/sessions").mkdir(parents=True)
    name(settings, home=machine / "home/.kenobot", memory=machine / "x/memory", stated=())
    first_bot.ensure()
    assert roots(bots.default_bot()) == {"memory": str(machine / "x/memory"), "sessions": str(machine / "x/sessions")}


def test_sample_appears_only_where_nothing_is_named_and_nothing_is_there(machine, settings):
    said = first_bot.ensure(with_sample=True)
    bot = bots.default_bot()
    assert said == ["No KenoBot found on this machine, so here is a sample with made-up memory."]
    assert (bot.slug, bot.name, bot.is_sample) == ("sample-bot", "Sample bot", True)
    assert first_bot.ensure(with_sample=True) == []
    assert Bot.objects.count() == 1
    assert not (machine / "home/.kenobot").exists()


@pytest.mark.parametrize("stated", [("KENOBOT_HOME",), ("DATA_DIR",)])
def test_named_directory_wins_over_the_sample_even_when_missing(machine, settings, stated):
    name(settings, home=machine / "elsewhere", stated=stated)
    first_bot.ensure(with_sample=True)
    assert [bot.name for bot in Bot.objects.all()] == ["KenoBot"]


def test_kenobot_in_its_usual_place_wins_over_the_sample(machine, settings):
    memory_in(machine / "home/.kenobot/data/memory")
    first_bot.ensure(with_sample=True)
    assert [bot.name for bot in Bot.objects.all()] == ["KenoBot"]


def test_bot_of_the_environment_comes_before_an_older_sample(machine, settings):
    first_bot.ensure(with_sample=True)
    name(settings, home=machine / "bot")
    first_bot.ensure(with_sample=True)
    assert bots.default_bot().name == "KenoBot"
    assert Bot.objects.count() == 2


def test_first_bot_follows_a_changed_variable_and_drops_only_the_index(machine, settings):
    name(settings, home=machine / "one")
    first_bot.ensure()
    bot = bots.default_bot()
    Document.objects.create(bot=bot, path="MEMORY.md", size=1, mtime_ns=1, ctime_ns=1, inode=1)
    name(settings, home=machine / "two")
    assert first_bot.ensure() == ["The memory directory of KenoBot now follows the environment."]
    assert roots(bots.default_bot()) == {"memory": str(machine / "two/data/memory")}
    assert bots.default_bot().pk == bot.pk
    assert not Document.objects.exists()
    assert first_bot.ensure() == []


def test_another_memory_beside_one_that_still_stands_is_another_bot(machine, settings):
    name(settings, home=machine / "one")
    first_bot.ensure()
    first = bots.default_bot()
    memory_in(machine / "one/data/memory")
    name(settings, home=machine / "two")
    first_bot.ensure()
    assert roots(bots.default_bot()) == {"memory": str(machine / "two/data/memory")}
    assert roots(Bot.objects.get(pk=first.pk)) == {"memory": str(machine / "one/data/memory")}
    name(settings, home=machine / "one")
    assert first_bot.ensure() == []
    assert bots.default_bot().pk == first.pk
    assert Bot.objects.count() == 2


def test_first_bot_stays_where_it_is_while_nothing_is_named(machine, settings):
    name(settings, home=machine / "one")
    first_bot.ensure()
    memory_in(machine / "home/.kenobot/data/memory")
    name(settings, home=machine / "home/.kenobot", stated=())
    assert first_bot.ensure() == []
    assert roots(bots.default_bot()) == {"memory": str(machine / "one/data/memory")}


def test_sessions_that_appear_later_are_found_and_missing_ones_are_not_forgotten(machine, settings):
    name(settings, home=machine / "bot")
    first_bot.ensure()
    (machine / "bot/data/sessions").mkdir(parents=True)
    first_bot.ensure()
    assert "sessions" in roots(bots.default_bot())
    (machine / "bot/data/sessions").rmdir()
    first_bot.ensure()
    assert "sessions" in roots(bots.default_bot())


def test_variable_that_names_a_file_is_refused_by_name(machine, settings):
    (machine / "file").write_text("")
    name(settings, home=machine / "home", memory=machine / "file")
    with pytest.raises(Refusal, match=r"MEMORY_DIR names a directory that can’t be a bot’s memory: It is a file\."):
        first_bot.ensure()
    assert not Bot.objects.exists()


def test_add_detects_the_dialect_and_takes_the_name_from_the_path(machine):
    bot = registry.add(memory_in(machine / "Rosa's bot/data/memory"))
    assert (bot.name, bot.slug, bot.dialect) == ("Rosa's bot", "rosas-bot", "kenobot")


def test_add_gives_every_bot_a_slug_of_its_own_and_none_of_ours(machine):
    slugs = [registry.add(memory_in(machine / below), name="Login").slug for below in ("a", "b")]
    assert slugs == ["login-2", "login-3"]
    assert registry.add(memory_in(machine / "c"), name="日本").slug == "bot"


def test_add_takes_an_empty_directory_when_told_whose_it_is(machine):
    (machine / "empty").mkdir()
    said = "No bot memory found here. Enter the directory that contains MEMORY.md, or choose a type: kenobot, "
    with pytest.raises(Refusal, match=re.escape(said)):
        registry.add(machine / "empty")
    assert registry.add(machine / "empty", dialect="kenobot").name == "empty"
    with pytest.raises(Refusal, match=re.escape("Unknown bot type: parrot. Known types: kenobot, ")):
        registry.add(memory_in(machine / "other"), dialect="parrot")


def test_add_names_the_directory_below_that_is_a_memory(machine):
    memory = memory_in(machine / "bot" / "memory")
    with pytest.raises(Refusal, match=re.escape(f"No bot memory found here, but in {memory}. Add that directory.")):
        registry.add(machine / "bot")


def test_add_refuses_directories_that_hold_more_than_a_memory(machine, settings):
    memory = memory_in(machine / "taken")
    registry.add(memory)
    (machine / "link").symlink_to(memory)
    (machine / "homelink").symlink_to(machine / "home")
    refused = {
        "/": "It is the root directory.",
        "~": "It is a home directory.",
        machine / "homelink": "It is a home directory.",
        settings.KENOWEB_HOME: "It contains Kenoweb’s own directory",
        settings.KENOWEB_HOME.parent: "It contains Kenoweb’s own directory",
        machine / "nothing": "This directory doesn’t exist.",
        memory / "MEMORY.md": "It is a file.",
        memory: "Another bot already uses this directory.",
        machine / "link": "Another bot already uses this directory.",
        f"{memory}/../taken": "Another bot already uses this directory.",
        "a\0b": "It can’t be read: ",
    }
    for path, why in refused.items():
        with pytest.raises(Refusal, match=re.escape(why)):
            registry.add(path, dialect="kenobot")
    assert Bot.objects.count() == 1


def test_settings_take_saved_before_environment_before_default(machine, settings):
    bot = registry.add(memory_in(machine / "bot"))
    assert open_bot(bot).settings.memory_days == 3
    settings.BOT_DEFAULTS = {"MEMORY_DAYS": 5, "MEMORY_RETENTION_DAYS": 40}
    bot.settings = {"memory_days": 9}
    assert (open_bot(bot).settings.memory_days, open_bot(bot).settings.memory_retention_days) == (9, 40)


def test_version_is_seen_from_the_files_and_can_be_overruled(machine):
    bot = registry.add(memory_in(machine / "bot"))
    assert open_bot(bot).settings.version == SEED
    (machine / "bot/procedural").mkdir()
    bot = Bot.objects.get(pk=bot.pk)  # a request or a job looks anew
    assert open_bot(bot).settings.version == V07
    bot.settings = {"version": SEED}
    assert open_bot(bot).settings.version == SEED


def test_day_is_the_bots_day(machine, monkeypatch):
    moment = datetime(2026, 3, 1, 2, 30, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    bot = registry.add(memory_in(machine / "bot"))
    assert open_bot(bot).today() == "2026-03-01"
    bot.time_zone = "America/Mexico_City"
    assert open_bot(bot).today() == "2026-02-28"
    assert open_bot(bot).now() == moment


def test_stray_memory_is_what_an_older_version_left_behind(machine, settings):
    memory_in(machine / "bot/memory")
    (machine / "bot/data/memory").mkdir(parents=True)
    name(settings, home=machine / "bot")
    first_bot.ensure()
    bot = bots.default_bot()
    assert open_bot(bot).family.left_behind(bot) is None
    (machine / "bot/data/memory/2025-01-01.md").write_text("## 10:00 — old\n")
    assert open_bot(bot).family.left_behind(bot) == machine / "bot/data/memory"


def test_memory_in_data_is_not_its_own_stray(machine, settings):
    memory_in(machine / "bot/data/memory")
    name(settings, home=machine / "bot")
    first_bot.ensure()
    assert open_bot(bots.default_bot()).family.left_behind(bots.default_bot()) is None


def test_directory_that_is_gone_is_not_left_for_another(machine, settings):
    memory_in(machine / "keno/data/memory")
    name(settings, home=machine / "keno")
    first_bot.ensure()
    index.refresh(bots.default_bot())
    used = Path(roots(bots.default_bot())["memory"])
    used.rename(machine / "unmounted")
    memory_in(machine / "keno/memory")
    name(settings, home=machine / "keno")
    assert first_bot.ensure() == []
    assert not used.exists()
    assert roots(bots.default_bot())["memory"] == str(used)


def test_version_is_seen_from_a_chats_context_alone(machine):
    bot = registry.add(memory_in(machine / "bot"))
    Document.objects.create(bot=bot, path="chats/a/context.md", kind="context", size=1, mtime_ns=1, ctime_ns=1, inode=1)
    assert open_bot(Bot.objects.get(pk=bot.pk)).settings.version == V07
