"""No answer to a program that asks as seen from a chat holds what belongs to another chat."""

from __future__ import annotations

import json

import pytest

from memory.models import ApiToken, Bot
from tests.support.amounts import times
from tests.support.planted import plant
from tests.web.api.conftest import Program
from tests.web.conftest import make_bot

TREES = times(4, 10)  # each with files, an index and some forty calls


def answers(program, tree, chat):
    """What a program is told as seen from this chat, also where it asks for what others have."""
    marks = tree.foreign(chat)[:3]
    yield "documents", program.get("documents", chat=chat, limit=200)
    yield "facts", program.get("facts", chat=chat, limit=200)
    for other in (other for other in tree.chats if "/" not in other):
        yield "documents", program.get("documents", chat=chat, scope=other)
        yield "facts", program.get("facts", chat=chat, scope=other)
    yield "prompt", program.post("prompt", chat=chat, query=f"deploy ana {' '.join(marks)}")
    yield "search", program.get("facts/search", chat=chat, q="deploy ana code word prefers", limit=200)
    yield "search", program.get("facts/search", chat=chat, q=f"{tree.chats[-1]} in:chats", limit=200)
    for path in [path for path in tree.documents if not path.startswith("@")][:6]:
        yield "document", program.get("document", chat=chat, path=path)
        yield "facts", program.get("facts", chat=chat, path=path)
    for mark in marks:
        status, told = program.get("facts/search", chat=chat, q=mark)
        yield "search", (status, {**told, "nowhere": []})  # the word that was asked for


@pytest.mark.slow
def test_no_answer_holds_what_was_planted_in_another_chat(home):
    own = 0
    for seed in range(TREES):
        tree = plant(seed)
        bot, root = make_bot(home, f"bot-{seed}")
        tree.write(root)
        program = Program(bot, root, "read")
        program.look()
        for chat in tree.chats:
            for where, (status, told) in answers(program, tree, chat):
                assert status in (200, 404, 409) or (status, "/" in chat) == (422, True), (seed, chat, where, told)
                said = json.dumps(told, ensure_ascii=False)
                assert not tree.leaked(said, chat), (seed, chat, where)
                own += any(mark in said.casefold() for mark in tree.own(chat))
        assert ApiToken.objects.filter(bot=bot).count() == 1
    assert own > TREES * 3
    assert Bot.objects.count() == TREES
