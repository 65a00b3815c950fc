"""Bots that write while we do: other processes, real files, nothing lost and nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from memory.domain.changes import digest
from memory.domain.errors import Unreadable
from memory.storage import Moved, Stashed, WriteDone, files, in_place, kernel, stable_read
from tests.storage.conftest import build, hidden, save

pytestmark = pytest.mark.slow

APPENDER = """
import sys
path, lines, hold = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "hold"
file = open(path, "ab", buffering=0) if hold else None
for number in range(lines):
    if hold and number % 100 == 0:
        file.close()
        file = open(path, "ab", buffering=0)
    if not hold:
        file = open(path, "ab", buffering=0)
    file.write(b"- bot %d\\n" % number)
    if not hold:
        file.close()
"""


def start_bot(path, lines, how):
    return subprocess.Popen([sys.executable, "-c", APPENDER, str(path), str(lines), how])


def bring_back_tails(vault, path, pending):
    """What the journal does with stashes: what was appended late goes to the end; what is still in use is looked at again."""
    waiting = []
    for slot, before in pending:
        found = vault.settle(path, slot)
        if found.outcome is Stashed.BUSY:
            waiting.append((slot, before))
            continue
        assert found.data.startswith(before)
        if tail := found.data[len(before) :]:
            vault.append(path, tail)
        vault.discard(path, slot)
    return waiting


@pytest.mark.parametrize("how", ["each", "hold"])
def test_no_line_of_a_bot_is_lost_while_we_replace(vault, root, how):
    path = root / "log.md"
    path.write_bytes(b"")
    vault.quiet_seconds = 2  # without a lease, what a bot writes that stood still for longer is lost, as it is said
    lines = 2000 if how == "each" else 3000
    pending, ours = [], 0
    bot = start_bot(path, lines, how)
    number = 0
    while bot.poll() is None or ours < 100:
        number += 1
        base = vault.read("log.md")
        data = base.data + b"- ours %d\n" % ours
        vault.stage("log.md", f"s-{number}", data, None)
        outcome = vault.replace("log.md", f"s-{number}", data, digest(base.data))
        if isinstance(outcome, Moved):
            vault.discard("log.md", f"s-{number}")
            continue
        ours += 1
        pending.append((f"s-{number}", base.data))
        if len(pending) > 20:
            pending = bring_back_tails(vault, "log.md", pending)
        if ours >= 100:
            break
    assert bot.wait(30) == 0
    end = time.monotonic() + 20
    while (pending := bring_back_tails(vault, "log.md", pending)) and time.monotonic() < end:
        time.sleep(0.02)
    written = path.read_bytes().splitlines()
    assert sorted(written) == sorted([b"- bot %d" % n for n in range(lines)] + [b"- ours %d" % n for n in range(ours)])
    assert hidden(root) == []


def test_no_line_of_a_bot_is_lost_while_we_remove(vault, root):
    path = root / "log.md"
    bot = start_bot(path, 500, "each")
    pending, number = [], 0
    while bot.poll() is None:
        number += 1
        content = vault.read("log.md")
        if content is not None and isinstance(vault.remove("log.md", f"s-{number}", digest(content.data)), WriteDone):
            pending.append(f"s-{number}")
    assert bot.returncode == 0
    lines = path.read_bytes().splitlines() if path.exists() else []
    for slot in pending:
        while (found := vault.settle("log.md", slot)).outcome is Stashed.BUSY:
            time.sleep(0.02)
        lines += found.data.splitlines()
    assert sorted(lines) == sorted(b"- bot %d" % n for n in range(500))


def test_no_line_of_a_bot_is_lost_while_we_write_in_place(root):
    """With the lease: a bot that opens the file for each line waits for the bounded write and then appends after it."""
    if not kernel.LINUX:
        pytest.skip("needs a lease")
    vault = build(root, "kernel")
    path = root / "log.md"
    path.write_bytes(b"")
    os.link(path, root / "other.md")
    bot = start_bot(path, 1000, "each")
    ours = 0
    while ours < 40:
        base = vault.read("log.md").data
        data = b"- ours %d\n" % ours + base if ours % 2 else base + b"- ours %d\n" % ours
        if isinstance(save(vault, "log.md", f"s-{ours}", data, base), WriteDone):
            ours += 1
    assert bot.wait(30) == 0
    written = path.read_bytes().splitlines()
    assert sorted(written) == sorted([b"- bot %d" % n for n in range(1000)] + [b"- ours %d" % n for n in range(ours)])
    assert path.stat().st_ino == (root / "other.md").stat().st_ino


def test_what_a_bot_renamed_over_a_file_at_the_last_moment_stays(root, monkeypatch):
    """Between our look and the exchange: the exchange is taken back, for the bot's next reading would be of ours alone."""
    if not kernel.LINUX:
        pytest.skip("needs an exchange")
    vault, real = build(root, "kernel"), kernel.exchange
    (root / "facts.json").write_bytes(b"one\n")

    def beaten(directory, one, other):
        monkeypatch.setattr(kernel, "exchange", real)
        (root / "tmp.1").write_bytes(b"one\nbot\n")
        (root / "tmp.1").rename(root / "facts.json")
        real(directory, one, other)

    monkeypatch.setattr(kernel, "exchange", beaten)
    assert save(vault, "facts.json", "s", b"one\nours\n", b"one\n") == Moved(vault.read("facts.json"))
    assert (root / "facts.json").read_bytes() == b"one\nbot\n"
    vault.discard("facts.json", "s")
    assert sorted(path.name for path in root.iterdir()) == ["facts.json"]


