"""A bot that appends numbered lines to two files: `python writer.py`, told what to do by JSON on stdin.

It says `ready`, waits for a line, and then reads how far the saves have come from a small file, so that its lines last as long
as they do. Plain Python: it starts quickly and knows nothing of Kenoweb.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

HELD_SECONDS = 1.0
LONGEST_PAUSE = 0.02

Append = Callable[[bytes], None]


def node(path: Path) -> Append:
    """Open, append, close for each line, as Node's appendFile does."""

    def append(line: bytes) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    return append


def holder(path: Path) -> Append:
    """Keep the descriptor for a second at a time, whatever becomes of the file's name meanwhile."""
    held, since = -1, 0.0

    def append(line: bytes) -> None:
        nonlocal held, since
        if held < 0 or time.monotonic() - since > HELD_SECONDS:
            if held >= 0:
                os.close(held)
            held, since = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), time.monotonic()
        os.write(held, line)

    return append


KINDS = {"node": node, "holder": holder}


def write(name: str, kind: str, log: Path, long_term: Path, lines: int, progress: Path) -> None:
    """`lines` lines to each of two files, in time with the saves that `progress` tells of."""
    to_log, to_long_term = KINDS[kind](log), KINDS[kind](long_term)
    begun = time.monotonic()
    for number in range(lines):
        to_log(f"## 10:00 — line {name}-{number:06}\n\n".encode())
        to_long_term(f"- line {name}-{number:06}\n".encode())
        time.sleep(_pause(begun, lines - number, progress))


def _pause(begun: float, left: int, progress: Path) -> float:
    """Seconds to the next line, so that the last one comes when the saves end."""
    done, wanted = (int(part) for part in progress.read_bytes().split())
    if done >= wanted:
        return 0.0
    remaining = (time.monotonic() - begun) / max(done, 1) * (wanted - done)
    return min(LONGEST_PAUSE, remaining / left)


if __name__ == "__main__":
    told = json.loads(sys.stdin.readline())
    print("ready", flush=True)
    sys.stdin.readline()
    write(
        told["name"],
        told["kind"],
        Path(told["log"]),
        Path(told["long_term"]),
        told["lines"],
        Path(told["progress"]),
    )
