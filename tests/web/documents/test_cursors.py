"""A history's cursors hold, whatever way a change comes: the editor, an entry's row, undo, restore, import, the API, the admin."""

from __future__ import annotations

import json

import pytest

from memory import index, journal
from memory.bots import open_bot
from memory.curation import facts as fact_edits
from memory.curation.acts import Done
from memory.domain.changes import Delete, Put, digest
from memory.models import ChangeSet
from memory.registry import export_zip, import_zip
from tests.support.workspaces import write
from tests.web.conftest import added

PATH = "memory/history.jsonl"


def line(cursor, content="thing"):
    return json.dumps({"cursor": cursor, "timestamp": "2026-01-03 21:10", "content": f"{content} {cursor}"}) + "\n"


TEXT = "".join(line(number) for number in range(1, 6))
BROKEN = {
    "the newest removed": "".join(line(number) for number in range(1, 5)),
    "one changed": TEXT.replace('"cursor": 3', '"cursor": 30'),
    "one doubled": TEXT + line(5),
    "one added": TEXT + line(6),
    "two in another order": line(2) + line(1) + "".join(line(number) for number in range(3, 6)),
    "one no number any more": TEXT.replace('"cursor": 3', '"cursor": "3"'),
    "a line that is no JSON": TEXT + "noise\n",
    "all gone": "",
    "a byte order mark before all": "\ufeff" + TEXT,
    "a byte order mark before one": TEXT.replace('{"cursor": 3', '\ufeff{"cursor": 3'),
}
ALLOWED = {
    "one reworded": TEXT.replace("thing 3", "another thing"),
    "the oldest removed": "".join(line(number) for number in range(3, 6)),
}


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", {"memory/MEMORY.md": "- x\n", PATH: TEXT, "memory/.cursor": "5"})
    return added(root)


@pytest.mark.parametrize("how", BROKEN)
def test_the_editor_refuses_it_and_says_why(nursery, how):
    page = nursery.save(BROKEN[how], path=PATH)
    assert page.status == 422
    assert any(word in page.text for word in ("cursor", "skip it"))
    assert nursery.read(PATH) == TEXT


@pytest.mark.parametrize("how", ALLOWED)
def test_what_keeps_them_is_saved_and_undone(nursery, how):
    nursery.save(ALLOWED[how], path=PATH)
    assert nursery.read(PATH) == ALLOWED[how]
    changed = ChangeSet.objects.filter(bot=nursery.bot, kind=ChangeSet.Kind.EDIT).latest("pk")
    nursery.post(f"changes/{changed.pk}/undo")
    assert nursery.read(PATH) == TEXT


def test_an_entry_is_not_added_and_the_newest_is_not_forgotten(nursery):
    bot, by = nursery.bot, journal.By("ana")
    facts = open_bot(bot).dialect.facts(PATH, TEXT.encode())
    last = facts[-1]
    assert isinstance(fact_edits.forget(bot, [(PATH, last.key, last.nth)], by), fact_edits.Refused)
    assert isinstance(fact_edits.add(bot, PATH, "new", by), fact_edits.Refused)
    assert nursery.read(PATH) == TEXT
    assert isinstance(fact_edits.forget(bot, [(PATH, facts[0].key, facts[0].nth)], by), Done)
    assert json.loads(nursery.read(PATH).split("\n")[0])["cursor"] == 2


def test_an_older_version_is_not_restored_over_newer_entries(nursery):
    first = digest(TEXT.encode())
    nursery.write(PATH, TEXT + line(6))
    index.refresh(nursery.bot)
    changed = ChangeSet.objects.filter(bot=nursery.bot).order_by("pk").first()
    nursery.post(f"changes/{changed.pk}/restore", path=PATH, sha256=first)
    assert nursery.read(PATH) == TEXT + line(6)


@pytest.mark.parametrize("how", BROKEN)
def test_nothing_writes_it_by_any_way(nursery, how):
    """Import, API, admin and compaction end in the journal."""
    change = Put(PATH, BROKEN[how].encode(), digest(TEXT.encode()))
    for kind in (ChangeSet.Kind.IMPORT, ChangeSet.Kind.RESTORE, ChangeSet.Kind.COMPACTION):
        outcome = journal.commit(nursery.bot, [change], by=journal.By("ana"), kind=kind)
        assert isinstance(outcome, journal.Conflict)
        assert any(word in outcome.reason for word in ("cursor", "skip it"))
    outcome = journal.commit(nursery.bot, [Delete(PATH, digest(TEXT.encode()))], by=journal.By("ana"), kind="edit")
    assert isinstance(outcome, journal.Conflict)
    assert nursery.read(PATH) == TEXT


def test_an_export_of_before_does_not_take_the_newest_entries(nursery, tmp_path):
    file = tmp_path / "before.zip"
    export_zip.write(nursery.bot, file)
    nursery.write(PATH, TEXT + line(6))
    nursery.write("memory/MEMORY.md", "- y\n")
    index.refresh(nursery.bot)
    outcome = import_zip.bring_in(nursery.bot, file, journal.By("ana"))
    assert isinstance(outcome, journal.Conflict)
    assert "cursor 6" in outcome.reason
    assert nursery.read(PATH) == TEXT + line(6)
    assert nursery.read("memory/MEMORY.md") == "- y\n"


def test_a_forgotten_entry_comes_back_where_it_was(nursery):
    fact = open_bot(nursery.bot).dialect.facts(PATH, TEXT.encode())[1]
    done = fact_edits.forget(nursery.bot, [(PATH, fact.key, fact.nth)], journal.By("ana"))
    assert nursery.read(PATH) != TEXT
    nursery.post(f"changes/{done.change_set.pk}/undo")
    assert nursery.read(PATH) == TEXT