def test_what_a_bot_renamed_over_a_file_twice_at_the_last_moment_is_the_newest(root, monkeypatch):
    if not kernel.LINUX:
        pytest.skip("needs an exchange")
    vault, real, written = build(root, "kernel"), kernel.exchange, [b"first\n", b"second\n"]
    (root / "facts.json").write_bytes(b"one\n")

    def beaten(directory, one, other):
        if written:
            (root / "tmp.1").write_bytes(written.pop(0))
            (root / "tmp.1").rename(root / "facts.json")
        real(directory, one, other)

    monkeypatch.setattr(kernel, "exchange", beaten)
    assert save(vault, "facts.json", "s", b"ours\n", b"one\n") == Moved(vault.read("facts.json"))
    assert (root / "facts.json").read_bytes() == b"second\n"


def test_two_processes_append_and_know_their_places(vault, root):
    bot = start_bot(root / "log.md", 1000, "each")
    places = [(number, vault.append("log.md", b"- ours %d\n" % number).offset) for number in range(300)]
    assert bot.wait(30) == 0
    data = (root / "log.md").read_bytes()
    assert all(data[offset:].startswith(b"- ours %d\n" % number) for number, offset in places)
    assert len(data.splitlines()) == 1300


@pytest.mark.parametrize("taken_along", [b"", b"ours\n"], ids=["not taken along", "taken along"])
def test_an_append_follows_a_file_that_was_replaced_under_it(vault, root, monkeypatch, taken_along):
    """The bot renames its own new version over the file between our write and our look; what it took along is not doubled."""
    (root / "log.md").write_bytes(b"old\n")
    real = os.lseek

    def replaced_after_the_write(*about):
        monkeypatch.setattr(os, "lseek", real)
        (root / "bot").write_bytes(b"rewritten\n" + taken_along)
        (root / "bot").rename(root / "log.md")
        return real(*about)

    monkeypatch.setattr(os, "lseek", replaced_after_the_write)
    assert vault.append("log.md", b"ours\n").offset == len(b"rewritten\n")
    assert (root / "log.md").read_bytes() == b"rewritten\nours\n"


def test_late_growth_during_a_write_in_place_is_kept(root, monkeypatch):
    """A bot that keeps the file open appends in the worst moments of a write in place."""
    vault = build(root, "fallback")
    for new in (b"short\n", b"much longer than the old one was\n"):
        (root / "log.md").unlink(missing_ok=True)
        (root / "other.md").unlink(missing_ok=True)
        (root / "log.md").write_bytes(b"what stood there\n")
        os.link(root / "log.md", root / "other.md")
        vault.stage("log.md", "s", new, None)
        with (root / "log.md").open("ab", buffering=0) as bot, monkeypatch.context() as patched:
            real = in_place._rewrite
            patched.setattr(
                in_place, "_rewrite", lambda *about, bot=bot, real=real: (bot.write(b"late\n"), real(*about))
            )
            vault.replace("log.md", "s", new, digest(b"what stood there\n"))
            bot.write(b"later\n")
        assert (root / "log.md").read_bytes() == new + b"late\nlater\n"


