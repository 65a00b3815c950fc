"""Bots append to two files during many saves and undos: is a line lost or doubled?"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, show

if TYPE_CHECKING:
    from memory.models import Bot, ChangeSet

LOG, LONG_TERM = "2026-01-01.md", "MEMORY.md"
BOTS = {"a": "node", "b": "holder"}
REFRESH_EVERY = 10
FEWEST_SAVES = 0.9  # of those tried: with fewer, nothing is shown
KEPT_EVERY = 4  # every so many saves, one is not undone
READ_EVERY = 5  # so many saves of a file start from what its editor read once
SETTLE_SECONDS = 30.0
HEADS = {LONG_TERM: "# Memory\n\n## Mine\n\n", LOG: "# 2026-01-01\n\n"}
FOOTS = {LONG_TERM: "\n## Learned\n\n", LOG: "\n"}


@dataclass
class Desk:
    """The person at the desk: what was saved, taken back and refused."""

    bot: Bot
    saves: int = 0
    undos: int = 0
    conflicts: int = 0
    refused: int = 0
    joined: int = 0
    refreshes: int = 0
    kept: dict[str, set[str]] = field(default_factory=lambda: {LOG: set(), LONG_TERM: set()})
    read: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--lines", type=show.count, default=10_000, help="lines that each bot appends to each file")
    parser.add_argument("--saves", type=show.count, default=200, help="saves of the two files in turn")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        place.enter(home)
        found = measure(home, given.lines, given.saves)
    return show.finish(found, given.json, tell, found.pop("broken"))


def measure(home: Path, lines: int, saves: int) -> dict[str, Any]:
    """Both bots append while the desk saves and undoes; then everything is settled and counted."""
    machine, at, progress = place.machine(home), home / "memory", home / "progress"
    bot = place.bot_at(at)
    for path, head in HEADS.items():
        (at / path).write_text(head + FOOTS[path], encoding="utf-8")
    progress.write_text(f"0 {saves}", encoding="ascii")
    desk = Desk(bot)
    bots = [start(name, kind, at, lines, progress) for name, kind in BOTS.items()]
    begun = time.perf_counter()
    for one in bots:
        tell_to(one, "go")
    for number in range(saves):
        save_and_undo(desk, number, LOG if number % 2 else LONG_TERM)
        if number % REFRESH_EVERY == 0:
            refresh(desk)
        show_progress(progress, number + 1, saves)
    saved_for = time.perf_counter() - begun
    still_writing = sum(one.poll() is None for one in bots)
    failed = [one.args for one in bots if one.wait(timeout=120)]
    if failed:
        raise SystemExit(f"{len(failed)} of the appending processes failed.")
    pending, settled_for = settle(bot)
    refresh(desk)
    return summary(desk, at, lines, saves, saved_for, still_writing, pending, settled_for, machine)


def start(name: str, kind: str, at: Path, lines: int, progress: Path) -> subprocess.Popen[str]:
    """A bot in a process of its own, ready to append."""
    script = [sys.executable, str(Path(__file__).parent / "parts" / "writer.py")]
    bot = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    what = {"name": name, "kind": kind, "lines": lines, "progress": str(progress)}
    tell_to(bot, json.dumps({**what, "log": str(at / LOG), "long_term": str(at / LONG_TERM)}))
    if bot.stdout is None or bot.stdout.readline() != "ready\n":
        raise SystemExit("An appending process did not start.")
    return bot


def tell_to(bot: subprocess.Popen[str], line: str) -> None:
    if bot.stdin is not None:
        bot.stdin.write(line + "\n")
        bot.stdin.flush()


def show_progress(progress: Path, done: int, wanted: int) -> None:
    """Replaced and not rewritten: the bots must never read half of it."""
    fresh = progress.with_suffix(".new")
    fresh.write_text(f"{done} {wanted}", encoding="ascii")
    fresh.replace(progress)


def save_and_undo(desk: Desk, number: int, path: str) -> None:
    """Add a line of one's own below the heading and save; take most of the saves back, now or the one before."""
    from memory import journal

    mine = f"- save {number:04}"
    change_set = save(desk, number, path, mine)
    if change_set is None:
        return
    desk.kept[path].add(mine)
    if number % KEPT_EVERY == 0:
        return
    outcome = journal.undo(desk.bot, change_set, journal.By("desk"))
    if isinstance(outcome, journal.Applied):
        desk.undos += 1
        desk.kept[path].discard(mine)
    else:
        desk.conflicts += 1


def save(desk: Desk, number: int, path: str, mine: str) -> ChangeSet | None:
    """Save as the editor does: from the version that was read, perhaps a while ago."""
    from memory import index as library, journal
    from memory.domain.changes import Put
    from memory.domain.errors import VaultError

    if path not in desk.read or not number // 2 % READ_EVERY:
        looked = library.look(desk.bot, path)
        if looked.data is None or looked.sha256 is None:
            raise SystemExit(f"{path} cannot be read: {looked.error or 'there is none'}")
        desk.read[path] = (looked.data, looked.sha256)
    data, base = desk.read[path]
    head = HEADS[path].encode()
    text = data.replace(head, head + mine.encode() + b"\n", 1)
    begun = time.perf_counter()
    try:
        outcome = journal.commit(
            desk.bot, [Put(path, text, base)], by=journal.By("desk"), kind="edit", why=mine, moved="merge"
        )
    except (VaultError, journal.Busy):
        desk.refused += 1
        return None
    desk.seconds.append(time.perf_counter() - begun)
    if isinstance(outcome, journal.Conflict):
        desk.conflicts += 1
        desk.read.pop(path)
        return None
    desk.saves += 1
    desk.joined += bool(outcome.joined)
    return outcome.change_set


