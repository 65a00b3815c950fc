"""How many signed turns a second the real server takes in or answers, what each costs, and whether a kill loses any."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, serving, show

WARM_UP_SECONDS = 1.0
PATIENCE_SECONDS = 30.0
# What is sent: its path, and what the turns carry. The empty view is what server and client cost.
EMPTY, MEMORY, ASKED, WORKING = (
    "empty view",
    "turn with its reply",
    "turn answered by a model",
    "turn with working memory too",
)
KINDS = {
    EMPTY: ("/empty", ""),
    MEMORY: ("/webhook", ""),
    ASKED: ("/webhook", "asked"),
    WORKING: ("/webhook", "working"),
}
_FACT = re.compile(r"^## \d\d:\d\d — Fact (\S+) about the garden$", re.MULTILINE)


@dataclass
class Kind:
    """What the rounds of one kind of call found."""

    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    client: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a round")
    parser.add_argument("--rounds", type=show.count, default=3, help="rounds of each kind, in turn; the median counts")
    parser.add_argument("--connections", type=show.count, default=8, help="connections that stay open")
    parser.add_argument(
        "--kill-after", type=float, default=2.0, help="seconds from the first turn until the server is killed"
    )
    parser.add_argument("--fsync", action="store_true", help="let appends wait for the disk too")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        found = {
            "bench": "webhook",
            "machine": place.machine(home),
            "connections": given.connections,
            "rounds": given.rounds,
            "seconds": given.seconds,
            **rates(home / "rates", given),
            "kill": killed(home / "kill", given),
        }
    return show.finish(found, given.json, tell, broken(found))


def rates(home: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Rounds of each kind against one server, after a short one of each to warm up. All take turns but working memory: it comes
    last, since the next call settles what it puts aside and would pay for it."""
    kinds = {name: Kind() for name in KINDS}
    home.mkdir()
    order = [(number, name) for number in range(given.rounds + 1) for name in (EMPTY, MEMORY, ASKED)]
    order += [(number, WORKING) for number in range(given.rounds + 1)]
    with serving.model() as model, serving.server(home, fsync=given.fsync, model=model) as server:
        about = server.about()
        for number, name in order:
            path, kind = KINDS[name]
            before = server.cpu()
            told = serving.answer(
                serving.load(
                    server,
                    f"{name.replace(' ', '-')}-{number}",
                    path,
                    kind=kind,
                    connections=given.connections,
                    seconds=given.seconds if number else min(WARM_UP_SECONDS, given.seconds),
                )
            )
            after = server.cpu()
            told["server"] = after - before if after and before else None
            note(kinds[name], told, f"{name.replace(' ', '-')}-{number}", warm=bool(number))
    names = [name for kind, found in kinds.items() if kind != EMPTY for name in found.names]
    missing, doubled = compare(home, names)
    return {
        **about,
        "rows": [row(name, kind, kinds[EMPTY]) for name, kind in kinds.items()],
        "missing": missing,
        "doubled": doubled,
    }


def note(kind: Kind, told: dict[str, Any], name: str, *, warm: bool) -> None:
    """Add a round. What a warm-up took in is looked for too, but not timed."""
    kind.names += [f"{name}-{number:07}" for number in told["taken"]]
    kind.refused.update(told["refused"])
    if told["lost"]:
        kind.refused["connection lost"] += told["lost"]
    if warm:
        kind.rates.append(len(told["taken"]) / told["took"])
        kind.client.append(told["cpu"] / told["took"])
        kind.seconds += told["seconds"]
        if told["server"] is not None and told["taken"]:
            kind.server.append(told["server"] / len(told["taken"]))


def row(name: str, kind: Kind, empty: Kind) -> dict[str, Any]:
    """One kind beside the empty view."""
    rate = show.middle(kind.rates)
    return {
        "what": name,
        "per_second": round(rate, 1),
        "ratio": round(rate / show.middle(empty.rates), 3) if rate else 0.0,
        "p50_ms": round(show.share(kind.seconds, 0.50) * 1000, 2),
        "p99_ms": round(show.share(kind.seconds, 0.99) * 1000, 2),
        "slowest_ms": round(max(kind.seconds, default=0.0) * 1000, 2),
        "answers": len(kind.seconds),
        "refused": dict(kind.refused),
        "server_cpu_ms_each": round(show.middle(kind.server) * 1000, 3) if kind.server else None,
        "client_cpu": round(show.middle(kind.client), 3),
    }


