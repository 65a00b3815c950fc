"""What is set for a nanobot: the keys of its own config.json, what the page says of them, and what they do."""

from __future__ import annotations

import json

import pytest

from memory import registry
from memory.bots import open_bot
from memory.curation import facts
from memory.curation.acts import Done
from memory.dialects.nanobot.config import configured
from memory.dialects.nanobot.settings import FIELDS, Settings
from memory.domain.turns import Turn
from memory.index import BotMemory
from memory.journal import By
from memory.models import Bot
from memory.web.site.settings_form import GROUPS
from tests.dialects.nanobot import golden

# Every key of the section `memory`, with a value that is not its default and the setting that it becomes.
KEYS = {
    "enabled": (False, "enabled"),
    "dbPath": ("other.db", None),
    "backend": ("reserved_hybrid", None),
    "recall.maxResults": (3, "max_results"),
    "recall.maxPromptChars": (900, "max_prompt_chars"),
    "recall.userPreferenceLayerResults": (0, "user_results"),
    "capture.enabled": (False, "picks_messages"),
    "capture.mode": ("heuristic", None),
    "capture.captureAssistant": (True, "picks_replies"),
    "capture.minConfidence": (0.5, "min_confidence"),
    "capture.minImportance": (0.85, "min_importance"),
    "capture.maxEntriesPerTurn": (1, "max_entries_per_turn"),
    "capture.channels": (["slack", "cli"], "channels"),
    "retention.episodicDays": (7, "episodic_days"),
    "retention.factDays": (8, "fact_days"),
    "retention.preferenceDays": (9, "preference_days"),
    "retention.decisionDays": (10, "decision_days"),
    "wal.enabled": (False, "notes_sessions"),
    "wal.stateDir": ("memory/states", "state_dir"),
    "embedding.enabled": (True, None),
    "embedding.backend": ("reserved_hybrid", None),
}
WRONG = {
    **{
        key: ["many", 2.5, None, [], {}]
        for key in ("recall.maxResults", "capture.maxEntriesPerTurn", "retention.factDays")
    },
    **{key: ["perhaps", 2, None, []] for key in ("enabled", "wal.enabled", "capture.enabled")},
    **{key: ["other", 1, None] for key in ("backend", "capture.mode")},
    **{key: [1, None, [], "a\0b", "\ud800"] for key in ("wal.stateDir", "dbPath")},
    "capture.minConfidence": ["sure", None, [1]],
    "capture.channels": ["cli", [1], None],
}


def file_of(key, value):
    found = value
    for part in reversed(key.split(".")):
        found = {part: found}
    return {"memory": found, "agents": {"defaults": {"model": "x"}}}


@pytest.mark.parametrize(("key", "value", "name"), [(key, *told) for key, told in KEYS.items()])
def test_every_key_of_the_file_is_read(key, value, name):
    found = configured(file_of(key, value))
    assert found.wrong == ""
    expected = {name: tuple(value) if isinstance(value, list) else value} if name else {}
    assert dict(found.values) == expected
    if name:
        assert getattr(Settings(), name) != expected[name]


def test_the_bots_own_names_of_the_keys_are_read_too():
    assert dict(configured({"memory": {"recall": {"max_results": 3}}}).values) == {"max_results": 3}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, some in WRONG.items() for value in some])
def test_one_wrong_value_and_the_whole_file_counts_for_nothing(key, value):
    whole = file_of(key, value)
    whole["memory"].setdefault("retention", {}).setdefault("episodicDays", 3)
    found = configured(whole)
    assert (dict(found.values), found.wrong) == ({}, f"memory.{key}")


@pytest.mark.parametrize("config", [None, [], 5, {}, {"memory": {}}, {"memory": {"no": 1, "recall": {"such": []}}}])
def test_a_file_that_says_nothing_gives_nothing(config):
    found = configured(config)
    assert (dict(found.values), found.wrong) == ({}, "")


def test_a_section_that_is_none_is_wrong():
    assert configured({"memory": []}).wrong == "memory"
    assert configured({"memory": {"recall": 8}}).wrong == "memory.recall"


