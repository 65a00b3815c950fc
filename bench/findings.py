"""How long the rules take that find things: over everything, after one change, after none; and whether they find what is there."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, show, text

A_LOG = 100
SECONDS_WANTED = 60.0  # everything, at 100,000 facts
GROWTH_WANTED = 15.0  # ten times the facts; a hundred would be quadratic
PEOPLE = 500  # facts for each person, who has two birthdays
BEATS = 10  # of so many facts one is a heartbeat that says nothing
SECRET = "sk-" + "aB3" * 8


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--sizes", type=show.sizes, default=[10_000, 30_000, 100_000], help="facts")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        place.enter(home)
        rows = [_told(home, size) for size in given.sizes]
    took = {row["facts"]: row["full_seconds"] for row in rows}
    growth = took[100_000] / took[10_000] if {10_000, 100_000} <= took.keys() else None
    found = {"bench": "findings", "machine": machine, "rows": rows, "growth_10k_to_100k": growth}
    return show.finish(found, given.json, tell, [sentence for row in rows for sentence in _broken(row)])


def _told(home: Path, size: int) -> dict[str, Any]:
    found = once(home / f"bot-{size}", size)
    show.say(f"{size} facts: {show.milliseconds(found['full_seconds'])}")
    return found


def once(at: Path, size: int) -> dict[str, Any]:
    """Look at a new memory of `size` facts, then after one more birthday, then after nothing."""
    from memory import index
    from memory.checks import contradictions, facts_alone, findings
    from memory.models import Fact, Finding

    bot = place.bot_at(at)
    people = write(at, size)
    index.refresh(bot)
    full = timed(lambda: findings.look(bot))
    again = timed(lambda: findings.check_everything(bot))
    (at / "MEMORY.md").write_text(f"- {_name(0)}'s birthday is July 1\n", encoding="utf-8")
    index.refresh(bot)
    change = timed(lambda: findings.look(bot))
    there = Finding.objects.filter(bot=bot, gone=None)
    return {
        "facts": size,
        "indexed": Fact.objects.filter(bot=bot).count(),
        "full_seconds": round(full, 6),
        "again_seconds": round(again, 6),
        "change_seconds": round(change, 6),
        "nothing_seconds": round(timed(lambda: findings.look(bot)), 6),
        "planted": people,
        "contradictions": there.filter(rule=contradictions.NAME).count(),
        "secrets": there.filter(rule=facts_alone.SECRET).count(),
        "findings": there.count(),
    }


def write(at: Path, size: int) -> int:
    """Logs of so many facts, with two birthdays for each of some people and one credential. Returns how many people."""
    people = max(size // PEOPLE, 1)
    said = list(_facts(size, people))
    portions = [said[start : start + A_LOG] for start in range(0, size, A_LOG)]
    for day, portion in zip(text.days(len(portions)), portions, strict=True):
        (at / f"{day}.md").write_text(text.log(portion), encoding="utf-8")
    return people


def _facts(size: int, people: int) -> Iterator[str]:
    planted = [f"{_name(one)}'s birthday is {month} 1" for month in ("May", "June") for one in range(people)]
    planted.append(f"The model's key is {SECRET}")
    yield from planted[:size]
    for number, fact in enumerate(text.facts(max(size - len(planted), 0))):
        yield "Heartbeat: nothing to do" if number % BEATS == 0 else fact


def _name(number: int) -> str:
    """A name for each number, in letters."""
    return "Bo" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def timed(act: Any) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def _broken(row: dict[str, Any]) -> list[str]:
    size = f"{row['facts']} facts"
    said = {
        f"{size}: {row['contradictions']} of {row['planted']} people with two birthdays were found.": row[
            "contradictions"
        ]
        != row["planted"],
        f"{size}: the credential was not found.": row["secrets"] != 1,
        f"{size}: {row['findings']} findings instead of {row['planted'] + 1}.": row["findings"] != row["planted"] + 1,
        f"{size}: only {row['indexed']} are in the index.": row["indexed"] != row["facts"] + 1,
    }
    return [sentence for sentence, wrong in said.items() if wrong]


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(f"Findings in logs of {A_LOG} facts, a tenth of them heartbeats ({found['machine']}).\n")
    heads = ("facts", "first look", "everything again", "after one change", "after none", "findings")
    times = ("full_seconds", "again_seconds", "change_seconds", "nothing_seconds")
    rows = [
        (f"{row['facts']:,}", *(show.milliseconds(row[name]) for name in times), row["findings"])
        for row in found["rows"]
    ]
    show.table(heads, rows)
    if (growth := found["growth_10k_to_100k"]) is not None:
        wanted = f"at most {GROWTH_WANTED:.0f}"
        print(f"\n10,000 to 100,000: {show.verdict(wanted, growth, growth <= GROWTH_WANTED)} times the time")
        most = max(row["full_seconds"] for row in found["rows"])
        print(f"slowest: {show.verdict(f'at most {SECONDS_WANTED:.0f} s', most, most <= SECONDS_WANTED)} s")


if __name__ == "__main__":
    sys.exit(main())
