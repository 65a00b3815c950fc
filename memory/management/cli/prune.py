"""The command `prune`: facts with attributes that are old or past their time, shown first and forgotten with --yes."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory.bots import open_bot
from memory.curation import pruning
from memory.curation.pruning import Chosen, PruneSelection
from memory.management.cli import scope_options
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, one_line, plural, table
from memory.text.attributes import Attributes, instant

SHOWN = 20
DAYS = 36_500
LATER = (
    "These aren’t the entries that were shown: some have changed since. Nothing was changed. Look again without --yes."
)
_SIGN = "%Y%m%dT%H%M%S.%fZ"
_PREVIEW = re.compile(r"(\d{8}T\d{6}\.\d{6}Z)-([0-9a-f]{12})")


def register(commands: Any) -> None:
    old = add(
        commands,
        "prune",
        prune,
        "show which entries would be forgotten; with --yes forget them",
        writes=True,
    )
    old.add_argument("--older-than-days", metavar="N", type=days, help="not updated for this many days")
    old.add_argument("--expired", action="store_true", help="expired entries")
    scope_options.kinds(old)
    scope_options.options(old)
    sure = old.add_mutually_exclusive_group()
    sure.add_argument("--yes", action="store_true", help="forget them; `memory undo` restores them")
    sure.add_argument("--dry-run", action="store_true", help="only show them, as without --yes")
    old.add_argument("--preview", metavar="P", type=preview, help="with --yes: only exactly what this preview showed")


def days(text: str) -> int:
    """A number of days; for argparse."""
    if text.isdecimal() and 1 <= int(text) <= DAYS:
        return int(text)
    raise ArgumentTypeError(f"{text!r} isn’t a number of days from 1 to {DAYS}")


def preview(text: str) -> tuple[datetime, str]:
    """When something was shown, and what it was; for argparse."""
    if found := _PREVIEW.fullmatch(text):
        return datetime.strptime(found[1], _SIGN).replace(tzinfo=UTC), found[2]
    raise ArgumentTypeError(f"{text!r} isn’t a preview name of `memory prune`")


def prune(call: Invocation) -> Output:
    options = call.options
    scope_options.ability(call)
    if options.preview and not options.yes:
        raise CommandRefused("--preview goes with --yes. Nothing was changed.")
    shown = options.preview[0] if options.preview else None
    now = shown or open_bot(call.bot).now()
    found = _chosen(call, now)
    if shown:
        found = _as_of(found, instant(shown))
        if pruning.print_of(found) != options.preview[1]:
            raise CommandRefused(LATER)
    if not options.yes:
        return _previewed(call, found, now)
    count = sum(map(len, found.values()))
    if not count:
        return Output(_numbers(found), "Pruned 0 entries.")
    outcome = pruning.prune(call.bot, found, BY)
    if not isinstance(outcome, pruning.Pruned):
        raise CommandRefused(outcome.reason)
    made = outcome.change_set.pk if outcome.change_set else None
    data = {**_numbers(found), "entries": outcome.count, "left": outcome.left, "change_set": made}
    left = f"{plural(outcome.left, 'entry', 'entries')} changed meanwhile and stayed." if outcome.left else ""
    return Output(
        data, lines([*sums(data), f"Pruned {plural(outcome.count, 'entry', 'entries')}, change {made}.", left])
    )


def _chosen(call: Invocation, now: datetime) -> Chosen:
    options = call.options
    choice = PruneSelection(
        scope_options.names(scope_options.ability(call), scope_options.named(call)),
        tuple(options.kind),
        options.older_than_days,
        options.expired,
    )
    try:
        return pruning.choose(call.bot, choice, now)
    except ValueError as error:
        raise CommandRefused(str(error)) from None


def _as_of(found: Chosen, at: str) -> Chosen:
    """Without what came or changed later."""
    kept = {path: [fact for fact in some if _was_so(fact.attributes, at)] for path, some in found.items()}
    return {path: some for path, some in kept.items() if some}


def _was_so(about: Attributes | None, at: str) -> bool:
    return about is not None and about.created <= at and about.updated <= at


def _previewed(call: Invocation, found: Chosen, now: datetime) -> Output:
    data, dialect = _numbers(found), open_bot(call.bot).dialect
    scopes = {path: place.scope for path in found if (place := dialect.describe(path))}
    some = [(scopes[path], fact) for path, of_path in found.items() for fact in of_path]
    told = [
        (about.updated, about.kind, scope, one_line(fact.text, 60))
        for scope, fact in some
        if (about := fact.attributes)
    ]
    rows = [
        (kind, scope, updated[:10], text) for updated, kind, scope, text in sorted(told, key=lambda one: one[0])[:SHOWN]
    ]
    said = f"Dry run: {plural(len(some), 'entry', 'entries')} would be pruned."
    if not some:
        return Output(data, said)
    data["preview"] = f"{now.astimezone(UTC).strftime(_SIGN)}-{pruning.print_of(found)}"
    sure = f"With --yes --preview {data['preview']} exactly these are, with --yes whatever is meant by then."
    return Output(data, lines([table(rows), more(len(some)), *sums(data), said, sure]))


def _numbers(found: Chosen) -> dict[str, Any]:
    kinds, sorts = pruning.count_facts(found)
    count = sum(map(len, found.values()))
    return {"entries": count, "left": 0, "by_kind": kinds, "by_scope": sorts, "preview": None, "change_set": None}


def sums(data: Mapping[str, Any]) -> Sequence[str]:
    """How many of what, a line each."""
    heads = {"by_kind": "By kind", "by_scope": "By scope"}
    found = {head: data[name] for name, head in heads.items() if data.get(name)}
    return [f"{head}: {', '.join(f'{what} {count}' for what, count in some.items())}" for head, some in found.items()]


def more(count: int) -> str:
    return f"and {count - SHOWN} more" if count > SHOWN else ""
