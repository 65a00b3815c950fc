from __future__ import annotations

import pytest

from memory.models import Bot
from memory.web.base.addresses import address, addresses
from memory.web.base.calendar import known_days

PATHS = [
    "MEMORY.md",
    "@sessions/a b.jsonl",
    "chats/ä%/x.md",
    "a/../b.md",
    "q?x=1#y.md",
    "line\nend.md",
    "~a&'\"<>+;.md",
]


@pytest.mark.parametrize("path", PATHS)
def test_many_addresses_are_made_as_one_is(path):
    bot = Bot(slug="keno")
    for name in ("document", "facts", "document_history"):
        assert addresses(name, bot)(path) == address(name, bot, path)


def test_what_cannot_stand_in_an_address_has_none():
    assert addresses("document", Bot(slug="keno"))("bad\udcff.md") == ""


def test_the_months_are_those_of_days_that_calendars_have(desk):
    for day in ("2024-02-29", "2023-02-29", "2022-13-01", "2021-04-31", "0000-01-01", "2020-12-31", "2019-06-00"):
        desk.bot.days.create(day=day, written_ns=0)
    found = known_days(desk.bot)
    assert found.impossible == ("0000-01-01", "2019-06-00", "2021-04-31", "2022-13-01", "2023-02-29")
    assert set(found.months) == {"2024-02", "2020-12"}
