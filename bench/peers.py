"""Kenoweb beside the tools that people would pick instead, over the same notes: index, a change found, search, memory."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench import webhook
from bench.parts import lexicon, peers, place, serving, show

MARK, CHANGED = (
    "zanzibarium",
    "quaggalite",
)  # words of no lexicon: the first is in what is there, the second in what changes
NOTE = "MEMORY.md"
PATIENCE_SECONDS = 300.0
CHANGE_SECONDS = 30.0  # for which a change is waited for
POLL_SECONDS = 0.02
BARE, OURS = "bare FTS5", "Kenoweb"

Found = dict[str, Any]


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--facts", type=show.count, default=100_000, help="facts, 100 a file")
    parser.add_argument("--questions", type=show.count, default=40, help="questions of three words in each round")
    parser.add_argument("--rounds", type=show.count, default=5, help="rounds; the median of each number counts")
    parser.add_argument("--only", help="names of peers with commas between them")
    parser.add_argument("--environments", type=Path, help="where the peers are installed; kept if it is given")
    parser.add_argument(
        "--turns", type=float, default=3.0, help="seconds of turns and answers in each round; 0 for none"
    )
    given = parser.parse_args()
    names = given.only.split(",") if given.only else [OURS, BARE, *peers.EVERY]
    rows: dict[str, list[Found]] = {name: [] for name in names}
    missing: dict[str, str] = {}
    with place.directory(given.dir) as home:
        machine, environments = place.machine(home), given.environments or home / "environments"
        for number in range(given.rounds):
            for name in [one for one in names if one not in missing]:
                try:
                    rows[name].append(measured(name, environments, home / f"{number}-{name.replace(' ', '-')}", given))
                except peers.Missing as why:
                    missing[name] = str(why)
                show.say(f"{number + 1}: {name} {rows[name][-1:] or missing.get(name)}")
        turns = _turns(home / "turns", given) if given.turns else []
        load = round(os.getloadavg()[0], 1)
    found = {
        "bench": "peers",
        "machine": machine,
        "load_after": load,
        "facts": given.facts,
        "rounds": given.rounds,
        "rows": {name: middle(some) for name, some in rows.items() if some},
        "missing": missing,
        "turns": turns,
    }
    return show.finish(found, given.json, tell, [])


def measured(name: str, environments: Path, home: Path, given: argparse.Namespace) -> Found:
    """One round of one tool over notes of its own. Raises Missing."""
    notes = home / "bot"
    told = lexicon.write(notes, given.facts)
    note(notes, MARK)
    asked = [one["plain"] for one in lexicon.questions(told, given.questions)["three words"]]
    if name == BARE:
        return bare(notes, asked)
    if name != OURS:
        peers.EVERY[name](environments, home, home).close()  # installed, before the clock runs
    begun = time.perf_counter()
    with started(name, environments, notes, home) as peer:
        indexed = seconds_until(lambda: found_in(peer, MARK), begun)
        if indexed is None:
            raise peers.Missing(f"was not ready after {PATIENCE_SECONDS:g} seconds")
        peers.settled(peer.pid)
        each = [seconds(peer, words) for words in asked]
        note(notes, CHANGED)
        changed = seconds_until(lambda: found_in(peer, CHANGED), time.perf_counter(), CHANGE_SECONDS)
        memory = peers.held(peer.pid) if peer.pid else 0
    p50, p99 = show.share(each, 0.50), show.share(each, 0.99)
    return {"index": indexed, "changed": changed, "p50": p50, "p99": p99, "memory": memory}


@contextmanager
def started(name: str, environments: Path, notes: Path, home: Path) -> Iterator[peers.Peer]:
    """A tool over the notes, ended afterwards. Raises Missing."""
    if name == OURS:
        with serving.server(home, fsync=False, settings="kenoweb.settings") as server:
            yield peers.Ours(server, peers.token(place.environment(home)))
        return
    peer = peers.EVERY[name](environments, notes, home)
    with contextlib.closing(peer):
        yield peer


def note(notes: Path, said: str) -> None:
    """A line that was not there before, written as an editor would."""
    (notes / NOTE).write_text(f"# Notes\n\n- {said}\n", encoding="utf-8")


def seconds(peer: peers.Peer, words: str) -> float:
    begun = time.perf_counter()
    peer.search(words)
    return time.perf_counter() - begun


def found_in(peer: peers.Peer, word: str) -> bool:
    """Whether the note is among the hits for a word; the word itself may stand in an answer that has none."""
    return NOTE in peer.search(word)


def seconds_until(holds: Callable[[], bool], begun: float, patience: float = PATIENCE_SECONDS) -> float | None:
    """Seconds until it holds; None where it never does."""
    while not holds():
        if time.perf_counter() > begun + patience:
            return None
        time.sleep(POLL_SECONDS)
    return time.perf_counter() - begun


def bare(notes: Path, asked: list[str]) -> Found:
    """SQLite's FTS5 as it comes, a row a line, in this process: it follows no file."""
    database = sqlite3.connect(notes.parent / "bare.sqlite3")
    begun = time.perf_counter()
    database.execute("CREATE VIRTUAL TABLE facts USING fts5(text)")
    for path in notes.rglob("*.md"):
        lines = path.read_text(encoding="utf-8").splitlines()
        database.executemany("INSERT INTO facts VALUES (?)", [(line,) for line in lines if line])
    database.commit()
    indexed = time.perf_counter() - begun
    each = []
    for words in asked:
        begun = time.perf_counter()
        sought = " OR ".join(f'"{word}"' for word in words.split())
        database.execute("SELECT text FROM facts WHERE facts MATCH ? ORDER BY rank LIMIT 10", [sought]).fetchall()
        each.append(time.perf_counter() - begun)
    database.close()
    return {
        "index": indexed,
        "changed": None,
        "p50": show.share(each, 0.50),
        "p99": show.share(each, 0.99),
        "memory": 0,
    }