def refresh(desk: Desk) -> None:
    from memory import index as library

    library.refresh(desk.bot)
    desk.refreshes += 1


def settle(bot: Bot) -> tuple[int, float]:
    """Look until nothing is pending: (documents still under watch, seconds it took)."""
    from memory import journal

    begun = time.monotonic()
    while (pending := journal.settle(bot)) and time.monotonic() - begun < SETTLE_SECONDS:
        time.sleep(0.05)
    return pending, time.monotonic() - begun


def summary(
    desk: Desk,
    at: Path,
    lines: int,
    saves: int,
    saved_for: float,
    still_writing: int,
    pending: int,
    settled_for: float,
    machine: str,
) -> dict[str, Any]:
    """Count every line of both files."""
    rows = [_row(at / path, path, name, kind, lines) for path in (LOG, LONG_TERM) for name, kind in BOTS.items()]
    rows += [_own(at / path, path, desk.kept[path]) for path in (LOG, LONG_TERM)]
    left = sorted(one.name for one in at.iterdir() if one.name not in (LOG, LONG_TERM))
    return {
        "bench": "late_appends",
        "machine": machine,
        "lines": lines,
        "saves_tried": saves,
        "saves": desk.saves,
        "undos": desk.undos,
        "conflicts": desk.conflicts,
        "refused": desk.refused,
        "joined": desk.joined,
        "refreshes": desk.refreshes,
        "seconds_saving": round(saved_for, 3),
        "save_median": show.middle(desk.seconds or [0.0]),
        "bots_writing_at_the_last_save": still_writing,
        "seconds_settling": round(settled_for, 3),
        "rows": rows,
        "lost": sum(row["lost"] for row in rows),
        "doubled": sum(row["doubled"] for row in rows),
        "pending": pending,
        "left_behind": len(left),
        "broken": [
            *([f"Only {desk.saves} of {saves} saves were written."] if desk.saves < FEWEST_SAVES * saves else []),
            *(
                f"{row['path']}, {row['who']}: {row['lost']} lost, {row['doubled']} doubled."
                for row in rows
                if row["lost"] or row["doubled"]
            ),
            *([f"{pending} documents were not settled after {SETTLE_SECONDS:.0f} seconds."] if pending else []),
            *([f"{len(left)} hidden files were left behind."] if left else []),
        ],
    }


def _row(file: Path, path: str, name: str, kind: str, lines: int) -> dict[str, Any]:
    """One bot's lines in one file. A line counts only if it is whole."""
    form = "## 10:00 — line" if path == LOG else "- line"
    pattern = re.compile(rf"^{form} {name}-(\d{{6}})$", re.MULTILINE)
    there = Counter(int(number) for number in pattern.findall(file.read_text(encoding="utf-8")))
    lost, doubled = lines - len(there), sum(times - 1 for times in there.values())
    return {"path": path, "who": f"bot {name} ({kind})", "wanted": lines, "lost": lost, "doubled": doubled}


def _own(file: Path, path: str, kept: set[str]) -> dict[str, Any]:
    """The desk's own lines: those of saves that stand are there once, those that were undone are gone."""
    there = Counter(re.findall(r"^- save \d{4}$", file.read_text(encoding="utf-8"), re.MULTILINE))
    lost = len(kept - there.keys())
    doubled = sum(there.values()) - len(kept & there.keys())
    return {"path": path, "who": "saves that stand", "wanted": len(kept), "lost": lost, "doubled": doubled}


def tell(found: dict[str, Any]) -> None:
    """The table."""
    print(f"Two bots append to two files while somebody saves and undoes ({found['machine']}).")
    print("node: open, append, close for each line; holder: keeps its descriptor for a second at a time.\n")
    show.table(
        ("file", "whose lines", "wanted", "lost", "doubled"),
        [(row["path"], row["who"], row["wanted"], row["lost"], row["doubled"]) for row in found["rows"]],
    )
    saved = f"{found['saves']} of {found['saves_tried']} saves (median {show.milliseconds(found['save_median'])}, "
    print(
        f"\n{saved}{found['joined']} joined), {found['undos']} undos, {found['refreshes']} walks over the files, "
        f"{found['conflicts']} conflicts, {found['refused']} refused, in {found['seconds_saving']:.1f} s."
    )
    print(
        f"Settled in {found['seconds_settling']:.1f} s: {found['pending']} pending, {found['left_behind']} files left behind."
    )
    print(f"{found['lost']} lost, {found['doubled']} doubled (wanted 0 and 0)")


if __name__ == "__main__":
    sys.exit(main())
