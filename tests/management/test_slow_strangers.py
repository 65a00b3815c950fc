"""Who sends slowly keeps a socket, for a while, and nothing that anybody else needs."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from urllib.parse import urlsplit

import pytest

from memory.management import http_worker, server

POST = b"POST /webhook HTTP/1.1\r\nHost: localhost\r\n"
KINDS = {
    "nothing": b"",
    "head": b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "body": POST + b"Content-Length: 5000\r\n\r\n",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n1388\r\n",
    "asked to go on": POST + b"Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n",
}


def connected(at):
    line = socket.create_connection((at.hostname, at.port), 60)
    line.settimeout(30)
    return line


def answer(at, path, timeout):
    line = http.client.HTTPConnection(at.hostname, at.port, timeout=timeout)
    line.request("GET", path)
    found = line.getresponse()
    found.read()
    line.close()
    return found.status


def closed(line):
    """Whether the other side has ended, looked for as long as the line's timeout."""
    try:
        return not line.recv(1)
    except TimeoutError:
        return False


@pytest.mark.slow
def test_slow_strangers_hold_nobody_up_and_are_let_go(serve, home, tmp_path):
    at = urlsplit(serve("--port", "0", MEMORY_DIR=str(tmp_path / "memory"))[1])
    more_than_threads = server.WORKERS * server.THREADS + 10
    for first in KINDS.values():
        with contextlib.ExitStack() as held:
            lines = [held.enter_context(connected(at)) for _ in range(more_than_threads)]
            for line in lines:
                line.sendall(first)
            assert [answer(at, path, 25) for path in ("/health", "/login") * 3] == [200] * 6
    with connected(at) as line:
        line.sendall(KINDS["head"])
        began = time.monotonic()
        line.settimeout(1)
        with contextlib.suppress(ConnectionError):  # closed between our looking and our sending
            while not closed(line):
                line.sendall(b"a")
        assert time.monotonic() - began < http_worker.PATIENCE + 20


@pytest.mark.slow
def test_body_that_comes_in_pieces_arrives_whole(serve, home, tmp_path):
    at = urlsplit(serve("--port", "0", MEMORY_DIR=str(tmp_path / "memory"))[1])
    with connected(at) as line:
        line.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        for part in (b"3\r", b"\n{}", b" \r\n", b"0\r\n", b"\r\n"):
            line.sendall(part)
            time.sleep(0.05)
        found = http.client.HTTPResponse(line)
        found.begin()
        assert (found.status, found.read()) == (
            401,
            b'{"error": "invalid signature"}',
        )  # read to its end, and not signed
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        found = http.client.HTTPResponse(line)
        found.begin()
        assert found.status == 200


class Arriving:
    """A connection whose request is not whole."""

    requests, last_activity, will_close = (), float("inf"), False

    def __init__(self, size, begun):
        self.request = http_worker.Request(http_worker.adjustments())
        self.request.body_rcv, self.request.begun = range(size), begun


def let_go(*channels):
    listener = object.__new__(http_worker.Listener)
    listener.adj = http_worker.adjustments()
    listener.active_channels = dict(enumerate(channels))
    listener.maintenance(time.time())
    return [one.will_close for one in channels]


def test_time_grows_with_what_has_come():
    now = time.monotonic()
    early, late = now - http_worker.PATIENCE + 5, now - http_worker.PATIENCE - 5
    assert let_go(Arriving(0, early), Arriving(0, late), Arriving(60 * http_worker.SLOWEST, late)) == [
        False,
        True,
        False,
    ]


def test_largest_bodies_are_let_go_where_all_together_are_too_much():
    now, room = time.monotonic(), http_worker.ARRIVING
    assert let_go(Arriving(room, now), Arriving(1000, now), Arriving(room // 2, now)) == [True, False, False]
