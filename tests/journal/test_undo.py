from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index, journal
from memory.domain.changes import Append, Put
from memory.journal import Applied, Conflict
from memory.models import ChangeSet
from tests.journal.conftest import ANA, make_desk
from tests.support.amounts import times

pytestmark = pytest.mark.database

MEMORY = "MEMORY.md"


def test_undo_of_an_edit_gives_the_old_bytes_mode_and_time(desk):
    desk.write(MEMORY, b"\xef\xbb\xbfold\r\nno end")
    (desk.root / MEMORY).chmod(0o600)
    os.utime(desk.root / MEMORY, ns=(1_700_000_000_123_456_789, 1_700_000_000_123_456_789))
    change_set = desk.applied(desk.put(MEMORY, b"new\n"))
    desk.undo(change_set)
    assert desk.read(MEMORY) == b"\xef\xbb\xbfold\r\nno end"
    stat = (desk.root / MEMORY).stat()
    assert (stat.st_mtime_ns, stat.st_mode & 0o777) == (1_700_000_000_123_456_789, 0o600)


def test_undo_of_a_removal_brings_the_file_back_with_its_time(desk):
    desk.write("working/telegram-1.md", b"- topic")
    os.utime(desk.root / "working/telegram-1.md", ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))
    change_set = desk.applied(desk.delete("working/telegram-1.md"))
    desk.undo(change_set)
    assert (desk.root / "working/telegram-1.md").stat().st_mtime_ns == 1_700_000_000_000_000_000


def test_undo_of_a_new_document_removes_it(desk):
    change_set = desk.applied(Put("chats/a/MEMORY.md", b"x\n", None))
    desk.undo(change_set)
    assert desk.read("chats/a/MEMORY.md") is None


def test_undo_keeps_what_the_bot_wrote_since(desk):
    desk.write(MEMORY, b"- a\n- b\n")
    change_set = desk.applied(desk.put(MEMORY, b"- a\n- B\n"))
    desk.add(MEMORY, b"- bot\n")
    desk.undo(change_set)
    assert desk.read(MEMORY) == b"- a\n- b\n- bot\n"


def test_undo_of_an_append_removes_just_that_text(desk):
    desk.write("log.md", b"1\n")
    change_set = desk.append("log.md", b"2\n")
    desk.add("log.md", b"3\n")
    desk.undo(change_set)
    assert desk.read("log.md") == b"1\n3\n"


def test_undo_of_an_append_takes_the_nearest_of_equal_texts(desk):
    sets = [desk.append("log.md", b"same\n") for _ in range(3)]
    desk.append("log.md", b"end\n")
    desk.undo(sets[1])
    assert desk.read("log.md") == b"same\nsame\nend\n"


def test_undo_of_the_append_that_made_a_log_removes_the_log(desk):
    change_set = desk.append("log.md", b"1\n")
    desk.undo(change_set)
    assert desk.read("log.md") is None


def test_undo_of_an_append_whose_text_is_gone_says_so(desk):
    change_set = desk.append("log.md", b"1\n")
    desk.write("log.md", b"other\n")
    outcome = desk.undo(change_set)
    assert isinstance(outcome, Conflict)
    assert "the added text is no longer there; someone changed or removed it." in outcome.reason


def test_undo_brings_back_what_was_taken_out_of_a_document_that_is_removed_by_now(desk):
    title, tea, chess = b"# 2026-01-02\n\n", b"## 09:00 \xe2\x80\x94 Tea\n\n", b"## 10:00 \xe2\x80\x94 Chess\n\n"
    desk.write("2026-01-02.md", title + tea + chess)
    first = desk.applied(desk.put("2026-01-02.md", title + chess))
    second = desk.applied(desk.delete("2026-01-02.md"))
    assert isinstance(desk.undo(first), Applied)
    assert desk.read("2026-01-02.md") == tea
    assert isinstance(desk.undo(second), Applied)
    assert sorted(desk.read("2026-01-02.md").split(b"\n\n")) == sorted((title + tea + chess).split(b"\n\n"))


def test_undo_of_a_change_in_a_document_that_is_removed_by_now_is_asked_about(desk):
    desk.write(MEMORY, b"- a\n- b\n")
    change_set = desk.applied(desk.put(MEMORY, b"- a\n- B\n"))
    desk.applied(desk.delete(MEMORY))
    assert isinstance(desk.undo(change_set), Conflict)
    assert desk.read(MEMORY) is None


def test_undo_can_be_undone(desk):
    desk.write(MEMORY, b"a\n")
    first = desk.applied(desk.put(MEMORY, b"b\n"))
    second = desk.undo(first)
    assert isinstance(second, Applied)
    desk.undo(second.change_set)
    assert desk.read(MEMORY) == b"b\n"


def test_undo_of_one_document_leaves_the_others(desk):
    desk.write("a.md", b"a\n")
    desk.write("b.md", b"b\n")
    change_set = desk.applied(desk.put("a.md", b"A\n"), desk.put("b.md", b"B\n"))
    desk.undo(change_set, paths=["a.md"])
    assert desk.tree()["a.md"] == b"a\n"
    assert desk.tree()["b.md"] == b"B\n"


