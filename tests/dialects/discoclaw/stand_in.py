"""A stand-in for the bot as a second writer: it reads a user's facts, waits, and renames a new file over them, with no look at what
others did meanwhile.

    python stand_in.py DIRECTORY USERS OPERATIONS
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path


def remember(path: Path, text: str) -> None:
    store = json.loads(path.read_bytes())
    time.sleep(random.random() / 20)
    about = {
        "kind": "fact",
        "tags": [],
        "status": "active",
        "source": {"type": "summary"},
        "createdAt": 1,
        "updatedAt": 1,
    }
    store["items"].append({"id": f"durable-{text}", "text": text, **about})
    beside = path.with_name(f"{path.name}.tmp.{os.getpid()}")
    beside.write_text(json.dumps(store, indent=2, ensure_ascii=False) + "\n")
    beside.rename(path)


if __name__ == "__main__":
    directory, users, operations = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for number in range(operations):
        remember(directory / f"{number % users}.json", f"bot {number}")