@pytest.mark.parametrize(
    ("key", "value", "becomes"),
    [
        ("recall.maxResults", 0, 1),
        ("recall.maxResults", 10**9, 1000),
        ("recall.maxPromptChars", -5, 0),
        ("recall.userPreferenceLayerResults", -1, 0),
        ("capture.minConfidence", 7, 1.0),
        ("capture.maxEntriesPerTurn", 99, 20),
        ("retention.factDays", -1, 0),
        ("retention.factDays", 10**9, 36_500),
        ("recall.maxResults", "12", 12),
        ("recall.maxResults", 12.0, 12),
        ("enabled", "off", False),
        ("enabled", 0, False),
    ],
)
def test_numbers_come_inside_the_bounds_and_words_count_as_the_bot_counts_them(key, value, becomes):
    assert list(configured(file_of(key, value)).values.values()) == [becomes]


def test_the_defaults_are_the_seeds_and_each_field_is_one():
    chosen = Settings()
    assert {field.name: field.default for field in FIELDS} == {
        field.name: getattr(chosen, field.name) for field in FIELDS
    }
    assert {field.group for field in FIELDS} <= set(GROUPS)
    seed = {
        "max_results": 8,
        "max_prompt_chars": 2400,
        "user_results": 2,
        "min_confidence": 0.78,
        "min_importance": 0.6,
    }
    seed |= {"max_entries_per_turn": 4, "episodic_days": 90, "fact_days": 3650, "notes_sessions": True, "enabled": True}
    seed |= {"channels": ("cli", "telegram", "whatsapp", "discord", "feishu"), "state_dir": "memory/session-state"}
    assert {name: getattr(chosen, name) for name in seed} == seed


@pytest.fixture
def bot(there, db):
    return registry.add(there[0])


def write(there, config):
    (there[0].parent / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))


def test_what_the_owner_has_not_set_the_bots_file_says_and_the_page_says_so(bot, desk, there):
    assert open_bot(Bot.objects.get()).settings.max_results == 8
    write(there, {"memory": {"recall": {"maxResults": 3}, "capture": {"channels": ["cli", "slack"]}, "enabled": True}})
    assert (open_bot(bot).settings.max_results, open_bot(bot).settings.channels) == (3, ("cli", "slack"))
    page = desk.get("settings/reads").text
    assert "Default: 3, from the bot’s config.json" in page
    assert "Default: cli, slack, from the bot’s config.json" in desk.get("webhooks/settings").text
    assert "Default: yes, from the bot’s config.json" in page
    assert "Default: 2400, built in" in page
    bot.settings = {"max_results": 5}
    bot.save()
    assert open_bot(bot).settings.max_results == 5


@pytest.mark.usefixtures("bot")
def test_a_file_that_changes_is_read_again(there):
    for number in (3, 4, 5):
        write(there, {"memory": {"recall": {"maxResults": number}, "wal": {"stateDir": "x" * number}}})
        bot = Bot.objects.get()  # as the next request or job does
        assert open_bot(bot).settings.max_results == number
        assert open_bot(bot).dialect.path("transcript", "telegram_1") == f"{'x' * number}/telegram_1.md"


@pytest.mark.parametrize("text", ["", "{", "[1]", "\0", '{"memory": ' * 3000])
def test_a_file_that_cannot_be_read_counts_for_nothing(bot, desk, there, text):
    write(there, text)
    assert open_bot(bot).settings == Settings()
    assert desk.get("settings").status == 200


def test_a_wrong_value_is_named_on_the_page(bot, desk, there):
    write(there, {"memory": {"recall": {"maxResults": "many"}, "retention": {"factDays": 5}}})
    assert open_bot(bot).settings.fact_days == 3650
    words = (
        "The bot ignores its config.json because of the value at memory.recall.maxResults and uses its defaults for "
        "everything, the database path included. Kenoweb shows those defaults."
    )
    for where in ("settings", "settings/reads", "webhooks/settings"):
        assert words in desk.get(where).text
    assert words not in desk.get("settings/costs").text


