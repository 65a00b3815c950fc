"""How long it takes to index facts and to find some, beside a bare FTS5 query and grep over the same files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import lexicon, place, postgres, show

GREPS = 3  # of each kind of question: each reads every file

Found = dict[str, Any]


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--sizes", type=show.sizes, default=[10_000, 100_000, 1_000_000], help="facts, 100 a log")
    parser.add_argument("--questions", type=show.count, default=60, help="questions of each kind")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL too")
    given = parser.parse_args()
    runs: list[Found] = []
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        for size in given.sizes:
            runs += measure(home / str(size), size, given.questions, with_postgres=given.postgres)
    found = {"bench": "search", "machine": machine, "runs": runs}
    broken = [f"{run['facts']} facts were indexed, not {run['size']}." for run in runs if run["facts"] != run["size"]]
    return show.finish(found, given.json, tell, broken)


def measure(home: Path, size: int, questions: int, *, with_postgres: bool) -> Iterator[Found]:
    """One memory, by each engine."""
    home.mkdir(parents=True)
    told = lexicon.write(home / "bot", size)
    asked = lexicon.questions(told, questions)
    show.say(f"{size} facts are written")
    greps = {kind: show.middle([grep(home / "bot", one) for one in some[:GREPS]]) for kind, some in asked.items()}
    about = {"size": size, "files": told.files, "bytes": told.bytes, "grep_seconds": greps}
    yield {**about, "engine": "SQLite", **indexed(home, asked, {})}
    if with_postgres:
        with database(home) as url:
            yield {**about, "engine": "PostgreSQL", **indexed(home, asked, {"DATABASE_URL": url})}


@contextmanager
def database(home: Path) -> Iterator[str]:
    """A server whose files are beside the memory."""
    (home / "postgres").mkdir()
    for directory in (home.parent, home):
        directory.chmod(0o755)  # as root the server runs as a user of its own, who has to get in
    with postgres.server(home / "postgres") as url:
        yield url


def indexed(home: Path, asked: dict[str, list[dict[str, str]]], environment: dict[str, str]) -> Found:
    """What another process found: one process is one Kenoweb."""
    words = json.dumps({"home": str(home), "questions": asked, "environment": environment})
    script = Path(__file__).parent / "parts" / "finding.py"
    done = subprocess.run(
        [sys.executable, str(script)], input=words, stdout=subprocess.PIPE, text=True, cwd=place.ROOT, check=False
    )
    if done.returncode:
        raise SystemExit("The memory was not indexed and asked.")
    found: Found = json.loads(done.stdout)
    show.say(f"indexed in {show.milliseconds(found['walk_seconds'])}")
    return found


def grep(memory: Path, question: dict[str, str]) -> float:
    """Seconds for every line that holds one of the words, or the phrase, without regard to case."""
    is_phrase = question["asked"].startswith('"')
    words = [question["plain"]] if is_phrase else question["plain"].split()
    at = memory / "chats" / question["chat"] if "chat:" in question["asked"] else memory
    command = ["grep", "-ri", *(part for word in words for part in ("-e", word)), str(at)]
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return time.perf_counter() - begun


def tell(found: Found) -> None:
    """The tables."""
    print(f"Facts of six to eighteen words, as frequent as a language's, {lexicon.A_LOG} a log ({found['machine']}).")
    print(
        "bare: the same words joined by OR, ORDER BY rank LIMIT 20, in an FTS5 table of its own over the same texts.\n"
    )
    heads = ("index", "facts", "files", "text", "first walk", "search's alone", "words", "trigrams", "database")
    show.table(heads, [_index_cells(run) for run in found["runs"]])
    print()
    heads = (
        "question",
        "engine",
        "facts",
        "p50",
        "p99",
        "bare p50",
        "bare p99",
        "of bare p50",
        "p99",
        "grep",
        "answered",
    )
    kinds = list(found["runs"][0]["kinds"])
    show.table(heads, [_cells(kind, run) for kind in kinds for run in found["runs"]])
    print()
    for kind in kinds:
        for engine in dict.fromkeys(run["engine"] for run in found["runs"]):
            _tell_growth(kind, [run for run in found["runs"] if run["engine"] == engine])


def _index_cells(run: Found) -> Sequence[object]:
    sizes = [show.megabytes(run[name]) for name in ("words_bytes", "trigrams_bytes", "database_bytes")]
    seconds = [show.milliseconds(run[name]) for name in ("walk_seconds", "search_index_seconds")]
    return (run["engine"], run["size"], run["files"], show.megabytes(run["bytes"]), *seconds, *sizes)


def _cells(kind: str, run: Found) -> Sequence[object]:
    row = run["kinds"][kind]
    ours, bare = row["ours"], row["bare"]
    names = ("p50_seconds", "p99_seconds")
    times = [show.milliseconds(way[name]) for way in (ours, bare) for name in names]
    ratios = [f"{ours[name] / bare[name]:.1f}" for name in names]
    answered = f"{row['answered']} of {row['questions']}"
    return (kind, run["engine"], run["size"], *times, *ratios, show.milliseconds(run["grep_seconds"][kind]), answered)


def _tell_growth(kind: str, runs: Sequence[Found]) -> None:
    """What the largest memory costs of the smallest."""
    first, last = runs[0], runs[-1]
    if first["size"] < last["size"]:
        ours, bare = (
            last["kinds"][kind][way]["p50_seconds"] / first["kinds"][kind][way]["p50_seconds"]
            for way in ("ours", "bare")
        )
        print(
            f"{kind}, {last['engine']}: {first['size']:,} to {last['size']:,} facts is {ours:.1f} times the time; bare {bare:.1f}"
        )


if __name__ == "__main__":
    sys.exit(main())
