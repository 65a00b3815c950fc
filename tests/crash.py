"""Die at a chosen line: a child process runs a function and kills itself when the n-th line of the watched files is reached."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any


def run_and_die(function: Callable[[], object], files: list[str], at: int) -> bool:
    """Run `function` in a forked child that gets SIGKILL before the line number `at` (from 1, as executed) in `files`, which are
    endings of file names such as `memory/vault/files.py`. True: it died there; False: it came to its end before that.

    An exception in the child is an AssertionError here. Close database connections before; the child inherits them.
    """
    child = os.fork()
    if child == 0:
        _in_child(function, tuple(files), at)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, f"the child died of signal {os.WTERMSIG(status)}"
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed; its traceback is on stderr"
    return False


def _in_child(function: Callable[[], object], files: tuple[str, ...], at: int) -> None:
    lines = 0

    def count(frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if lines == at:
                os.kill(os.getpid(), signal.SIGKILL)
        return count

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        return count if frame.f_code.co_filename.endswith(files) else None

    try:
        sys.settrace(enter)
        function()
        sys.settrace(None)
    except BaseException:
        sys.settrace(None)
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
