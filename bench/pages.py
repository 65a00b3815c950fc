"""What each page costs over a large memory, beside Django admin's own list of as many rows: time, size, SQL statements."""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, serving, show, tree
from bench.parts.counting import CPU, HEADER, LIST, ROWS

RATIO_WANTED = 1.0
BYTES_WANTED = 200 * 1024
ROW = ["li", "tr", "article", "dt"]
WARM, COLD = "bench.parts.counted", "bench.parts.cold"
ROUNDS_OF_THE_SMALL = 3
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, with the SQL statements it took."""

    status: int
    kind: str
    body: bytes
    statements: int
    seconds: float

    @property
    def is_html(self) -> bool:
        return self.kind.startswith("text/html")

    def rows(self) -> int:
        """Rows of its lists and tables, those inside of others not counted; the lines of a table as a file. At least one."""
        if not self.is_html:
            return max(1, self.body.count(b"\n") - 1) if self.kind.startswith("text/csv") else 1
        soup = BeautifulSoup(self.body, "html.parser")
        found = (soup.main or soup).find_all(ROW)
        return max(1, sum(one.find_parent(ROW) is None for one in found))


@dataclass
class Row:
    """A page and what its rounds found. `outcome`: `page`, or why there is nothing to measure."""

    name: str
    outcome: str
    first: float = 0.0
    rows: int = 0
    beside: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    size: int = 0
    statements: int = 0
    statements_small: int | None = None

    @property
    def ratio(self) -> float:
        """p95 of the page in p95 of the admin's list, asked in turn with it."""
        return show.share(self.seconds, 0.95) / show.share(self.beside, 0.95)

    def told(self) -> dict[str, Any]:
        """The row as JSON has it."""
        found: dict[str, Any] = {"page": self.name, "outcome": self.outcome}
        if self.seconds:
            found |= {
                "rows": self.rows,
                "first_seconds": round(self.first, 6),
                "p50_seconds": round(show.share(self.seconds, 0.5), 6),
                "p95_seconds": round(show.share(self.seconds, 0.95), 6),
                "admin_p95_seconds": round(show.share(self.beside, 0.95), 6),
                "ratio": round(self.ratio, 2),
                "bytes": self.size,
                "statements": self.statements,
                "statements_small": self.statements_small,
            }
        return found


class Visitor:
    """Somebody logged in, over one connection that stays open."""

    def __init__(self, server: serving.Server, cookie: str, *, cpu: bool = False) -> None:
        self.cpu = cpu
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE_SECONDS)
        self.headers = {"Cookie": cookie, HEADER: "yes", "Accept-Language": "en"}

    def get(self, url: str, rows: int = 0) -> Answer:
        begun = time.perf_counter()
        self.connection.request("GET", url, headers={**self.headers, ROWS: str(rows)})
        answer = self.connection.getresponse()
        body = answer.read()
        took = time.perf_counter() - begun
        seconds = float(answer.getheader(CPU, "0")) if self.cpu else took
        kind = answer.getheader("Content-Type", "")
        return Answer(answer.status, kind, body, int(answer.getheader(HEADER, "0")), seconds)


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--chats", type=show.count, default=10_000, help="chats, each with a day's log")
    parser.add_argument("--days", type=show.count, default=3_650, help="the bot's own daily logs")
    parser.add_argument("--facts", type=show.count, default=100_000, help="facts in all of them")
    parser.add_argument("--entries", type=show.count, default=2_500, help="entries of one busy day, 140 bytes each")
    parser.add_argument("--history", type=show.count, default=1_500_000, help="bytes of an Autobot's HISTORY.md")
    parser.add_argument("--rounds", type=show.count, default=40, help="how often each page is asked, and the admin's")
    parser.add_argument("--cold", action="store_true", help="without the server's cache, as after the files changed")
    parser.add_argument(
        "--cpu", action="store_true", help="by CPU instead of the clock: on a machine that others keep busy"
    )
    parser.add_argument("--only", default="", help="only pages whose name holds this")
    given = parser.parse_args()
    sizes = tree.Sizes(given.chats, given.days, given.facts, given.entries, given.history)
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        rows, made = measure(home, sizes, given)
    found = {
        "bench": "pages",
        "machine": machine,
        **asdict(sizes),
        "documents": made["documents"],
        "indexed_facts": made["facts"],
        "rounds": given.rounds,
        "cold": given.cold,
        "cpu": given.cpu,
        "ratio_wanted_at_most": RATIO_WANTED,
        "bytes_wanted_at_most": BYTES_WANTED,
        "rows": [row.told() for row in rows],
    }
    return show.finish(found, given.json, tell, misses(rows))


def measure(home: Path, sizes: tree.Sizes, given: argparse.Namespace) -> tuple[list[Row], dict[str, Any]]:
    """The pages of the large memory, timed; then those of one a tenth as large, for their statements."""
    settings = COLD if given.cold else WARM
    made = make(home / "large", sizes, given.rounds + 1)
    with serving.server(home / "large", fsync=False, settings=settings) as server:
        visitor = Visitor(server, made["cookie"], cpu=given.cpu)
        asked = [page for page in made["pages"] if given.only in called(page)]
        rows = [timed(visitor, called(page), page["urls"], known=page["known"]) for page in asked]
    small = make(home / "small", sizes.tenth(), ROUNDS_OF_THE_SMALL)
    with serving.server(home / "small", fsync=False, settings=settings) as server:
        visitor = Visitor(server, small["cookie"])
        asked = [page for page in small["pages"] if given.only in called(page)]
        counted = {called(page): statements(visitor, page["urls"]) for page in asked}
    for row in rows:
        row.statements_small = counted.get(row.name)
    return rows, made


