"""A child process that is there as long as we are: forked again when it ends, ended with us. What was imported before is there
once for both."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
# Between two starts, doubled each time that it did not live for so long.
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
LIVED_SECONDS = 60.0


class Kept:
    """Keeps a process that does `work` running from `start` to `stop`. `patience`: seconds that it gets to end by itself, from when
    it is told. `name` is what the system's lists of processes call it. `once`: what has ended is not started again."""

    def __init__(self, name: str, work: Callable[[], object], patience: float, *, once: bool = False) -> None:
        self.name, self.work, self.patience, self.once = name, work, patience, once
        self._over = threading.Event()
        self._began = self._latest = 0.0  # when it was started, and by when it has to have ended
        self._child = 0  # 0: none
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def start(self) -> None:
        """Start it, and a thread that looks after it."""
        self._start()
        self._thread.start()

    def tell(self) -> None:
        """Tell it to end, and do not wait."""
        self._latest = self._latest or time.monotonic() + self.patience
        self._over.set()
        self._send(signal.SIGTERM)

    def stop(self) -> None:
        """End it, by force if it does not end by itself."""
        self.tell()
        if self._thread.is_alive():
            self._thread.join(max(0, self._latest - time.monotonic()))
        self._send(signal.SIGKILL)
        while self._lives():
            time.sleep(LOOK_SECONDS / 50)

    def _start(self) -> None:
        self._began = time.monotonic()
        self._child = os.fork()
        if not self._child:
            self._become()

    def _become(self) -> NoReturn:
        """Be the child, which has nothing of ours but what is imported, and end as it."""
        code = 1
        try:
            alone(self.name)
            self.work()
            code = 0
        except Exception:
            log.exception("%s broke", self.name)
        finally:
            os._exit(code)

    def _keep(self) -> None:
        pause = SHORTEST_PAUSE
        while self._child:
            self._wait_for_end()
            if self.once or self._over.is_set():
                return
            if time.monotonic() - self._began > LIVED_SECONDS:
                pause = SHORTEST_PAUSE
            log.warning("the worker ended and is started again in %g s", pause)
            if self._over.wait(pause):
                return
            pause = min(pause * 2, LONGEST_PAUSE)
            self._start()

    def _wait_for_end(self) -> None:
        """Until it has ended."""
        while self._lives():
            if self._over.wait(LOOK_SECONDS):  # it may have been started in the very moment that it was told to end
                self._send(signal.SIGTERM)
                time.sleep(LOOK_SECONDS / 5)

    def _lives(self) -> bool:
        """It is polled: gunicorn, in the same process, collects children that are not its own, too."""
        with suppress(ChildProcessError):
            if self._child and os.waitpid(self._child, os.WNOHANG)[0] == 0:
                return True
        self._child = 0 if self._over.is_set() else self._child
        return False

    def _send(self, one: signal.Signals) -> None:
        if self._lives():
            with suppress(ProcessLookupError):
                os.kill(self._child, one)


def alone(name: str) -> None:
    """Right after a fork: a process with a name, in a group of its own so that Ctrl-C reaches it through its parent and once, that
    reads and says nothing, holds no file or socket of its parent's, and does not answer signals as its parent does."""
    os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    for one in signal.valid_signals():
        if callable(signal.getsignal(one)):
            signal.signal(one, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    with suppress(OSError):  # where there is such a file
        Path("/proc/self/comm").write_text(name, encoding="ascii")


def end_with(parent: int) -> None:
    """From now on, end when the parent is gone, whatever is being done."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
