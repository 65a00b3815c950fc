"""Every address of the desk, of a GolemCore: none breaks, whatever is looked at or sent."""

from __future__ import annotations

from collections import Counter

import pytest

from memory import index
from tests.dialects.golemcore.bot import PROCEDURAL, SEMANTIC, files
from tests.hostile.test_every_address import answers

CHAT = "telegram:5550199"
VALUES = {
    "path": ("memory/MEMORY.md", SEMANTIC, f"{PROCEDURAL}.bak", "memory/2026-02-18.md", f"sessions/{CHAT}.json"),
    "scope": (CHAT, "nobody", ".."),
    "day": ("2026-02-18", "2026-13-45"),
    "pk": ("1", "999"),
    "token": ("x",),
}
ODD = ("", "\0", "..", "\u2028", "9" * 400, "٣", "../preferences/memory")
HOSTILE = (
    b'\xff\xfe{\n[]\n{"content":"\xe2\x80\xa8","createdAt":1e400,"salience":"NaN"}\n{"content":"x","createdAt":9e99}\n'
    + (b"[" * 5000 + b"\n" + b'{"content":"long ' + b"w" * 600_000 + b'"}\n')
)


@pytest.mark.slow
def test_every_page_answers(bot, there, visitor):
    (there / SEMANTIC).write_bytes(files()[SEMANTIC] + HOSTILE)
    (there / "sessions").mkdir(exist_ok=True)
    (there / f"sessions/{CHAT}.json").write_text('{"messages": [5, {"role": "user", "content": "hi"}]}')
    index.refresh(bot, patience=5)
    seen = Counter()
    for name, address, looked, sent in answers(visitor, bot.slug, VALUES):
        seen[looked.status_code] += 1
        assert looked.status_code in (200, 302, 404, 405, 422), (name, address)
        assert sent.status_code < 500, (name, address)
    assert seen[200] > 40


@pytest.mark.slow
@pytest.mark.django_db
def test_odd_fields_change_nothing(bot, there, visitor):
    before = {path: (there / path).read_bytes() for path in files()}
    for odd in ODD:
        for page in ("entries/scores", "entries/losses", "sessions", "prompt/"):
            asked = {"q": odd, "entry": odd, "page": odd, "channel": odd, "state": odd}
            assert visitor.get(f"/{bot.slug}/{page}", asked).status_code == 200, (page, odd)
        for act in ("compact", "clear", "delete"):
            answer = visitor.post(f"/{bot.slug}/sessions/{act}", {"chat": odd, "keep": odd})
            assert answer.status_code in (302, 404), (act, odd)
    assert {path: (there / path).read_bytes() for path in files()} == before