def killed(home: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Kill the whole server in the middle of a load; look for every turn it answered, at once and after recovery."""
    home.mkdir()
    with serving.server(home, fsync=given.fsync) as server:
        path, kind = KINDS[WORKING]
        client = serving.load(
            server, "kill", path, kind=kind, connections=given.connections, seconds=given.kill_after + 60
        )
        wait_for_a_turn(home)
        time.sleep(given.kill_after)
        server.kill()
        told = serving.answer(client)
    names = [f"kill-{number:07}" for number in told["taken"]]
    missing, doubled = compare(home, names)
    recover(home)
    missing_after, doubled_after = compare(home, names)
    return {
        "answered": len(names),
        "cut_off": told["lost"],
        "missing": missing,
        "doubled": doubled,
        "missing_after_recovery": missing_after,
        "doubled_after_recovery": doubled_after,
        "left_behind": len(hidden(home)),
    }


def wait_for_a_turn(home: Path) -> None:
    """Until the first turn stands in a log: on a busy machine that may take a while."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not any((home / "bot").glob("2*.md")) and time.monotonic() < until:
        time.sleep(0.01)


def recover(home: Path) -> None:
    """What anyone's next command does: finish what was cut off."""
    words = [sys.executable, "manage.py", "memory", "status", "--json"]
    done = subprocess.run(
        words, cwd=place.ROOT, env=place.environment(home), capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        raise SystemExit(f"Recovery failed: {done.stderr}")


def compare(home: Path, names: Iterable[str]) -> tuple[int, int]:
    """(turns that were answered and are in no daily log, facts that stand there more than once)."""
    there: Counter[str] = Counter()
    for log in (home / "bot").glob("2*.md"):
        there.update(_FACT.findall(log.read_text(encoding="utf-8")))
    return sum(name not in there for name in names), sum(times - 1 for times in there.values())


def hidden(home: Path) -> Sequence[Path]:
    return [path for path in (home / "bot").rglob(".*") if path.is_file()]


def broken(found: dict[str, Any]) -> list[str]:
    """What must never be."""
    kill = found["kill"]
    said = {
        f"{found['missing']} answered turns are in no log.": found["missing"],
        f"{found['doubled']} turns stand twice.": found["doubled"],
        f"{kill['missing']} turns answered before the kill are in no log.": kill["missing"],
        f"{kill['missing_after_recovery']} turns are missing after recovery.": kill["missing_after_recovery"],
        f"{kill['doubled_after_recovery']} turns stand twice after recovery.": kill["doubled_after_recovery"],
        "The server was killed before it had answered a turn.": not kill["answered"],
    }
    return [sentence for sentence, wrong in said.items() if wrong]


def tell(found: dict[str, Any]) -> None:
    """The tables."""
    waits = "wait for the disk" if found["fsync_appends"] else "survive a kill, not a power cut"
    print(f"Signed turns over the webhook ({found['machine']}).")
    print(
        f"manage.py serve ({found['workers']} processes, {found['threads']} threads each), {found['connections']} connections kept "
        f"open by another process on the same machine. Medians of {found['rounds']} rounds of {found['seconds']:g} s, in turn.\n"
        f"Appends {waits} (KENOWEB_FSYNC_APPENDS); working memory is replaced, which always waits for the disk.\n"
    )
    show.table(
        (
            "",
            "a second",
            "of the empty view",
            "p50",
            "p99",
            "slowest",
            "answers",
            "other answers",
            "server's CPU",
            "client's CPU",
        ),
        [
            (
                row["what"],
                row["per_second"],
                f"{row['ratio']:.2f}",
                f"{row['p50_ms']} ms",
                f"{row['p99_ms']} ms",
                f"{row['slowest_ms']} ms",
                row["answers"],
                ", ".join(f"{status}: {count}" for status, count in row["refused"].items()) or "-",
                f"{row['server_cpu_ms_each']:.2f} ms each" if row["server_cpu_ms_each"] else "-",
                f"{row['client_cpu']:.0%}",
            )
            for row in found["rows"]
        ],
    )
    print()
    print(f"Of all answered turns {found['missing']} are in no log, {found['doubled']} stand twice (wanted 0 and 0)")
    kill = found["kill"]
    print(
        f"kill -9 of the whole server under load: {kill['answered']:,} answered, {kill['cut_off']} cut off; "
        f"{kill['missing']} missing at once, {kill['missing_after_recovery']} missing and "
        f"{kill['doubled_after_recovery']} doubled after recovery (wanted 0)"
    )


if __name__ == "__main__":
    sys.exit(main())
