"""What the whole workspace keeps is read by every chat: it is nobody's secret, whatever it is called."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory import index
from memory.checks import findings, leaks, subjects
from memory.models import Document, Finding
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.commands import over

pytestmark = pytest.mark.django_db

SECRET = "Marta expects a child in May"


@pytest.fixture
def commands(there):
    found = over(*there)
    (found.workspace / "memory" / "MEMORY.md").write_text(home.MEMORY + f"- {SECRET}\n")
    return found


def keep(commands, of):
    """An entry that says the same, of a chat or of the workspace."""
    row = golden.row(SECRET, golden.workspace_id(commands.workspace), of=of, n=20)
    with closing(sqlite3.connect(commands.file)) as db:
        golden.insert(db, row)
        db.commit()


def look(bot):
    index.refresh(bot, accept_vanished=True)
    findings.look(bot)
    return list(Finding.objects.filter(bot=bot, gone=None).values_list("path", "note"))


def test_what_was_taken_in_for_the_whole_workspace_is_no_leak(commands):
    assert look(commands.bot) == []
    commands.text("backfill")
    assert look(commands.bot) == []
    assert Document.objects.filter(bot=commands.bot, path__endswith="global.jsonl", tier="global").exists()


def test_what_a_chat_keeps_as_well_as_the_workspace_is_no_other_chats(commands):
    (commands.workspace / "memory" / "MEMORY.md").write_text(home.MEMORY)
    for of in ("global", "chat"):
        keep(commands, of)
    assert look(commands.bot) == []


def test_what_one_chat_keeps_is_still_found_and_the_chat_is_named(commands):
    for of in ("global", "chat"):
        keep(commands, of)
    assert look(commands.bot) == [("memory/MEMORY.md", leaks.KEPT)]
    (subject,) = (one for one in subjects.by_key(commands.bot, [leaks.key(SECRET)]) if one.is_shared)
    assert leaks.others(commands.bot, [subject])[subject.pk].scope == "telegram_123"