def test_undo_twice_changes_nothing_more(desk):
    desk.write(MEMORY, b"a\n")
    change_set = desk.applied(desk.put(MEMORY, b"b\n"))
    desk.undo(change_set)
    assert desk.undo(change_set) == Applied(None)


def test_undo_twice_takes_no_equal_text_of_another_turn(desk):
    first = desk.append("2026-01-01.md", b"same\n")
    desk.append("2026-01-01.md", b"same\n")
    undone = desk.undo(first).change_set
    assert desk.undo(first) == Applied(None)
    assert desk.read("2026-01-01.md") == b"same\n"
    desk.undo(undone)
    assert desk.read("2026-01-01.md") == b"same\nsame\n"
    desk.undo(first)
    assert desk.read("2026-01-01.md") == b"same\n"


def test_undo_of_what_others_wrote_gives_the_old_text(desk):
    desk.write(MEMORY, b"- a\n")
    index.refresh(desk.bot)
    desk.write(MEMORY, b"- emptied by the bot\n")
    index.refresh(desk.bot)
    outside = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    desk.undo(outside)
    assert desk.read(MEMORY) == b"- a\n"


def test_undo_of_what_others_appended_around_ours_keeps_ours(desk):
    desk.write("2026-01-01.md", b"1\n")
    index.refresh(desk.bot)
    desk.add("2026-01-01.md", b"theirs\n")
    desk.append("2026-01-01.md", b"ours\n")
    desk.add("2026-01-01.md", b"theirs again\n")
    index.refresh(desk.bot)
    outside = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    assert outside.revisions.count() == 2
    desk.undo(outside)
    assert desk.read("2026-01-01.md") == b"1\nours\n"


def test_first_look_cannot_be_undone(desk):
    desk.write(MEMORY, b"a\n")
    index.refresh(desk.bot)
    outcome = desk.undo(ChangeSet.objects.get(kind=ChangeSet.Kind.FOUND))
    assert isinstance(outcome, Conflict)
    assert desk.read(MEMORY) == b"a\n"


def test_restore_brings_a_document_back_to_a_revision(desk):
    desk.write(MEMORY, b"1\n")
    second = desk.applied(desk.put(MEMORY, b"2\n"))
    desk.applied(desk.put(MEMORY, b"3\n"))
    outcome = journal.restore(desk.bot, list(second.revisions.all()), ANA)
    assert isinstance(outcome, Applied)
    assert desk.read(MEMORY) == b"2\n"


def test_restore_of_a_set_with_several_appends_gives_the_text_up_to_the_last(desk):
    desk.write("2026-01-01.md", b"1\n")
    index.refresh(desk.bot)
    desk.append("2026-01-01.md", b"ours\n")
    desk.add("2026-01-01.md", b"a\n")
    desk.append("2026-01-01.md", b"ours again\n")
    desk.add("2026-01-01.md", b"b\n")
    index.refresh(desk.bot)
    outside = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    desk.write("2026-01-01.md", b"something else\n")
    assert isinstance(journal.restore(desk.bot, list(outside.revisions.all()), ANA), Applied)
    assert desk.read("2026-01-01.md") == b"1\nours\na\nours again\nb\n"


def test_restore_to_an_append_gives_the_text_up_to_it(desk):
    desk.append("2026-01-01.md", b"1\n")
    second = desk.append("2026-01-01.md", b"2\n")
    desk.append("2026-01-01.md", b"3\n")
    index.refresh(desk.bot)
    journal.restore(desk.bot, list(second.revisions.all()), ANA)
    assert desk.read("2026-01-01.md") == b"1\n2\n"


lines = st.lists(st.sampled_from([b"- a\n", b"- b\n", b"\n", b"## H\r\n", b"end"]), max_size=6).map(b"".join)


@settings(max_examples=times(5, 25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.none() | lines, edits=st.lists(lines | st.none(), min_size=1, max_size=4), added=lines)
def test_undoing_edits_backwards_gives_every_old_version(desk, start, edits, added):
    folder = desk.root.parent / os.urandom(4).hex()
    one = make_desk(folder, os.urandom(4).hex())
    if start is not None:
        one.write(MEMORY, start)
    versions, sets = [one.read(MEMORY)], []
    for number, edit in enumerate(edits):
        if edit is None:
            change = one.delete(MEMORY) if one.read(MEMORY) is not None else Append(MEMORY, added)
        else:
            change = one.put(MEMORY, edit) if number % 2 else Append(MEMORY, edit)
        outcome = one.commit(change)
        assert isinstance(outcome, Applied)
        if outcome.change_set:
            sets.append(outcome.change_set)
            versions.append(one.read(MEMORY))
    for change_set in reversed(sets):
        assert one.read(MEMORY) == versions.pop()
        outcome = one.undo(change_set)
        assert isinstance(outcome, Applied), outcome
    assert one.read(MEMORY) == versions.pop()


def test_directory_goes_with_its_last_archived_log_and_a_chats_own_stays(desk):
    for path in ("archive/2026-01-01.md", "chats/tg-1/archive/2026-01-01.md", "chats/tg-2/archive.md"):
        desk.applied(desk.put(path, b"- Old\n"))
        desk.applied(desk.delete(path))
    journal.settle(desk.bot)
    assert desk.hidden() == []
    assert [one.name for one in sorted(desk.root.rglob("*")) if one.is_dir()] == ["chats", "tg-1", "tg-2"]
