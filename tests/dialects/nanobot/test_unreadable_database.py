"""Every page of a bot whose database cannot be read just now: it opens, says what is wrong and shows what else is known."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory import index
from memory.dialects.nanobot.database.vault import RowsVault
from memory.models import Bot
from tests.dialects.nanobot import golden, home
from tests.management.cli.conftest import run
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGES = (
    *("", "memory", "days/", "documents/", "chats/", "chats/telegram_123", "chats/telegram_123/reads"),
    *("prompt/?chat=telegram_123&query=deploy", "search/?q=deploy", "search/near?q=deploy", "findings/", "history/"),
    *("entries/", "entries/new", "entries/recall?chat=telegram_123&q=deploy", "entries/upkeep", "entries/counters"),
    *("settings", "export", "facts/@database/telegram_123.jsonl", "documents/@database/telegram_123.jsonl"),
)


def scrambled(file):
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 512] = b"\xaa" * 512
    file.write_bytes(data)


def cut(file):
    file.write_bytes(file.read_bytes()[:5000])


def emptied(file):
    file.write_bytes(b"")


WRONG = {scrambled: "damaged", cut: "damaged", emptied: "This database isn’t a nanobot memory."}


@pytest.fixture
def desk(there, owner):
    done = run("add-bot", there[0], "--json")
    return Visitor(Bot.objects.get(slug=done.json["slug"]), there[0], owner)


def opened(desk):
    """The texts of all pages, each of which opens."""
    found = {page: desk._page(desk.client.get(f"/{desk.bot.slug}/{page}", follow=True)) for page in PAGES}
    assert {page: one.status for page, one in found.items() if one.status not in (200, 404, 409)} == {}
    assert [found[page].status for page in ("", "history/", "documents/", PAGES[8])] == [200] * 4
    return {page: one.text for page, one in found.items()}


@pytest.mark.alike(first=3)
@pytest.mark.parametrize(
    ("damage", "known"),
    [(scrambled, True), (emptied, False), (cut, True), (scrambled, False), (emptied, True), (cut, False)],
)
def test_a_database_that_is_no_good_any_more(desk, there, damage, known):
    if known:
        index.refresh(desk.bot)
    damage(there[1])
    opened(desk)
    index.refresh(desk.bot)
    texts = opened(desk)
    assert WRONG[damage] in texts[""]
    assert "Speaks Spanish" in texts["memory"]
    assert ("we decided to deploy on Fridays" in texts["search/?q=deploy"]) == known


@pytest.mark.parametrize("known", [True, False], ids=["read before", "never read"])
def test_a_database_that_somebody_holds(there, desk, monkeypatch, known):
    monkeypatch.setitem(RowsVault.__init__.__kwdefaults__, "patience", 0.05)
    workspace, file = there
    file.unlink()
    golden.make(file, home.rows(golden.workspace_id(workspace)), wal=False)
    if known:
        index.refresh(desk.bot)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        opened(desk)
        index.refresh(desk.bot)
        texts = opened(desk)
    assert "the bot was writing to it for too long" in texts[""]
    assert "Speaks Spanish" in texts["memory"]
    assert ("we decided to deploy on Fridays" in texts["search/?q=deploy"]) == known
    index.refresh(desk.bot)
    assert "the bot was writing to it for too long" not in opened(desk)[""]
