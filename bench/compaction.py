"""How long compaction takes, and whether it keeps everything."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, show, text

A_FILE = 50
# KenoBot's own compaction of unique entries, measured once with node 20 on two cores; not in this run.
KENOBOT = {1_000: 0.051, 5_000: 0.9, 20_000: 14.4, 50_000: 90.6}
GROWTH_WANTED = 12.0
FASTER_WANTED = 30.0

Tree = dict[str, tuple[bytes, int, int]]


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--sizes", type=show.sizes, default=[1_000, 5_000, 20_000, 50_000], help="entries, 50 a file")
    parser.add_argument("--runs", type=show.count, default=3, help="runs of each size; the median counts")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        place.enter(home)
        once(home / "warm-up", 100)
        runs = {size: [_told(home, size, n) for n in range(given.runs)] for size in given.sizes}
        found = summary(runs, machine)
    return show.finish(found, given.json, tell, found.pop("broken"))


def once(at: Path, size: int) -> dict[str, Any]:
    """Compact `size` old entries in a new memory at `at`, look for every fact, and undo."""
    from memory import journal
    from memory.compaction import runner
    from memory.domain.outcomes import Refused

    wanted = write(at, size)
    before = tree(at)
    bot = place.bot_at(at)
    by = journal.By("benchmark")
    begun, worked = time.perf_counter(), time.process_time()
    ran = runner.run(bot, ("",), by, past_limit=True)
    took, worked = time.perf_counter() - begun, time.process_time() - worked
    if isinstance(ran, Refused) or ran.change_set is None:
        raise SystemExit(f"The compaction of {size} entries changed nothing: {getattr(ran, 'reason', 'no plan')}")
    lost, logs_left = missing(at, wanted), len(list(at.glob("2*.md")))
    begun = time.perf_counter()
    undone = journal.undo(bot, ran.change_set, by)
    undo_took = time.perf_counter() - begun
    settled = quiet(bot)
    return {
        "seconds": took,
        "cpu_seconds": worked,
        "undo_seconds": undo_took,
        "lost": lost,
        "moved": ran.counts.moved,
        "logs_left": logs_left,
        "settled": settled,
        "restored": isinstance(undone, journal.Applied) and tree(at) == before,
    }


def write(at: Path, size: int) -> list[str]:
    """A MEMORY.md by hand and old logs of `size` entries, 50 a file. Returns the entries' texts."""
    at.mkdir(parents=True)
    (at / "MEMORY.md").write_text(
        "# Memory\n\n## About me\n\n- Lives in Madrid\n- Likes Google Docs\n", encoding="utf-8"
    )
    texts = list(text.facts(size))
    portions = [texts[start : start + A_FILE] for start in range(0, size, A_FILE)]
    for day, portion in zip(text.days(len(portions)), portions, strict=True):
        (at / f"{day}.md").write_text(text.log(portion), encoding="utf-8")
    return texts


def missing(at: Path, wanted: list[str]) -> int:
    """How many facts do not stand in MEMORY.md as a line of their own behind their time, each as often as it is wanted."""
    lines = (at / "MEMORY.md").read_text(encoding="utf-8").splitlines()
    there = Counter(line.partition(" — ")[2] or line.removeprefix("- ") for line in lines)
    return sum((Counter(wanted) - there).values())


def tree(at: Path) -> Tree:
    """Every file with its bytes, mode and modification time, hidden ones too."""
    files = sorted(path for path in at.rglob("*") if path.is_file())
    return {
        str(path.relative_to(at)): (path.read_bytes(), (stat := path.stat()).st_mode, stat.st_mtime_ns)
        for path in files
    }


def quiet(bot: Any, patience: float = 20.0) -> bool:
    """Settle until no stash is left."""
    from memory import journal

    until = time.monotonic() + patience
    while journal.settle(bot):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _told(home: Path, size: int, number: int) -> dict[str, Any]:
    found = once(home / f"bot-{size}-{number}", size)
    show.say(f"{size} entries: {show.milliseconds(found['seconds'])}")
    return found


def summary(runs: dict[int, list[dict[str, Any]]], machine: str) -> dict[str, Any]:
    """What the runs say."""
    rows = [_row(size, done) for size, done in runs.items()]
    took = {row["entries"]: row["seconds"] for row in rows}
    growth = took[50_000] / took[5_000] if {5_000, 50_000} <= took.keys() else None
    return {
        "bench": "compaction",
        "machine": machine,
        "rows": rows,
        "growth_5k_to_50k": growth,
        "growth_wanted_at_most": GROWTH_WANTED,
        "times_faster_wanted_at_50k": FASTER_WANTED,
        "broken": [sentence for row in rows for sentence in _broken(row)],
    }


def _row(size: int, done: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = show.middle([one["seconds"] for one in done])
    kenobot = KENOBOT.get(size)
    return {
        "entries": size,
        "files": -(-size // A_FILE),
        "runs": len(done),
        "seconds": seconds,
        "cpu_seconds": show.middle([one["cpu_seconds"] for one in done]),
        "slowest": round(max(one["seconds"] for one in done), 6),
        "undo_seconds": show.middle([one["undo_seconds"] for one in done]),
        "kenobot_seconds": kenobot,
        "times_faster": None if kenobot is None else round(kenobot / seconds, 2),
        "lost": sum(one["lost"] for one in done),
        "moved": min(one["moved"] for one in done),
        "logs_left": max(one["logs_left"] for one in done),
        "restored": all(one["restored"] for one in done),
        "settled": all(one["settled"] for one in done),
    }


def _broken(row: dict[str, Any]) -> list[str]:
    size = f"{row['entries']} entries"
    said = {
        f"{size}: {row['lost']} facts are not in MEMORY.md.": row["lost"],
        f"{size}: only {row['moved']} facts counted as moved.": row["moved"] != row["entries"],
        f"{size}: {row['logs_left']} logs are still there.": row["logs_left"],
        f"{size}: undo did not bring the tree back.": not row["restored"],
        f"{size}: a stash was not settled in twenty seconds.": not row["settled"],
    }
    return [sentence for sentence, wrong in said.items() if wrong]


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(f"Compaction of unique entries, {A_FILE} a file ({found['machine']}).")
    print(
        "Median of runs, each in a new memory that was never looked at: plan, gate, history, files on disk with fsync.\n"
    )
    show.table(
        (
            "entries",
            "files",
            "runs",
            "compaction",
            "of it CPU",
            "slowest",
            "undo",
            "KenoBot*",
            "times faster",
            "lost",
            "undo exact",
        ),
        [
            (
                f"{row['entries']:,}",
                row["files"],
                row["runs"],
                show.milliseconds(row["seconds"]),
                show.milliseconds(row["cpu_seconds"]),
                show.milliseconds(row["slowest"]),
                show.milliseconds(row["undo_seconds"]),
                show.milliseconds(row["kenobot_seconds"]) if row["kenobot_seconds"] else "-",
                row["times_faster"] or "-",
                row["lost"],
                row["restored"],
            )
            for row in found["rows"]
        ],
    )
    print("\n* KenoBot's own compaction, measured on two cores with node 20; not in this run.")
    growth = found["growth_5k_to_50k"]
    if growth is not None:
        print(f"5,000 to 50,000 entries: {show.verdict('at most 12', growth, growth <= GROWTH_WANTED)} times the time")
    for row in found["rows"]:
        if row["entries"] == 50_000:
            faster = row["times_faster"]
            print(
                f"50,000 entries: {show.verdict('more than 30', faster, faster > FASTER_WANTED)} times faster than KenoBot"
            )


if __name__ == "__main__":
    sys.exit(main())
