"""A process of the server that has answered much makes room for a new one, and nobody notices."""

from __future__ import annotations

import http.client
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import psutil
import pytest

from tests.support.together import until

SERVER = """
import sys
import django
django.setup()
from django.core.management import execute_from_command_line
from memory.management import server
server.REQUESTS, server.JITTER = 30, 20
execute_from_command_line(sys.argv)
"""


def asked(at, times):
    """The answers to requests over one connection, made anew where the server says that it ends."""
    line = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    found = []
    for _ in range(times):
        line.request("GET", "/health")
        answer = line.getresponse()
        found.append((answer.status, answer.read()))
    line.close()
    return found


@pytest.mark.slow
def test_a_process_is_renewed_after_many_requests_and_each_is_answered(serve, home, tmp_path):
    process, link = serve(
        *("--port", "0", "--without-worker"),
        program=("-c", SERVER),
        DJANGO_SETTINGS_MODULE="kenoweb.settings",
        MEMORY_DIR=str(tmp_path / "memory"),
    )
    workers = psutil.Process(process.pid).children
    until(lambda: len(workers()) == 2)
    before = set(workers())
    with ThreadPoolExecutor(4) as pool:
        answers = [one for some in pool.map(lambda _: asked(urlsplit(link), 100), range(4)) for one in some]
    assert answers == [(200, b'{"status": "ok"}')] * 400
    until(lambda: not before & set(workers()))
    assert asked(urlsplit(link), 1)[0][0] == 200
