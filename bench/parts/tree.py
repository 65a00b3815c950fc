"""A KenoBot's memory of a given size, written in place: own days up to today, chats, scratchpads, transcripts."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from bench.parts import text

AN_HOUR = 3600.0
BUSY_CHAT = "telegram-0"
BUSY_CHAT_DAYS = 365
BUSY_TRANSCRIPT = 10 << 20  # bytes
BYTES_AN_ENTRY = 140  # of the busy day: 2,500 make 342 KB
BUSY_DAY_BACK = 20  # days before today
COMPACTED_CHAT = "telegram-of-old"  # has an old log and nothing else


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything. `facts` are spread evenly over the logs; the busy day with its `entries` and the busy chat come
    on top. `history`: bytes of the history of an Autobot beside it."""

    chats: int
    days: int
    facts: int
    entries: int
    history: int = 0

    def tenth(self) -> Sizes:
        """A memory a tenth as large, with the same busy day."""
        chats, days, facts = (max(1, number // 10) for number in (self.chats, self.days, self.facts))
        return Sizes(chats, days, facts, self.entries, self.history // 10)


def chat(number: int) -> str:
    return f"telegram-{number}"


def day(back: int) -> str:
    """The day so many days before today."""
    return (date.today() - timedelta(days=back)).isoformat()


def busy_day() -> str:
    return day(BUSY_DAY_BACK)


def write(memory: Path, sizes: Sizes) -> None:
    """Everything, as if it had been written an hour ago. `memory` is the bot's directory; its sessions lie beside."""
    for path, content in files(sizes):
        target = memory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
        then = time.time() - AN_HOUR
        os.utime(target, (then, then))


def files(sizes: Sizes) -> Iterator[tuple[str, str]]:
    """(path, text) of every file."""
    made = text.facts(sizes.facts)
    logs = [f"{day(back)}.md" for back in range(sizes.days) if back != BUSY_DAY_BACK]
    logs += [f"chats/{chat(number)}/{day(number % 60)}.md" for number in range(sizes.chats)]
    for number, path in enumerate(logs):
        share = sizes.facts * (number + 1) // len(logs) - sizes.facts * number // len(logs)
        yield path, text.log([next(made) for _ in range(share)])
    yield f"{busy_day()}.md", busy_log(sizes.entries)
    yield "MEMORY.md", "# Memory\n\n" + "".join(f"- {fact}\n" for fact in text.facts(100, seed=2))
    yield "identity/soul.md", "# Soul\n\nFriendly and short.\n"
    yield from of_chats(sizes)


def of_chats(sizes: Sizes) -> Iterator[tuple[str, str]]:
    """What chats have beside their logs: every tenth notes of its own and a transcript, every twentieth a scratchpad."""
    facts = text.facts(BUSY_CHAT_DAYS + sizes.chats + 20, seed=3)
    for number in range(0, sizes.chats, 10):
        yield f"chats/{chat(number)}/MEMORY.md", f"- {next(facts)}\n- {next(facts)}\n"
        yield f"../sessions/{chat(number)}.jsonl", talk(BUSY_TRANSCRIPT if number == 0 else 2_000)
    for number in range(0, sizes.chats, 20):
        yield f"working/{chat(number)}.md", f"Talking about {next(facts)}\n"
    yield f"chats/{COMPACTED_CHAT}/{day(400)}.md", text.log([next(facts) for _ in range(20)])
    for back in range(1, min(BUSY_CHAT_DAYS, 10 * sizes.days)):
        yield f"chats/{BUSY_CHAT}/{day(back)}.md", text.entry(next(facts), 600)


def busy_log(entries: int) -> str:
    """A day on which something wrote again and again."""
    pad = "and so on, as it was said a while ago, in more words than were needed by anybody who was there at that time "
    lines = (f"{fact} {pad}" for fact in text.facts(entries, seed=4))
    return "".join(text.entry(line[: BYTES_AN_ENTRY - 18], number // 2) for number, line in enumerate(lines))


def talk(size: int) -> str:
    """A transcript of about so many bytes."""
    turn = "".join(
        json.dumps(
            {"role": role, "content": f"A word about the garden from the {role}", "timestamp": 1_760_000_000_000}
        )
        + "\n"
        for role in ("user", "assistant")
    )
    return turn * max(1, size // len(turn))
