"""What a nanobot's database of a hundred thousand entries costs: walked, recalled from, searched, shown, and the bot beside it."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.pages import BYTES_WANTED, RATIO_WANTED, WARM, Visitor, tell_rows, timed
from bench.parts import bot_rows, lexicon, place, serving, show
from bench.parts.bot_asked import Found, Made, clocked, messages, recalls, searches
from bench.parts.bot_beside import commits, lost
from bench.parts.bot_rows import Sizes

SLUG = "nano"
MANY = 1_000
ROUNDS = 3  # of each walk; the one in the middle counts


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--entries", type=show.count, default=100_000, help="entries in the database")
    parser.add_argument("--scopes", type=show.count, default=1_000, help="chats and users that they belong to")
    parser.add_argument("--long", type=show.count, default=10_000, help="of them in one chat")
    parser.add_argument("--questions", type=show.count, default=40, help="messages that are recalled for, of each kind")
    parser.add_argument("--rounds", type=show.count, default=40, help="how often each page is asked, and the admin's")
    parser.add_argument("--seconds", type=show.count, default=20, help="that the bot commits, alone and beside Kenoweb")
    given = parser.parse_args()
    sizes = Sizes(given.entries, given.scopes, given.long)
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        found = measure(home, sizes, given.questions, given.rounds, given.seconds)
    broken = found.pop("broken")
    wanted = {"ratio_wanted_at_most": RATIO_WANTED, "bytes_wanted_at_most": BYTES_WANTED}
    return show.finish(
        {"bench": "nanobot", "machine": machine, **asdict(sizes), **wanted, **found}, given.json, tell, broken
    )


def measure(home: Path, sizes: Sizes, questions: int, rounds: int, seconds: int) -> Found:
    """One database, everything in turn."""
    root = home / "large"
    root.mkdir()
    workspace = bot_rows.write(home / "nanobot", sizes, lexicon.texts(sizes.entries))
    place.enter(root)
    made = add(workspace, sizes)
    found: Found = {"walks": walks(made)}
    show.say("walked")
    found["asked"] = [*recalls(made, questions), *searches(made, questions)]
    found["commits"] = commits(made, seconds)
    cookie, slug, (_, words) = logged_in(), made.bot.slug, next(messages(made, [0], 1))
    with serving.server(root, fsync=False, settings=WARM) as server:
        visitor = Visitor(server, cookie)
        rows = [timed(visitor, name, [url] * (rounds + 1)) for name, url in pages(slug, words)]
    wrong = [f"{row.name} {row.outcome}." for row in rows if row.outcome != "page"]
    return {**found, "pages": [row.told() for row in rows], "broken": [*wrong, *lost(made, found)]}


def add(workspace: Path, sizes: Sizes) -> Made:
    from memory import registry

    bot = registry.add(workspace, "nanobot", SLUG)
    return Made(bot, sizes, workspace, workspace.parent / "memory" / "longterm.db")


def logged_in() -> str:
    from django.contrib.auth.models import User

    from bench.parts.desk import cookie

    return cookie(User.objects.create_superuser("owner"))


def walks(made: Made) -> Found:
    """Seconds of walks over everything, each after the bot committed what its name says."""
    from memory import index

    def walk() -> object:
        return index.refresh(made.bot, patience=60)

    def after(scopes: Sequence[int]) -> float:
        written(made, scopes)
        return clocked(walk)

    everywhere = [number % made.sizes.scopes for number in range(MANY)]
    found = {
        "reading all rows": [clocked(partial(bare_scan, made)) for _ in range(ROUNDS)],
        "first index": [clocked(walk)],
        "nothing changed": [clocked(walk) for _ in range(ROUNDS)],
        "one entry": [after([2]) for _ in range(ROUNDS)],
        "one entry of the long chat": [after([0]) for _ in range(ROUNDS)],
        f"{MANY:,} entries in all scopes": [after(everywhere)],
    }
    return {name: round(show.middle(some), 4) for name, some in found.items()}


def bare_scan(made: Made) -> None:
    """All that a reader cannot do without: every live row, once, in a connection of its own."""
    with closing(sqlite3.connect(made.file)) as db:
        for _ in db.execute(
            "SELECT * FROM memory_entries WHERE workspace_id = ? AND is_deleted = 0", [made.workspace_id]
        ):
            pass


def written(made: Made, scopes: Sequence[int]) -> None:
    """The bot saves an entry in each of these scopes, in one commit."""
    with closing(sqlite3.connect(made.file)) as db:
        for number, scope in enumerate(scopes):
            now = datetime.now(UTC)
            bot_rows.save(db, made.workspace_id, scope, "fact", f"walked {now.isoformat()} {number}", now)
        db.commit()


def pages(slug: str, words: Sequence[str]) -> list[tuple[str, str]]:
    """The pages that a large database weighs on, by name. `words`: what to look for."""
    long, said = f"{bot_rows.CHANNEL}_0", "+".join(words)
    at = {
        "overview": "",
        "entries": "entries/",
        "entries page 100": "entries/?page=100",
        "entries of a kind": "entries/?kind=preference",
        "entries of users": "entries/?whose=user",
        "entries of a chat": f"entries/?chat={long}",
        "entries with a word": f"entries/?q={words[0]}",
        "entries soon to expire": "entries/?expiry=soon",
        "entries by importance": "entries/?order=importance&important=0.8",
        "entries by hand": "entries/?source=manual",
        "its entries": f"facts/@database/{long}.jsonl",
        "its entries page 100": f"facts/@database/{long}.jsonl?page=100",
        "its document": f"documents/@database/{long}.jsonl",
        "prompt with a question": f"prompt/?chat={bot_rows.CHANNEL}_2&q={said}",
        "prompt of the long chat": f"prompt/?chat={long}&q={said}",
        "chats": "chats/",
        "search": f"search/?q={said}",
    }
    return [(name, f"/{slug}/{path}") for name, path in at.items()]


def tell(found: Found) -> None:
    """The findings as tables."""
    print(found["machine"])
    print(f"{found['entries']:,} entries in {found['scopes']:,} scopes, {found['long']:,} of them in one chat.\n")
    base = found["walks"]["reading all rows"]
    walked = [(name, show.milliseconds(took), f"{took / base:.2f}") for name, took in found["walks"].items()]
    show.table(("walk", "time", "of reading all rows"), walked)
    print()
    rows = [
        (
            *(one["what"], show.milliseconds(one["first_seconds"]), show.milliseconds(one["p50_seconds"])),
            *(
                show.milliseconds(one["p95_seconds"]),
                show.milliseconds(one["bare_p50_seconds"]),
                f"{one['of_bare']:.1f}",
            ),
        )
        for one in found["asked"]
    ]
    show.table(("three words", "first", "p50", "p95", "bare p50", "of bare"), rows)
    print()
    told = [
        (
            *(one["what"], one["saved"], one["locked"], one["ours"], show.milliseconds(one["p50_seconds"])),
            *(show.milliseconds(one["p99_seconds"]), show.milliseconds(one["slowest_seconds"])),
        )
        for one in found["commits"]
    ]
    show.table(("the bot commits", "saved", "refused", "ours", "p50", "p99", "slowest"), told)
    print()
    tell_rows(found["pages"])


if __name__ == "__main__":
    sys.exit(main())
