"""Commands about recall tests: recall looks at all of them, pin makes one."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from memory import index
from memory.checks import recall_tests
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.management.cli.command import CommandRefused, Invocation, Output, add, lines, one_line, plural, table
from memory.models import Bot, Fact, RecallTest


def register(commands: Any) -> None:
    add(commands, "recall", look, "run the recall tests; exit 1 if one fails")
    new = add(commands, "pin", make, "add a recall test: this question must find the fact in this line")
    new.add_argument("question", metavar="QUESTION")
    new.add_argument("place", metavar="PATH:LINE", type=place)
    new.add_argument("--chat", metavar="ID", default="", help="ask as this chat, which can’t see other chats")
    new.add_argument(
        "--within",
        metavar="N",
        type=int,
        choices=recall_tests.WITHIN,
        default=recall_tests.USUAL,
        help="it must be among the first N results",
    )
    new.add_argument("--reads", action="store_true", help="the prompt for the question must contain it, too")


def place(text: str) -> tuple[str, int]:
    """A path and a line as `PATH:LINE`; for argparse."""
    path, _colon, line = text.rpartition(":")
    if path and line.isdecimal():
        return path, int(line)
    raise ArgumentTypeError(f"{text!r} isn’t a place such as MEMORY.md:12")


def look(call: Invocation) -> Output:
    bot = _in_step(call)
    tests = list(RecallTest.objects.filter(bot=bot).order_by("id"))
    recall_tests.check(bot, tests)
    broken = [one for one in tests if one.broken]
    data = {"ok": not broken, "tests": [_test(one) for one in tests]}
    text = table([(_said(one), one_line(one.question, 50), one_line(one.text)) for one in tests])
    problem = f"{plural(len(broken), 'recall test')} of {len(tests)} failed." if broken else ""
    return Output(data, text or "No recall tests yet. `memory pin` adds one.", problem=problem)


def make(call: Invocation) -> Output:
    options, bot = call.options, _in_step(call)
    path, line = options.place
    stands = Fact.objects.filter(bot=bot, document__path=path, line__lte=line, end_line__gte=line)
    fact = stands.order_by("-line").first()
    if fact is None:
        raise CommandRefused(f"There is no fact at {path}:{line}. `memory facts {path}` lists them.")
    meant = FactRef(path, fact.key, fact.nth)
    rules = {"chat": options.chat, "within": options.within, "reads": options.reads}
    made = recall_tests.add(bot, options.question, meant, **rules)
    if isinstance(made, Refused):
        raise CommandRefused(made.reason)
    return Output(_test(made), lines([f"{_said(made)}: {one_line(made.text)}"]))


def _in_step(call: Invocation) -> Bot:
    if (refreshed := index.refresh(call.bot, patience=20)).trouble:
        raise CommandRefused(refreshed.trouble)
    call.bot.refresh_from_db(fields=["indexed"])
    return call.bot


def _test(one: RecallTest) -> dict[str, Any]:
    return {
        "question": one.question,
        "chat": one.scope,
        "path": one.path,
        "text": one.text,
        "state": _state(one),
        "rank": one.rank,
        "within": one.within,
        "is_read": one.is_read,
        "elsewhere": one.elsewhere or None,
        "instead": one.instead or None,
        "since": one.since_id,
    }


def _state(one: RecallTest) -> str:
    """In one word, for programs."""
    if one.missing:
        return "gone"
    if one.rank is None or one.rank > one.within:
        return "low"
    if one.is_read is False:
        return "unread"
    return "moved" if one.elsewhere else "found"


def _said(one: RecallTest) -> str:
    """In a few words, for people."""
    words = {
        "gone": "gone",
        "low": f"at {one.rank} of {one.within}" if one.rank else "not found",
        "unread": "not in the prompt",
        "moved": f"at {one.rank}, in {one.elsewhere}",
        "found": f"at {one.rank}",
    }
    return words[_state(one)]
