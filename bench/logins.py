"""Many strangers try to log in at once: what memory and time the server spends, and what anybody else still gets."""

from __future__ import annotations

import http.client
import re
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, serving, show

MOST_MEGABYTES = (
    200  # two checks in each of two processes, and a thread's connection to the database for each that is answered
)
FORM_FIELD = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--logins", type=show.count, default=100, help="logins at once, each with another name")
    given = parser.parse_args()
    with place.directory(given.dir) as home, serving.server(home / "site", fsync=False) as server:
        found = {"machine": place.machine(home), **measure(server, given.logins)}
    return show.finish({"bench": "logins", **found}, given.json, tell, found.pop("broken"))


def measure(server: serving.Server, logins: int) -> dict[str, Any]:
    """All logins at one moment, the server's memory and `/health` watched meanwhile."""
    login(server, 0)  # what a first one loads
    before, over = server.memory(), threading.Event()
    with ThreadPoolExecutor(logins + 2) as threads:
        watched = threads.submit(watch, server, over)
        asked = threads.submit(waits, server, "/health", over)
        begun = time.perf_counter()
        answers = Counter(threads.map(lambda number: login(server, number), range(1, logins + 1)))
        took = time.perf_counter() - begun
        over.set()
    slowest, grown = max(asked.result()), watched.result() - before
    return {
        "logins": logins,
        "answers": {str(code): number for code, number in sorted(answers.items())},
        "seconds": round(took, 3),
        "memory_before": before,
        "memory_grown": grown,
        "health_slowest": round(slowest, 3),
        "broken": [
            *([f"{answers[500]} answers were 500."] if answers[500] else []),
            *([f"The server grew by {show.megabytes(grown)}."] if grown > MOST_MEGABYTES << 20 else []),
        ],
    }


def login(server: serving.Server, number: int) -> int:
    """One try with a name that nobody has, as a browser sends it: the status of the answer."""
    line = http.client.HTTPConnection(server.host, server.port, timeout=300)
    line.request("GET", "/login")
    page = line.getresponse()
    cookie, field = (page.getheader("Set-Cookie") or "").partition(";")[0], FORM_FIELD.search(page.read().decode())
    body = urlencode({"csrfmiddlewaretoken": field[1] if field else "", "username": f"n{number}", "password": "wrong"})
    heads = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    line.request("POST", "/login", body, {**heads, "Origin": f"http://{server.host}:{server.port}"})
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def waits(server: serving.Server, path: str, over: threading.Event) -> list[float]:
    """How long each look at a page took, one after the other until it is over."""
    found: list[float] = []
    while not over.is_set() or not found:
        begun = time.perf_counter()
        server.look(path)
        found.append(time.perf_counter() - begun)
        over.wait(0.05)
    return found


def watch(server: serving.Server, over: threading.Event) -> int:
    """The most memory that the server held."""
    most = server.memory()
    while not over.wait(0.01):
        most = max(most, server.memory())
    return most


def tell(found: dict[str, Any]) -> None:
    """The lines."""
    print(f"{found['logins']} logins at once, each with another unknown name ({found['machine']}).\n")
    answers = ", ".join(f"{number} x {code}" for code, number in found["answers"].items())
    print(f"Answered in {found['seconds']:.1f} s: {answers}.")
    grown = show.megabytes(found["memory_grown"])
    print(f"The server's memory grew by {grown} from {show.megabytes(found['memory_before'])}.")
    print(f"The slowest /health meanwhile: {show.milliseconds(found['health_slowest'])}.")


if __name__ == "__main__":
    sys.exit(main())
