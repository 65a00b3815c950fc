"""A process killed at any line of a write: afterwards the document has its old or its new bytes, and the vault knows which."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from memory.domain.changes import Stamp, digest
from memory.storage import Slot, append, files, in_place, staging
from memory.storage.in_place import late_bytes
from tests.storage.conftest import build, hidden, save
from tests.support.crash import lines_that_differ, run_and_die, watched

pytestmark = pytest.mark.slow

WATCHED = watched(files, staging, in_place, append)
OLD, LONGER, SHORTER = b"- old line\n- second\n", b"- new line\n- second\n- third\n", b"- new\n"
STAMP = Stamp(0o640, 1_600_000_000_000_000_000)
LATE = b"- late\n"


@pytest.fixture
def root():
    """In memory where possible: a killed process loses nothing of it, and fsync takes no time there."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory) / "memory"


def each_line(root, prepare, act):
    """Run `act` in a child that dies at another line each time, once in each state that the tree is in on the way; yields after
    each death, with the tree as the death left it."""

    def begin():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        prepare()

    begin()
    for at in lines_that_differ(act, WATCHED, root):
        begin()
        assert run_and_die(act, WATCHED, at)
        yield at
    assert at > 10, "hardly a line was watched"


def bot_appends(path):
    if path.exists():
        with path.open("ab") as bot:
            bot.write(LATE)


def recovered(vault, path, before, old, new):
    """Finish as the journal does; what the document is then, and whether the write had happened."""
    before = before and replace(before, ctime_ns=0, mode=0, links=1)  # as much as a database remembers
    found = vault.inspect(path, "s", before, digest(new) if new is not None else None)
    stash = vault.root / ".kenoweb-s.old"
    tail = b""
    if found is Slot.DONE and stash.exists():
        assert stash.read_bytes().startswith(old)
        tail = stash.read_bytes()[len(old) :]
    elif found is Slot.TORN:
        torn = (vault.root / path).read_bytes()
        save(vault, path, "t", new + late_bytes(torn, old, new), torn)
        vault.discard(path, "t")
    vault.discard(path, "s")
    assert hidden(vault.root) == []
    document = vault.root / path
    return found, (document.read_bytes() if document.exists() else None), tail


def test_replace_killed_at_any_line(root, variant):
    vault = build(root, variant)
    path = root / "a.md"
    outcomes = set()
    for at in each_line(root, lambda: path.write_bytes(OLD), lambda: save(vault, "a.md", "s", SHORTER, OLD, STAMP)):
        inode, standing = path.stat().st_ino, path.read_bytes()
        assert standing in (OLD, SHORTER), at
        before = vault.stat("a.md") if standing == OLD else _stat_of_stash(vault)
        bot_appends(path)
        found, data, tail = recovered(vault, "a.md", before, OLD, SHORTER)
        outcomes.add(found)
        assert found is (Slot.UNTOUCHED if standing == OLD else Slot.DONE), at
        assert (data, tail, path.stat().st_ino) == (standing + LATE, b"", inode), at
    assert outcomes == {Slot.UNTOUCHED, Slot.DONE}


def _stat_of_stash(vault):
    names = [name for name in hidden(vault.root) if name.endswith((".old", ".new"))]
    return vault.stat(names[0])


def test_replace_killed_at_any_line_with_a_writer_that_holds_the_old_file(root, variant):
    vault = build(root, variant)
    path = root / "a.md"
    bots = []

    def prepare():
        path.write_bytes(OLD)
        bots.append(path.open("ab", buffering=0))

    for at in each_line(root, prepare, lambda: save(vault, "a.md", "s", LONGER, OLD)):
        before = vault.stat("a.md")
        with bots.pop() as bot:
            bot.write(LATE)
        found, data, tail = recovered(vault, "a.md", before, OLD, LONGER)
        assert (data, tail) == ((LONGER, LATE) if found is Slot.DONE else (OLD + LATE, b"")), at
    bots.pop().close()


