"""Every address of the desk, of an Autobot: none breaks, whatever is looked at or sent."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from tests.hostile.test_every_address import addresses, made

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


def of_a_bot(slug):
    for name, where, converters in addresses():
        if where.startswith("/<slug:slug>"):
            chosen = [(slug,) if one == "slug" else VALUES[one] for one in converters]
            for values in product(*chosen):
                yield name, made(where, converters, dict(zip(converters, values, strict=True)))


@pytest.mark.slow
def test_every_page_answers(owner):
    seen = Counter()
    for name, address in of_a_bot(owner.bot.slug):
        looked, sent = owner.client.get(address), owner.client.post(address)
        b"".join([*looked, *sent])  # a file that is sent is closed behind its last byte
        seen[looked.status_code] += 1
        assert looked.status_code in (200, 302, 404, 405, 422), (name, address)
        assert sent.status_code < 500, (name, address)
    assert seen[200] > 40


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
