"""The real server in a process group of its own, and the load on it in another process."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from bench.parts import place

SETTINGS = "bench.parts.site"
STOP_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers: where, and the process that leads its group."""

    host: str
    port: int
    process: subprocess.Popen[str]

    def about(self) -> dict[str, Any]:
        """What the server says of itself."""
        with urlopen(f"http://{self.host}:{self.port}/about", timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def look(self, path: str, longest: float = 300) -> None:
        """Read a page whole, over a connection of its own. Raises OSError and HTTPException, also after `longest` seconds."""
        line = HTTPConnection(self.host, self.port, timeout=longest)
        line.request("GET", path)
        line.getresponse().read()
        line.close()

    def cpu(self) -> float | None:
        """Seconds of CPU that all processes of the server have used; None where the system has no /proc."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                after_name = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                if int(after_name[2]) == self.process.pid:
                    ticks += int(after_name[11]) + int(after_name[12])
        return ticks / os.sysconf("SC_CLK_TCK") if ticks else None

    def memory(self) -> int:
        """Bytes that all processes of the server hold and share with nobody else; 0 where the system has no /proc."""
        pages = 0
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.getpgid(int(process.name)) == self.process.pid:
                    _, resident, shared, *_ = (process / "statm").read_text(encoding="ascii").split()
                    pages += int(resident) - int(shared)
        return pages * os.sysconf("SC_PAGE_SIZE")

    def held(self) -> dict[str, int]:
        """Bytes that all processes of the server hold, with the worker for jobs: `rss`, and `pss`, where what several share
        counts once. None where the system has no /proc."""
        found = {"rss": 0, "pss": 0}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.getsid(int(process.name)) == self.process.pid:
                    said = (process / "smaps_rollup").read_text(encoding="ascii")
                    for name, size in re.findall(r"^(Rss|Pss):\s+(\d+) kB$", said, re.MULTILINE):
                        found[name.lower()] += int(size) << 10
        return found

    def kill(self) -> None:
        """SIGKILL for the whole group: nobody gets to say a last word."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def server(home: Path, *, fsync: bool, settings: str = SETTINGS, model: str = "") -> Iterator[Server]:
    """`manage.py serve` with the bench's settings, stopped afterwards. `model`: the address of a language model."""
    variables = {**place.environment(home, settings), "KENOWEB_FSYNC_APPENDS": "yes" if fsync else "no"}
    if model:
        variables |= {"LLM_BASE_URL": model, "LLM_MODEL": "stub"}
    (home / "bot").mkdir(exist_ok=True)
    words = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", "0"]
    with (home.with_suffix(".log")).open("w", encoding="utf-8") as said:
        process = subprocess.Popen(
            words, cwd=place.ROOT, env=variables, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True
        )
    try:
        line = process.stdout.readline() if process.stdout else ""
        url = re.search(r"http://\S+", line)
        if url is None:
            raise SystemExit(f"The server did not start: {home.with_suffix('.log').read_text(encoding='utf-8')}")
        at = urlsplit(url[0])
        yield Server(at.hostname or "", at.port or 0, process)
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout:
        process.stdout.close()


@contextlib.contextmanager
def model() -> Iterator[str]:
    """The address of a language model that answers at once, in a process of its own."""
    words = [sys.executable, str(Path(__file__).parent / "model.py")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.communicate()


def load(
    to: Server, name: str, path: str, *, kind: str, connections: int, seconds: float, most: int = 0
) -> subprocess.Popen[str]:
    """A client that has begun, and ends after so many seconds, or after `most` turns. `answer` waits for it."""
    what = {
        "host": to.host,
        "port": to.port,
        "path": path,
        "secret": place.SECRET,
        "name": name,
        "kind": kind,
        "connections": connections,
        "seconds": seconds,
        "most": most,
    }
    client = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "client.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if client.stdin:
        client.stdin.write(json.dumps(what))
        client.stdin.close()
        client.stdin = None
    return client


def answer(client: subprocess.Popen[str]) -> dict[str, Any]:
    """What a client found."""
    said, _ = client.communicate(timeout=300)
    if client.returncode:
        raise SystemExit("The client failed.")
    found: dict[str, Any] = json.loads(said)
    return found
