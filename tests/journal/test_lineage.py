"""What became of each fact stands beside the change that did it, whoever did it and however it was done."""

from __future__ import annotations

import pytest

from memory import index
from memory.curation import facts, moving
from memory.domain.changes import Append, Put
from memory.domain.errors import WriteFailed
from memory.journal import How, Link
from memory.models import ChangeSet, Fact, Lineage
from memory.storage import files
from memory.text.markdown.normal import key
from tests.journal.conftest import ANA

pytestmark = pytest.mark.database

MEMORY, LOG = "MEMORY.md", "2026-11-20.md"
TEXT = b"- Lives in Porto\n- Has a cat\n"


@pytest.fixture
def kept(desk):
    desk.write(MEMORY, TEXT)
    desk.write(LOG, "## 10:00 — Bought tea\n\n## 11:00 — Sold a boat\n".encode())
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()
    return desk


def told(desk, change_set=None):
    """(how, from, to) of the links of a change set, the newest by default, facts by their documents and first words."""
    newest = change_set or ChangeSet.objects.filter(bot=desk.bot).first()
    return sorted(
        (row.how, _named(row.from_path, row.from_key), _named(row.to_path, row.to_key))
        for row in Lineage.objects.filter(change_set=newest)
    )


TEXTS = [
    "Lives in Porto",
    "Lives in Lisbon",
    "Has a cat",
    "Has a cat called Minka",
    "Bought tea",
    "Sold a boat",
    "Paints",
]
TEXTS += ["Moved house", "Porto is home, with a cat"]


def _named(path, name):
    return f"{path}: {next(text for text in TEXTS if key(text) == name)}" if name else ""


def name(desk, text):
    one = Fact.objects.select_related("document").get(bot=desk.bot, text=text)
    return one.document.path, one.key, one.nth


def test_only_appending_tells_nothing(kept):
    kept.append(LOG, "## 12:00 — Paints\n".encode())
    kept.add(LOG, "## 13:00 — Moved house\n".encode())
    index.refresh(kept.bot)
    assert not Lineage.objects.exists()


def test_working_memory_that_each_turn_replaces_tells_nothing(kept):
    kept.write("working/telegram-1.md", b"- Paints\n")
    kept.applied(kept.put("working/telegram-1.md", b"- Paints boats\n"))
    assert not Lineage.objects.exists()


def test_first_look_tells_nothing(kept):
    assert not Lineage.objects.exists()


def test_rewording_by_hand_is_told_however_little_it_is_alike(kept):
    facts.edit(kept.bot, *name(kept, "Has a cat"), "Moved house", ANA)
    assert told(kept) == [("reworded", "MEMORY.md: Has a cat", "MEMORY.md: Moved house")]


def test_rewording_into_what_is_said_already_merges(kept):
    facts.edit(kept.bot, *name(kept, "Has a cat"), "Lives in Porto", ANA)
    assert told(kept) == [("merged", "MEMORY.md: Has a cat", "MEMORY.md: Lives in Porto")]


def test_promoting_and_its_undo(kept):
    done = moving.promote(kept.bot, [name(kept, "Bought tea")], ANA)
    assert told(kept) == [("promoted", f"{LOG}: Bought tea", "MEMORY.md: Bought tea")]
    kept.undo(done.change_set)
    assert told(kept) == [("promoted", "MEMORY.md: Bought tea", f"{LOG}: Bought tea")]


def test_forgetting_and_its_undo(kept):
    done = facts.forget(kept.bot, [name(kept, "Bought tea"), name(kept, "Has a cat")], ANA)
    gone = [("forgotten", f"{LOG}: Bought tea", ""), ("forgotten", "MEMORY.md: Has a cat", "")]
    assert told(kept) == gone
    kept.undo(done.change_set)
    assert told(kept) == [("returned", was, was) for _how, was, _has in gone]