def test_new_document_killed_at_any_line(root, variant):
    vault = build(root, variant)
    path = root / "chats" / "a.md"
    outcomes = set()
    for at in each_line(root, lambda: None, lambda: save(vault, "chats/a.md", "s", LONGER)):
        standing = path.read_bytes() if path.exists() else None
        assert standing in (None, LONGER), at
        bot_appends(path)
        found, data, _ = recovered(vault, "chats/a.md", None, b"", LONGER)
        outcomes.add(found)
        assert found is (Slot.UNTOUCHED if standing is None else Slot.DONE), at
        assert data == (None if standing is None else standing + LATE), at
        assert standing is None or path.stat().st_nlink == 1
    assert outcomes == {Slot.UNTOUCHED, Slot.DONE}


@pytest.mark.parametrize(
    ("variant", "new", "late"),
    [
        ("kernel", LONGER, LATE),
        ("kernel", SHORTER, b""),
        ("kernel", OLD[:11], LATE),
        ("fallback", SHORTER, LATE),
        ("fallback", OLD + b"- third\n", b""),
    ],
)
def test_write_in_place_killed_at_any_line(root, variant, new, late):
    vault = build(root, variant)
    path = root / "a.md"
    befores = []

    def prepare():
        path.write_bytes(OLD)
        os.link(path, root / "b.md")
        befores.append(vault.stat("a.md"))

    outcomes = set()
    for at in each_line(root, prepare, lambda: save(vault, "a.md", "s", new, OLD, STAMP)):
        if late:
            bot_appends(path)
        found, data, _ = recovered(vault, "a.md", befores[-1], OLD, new)
        outcomes.add(found)
        assert data == (OLD if found is Slot.UNTOUCHED else new) + late, at
        assert path.stat().st_ino == (root / "b.md").stat().st_ino
    assert {Slot.UNTOUCHED, Slot.DONE} <= outcomes
    assert Slot.TORN in outcomes or new.startswith(OLD)


def test_remove_killed_at_any_line(root, variant):
    vault = build(root, variant)
    path = root / "a.md"
    outcomes = set()
    for at in each_line(root, lambda: path.write_bytes(OLD), lambda: vault.remove("a.md", "s", digest(OLD))):
        stands = path.exists()
        found, data, _ = recovered(vault, "a.md", None, OLD, None)
        outcomes.add(found)
        assert (found, data) == ((Slot.UNTOUCHED, OLD) if stands else (Slot.DONE, None)), at
    assert outcomes == {Slot.UNTOUCHED, Slot.DONE}


@pytest.mark.parametrize("exists", [False, True])
def test_append_killed_at_any_line(root, variant, exists):
    vault = build(root, variant)
    path = root / "a.md"
    seen = set()
    for at in each_line(
        root, lambda: path.write_bytes(OLD) if exists else None, lambda: vault.append("a.md", LATE, fsync=True)
    ):
        seen.add(path.read_bytes() if path.exists() else None)
        assert hidden(root) == [], at
    assert seen == ({OLD, OLD + LATE} if exists else {None, b"", LATE})


@pytest.mark.parametrize(
    ("found", "before", "after", "late"),
    [
        (b"aaaaLATE", b"aaaa", b"bb", b"LATE"),
        (b"bbaaLATE", b"aaaa", b"bb", b"LATE"),
        (b"bbLATE", b"aaaa", b"bb", b"LATE"),
        (b"bbL", b"aaaa", b"bb", b"L"),
        (b"aabbLATE", b"aa", b"bbbb", b"LATE"),
        (b"aaLATEbb", b"aa", b"bbbb", b"LATE"),
        (b"aaLATE", b"aa", b"bbbb", b"LATE"),
        (b"bbbbLATE", b"aa", b"bbbb", b"LATE"),
        (b"aa", b"aaaa", b"aa", b""),
        (b"", b"aaaa", b"", b""),
    ],
)
def test_late_bytes_of_a_mixture(found, before, after, late):
    assert late_bytes(found, before, after) == late