@pytest.fixture
def pauses(monkeypatch):
    """The seconds of every pause that is made."""
    found, real = [], time.sleep

    def pausing(seconds):
        found.append(seconds)
        real(seconds)

    monkeypatch.setattr(time, "sleep", pausing)
    return found


def test_a_read_waits_for_a_bot_that_truncates_and_then_writes(vault, root, pauses):
    (root / "MEMORY.md").write_bytes(b"")

    def write():
        while len(pauses) < 3 and not over.wait(0.001):
            pass
        (root / "MEMORY.md").write_bytes(b"written\n")

    over = threading.Event()
    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert vault.read("MEMORY.md").data == b"written\n"
    finally:
        over.set()
        thread.join()


def test_a_read_of_an_empty_file_ends_in_a_second(vault, root, pauses):
    (root / "MEMORY.md").write_bytes(b"")
    assert vault.read("MEMORY.md").data == b""
    assert 0 < sum(pauses) < 1.1
    pauses.clear()
    os.utime(root / "MEMORY.md", ns=(0, 0))
    assert vault.read("MEMORY.md").data == b""
    assert pauses == []


def test_a_file_that_is_truncated_again_and_again_is_not_read_as_an_empty_one(vault, root, monkeypatch):
    (root / "MEMORY.md").write_bytes(b"")
    monkeypatch.setattr(time, "sleep", lambda _seconds: (root / "MEMORY.md").write_bytes(b""))
    with pytest.raises(Unreadable, match="rewritten constantly"):
        vault.read("MEMORY.md")


def test_a_read_never_mixes_two_versions(vault, root):
    """A bot rewrites a large file in place, truncating first, again and again: it is read in one piece, or not at all. Only a write
    that the machine stops for as long as two looks are apart seems to have ended."""
    versions = [letter * 300_000 for letter in (b"a", b"b")]
    (root / "MEMORY.md").write_bytes(versions[0])
    stop, stopped = threading.Event(), []

    def rewrite():
        number = 0
        while not stop.wait(0.005):
            number += 1
            began = time.monotonic()
            (root / "MEMORY.md").write_bytes(versions[number % 2])
            if (ended := time.monotonic()) - began >= stable_read._PAUSE:
                stopped.append((began, ended))

    seen = []
    thread = threading.Thread(target=rewrite)
    thread.start()
    try:
        for _ in range(40):
            began = time.monotonic()
            with suppress(Unreadable):
                seen.append((began, vault.read("MEMORY.md").data, time.monotonic()))
    finally:
        stop.set()
        thread.join()
    assert seen
    for began, data, ended in seen:
        assert data.strip(data[:1]) == b"", "never both"
        assert data in versions or any(start < ended and began < end for start, end in stopped)


def test_a_file_that_is_rewritten_without_a_rest_is_not_read_in_pieces(vault, root, monkeypatch):
    """Each look falls into another rewrite, as on a busy machine: none of them is what stood there."""
    (root / "MEMORY.md").write_bytes(b"a" * 3000)
    real, looks = stable_read.read_open, []

    def while_it_is_rewritten(file):
        looks.append(real(file))
        letter = b"ab"[len(looks) % 2 :][:1]
        (root / "MEMORY.md").write_bytes(letter * (1000 + len(looks)))
        return looks[-1]

    monkeypatch.setattr(stable_read, "read_open", while_it_is_rewritten)
    with pytest.raises(Unreadable, match="rewritten constantly"):
        vault.read("MEMORY.md")


