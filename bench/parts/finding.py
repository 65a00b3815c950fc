"""Index one memory and ask it, in a process of its own: `python finding.py`, told what to do by JSON on stdin. Says JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is two directories up
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from bench.parts import place, plain, show

if TYPE_CHECKING:
    from memory.models import Bot

FEW = 20  # hits that are asked for
NOW = datetime(2026, 1, 2, tzinfo=UTC)
SIZES = {
    "sqlite": (
        "SELECT SUM(pgsize) FROM dbstat WHERE name LIKE 'memory\\_fact\\_words%' ESCAPE '\\'",
        "SELECT SUM(pgsize) FROM dbstat WHERE name LIKE 'memory\\_fact\\_grams%' ESCAPE '\\'",
        "SELECT SUM(pgsize) FROM dbstat",
    ),
    "postgresql": (
        "SELECT pg_relation_size('facts_by_word') + (SELECT SUM(pg_column_size(found)) FROM memory_fact)",
        "SELECT pg_relation_size('facts_by_trigram')",
        "SELECT pg_database_size(current_database())",
    ),
}

Question = dict[str, str]


def main() -> int:
    told = json.loads(sys.stdin.read())
    home = Path(told["home"])
    place.enter(home, **told["environment"])
    print(json.dumps(measure(home, told["questions"])))
    return 0


def measure(home: Path, questions: dict[str, list[Question]]) -> dict[str, Any]:
    """Index time, sizes, and each kind of question asked both ways."""
    from django.db import connection

    from memory import bots, index as library
    from memory.models import Fact

    bot = bots.default_bot()
    if bot is None:
        raise SystemExit("There is no bot.")
    walked = timed(lambda: library.refresh(bot))
    bot.refresh_from_db()
    anew = timed(make_anew)
    texts = Fact.objects.order_by("pk").values_list("text", flat=True).iterator()
    index = plain.Plain(texts, home / f"plain-{connection.vendor}.sqlite3")
    kinds = {kind: asked(bot, index, some) for kind, some in questions.items()}
    index.close()
    words, trigrams, everything = sizes()
    return {
        "facts": Fact.objects.count(),
        "walk_seconds": round(walked, 6),
        "search_index_seconds": round(anew, 6),
        "words_bytes": words,
        "trigrams_bytes": trigrams,
        "database_bytes": everything,
        "kinds": kinds,
    }


def make_anew() -> None:
    """What the engine makes of the rows that are there: what of an index is search's alone."""
    from django.db import connection

    from memory import search

    search.engine().remove()
    search.engine().prepare()
    search.engine().merge()  # as the worker does within a minute
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE memory_fact")  # as the server does by itself within a minute


def sizes() -> list[int]:
    """Bytes of the words' index, of the trigrams', and of the whole database."""
    from django.db import connection

    with connection.cursor() as cursor:
        found = []
        for statement in SIZES[connection.vendor]:
            cursor.execute(statement)
            found.append(int(cursor.fetchone()[0] or 0))
    return found


def asked(bot: Bot, index: plain.Plain, questions: list[Question]) -> dict[str, Any]:
    """Each question both ways in turn; the first one is not counted."""
    from memory import search

    ours, bare, answered = [], [], 0
    for question in questions:
        begun = time.perf_counter()
        answered += bool(search.search(bot, question["asked"], now=NOW, limit=FEW).hits)
        between = time.perf_counter()
        index.find(question["plain"], FEW)
        bare.append(time.perf_counter() - between)
        ours.append(between - begun)
    return {"questions": len(questions), "answered": answered, "ours": told(ours[1:]), "bare": told(bare[1:])}


def told(seconds: list[float]) -> dict[str, float]:
    return {"p50_seconds": round(show.share(seconds, 0.5), 6), "p99_seconds": round(show.share(seconds, 0.99), 6)}


def timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
