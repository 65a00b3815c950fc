"""What every vault keeps, whatever it is made of."""

from __future__ import annotations

import os
import stat
import time

import pytest

from memory.domain.changes import Stamp, digest
from memory.domain.errors import RootGone, Unreadable
from memory.storage import Content, FileEntry, Moved, Stashed, WriteDone
from tests.storage.conftest import build, hidden, opened, save


def settled(vault, path, slot):
    """Settle as the journal does: look again until nobody can write any more."""
    end = time.monotonic() + 30
    while (found := vault.settle(path, slot)).outcome is Stashed.BUSY and time.monotonic() < end:
        time.sleep(0.05)
    return found


def test_read_gives_bytes_and_the_stat_of_their_inode(vault, root):
    (root / "MEMORY.md").write_bytes(b"\xff\x00one\r\n")
    found = vault.read("MEMORY.md")
    assert found == Content(b"\xff\x00one\r\n", vault.stat("MEMORY.md"))
    assert found.stat.inode == (root / "MEMORY.md").stat().st_ino
    assert found.stat.size == 7


def test_read_of_nothing_is_none_and_not_empty(vault, root):
    (root / "file").write_bytes(b"x")
    assert vault.read("MEMORY.md") is None
    assert vault.read("chats/a/MEMORY.md") is None
    assert vault.read("file/below") is None
    assert vault.stat("MEMORY.md") is None
    assert vault.stat("chats/a/MEMORY.md") is None


def test_scan_finds_every_file_but_our_own(vault, root):
    (root / "chats" / "a").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "index").write_bytes(b"x")
    (root / "chats" / "a" / "MEMORY.md").write_bytes(b"abc")
    (root / ".hidden").write_bytes(b"")
    (root / ".kenoweb-7.tmp").write_bytes(b"x")
    assert {found.path: found.stat.size for found in vault.scan()} == {"chats/a/MEMORY.md": 3, ".hidden": 0}
    assert all(found.stat == vault.stat(found.path) and not found.error for found in vault.scan())


def test_scan_takes_names_that_are_no_utf8(vault, root):
    name = b"caf\xe9.md"
    (root / os.fsdecode(name)).write_bytes(b"x")
    (found,) = vault.scan()
    assert os.fsencode(found.path) == name
    assert vault.read(found.path).data == b"x"
    assert save(vault, found.path, "s", b"y", b"x") == WriteDone(vault.stat(found.path), True)
    assert vault.append(found.path, b"z").offset == 1
    assert [(os.fsencode(name), (root / name).read_bytes()) for name in os.listdir(root) if name[0] != "."] == [
        (name, b"yz")
    ]


def test_scan_skips_what_it_is_told_to(vault, root):
    (root / "archive").mkdir()
    (root / "archive" / "x.md").write_bytes(b"")
    assert [found.path for found in vault.scan(lambda name: name == "archive")] == []
    assert [found.path for found in vault.scan()] == ["archive/x.md"]


def test_scan_left_early_closes_what_it_opened(vault, root):
    for name in ("a", "b", "c"):
        (root / name).mkdir()
        (root / name / "x.md").write_bytes(b"")
    walk = vault.scan()
    next(walk)
    assert opened(root) != []
    walk.close()
    assert opened(root) == []


def test_replace_makes_a_new_document_and_its_directories(vault, root):
    done = save(vault, "chats/telegram-1/MEMORY.md", "s-1", b"one\n")
    assert done == WriteDone(vault.stat("chats/telegram-1/MEMORY.md"), False)
    assert (root / "chats/telegram-1/MEMORY.md").read_bytes() == b"one\n"
    assert done.stat.links == 1
    assert hidden(root) == []


def test_stage_changes_nothing_visible(vault, root):
    (root / "MEMORY.md").write_bytes(b"one\n")
    before = vault.stat("MEMORY.md")
    vault.stage("MEMORY.md", "s", b"two\n", None)
    assert vault.stat("MEMORY.md") == before
    assert [found.path for found in vault.scan()] == ["MEMORY.md"]
    assert list(vault.leftovers()) == [(".kenoweb-s.new", "s")]
    vault.discard("MEMORY.md", "s")
    assert list(vault.leftovers()) == []