def make(home: Path, sizes: tree.Sizes, rounds: int) -> dict[str, Any]:
    """A memory of these sizes and a desk over it, made by another process: one process is one Kenoweb."""
    home.mkdir()
    (home / "sessions").mkdir()
    words = json.dumps({"home": str(home), **asdict(sizes), "rounds": rounds})
    script = Path(__file__).parent / "parts" / "desk.py"
    done = subprocess.run(
        [sys.executable, str(script)], input=words, stdout=subprocess.PIPE, text=True, cwd=place.ROOT, check=False
    )
    if done.returncode:
        raise SystemExit("The memory to measure on was not made.")
    found: dict[str, Any] = json.loads(done.stdout)
    show.say(f"made: {found['documents']} documents, {found['facts']} facts")
    return found


def called(page: dict[str, Any]) -> str:
    return f"{page['name'].removeprefix('memory:')} {page['label']}".strip()


def timed(visitor: Visitor, name: str, urls: Sequence[str], *, known: bool = True) -> Row:
    """The page and the admin's list in turn, each time with other arguments. The first of each is not counted."""
    answer = visitor.get(urls[0])
    row = Row(name, outcome(answer, known=known), answer.seconds)
    show.say(f"{row.name}: {row.outcome}")
    if row.outcome != "page":
        return row
    row.rows = answer.rows()
    visitor.get(LIST, row.rows)
    for url in urls[1:]:
        row.beside.append(visitor.get(LIST, row.rows).seconds)
        answer = visitor.get(url)
        row.seconds.append(answer.seconds)
        row.size = max(row.size, len(answer.body) if answer.is_html else 0)
        row.statements = max(row.statements, answer.statements)
        if answer.status != 200:
            row.outcome = f"answers {answer.status}"
    return row


def outcome(answer: Answer, *, known: bool) -> str:
    if answer.status in (401, 405):
        return "takes a token" if answer.status == 401 else "takes POST only"
    if not known:
        return "unknown arguments"
    if answer.status in (301, 302):
        return "redirect"
    return "page" if answer.status == 200 else f"answers {answer.status}"


def statements(visitor: Visitor, urls: Sequence[str]) -> int:
    """The most statements that a page took, not counting its first answer."""
    visitor.get(urls[0])
    return max((visitor.get(url).statements for url in urls[1:]), default=0)


def misses(rows: Sequence[Row]) -> list[str]:
    """What is not as it should be, a sentence each."""
    found = []
    for row in rows:
        if row.outcome == "unknown arguments":
            found.append(f"{row.name} is not measured: nobody wrote down its arguments in bench/parts/asked.py.")
        elif row.outcome.startswith("answers"):
            found.append(f"{row.name} {row.outcome}.")
        if not row.seconds:
            continue
        if row.ratio > RATIO_WANTED:
            found.append(f"{row.name} takes {row.ratio:.1f} times the admin's list of {row.rows} rows at p95.")
        if row.size > BYTES_WANTED:
            found.append(f"{row.name} is {row.size / 1024:.0f} KB of HTML.")
        if row.statements_small is not None and row.statements > row.statements_small:
            found.append(
                f"{row.name} takes {row.statements} statements, {row.statements_small} over a tenth of the memory."
            )
    return found


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(
        f"{found['documents']:,} documents in {found['chats']:,} chats and {found['days']:,} days, "
        f"{found['indexed_facts']:,} facts ({found['machine']})."
    )
    cache = "without the server's cache" if found["cold"] else "the server's cache is on"
    cache += "; CPU, not the clock" if found["cpu"] else ""
    print(f"{found['rounds']} rounds, each page in turn with Django admin's list of as many rows; {cache}.\n")
    tell_rows(found["rows"])
    for kind in sorted({row["outcome"] for row in found["rows"]} - {"page"}):
        print(f"\n{kind}: {', '.join(row['page'] for row in found['rows'] if row['outcome'] == kind)}")


def tell_rows(rows: Sequence[dict[str, Any]]) -> None:
    """The pages that were measured, the dearest first."""
    heads = ("", "rows", "first", "p50", "p95", "of admin's p95", "KB", "statements", "at a tenth")
    measured = [row for row in rows if "ratio" in row]
    show.table(heads, [cells(row) for row in sorted(measured, key=lambda row: -row["ratio"])])


def cells(row: dict[str, Any]) -> Sequence[object]:
    return (
        row["page"],
        row["rows"],
        *(show.milliseconds(row[name]) for name in ("first_seconds", "p50_seconds", "p95_seconds")),
        f"{row['ratio']:.2f}",
        f"{row['bytes'] / 1024:.0f}",
        row["statements"],
        "-" if row["statements_small"] is None else row["statements_small"],
    )


if __name__ == "__main__":
    sys.exit(main())
