"""Which module is imported for which command."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module

import pytest

from memory.management import cli


@pytest.mark.parametrize("module", cli.NAMES)
def test_a_module_registers_what_it_is_imported_for(module):
    commands = ArgumentParser().add_subparsers()
    import_module(f"{cli.__name__}.{module}").register(commands)
    assert tuple(commands.choices) == cli.NAMES[module]
