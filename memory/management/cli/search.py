"""Command that finds facts by their words: search."""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from memory import index, search
from memory.bots import families, open_bot
from memory.domain.places import Tier
from memory.management.cli.command import CommandRefused, Invocation, Output, add, lines, one_line, plural, table
from memory.models import Bot
from memory.prompts import uses
from memory.search import Hit, Results, Why, log

SCORE_DIGITS = 4


def register(commands: Any) -> None:
    asked = add(commands, "search", find, "search the facts, best match first")
    asked.add_argument(
        "query", metavar="QUERY", nargs="*", help='words, "phrases", -not, and filters such as tier:chat'
    )
    asked.add_argument("--query", "-q", dest="asked", metavar="QUERY", help="the same, as an option")
    asked.add_argument("--limit", "-n", metavar="N", type=count, help="show at most this many facts, up to 200")
    asked.add_argument("--chat", metavar="ID", help="as this chat, which can’t see other chats")
    asked.add_argument("--tier", metavar="T", choices=[tier.value for tier in Tier], help="only this tier")
    for own in families.command_lines():
        own.search_options(asked)


def count(text: str) -> int:
    """A number from 1 to as many facts as are ranked at all; for argparse."""
    if text.isdecimal() and 1 <= int(text) <= search.MOST:
        return int(text)
    raise ArgumentTypeError(f"{text!r} isn’t a number from 1 to {search.MOST}")


def words(call: Invocation) -> str:
    """What is looked for, given in its place or with --query. Raises CommandRefused."""
    said = " ".join(call.options.query) or call.options.asked or ""
    if not said.strip() or (call.options.query and call.options.asked):
        raise CommandRefused("Give the query once: as words or with --query.")
    return said


def find(call: Invocation) -> Output:
    options, bot = call.options, call.bot
    query = words(call)
    for family in families.command_lines():
        told: Output | None = family.search(call)
        if told is not None:
            return told
    if options.chat and (problem := open_bot(bot).dialect.session_id_problem(options.chat)):
        raise CommandRefused(problem)
    if (refreshed := index.refresh(bot, patience=20)).trouble:
        raise CommandRefused(refreshed.trouble)
    found = _search(bot, query, options)
    uses.record(bot, (hit.key for hit in found.hits))
    log.note(bot, query, [hit.key for hit in found.hits], timezone.now())
    data = {
        "hits": [_hit(hit) for hit in found.hits],
        "found": found.found,
        "more": found.more,
        "nowhere": list(found.nowhere),
        "notes": list(found.notes),
    }
    return Output(data, lines([*found.notes, _nowhere(found), _shown(found)]))


def _search(bot: Bot, query: str, options: Any) -> Results:
    bot.refresh_from_db(fields=["indexed"])
    return search.search(
        bot,
        query,
        now=open_bot(bot).now(),
        chat=options.chat or None,
        tier=options.tier,
        limit=options.limit or search.FEW,
    )


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "line": hit.line,
        "end_line": hit.end_line,
        "time": hit.time or None,
        "text": hit.text,
        "tier": hit.tier,
        "scope": hit.scope,
        "day": hit.day or None,
        "heading": hit.heading,
        "score": round(hit.score, SCORE_DIGITS),
        "why": {**asdict(hit.why), "said": _why(hit.why)},
    }


def _why(why: Why) -> str:
    """Why a fact was found, in words."""
    parts = (("says", why.words), ("under", why.about), ("beside", why.beside))
    said = [f"{word} {', '.join(words)}" for word, words in parts if words]
    more = (
        ("by whom the query names", why.speaks),
        ("of that date", why.date > 0),
        ("alike in meaning", why.alike > 0),
    )
    return "; ".join([*said, *(words for words, holds in more if holds)])


def _nowhere(found: Results) -> str:
    return f"No fact contains {', '.join(found.nowhere)}." if found.nowhere else ""


def _shown(found: Results) -> str:
    rows = [
        (f"{hit.path}:{hit.line}", hit.time, f"{hit.score:.1f}", one_line(hit.text), _why(hit.why))
        for hit in found.hits
    ]
    if not rows:
        return "The query is empty." if found.query.is_empty else "No results."
    left = found.found - len(rows)
    more = f"{plural(left, 'more fact')}{' or more' if found.more else ''}; --limit shows them." if left else ""
    return lines([table(rows), more])
