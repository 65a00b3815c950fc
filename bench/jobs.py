"""How many jobs a second workers do, each once, on SQLite and on PostgreSQL, beside bare tasks of Django that do the same."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, postgres, show
from bench.parts.queued import BARE, JOBS

Found = dict[str, Any]


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--jobs", type=show.count, default=1000, help="how many of each")
    parser.add_argument("--workers", type=show.sizes, default=[1, 4], help="numbers of workers, like 1,4")
    parser.add_argument("--rounds", type=show.count, default=3, help="rounds of each; the median counts")
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="on one database alone")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        found = {"bench": "jobs", "machine": place.machine(home), "jobs": given.jobs, "rounds": given.rounds}
        found["rows"] = [row for name, url in databases(home, given) for row in measured(home / name, name, url, given)]
    return show.finish(found, given.json, tell, broken(found))


def databases(home: Path, given: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Name and address of each database, "" for the file that is there by itself; a server runs while it is looked at."""
    if given.only != "postgresql":
        yield "SQLite", ""
    if given.only != "sqlite":
        (home / "server").mkdir()
        home.chmod(0o755)
        with postgres.server(home / "server") as url:
            yield "PostgreSQL", url


def measured(home: Path, name: str, url: str, given: argparse.Namespace) -> list[Found]:
    """All rounds on one database, in a process of its own."""
    home.mkdir()
    environment = {"DATABASE_URL": url} if url else {}
    told = {
        "home": str(home),
        "environment": environment,
        "workers": given.workers,
        "jobs": given.jobs,
        "rounds": given.rounds,
    }
    script = Path(__file__).parent / "parts" / "queued.py"
    done = subprocess.run(
        [sys.executable, str(script)],
        input=json.dumps(told),
        stdout=subprocess.PIPE,
        text=True,
        cwd=place.ROOT,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"The rounds on {name} ended with {done.returncode}.")
    return [row_of(name, given.jobs, one) for one in json.loads(done.stdout)]


def row_of(name: str, number: int, one: Found) -> Found:
    """One kind with so many workers."""
    rounds = one["rounds"]
    seconds = show.middle([found["seconds"] for found in rounds])
    return {
        "database": name,
        "workers": one["workers"],
        "what": one["what"],
        "seconds": seconds,
        "per_second": round(number / seconds, 1) if seconds else 0.0,
        **{count: sum(found[count] for found in rounds) for count in ("missing", "doubled")},
        "not_ended": sum(number - found["ended"] for found in rounds),
    }


def broken(found: Found) -> list[str]:
    """What must never be."""
    said = []
    for row in found["rows"]:
        where = f"{row['database']}, {row['workers']} workers, {row['what']}"
        said += [f"{where}: {row[count]} {count}." for count in ("missing", "doubled") if row[count]]
        said += [f"{where}: {row['not_ended']} did not end as done at the first attempt."] if row["not_ended"] else []
    return said


def tell(found: Found) -> None:
    """The table."""
    print(f"{found['jobs']:,} jobs at once ({found['machine']}).")
    print(
        "Each appends a line to a file. `manage.py worker` in so many processes; from the first that is taken to the end of the\n"
        f"last. Medians of {found['rounds']} rounds, in which bare tasks of Django, taken by the same workers, come first.\n"
    )
    bare = {(row["database"], row["workers"]): row["per_second"] for row in found["rows"] if row["what"] == BARE}
    show.table(
        ("", "workers", "bare tasks a second", "jobs a second", "of bare", "missing", "doubled"),
        [
            (
                row["database"],
                row["workers"],
                bare[row["database"], row["workers"]],
                row["per_second"],
                f"{row['per_second'] / bare[row['database'], row['workers']]:.2f}",
                row["missing"],
                row["doubled"],
            )
            for row in found["rows"]
            if row["what"] == JOBS
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
