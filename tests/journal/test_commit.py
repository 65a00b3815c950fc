from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory import journal
from memory.domain.changes import Append, Delete, Put, digest
from memory.domain.errors import HalfWritten, WriteFailed
from memory.journal import Applied, Conflict, Withdrawn, versions, write
from memory.models import ChangeSet, Revision

pytestmark = pytest.mark.database

MEMORY = "MEMORY.md"


def test_put_writes_the_file_and_keeps_what_stood_there(desk):
    desk.write(MEMORY, b"old\n")
    change_set = desk.applied(desk.put(MEMORY, b"new\n"), why="Corrected")
    assert desk.read(MEMORY) == b"new\n"
    revision = change_set.revisions.get()
    assert versions.sides(revision) == (b"old\n", b"new\n")
    assert (change_set.by, change_set.why, revision.done) == ("Ana", "Corrected", True)


def test_put_that_changes_nothing_makes_no_change_set(desk):
    desk.write(MEMORY, b"same\n")
    assert desk.commit(desk.put(MEMORY, b"same\n")) == Applied(None)


def test_what_is_said_to_be_on_disk_is(desk):
    desk.write(MEMORY, b"old\n")
    told = []

    def staged(done, total):
        hidden = [desk.read(name) for name in desk.hidden()]
        told.append((done, total, sorted(hidden), desk.read(MEMORY), Revision.objects.filter(done=False).count()))

    changes = desk.put("a.md", b"a"), Append("log.md", b"said\n"), desk.put(MEMORY, b"new\n")
    desk.applied(*changes, staged=staged)
    assert told == [(1, 2, [b"a"], b"old\n", 3), (2, 2, [b"a", b"new\n"], b"old\n", 3)]
    assert (desk.read("a.md"), desk.read(MEMORY)) == (b"a", b"new\n")


@pytest.mark.parametrize("last", [0, 1, 2])
def test_what_is_called_off_while_it_is_staged_leaves_no_trace_in_files(desk, last):
    desk.write(MEMORY, b"old\n")
    changes = [desk.put("a.md", b"a"), desk.put(MEMORY, b"new\n")] if last else [desk.delete(MEMORY)]

    def staged(done, total):
        assert total == len(changes) or not last
        if done == last:
            raise Withdrawn

    with pytest.raises(Withdrawn):
        desk.commit(*changes, staged=staged)
    assert (desk.tree(), desk.hidden()) == ({MEMORY: b"old\n"}, [])
    called_off = ChangeSet.objects.get(kind="edit")
    assert (called_off.state, called_off.note) == ("abandoned", "It was called off before anything was written.")
    assert not versions.was_written(called_off)
    desk.applied(*changes)


def test_what_is_stopped_halfway_is_taken_back_and_does_not_stand(desk):
    desk.write("a.md", b"old\n")
    desk.write(MEMORY, b"old\n")

    def staged(done, total):
        desk.write(MEMORY, b"theirs\n")

    outcome = desk.commit(desk.put("a.md", b"new\n"), desk.put(MEMORY, b"ours\n"), staged=staged)
    assert isinstance(outcome, Conflict)
    assert (desk.read("a.md"), desk.read(MEMORY)) == (b"old\n", b"theirs\n")
    stopped = ChangeSet.objects.get(kind="edit")
    assert stopped.note.startswith("Stopped halfway: ")
    assert stopped.note.endswith(" What had been written was undone.")
    assert not versions.was_written(stopped)
    whole = desk.applied(desk.put("a.md", b"new\n"))
    assert versions.was_written(whole)
    desk.undo(whole)
    assert versions.was_written(ChangeSet.objects.get(pk=whole.pk)), "that was somebody's wish"


def test_what_is_stopped_halfway_and_stays_in_part_says_so(desk, monkeypatch):
    desk.write("a.md", b"old\n")
    desk.write(MEMORY, b"old\n")
    changes = write.exchange

    def exchange(*args):
        outcome = changes(*args)
        desk.write("a.md", b"theirs\n")
        desk.write(MEMORY, b"theirs\n")
        return outcome

    monkeypatch.setattr(write, "exchange", exchange)
    with pytest.raises(HalfWritten, match=r"^Writing stopped halfway, and not all of it could be put back\."):
        desk.commit(desk.put("a.md", b"new\n"), desk.put(MEMORY, b"ours\n"))
    stopped = ChangeSet.objects.get(kind="edit")
    assert (stopped.state, versions.was_written(stopped)) == ("settling", False)
    assert list(stopped.revisions.filter(done=True).values_list("path", flat=True)) == ["a.md"]


