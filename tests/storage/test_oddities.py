"""What stands in a memory directory besides plain files, and what the system refuses."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import threading

import pytest

from memory.domain.changes import digest
from memory.domain.errors import Unreadable, WriteFailed
from memory.storage import Moved, Slot, Stashed, WriteDone, files, kernel, walk
from tests.storage.conftest import as_user, build, hidden, save

A_USER, ANOTHER_USER = 12345, 12346


@pytest.fixture
def outside(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_bytes(b"secret")
    return outside


def refused(vault, path, match):
    """Every act on a path says the same and changes nothing."""
    for act in (
        lambda: vault.stat(path),
        lambda: vault.read(path),
        lambda: vault.stage(path, "s", b"x", None),
        lambda: vault.replace(path, "s", b"x", digest(b"secret")),
        lambda: vault.replace(path, "s", b"x", None),
        lambda: vault.remove(path, "s", digest(b"secret")),
        lambda: vault.append(path, b"x"),
    ):
        with pytest.raises((Unreadable, WriteFailed), match=match) as raised:
            act()
        assert str(vault.root) not in str(raised.value)
    assert hidden(vault.root) == []


def error_of(vault, path):
    (found,) = [found for found in vault.scan() if found.path == path]
    return found.error


def test_a_fifo_named_like_a_log_hangs_nobody(vault, root):
    os.mkfifo(root / "2026-01-01.md")
    refused(vault, "2026-01-01.md", "isn’t a regular file")
    reader = os.open(root / "2026-01-01.md", os.O_RDONLY | os.O_NONBLOCK)
    refused(vault, "2026-01-01.md", "isn’t a regular file")
    assert os.read(reader, 10) == b""
    os.close(reader)
    assert error_of(vault, "2026-01-01.md") == "2026-01-01.md isn’t a regular file."


def test_a_directory_named_like_a_log_is_no_document(vault, root):
    (root / "2026-01-01.md").mkdir()
    (root / "2026-01-01.md" / "inner.md").write_bytes(b"x")
    refused(vault, "2026-01-01.md", "is a directory")
    assert error_of(vault, "2026-01-01.md") == "2026-01-01.md is a directory, not a file."
    assert error_of(vault, "2026-01-01.md/inner.md") == ""


def test_a_file_where_a_directory_is_needed_is_kept(vault, root):
    (root / "chats").write_bytes(b"x")
    for act in (lambda: vault.append("chats/a.md", b"y"), lambda: vault.stage("chats/a.md", "s", b"y", None)):
        with pytest.raises(WriteFailed, match="a file exists where a directory is needed"):
            act()
    assert (root / "chats").read_bytes() == b"x"


@pytest.mark.parametrize("target", ["../outside/secret.md", "/etc/passwd", "..", "/", "a/../../outside/secret.md"])
def test_a_link_that_leaves_is_refused(vault, root, outside, target):
    (root / "a").mkdir()
    (root / "MEMORY.md").symlink_to(target)
    refused(vault, "MEMORY.md", "MEMORY.md is a link to a place outside the memory directory")
    assert error_of(vault, "MEMORY.md") == "MEMORY.md is a link to a place outside the memory directory."
    assert (outside / "secret.md").read_bytes() == b"secret"


def test_a_directory_link_that_leaves_is_refused(vault, root, outside):
    (root / "chats").symlink_to(outside)
    refused(vault, "chats/secret.md", "is a link to a place outside the memory directory")
    assert [(found.path, bool(found.error)) for found in vault.scan()] == [("chats", True)]
    assert os.listdir(outside) == ["secret.md"]


def test_a_link_that_dangles_or_loops_is_refused(vault, root):
    (root / "a.md").symlink_to("gone.md")
    (root / "b.md").symlink_to("c.md")
    (root / "c.md").symlink_to("b.md")
    (root / "d").symlink_to(".")
    (root / "e").mkdir()
    (root / "e" / "f").symlink_to("../e")
    refused(vault, "a.md", "is a broken link")
    refused(vault, "b.md", "is a circular link")
    assert {found.path for found in vault.scan() if found.error} == {"a.md", "b.md", "c.md", "d", "e/f"}


@pytest.mark.parametrize("absolute", [False, True])
def test_a_link_that_stays_inside_is_written_through(vault, root, absolute):
    (root / "real").mkdir()
    (root / "real" / "MEMORY.md").write_bytes(b"one")
    (root / "MEMORY.md").symlink_to(root / "real/MEMORY.md" if absolute else "real/MEMORY.md")
    (root / "dir").symlink_to(root / "real" if absolute else "real")
    assert vault.read("MEMORY.md").data == b"one"
    assert save(vault, "MEMORY.md", "s", b"two", b"one") == WriteDone(vault.stat("real/MEMORY.md"), True)
    assert (root / "real" / ".kenoweb-s.old").read_bytes() == b"one"
    assert vault.inspect("MEMORY.md", "s", None, digest(b"two")) is Slot.DONE
    vault.discard("MEMORY.md", "s")
    assert hidden(root) == []
    assert vault.append("dir/MEMORY.md", b"three").offset == 3
    assert vault.append("dir/new/log.md", b"x").created
    vault.flush(["MEMORY.md", "dir/new/log.md"])
    assert (root / "MEMORY.md").is_symlink()
    assert (root / "real/MEMORY.md").read_bytes() == b"twothree"
    assert sorted(found.path for found in vault.scan()) == [
        "MEMORY.md", "dir/MEMORY.md", "dir/new/log.md", "real/MEMORY.md", "real/new/log.md"
    ]  # fmt: skip


def test_links_to_each_other_end_the_scan(vault, root):
    for name in ("a", "b", "c"):
        (root / name).mkdir()
        (root / name / f"{name}.md").write_bytes(b"")
        for other in "abc":
            (root / name / f"to-{other}").symlink_to(f"../{other}")
    paths = [found.path for found in vault.scan() if not found.error]
    assert len(paths) == len(set(paths)) == 9


@pytest.mark.parametrize("part", ["file", "directory"])
def test_a_component_swapped_for_a_link_never_escapes(vault, root, outside, part):
    """A second thread swaps a file or a directory for a link to outside and back, all the time."""
    if not kernel.LINUX:
        pytest.skip("needs an exchange of two names at once")
    (root / "chats").mkdir()
    (root / "chats" / "secret.md").write_bytes(b"inside")
    (root / "chats" / "link.md").symlink_to(outside / "secret.md")
    (root / "away").symlink_to(outside)
    names = ("chats", "away") if part == "directory" else ("secret.md", "link.md")
    directory = os.open(root if part == "directory" else root / "chats", os.O_RDONLY)
    stop = threading.Event()

    def swap():
        while not stop.wait(0.00002):
            kernel.exchange(directory, *names)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        outcomes = [_try_all(vault, "chats/secret.md", str(number)) for number in range(150)]
    finally:
        stop.set()
        thread.join()
        os.close(directory)
    assert (outside / "secret.md").read_bytes() == b"secret"
    assert os.listdir(outside) == ["secret.md"]
    assert "read" in outcomes


def _try_all(vault, path, slot):
    outcome = ""
    try:
        found = vault.read(path)
        if found is not None:
            assert found.data.startswith(b"inside")
            outcome = "read"
        vault.append(path, b"+")
        found = vault.read(path)
        if found is not None:
            save(vault, path, slot, b"inside", found.data)
    except (Unreadable, WriteFailed):
        pass
    finally:
        with contextlib.suppress(Unreadable, WriteFailed):
            vault.discard(path, slot)
    return outcome


def test_a_file_that_becomes_a_link_between_check_and_exchange_is_left(root, outside, monkeypatch):
    """The worst moment: after the target was read and found to be as expected."""
    if not kernel.LINUX:
        pytest.skip("needs an exchange of two names at once")
    vault = build(root, "kernel")
    (root / "MEMORY.md").write_bytes(b"one")
    vault.stage("MEMORY.md", "s", b"two", None)
    real = kernel.exchange

    def swapped_before(directory, one, other):
        monkeypatch.setattr(kernel, "exchange", real)
        (root / "MEMORY.md").unlink()
        (root / "MEMORY.md").symlink_to(outside / "secret.md")
        real(directory, one, other)

    monkeypatch.setattr(kernel, "exchange", swapped_before)
    with pytest.raises(Unreadable, match="is no longer a regular file"):
        vault.replace("MEMORY.md", "s", b"two", digest(b"one"))
    assert (root / "MEMORY.md").is_symlink()
    assert (root / ".kenoweb-s.new").read_bytes() == b"two"
    assert (outside / "secret.md").read_bytes() == b"secret"


def test_a_file_replaced_in_the_moment_of_its_removal_is_put_back(vault, root, monkeypatch):
    (root / "a.md").write_bytes(b"one")
    real = walk.DirEntry.rename

    def replaced_before(place, source, target):
        monkeypatch.setattr(walk.DirEntry, "rename", real)
        (root / "bot").write_bytes(b"newer")
        (root / "bot").rename(root / "a.md")
        real(place, source, target)

    monkeypatch.setattr(walk.DirEntry, "rename", replaced_before)
    assert vault.remove("a.md", "s", digest(b"one")) == Moved(vault.read("a.md"))
    assert vault.read("a.md").data == b"newer"
    assert hidden(root) == []


def test_a_file_replaced_in_the_moment_of_its_replacement_is_not_lost(vault, root, monkeypatch):
    (root / "a.md").write_bytes(b"one")
    vault.stage("a.md", "s", b"two", None)
    real = files._may_leave

    def replaced_after(*about):
        (root / "bot").write_bytes(b"newer")
        (root / "bot").rename(root / "a.md")
        return real(*about)

    monkeypatch.setattr(files, "_may_leave", replaced_after)
    outcome = vault.replace("a.md", "s", b"two", digest(b"one"))
    if isinstance(outcome, Moved):
        assert outcome.content.data == b"newer" == (root / "a.md").read_bytes()
    else:
        assert (root / ".kenoweb-s.old").read_bytes() == b"newer"
        assert (root / "a.md").read_bytes() == b"two"


def test_hard_links_are_written_in_place(vault, root):
    (root / "MEMORY.md").write_bytes(b"one, and more\n")
    os.link(root / "MEMORY.md", root / "other.md")
    before = vault.stat("MEMORY.md")
    done = save(vault, "MEMORY.md", "s", b"two\n", b"one, and more\n")
    assert done == WriteDone(vault.stat("MEMORY.md"), False)
    assert (done.stat.inode, done.stat.links) == (before.inode, 2)
    assert (root / "other.md").read_bytes() == b"two\n"
    assert hidden(root) == []
    assert save(vault, "MEMORY.md", "t", b"longer than before\n", b"one\n") == Moved(vault.read("MEMORY.md"))
    vault.discard("MEMORY.md", "t")
    save(vault, "MEMORY.md", "u", b"longer than before\n", b"two\n")
    assert (root / "other.md").read_bytes() == b"longer than before\n"
    assert vault.inspect("MEMORY.md", "u", before, digest(b"longer than before\n")) is Slot.DONE


def test_a_bind_mount_is_written_in_place(vault, root, tmp_path, needs_root):
    (tmp_path / "elsewhere.md").write_bytes(b"one\n")
    (root / "MEMORY.md").write_bytes(b"")
    mounted = subprocess.run(["mount", "--bind", tmp_path / "elsewhere.md", root / "MEMORY.md"], capture_output=True)
    if mounted.returncode:
        pytest.skip("this machine allows no bind mount")
    try:
        assert save(vault, "MEMORY.md", "s", b"two\n", b"one\n") == WriteDone(vault.stat("MEMORY.md"), False)
        assert (tmp_path / "elsewhere.md").read_bytes() == b"two\n"
        assert hidden(root) == []
        with pytest.raises(WriteFailed, match="resource busy"):
            vault.remove("MEMORY.md", "t", digest(b"two\n"))
        assert vault.read("MEMORY.md").data == b"two\n"
    finally:
        subprocess.run(["umount", root / "MEMORY.md"], check=True)


@pytest.fixture
def full_disk(tmp_path, needs_root):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("this machine allows no tmpfs")
    (disk / "MEMORY.md").write_bytes(b"m" * 10_000)
    (disk / "linked.md").write_bytes(b"l" * 4096)
    os.link(disk / "linked.md", disk / "link.md")
    (disk / "log.md").write_bytes(b"n" * 4090)
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096) == 4096:
                pass
        except OSError:
            pass
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_changes_nothing(full_disk, variant):
    vault = build(full_disk, variant)
    before = {found.path: vault.read(found.path).data for found in vault.scan()}
    for act in (
        lambda: vault.stage("MEMORY.md", "s", b"y" * 20_000, None),
        lambda: vault.stage("new.md", "s", b"y" * 20_000, None),
        lambda: vault.append("log.md", b"y" * 5000),
        lambda: vault.append("new.md", b"y" * 5000),
        lambda: vault.replace("linked.md", "s", b"y" * 20_000, digest(b"l" * 4096)),
    ):
        with pytest.raises(WriteFailed, match="the disk is full") as raised:
            act()
        assert str(full_disk) not in str(raised.value)
        assert {found.path: vault.read(found.path).data for found in vault.scan()} == before
        assert hidden(full_disk) == []


def test_foreign_owners_keep_their_files(root, variant, needs_root):
    root.chmod(0o777)
    (root / "MEMORY.md").write_bytes(b"one\n")
    (root / "MEMORY.md").chmod(0o666)
    os.chown(root / "MEMORY.md", A_USER, A_USER)
    _open_the_way(root)

    def write():
        vault = build(root, variant)
        assert save(vault, "MEMORY.md", "s", b"two\n", b"one\n").stashed is False
        assert vault.append("MEMORY.md", b"three\n").offset == 4

    as_user(ANOTHER_USER, write)
    found = (root / "MEMORY.md").stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (A_USER, A_USER, 0o666)
    assert (root / "MEMORY.md").read_bytes() == b"two\nthree\n"
    assert hidden(root) == []


def test_root_gives_files_their_owner(vault, root, needs_root):
    os.chown(root, A_USER, ANOTHER_USER)
    (root / "MEMORY.md").write_bytes(b"one\n")
    os.chown(root / "MEMORY.md", ANOTHER_USER, A_USER)
    save(vault, "MEMORY.md", "s", b"two\n", b"one\n")
    save(vault, "chats/a/new.md", "t", b"x")
    vault.append("log.md", b"x")
    owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in root.rglob("*") if path.name[0] != "."}
    assert owners == {
        "MEMORY.md": (ANOTHER_USER, A_USER),
        "log.md": (ANOTHER_USER, A_USER),
        "chats": (A_USER, ANOTHER_USER),
        "a": (A_USER, ANOTHER_USER),
        "new.md": (A_USER, ANOTHER_USER),
    }


def test_a_writable_file_in_a_closed_directory_is_written_in_place(root, variant, needs_root):
    (root / "MEMORY.md").write_bytes(b"one\n")
    os.chown(root / "MEMORY.md", A_USER, A_USER)
    (root / "closed.md").write_bytes(b"x")
    _open_the_way(root)

    def write():
        vault = build(root, variant)
        before = vault.stat("MEMORY.md")
        assert save(vault, "MEMORY.md", "s", b"two\n", b"one\n").stashed is False
        assert vault.inspect("MEMORY.md", "s", before, digest(b"two\n")) is Slot.DONE
        for act in (
            lambda: vault.stage("closed.md", "t", b"y", None),
            lambda: vault.stage("new.md", "t", b"y", None),
            lambda: vault.append("new.md", b"y"),
            lambda: vault.append("closed.md", b"y"),
            lambda: vault.remove("MEMORY.md", "t", digest(b"two\n")),
        ):
            with pytest.raises(WriteFailed, match="Kenoweb doesn’t have permission"):
                act()

    as_user(A_USER, write)
    assert sorted(os.listdir(root)) == ["MEMORY.md", "closed.md"]
    assert (root / "MEMORY.md").read_bytes() == b"two\n"
    assert (root / "closed.md").read_bytes() == b"x"


def test_a_closed_file_in_an_open_directory_is_not_replaced_or_removed_either(root, variant, needs_root):
    root.chmod(0o777)
    (root / "MEMORY.md").write_bytes(b"one\n")
    (root / "MEMORY.md").chmod(0o444)
    os.chown(root / "MEMORY.md", A_USER, A_USER)
    _open_the_way(root)

    def write():
        vault = build(root, variant)
        for act in (
            lambda: vault.stage("MEMORY.md", "t", b"y", None),
            lambda: vault.stage("MEMORY.md", "t", None, None),
            lambda: vault.append("MEMORY.md", b"y"),
        ):
            with pytest.raises(WriteFailed, match="Kenoweb doesn’t have permission"):
                act()

    as_user(A_USER, write)
    assert hidden(root) == []


def test_what_may_not_be_read_is_an_error_and_not_empty(root, variant, needs_root):
    (root / "secret.md").write_bytes(b"x")
    (root / "secret.md").chmod(0)
    (root / "closed").mkdir()
    (root / "closed" / "a.md").write_bytes(b"x")
    (root / "closed").chmod(0)
    (root / "listed").mkdir()
    (root / "listed" / "a.md").write_bytes(b"x")
    (root / "listed").chmod(0o744)
    _open_the_way(root)

    def read():
        vault = build(root, variant)
        for path in ("secret.md", "closed/a.md", "listed/a.md"):
            with pytest.raises(Unreadable, match="Kenoweb doesn’t have permission"):
                vault.read(path)
        errors = {found.path: found.error for found in vault.scan() if found.error}
        assert errors == {
            "closed/": "closed/ can’t be listed: Kenoweb doesn’t have permission.",
            "listed/": "listed/ can’t be listed: Kenoweb doesn’t have permission.",
        }

    as_user(A_USER, read)


def test_attributes_of_a_file_come_along(vault, root):
    (root / "MEMORY.md").write_bytes(b"one")
    try:
        os.setxattr(root / "MEMORY.md", "user.note", b"kept")
    except (AttributeError, OSError):
        pytest.skip("no user attributes here")
    save(vault, "MEMORY.md", "s", b"two", b"one")
    assert os.getxattr(root / "MEMORY.md", "user.note") == b"kept"


def test_sentences_can_be_printed_whatever_the_name_is(vault, root):
    name = os.fsdecode(b"caf\xe9.md")
    os.mkfifo(root / name)
    with pytest.raises(Unreadable) as raised:
        vault.read(name)
    assert str(raised.value) == "caf\ufffd.md isn’t a regular file."
    assert [found.error.encode().decode() for found in vault.scan()] == ["caf\ufffd.md isn’t a regular file."]


def test_settle_of_a_missing_directory_is_none(vault):
    assert vault.settle("chats/a/x.md", "s").outcome is Stashed.NONE
    vault.discard("chats/a/x.md", "s")


def _open_the_way(root):
    for directory in (root.parent, *root.parent.parents):
        if not directory.stat().st_mode & 0o001:
            directory.chmod(directory.stat().st_mode | 0o011)
