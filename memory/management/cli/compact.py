"""The command compact: the rules, or a job that asks the language model."""

from __future__ import annotations

from typing import Any

from memory.compaction import runner
from memory.domain.outcomes import Refused
from memory.domain.plan import Fate, Plan
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, one_line, plural, table


def register(commands: Any) -> None:
    compact = add(
        commands, "compact", run_compaction, "move old logs to long-term memory, or archive them", writes=True
    )
    compact.add_argument("--dry-run", action="store_true", help="show the plan and write nothing")
    compact.add_argument("--today", metavar="DATE", help="plan as of this day, such as 2026-01-31")
    compact.add_argument("--retention-days", metavar="N", type=int, help="days before a log is old, 1 to 365")
    compact.add_argument("--dedupe", choices=("same", "substring"), help="what counts as a duplicate")
    compact.add_argument(
        "--keep-logs", action="store_true", default=None, help="keep a whole log if one of its facts stays"
    )
    compact.add_argument("--old-logs", choices=("move", "archive"), help="move their facts, or archive whole logs")
    compact.add_argument("--past-limit", action="store_true", default=None, help="move facts even past the bot's limit")
    compact.add_argument(
        "--same-words",
        action="store_true",
        default=None,
        help="count what is said again at another time as a duplicate",
    )
    compact.add_argument("--by-meaning", action="store_true", help="with the language model, as a job")
    compact.add_argument("--wait", action="store_true", help="with --by-meaning: run the job here and wait for it")
    whose = compact.add_mutually_exclusive_group()
    whose.add_argument("--chat", metavar="ID", help="only this chat's logs")
    whose.add_argument("--all-chats", action="store_true", help="shared logs and the logs of every chat")


def run_compaction(call: Invocation) -> Output:
    options, bot = call.options, call.bot
    scopes = (options.chat,) if options.chat else runner.all_scopes(bot) if options.all_chats else ("",)
    given = {name: getattr(options, name) for name in runner.BY_WORD}
    if options.wait and not options.by_meaning:
        raise CommandRefused("--wait goes with --by-meaning.")
    try:
        if options.by_meaning:
            from memory.management.cli.jobs import by_meaning  # here, for all else starts without what it takes

            return by_meaning(call, scopes, {**given, "today": options.today})
        if options.dry_run:
            outcome: runner.Ran | Refused = _as_if(runner.plan(bot, scopes, options.today, **given))
        else:
            outcome = runner.run(bot, scopes, BY, options.today, **given)
    except runner.BadOption as bad:
        raise CommandRefused(str(bad)) from None
    if isinstance(outcome, Refused):
        raise CommandRefused(outcome.reason)
    return _told_compaction(outcome, options.dry_run)


def _as_if(plan: Plan) -> runner.Ran | Refused:
    return Refused(plan.stopped) if plan.stopped else runner.Ran(None, plan, runner.counts(plan))


def _told_compaction(ran: runner.Ran, dry_run: bool) -> Output:
    plan = [
        {
            "path": one.path,
            "line": one.line,
            "end_line": one.end_line,
            "text": one.text,
            "fate": one.fate.value,
            "target": one.target,
            "is_fact": one.is_fact,
            "note": one.note,
        }
        for one in ran.plan.decisions
    ]
    change_set = ran.change_set.pk if ran.change_set else None
    data = {
        "compacted": ran.counts.moved,
        "skipped": ran.counts.duplicates,
        "deleted": ran.counts.removed,
        "archived": ran.counts.archived,
        "change_set": change_set,
        "plan": plan,
        "sizes": {path: list(sizes) for path, sizes in ran.plan.sizes.items()},
        "unread": [{"path": path, "why": why} for path, why in ran.plan.unread],
    }
    rows = [
        (one.fate.value, f"{one.path}:{one.line}", one_line(one.text, 60), one.target) for one in ran.plan.decisions
    ]
    facts = f"{plural(ran.counts.moved, 'fact')} moved, {plural(ran.counts.duplicates, 'duplicate')}, "
    facts += f"{plural(ran.counts.removed, 'log')} removed, {plural(ran.counts.archived, 'log')} archived"
    end = f"Would be: {facts}." if dry_run else f"{facts}." + (f" Change {change_set}." if change_set else "")
    kept = sum(one.fate is Fate.KEEP for one in ran.plan.decisions)
    left = [f"{path}: {why}" for path, why in ran.plan.unread]
    return Output(data, lines([table(rows), *left, end, f"{plural(kept, 'line')} stay." if kept else ""]))
