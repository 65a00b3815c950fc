"""A chat whose id holds a colon: its entries, notes and prompt are one chat's, by whatever name it is asked for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from memory import index, registry
from memory.bots import open_bot
from memory.dialects.nanobot import DIALECT
from memory.domain.places import Kind
from memory.domain.turns import Turn
from memory.models import Chat, Document
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.commands import over
from tests.dialects.nanobot.test_recall import NOW
from tests.web.conftest import Visitor

ROOM = "matrix:chat:!room:srv.org"
STATE = "memory/session-state/matrix_!room_srv.org.md"
HEAD = "# Session WAL State\n\n- session_key: {key}\n- channel: matrix\n- chat_id: {chat}\n\n## Turns\n\n"


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    of = golden.workspace_id(tmp_path / ".nanobot" / "workspace")
    room = {"channel": "matrix", "chat": "!room:srv.org"}
    rows = [
        golden.row("we decided on tea", of, kind="decision", n=50, **room),
        golden.row("i prefer milk", of, kind="preference", of="user", channel="matrix", sender="!room:srv.org", n=51),
    ]
    workspace, file = home.make(tmp_path / ".nanobot", more=rows)
    (workspace / STATE).write_text(
        HEAD.format(key="matrix:!room:srv.org", chat="!room:srv.org")
        + "### 2026-03-01T10:00:00+00:00 PRE\n- user: tea?\n\n### 2026-03-01T10:00:05+00:00 POST\n- assistant: yes\n\n"
    )
    return workspace, file


@pytest.mark.django_db
def test_it_is_one_chat_with_its_entries_and_its_sessions_notes(there):
    bot = registry.add(there[0])
    index.refresh(bot, patience=5)
    scopes = set(Chat.objects.filter(bot=bot).values_list("scope", flat=True))
    assert {scope for scope in scopes if "room" in scope} == {ROOM, "matrix:user:!room:srv.org"}
    assert Document.objects.get(bot=bot, path=STATE).scope == ROOM
    assert open_bot(bot).dialect.path(Kind.TRANSCRIPT, ROOM) == STATE
    page = Visitor(bot, there[0], User.objects.create_superuser("ana")).get(f"chats/{ROOM}/transcript")
    assert "tea?" in page.text


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["matrix:!room:srv.org", "channel:matrix:chat:!room:srv.org", ROOM])
def test_its_prompt_is_found_by_every_name_that_it_has(there, name):
    call = over(*there)
    told = call.json("context", "--chat", name, "--query", "tea milk")["text"]
    assert "we decided on tea" in told
    assert "i prefer milk" in told
    visitor = Visitor(call.bot, there[0], User.objects.create_superuser("ana"))
    assert "we decided on tea" in visitor.get("prompt", chat=name, q="tea").text


@pytest.mark.django_db
def test_a_turn_of_it_is_noted_where_the_bot_notes_it_and_of_another_session_never_there(there):
    bot = registry.add(there[0])
    dialect, settings, memory = open_bot(bot).dialect, open_bot(bot).settings, index.BotMemory(bot)
    (note,) = dialect.capturing.begun(Turn(ROOM, "more tea?", "", NOW, answered=True), memory, settings)
    assert note.path == STATE
    (there[0] / STATE).write_text(HEAD.format(key="matrix:!room_srv.org", chat="!room_srv.org"))
    assert dialect.describe(STATE).scope == "matrix_!room_srv.org"
    (note,) = dialect.capturing.begun(Turn(ROOM, "more tea?", "", NOW, answered=True), memory, settings)
    assert note.path != STATE
    assert DIALECT.describe(STATE).scope == "matrix_!room_srv.org"


@pytest.mark.parametrize(
    "head", ["", HEAD.format(key="x:y", chat="!room:srv.org"), HEAD.format(key="matrix:a:b", chat="a:b")]
)
def test_a_head_that_does_not_say_so_moves_no_notes(tmp_path, monkeypatch, db, there, head):
    (there[0] / STATE).write_text(head)
    bot = registry.add(there[0])
    assert open_bot(bot).dialect.describe(STATE).scope == "matrix_!room_srv.org"


def test_what_is_added_of_who_writes_there_is_theirs():
    assert DIALECT.attributes.scope("user", ROOM) == "matrix:user:!room:srv.org"
    assert DIALECT.attributes.scope("user", "matrix:user:@ana:srv.org") == "matrix:user:@ana:srv.org"
    assert DIALECT.attributes.scope("chat", ROOM) == ROOM
