"""A nanobot's pages asked with every odd thing: none breaks, none lets a stranger in, and none writes what was not meant."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index, registry
from memory.dialects.nanobot import sample
from tests.dialects.nanobot import golden
from tests.hostile.test_every_address import ODD
from tests.support.amounts import times

pytestmark = pytest.mark.django_db
PLACES = (
    *(
        "entries/",
        "entries/new",
        "entries/prune",
        "entries/recall",
        "entries/sessions",
        "entries/counters",
        "entries/mirrors",
    ),
    *(
        "entries/mirrors/mend",
        "entries/upkeep",
        "entries/backfill",
        "entries/reindex",
        "entries/back",
        "chats/telegram_4821/died",
    ),
    *("chats/%00/died", "chats/telegram:user:4821/died", "chats/%F0%9F%90%88/died"),
)
FIELDS = (
    *(
        "q",
        "kind",
        "whose",
        "chat",
        "important",
        "unimportant",
        "sure",
        "unsure",
        "expiry",
        "source",
        "order",
        "page",
        "print",
    ),
    *("text", "importance", "confidence", "anyway", "entry", "sender", "bot", "only", "one", "look", "next"),
)
SCOPE = "ch\u00e1t <b>\"'&\u2028\u202e\U0001f408"


def append(path, data):
    with path.open("ab") as there:
        there.write(data)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The sample's database with what nobody would name a chat or say in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = sample.write(tmp_path / "bot", datetime.now(UTC))
    found = workspace.parent / "memory" / "longterm.db"
    of = golden.workspace_id(workspace)
    golden.make(
        found,
        [
            golden.row(
                "<script>alert(1)</script> \x00\x1b]0;x\x07 \u202e", of, chat=SCOPE, kind="<i>odd</i>", source="\"'<"
            ),
            golden.row(
                "a\nb",
                of,
                chat="",
                n=2,
                expires_at="soon",
                updated_at="yesterday",
                created_at="9" * 50,
                importance=1e300,
            ),
            golden.row("x" * 100_000, of, of="user", sender="../../etc", n=3, expires_at=None),
            *(
                golden.row(at, of, chat="the ends of the calendar", n=n, created_at=at, updated_at=at, expires_at=at)
                for n, at in enumerate(("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"), 4)
            ),
        ],
    )
    append(workspace / "memory/semantic/facts.md", b"- [2026-01-01 00:00:00 UTC] <b>\xff\xfe</b>\r\n")
    append(
        workspace / "memory/session-state/cli_direct.md", b"### \xff PRE\n- user: <b>\xff\n### 9999 POST\n### x PRE\n"
    )
    index.refresh(registry.add(workspace, name="Pots"), patience=5)
    return found


@pytest.mark.parametrize("place", PLACES)
def test_no_page_of_a_nanobot_breaks(file, place):
    luck = random.Random(place)
    client = Client()
    assert client.get(f"/pots/{place}").status_code in (302, 404, 405)
    client.force_login(User.objects.create_superuser("ana"))
    before = {row["id"] for row in golden.entries(file).values()}
    for _ in range(times(2, 40)):
        given = {name: luck.choice(ODD) for name in FIELDS if luck.random() < 0.5}
        given = {name: value for name, value in given.items() if isinstance(value, str)}
        query = urlencode(given, errors="surrogatepass")
        page = client.get(f"/pots/{place}?{query}")
        assert page.status_code < 500, query
        assert b"<script>alert(1)" not in page.content
        assert b"<b>" not in page.content
        assert client.post(f"/pots/{place}", given).status_code < 500, query
    kept = golden.entries(file)
    assert before <= set(kept)
    if place not in ("entries/prune", "entries/back"):
        assert sum(row["is_deleted"] for row in kept.values()) == 3
    golden.check(file)
