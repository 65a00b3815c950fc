"""Die at a chosen line: a child process runs a function and kills itself when the n-th line of the watched files is reached.

`lines_that_differ` says which lines are worth it: a kill leaves what the disk holds, so one in each state of it stands for all."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from pkgutil import iter_modules
from stat import S_ISREG
from types import CodeType, FrameType, ModuleType
from typing import Any

from django.db import connection

from tests.support.amounts import LONG

LOCKS = Path("/proc/locks")
CLOCK = 100_000_000  # ns: more than a file system's clock ever lags behind


def watched(*places: ModuleType) -> list[str]:
    """The files of these modules, and of every module right in these packages: what a kill test watches is named by what it
    imports, so that a module that moves is either followed or an error, and never a file that nobody runs."""
    files = []
    for place in places:
        assert place.__file__, f"{place.__name__} has no file"
        files.append(place.__file__)
        folder = Path(place.__file__).parent
        inside = [f"{one.name}.py" for one in iter_modules(getattr(place, "__path__", [])) if not one.ispkg]
        assert inside or not hasattr(place, "__path__"), f"{place.__name__} is empty"
        files += [str(folder / name) for name in inside]
    missing = [name for name in files if not Path(name).is_file()]
    assert files, "nothing is watched"
    assert not missing, missing
    return sorted(set(files))


def inner(*places: ModuleType) -> list[str]:
    """The files of modules that a test enters whose own tests kill in each of their states; a long run kills there again."""
    return watched(*places) if LONG else []


def run_and_die(function: Callable[[], object], files: list[str], at: int) -> bool:
    """Run `function` in a forked child that gets SIGKILL before the line number `at` (from 1, as executed) in `files`, as
    `watched` names them. True: it died there; False: it came to its end before that.

    An exception in the child is an AssertionError here. Close database connections before; the child inherits them.
    """
    return _forked(function, files, lambda line: line == at and os.kill(os.getpid(), signal.SIGKILL))


def count_lines(act: Callable[[], object], files: Sequence[str]) -> int:
    """How many lines of such files a function executes, which is done to its end, here."""
    lines = 0

    def count(_frame: object, event: str, _arg: object) -> object:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: count if frame.f_code.co_filename.endswith(tuple(files)) else None)
    try:
        act()
    finally:
        sys.settrace(before)
    return lines


def lines_that_differ(function: Callable[[], object], files: list[str], root: Path, least: int = 1) -> list[int]:
    """The numbers of the lines before which the tree under `root`, or what is committed to the database, is another than before the
    line that came before; also the first and the last: more than `least`. The child runs the function to its end; it inherits
    connections.

    On PostgreSQL what is committed decides alone: the states of the files are those that SQLite's run meets, each of them."""
    with tempfile.NamedTemporaryFile("w+") as told:
        found: list[int] = []
        states: list[object] = []
        committed, tree, last = _Committed(), _Tree(root), 0
        is_whole = LONG or connection.vendor == "sqlite"

        def note(line: int) -> None:
            nonlocal last
            last = line
            if (state := [tree.now() if is_whole else {}, committed.times]) != states:
                states[:] = state
                found.append(line)

        def counted() -> None:
            with committed:
                function()
            told.write(json.dumps([*found, last]))
            told.flush()

        assert not _forked(counted, files, note)
        told.seek(0)
        lines = sorted({*json.load(told)})
        assert len(lines) > (least if is_whole else 2), "hardly a line was watched"
        return lines


class _Committed:
    """How often something written came to stand in the database."""

    def __init__(self) -> None:
        self.times = 0
        self.pending = False

    def __enter__(self) -> None:
        self.commit = connection._commit
        connection._commit = self._committing
        connection.execute_wrappers.append(self._executing)

    def __exit__(self, *_: object) -> None:
        connection._commit = self.commit
        connection.execute_wrappers.remove(self._executing)

    def _executing(self, execute: Callable[..., object], sql: str, *rest: Any) -> object:
        done = execute(sql, *rest)
        if sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE", "REPLACE", "WITH")):
            self.pending = connection.in_atomic_block
            self.times += not self.pending
        return done

    def _committing(self) -> None:
        self.commit()
        self.times += self.pending
        self.pending = False


class _Tree:
    """Everything under a directory, as one thing to compare, and to compare again at every line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, tuple[object, object]] = {}

    def now(self) -> dict[str, object]:
        self.leased: set[int] | None = None
        about: dict[str, object] = {}
        folders = [str(self.root)]
        for folder in folders:  # which grows on the way
            about[folder] = self._about(folder, os.lstat(folder))
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    about[entry.path] = self._about(entry.path, os.lstat(entry.path))
        return about

    def _about(self, path: str, stat: os.stat_result) -> object:
        about = (stat.st_ino, stat.st_mode, stat.st_nlink, stat.st_mtime_ns, stat.st_uid)
        return (*about, self._data(path, stat) if S_ISREG(stat.st_mode) else b"")

    def _data(self, path: str, stat: os.stat_result) -> object:
        """What is in a file; not read again if nothing was written for longer than the file system's clock takes to move on.
        What is written through mapped memory, as SQLite's index of a log is, moves no clock."""
        key = (stat.st_ino, stat.st_size, stat.st_ctime_ns)
        if self.known.get(path, ("",))[0] == key and not path.endswith("-shm"):
            return self.known[path][1]
        data = self._read(path, stat.st_ino)
        if time.time_ns() - stat.st_ctime_ns > CLOCK:
            self.known[path] = key, data
        return data

    def _read(self, path: str, inode: int) -> object:
        if self.leased is None:
            self.leased = _leased()
        return _held(inode) if inode in self.leased else Path(path).read_bytes()


def _leased() -> set[int]:
    """The inodes of files that this process has a lease of: to open one would break it."""
    lines = [line.split() for line in LOCKS.read_text().splitlines()] if LOCKS.exists() else []
    return {int(line[5].rpartition(":")[2]) for line in lines if line[1] == "LEASE" and line[4] == str(os.getpid())}


def _held(inode: int) -> object:
    """What is in a file that this process has open, read without opening it; something new each time where that cannot be."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if (stat := os.fstat(int(name))).st_ino == inode:
                return os.pread(int(name), stat.st_size, 0)
    return object()


def _forked(function: Callable[[], object], files: list[str], at_line: Callable[[int], object]) -> bool:
    child = os.fork()
    if child == 0:
        in_child(function, files, at_line)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, f"the child died of signal {os.WTERMSIG(status)}"
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed; its traceback is on stderr"
    return False


def in_child(function: Callable[[], object], files: Sequence[str], at_line: Callable[[int], object]) -> None:
    """Run `function` in this process, which is a forked child and ends here; `at_line` is called before each line in `files`."""
    lines, watched = 0, tuple(files)
    known: dict[CodeType, bool] = {}  # a child calls functions by the hundred thousand

    def count(frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            at_line(lines)
        return count

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        if code not in known:
            known[code] = code.co_filename.endswith(watched)
        return count if known[code] else None

    try:
        sys.settrace(enter)
        function()
        sys.settrace(None)
    except BaseException:
        sys.settrace(None)
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
