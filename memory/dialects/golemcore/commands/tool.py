"""The memory tool on the command line."""

from __future__ import annotations

from typing import Any

from memory.dialects.golemcore import layout, tool_calls
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, granted, plain

OPERATIONS = ("add", "search", "update", "promote", "forget")
LISTS = ("tags", "references")


def register(commands: Any) -> None:
    parser = add(commands, "tool", run, "call a GolemCore's memory tool", writes=True)
    parser.add_argument("operation", choices=OPERATIONS)
    words = "such as content=…, query=…, id=…, type=fix, layer=procedural, tags=a,b, limit=5"
    parser.add_argument("arguments", metavar="NAME=VALUE", nargs="*", help=words)


def run(call: Invocation) -> Output:
    if call.bot.dialect != layout.NAME:
        raise CommandRefused(f"{call.bot.slug} has no memory tool. Name another bot with --bot.")
    given = {"operation": f"memory_{call.options.operation}", **dict(map(_argument, call.options.arguments))}
    answer, change = granted(tool_calls.call(call.bot, given, BY))
    data = {**answer.told, "change_set": change.pk if change else None}
    if not answer.success:
        raise CommandRefused(answer.output, data)
    return Output(data, plain(answer.output))


def _argument(said: str) -> tuple[str, object]:
    name, equals, value = said.partition("=")
    if not equals or not name:
        raise CommandRefused(f"{said} must be NAME=VALUE. Nothing was changed.")
    return name, value.split(",") if name in LISTS else value
