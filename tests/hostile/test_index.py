"""What several at once do to the index: pages, the walk, and whoever writes meanwhile."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from memory import index
from memory.models import Document, Fact
from tests.index.test_sums import counted, kept

pytestmark = pytest.mark.django_db(transaction=True)
DAY = "2026-11-20.md"


def log(numbers):
    return "".join(f"## 10:00 — entry {number}\n\n" for number in numbers)


def at_once(*acts):
    """Do all of it at the same time; what went wrong."""
    wrong, ready = [], threading.Barrier(len(acts))

    def run(act):
        try:
            ready.wait()
            act()
        except Exception as error:
            wrong.append(repr(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def in_step(bot, path, count):
    index.refresh(bot)
    assert Document.objects.get(bot=bot, path=path).facts_count == count
    assert Fact.objects.filter(bot=bot, document__path=path).count() == count
    assert kept(bot) == counted(bot)


@pytest.mark.slow
def test_a_full_day_is_looked_at_by_two_pages_while_the_walk_meets_it(desk):
    desk.write(DAY, log(range(5000)).encode())
    walk, page = (lambda: index.refresh(desk.bot)), (lambda: index.look_all(desk.bot, [DAY]))
    assert at_once(walk, page, page) == []
    in_step(desk.bot, DAY, 5000)


@pytest.mark.slow
def test_pages_are_looked_at_while_the_first_walk_meets_many_documents(desk):
    paths = [f"chats/tg-{number}/{DAY}" for number in range(60)]
    for path in paths:
        desk.write(path, log(range(50)).encode())
    looks = [lambda path=path: index.look_all(desk.bot, [path]) for path in paths[::12]]
    assert at_once(lambda: index.refresh(desk.bot), *looks) == []
    in_step(desk.bot, paths[0], 50)


@pytest.mark.slow
def test_a_full_day_that_is_rewritten_while_it_is_looked_at(desk):
    desk.write(DAY, log(range(4000)).encode())

    def rewrite():
        for size in (3500, 2500, 30):
            desk.write(DAY, log(range(10, 10 + size)).encode())
            index.look(desk.bot, DAY)

    walk = lambda: [index.refresh(desk.bot) for _ in range(3)]  # noqa: E731
    assert at_once(walk, rewrite) == []
    in_step(desk.bot, DAY, 30)
