"""The command `backfill`: what the files of a nanobot's workspace say is taken into its database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from memory.dialects.nanobot import backfill_job, scopes
from memory.dialects.nanobot.commands import here
from memory.management.cli import scope_options
from memory.management.cli.command import (
    BY,
    Invocation,
    Output,
    add,
    granted,
    lines,
    one_line,
    plain,
    plural,
    table,
)
from memory.management.cli.prune import SHOWN, more, sums

NAMED = 100  # lines that can be no entry
UNRECALLED = "The bot never recalls {count} of these. It reads --scope chat, and of --scope user preferences and facts."
MARKED = "Marked as imported, so that the bot doesn’t import whole files when it next starts."
MIRRORED = "Left out {count} of the mirrors, which hold what all chats said; --mirrors imports those, too."


def register(commands: Any) -> None:
    new = add(
        commands,
        "backfill",
        backfill,
        "import the files of a nanobot's workspace, one entry a line",
        writes=True,
    )
    scope_options.options(new, scopes.GLOBAL, (scopes.GLOBAL, scopes.CHAT, scopes.USER))
    new.add_argument("--dry-run", action="store_true", help="only show the lines")
    new.add_argument("--force", action="store_true", help="also lines whose entries were forgotten")
    new.add_argument("--mirrors", action="store_true", help="the mirrors of all chats also into one chat or user")
    new.add_argument(
        "--no-marker", action="store_true", help="let the bot import the files as well when it next starts"
    )


def backfill(call: Invocation) -> Output:
    options, bot = call.options, call.bot
    here.database(call)
    scope = here.one(scope_options.named(call))
    meant = backfill_job.plan(bot, scope, mirrors=options.mirrors, again=options.force)
    data: dict[str, Any] = {
        **{"lines": len(meant.fresh), "imported": 0, "change_set": None, "known": meant.known},
        **{
            "forgotten": meant.forgotten,
            "mirrors_left": meant.mirrored,
            "unrecalled": meant.unrecalled,
            "marked": False,
        },
        "left": len(meant.left),
        "left_out": [{"path": one.path, "line": one.line, "why": one.why} for one in meant.left[:NAMED]],
        "by_kind": dict(sorted(Counter(one.kind for one in meant.fresh).items())),
    }
    if options.dry_run:
        rows = [
            (one.kind, f"{one.at:%Y-%m-%d}", plain(one.path), one_line(one.text, 60)) for one in meant.fresh[:SHOWN]
        ]
        said = f"Dry run: {plural(len(meant.fresh), 'entry', 'entries')} would be imported."
        return Output(data, lines([table(rows), more(len(meant.fresh)), *sums(data), *_left_out(data), said]))
    outcome = granted(backfill_job.take_in(bot, scope, meant, BY, mark=not options.no_marker))
    made = outcome.change_set.pk if outcome.change_set else None
    data |= {"imported": len(meant.fresh), "change_set": made, "marked": outcome.marked}
    done = f"Backfill imported {plural(len(meant.fresh), 'entry', 'entries')}{f', change {made}' if made else ''}."
    text = lines([*sums(data), *_left_out(data), done, MARKED if outcome.marked else ""])
    return Output(data, text, problem=outcome.trouble)


def _left_out(data: Mapping[str, Any]) -> Sequence[str]:
    gone = f"Left out {plural(data['forgotten'], 'line')} whose entry was forgotten; --force imports those, too."
    mirrors = MIRRORED.format(count=plural(data["mirrors_left"], "line"))
    unread = UNRECALLED.format(count="any" if data["unrecalled"] == data["lines"] else data["unrecalled"])
    return [
        *([gone] if data["forgotten"] else []),
        *([mirrors] if data["mirrors_left"] else []),
        *([unread] if data["unrecalled"] else []),
        *_unfit(data),
    ]


def _unfit(data: Mapping[str, Any]) -> Sequence[str]:
    """What can be no entry, and why, as many lines as are shown of anything."""
    if not data["left"]:
        return ()
    some = [f"  {plain(one['path'])}:{one['line']} {one['why']}" for one in data["left_out"][:SHOWN]]
    return [
        f"Left out {plural(data['left'], 'line')} that can’t be imported:",
        *some,
        *filter(None, [more(data["left"])]),
    ]
