"""The process that answers requests: waitress inside of gunicorn's worker. gunicorn starts, watches and stops the processes;
waitress takes each request in whole before a thread sees it, so that who sends or reads slowly keeps a socket and no thread."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from types import FrameType
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from memory.management.thrift import Collector

CONNECTIONS = 800  # of one process; the rest waits to be accepted, and file descriptors are left for everything else
IDLE_SECONDS = 15  # of a connection on which nothing comes or goes
LEAVING_SECONDS = 2  # of one to a process that makes room for a new one
PATIENCE = 10.0  # seconds that a request may take to arrive, and one more for each SLOWEST bytes of its body
SLOWEST = 1000
LARGEST_BODY = 513 * 1024 * 1024  # an imported archive, with what a form puts around it
# A thread that computes gives way after this long. Who writes hundreds of files waits that long behind each of them, where another
# thread looks at all facts: with Python's 0.005 an undo of 262 archived logs took 5 s instead of 2.
SWITCH_SECONDS = 0.0005
ARRIVING = 1024 * 1024 * 1024  # bytes of unfinished bodies, which lie in files: beyond it, the largest are let go


class Waiting(deque[Any]):
    """Threads that wait, who began last first."""

    append = deque.appendleft


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request that arrives, and since when."""

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.begun = time.monotonic()

    def size(self) -> int:
        """Bytes of its body that are here."""
        return 0 if self.body_rcv is None else len(self.body_rcv)

    def is_late(self) -> bool:
        """Whether it has had its time."""
        return time.monotonic() > self.begun + PATIENCE + self.size() / SLOWEST


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection."""

    parser_class = Request

    def service(self) -> None:
        """Answer what has arrived. Who asks a process that is about to end is told to come back on another connection."""
        self.server.asked += 1
        if not self.server.accepting:
            self.requests[0].headers["CONNECTION"] = "close"
        super().service()


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """What accepts connections and lets go of those that take too long."""

    channel_class = Channel
    asked = 0  # requests that came

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        arriving = [(one.request, one) for one in self.active_channels.values() if one.request is not None]
        for request, channel in arriving:
            if channel.requests:  # it is read on when the one before it is answered
                request.begun = time.monotonic()
        room = ARRIVING
        for request, channel in sorted(arriving, key=lambda each: each[0].size()):
            room -= request.size()
            if room < 0 or request.is_late():
                channel.will_close = True

    def is_idle(self) -> bool:
        """Whether no request is being answered, and every answer has gone out."""
        return not any(one.requests or one.total_outbufs_len for one in self.active_channels.values())


class HttpWorker(Worker):  # type: ignore[misc]
    """The worker that gunicorn starts."""

    def run(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self.listener, self.garbage = self._listener(), Collector()
        while self._goes_on() and self.listener.asked < self.max_requests:
            self._turn(1.0)
        self.listener.accepting = False
        self._leave()
        self._finish(time.monotonic() + self.cfg.graceful_timeout)

    def handle_exit(self, sig: signal.Signals, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        with suppress(AttributeError, OSError):  # it was told to end before it had begun
            self.listener.pull_trigger()

    def _goes_on(self) -> bool:
        return bool(self.alive) and self.ppid == os.getppid()

    def _leave(self) -> None:
        """Let those who are connected go, each behind the answer to its next request; the others answer meanwhile."""
        self.listener.adj.channel_timeout = LEAVING_SECONDS
        while self._goes_on() and self.listener.active_channels:
            self._turn(1.0)

    def _finish(self, latest: float) -> None:
        """Answer what is here, and what was on its way when we were told to end."""
        self._turn(0.1)
        while not self.listener.is_idle() and time.monotonic() < latest:
            self._turn(0.1)

    def _turn(self, seconds: float) -> None:
        self.notify()
        wasyncore.loop(timeout=seconds, use_poll=True, map=self.listener._map, count=1)
        self.garbage.look(self.listener.asked, idle=self.listener.is_idle())

    def _listener(self) -> Listener:
        bound, adj = self.sockets[0].sock, adjustments()
        about = (bound.family, bound.type, bound.proto, bound.getsockname())
        return Listener(self.wsgi, {}, True, bound, threads(self.cfg.threads), adj, about, bind_socket=False)


def threads(count: int) -> ThreadedTaskDispatcher:
    """So many threads, of which whoever worked last works next: each has a connection to the database with what it read, and few
    are needed at once."""
    made = ThreadedTaskDispatcher()
    with suppress(AttributeError):  # another Python's may have none, and the threads take turns
        made.queue_cv._waiters = Waiting()  # Python's condition wakes its first
    made.set_thread_count(count)
    return made


def adjustments() -> Adjustments:
    """waitress's settings. It believes no forwarding header itself, and leaves them for who does."""
    told: dict[str, Any] = {
        "ident": None,
        "backlog": 2048,
        "connection_limit": CONNECTIONS,
        "channel_timeout": IDLE_SECONDS,
        "cleanup_interval": 1,
        "max_request_header_size": 65536,
        "max_request_body_size": LARGEST_BODY,
        "recv_bytes": 65536,
        "clear_untrusted_proxy_headers": False,
        "log_socket_errors": False,
    }
    return Adjustments(**told)