def test_replace_puts_the_old_inode_aside(vault, root):
    (root / "MEMORY.md").write_bytes(b"one\n")
    before = vault.stat("MEMORY.md")
    done = save(vault, "MEMORY.md", "s", b"two\n", b"one\n")
    assert done == WriteDone(vault.stat("MEMORY.md"), True)
    assert done.stat.inode != before.inode
    assert vault.read("MEMORY.md").data == b"two\n"
    assert (root / ".kenoweb-s.old").stat().st_ino == before.inode
    assert hidden(root) == [".kenoweb-s.old"]


def test_replace_of_what_moved_on_changes_nothing(vault, root):
    (root / "MEMORY.md").write_bytes(b"bot\n")
    assert save(vault, "MEMORY.md", "s", b"two\n", b"one\n") == Moved(vault.read("MEMORY.md"))
    assert vault.read("MEMORY.md").data == b"bot\n"
    vault.discard("MEMORY.md", "s")
    assert save(vault, "MEMORY.md", "s", b"two\n", None) == Moved(vault.read("MEMORY.md"))
    assert save(vault, "gone.md", "t", b"two\n", b"one\n") == Moved(None)
    assert not (root / "gone.md").exists()


def test_replace_takes_a_stamp(vault, root):
    (root / "WORKING.md").write_bytes(b"one\n")
    stamp = Stamp(0o640, 1_600_000_000_123_456_000)
    assert save(vault, "WORKING.md", "s", b"two\n", b"one\n", stamp).stat.stamp == stamp
    assert vault.stat("WORKING.md").stamp == stamp
    assert save(vault, "new.md", "t", b"two\n", None, stamp).stat.stamp == stamp


def test_replace_keeps_the_mode(vault, root):
    (root / "MEMORY.md").write_bytes(b"one\n")
    (root / "MEMORY.md").chmod(0o664)
    assert save(vault, "MEMORY.md", "s", b"two\n", b"one\n").stat.mode == 0o664


def test_new_files_look_like_their_siblings(vault, root):
    (root / "chats").mkdir()
    (root / "chats").chmod(0o770)
    (root / "a.json").write_bytes(b"")
    (root / "a.json").chmod(0o600)
    (root / "a.md").write_bytes(b"")
    (root / "a.md").chmod(0o664)
    assert save(vault, "b.md", "s", b"x").stat.mode == 0o664
    assert vault.append("c.md", b"x").stat.mode == 0o664
    assert save(vault, "chats/b.md", "t", b"x").stat.mode == 0o660
    assert vault.append("chats/telegram-1/c.md", b"x").stat.mode == 0o660
    assert stat.S_IMODE((root / "chats/telegram-1").stat().st_mode) == 0o770


def test_remove_puts_the_document_aside(vault, root):
    (root / "2026-01-01.md").write_bytes(b"one\n")
    assert vault.remove("2026-01-01.md", "s", digest(b"other")) == Moved(vault.read("2026-01-01.md"))
    assert vault.remove("2026-01-01.md", "s", digest(b"one\n")) == WriteDone(None, True)
    assert vault.stat("2026-01-01.md") is None
    assert settled(vault, "2026-01-01.md", "s").data == b"one\n"
    assert vault.remove("2026-01-01.md", "t", digest(b"one\n")) == Moved(None)


def test_leave_removes_a_directory_with_nothing_in_it(vault, root):
    (root / "archive").mkdir()
    (root / "archive" / "one.md").write_bytes(b"x")
    vault.leave("archive/two.md")
    assert (root / "archive" / "one.md").exists()
    (root / "archive" / "one.md").unlink()
    for _ in range(2):
        vault.leave("archive/one.md")
        assert not (root / "archive").exists()
    vault.leave("MEMORY.md")
    assert root.is_dir()


def test_append_says_where_its_bytes_stand(vault, root):
    first = vault.append("chats/a/2026-01-01.md", b"one\n")
    assert (first.offset, first.created, first.stat.size) == (0, True, 4)
    with (root / "chats/a/2026-01-01.md").open("ab") as bot:
        bot.write(b"bot\n")
    second = vault.append("chats/a/2026-01-01.md", b"two\n", fsync=True)
    assert (second.offset, second.created) == (8, False)
    assert second.stat == vault.stat("chats/a/2026-01-01.md")
    assert vault.read("chats/a/2026-01-01.md").data == b"one\nbot\ntwo\n"