def test_a_log_that_never_rests_is_read_as_it_stood(vault, root, monkeypatch):
    (root / "log.md").write_bytes(b"- line 0\n")
    real, looks = stable_read.read_open, []

    def while_it_grows(file):
        with (root / "log.md").open("ab") as log:
            log.write(b"- line %d\n" % (len(looks) + 1))
        looks.append(real(file))
        return looks[-1]

    monkeypatch.setattr(stable_read, "read_open", while_it_grows)
    read = vault.read("log.md").data
    assert looks[-1].startswith(read)
    assert read.endswith(b"- line %d\n" % (len(looks) - 1))


def until_wanted(file):
    """Wait for somebody to ask for a file under a lease."""
    end = time.monotonic() + 30
    while not kernel.is_wanted(file) and time.monotonic() < end:
        time.sleep(0.005)
    assert kernel.is_wanted(file)


@pytest.mark.parametrize("write", [False, True])
def test_a_broken_lease_kills_nobody(root, write):
    """Another process opens the file while the lease is held: by default the kernel's signal for that ends the holder."""
    if not kernel.LINUX:
        pytest.skip("needs a lease")
    (root / "a.md").write_bytes(b"x")
    opener = subprocess.Popen(
        [sys.executable, "-c", "import sys; input(); open(sys.argv[1], 'ab').write(b'y')", root / "a.md"],
        stdin=subprocess.PIPE,
    )
    file = os.open(root / "a.md", os.O_RDWR if write else os.O_RDONLY)
    try:
        with kernel.lease(file, write=write) as held:
            assert held
            opener.stdin.write(b"now\n")
            opener.stdin.close()
            until_wanted(file)
            assert (root / "a.md").read_bytes() == b"x" if not write else os.pread(file, 9, 0) == b"x"
    except kernel.NoLease:
        opener.kill()
        opener.wait()
        pytest.skip("this file system knows no leases")
    finally:
        os.close(file)
    assert opener.wait(30) == 0
    assert (root / "a.md").read_bytes() == b"xy"


def test_a_stash_that_is_opened_while_it_settles_is_busy(root, monkeypatch):
    if not kernel.LINUX:
        pytest.skip("needs a lease")
    vault = build(root, "kernel")
    (root / "a.md").write_bytes(b"one")
    save(vault, "a.md", "s", b"two", b"one")
    real = files.read_open
    threads = []

    def opened_meanwhile(file):
        thread = threading.Thread(target=lambda: (root / ".kenoweb-s.old").open("ab").close())
        thread.start()
        threads.append(thread)
        until_wanted(file)
        return real(file)

    monkeypatch.setattr(files, "read_open", opened_meanwhile)
    assert vault.settle("a.md", "s").outcome is Stashed.BUSY
    threads[0].join()
    monkeypatch.setattr(files, "read_open", real)
    assert vault.settle("a.md", "s").data == b"one"


def test_without_a_lease_a_stash_is_busy_until_it_has_been_quiet(root, monkeypatch):
    vault = build(root, "fallback")
    vault.quiet_seconds = 0.5
    (root / "a.md").write_bytes(b"one")
    with (root / "a.md").open("ab", buffering=0) as bot:
        save(vault, "a.md", "s", b"two", b"one")
        saved = (root / ".kenoweb-s.old").stat().st_ctime
        time.sleep(0.1)
        bot.write(b"late")
    written = (root / ".kenoweb-s.old").stat().st_ctime
    assert written > saved
    monkeypatch.setattr(time, "time", lambda: saved + 0.5)
    assert vault.settle("a.md", "s").outcome is Stashed.BUSY
    monkeypatch.setattr(time, "time", lambda: written + 0.51)
    assert vault.settle("a.md", "s").data == b"onelate"


def test_files_on_shared_file_systems_are_not_believed(root, monkeypatch):
    """A lease says nothing about writers on another machine: there only a quiet time counts."""
    monkeypatch.setattr(kernel, "is_shared", lambda fd: True)
    vault = build(root, "kernel")
    vault.quiet_seconds = 600
    (root / "a.md").write_bytes(b"one")
    save(vault, "a.md", "s", b"two", b"one")
    assert vault.settle("a.md", "s").outcome is Stashed.BUSY
    vault.quiet_seconds = 0.1
    time.sleep(0.15)
    assert vault.settle("a.md", "s").data == b"one"
