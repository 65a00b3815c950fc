"""What the server's processes hold before and after a day's work: turns into one day's log, and pages over a memory."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench import pages
from bench.parts import place, serving, show, tree

SETTLED_SECONDS = 5.0  # after its start the server reads all files
HOURS = 3600.0


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument(
        "--turns", type=show.count, default=10_000, help="signed turns, each with something to remember"
    )
    parser.add_argument("--pages", type=show.count, default=4_000, help="pages, of every kind that there is")
    parser.add_argument("--connections", type=show.count, default=8, help="turns, or pages, at a time")
    parser.add_argument("--chats", type=show.count, default=200, help="chats, each with a day's log")
    parser.add_argument("--days", type=show.count, default=365, help="the bot's own daily logs")
    parser.add_argument("--facts", type=show.count, default=10_000, help="facts in all of them")
    parser.add_argument("--entries", type=show.count, default=2_500, help="entries of one busy day")
    parser.add_argument(
        "--portions",
        type=show.count,
        default=10,
        help="turns and pages take turns, so that pages keep a log that grows",
    )
    parser.add_argument("--rest", type=float, default=60.0, help="seconds of rest before the last look")
    given = parser.parse_args()
    sizes = tree.Sizes(given.chats, given.days, given.facts, given.entries)
    with place.directory(given.dir) as home:
        made = pages.make(home / "site", sizes, given.portions)
        asked = [url for page in made["pages"] if page["known"] for url in page["urls"]]
        with serving.server(home / "site", fsync=False, settings=pages.WARM) as server:
            found = {"machine": place.machine(home), **asdict(sizes), **measure(server, made["cookie"], asked, given)}
    return show.finish({"bench": "memory", **found}, given.json, tell, broken(found))


def measure(server: serving.Server, cookie: str, urls: list[str], given: argparse.Namespace) -> dict[str, Any]:
    """The work in portions, with a look at the processes before, after, and after a rest."""
    time.sleep(SETTLED_SECONDS)
    rows = [{"when": "at the start", **server.held()}]
    failed: list[str] = []
    begun = time.perf_counter()
    parts = given.portions
    for number in range(parts):
        failed += turns(server, f"portion-{number}", given.turns // parts, given.connections)
        first = number * given.pages // parts
        some = [urls[(first + at) % len(urls)] for at in range(given.pages // parts)]
        failed += visits(server, cookie, some, given.connections)
        show.say(f"{number + 1} of {parts}: {server.held()}")
    took = time.perf_counter() - begun
    rows.append({"when": "after the work", **server.held()})
    time.sleep(given.rest)
    rows.append({"when": "after a rest", **server.held()})
    work = {name: getattr(given, name) for name in ("turns", "pages", "connections", "portions", "rest")}
    return {**work, "seconds": round(took, 1), "failed": failed, "rows": rows}


def turns(server: serving.Server, name: str, number: int, connections: int) -> list[str]:
    """Send some turns; how those that were not taken were answered."""
    client = serving.load(server, name, "/webhook", kind="", connections=connections, seconds=HOURS, most=number)
    told = serving.answer(client)
    lost = [f"{told['lost']} turns: connection lost"] if told["lost"] else []
    return [*lost, *(f"{count} turns: {status}" for status, count in told["refused"].items())]


def visits(server: serving.Server, cookie: str, urls: list[str], connections: int) -> list[str]:
    """Look at some pages, several people at a time; which were errors of the server's."""

    def look(some: list[str]) -> list[str]:
        visitor = pages.Visitor(server, cookie)
        return [f"{url}: {answer.status}" for url in some if (answer := visitor.get(url)).status >= 500]

    with ThreadPoolExecutor(connections) as threads:
        return [
            one for found in threads.map(look, (urls[at::connections] for at in range(connections))) for one in found
        ]


def broken(found: dict[str, Any]) -> list[str]:
    """What must never be."""
    return [f"Not answered: {one}" for one in found["failed"]]


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(
        f"{found['turns']:,} turns and {found['pages']:,} pages in {found['seconds']:.0f} s, {found['connections']} at a time "
        f"({found['machine']}). All processes of the server, with the worker for jobs.\n"
    )
    show.table(
        ("", "resident", "what is shared counted once"),
        [(row["when"], *(show.megabytes(row[name]) for name in ("rss", "pss"))) for row in found["rows"]],
    )


if __name__ == "__main__":
    sys.exit(main())