def test_save_in_the_editor_is_told_by_words_and_likeness(kept):
    kept.applied(kept.put(MEMORY, b"- Has a cat called Minka\n- Lives in Lisbon\n- Paints\n"))
    assert told(kept) == [
        ("added", "", "MEMORY.md: Paints"),
        ("reworded", "MEMORY.md: Has a cat", "MEMORY.md: Has a cat called Minka"),
        ("reworded", "MEMORY.md: Lives in Porto", "MEMORY.md: Lives in Lisbon"),
    ]


def test_write_from_outside_is_told_by_likeness(kept):
    kept.write(MEMORY, b"- Lives in Lisbon\n")
    index.refresh(kept.bot)
    assert told(kept) == [
        ("forgotten", "MEMORY.md: Has a cat", ""),
        ("reworded", "MEMORY.md: Lives in Porto", "MEMORY.md: Lives in Lisbon"),
    ]


def test_write_from_outside_over_our_own_append_knows_what_we_added(kept):
    kept.append(LOG, "\n## 12:00 — Paints\n".encode())
    kept.write(LOG, "## 11:00 — Sold a boat\n".encode())
    index.refresh(kept.bot)
    assert told(kept) == [("forgotten", f"{LOG}: {text}", "") for text in ("Bought tea", "Paints")]


def test_words_that_went_here_and_came_there_were_moved(kept):
    kept.applied(kept.put(LOG, "## 11:00 — Sold a boat\n".encode()), Append(MEMORY, b"- Bought tea\n"))
    assert told(kept) == [("moved", f"{LOG}: Bought tea", "MEMORY.md: Bought tea")]


def test_words_that_went_here_and_stand_there_were_merged(kept):
    kept.add(MEMORY, b"- Bought tea\n")
    kept.applied(
        kept.put(LOG, "## 11:00 — Sold a boat\n".encode()), kept.put(MEMORY, kept.read(MEMORY) + b"- Paints\n")
    )
    assert ("merged", f"{LOG}: Bought tea", "MEMORY.md: Bought tea") in told(kept)


def test_log_that_goes_into_an_archive_takes_its_facts_along(kept):
    kept.applied(Put("archive/2026-11-20.md", kept.read(LOG), None), kept.delete(LOG))
    assert told(kept) == [
        ("moved", f"{LOG}: {text}", f"archive/{LOG}: {text}") for text in ("Bought tea", "Sold a boat")
    ]


def test_document_that_is_removed_takes_its_facts_and_brings_them_back(kept):
    removed = kept.applied(kept.delete(MEMORY))
    gone = [("forgotten", f"{MEMORY}: {text}", "") for text in ("Has a cat", "Lives in Porto")]
    assert told(kept) == gone
    kept.undo(removed)
    assert told(kept) == [("returned", was, was) for _how, was, _has in gone]


def test_document_that_is_made_tells_of_its_facts_by_itself(kept):
    kept.applied(Put("chats/telegram-1/MEMORY.md", b"- Paints\n", None))
    assert not Lineage.objects.exists()


def test_what_an_act_says_goes_before_what_can_be_told(kept):
    both = [
        Link(How.MERGED, MEMORY, key(text), MEMORY, key("Porto is home, with a cat"))
        for text in ("Lives in Porto", "Has a cat")
    ]
    kept.applied(kept.put(MEMORY, b"- Porto is home, with a cat\n"), links=both)
    assert told(kept) == [
        ("merged", f"MEMORY.md: {text}", "MEMORY.md: Porto is home, with a cat")
        for text in ("Has a cat", "Lives in Porto")
    ]


def test_what_an_act_says_and_the_documents_do_not_is_left_out(kept):
    kept.applied(
        kept.put(MEMORY, b"- Lives in Porto\n"),
        links=[Link(How.MERGED, MEMORY, key("Has a cat"), MEMORY, key("Paints"))],
    )
    assert told(kept) == [("forgotten", "MEMORY.md: Has a cat", "")]


def test_what_was_not_written_became_of_nothing(kept, monkeypatch):
    def full(*_given, **_named):
        raise WriteFailed("The disk is full.")

    monkeypatch.setattr(files.FileVault, "stage", full)
    with pytest.raises(WriteFailed):
        kept.commit(kept.put(MEMORY, b"- Lives in Porto\n"))
    assert not Lineage.objects.exists()
