"""What belongs to one chat is never found as seen from another, whatever is asked."""

from __future__ import annotations

import pytest

from memory import index, search
from memory.models import Bot
from memory.search import FEW, MOST
from tests.search.conftest import NOW
from tests.support.amounts import times
from tests.support.planted import plant
from tests.web.conftest import make_bot

TREES = times(20, 40)
BESIDE = 20  # so many trees, and one of them stays
ON_A_SERVER = 6
COMMON = "deploy friday ana word prefers topic about 喜欢 🎉"


@pytest.fixture
def garden(db, tmp_path, kenoweb_home):
    """Plants a tree as a bot of its own, its index in step."""

    def sown(seed):
        tree = plant(seed)
        bot, root = make_bot(tmp_path, f"bot-{seed}")
        tree.write(root)
        index.refresh(bot)
        bot.refresh_from_db()
        return tree, bot

    return sown


def questions(tree, chat):
    """What somebody might ask: common words, the very words of other chats whole and in part, filters that name them."""
    marks = tree.foreign(chat)
    yield COMMON, False
    yield " ".join(marks[:20]), False
    for mark in marks[:2]:
        yield mark[:5], True
        yield mark[3:], False
        yield f'"{mark}" deploy', False
    for other in tree.chats:
        yield f'{COMMON} chat:"{other}"', False
        yield f"{COMMON} in:chats -tier:global", False


def said(results):
    """All that a search hands out beside the words that were asked for."""
    hits = (f"{hit.text} {hit.heading} {hit.path} {hit.key}" for hit in results.hits)
    return " ".join(hits)


def asked_of(tree, bot):
    """Asks everything from every chat; how many hits were the asker's own or everybody's."""
    seen = 0
    for chat in tree.chats:
        for question, typing in questions(tree, chat):
            results = search.search(bot, question, now=NOW, chat=chat, limit=MOST, typing=typing)
            assert not tree.leaked(said(results), chat), (chat, question)
            assert {hit.scope for hit in results.hits} <= {"", chat}, (chat, question)
            assert results.found == len(results.hits)
            seen += len(results.hits)
    return seen


@pytest.mark.slow
def test_no_search_finds_what_was_planted_in_another_chat(garden):
    seen = 0
    for seed in range(TREES):
        tree, bot = garden(seed)
        seen += asked_of(tree, bot)
        if seed % BESIDE:
            bot.delete()  # a few others stay: their marks must not be found either, but each search looks at all facts
    assert seen > TREES * 50
    assert Bot.objects.count() == TREES // BESIDE


@pytest.mark.slow
@pytest.mark.database
def test_the_same_on_each_database(garden):
    assert sum(asked_of(*garden(seed)) for seed in range(1000, 1000 + ON_A_SERVER)) > ON_A_SERVER * 50


@pytest.mark.database
def test_neighbours_of_another_chat_are_not_heard(garden):
    """A score and its reason may not tell of what somebody else's entry says either."""
    tree, bot = garden(5)
    for chat in tree.chats:
        for mark in tree.foreign(chat)[:10]:
            assert search.search(bot, mark, now=NOW, chat=chat, limit=FEW).hits == ()


@pytest.mark.database
def test_the_marks_of_a_chat_are_found_from_it(garden):
    """Else the tests above would hold of a search that finds nothing."""
    tree, bot = garden(7)
    indexed = " ".join(bot.documents.values_list("facts__text", flat=True).exclude(facts__text=None))
    for chat in tree.chats:
        for mark in [mark for mark in tree.own(chat) if mark in indexed.casefold()]:
            hits = search.search(bot, mark, now=NOW, chat=chat).hits
            assert mark in hits[0].text.casefold()