def test_what_a_change_leaves_out_is_said_by_whoever_finishes_it(desk, monkeypatch):
    desk.write(MEMORY, b"old\n")

    def die(*args, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memory.journal.execute.close", die)
        with pytest.raises(KeyboardInterrupt):
            desk.commit(desk.put(MEMORY, b"new\n"), note="Half of it.")
    journal.recover(desk.bot)
    assert desk.read(MEMORY) == b"new\n"
    note = ChangeSet.objects.get(kind="edit").note
    assert note == "Half of it. Kenoweb was stopped while writing this and finished it later."


@pytest.mark.parametrize("recovers", [False, True])
def test_directory_of_archived_logs_goes_with_what_was_staged_there(desk, monkeypatch, recovers):
    def staged(done, total):
        raise KeyboardInterrupt if recovers else Withdrawn

    with pytest.raises(KeyboardInterrupt if recovers else Withdrawn):
        desk.commit(Put("chats/tg-1/archive/2026-01-01.md", b"- Old\n", None), staged=staged)
    journal.recover(desk.bot)
    assert [one.name for one in sorted(desk.root.rglob("*"))] == ["chats", "tg-1"]


def test_put_makes_directories_for_a_new_document(desk):
    desk.applied(Put("chats/telegram-1/MEMORY.md", b"- a\n", None))
    assert desk.read("chats/telegram-1/MEMORY.md") == b"- a\n"


def test_refusing_put_on_a_moved_file_changes_nothing_and_shows_three_sides(desk):
    desk.write(MEMORY, b"a\n")
    put = desk.put(MEMORY, b"a\nours\n")
    desk.applied(desk.put(MEMORY, b"b\n"))
    outcome = desk.commit(put, moved="refuse")
    assert isinstance(outcome, Conflict)
    clash = outcome.clashes[0]
    assert (clash.base, clash.ours, clash.theirs) == (b"a\n", b"a\nours\n", b"b\n")
    assert desk.read(MEMORY) == b"b\n"


def test_merging_put_keeps_what_the_bot_appended(desk):
    desk.write(MEMORY, b"# M\n- a\n")
    desk.applied(desk.put(MEMORY, b"# M\n- a\n- b\n"))
    put = desk.put(MEMORY, b"# M\n- A\n- b\n")
    desk.add(MEMORY, b"- from the bot\n")
    outcome = desk.commit(put)
    assert isinstance(outcome, Applied)
    assert outcome.joined == (MEMORY,)
    assert desk.read(MEMORY) == b"# M\n- A\n- b\n- from the bot\n"


def test_merging_put_that_meets_another_edit_of_the_line_is_a_conflict(desk):
    desk.write(MEMORY, b"- a\n- b\n- c\n")
    desk.applied(desk.put(MEMORY, b"- a\n- b\n- d\n"))
    put = desk.put(MEMORY, b"- ours\n- b\n- d\n")
    desk.write(MEMORY, b"- theirs\n- b\n- d\n")
    outcome = desk.commit(put)
    assert isinstance(outcome, Conflict)
    assert desk.read(MEMORY) == b"- theirs\n- b\n- d\n"


def test_set_with_one_conflict_writes_none_of_its_documents(desk):
    desk.write("2026-01-01.md", b"x\n")
    desk.write(MEMORY, b"y\n")
    good, bad = desk.put("2026-01-01.md", b"z\n"), Put(MEMORY, b"ours\n", digest(b"never was"))
    assert isinstance(desk.commit(good, bad), Conflict)
    assert desk.tree() == {"2026-01-01.md": b"x\n", MEMORY: b"y\n"}


def test_what_others_wrote_before_a_commit_is_recorded_as_outside(desk):
    desk.write(MEMORY, b"- a\n")
    desk.applied(desk.put(MEMORY, b"- b\n"))
    desk.write(MEMORY, b"- c\n")
    desk.applied(desk.put(MEMORY, b"- d\n"))
    outside = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    assert versions.sides(outside.revisions.get()) == (b"- b\n", b"- c\n")


def test_append_goes_to_the_end_and_knows_its_place(desk):
    desk.write("2026-01-01.md", b"## 10:00 \xe2\x80\x94 a\n\n")
    change_set = desk.append("2026-01-01.md", b"## 10:01 \xe2\x80\x94 b\n\n")
    revision = change_set.revisions.get()
    assert revision.offset == len(b"## 10:00 \xe2\x80\x94 a\n\n")
    assert desk.read("2026-01-01.md") == b"## 10:00 \xe2\x80\x94 a\n\n## 10:01 \xe2\x80\x94 b\n\n"


def test_appends_to_one_document_are_joined_in_order(desk):
    change_set = desk.applied(Append("a.md", b"1\n"), Append("a.md", b"2\n"))
    assert desk.read("a.md") == b"1\n2\n"
    assert change_set.revisions.count() == 1


def test_two_kinds_of_change_of_one_document_are_a_programming_error(desk):
    with pytest.raises(ValueError, match=r"One change contains two edits of the same file\."):
        desk.commit(Append("a.md", b"1"), Put("a.md", b"2", None))


def test_delete_removes_the_file_and_keeps_its_bytes(desk):
    desk.write("2026-01-01.md", b"x\n")
    change_set = desk.applied(desk.delete("2026-01-01.md"))
    assert desk.read("2026-01-01.md") is None
    assert versions.sides(change_set.revisions.get()) == (b"x\n", None)


def test_a_file_that_may_not_be_written_to_is_not_removed_and_nothing_beside_it_is_touched(desk, monkeypatch):
    may = os.access
    closed = "2026-01-01.md"
    monkeypatch.setattr(os, "access", lambda path, *asked, **more: path != closed and may(path, *asked, **more))
    desk.write(closed, b"x\n")
    desk.write("2026-01-02.md", b"y\n")
    archived = Put(f"archive/{closed}", b"x\n", None)
    for changes in ([desk.delete("2026-01-02.md"), desk.delete(closed)], [archived, desk.delete(closed)]):
        with pytest.raises(WriteFailed, match=r"2026-01-01.md couldn’t be written: Kenoweb doesn’t have permission\."):
            desk.commit(*changes)
    assert sorted(path.name for path in desk.root.rglob("*")) == [closed, "2026-01-02.md"]
    assert not Revision.objects.filter(done=True, change_set__kind="edit").exists()


def test_delete_of_a_log_that_grew_keeps_the_new_lines(desk):
    desk.write("2026-01-01.md", b"old\n")
    desk.applied(desk.put("2026-01-01.md", b"old\nolder\n"))
    delete = desk.delete("2026-01-01.md")
    desk.add("2026-01-01.md", b"late\n")
    desk.applied(delete)
    assert desk.read("2026-01-01.md") == b"late\n"


@pytest.mark.parametrize(
    "path", ["../x.md", "a/../../x.md", "/etc/x", "", "a//b", "a\0b", "x" * 300, "@sessions/a.jsonl"]
)
def test_commit_refuses_paths_that_are_no_documents(desk, path):
    with pytest.raises(WriteFailed):
        desk.commit(Put(path, b"x", None))
    assert desk.tree() == {}


def test_gate_that_refuses_leaves_everything(desk):
    desk.write(MEMORY, b"a\n")
    outcome = desk.commit(desk.put(MEMORY, b"b\n"), gate=lambda before, after: f"would become {after[MEMORY]!r}")
    assert isinstance(outcome, Conflict)
    assert outcome.reason == "would become b'b\\n'"
    assert desk.read(MEMORY) == b"a\n"
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).exists()


