"""Commands about many entries of a database at once, as nanobot has them: prune what is old, backfill from files."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory import bots
from memory.dialects.nanobot import backfill_job, maintenance, scopes
from memory.dialects.nanobot import lines as rows_of
from memory.dialects.nanobot.choice import Choice
from memory.dialects.nanobot.commands import scope_options
from memory.dialects.nanobot.entries import Entry
from memory.management.cli.command import BY, Call, Refused, Told, add, lines, one_line, plain, plural, table

SHOWN = 20
NAMED = 100  # lines that can be no entry
DAYS = 36_500
LATER = (
    "These are not the entries that were shown: some changed since then. Nothing was changed; look again without --yes."
)
UNRECALLED = "The bot never recalls {count} of these. It reads --scope chat, and of --scope user preferences and facts."
MARKED = "Marked as taken in, so that the bot does not take whole files in when it next starts."
MIRRORED = "Left out {count} of the mirrors, which hold what all chats said; --mirrors takes those too."
_SIGN = "%Y%m%dT%H%M%S.%fZ"
_PREVIEW = re.compile(r"(\d{8}T\d{6}\.\d{6}Z)-([0-9a-f]{12})")

Found = dict[str, list[Entry]]


def register(commands: Any) -> None:
    old = add(
        commands,
        "prune",
        prune,
        "show which entries of a nanobot would be forgotten; with --yes forget them",
        writes=True,
    )
    old.add_argument("--older-than-days", metavar="N", type=days, help="not said again for so many days")
    old.add_argument("--expired", action="store_true", help="past their time")
    scope_options.kinds(old)
    scope_options.options(old)
    sure = old.add_mutually_exclusive_group()
    sure.add_argument("--yes", action="store_true", help="forget them; undo brings them back")
    sure.add_argument("--dry-run", action="store_true", help="only show them, as without --yes")
    old.add_argument(
        "--preview", metavar="P", type=preview, help="with --yes: only if it is what was shown under this name"
    )
    new = add(
        commands,
        "backfill",
        backfill,
        "take in what the files of a nanobot's workspace say, a line an entry",
        writes=True,
    )
    scope_options.options(new, scopes.GLOBAL, (scopes.GLOBAL, scopes.CHAT, scopes.USER))
    new.add_argument("--dry-run", action="store_true", help="only show the lines")
    new.add_argument("--force", action="store_true", help="also those whose entries were forgotten")
    new.add_argument("--mirrors", action="store_true", help="the mirrors of all chats also into one chat or user")
    new.add_argument("--no-marker", action="store_true", help="let the bot take the files in, too, when it next starts")


def days(text: str) -> int:
    """A number of days; for argparse."""
    if text.isdecimal() and 1 <= int(text) <= DAYS:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is no number of days from 1 to {DAYS}")


def preview(text: str) -> tuple[datetime, str]:
    """When something was shown, and what it was; for argparse."""
    if found := _PREVIEW.fullmatch(text):
        return datetime.strptime(found[1], _SIGN).replace(tzinfo=UTC), found[2]
    raise ArgumentTypeError(f"{text!r} is no preview as `memory prune` names one")


def prune(call: Call) -> Told:
    options = call.options
    scope_options.database(call)
    if options.preview and not options.yes:
        raise Refused("--preview goes with --yes. Nothing was changed.")
    shown = options.preview[0] if options.preview else None
    now = shown or bots.now(call.bot)
    found = _chosen(call, now)
    if shown:
        found = _as_of(found, rows_of.instant(shown))
        if maintenance.print_of(found) != options.preview[1]:
            raise Refused(LATER)
    if not options.yes:
        return _previewed(found, now)
    count = sum(map(len, found.values()))
    if not count:
        return Told(_numbers(found), "Pruned 0 entries.")
    outcome = maintenance.prune(call.bot, found, BY)
    if not isinstance(outcome, maintenance.Pruned):
        raise Refused(outcome.reason)
    made = outcome.change_set.pk if outcome.change_set else None
    data = {**_numbers(found), "entries": outcome.count, "left": outcome.left, "change_set": made}
    left = f"{plural(outcome.left, 'entry', 'entries')} changed meanwhile and stayed." if outcome.left else ""
    return Told(
        data, lines([*_sums(data), f"Pruned {plural(outcome.count, 'entry', 'entries')}, change {made}.", left])
    )


def backfill(call: Call) -> Told:
    options, bot = call.options, call.bot
    scope_options.database(call)
    scope = scope_options.one(scope_options.named(call))
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
        return Told(data, lines([table(rows), _more(len(meant.fresh)), *_sums(data), *_left_out(data), said]))
    outcome = backfill_job.take_in(bot, scope, meant, BY, mark=not options.no_marker)
    if not isinstance(outcome, backfill_job.TakenIn):
        raise Refused(outcome.reason)
    made = outcome.change_set.pk if outcome.change_set else None
    data |= {"imported": len(meant.fresh), "change_set": made, "marked": outcome.marked}
    done = f"Backfill imported {plural(len(meant.fresh), 'entry', 'entries')}{f', change {made}' if made else ''}."
    text = lines([*_sums(data), *_left_out(data), done, MARKED if outcome.marked else ""])
    return Told(data, text, problem=outcome.trouble)


def _chosen(call: Call, now: datetime) -> Found:
    options = call.options
    choice = Choice(
        scope_options.names(scope_options.named(call)), tuple(options.kind), options.older_than_days, options.expired
    )
    try:
        return maintenance.chosen(call.bot, choice, now)
    except ValueError as error:
        raise Refused(str(error)) from None


def _as_of(found: Found, instant: str) -> Found:
    """Without what came or changed later."""
    kept = {
        path: [entry for entry in some if entry.created <= instant and entry.updated <= instant]
        for path, some in found.items()
    }
    return {path: some for path, some in kept.items() if some}


def _previewed(found: Found, now: datetime) -> Told:
    data = _numbers(found)
    some = [entry for of_path in found.values() for entry in of_path]
    rows = [
        (entry.kind, _document(entry), entry.updated[:10], one_line(entry.text, 60))
        for entry in sorted(some, key=lambda entry: entry.updated)[:SHOWN]
    ]
    said = f"Dry run: {plural(len(some), 'entry', 'entries')} would be pruned."
    if not some:
        return Told(data, said)
    data["preview"] = f"{now.astimezone(UTC).strftime(_SIGN)}-{maintenance.print_of(found)}"
    sure = f"With --yes --preview {data['preview']} exactly these are, with --yes whatever is meant by then."
    return Told(data, lines([table(rows), _more(len(some)), *_sums(data), said, sure]))


def _document(entry: Entry) -> str:
    return entry.path.partition("/")[2].removesuffix(scopes.ENDING)


def _numbers(found: Found) -> dict[str, Any]:
    kinds, sorts = maintenance.counted(entry for some in found.values() for entry in some)
    count = sum(map(len, found.values()))
    return {"entries": count, "left": 0, "by_kind": kinds, "by_scope": sorts, "preview": None, "change_set": None}


def _sums(data: Mapping[str, Any]) -> Sequence[str]:
    """How many of what, a line each."""
    heads = {"by_kind": "By kind", "by_scope": "By scope"}
    found = {head: data[name] for name, head in heads.items() if data.get(name)}
    return [f"{head}: {', '.join(f'{what} {count}' for what, count in some.items())}" for head, some in found.items()]


def _left_out(data: Mapping[str, Any]) -> Sequence[str]:
    gone = f"Left out {plural(data['forgotten'], 'line')} whose entry was forgotten; --force takes those too."
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
        f"Left out {plural(data['left'], 'line')} that can be no entry:",
        *some,
        *filter(None, [_more(data["left"])]),
    ]


def _more(count: int) -> str:
    return f"and {count - SHOWN} more" if count > SHOWN else ""