def test_channels_are_a_list_of_names(bot, desk):
    desk.post("webhooks/settings", channels=" slack, cli ,, slack", state_dir="memory/notes/")
    bot.refresh_from_db()
    assert bot.settings == {"channels": ["slack", "cli"], "state_dir": "memory/notes/"}
    assert (open_bot(bot).settings.channels, open_bot(bot).settings.states) == (("slack", "cli"), "memory/notes")
    assert desk.get("webhooks/settings").soup.find("input", {"name": "channels"})["value"] == "slack, cli"
    desk.post("webhooks/settings")
    bot.refresh_from_db()
    assert bot.settings == {}


@pytest.mark.parametrize("given", ["x" * 300, "a,b\x07", ",".join(map(str, range(60)))])
def test_names_that_are_none_are_refused_with_a_sentence(bot, desk, given):
    answer = desk.post("webhooks/settings", channels=given)
    assert answer.status == 422
    assert "channels must be up to 50 names" in answer.text


@pytest.mark.parametrize(
    ("directory", "inside"),
    [
        ("memory/session-state", "memory/session-state"),
        ("./notes//of/sessions/", "notes/of/sessions"),
        ("{workspace}/memory/states", "memory/states"),
        ("/var/lib/states", ""),
        ("../states", ""),
        ("~/states", ""),
    ],
)
def test_sessions_are_noted_where_the_bots_file_says(bot, desk, there, directory, inside):
    write(there, {"memory": {"wal": {"stateDir": directory.format(workspace=there[0])}}})
    bot.settings = {"capture": "write"}
    bot.save()
    assert open_bot(bot).settings.states == inside
    path = open_bot(bot).dialect.path("transcript", "telegram_9")
    assert path == (f"{inside}/telegram_9.md" if inside else None)
    page = desk.get("settings").text
    assert ("The bot keeps its turn log outside the workspace, so Kenoweb neither shows nor writes it." in page) == (
        not inside
    )


def test_memory_that_is_off_recalls_keeps_and_notes_nothing(bot, there):
    bot.settings = {"enabled": False, "capture": "write"}
    bot.save()
    family, chosen = open_bot(bot).dialect, open_bot(bot).settings
    turn = Turn("telegram_123", "let's use Redis", "Ok.", open_bot(bot).now())
    assert family.capture(turn, BotMemory(bot), chosen).changes == ()
    assert family.begun(turn, BotMemory(bot), chosen) == ()
    read = family.prompt(BotMemory(bot), "telegram_123", "which database?", open_bot(bot).now(), chosen)
    assert [section.heading for section in read.sections] == ["Memory"]
    assert read.counted == {}
    bot.settings = {"picks_messages": False, "capture": "write"}
    changes = family.capture(turn, BotMemory(bot), open_bot(bot).settings).changes
    assert [change.path for change in changes] == ["memory/session-state/telegram_123.md"]
    assert golden.live(there[1])


@pytest.mark.parametrize(("days", "year"), [(0, None), (400, 1)])
def test_what_is_added_by_hand_lasts_as_long_as_is_set(bot, there, days, year):
    bot.settings = {"fact_days": days}
    bot.save()
    done = facts.add(bot, "@database/telegram_123.jsonl", "the shop opens at nine", By("ana"))
    assert isinstance(done, Done), done
    (row,) = golden.entries(there[1], "content = 'the shop opens at nine'").values()
    lasts = row["expires_at"] and int(row["expires_at"][:4]) - int(row["created_at"][:4])
    assert lasts in ({None} if year is None else {year, year + 1})


def test_the_page_warns_of_what_holds_as_it_is_set_and_offers_nothing_that_there_is_not(bot, desk, there):
    page = desk.get("settings").text
    assert "With these settings the bot saves no episodes" in page
    assert "The bot never recalls shared entries or a user’s decisions." in page
    assert "Automatic compaction" not in page
    assert desk.get("settings/compaction").status == 404
    write(there, {"memory": {"capture": {"minConfidence": 0.75}}})
    bot.settings = {"global_results": 1}  # for what Kenoweb answers; the bot itself has no such thing
    bot.save()
    page = desk.get("settings").text
    assert "the bot saves no episodes" not in page
    assert "The bot never recalls shared entries or a user’s decisions." in page
