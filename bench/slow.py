"""Strangers that send their requests slowly: what everybody else still gets while many of them hold on."""

from __future__ import annotations

import contextlib
import http.client
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, serving, show

MOST_SECONDS = 1.0
PAGES = ("/health", "/login")
POST = b"POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
# What is sent at once; a byte of the rest at a time.
KINDS = {
    "nothing": b"",
    "head": b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "body": POST + b"Content-Length: 5000\r\n\r\n",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n1388\r\n",
    "large body": POST + b"Content-Length: 1000000\r\n\r\n" + b"a" * 900_000,
}


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--connections", type=show.count, default=200, help="slow connections at a time")
    parser.add_argument("--pause", type=float, default=6.0, help="seconds between two bytes")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each kind of them holds on")
    given = parser.parse_args()
    with place.directory(given.dir) as home, serving.server(home / "site", fsync=False) as server:
        found = {"machine": place.machine(home), **measure(server, given.connections, given.pause, given.seconds)}
    return show.finish({"bench": "slow", **found}, given.json, tell, found.pop("broken"))


def measure(server: serving.Server, connections: int, pause: float, seconds: float) -> dict[str, Any]:
    """Each kind for a while, with two people who look at pages meanwhile."""
    rows = [{"kind": "none", **looked(server, seconds / 4)}]
    for kind, first in KINDS.items():
        with held(server, first, connections, pause) as dropped:
            rows.append({"kind": kind, **looked(server, seconds), "dropped": dropped()})
    late = [
        f"{one['kind']}: {page} took {one[page]:.1f} s." for one in rows for page in PAGES if one[page] > MOST_SECONDS
    ]
    return {"connections": connections, "pause": pause, "rows": rows, "broken": late}


@contextlib.contextmanager
def held(server: serving.Server, first: bytes, connections: int, pause: float) -> Iterator[Any]:
    """So many slow connections, each opened again when the server drops it."""
    over, dropped = threading.Event(), [0]

    def hold() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError), socket.create_connection((server.host, server.port), 60) as line:
                line.settimeout(pause)
                line.sendall(first)
                while not _waited(line, over):
                    line.sendall(b"a")
            dropped[0] += not over.is_set()
            over.wait(0.05)

    with ThreadPoolExecutor(connections) as threads:
        for _ in range(connections):
            threads.submit(hold)
        time.sleep(1.0)  # all of them are there
        try:
            yield lambda: dropped[0]
        finally:
            over.set()


def _waited(line: socket.socket, over: threading.Event) -> bool:
    """A pause between two bytes: whether the server let go meanwhile, or all is over."""
    try:
        line.recv(1)
    except TimeoutError:
        return over.is_set()
    return True


def looked(server: serving.Server, seconds: float) -> dict[str, float]:
    """The slowest answer of each page within a time; one that does not come counts as long as it was waited for."""
    over = threading.Event()
    with ThreadPoolExecutor(len(PAGES)) as threads:
        asked = {page: threads.submit(_waits, server, page, over, seconds) for page in PAGES}
        over.wait(seconds)
        over.set()
        return {page: round(max(one.result()), 3) for page, one in asked.items()}


def _waits(server: serving.Server, page: str, over: threading.Event, longest: float) -> list[float]:
    found: list[float] = []
    while not over.is_set():
        begun = time.perf_counter()
        with contextlib.suppress(OSError, http.client.HTTPException):
            server.look(page, longest)
        found.append(time.perf_counter() - begun)
        over.wait(0.05)
    return found


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(f"{found['connections']} connections that send a byte every {found['pause']:g} s ({found['machine']}).\n")
    show.table(
        ("what is slow", *(f"slowest {page}" for page in PAGES), "let go"),
        [
            (one["kind"], *(show.milliseconds(one[page]) for page in PAGES), one.get("dropped", ""))
            for one in found["rows"]
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
