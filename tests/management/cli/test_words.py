"""The command line calls things as the pages do."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command

from memory.bots import families
from memory.management import cli

NEVER = re.compile(
    r"\b(documents?|change sets?|session ids?|proposals?|propose|propositions?|family|mend(ed)?|take\w* back|brings? back"
    r"|let go|lasting one|scratchpads?|taken (in|out)|cannot|is no|stands?)\b"
)
COMMANDS = sorted({name for names in cli.NAMES.values() for name in names})


def helped(capsys, *words):
    with pytest.raises(SystemExit):
        call_command("memory", *words, "--help")
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_uses_the_words_of_the_pages(name, capsys):
    assert NEVER.findall(helped(capsys, name)) == []


def test_help_of_all_commands_uses_the_words_of_the_pages(capsys):
    assert families.commands()
    assert NEVER.findall(helped(capsys)) == []
