"""`python -m bench`: every benchmark one after the other, with the options given; with --json one object of them all.

bench/recall.py is not among them: it needs conversations that are not ours to pass on.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCHES = (
    "compaction",
    "refresh",
    "late_appends",
    "history",
    "webhook",
    "pages",
    "search",
    "findings",
    "jobs",
    "workspace",
    "nanobot",
    "logins",
    "slow",
    "memory",
)


def main(options: list[str]) -> int:
    """Run each in a process of its own. The options must be ones that all of them have: --json and --dir."""
    as_json, worst = "--json" in options, 0
    found = {}
    for name in BENCHES:
        words = [sys.executable, str(Path(__file__).parent / f"{name}.py"), *options]
        if not as_json:
            print(f"== {name}", flush=True)
        done = subprocess.run(words, stdout=subprocess.PIPE if as_json else None, text=True, check=False)
        worst = max(worst, done.returncode)
        if as_json and done.stdout:
            found[name] = json.loads(done.stdout)
    if as_json:
        print(json.dumps(found))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
