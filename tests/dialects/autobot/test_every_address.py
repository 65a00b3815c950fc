"""Every address of the desk, of an Autobot: none breaks, whatever is looked at or sent."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.hostile.test_every_address import answers

CHAT = "telegram_70100001"
VALUES = {
    "path": (
        "memory/MEMORY.md",
        "memory/HISTORY.md",
        f"sessions/{CHAT}.jsonl",
        f"memory/waiting/{CHAT}.20260101T000000Z.jsonl",
    ),
    "scope": (CHAT, "nobody", ".."),
    "day": ("2026-10-21", "2026-13-45"),
    "pk": ("1", "999"),
    "token": ("x",),
}
ODD = ("", "\0", "..", CHAT, "memory/waiting/../../x.20260101T000000Z.jsonl", "\u2028", "9" * 400, "٣")
OWN = ("archive", "retry", "back", "repair")


@pytest.mark.slow
def test_every_page_answers(owner):
    seen = Counter()
    for name, address, looked, sent in answers(owner.client, owner.bot.slug, VALUES):
        seen[looked.status_code] += 1
        assert looked.status_code in (200, 302, 404, 405, 422), (name, address)
        assert sent.status_code < 500, (name, address)
    assert seen[200] > 40


@pytest.mark.slow
def test_odd_fields_change_nothing(owner):
    before = owner.files()
    where = f"/{owner.bot.slug}/entries"
    for odd in (one for one in ODD if one != CHAT):
        for act in OWN:
            answer = owner.client.post(f"{where}/consolidation/{act}", {"chat": odd, "block": odd})
            assert answer.status_code in (302, 404), (act, odd)
        query = {"q": odd, "from": odd, "until": odd, "around": odd, "page": odd}
        assert owner.client.get(f"{where}/log", query).status_code == 200
        assert owner.client.get(f"{where}/consolidation", {"page": odd}).status_code == 200
    assert owner.files() == before
