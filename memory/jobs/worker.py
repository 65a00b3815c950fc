"""A worker: takes jobs one after the other until it is told to stop, and looks after what other workers left."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType

from django.db import DatabaseError, close_old_connections, connection
from django.utils.crypto import get_random_string
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS, DEFAULT_TASK_QUEUE_NAME
from django_tasks_db.management.commands.db_worker import Worker as DatabaseWorker
from django_tasks_db.models import DBTaskResult

from memory import journal
from memory.index.watch import TICK, watch
from memory.jobs.holder import handed_back
from memory.jobs.reap import reap, sweep
from memory.jobs.run import stopping
from memory.jobs.schedule import Schedule
from memory.jobs.tasks import conclude, going_on
from memory.jobs.timing import timing

log = logging.getLogger(__name__)


class Worker(DatabaseWorker):
    """django_tasks_db's worker, which takes what is ready and returns; around it what makes it cheap when idle and quick to stop.

    `parent`: the process without which it ends, None for no such. `beside`: what is looked at once a sweep, each in a thread of its
    own, because it takes long or waits for others."""

    def __init__(self, parent: int | None = None, beside: Sequence[Callable[[], object]] = ()) -> None:
        super().__init__(
            queue_names=[DEFAULT_TASK_QUEUE_NAME],
            excluded_queue_names=[],
            interval=0,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
        )
        self.parent, self.beside = parent, beside

    def run_until_stopped(self) -> None:
        """Work until a signal says otherwise, or the parent is gone."""
        _on_signal(self.shutdown)
        beat = threading.Thread(target=self._beat, name="beat", daemon=True)
        watcher = threading.Thread(
            target=self._look_beside, args=(lambda: watch(stopping), TICK), name="watch", daemon=True
        )
        beat.start()
        watcher.start()
        for look in self.beside:
            threading.Thread(target=self._look_beside, args=(look, timing().sweep), name="beside", daemon=True).start()
        while not stopping.is_set():
            went_well = carefully(self._run_what_is_ready)
            stopping.wait(timing().poll if went_well else timing().beat)
        for ending in (beat, watcher):  # which takes its note with it
            ending.join(timing().grace)

    def run_once(self) -> None:
        """Look after what is left and due, do all that is ready, and return."""
        Schedule(starts=False).look()
        reap()
        sweep()
        self._run_what_is_ready()
        for look in self.beside:
            carefully(look)

    def shutdown(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """Stop soon: the job is handed back at its next step, or taken from it when its grace is over."""
        if stopping.is_set():
            return
        self.running = False
        stopping.set()
        time.sleep(timing().grace)
        _leave()

    def _run_what_is_ready(self) -> None:
        # On SQLite its own look is an exclusive transaction, which would hold up whoever writes, twice a second.
        if DBTaskResult.objects.ready().filter(backend_name=self.backend_name).exists():
            self.run()

    def _look_beside(self, look: Callable[[], object], pause: float) -> None:
        while not stopping.is_set():
            carefully(look)
            connection.close()  # what it read of the database is not kept in memory until the next look
            stopping.wait(pause)

    def _beat(self) -> None:
        """Beside the work, which may take long: look after dead workers and after what is due."""
        allowed, schedule = timing(), Schedule()
        looks: list[tuple[float, Callable[[], object]]] = [
            (allowed.beat, reap),
            (allowed.settle, journal.settle_recent),
            (allowed.sweep, sweep),
            (allowed.sweep, schedule.look),
        ]
        due = [0.0] * len(looks)
        while not stopping.is_set():
            if self.parent is not None and os.getppid() != self.parent:
                self.shutdown()
            now = time.monotonic()
            for number, (seconds, look) in enumerate(looks):
                if now >= due[number]:
                    due[number] = now + seconds
                    carefully(look)
            stopping.wait(min(1, allowed.beat))
        connection.close()


def _on_signal(act: Callable[[], object]) -> None:
    """Call `act` in a thread of its own when a signal says stop: the main thread may be waiting for a server or the database, and
    a handler in it would have to wait as well."""
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: None)

    def listen() -> None:
        os.read(ear, 1)
        act()

    threading.Thread(target=listen, name="signals", daemon=True).start()


def carefully(act: Callable[[], object]) -> bool:
    """A database that does not answer now, or files that cannot be read, are no reason to end. Whether it went well."""
    close_old_connections()
    try:
        act()
    except DatabaseError as error:
        log.warning("the database did not answer a worker: %s", " ".join(str(error).split()))
    except Exception:
        log.exception("a worker could not look after the jobs")
    else:
        return True
    close_old_connections()
    return False


def _leave() -> None:
    """End the process. Its job is taken from it first, so that nothing it still does counts."""
    threading.Thread(target=_end_after, args=(timing().grace / 2,), daemon=True).start()
    for job in going_on():
        conclude(job, handed_back())
    os._exit(0)


def _end_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(1)