def _turns(home: Path, given: argparse.Namespace) -> list[Found]:
    """Turns that Kenoweb takes in and answers, as the bench of the webhook measures them."""
    asked = argparse.Namespace(seconds=given.turns, rounds=given.rounds, connections=8, fsync=False)
    rows: list[Found] = webhook.rates(home, asked)["rows"]
    return rows


def middle(some: list[Found]) -> Found:
    """The median of each number; a change that was never found took longest, and None is the median of mostly those."""
    medians = {name: show.middle([math.inf if one[name] is None else one[name] for one in some]) for name in some[0]}
    return {name: None if median == math.inf else median for name, median in medians.items()}


def tell(found: Found) -> None:
    """The tables."""
    print(
        f"{found['facts']:,} facts, medians of {found['rounds']} rounds ({found['machine']}, {found['load_after']} after).\n"
    )
    show.table(
        ("", "index", "change found", "three words, p50", "p99", "memory"),
        [
            (
                name,
                f"{row['index']:.1f} s",
                f"{row['changed']:.2f} s" if row["changed"] is not None else "-",
                show.milliseconds(row["p50"]),
                show.milliseconds(row["p99"]),
                show.megabytes(row["memory"]) if row["memory"] else "-",
            )
            for name, row in found["rows"].items()
        ],
    )
    for name, why in found["missing"].items():
        print(f"{name}: {why}")
    if found["turns"]:
        print()
        show.table(
            (OURS, "a second", "p50", "p99", "server's CPU"),
            [
                (
                    row["what"],
                    row["per_second"],
                    f"{row['p50_ms']} ms",
                    f"{row['p99_ms']} ms",
                    f"{row['server_cpu_ms_each']} ms",
                )
                for row in found["turns"]
            ],
        )


if __name__ == "__main__":
    sys.exit(main())
