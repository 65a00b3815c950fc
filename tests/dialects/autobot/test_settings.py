"""What is set for an Autobot: its own configuration by name, and a window that may be any number."""

from __future__ import annotations

import pytest

from memory.bots import families, open_bot
from memory.models import Bot


@pytest.fixture
def configure(owner):
    """Write the bot's own window; returns the bot as the next request sees it."""
    config = owner.root.parent / "config.yml"
    before = config.read_text()

    def written(value):
        config.write_text(before.replace("memory_window: 70", f"memory_window: {value}"))
        return Bot.objects.get(pk=owner.bot.pk)

    return written


def test_page_names_the_bots_own_file(owner):
    shown = owner.page("settings/reads")
    assert "Default: 70, from the bot’s config.yml" in shown
    assert "config.json" not in shown


@pytest.mark.parametrize("value", ["${WINDOW}", "many", "2147483648", "1.5"])
def test_value_that_cannot_be_read_is_named_with_its_file(owner, configure, value):
    assert open_bot(configure(value)).settings.memory_window == 50
    words = "The value at agents.defaults.memory_window in config.yml can’t be read."
    assert words in owner.page("settings/reads")
    assert words not in owner.page("settings/costs")


@pytest.mark.parametrize(
    ("window", "stored", "taken"),
    [(-7, 58, 56), (-2147483648, 58, 56), (1, 58, 56), (57, 58, 48), (58, 58, 0), (2147483647, 58, 0), (0, 58, 0)],
)
def test_any_window_counts_as_the_bot_counts_it(owner, configure, window, stored, taken):
    bot = configure(window)
    assert open_bot(bot).settings.memory_window == window
    shown = owner.page("chats/whatsapp_15550134_s.whatsapp.net/transcript")
    assert (f"the bot archives the oldest {taken} messages" in shown) == bool(taken)
    assert ("sums nothing up" in shown) == (window == 0)


def test_odd_window_is_saved_in_the_page(owner):
    where = f"/{owner.bot.slug}/settings/reads"
    owner.client.post(where, {"memory_window": "-3"})
    assert Bot.objects.get(pk=owner.bot.pk).settings["memory_window"] == -3
    refused = owner.client.post(where, {"memory_window": "2147483648"})
    assert refused.status_code == 422
    assert Bot.objects.get(pk=owner.bot.pk).settings["memory_window"] == -3


def test_every_family_that_reads_a_configuration_says_which_file():
    named = {name: families.get(name).configuration for name in families.names()}
    assert named["autobot"] == "config.yml"
    assert named["nanobot"] == "config.json"
    assert named["discoclaw"] == ".env"
