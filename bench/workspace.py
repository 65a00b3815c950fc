"""What a workspace as large as the largest that were measured costs: indexed, walked unchanged, its pages, its search."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is one directory up
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bench.pages import BYTES_WANTED, RATIO_WANTED, WARM, Visitor, tell_rows, timed
from bench.parts import place, serving, show, tree, workspace_tree

SLUG = "bot"


def main() -> int:
    """Measure as the options say."""
    parser = show.options(__doc__ or "")
    parser.add_argument("--files", type=show.count, default=workspace_tree.FILES, help="files in all")
    parser.add_argument("--bytes", type=show.count, default=workspace_tree.BYTES, help="bytes in all, about")
    parser.add_argument("--rounds", type=show.count, default=40, help="how often each page is asked, and the admin's")
    given = parser.parse_args()
    with place.directory(given.dir) as home:
        found = measure(home, given.files, given.bytes, given.rounds)
    return show.finish(found, given.json, tell, found.pop("broken"))


def measure(home: Path, files: int, size: int, rounds: int) -> dict[str, Any]:
    """A workspace that the environment's bot does not know, added to a desk; its pages are asked of the real server."""
    machine, home = place.machine(home), home / "large"
    root = home / SLUG
    home.mkdir()
    place.enter(home)
    total = workspace_tree.write(root, files, size)
    made = add(root)
    show.say(f"first index: {show.milliseconds(made['first_seconds'])}")
    with serving.server(home, fsync=False, settings=WARM) as server:
        visitor = Visitor(server, made.pop("cookie"))
        rows = [timed(visitor, name, [url] * (rounds + 1)) for name, url in pages(made["slug"])]
    return {
        "bench": "workspace",
        "machine": machine,
        "bytes": total,
        **made,
        "rounds": rounds,
        "ratio_wanted_at_most": RATIO_WANTED,
        "bytes_wanted_at_most": BYTES_WANTED,
        "rows": [row.told() for row in rows],
        "broken": [f"{row.name} {row.outcome}." for row in rows if row.outcome != "page"],
    }


def add(root: Path) -> dict[str, Any]:
    """The bot of this workspace, indexed and walked once more; somebody logged in."""
    from django.contrib.auth.models import User

    from bench.parts.desk import cookie
    from memory import bots, index
    from memory.models import Bot, Document, Fact

    bot = bots.default_bot()
    if bot is None:
        raise SystemExit("There is no bot.")
    Bot.objects.filter(pk=bot.pk).update(dialect="workspace")
    bot.refresh_from_db()
    begun = time.perf_counter()
    index.refresh(bot)
    first, begun = time.perf_counter() - begun, time.perf_counter()
    again = index.refresh(bot)
    return {
        "slug": bot.slug,
        "documents": Document.objects.filter(bot=bot).count(),
        "facts": Fact.objects.filter(bot=bot).count(),
        "first_seconds": round(first, 3),
        "unchanged_seconds": round(time.perf_counter() - begun, 3),
        "changed_again": len(again.changed),
        "cookie": cookie(User.objects.create_superuser("owner")),
    }


def pages(slug: str) -> list[tuple[str, str]]:
    """The pages that a large tree weighs on, by name."""
    long = tree.day(workspace_tree.LONG_DAY_BACK)
    at = {
        "overview": "",
        "days": "days/",
        "the long day": f"days/{long}",
        "its file": f"documents/memory/{long}.md",
        "documents": "documents/",
        "documents named": "documents/?q=long",
        "a long topic": "documents/memory/topics/long-0.md",
        "a part of it": "documents/memory/topics/long-0.md?part=9",
        "its facts": "facts/memory/topics/long-0.md",
        "prompt": "prompt/",
        "compaction": "compaction",
        "search": "search/?q=garden",
        "search for nothing": "search/?q=qwxyz",
    }
    return [(name, f"/{slug}/{path}") for name, path in at.items()]


def tell(found: dict[str, Any]) -> None:
    """The findings as a table."""
    print(found["machine"])
    print(
        f"{found['documents']:,} documents, {show.megabytes(found['bytes'])}, {found['facts']:,} facts: indexed in "
        f"{found['first_seconds']:.1f} s, walked unchanged in {show.milliseconds(found['unchanged_seconds'])}"
    )
    tell_rows(found["rows"])


if __name__ == "__main__":
    sys.exit(main())