def test_gate_sees_the_merged_outcome(desk):
    desk.write(MEMORY, b"a\n")
    desk.applied(desk.put(MEMORY, b"a\nb\n"))
    put = desk.put(MEMORY, b"A\nb\n")
    desk.add(MEMORY, b"bot\n")
    seen = []
    desk.commit(put, gate=lambda before, after: seen.append(after[MEMORY]) or "")
    assert seen == [b"A\nb\nbot\n"]


def test_mode_of_the_file_stays(desk):
    desk.write(MEMORY, b"a\n")
    (desk.root / MEMORY).chmod(0o640)
    desk.applied(desk.put(MEMORY, b"b\n"))
    assert (desk.root / MEMORY).stat().st_mode & 0o777 == 0o640


def test_read_only_directory_is_refused_with_nothing_changed(desk):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    desk.write("chats/a/MEMORY.md", b"a\n")
    (desk.root / "chats/a").chmod(0o500)
    with pytest.raises(WriteFailed):
        desk.commit(Put("chats/a/new.md", b"x", None))
    assert ChangeSet.objects.get(kind=ChangeSet.Kind.EDIT).state == ChangeSet.State.FAILED


def test_lock_is_not_waited_for_inside_a_transaction(desk):
    with transaction.atomic(), pytest.raises(RuntimeError, match="inside a transaction"), journal.locked(desk.bot):
        pass


