"""The web server: gunicorn over waitress, on a socket that is bound before anything is promised."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.http import HttpRequest
from django.urls import reverse
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from memory import llm
from memory.management import thrift
from memory.management.http_worker import HttpWorker
from memory.storage import running
from memory.webhook import answer

WORKERS = 2
THREADS = answer.AT_ONCE + 8  # those that wait for a language model, and those that do everything else
# What Python and its libraries took for some large request they keep. So a process ends after as many requests, never two at
# once if chance allows, and a new one is forked from the first, which is warm and small.
REQUESTS, JITTER = 5_000, 2_500
GRACE = 5  # seconds that requests get to end when the server stops
PORTS_TRIED = 50
ADDRESS = "address"  # the note of a running server


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Serve the site on a bound socket until SIGINT or SIGTERM. `at_end` is called when it is told to stop, before it waits for
    requests that are being answered."""

    def __init__(self, bound: socket.socket, when_ready: Callable[[], None], at_end: Callable[[], None]) -> None:
        self.settings = options(bound, when_ready)
        self.at_end = at_end
        super().__init__()

    def run(self) -> None:
        Master(self).run()

    def load_config(self) -> None:
        for name, value in self.settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        application = get_wsgi_application()
        _ask_for_a_page(application)
        thrift.share()
        return application


def load_pages() -> None:
    """Import what answers requests: once for all processes, and not while the first one waits."""
    if llm.server() is not None:
        import_module("memory.llm.question")
    import_module(settings.ROOT_URLCONF)


def _ask_for_a_page(application: WSGIHandler) -> None:
    """Have Django load and work out what it does when the first page is asked for: once for all processes, before anybody waits."""
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = reverse("login")
    request.META = {"SERVER_NAME": "localhost", "SERVER_PORT": "80"}
    application.get_response(request)


class Master(Arbiter):  # type: ignore[misc]
    """The process that looks after those that answer requests."""

    def stop(self, graceful: bool = True) -> None:
        self.app.at_end()
        super().stop(graceful)


def options(bound: socket.socket, when_ready: Callable[[], None]) -> dict[str, Any]:
    """gunicorn's settings. It keeps no access log, so no token can stand in one, and believes no forwarding header itself."""
    return {
        "bind": [f"fd://{bound.fileno()}"],
        "worker_class": HttpWorker,
        "workers": WORKERS,
        "threads": THREADS,
        "max_requests": REQUESTS,
        "max_requests_jitter": JITTER,
        "preload_app": True,
        "graceful_timeout": GRACE,
        "loglevel": "error",
        "accesslog": None,
        "proc_name": "kenoweb",
        "control_socket_disable": True,
        "forwarded_allow_ips": "",
        "secure_scheme_headers": {},
        "when_ready": lambda arbiter: when_ready(),
        "pre_fork": lambda arbiter, worker: close_connections(),
    }


def close_connections() -> None:
    """Let go of the database, so that no process shares a connection with its parent."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def noted_address() -> str:
    """Where a server of this KENOWEB_HOME serves just now, "" if none does."""
    return " ".join(running.said(ADDRESS) or ())


def noted(address: str) -> AbstractContextManager[None]:
    """While this server runs, other commands can read where."""
    return running.noted(ADDRESS, address)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket at this address, or at the next free port above it. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    last: OSError | None = None
    for candidate in [0] if port == 0 else range(port, min(port + PORTS_TRIED, 65536)):
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((address[0], candidate, *address[2:]))
            listening.listen(2048)
            return listening
        except OSError as error:
            listening.close()
            if error.errno != errno.EADDRINUSE:
                raise
            last = error
    raise last or OSError("no port to try")


def url(host: str, port: int) -> str:
    """The address to open in a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
