"""What the labelled sets have in common: a line for each case, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).with_name("labelled")
LANGUAGES = {"en", "es", "de", "zh"}
TOKENS = {
    "telegram": "123456789:" + "Abc-_" * 7,
    "openai": "sk-" + "aB3" * 8,
    "github": "ghp_" + "aB3d" * 9,
    "aws": "AKIA" + "Q7" * 8,
    "google": "AIza" + "aB3d5" * 7,
}
PRECISION = 0.9


def lines(name: str, signs: str = "+-") -> Iterator[tuple[str, list[str], str]]:
    """Each labelled line: its sign, its language with what else stands before the colon, and its text."""
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").split("\n"):
        if line and line[0] in signs:
            head, _colon, text = line.partition(": ")
            sign, *words = head.split()
            yield sign, words, text


def hold(name: str, judged: Iterable[tuple[bool, bool]], least: float) -> None:
    """Whether a rule is right about what it shows, and finds as much of what it should as is stated."""
    counted = Counter(judged)
    right, wrong, missed = counted[True, True], counted[False, True], counted[True, False]
    precision, recall = right / (right + wrong), right / (right + missed)
    print(f"{name}: {counted.total()} cases, precision {precision:.3f}, recall {recall:.3f}")
    assert precision >= PRECISION, (right, wrong)
    assert recall >= least, (right, missed)
