"""Commands about an Autobot's history and its chats: search the one, sum up the others."""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import asdict
from datetime import date
from typing import Any

from memory import index, llm
from memory.bots import open_bot
from memory.dialects.autobot import layout, sessions, window
from memory.dialects.autobot.consolidation import blocks, job
from memory.dialects.autobot.found import found, with_lines
from memory.domain.places import Kind, Tier
from memory.jobs.tasks import run_job
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, granted, lines, plural, table
from memory.models import Bot, Document, Job

MOST_LINES = 1000  # around a hit


def register(commands: Any) -> None:
    log = add(
        commands, "log", search, "search an Autobot's HISTORY.md by words and days, with the lines around each hit"
    )
    log.add_argument("query", metavar="QUERY", nargs="*")
    log.add_argument("--from", dest="since", metavar="DAY", type=_day, help="YYYY-MM-DD, inclusive")
    log.add_argument("--until", metavar="DAY", type=_day, help="YYYY-MM-DD, inclusive")
    log.add_argument("--around", metavar="LINES", type=_lines, default=0, help="lines before and after each hit")
    chats = add(commands, "consolidate", consolidate, "consolidate an Autobot's chat, or list the chats", writes=True)
    chats.add_argument("--chat", metavar="ID", help="the name of its file; lists all chats by default")
    chats.add_argument("--put-back", action="store_true", help="put the chat's waiting messages back instead")


def search(call: Invocation) -> Output:
    options = call.options
    data = index.BotMemory(call.bot).read(layout.HISTORY) or b""
    hits = found(data, " ".join(options.query), options.since or "", options.until or "")
    hits = with_lines(data, hits, options.around)
    text = "\n\n".join(lines((hit.before, f"{hit.line}: {hit.text}", hit.behind)) for hit in hits)
    return Output({"hits": [asdict(hit) for hit in hits]}, text or "No results.")


def consolidate(call: Invocation) -> Output:
    bot, options = call.bot, call.options
    index.refresh(bot)
    if not options.chat:
        return _listed(bot)
    chat = _chat(bot, options.chat)
    if options.put_back:
        return _put_back(bot, chat)
    path = next(iter(blocks.waiting(bot, chat)), "") or granted(blocks.archive(bot, chat, BY)).path
    if llm.server() is None:
        raise CommandRefused(f"{llm.NO_MODEL} The messages wait in {path}.", {"block": path})
    queued = job.start(bot, path, BY)
    run_job.call(queued.pk)
    done = Job.objects.get(pk=queued.pk)
    data = {"block": path, "job": done.pk, "state": done.state}
    return Output(data, f"Job {done.pk}: {done.state}.", problem=str(done.trouble))


def _chat(bot: Bot, named: str) -> str:
    """The chat of a file's name, or of the bot's own key. Raises CommandRefused where there is none."""
    known = set(Document.objects.filter(bot=bot, tier=Tier.CHAT).values_list("scope", flat=True))
    for chat in (named, open_bot(bot).chat(named)):
        if chat in known:
            return chat
    raise CommandRefused("This bot has no such chat.")


def _put_back(bot: Bot, chat: str) -> Output:
    path = next(iter(blocks.waiting(bot, chat)), "")
    moved = granted(blocks.put_back(bot, path, BY))
    return Output({"block": path, "messages": moved.count}, f"{plural(moved.count, 'message')} put back.")


def _listed(bot: Bot) -> Output:
    rows = [_row(bot, *one) for one in _transcripts(bot)]
    heads = ("CHAT", "STORED", "IN PROMPT", "IN NEITHER", "DUE", "WAITING")
    shown = [(row["chat"], row["stored"], row["sent"], row["neither"], row["due"], row["waiting"]) for row in rows]
    return Output({"chats": rows}, table(shown, heads))


def _transcripts(bot: Bot) -> list[tuple[str, str]]:
    found = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT)
    return list(found.order_by("scope").values_list("scope", "path"))


def _row(bot: Bot, scope: str, path: str) -> dict[str, Any]:
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    session = sessions.read(memory, path)
    stored = len(session.messages)
    line = window.timeline(stored, settings.memory_window, settings.session_history_limit)
    waiting = sum(len(sessions.read(memory, block).messages) for block in blocks.waiting(bot, scope))
    about = {"chat": scope, "stored": stored, "sent": line.sent, "neither": line.neither, "due": line.due}
    return {**about, "waiting": waiting, "turns": line.turns, "damage": session.damage}


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day such as 2026-01-31") from None


def _lines(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= MOST_LINES):
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to {MOST_LINES}")
    return int(text)
