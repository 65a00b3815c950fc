"""A document that names a file which is not there."""

from __future__ import annotations

import pytest
from django.utils import timezone

from memory import index
from memory.checks import findings, references
from memory.models import Finding

pytestmark = pytest.mark.database(cases=1)


def look(desk):
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    return [(one.path, one.line, one.note) for one in Finding.objects.filter(rule=references.NAME, gone=None)]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("The plan is in [trip](notes/trip.md)", "notes/trip.md"),
        ("See [trip](trip%20to%20Braga.md#cost)", "trip%20to%20Braga.md"),
        ("Read `people/ana.md` first", "people/ana.md"),
    ],
)
def test_a_file_that_is_not_there_is_named(desk, said, named):
    desk.write("MEMORY.md", f"# Facts\n\n- {said}\n")
    assert look(desk) == [("MEMORY.md", 3, f"{named} doesn’t exist.")]


@pytest.mark.parametrize(
    "said",
    [
        "The plan is in [trip](https://example.org/trip.md)",
        "Each day is in `YYYY-MM-DD.md`, patterns in `*.md`",
        "Told in `2026-01-03.md`",
        "About the chat: `context.md`",
        "There was a file trip.md once",
        "Read `MEMORY.md` and [this](./MEMORY.md)",
    ],
)
def test_what_is_there_or_stands_for_many_is_not(desk, said):
    desk.write("MEMORY.md", f"# Facts\n\n- {said}\n")
    desk.write("chats/telegram-1/context.md", "Ines\n")
    assert look(desk) == []


def test_it_goes_when_the_file_comes(desk):
    desk.write("MEMORY.md", "- Tells of `chats/telegram-1/context.md`\n")
    assert len(look(desk)) == 1
    assert "1 broken reference" in desk.get("").text
    assert "Broken references" in desk.get("tidy/").text
    desk.write("chats/telegram-1/context.md", "Ines\n")
    assert look(desk) == []


def test_it_is_found_when_the_file_goes(desk):
    desk.write("MEMORY.md", "- Tells of `chats/telegram-1/context.md`\n")
    desk.write("chats/telegram-1/context.md", "Ines\n")
    assert look(desk) == []
    (desk.root / "chats/telegram-1/context.md").unlink()
    assert look(desk) == [("MEMORY.md", 1, "chats/telegram-1/context.md doesn’t exist.")]


def test_only_documents_that_changed_are_looked_at_again_on_the_same_day(desk, monkeypatch):
    asked = []
    broken = references.broken
    monkeypatch.setattr(references, "broken", lambda bot, paths=None: asked.append(paths) or broken(bot, paths))
    desk.write("MEMORY.md", "- Tells of `a.md`\n")
    desk.write("chats/telegram-1/MEMORY.md", "- Tells of [nothing](MEMORY.md)\n")
    assert len(look(desk)) == 1
    desk.write("chats/telegram-1/MEMORY.md", "- Tells of [nothing](b.md)\n")
    assert len(look(desk)) == 2
    assert asked == [None, ["chats/telegram-1/MEMORY.md"], ["MEMORY.md", "chats/telegram-1/MEMORY.md"]]


def test_it_is_found_when_a_file_goes_whose_name_is_written_for_addresses(desk):
    desk.write("MEMORY.md", "- Told in [me](identity/my%20self.md)\n")
    desk.write("identity/my self.md", "Ines\n")
    assert look(desk) == []
    (desk.root / "identity/my self.md").unlink()
    assert look(desk) == [("MEMORY.md", 1, "identity/my%20self.md doesn’t exist.")]


def test_facts_are_read_once_however_many_files_went(desk, django_assert_num_queries):
    started = timezone.now()
    for number in range(30):
        desk.write(f"identity/{number}.md", "Ines\n")
    desk.write("MEMORY.md", "- Told in `identity/7.md`\n")
    index.refresh(desk.bot)
    for number in range(30):
        (desk.root / f"identity/{number}.md").unlink()
    index.refresh(desk.bot, accept_vanished=True)
    with django_assert_num_queries(2):
        assert references.left_by(desk.bot, started) == {"MEMORY.md"}
