"""A child process that is there as long as we are: started again when it ends, ended with us."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
# Between two starts, doubled each time that it did not live for so long.
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
LIVED_SECONDS = 60.0


class Kept:
    """Keeps `manage.py` with these words running from `start` to `stop`. `patience`: seconds that it gets to end by itself, from
    when it is told."""

    def __init__(self, words: Sequence[str], patience: float) -> None:
        self.command = [sys.executable, sys.argv[0], *words]
        self.patience = patience
        self._over = threading.Event()
        self._began = self._latest = 0.0  # when it was started, and by when it has to have ended
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def start(self) -> None:
        """Start it, and a thread that looks after it. Call this before anybody forks: a fork in the moment of a start would inherit
        the pipe by which a start is known to have gone well, and keep it open."""
        self._start()
        self._thread.start()

    def tell(self) -> None:
        """Tell it to end, and do not wait."""
        self._latest = self._latest or time.monotonic() + self.patience
        self._over.set()
        if (child := self._child) is not None and child.poll() is None:
            child.terminate()

    def stop(self) -> None:
        """End it, by force if it does not end by itself."""
        self.tell()
        if self._thread.is_alive():
            self._thread.join(max(0, self._latest - time.monotonic()))
        if (child := self._child) is not None and child.poll() is None:
            child.kill()
            child.wait()

    def _start(self) -> None:
        self._began = time.monotonic()
        # In a group of its own, so that Ctrl-C reaches it through us and once.
        self._child = subprocess.Popen(  # noqa: S603 - ourselves
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0
        )

    def _keep(self) -> None:
        pause = SHORTEST_PAUSE
        while self._child is not None:
            self._wait_for(self._child)
            if self._over.is_set():
                return
            if time.monotonic() - self._began > LIVED_SECONDS:
                pause = SHORTEST_PAUSE
            log.warning("the worker ended and is started again in %g s", pause)
            if self._over.wait(pause):
                return
            pause = min(pause * 2, LONGEST_PAUSE)
            self._start()

    def _wait_for(self, child: subprocess.Popen[bytes]) -> None:
        """Until it has ended. It is polled: gunicorn, in the same process, collects children that are not its own, too."""
        while child.poll() is None:
            if self._over.wait(LOOK_SECONDS):  # it may have been started in the very moment that it was told to end
                child.terminate()
                time.sleep(LOOK_SECONDS / 5)
