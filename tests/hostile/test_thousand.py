"""Random trees in one memory, a thousand in a long run: what is asked as seen from a chat shows nothing of another one."""

from __future__ import annotations

import json
import random

import pytest

from memory import search
from memory.search import MOST
from tests.search.conftest import NOW
from tests.support.amounts import times
from tests.support.planted import CHATS, DAYS, plant
from tests.web.api.conftest import (
    Program,
    home as home_fixture,  # noqa: F401
)
from tests.web.conftest import make_bot

TREES = times(60, 1000)
CLOSELY = 10  # every so many trees it is asked in several ways
COMMONLY = 50  # every so many trees what all say is asked for too, and the prompt: both look at the whole memory
COMMON = "deploy friday ana word prefers topic about 喜欢 🎉"


@pytest.fixture
def home(home_fixture):  # noqa: F811
    return home_fixture


def planted(root):
    """The trees, laid into one directory: their chats are called by the tree. What is nobody's is left out, and all but the memory
    and the logs of one day of each chat: the walk would be most of the test."""
    dice = random.Random(1)
    names = [name for name in CHATS if not name.endswith(".md")]
    trees = [plant(seed, [f"{name}~{seed}" for name in dice.sample(names, 2)]) for seed in range(TREES)]
    for tree in trees:
        for path, data in tree.documents.items():
            if "~" in path and path.endswith(("/MEMORY.md", f"/{DAYS[0]}.md")):
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
    return trees


def asked(tree, chat):
    """What others alone say, whole and in part."""
    marks = tree.foreign(chat)
    return " ".join([*marks[:12], *tree.own(chat)]), marks[0][:7], f'"{marks[-1]}"'


@pytest.mark.slow
def test_nothing_of_another_chat_is_found_among_many_trees(home):
    bot, root = make_bot(home)
    trees = planted(root)
    program = Program(bot, root, "read")
    program.look()
    every = {mark: scope for tree in trees for mark, scope in tree.marks.items() if scope}
    own = 0
    for number, tree in enumerate(trees):
        chat = tree.chats[number % 2]
        whole, part, phrase = asked(tree, chat)
        commonly = f"{COMMON} {whole}" if number % COMMONLY == 0 else whole
        for question in (commonly, part, phrase) if number % CLOSELY == 0 else ():
            hits = search.search(bot, question, now=NOW, chat=chat, limit=MOST).hits
            assert {hit.scope for hit in hits} <= {"", chat}, (number, question)
        told = [program.get("facts/search", chat=chat, q=commonly, limit=200)]
        if number % COMMONLY == 0:
            told.append(program.post("prompt", chat=chat, query=whole))
        for status, said in told:
            assert status == 200, said
            seen = json.dumps({**said, "nowhere": [], "query": ""}, ensure_ascii=False).casefold()
            shown = [mark for mark in tree.marks if mark in seen]
            assert {every[mark] for mark in shown} <= {chat}, (number, chat)
            own += bool(shown)
    assert own > TREES * 0.9
