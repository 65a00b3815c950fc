"""Commands that write: turn, write, undo, export, import."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

from django.utils import timezone

from memory import journal
from memory.access.request_body import RefusedCall
from memory.bots import open_bot
from memory.compaction import runner
from memory.curation import parted
from memory.curation.documents import version_as_text
from memory.domain.changes import Put, is_safe_path
from memory.management.cli.command import (
    BY,
    CommandRefused,
    Invocation,
    Output,
    add,
    lines,
    plain,
    plural,
    read_input,
)
from memory.models import Bot, ChangeSet
from memory.registry import export_zip, import_zip
from memory.webhook import call as turn_calls, deliveries

NO_BASE = (
    "The file exists. Use --base to say which version yours was made from; `memory show PATH --json` prints it as base."
)


def register(commands: Any) -> None:
    turn = add(commands, "turn", take_turn, "take one delivery, given as the webhook's JSON", writes=True)
    turn.add_argument("file", metavar="FILE", nargs="?", default="-", help="a file, or - for standard input")
    write = add(commands, "write", write_document, "save a file as the editor would", writes=True)
    write.add_argument("path", metavar="PATH")
    write.add_argument("file", metavar="FILE", nargs="?", default="-", help="a file, or - for standard input")
    write.add_argument(
        "--base",
        metavar="SHA256",
        help="the version it was made from, as `memory show PATH --json` prints it; a new file needs none",
    )
    undo = add(commands, "undo", take_back, "undo a change", writes=True)
    undo.add_argument("change_set", metavar="CHANGE", type=int)
    out = add(commands, "export", export, "export the whole memory as a ZIP file with a manifest of hashes")
    out.add_argument("file", metavar="FILE.zip")
    back = add(commands, "import", bring_in, "import the files of an export", writes=True)
    back.add_argument("file", metavar="FILE.zip")
    back.add_argument("--dry-run", action="store_true", help="show what would be written and write nothing")


def take_turn(call: Invocation) -> Output:
    raw = read_input(call.options.file)
    now = timezone.now()
    try:
        parsed = turn_calls.parse(raw, now)
    except RefusedCall as refused:
        raise CommandRefused(f"The delivery was rejected: {refused.error}.", {"error": refused.error}) from None
    letter = deliveries.Letter(hashlib.sha256(raw).hexdigest(), now, time.perf_counter(), by=BY)
    answer = deliveries.receive(call.bot, parsed, letter)
    if answer.status != 200:
        why = answer.why or f"The delivery was rejected: {answer.body['error']}."
        raise CommandRefused(why, answer.body)
    return Output(answer.body, plain(answer.body["response"]))


def write_document(call: Invocation) -> Output:
    options, bot = call.options, call.bot
    place = open_bot(bot).dialect.describe(options.path) if is_safe_path(options.path) else None
    if place is None:
        raise CommandRefused(f"{options.path} isn’t a file of this bot. Nothing was written.")
    if not place.editable:
        raise CommandRefused(f"{options.path} is the bot's own and is not written from here. Nothing was written.")
    change = Put(options.path, read_input(options.file), options.base or None)
    outcome = journal.commit(bot, [change], by=BY, kind=ChangeSet.Kind.EDIT, moved="join")
    if isinstance(outcome, journal.Conflict):
        reason = outcome.reason if options.base else NO_BASE
        raise CommandRefused(f"{options.path} was not written. {reason}", _conflict(call.bot, outcome))
    told, caution = _told_set(outcome, f"Wrote {options.path}"), open_bot(bot).dialect.caution(options.path)
    return Output({**told.data, "caution": caution}, lines((told.text, caution)))


def take_back(call: Invocation) -> Output:
    change_set = ChangeSet.objects.filter(bot=call.bot, pk=call.options.change_set).first()
    if change_set is None:
        raise CommandRefused(_no_change_set(call.options.change_set))
    lost = runner.lost_facts(change_set, parted.foresee_lost(call.bot, change_set))
    outcome = journal.undo(call.bot, change_set, BY)
    if isinstance(outcome, journal.Conflict):
        raise CommandRefused(f"Nothing was undone. {outcome.reason}", _conflict(call.bot, outcome))
    told = _told_set(outcome, f"Undid change {change_set.pk}")
    missing = f"No longer in any file: {plural(lost, 'fact')}." if lost else ""
    return Output({**told.data, "lost": lost}, lines((told.text, missing)))


def _no_change_set(number: int) -> str:
    """Why a number is none of the bot's, with the bot whose it is."""
    other = Bot.present.filter(change_sets=number).first()
    hint = f"It is one of {other.name}: --bot {other.slug}." if other else "`memory history` lists them."
    return f"This bot has no change {number}. {hint}"


def export(call: Invocation) -> Output:
    made = export_zip.write(call.bot, Path(call.options.file))
    text = f"{plural(made.files, 'file')}, {plural(made.bytes, 'byte')}, in {call.options.file}."
    left = [{"path": path, "why": why} for path, why in made.left_out]
    told = {"files": made.files, "bytes": made.bytes, "left_out": left}
    return Output(told, lines([text, *(f"left out: {path}: {why}" for path, why in made.left_out)]))


def bring_in(call: Invocation) -> Output:
    outcome = import_zip.bring_in(call.bot, Path(call.options.file), BY, dry_run=call.options.dry_run)
    if isinstance(outcome, journal.Conflict):
        raise CommandRefused(f"Nothing was written. {outcome.reason}", _conflict(call.bot, outcome))
    data = {
        "files": len(outcome.written),
        "bytes": outcome.bytes,
        "written": list(outcome.written),
        "unchanged": len(outcome.unchanged),
        "skipped": [{"path": path, "why": why} for path, why in outcome.skipped],
        "change_set": outcome.change_set.pk if outcome.change_set else None,
    }
    verb = "Would write" if call.options.dry_run else "Wrote"
    rest = f"{verb} {plural(len(outcome.written), 'file')}; {len(outcome.unchanged)} are unchanged."
    return Output(data, lines([rest, *(f"left out: {path}: {why}" for path, why in outcome.skipped)]))


def _told_set(outcome: journal.Applied, done: str) -> Output:
    change_set = outcome.change_set.pk if outcome.change_set else None
    joined = (
        f" The bot or somebody else had written to {', '.join(outcome.joined)}; those lines were kept."
        if outcome.joined
        else ""
    )
    left = f" {outcome.left}" if outcome.left else ""
    text = f"{done}: change {change_set}.{joined}{left}" if change_set else "Nothing had to change."
    return Output({"change_set": change_set, "joined": list(outcome.joined)}, text)


def _conflict(bot: Bot, outcome: journal.Conflict) -> dict[str, Any]:
    if not outcome.clashes:
        return {"reason": outcome.reason}
    first = outcome.clashes[0]
    sides = {"base": first.base or None, "ours": first.ours, "theirs": first.theirs}
    texts = {side: _text(bot, first.path, data) for side, data in sides.items()}
    return {"conflict": {"path": first.path, **texts}, "reason": outcome.reason}


def _text(bot: Bot, path: str, data: bytes | None) -> str | None:
    place = open_bot(bot).dialect.describe(path)
    if data is None or place is None or place.is_text:
        return None if data is None else data.decode("utf-8", "replace")
    return version_as_text(open_bot(bot).dialect, path, data)
