"""A workspace of a given size, as the largest that were measured: many notes, a long day, long topics, caches beside."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from bench.parts import text
from bench.parts.tree import AN_HOUR, day

LONG_DAY_HEADINGS = 892
LONG_DAY_BACK = 20  # days before today
LONG_DAY_BYTES = 342 << 10
TOPIC_BYTES = 500 << 10
LONG_TOPICS = 4
SPREAD = 1_000  # files of notes by day
FILES = 2_000
BYTES = 60 << 20


def write(root: Path, files: int = FILES, size: int = BYTES) -> int:
    """So many files with about so many bytes in all, as if written an hour ago. Returns the bytes."""
    total = 0
    for path, content in contents(files, size):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        then = time.time() - AN_HOUR
        os.utime(target, (then, then))
        total += len(content)
    return total


def contents(files: int, size: int) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of every file: what is left of the bytes is a cache's, as it is in real ones."""
    facts = text.facts(LONG_DAY_HEADINGS + files * 12, seed=4)
    used = 0

    def made(path: str, content: str) -> tuple[str, bytes]:
        nonlocal used
        used += len(data := content.encode())
        return path, data

    yield made("MEMORY.md", "# Memory\n\n" + "".join(f"- {fact}\n" for fact in text.facts(300, seed=5)))
    for name in ("AGENTS", "SOUL", "USER", "TOOLS"):
        yield made(f"{name}.md", f"# {name.title()}\n\n" + "".join(f"- {next(facts)}\n" for _ in range(10)))
    yield made(f"memory/{day(LONG_DAY_BACK)}.md", _long_day(facts))
    topics = max(1, min(LONG_TOPICS, files // 100))
    for number in range(topics):
        yield made(f"memory/topics/long-{number}.md", _topic(TOPIC_BYTES))
    for number in range(min(SPREAD, files)):
        slug = "" if number % 6 and number * 5 // 6 != LONG_DAY_BACK else f"-shift-{number}"
        entries = "".join(f"## Round {at} ({at + 7:02}:10)\n\n{next(facts)}\n\n" for at in range(6))
        yield made(f"memory/{day(number * 5 // 6)}{slug}.md", f"# {day(number * 5 // 6)}\n\n{entries}")
    for number in range(max(0, files - SPREAD - topics - 7)):
        yield made(f"memory/people/p{number}.md", f"# P{number}\n\n" + "".join(f"- {next(facts)}\n" for _ in range(4)))
    yield "memory/main.sqlite", b"\0" * max(0, size - used)


def _long_day(facts: Iterator[str]) -> str:
    share = LONG_DAY_BYTES // LONG_DAY_HEADINGS
    entries = (f"### {at // 60 % 24:02}:{at % 60:02} UTC — {next(facts)}\n\n" for at in range(LONG_DAY_HEADINGS))
    return f"# {day(LONG_DAY_BACK)}\n\n" + "".join(entry.ljust(share - 1, "x") + "\n" for entry in entries)


def _topic(size: int) -> str:
    lines, total = [], 0
    for at, fact in enumerate(text.facts(20_000, seed=6)):
        lines.append(f"- {at}: {fact}\n")
        total += len(lines[-1])
        if total >= size:
            break
    return "".join(lines)