def test_lock_that_is_held_makes_others_busy(desk):
    with journal.locked(desk.bot):
        caught: list[Exception] = []

        def other() -> None:
            try:
                with journal.locked(desk.bot, patience=0.05):
                    pass
            except journal.Busy as error:
                caught.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(caught) == 1


def test_many_threads_appending_lose_nothing(desk):
    def work(number: int) -> None:
        try:
            for turn in range(5):
                desk.append("log.md", f"{number}.{turn}\n".encode())
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (desk.read("log.md") or b"").decode().split()
    assert sorted(lines) == sorted(f"{number}.{turn}" for number in range(4) for turn in range(5))
    for revision in Revision.objects.filter(path="log.md"):
        text = bytes(revision.added)
        assert (desk.read("log.md") or b"")[revision.offset : revision.offset + len(text)] == text


def test_stash_is_gone_after_settling(desk):
    desk.write(MEMORY, b"a\n")
    change_set = desk.applied(desk.put(MEMORY, b"b\n"))
    journal.settle(desk.bot)
    change_set.refresh_from_db()
    assert change_set.state == ChangeSet.State.APPLIED
    assert desk.hidden() == []


def test_later_commit_settles_older_stashes(desk):
    desk.write(MEMORY, b"a\n")
    first = desk.applied(desk.put(MEMORY, b"b\n"))
    ChangeSet.objects.filter(pk=first.pk).update(finished=timezone.now() - timedelta(seconds=30))
    desk.append("log.md", b"x\n")
    assert desk.hidden() == []


def test_line_written_to_the_old_file_comes_home(desk):
    desk.write(MEMORY, b"a\n")
    with (desk.root / MEMORY).open("ab") as held:
        desk.applied(desk.put(MEMORY, b"b\n"))
        assert journal.settle(desk.bot) == 1
        held.write(b"late\n")
    assert journal.settle(desk.bot) == 0
    assert desk.read(MEMORY) == b"b\nlate\n"
    assert desk.hidden() == []
    late = ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).get()
    assert bytes(late.revisions.get().added) == b"late\n"


def test_line_written_to_a_removed_log_comes_home(desk):
    desk.write("2026-01-01.md", b"a\n")
    with (desk.root / "2026-01-01.md").open("ab") as held:
        desk.applied(desk.delete("2026-01-01.md"))
        held.write(b"late\n")
    journal.settle(desk.bot)
    assert desk.read("2026-01-01.md") == b"late\n"


def test_old_file_that_was_rewritten_is_joined_or_kept(desk):
    desk.write(MEMORY, b"one\ntwo\nthree\n")
    with (desk.root / MEMORY).open("r+b") as held:
        desk.applied(desk.put(MEMORY, b"one\ntwo\nTHREE\n"))
        held.write(b"ONE\ntwo\nthree\n")
    journal.settle(desk.bot)
    assert desk.read(MEMORY) == b"ONE\ntwo\nTHREE\n"


def test_old_file_that_cannot_be_joined_is_kept_in_the_history(desk):
    desk.write(MEMORY, b"one\n")
    with (desk.root / MEMORY).open("r+b") as held:
        desk.applied(desk.put(MEMORY, b"uno\n"))
        held.write(b"eins")
    journal.settle(desk.bot)
    assert desk.read(MEMORY) == b"uno\n"
    kept = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    assert versions.bytes_of(desk.bot, kept.revisions.get().after) == b"eins"
    assert "kept here" in kept.note


def test_delete_with_a_wrong_base_is_a_conflict(desk):
    desk.write("a.md", b"x\n")
    desk.applied(desk.put("a.md", b"y\nz\n"))
    assert isinstance(desk.commit(Delete("a.md", digest(b"x\n")), moved="refuse"), Conflict)
    assert desk.read("a.md") == b"y\nz\n"


def test_renewed_put_of_the_same_bytes_changes_the_age_only(desk):
    desk.write("working/telegram-1.md", b"- topic")
    os.utime(desk.root / "working/telegram-1.md", (0, 0))
    same = desk.put("working/telegram-1.md", b"- topic")
    assert desk.commit(same) == Applied(None)
    change_set = desk.applied(replace(same, renew=True))
    assert (desk.root / "working/telegram-1.md").stat().st_mtime > 1_000_000_000
    journal.undo(desk.bot, change_set, journal.By("Ana"))
    assert (desk.root / "working/telegram-1.md").stat().st_mtime == 0
