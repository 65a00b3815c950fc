"""What a nanobot's prompt does not hold is said, each thing with why: on the page, on the command line and to programs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memory.dialects.nanobot import DIALECT, layout, scopes, unread
from memory.dialects.nanobot.recall import TOO_LONG, TOO_MANY
from memory.dialects.nanobot.settings import Settings
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.commands import over
from tests.dialects.nanobot.test_recall import NOW, held, row

CHAT = layout.entries_path("telegram_1")
USER = layout.entries_path(scopes.name_of(scopes.user_key("telegram", "", "1"), ""))
PLAIN = Settings()
ENTRIES = ["we ship on friday", "tea at noon", "postgres it is", "no tabs", "the plan is secret", "ana knows"]
LONG = "# Memory\n\n" + "The ship has landed in Oslo. " * 28 + "And its captain is Bo."


def left(memory, query="deploy", settings=PLAIN, chat="telegram_1"):
    return [(one.path, one.why, one.count) for one in DIALECT.to_answer(memory, chat, query, NOW, settings).left_out]


def test_what_is_cut_off_memory_md_is_named_with_the_rule():
    memory = held([], **{layout.LEGACY: LONG})
    (one,) = DIALECT.prompt(memory, None, "", NOW, PLAIN).left_out
    flat = " ".join(LONG.split())
    assert (one.path, one.why) == (
        layout.LEGACY,
        f"The bot loads 800 characters of it and cuts off the last {len(flat) - 797}.",
    )
    assert one.age == f"“…{flat[797:].strip()}”"
    read = DIALECT.prompt(memory, None, "", NOW, PLAIN).text
    assert flat[:797] in read
    assert flat[797:] not in read
    assert left(held([], **{layout.LEGACY: "x" * 800}), chat=None) == []


def test_entries_that_are_not_recalled_are_counted_with_why():
    user = scopes.user_key("telegram", "", "1")
    rows = [row(text, number=n) for n, text in enumerate(ENTRIES)]
    rows += [row("a decision of ana", number=10, key=user, kind="decision"), row("likes tea", number=11, key=user)]
    memory = held(rows)
    others = [(USER, unread.OTHER_KIND, 1)]
    assert left(memory) == [(CHAT, unread.NO_WORD, 6), (USER, unread.NO_WORD, 1), *others]
    assert left(memory, "tea") == [(CHAT, unread.NO_WORD, 5), *others]
    assert left(memory, "") == [(CHAT, unread.NO_MESSAGE, 6), (USER, unread.NO_MESSAGE, 2)]
    assert left(memory, "?!") == [(CHAT, unread.NO_WORD, 6), (USER, unread.NO_WORD, 1), *others]
    assert left(memory, "tea", Settings(enabled=False)) == [(CHAT, unread.OFF, 6), (USER, unread.OFF, 2)]
    assert left(held(rows[:1]), "ship") == []


def test_entries_that_have_no_room_are_counted_once():
    memory = held([row(f"deploy {n} {'x' * 200}", number=n) for n in range(4)])
    found = left(memory, "deploy", Settings(max_prompt_chars=400))
    assert [(why, count) for _, why, count in found] == [(TOO_LONG, 1)] * 3


def test_what_belongs_to_the_whole_workspace_is_said_to_be_recalled_in_no_chat():
    memory = held([row("we ship on friday"), row("ships are blue", number=1, key=scopes.global_key("w"))])
    wide = layout.entries_path(scopes.GLOBAL)
    assert left(memory, "ship") == [(wide, unread.WIDE, 1)]
    assert left(memory, "ships", Settings(global_results=1)) == [(CHAT, unread.NO_WORD, 1)]


@pytest.mark.slow
def test_ten_thousand_entries_are_as_short_to_tell_as_ten():
    rows = [row(f"deploy number {n}" if n % 2 else f"tea number {n}", number=n) for n in range(10_000)]
    found = DIALECT.to_answer(held(rows), "telegram_1", "deploy", NOW, replace(PLAIN, max_results=5)).left_out
    assert len(found) == unread.NAMED + 2
    assert sum(one.count for one in found) == 10_000 - 5
    assert [(one.why, one.count) for one in found[-2:]] == [
        (TOO_MANY, 5000 - 5 - unread.NAMED),
        (unread.NO_WORD, 5000),
    ]


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, file = home.make(tmp_path / ".nanobot")
    (workspace / layout.LEGACY).write_text(LONG)
    return workspace, file


@pytest.mark.django_db
def test_the_page_says_what_is_left_out_and_links_to_the_recall(desk):
    page = desk.get("prompt", chat="telegram_123", q="nothing like it")
    out = page.soup.select_one("section[aria-labelledby=left-out]")
    said = " ".join(out.get_text(" ").split())
    assert "The bot loads 800 characters of it and cuts off the last" in said
    assert "It contains none of the words the bot looks for, so it isn’t recalled." in said
    assert [chip.text for chip in out.select("summary .chip")] == ["5"]
    assert "recall?chat=telegram_123&q=nothing" in out.select("a")[-1]["href"]
    assert desk.client.get(out.select("a")[-1]["href"]).status_code == 200


@pytest.mark.django_db
def test_the_page_of_a_bot_that_leaves_nothing_out_claims_no_more_than_that(desk, there):
    (there[0] / layout.LEGACY).write_text("# Memory\n\n- tea\n")
    said = desk.get("prompt", chat="").soup.select_one("section[aria-labelledby=left-out]").get_text(" ", strip=True)
    assert "Nothing in MEMORY.md. Entries are recalled in chats only." in said


@pytest.mark.django_db
def test_the_command_line_says_the_same(there):
    told = over(*there).json("context", "--chat", "telegram_123", "--query", "deploy")
    assert [(one["path"], one["count"]) for one in told["left_out"] if one["why"] == unread.NO_WORD] == [
        (layout.entries_path("telegram_123"), 1),
        (layout.entries_path(scopes.name_of(scopes.user_key("telegram", "", "123"), "")), 1),
    ]
    assert "cuts off the last" in json.dumps(told["left_out"])
    golden.check(there[1])
