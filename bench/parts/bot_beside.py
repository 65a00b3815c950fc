"""The bot in a process of its own, committing entries alone and while Kenoweb reads and writes the same database."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.parts import bot_rows
from bench.parts.bot_asked import Found, Made

PAUSE = 0.005  # seconds between two commits of the bot
FORGOTTEN = 3  # entries at a time
SAVED = "SELECT COUNT(*) FROM memory_entries WHERE content LIKE 'alone %' OR content LIKE 'beside %'"
SCOPES = 20  # that the bot writes to


def commits(made: Made, seconds: int) -> list[Found]:
    """The bot commits, alone and then beside walks, edits and forgetting."""
    return [beside(made, "alone", seconds, None), beside(made, "beside Kenoweb", seconds, work)]


def beside(made: Made, name: str, seconds: int, act: Callable[[Made, int], object] | None) -> Found:
    """What the bot says of its commits, while `act` is done again and again."""
    told: Found = {
        "file": str(made.file),
        "workspace": made.workspace_id,
        "name": name,
        "seconds": seconds,
        "pause": PAUSE,
    }
    told["scopes"] = [*range(min(SCOPES, made.sizes.scopes))]
    words, number = [sys.executable, str(Path(__file__).parent / "bot_rows.py")], 0
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot:
        if bot.stdin is None or bot.stdout is None:
            raise SystemExit("The bot has no pipes.")
        bot.stdin.write(json.dumps(told))
        bot.stdin.close()
        while act is not None and bot.poll() is None:
            act(made, number)
            number += 1
        return {"what": name, "ours": number, **json.loads(bot.stdout.read())}


def work(made: Made, number: int) -> None:
    """What Kenoweb does meanwhile: in turn a walk, an entry reworded, and some forgotten, in a chat that the bot writes to."""
    from memory import index, journal
    from memory.curation import facts as fact_edits
    from memory.models import Fact

    if number % 3 == 0:
        index.refresh(made.bot)
        return
    by, path = journal.By("bench"), f"@database/{bot_rows.CHANNEL}_{number % (SCOPES // 2) * 2}.jsonl"
    facts = Fact.objects.filter(bot=made.bot, document__path=path).filter(text__contains=" no. ").order_by("pk")
    some = list(facts[:FORGOTTEN])
    if number % 3 == 1 and some:
        fact_edits.edit(made.bot, path, some[0].key, some[0].nth, f"reworded {number}", by)
    elif some:
        fact_edits.forget(made.bot, [(path, one.key, one.nth) for one in some], by)


def lost(made: Made, found: Found) -> list[str]:
    """What the bot saved and is not there, what is damaged, and what was indexed wrongly."""
    wrong = []
    with closing(sqlite3.connect(made.file)) as db:
        saved = db.execute(SAVED).fetchone()[0]
        sound = db.execute("PRAGMA quick_check").fetchone()[0]
    if saved != sum(one["saved"] for one in found["commits"]):
        wrong.append(f"Of what the bot saved beside us {saved} entries are there.")
    if sound != "ok":
        wrong.append(f"The database is damaged: {sound}.")
    wrong += [
        f"{one['locked']} commits of the bot were refused {one['what']}." for one in found["commits"] if one["locked"]
    ]
    return wrong
