"""Options, tables, and the one object of --json."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Row = Sequence[object]


def options(what: str) -> argparse.ArgumentParser:
    """A parser with what every benchmark takes."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument(
        "--dir", type=Path, help="a directory on the disk to measure on; default: the system's for temporary files"
    )
    return parser


def sizes(text: str) -> list[int]:
    """Whole numbers, comma-separated. Raises ArgumentTypeError."""
    try:
        found = [int(one) for one in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError("must be whole numbers with commas between them") from None
    if min(found) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return found


def count(text: str) -> int:
    """One whole number, 1 or more. Raises ArgumentTypeError."""
    return sizes(text)[0]


def finish(found: dict[str, Any], as_json: bool, tell: Callable[[dict[str, Any]], None], broken: Sequence[str]) -> int:
    """Print what was found, and what must never be (`broken`). Returns the exit code: 1 if anything is broken."""
    if as_json:
        print(json.dumps({**found, "broken": list(broken)}))
    else:
        tell(found)
        for one in broken:
            print(f"BROKEN: {one}")
    return 1 if broken else 0


def say(progress: str) -> None:
    """A word to whoever waits, beside the results."""
    if sys.stderr.isatty():
        print(progress, file=sys.stderr)


def table(heads: Sequence[str], rows: Sequence[Row]) -> None:
    """Print rows under heads: the first column to the left, the rest to the right."""
    shown = [list(heads), *([_cell(one) for one in row] for row in rows)]
    widths = [max(len(row[n]) for row in shown) for n in range(len(heads))]
    for number, row in enumerate(shown):
        cells = [row[0].ljust(widths[0]), *(one.rjust(width) for one, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
        if not number:
            print("  ".join("-" * width for width in widths))


def verdict(wanted: str, value: float, holds: bool) -> str:
    """A measured value beside what was wanted of it."""
    return f"{value:.2f} (wanted {wanted}: {'yes' if holds else 'no'})"


def middle(values: Sequence[float]) -> float:
    """The median, rounded to what a clock is worth."""
    return round(statistics.median(values), 6)


def share(values: Sequence[float], part: float) -> float:
    """The value that `part` of all values (0..1) do not exceed; 0.0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def milliseconds(seconds: float) -> str:
    """A duration for people."""
    return f"{seconds * 1000:,.1f} ms" if seconds < 10 else f"{seconds:,.1f} s"


def megabytes(size: int) -> str:
    """Bytes for people."""
    return f"{size / (1 << 20):,.1f} MB"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
