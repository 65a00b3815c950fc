"""How the history grows: bytes that an edit of a large document costs and a turn does, and the time to save and to read back."""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, show, text

if TYPE_CHECKING:
    from memory.models import Bot

DOCUMENT = "MEMORY.md"
TURNS_A_DAY = 1_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS_A_LINE = 12


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--edits", type=show.count, default=1_000, help="saves of one document, a line of it each")
    parser.add_argument("--size", type=show.count, default=1_000_000, help="bytes of that document, random words")
    parser.add_argument("--turns", type=show.count, default=20_000, help="turns that a bot reports, 1,000 a day")
    parser.add_argument("--looks", type=show.count, default=10, help="turns after which somebody looks at the day")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        place.enter(home)
        found = measure(home, given.edits, given.size, given.turns, given.looks)
    return show.finish(found, given.json, tell, found.pop("broken"))


def measure(home: Path, edits: int, size: int, turns: int, looks: int) -> dict[str, Any]:
    """Edits of one document first, then turns, each in a bot of its own."""
    machine = place.machine(home)
    edited = edit(home / "edited", edits, size)
    told = report(home / "told", turns, looks)
    return {"bench": "history", "machine": machine, **edited, **told, "broken": edited.pop("wrong") + told.pop("wrong")}


def stored() -> int:
    """Bytes that the database holds, without the pages that are free."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        pages = int(cursor.fetchone()[0])
        cursor.execute("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
        return pages - int(cursor.fetchone()[0])


def tables() -> Counter[str]:
    """Bytes of the tables, indexes counted with theirs. Only SQLite tells so simply."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return Counter()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT schema.tbl_name, SUM(page.pgsize) FROM dbstat page JOIN sqlite_schema schema"
            " ON schema.name = page.name GROUP BY 1"
        )
        return Counter(dict(cursor.fetchall()))


def edit(at: Path, edits: int, size: int) -> dict[str, Any]:
    """Save a document again and again, another line of it anew each time; then read each version back."""
    from memory import journal
    from memory.domain.changes import Put, digest
    from memory.journal import versions
    from memory.models import Revision

    bot, dice = place.bot_at(at), random.Random(1)
    lexicon = ["".join(dice.choices(LETTERS, k=dice.randint(3, 10))) for _ in range(20_000)]
    lines = [line(dice, lexicon) for _ in range(max(size // 90, 1))]
    data = "".join(lines).encode()
    (at / DOCUMENT).write_bytes(data)
    base, names, seconds = digest(data), [], []
    before = 0
    for number in range(edits + 1):
        if number:
            lines[dice.randrange(len(lines))] = line(dice, lexicon)
        data = "".join(lines).encode() if number else data + b"\n"
        begun = time.perf_counter()
        journal.commit(bot, [Put(DOCUMENT, data, base)], by=journal.By("desk"), kind="edit")
        seconds.append(time.perf_counter() - begun)
        base = digest(data)
        names.append(base)
        before = before or stored()  # the first look and the first save are what every document costs
    after, read, wrong = stored(), [], 0
    for name in names:
        begun = time.perf_counter()
        wrong += digest(versions.bytes_of(bot, name)) != name
        read.append(time.perf_counter() - begun)
    undone = journal.undo(bot, Revision.objects.filter(bot=bot, after=names[-1]).get().change_set, journal.By("desk"))
    back = not edits or digest((at / DOCUMENT).read_bytes()) == names[-2]
    return {
        "edits": edits,
        "document_bytes": len(data),
        "bytes_an_edit": round((after - before) / edits),
        "save_seconds": show.middle(seconds[1:]),
        "save_slowest_seconds": round(max(seconds[1:]), 6),
        "read_oldest_seconds": round(read[0], 6),
        "read_seconds": show.middle(read),
        "read_slowest_seconds": round(max(read), 6),
        "wrong": [
            *([f"{wrong} versions were read back otherwise than they were."] if wrong else []),
            *([] if isinstance(undone, journal.Applied) and back else ["The last edit was not undone to the byte."]),
        ],
    }


def line(dice: random.Random, lexicon: list[str]) -> str:
    return f"- {' '.join(dice.choices(lexicon, k=WORDS_A_LINE))}\n"


def report(at: Path, turns: int, looks: int) -> dict[str, Any]:
    """Turns of a KenoBot over many days; now and then somebody looks at the day."""
    from memory import index as library
    from memory.models import Revision

    bot, seconds = place.bot_at(at), []
    library.refresh(bot)
    before, had, days, log = stored(), tables(), list(text.days(turns // TURNS_A_DAY + 1)), ""
    for number, fact in enumerate(text.facts(turns)):
        day = days[number // TURNS_A_DAY]
        minute = number % TURNS_A_DAY
        begun = time.perf_counter()
        log = turn(bot, number, fact, f"{day}T{8 + minute // 60 % 16:02}:{minute % 60:02}:00+00:00") or log
        seconds.append(time.perf_counter() - begun)
        if number % looks == 0:
            library.look(bot, log)
    library.refresh(bot)
    kept = sum(path.stat().st_size for path in at.rglob("*") if path.is_file())
    pending = Revision.objects.filter(bot=bot, done=False).count()
    return {
        "turns": turns,
        "looks_every": looks,
        "bytes_in_files_a_turn": round(kept / turns),
        "bytes_a_turn": round((stored() - before) / turns),
        "tables": {name: round(size / turns) for name, size in (tables() - had).most_common(6)},
        "turn_seconds": show.middle(seconds),
        "wrong": [f"{pending} turns were not written."] if pending else [],
    }


def turn(bot: Bot, number: int, fact: str, at: str) -> str:
    """One turn as the webhook takes it; the log that it went to."""
    from django.utils import timezone

    from memory.webhook import call as calls, deliveries

    body = {"message": f"Please keep this: {fact}", "response": f"Noted. <memory>{fact}</memory>", "at": at}
    raw = json.dumps({**body, "chat_id": "1", "channel": "telegram", "message_id": f"m-{number:09}"}).encode()
    now, started = timezone.now(), time.perf_counter()
    call = calls.parse(raw, now)
    if not isinstance(call, calls.WebhookCall):
        raise SystemExit(f"A turn was refused: {call}")
    answer = deliveries.receive(bot, call, deliveries.Letter(hashlib.sha256(raw).hexdigest(), now, started))
    if answer.status != 200:
        raise SystemExit(f"A turn was not taken: {answer}")
    return str(answer.body["stored"]["documents"][0])


def tell(found: dict[str, Any]) -> None:
    """The tables for people."""
    print(f"{found['machine']}\n")
    show.table(
        ("an edit", ""),
        [
            ("edits of a document of", f"{found['edits']:,} × {show.megabytes(found['document_bytes'])}"),
            ("bytes of history an edit", found["bytes_an_edit"]),
            ("save, median", show.milliseconds(found["save_seconds"])),
            ("save, slowest", show.milliseconds(found["save_slowest_seconds"])),
            ("any version read back, median", show.milliseconds(found["read_seconds"])),
            ("the oldest", show.milliseconds(found["read_oldest_seconds"])),
            ("the slowest", show.milliseconds(found["read_slowest_seconds"])),
        ],
    )
    print()
    parts = [(f"of these {name}", size) for name, size in found["tables"].items()]
    show.table(
        ("a turn", ""),
        [
            ("turns, looked at every", f"{found['turns']:,}, {found['looks_every']}"),
            ("bytes in the bot's files a turn", found["bytes_in_files_a_turn"]),
            ("bytes in the database a turn", found["bytes_a_turn"]),
            *parts,
            ("taken in, median", show.milliseconds(found["turn_seconds"])),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
