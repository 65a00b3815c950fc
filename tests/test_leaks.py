"""What belongs to one chat is never in another's prompt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.dialects.kenobot import DIALECT
from memory.dialects.kenobot.settings import Settings
from tests.dialects.memories import FakeMemory
from tests.planted import CHATS, plant

TREES = 1000
NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
LATER = Settings(version="0.7")


def prompts(tree, chat):
    """The prompts of a chat: as each version reads, and as 0.7 does when it is asked for what others know."""
    memory = FakeMemory(tree.documents)
    for query, settings in (("", Settings()), ("", LATER), (f"deploy ana {' '.join(tree.foreign(chat)[:5])}", LATER)):
        yield DIALECT.prompt(memory, chat, query, NOW, settings)


@pytest.mark.timeout(240)
def test_no_prompt_holds_what_was_planted_in_another_chat():
    seen = 0
    for seed in range(TREES):
        tree = plant(seed)
        for chat in (None, *tree.chats):
            for prompt in prompts(tree, chat):
                assert not tree.leaked(prompt.text, chat), (seed, chat)
                assert not tree.leaked(" ".join(one.path + one.why for one in prompt.left_out), chat), (seed, chat)
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
