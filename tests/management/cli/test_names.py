"""Which module is imported for which command."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module

import pytest

from memory.management import cli
from memory.management.commands.memory import Command


@pytest.mark.parametrize("module", cli.NAMES)
def test_a_module_registers_what_it_is_imported_for(module):
    commands = ArgumentParser().add_subparsers()
    import_module(f"{cli.__name__}.{module}").register(commands)
    assert tuple(commands.choices) == cli.NAMES[module]


@pytest.mark.parametrize(
    "typed",
    [
        "tool search query=tea",
        "tool forget id=1",
        "--bot search log history",
        "-v 1 --bot facts why status",
        "search history --bot facts",
        "--json --bot=search show facts",
    ],
)
def test_what_is_said_to_a_command_is_taken_for_none(typed):
    command = Command()
    command.words = typed.split()
    given = command.create_parser("manage.py", "memory").parse_args(command.words)
    assert given.command in ("tool", "log", "why", "search", "show")
