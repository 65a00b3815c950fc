"""What it costs to see that nothing changed, and to see one change, beside a bare walk over the same files."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, show, text

if TYPE_CHECKING:
    from memory.models import Bot

RATIO_WANTED = 2.0
AN_HOUR = 3600.0


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument(
        "--chats", type=show.count, default=10_000, help="chats, each with a directory and one day's log"
    )
    parser.add_argument("--days", type=show.count, default=3_650, help="the bot's own daily logs")
    parser.add_argument("--facts", type=show.count, default=100_000, help="facts in all of them")
    parser.add_argument("--rounds", type=show.count, default=7, help="rounds of each walk; the median counts")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        place.enter(home)
        found = measure(home, given.chats, given.days, given.facts, given.rounds)
    return show.finish(found, given.json, tell, found.pop("broken"))


def measure(home: Path, chats: int, days: int, facts: int, rounds: int) -> dict[str, Any]:
    """Index a tree, walk it unchanged, then with one file changed."""
    from memory import index as library
    from memory.models import Fact

    machine, at = place.machine(home), home / "memory"
    paths = write(at, chats, days, facts)
    bot = place.bot_at(at)
    before = peak()
    first_took, first = timed_refresh(bot)
    show.say(f"first index: {show.milliseconds(first_took)}")
    indexed, peak_first = Fact.objects.filter(bot=bot).count(), peak()
    bare, unchanged, surprises = alternate(bot, at, rounds)
    one_changed, looks = changed(bot, at, paths, rounds)
    walk = show.middle(unchanged)
    again = library.refresh(bot)
    return {
        "bench": "refresh",
        "machine": machine,
        "chats": chats,
        "days": days,
        "documents": first.documents,
        "facts": indexed,
        "rounds": rounds,
        "first_seconds": round(first_took, 6),
        "bare_seconds": show.middle(bare),
        "unchanged_seconds": walk,
        "ratio": round(walk / show.middle(bare), 3),
        "ratio_wanted_at_most": RATIO_WANTED,
        "one_changed_seconds": show.middle(one_changed),
        "one_changed_more_seconds": round(show.middle(one_changed) - walk, 6),
        "look_seconds": show.middle(looks),
        "memory_before_mib": before,
        "memory_first_mib": peak_first,
        "memory_peak_mib": peak(),
        "broken": [
            *([f"{indexed} facts were indexed, not {facts}."] if indexed != facts else []),
            *([f"{first.documents} documents were found, not {len(paths)}."] if first.documents != len(paths) else []),
            *([f"{surprises} walks over an unchanged tree found changes."] if surprises else []),
            *([f"{len(again.changed)} documents were seen as changed once more."] if again.changed else []),
        ],
    }


def write(at: Path, chats: int, days: int, facts: int) -> list[Path]:
    """A tree with `facts` entries spread evenly over its logs, all written an hour ago."""
    logs = [at / f"{day}.md" for day in text.days(days)]
    logs += [at / "chats" / f"telegram-{number}" / "2025-11-03.md" for number in range(chats)]
    made = text.facts(facts)
    then = time.time() - AN_HOUR
    at.mkdir(parents=True)
    for number, path in enumerate(logs):
        share = facts * (number + 1) // len(logs) - facts * number // len(logs)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.log([next(made) for _ in range(share)]), encoding="utf-8")
        os.utime(path, (then, then))
    return logs


def alternate(bot: Bot, at: Path, rounds: int) -> tuple[list[float], list[float], int]:
    """Bare walks and walks of ours in turn, after one of each to warm up; and how often ours found a change."""
    bare_walk(str(at))
    timed_refresh(bot)
    bare, ours, surprises = [], [], 0
    for _ in range(rounds):
        begun = time.perf_counter()
        bare_walk(str(at))
        bare.append(time.perf_counter() - begun)
        took, found = timed_refresh(bot)
        ours.append(took)
        surprises += bool(found.changed or found.gone or found.errors)
    return bare, ours, surprises


def bare_walk(top: str) -> int:
    """The stat of every file, with nothing but os.scandir; how many there are."""
    directories, files = [top], 0
    while directories:
        with os.scandir(directories.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    directories.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    files += 1
    return files


def changed(bot: Bot, at: Path, paths: list[Path], rounds: int) -> tuple[list[float], list[float]]:
    """A walk after one file grew by an entry, and a look at another one that did."""
    from memory import index as library

    walks, looks = [], []
    for number in range(rounds):
        grow(paths[number % len(paths)], number)
        took, found = timed_refresh(bot)
        if len(found.changed) != 1:
            raise SystemExit(f"One file was changed, and the walk found {len(found.changed)}.")
        walks.append(took)
        other = paths[-1 - number % len(paths)]
        grow(other, rounds + number)
        begun = time.perf_counter()
        library.look(bot, other.relative_to(at).as_posix())
        looks.append(time.perf_counter() - begun)
    return walks, looks


def grow(path: Path, number: int) -> None:
    """An entry more, written some seconds ago."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text.entry(f"One more thing, no. {number}", 1200))
    then = time.time() - 10 - number
    os.utime(path, (then, then))


def timed_refresh(bot: Bot) -> tuple[float, Any]:
    from memory import index as library

    begun = time.perf_counter()
    found = library.refresh(bot)
    return time.perf_counter() - begun, found


def peak() -> float:
    """The most memory that this process ever held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(
        f"{found['documents']:,} documents in {found['chats']:,} chats and {found['days']:,} days, "
        f"{found['facts']:,} facts ({found['machine']})."
    )
    print(f"Medians of {found['rounds']}, walks in turn; the bare walk is os.scandir and stat in the same process.\n")
    bare = found["bare_seconds"]
    show.table(
        ("", "time", "of a bare walk"),
        [
            (name, show.milliseconds(seconds), f"{seconds / bare:.2f}")
            for name, seconds in (
                ("bare walk", bare),
                ("refresh, nothing changed", found["unchanged_seconds"]),
                ("refresh, one file changed", found["one_changed_seconds"]),
                ("  of that for the one file", found["one_changed_more_seconds"]),
                ("look at one changed file", found["look_seconds"]),
                ("first index, with history", found["first_seconds"]),
            )
        ],
    )
    ratio = found["ratio"]
    print(f"\nUnchanged tree: {show.verdict('at most 2', ratio, ratio <= RATIO_WANTED)} times a bare walk")
    print(
        f"Most memory held: {found['memory_before_mib']} MiB before, {found['memory_first_mib']} MiB after the first index, "
        f"{found['memory_peak_mib']} MiB in all"
    )


if __name__ == "__main__":
    sys.exit(main())