def test_settle_gives_what_was_appended_late(vault, root):
    (root / "MEMORY.md").write_bytes(b"one\n")
    quiet, vault.quiet_seconds = vault.quiet_seconds, 600
    with (root / "MEMORY.md").open("ab", buffering=0) as bot:
        save(vault, "MEMORY.md", "s", b"two\n", b"one\n")
        bot.write(b"late\n")
        assert vault.settle("MEMORY.md", "s").outcome is Stashed.BUSY
    vault.quiet_seconds = quiet
    found = settled(vault, "MEMORY.md", "s")
    assert (found.outcome, found.data) == (Stashed.QUIET, b"one\nlate\n")
    vault.discard("MEMORY.md", "s")
    assert vault.settle("MEMORY.md", "s").outcome is Stashed.NONE
    assert hidden(root) == []


def test_settle_finds_the_stash_of_what_became_a_link_to_outside(vault, root, tmp_path):
    (root / "MEMORY.md").write_bytes(b"one\n")
    save(vault, "MEMORY.md", "s", b"two\n", b"one\n")
    (root / "MEMORY.md").unlink()
    (root / "MEMORY.md").symlink_to(tmp_path / "outside")
    assert settled(vault, "MEMORY.md", "s").data == b"one\n"
    vault.discard("MEMORY.md", "s")
    assert hidden(root) == []


def test_sweep_removes_a_hidden_file_and_nothing_else(vault, root):
    (root / "chats").mkdir()
    (root / "chats" / ".kenoweb-lost-1.old").write_bytes(b"only copy")
    assert list(vault.leftovers()) == [("chats/.kenoweb-lost-1.old", "lost-1")]
    assert vault.read("chats/.kenoweb-lost-1.old").data == b"only copy"
    vault.sweep("chats/.kenoweb-lost-1.old")
    vault.sweep("chats/.kenoweb-lost-1.old")
    assert list(vault.leftovers()) == []
    with pytest.raises(ValueError, match="not a hidden file"):
        vault.sweep("chats/MEMORY.md")


def test_flush_takes_any_documents(vault, root):
    save(vault, "chats/a/MEMORY.md", "s", b"x")
    vault.flush(["chats/a/MEMORY.md", "chats/b/gone.md", "MEMORY.md"])


