"""`sessions`: all of them with their full IDs, and one of them compacted, cleared or deleted."""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import asdict
from typing import Any

from memory import index, llm
from memory.bots import open_bot
from memory.curation.writing import Written
from memory.dialects.golemcore.session_store import acts, job, overview
from memory.dialects.golemcore.sessions.compact import threshold
from memory.domain.outcomes import Refused
from memory.jobs.tasks import run_job
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, granted, plural, table
from memory.models import Bot, Job

MOST = 10_000


def register(commands: Any) -> None:
    some = add(commands, "sessions", sessions, "list a GolemCore's sessions, or change one", writes=True)
    some.add_argument("query", metavar="WORDS", nargs="*", help="words of an ID or a message")
    some.add_argument("--channel", default="", help="only of this channel")
    some.add_argument("--state", default="", type=str.upper, help="ACTIVE, PAUSED or TERMINATED")
    some.add_argument("--chat", metavar="ID", help="the session to change")
    deeds = some.add_mutually_exclusive_group()
    deeds.add_argument("--compact", metavar="N", type=_number, help="keep its newest N messages")
    deeds.add_argument("--clear", action="store_true", help="remove all its messages")
    deeds.add_argument("--delete", action="store_true", help="delete its file")


def sessions(call: Invocation) -> Output:
    bot, options = call.bot, call.options
    index.refresh(bot)
    is_deed = options.compact is not None or options.clear or options.delete
    if is_deed != bool(options.chat):
        raise CommandRefused("--chat ID goes with --compact N, --clear or --delete.")
    if not options.chat:
        return _listed(call)
    if options.delete:
        return _told(acts.delete(bot, options.chat, BY), "Deleted.")
    if options.clear:
        return _told(acts.clear(bot, options.chat, BY), "")
    return _compacted(bot, options.chat, options.compact)


def _listed(call: Invocation) -> Output:
    bot, options = call.bot, call.options
    asked = overview.SessionFilters(" ".join(options.query), options.channel, options.state)
    found = overview.matching(bot, overview.every(bot), asked)
    heads = ("ID", "CHANNEL", "STATE", "MESSAGES", "TOOL CALLS", "TOKENS", "UPDATED")
    shown = [(one.id, one.channel, one.state, one.messages, one.calls, one.tokens, one.updated[:19]) for one in found]
    data = {"sessions": [asdict(one) for one in found], "threshold": threshold(open_bot(bot).settings.maxContextTokens)}
    return Output(data, table(shown, heads) if found else "No sessions.")


def _compacted(bot: Bot, chat: str, keep: int) -> Output:
    if llm.server() is None:
        return _told(acts.compact(bot, chat, keep, BY), "")
    queued = job.start(bot, chat, keep, BY)
    run_job.call(queued.pk)
    done = Job.objects.get(pk=queued.pk)
    return Output({"job": done.pk, "state": done.state}, f"Job {done.pk}: {done.state}.", problem=str(done.trouble))


def _told(outcome: Written[int] | Refused, words: str) -> Output:
    done = granted(outcome)
    change = done.change_set.pk if done.change_set else None
    return Output({"count": done.told, "change_set": change}, words or f"{plural(done.told, 'message')} cut.")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= MOST):
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to {MOST}")
    return int(text)
