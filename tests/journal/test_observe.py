"""What the history makes of a document that others write to, beside and between our own appends."""

from __future__ import annotations

import pytest
from django.utils import timezone

from memory import index, journal
from memory.domain.changes import Append, digest
from memory.journal import versions as history
from memory.models import Blob, ChangeSet, Head, Revision
from memory.text.difference import pack

pytestmark = pytest.mark.database

LOG = "2026-01-01.md"


def entry(minute: int, text: str) -> bytes:
    return f"## 10:{minute:02} — {text}\n\n".encode()


def outside() -> list[ChangeSet]:
    return list(ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).order_by("id"))


def test_first_look_is_one_set_for_all_documents(desk):
    desk.write("MEMORY.md", b"- a\n")
    desk.write(LOG, entry(1, "x"))
    index.refresh(desk.bot)
    found = ChangeSet.objects.get()
    assert (found.kind, found.revisions.count()) == (ChangeSet.Kind.FOUND, 2)


def test_a_new_file_in_the_bots_form_is_the_bots_once_all_were_looked_at(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.write("2026-01-02.md", entry(2, "b"))
    desk.write("2026-01-03.md", b"a note by hand\n")
    index.refresh(desk.bot)
    others, made = outside()
    assert (others.by, others.revisions.get().path) == ("outside", "2026-01-03.md")
    assert (made.by, made.revisions.get().path) == ("looks like the bot", "2026-01-02.md")
    assert history.sides(made.revisions.get()) == (None, entry(2, "b"))
    desk.add("2026-01-02.md", entry(3, "c"))
    index.refresh(desk.bot)
    assert bytes(made.revisions.get().added) == entry(2, "b") + entry(3, "c")
    for one in (others, made):
        journal.undo(desk.bot, one, journal.By("Ana"))
    assert not {"2026-01-02.md", "2026-01-03.md"} & {path.name for path in desk.root.iterdir()}


def test_working_memory_is_the_bots_as_the_bot_leaves_it(desk):
    path = "working/telegram-1.md"
    desk.write(path, b"step 1")
    index.refresh(desk.bot)
    for text in (b"another thing", b"by hand\n", b"another thing, step 2"):
        desk.write(path, text)
        index.refresh(desk.bot)
    assert [one.by for one in outside()] == ["looks like the bot", "outside", "looks like the bot"]


def test_an_edit_in_the_middle_of_a_log_is_nobodys_we_know(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.write(LOG, entry(1, "another") + entry(2, "b"))
    index.refresh(desk.bot)
    assert [one.by for one in outside()] == ["outside"]


def test_our_appends_are_no_news(desk):
    desk.append(LOG, entry(1, "a"))
    desk.append(LOG, entry(2, "b"))
    index.refresh(desk.bot)
    assert outside() == []
    last = Revision.objects.filter(path=LOG).last()
    assert history.sides(last) == (entry(1, "a"), entry(1, "a") + entry(2, "b"))


def test_growth_in_the_bots_form_looks_like_the_bot(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.add(LOG, entry(2, "b"))
    index.refresh(desk.bot)
    (grown,) = outside()
    assert grown.by == "looks like the bot"
    assert bytes(grown.revisions.get().added) == entry(2, "b")


def test_growth_in_another_form_is_just_outside(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.add(LOG, b"a note by hand\n")
    index.refresh(desk.bot)
    assert [one.by for one in outside()] == ["outside"]


def test_consecutive_growth_joins_one_set(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    for minute in (2, 3, 4):
        desk.add(LOG, entry(minute, "b"))
        index.refresh(desk.bot)
    (grown,) = outside()
    assert bytes(grown.revisions.get().added) == entry(2, "b") + entry(3, "b") + entry(4, "b")


def test_growth_after_ours_starts_a_set_of_its_own(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.add(LOG, entry(2, "theirs"))
    index.refresh(desk.bot)
    desk.append(LOG, entry(3, "ours"))
    desk.add(LOG, entry(4, "theirs"))
    index.refresh(desk.bot)
    assert [bytes(one.revisions.get().added) for one in outside()] == [entry(2, "theirs"), entry(4, "theirs")]


def test_rewrite_after_our_append_keeps_both_versions(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.append(LOG, entry(2, "ours"))
    desk.write(LOG, b"rewritten\n")
    index.refresh(desk.bot)
    (rewrite,) = outside()
    assert history.sides(rewrite.revisions.get()) == (entry(1, "a") + entry(2, "ours"), b"rewritten\n")


def test_removal_by_others_is_recorded_with_its_bytes(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    (desk.root / LOG).unlink()
    index.refresh(desk.bot)
    (gone,) = outside()
    assert history.sides(gone.revisions.get()) == (entry(1, "a"), None)
    journal.undo(desk.bot, gone, journal.By("Ana"))
    assert desk.read(LOG) == entry(1, "a")


def test_append_to_a_file_never_seen_keeps_what_stood_there_apart(desk):
    desk.write(LOG, entry(1, "theirs"))
    desk.append(LOG, entry(2, "ours"))
    index.refresh(desk.bot)
    ours = Revision.objects.get(path=LOG, change_set__kind=ChangeSet.Kind.CAPTURE)
    assert history.sides(ours) == (entry(1, "theirs"), entry(1, "theirs") + entry(2, "ours"))


def test_heads_are_up_to_the_files_after_a_look(desk):
    desk.append(LOG, entry(1, "a"))
    desk.add(LOG, entry(2, "theirs"))
    looked = index.look(desk.bot, LOG)
    assert Head.objects.get(path=LOG).sha256 == looked.sha256
    before = ChangeSet.objects.count()
    index.refresh(desk.bot)
    assert ChangeSet.objects.count() == before


def test_many_small_growths_are_kept_as_differences_and_read_back(desk):
    text = b"".join(entry(1, f"line {number}") for number in range(200))
    desk.write(LOG, text)
    index.refresh(desk.bot)
    versions = []
    for number in range(60):
        desk.add(LOG, entry(2, f"more {number}"))
        versions.append(history.remember(desk.bot, desk.read(LOG), like=versions[-1] if versions else ""))
    for number, name in enumerate(versions):
        want = text + b"".join(entry(2, f"more {n}") for n in range(number + 1))
        assert history.bytes_of(desk.bot, name) == want


def test_an_edit_of_a_large_document_costs_the_edit(desk):
    desk.write(LOG, b"".join(entry(1, f"{number} {number**9:x}") for number in range(3_000)))
    index.refresh(desk.bot)
    whole = Blob.objects.get().data
    saved = []
    for number in range(70):
        saved.append(desk.read(LOG).replace(f"{number**9:x}".encode(), b"edited", 1))
        desk.applied(desk.put(LOG, saved[-1]))
    kept = Blob.objects.exclude(parent="")
    assert kept.count() == 70
    assert sum(len(blob.data) for blob in kept) < len(whole) / 3
    assert [history.bytes_of(desk.bot, digest(data)) for data in saved] == saved


def test_a_version_that_was_damaged_is_not_read(desk):
    desk.write(LOG, b"".join(entry(1, f"line {number}") for number in range(200)))
    index.refresh(desk.bot)
    sha256 = Head.objects.get().sha256
    for data in (b"no zstd", pack(b"something else")):
        Blob.objects.update(data=data)
        with pytest.raises(history.Forgotten):
            history.bytes_of(desk.bot, sha256)


def test_unfinished_set_of_a_dead_process_is_abandoned_when_nothing_was_touched(desk):
    desk.write("MEMORY.md", b"a\n")
    index.refresh(desk.bot)
    sha256 = Head.objects.get(path="MEMORY.md").sha256
    dead = ChangeSet.objects.create(
        bot=desk.bot, token="dead", kind=ChangeSet.Kind.EDIT, by="Ana", state="writing", created=timezone.now()
    )
    after = history.remember(desk.bot, b"b\n")
    Revision.objects.create(
        bot=desk.bot,
        change_set=dead,
        path="MEMORY.md",
        action="put",
        before=sha256,
        after=after,
        slot="dead-0",
        inode_before=(desk.root / "MEMORY.md").stat().st_ino,
    )
    desk.applied(Append(LOG, b"x\n"))
    dead.refresh_from_db()
    assert dead.state == ChangeSet.State.ABANDONED
    assert desk.read("MEMORY.md") == b"a\n"


def test_document_that_comes_back_empty_is_recorded(desk):
    desk.write(LOG, b"1\n")
    desk.applied(desk.delete(LOG))
    desk.write(LOG, b"")
    index.refresh(desk.bot)
    assert Head.objects.get(path=LOG).sha256 == digest(b"")
    desk.undo(ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE))
    assert desk.read(LOG) is None


def test_undo_of_what_made_a_log_removes_the_log(desk):
    desk.append(LOG, entry(1, "ours"))
    index.refresh(desk.bot)
    (desk.root / LOG).unlink()
    index.refresh(desk.bot)
    desk.write(LOG, entry(2, "theirs"))
    index.refresh(desk.bot)
    journal.undo(desk.bot, outside()[-1], journal.By("Ana"))
    assert desk.read(LOG) is None