@pytest.mark.parametrize(
    "path", ["", "/", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a\0b", "x" * 256, "é" * 128]
)
def test_impossible_paths_are_unreadable_everywhere(vault, root, path):
    for act in (
        lambda: vault.stat(path),
        lambda: vault.read(path),
        lambda: vault.stage(path, "s", b"x", None),
        lambda: vault.replace(path, "s", b"x", None),
        lambda: vault.remove(path, "s", digest(b"x")),
        lambda: vault.append(path, b"x"),
        lambda: vault.settle(path, "s"),
        lambda: vault.inspect(path, "s", None, digest(b"x")),
    ):
        with pytest.raises(Unreadable, match="isn’t a valid file name"):
            act()
    assert os.listdir(root) == []


@pytest.mark.parametrize("slot", ["", "../x", "a.b", "a/b", "a\0", "x" * 201])
def test_impossible_slots_are_refused(vault, slot):
    with pytest.raises(ValueError, match="slot"):
        vault.stage("MEMORY.md", slot, b"x", None)


def test_a_name_of_255_bytes_can_be_saved(vault, root):
    path = "a" * 252 + ".md"
    assert isinstance(save(vault, path, "s" * 40, b"one"), WriteDone)
    assert isinstance(save(vault, path, "t" * 40, b"two", b"one"), WriteDone)
    assert vault.read(path).data == b"two"


def test_a_root_that_is_gone_is_said_by_everything(tmp_path, variant):
    vault = build(tmp_path / "missing", variant)
    (tmp_path / "file").write_bytes(b"")
    for broken in (vault, build(tmp_path / "file", variant)):
        for act in (
            lambda broken=broken: list(broken.scan()),
            lambda broken=broken: list(broken.leftovers()),
            lambda broken=broken: broken.stat("a.md"),
            lambda broken=broken: broken.read("a.md"),
            lambda broken=broken: broken.stage("a.md", "s", b"", None),
            lambda broken=broken: broken.append("a.md", b""),
            lambda broken=broken: broken.settle("a.md", "s"),
        ):
            with pytest.raises(RootGone) as raised:
                act()
            assert str(tmp_path) not in str(raised.value)
    assert not (tmp_path / "missing").exists()


def test_a_root_may_be_a_link(tmp_path, root, variant):
    (tmp_path / "link").symlink_to(root)
    vault = build(tmp_path / "link", variant)
    save(vault, "MEMORY.md", "s", b"one")
    assert (root / "MEMORY.md").read_bytes() == b"one"
    assert list(vault.scan()) == [FileEntry("MEMORY.md", vault.stat("MEMORY.md"))]


def test_nothing_stays_open(vault, root):
    save(vault, "a/b/MEMORY.md", "s", b"one")
    save(vault, "a/b/MEMORY.md", "t", b"two", b"one")
    vault.append("a/b/MEMORY.md", b"three")
    settled(vault, "a/b/MEMORY.md", "t")
    vault.inspect("a/b/MEMORY.md", "t", None, digest(b"x"))
    vault.remove("a/b/MEMORY.md", "u", digest(b"twothree"))
    list(vault.scan())
    vault.flush(["a/b/MEMORY.md"])
    assert vault.read("no/such.md") is None
    with pytest.raises(Unreadable):
        vault.read("a/b")
    assert opened(root) == []


def test_tail_is_the_end_of_a_document(vault, root):
    (root / "log.md").write_bytes(b"0123456789")
    assert vault.tail("log.md", 4) == b"6789"
    assert vault.tail("log.md", 99) == b"0123456789"
    assert vault.tail("none.md", 4) is None


def test_part_is_a_piece_of_a_document(vault, root):
    (root / "log.md").write_bytes(b"0123456789")
    assert vault.part("log.md", 3, 4) == b"3456"
    assert vault.part("log.md", 8, 99) == b"89"
    assert vault.part("log.md", 10, 4) == b""
    assert vault.part("none.md", 0, 4) is None
    (root / "directory.md").mkdir()
    with pytest.raises(Unreadable):
        vault.part("directory.md", 0, 4)


def test_replace_of_a_document_that_only_grew_keeps_the_tail_in_the_stash(vault, root):
    (root / "log.md").write_bytes(b"old\nlate\n")
    vault.stage("log.md", "s-0", b"new\n", None)
    assert isinstance(vault.replace("log.md", "s-0", b"new\n", digest(b"old\n")), Moved)
    outcome = vault.replace("log.md", "s-0", b"new\n", digest(b"old\n"), 4)
    assert isinstance(outcome, WriteDone)
    assert outcome.stashed
    assert (root / "log.md").read_bytes() == b"new\n"
    assert settled(vault, "log.md", "s-0").data == b"old\nlate\n"


def test_replace_of_a_document_that_changed_before_its_end_is_refused(vault, root):
    (root / "log.md").write_bytes(b"OLD\nlate\n")
    vault.stage("log.md", "s-0", b"new\n", None)
    assert isinstance(vault.replace("log.md", "s-0", b"new\n", digest(b"old\n"), 4), Moved)
    assert (root / "log.md").read_bytes() == b"OLD\nlate\n"


def test_remove_of_a_document_that_only_grew_keeps_the_tail_in_the_stash(vault, root):
    (root / "log.md").write_bytes(b"old\nlate\n")
    assert isinstance(vault.remove("log.md", "s-0", digest(b"old\n"), 4), WriteDone)
    assert settled(vault, "log.md", "s-0").data == b"old\nlate\n"


def test_listed_are_the_files_of_one_directory(vault, root):
    for name in ("MEMORY.md", "chats/a/MEMORY.md", "chats/a/b/MEMORY.md", "chats/c/MEMORY.md", ".kenoweb-7.tmp"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    (root / "chats" / "link").symlink_to("a")
    assert vault.listed("") == [FileEntry("MEMORY.md", vault.stat("MEMORY.md"))]
    assert vault.listed("chats/a") == [FileEntry("chats/a/MEMORY.md", vault.stat("chats/a/MEMORY.md"))]
    assert [found.path for found in vault.listed("chats/link")] == ["chats/link/MEMORY.md"]
    assert vault.listed("chats/nobody") == vault.listed("MEMORY.md") == vault.listed("MEMORY.md/below") == []


def test_listed_never_leaves_the_root(vault, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "MEMORY.md").write_bytes(b"x")
    (root / "chats").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unreadable):
        vault.listed("chats")
