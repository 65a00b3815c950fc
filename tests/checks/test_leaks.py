"""What belongs to one chat is never in another's prompt."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from memory import index
from memory.checks import findings
from memory.dialects.kenobot import DIALECT
from memory.dialects.kenobot.settings import Settings
from memory.prompts import as_of, build, what_if
from tests.dialects.memories import FakeMemory
from tests.support.amounts import times
from tests.support.planted import CHATS, plant
from tests.web.conftest import make_bot

TREES = times(100, 1000)
NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
LATER = Settings(version="0.7")


def prompts(tree, chat):
    """The prompts of a chat: as each version reads, and as 0.7 does when it is asked for what others know."""
    memory = FakeMemory(tree.documents)
    for query, settings in (("", Settings()), ("", LATER), (f"deploy ana {' '.join(tree.foreign(chat)[:5])}", LATER)):
        yield DIALECT.prompt(memory, chat, query, NOW, settings)


@pytest.mark.slow
def test_no_prompt_holds_what_was_planted_in_another_chat():
    seen = 0
    for seed in range(TREES):
        tree = plant(seed)
        for chat in (None, *tree.chats):
            for made in prompts(tree, chat):
                assert not tree.leaked(made.text, chat), (seed, chat)
                assert not tree.leaked(" ".join(one.path + one.why for one in made.left_out), chat), (seed, chat)
                seen += 1
    assert seen >= TREES * 3 * 3


def test_the_marks_of_a_chat_are_in_its_own_prompt():
    """Else the test above would hold of a bot that reads nothing."""
    for seed in range(50):
        tree = plant(seed)
        for chat in tree.chats:
            text = DIALECT.prompt(FakeMemory(tree.documents), chat, "", NOW, Settings(memory_days=30)).text
            own = [mark for mark in (*tree.own(chat), *tree.own(None)) if not only_elsewhere(tree, mark)]
            assert own
            assert [mark for mark in own if mark not in text] == []


def only_elsewhere(tree, mark):
    """Whether a mark stands only where the versions before 0.7 do not read."""
    path = next(path for path, data in tree.documents.items() if mark.encode() in data)
    return path.startswith("@") or path.endswith("/context.md")


def test_a_leak_is_noticed():
    tree = plant(3, CHATS[:2])
    (mark, *_others) = tree.own(tree.chats[1])
    assert tree.leaked(f"<td>{mark.upper()}</td>", tree.chats[0]) == [mark]
    assert tree.leaked(mark, tree.chats[1]) == []


@pytest.fixture
def planted(owner, tmp_path, kenoweb_home):
    """Makes a bot over the files of a tree, and gives a client that is logged in."""
    client = Client()
    client.force_login(owner)

    def plant_one(seed):
        tree = plant(seed)
        bot, root = make_bot(tmp_path, f"bot-{seed}")
        tree.write(root)
        index.refresh(bot)
        return tree, bot, client

    return plant_one


@pytest.mark.parametrize("seed", range(times(2, 6)))
@pytest.mark.slow
def test_no_page_of_a_chats_prompt_shows_what_is_anothers(planted, seed):
    tree, bot, client = planted(seed)
    for chat in ("", *tree.chats):
        wanted = f"chat={quote(chat)}&q={quote(' '.join(tree.foreign(chat)[:3]))}"
        asked = f"chat={quote(chat)}"
        for address in ("prompt/", "prompt/text", "prompt/compare"):
            twice = f"&with={quote(chat)}" if address.endswith("compare") else ""
            for query in (asked, f"{asked}&at={timezone.now():%Y-%m-%dT%H:%M:%S}", f"{asked}&by=cost"):
                page = client.get(f"/{bot.slug}/{address}?{query}{twice}")
                assert page.status_code == 200, (chat, address, page.content[-300:])
                assert not tree.leaked(page.content, chat), (chat, address)
        if tree.foreign(chat):
            assert client.get(f"/{bot.slug}/prompt/?{wanted}").status_code == 200


@pytest.mark.parametrize("seed", range(6, times(9, 12)))
def test_what_is_made_of_a_prompt_holds_scopes_too(planted, seed):
    tree, bot, _client = planted(seed)
    memory = index.BotMemory(bot)
    findings.look(bot)
    for chat in (None, *tree.chats):
        then = build.build(bot, chat, now=timezone.now(), memory=as_of.memory_at(bot, chat, timezone.now()))
        assert then.text == build.build(bot, chat).text
        assert not tree.leaked(then.text, chat)
        for other in tree.chats:
            text = f"- {tree.own(other)[0]}\n"
            effect = what_if.effect(bot, chat, memory, f"chats/{other}/MEMORY.md", text.encode())
            assert not tree.leaked(effect.after.text, chat)
