"""Every command of the pages for people can be pasted into a shell in the clone, and is one that there is."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOR_DEVELOPERS = {"architecture.md", "benchmarks.md"}
MANAGE = ".venv/bin/python manage.py "
STANDS = "`memory …` stands for `.venv/bin/python manage.py memory …`, called in the clone."
FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`]+)`")
SHORT = re.compile(r"memory [a-z-]+")


def pages():
    return [pytest.param(page.read_text(), id=page.name) for page in PAGES if page.name not in FOR_DEVELOPERS]


def said(text):
    """What stands in code, inline or in a block, a line each."""
    for block in FENCED.findall(text):
        yield from block.replace("\\\n", " ").splitlines()
    yield from (" ".join(code.split()) for code in INLINE.findall(FENCED.sub("", text)))


def commands(text):
    """The words of each command in full."""
    for line in said(text):
        _, found, rest = line.partition(MANAGE)
        if found and "…" not in rest:
            yield shlex.split(rest, comments=True)


def taken(name, words):
    """Raises for a command that is called otherwise."""
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    with suppress(SystemExit):  # how --help ends; what is wrong is a CommandError
        parser.parse_args(words)


@pytest.mark.parametrize("text", pages())
def test_commands_name_the_python_that_runs_them(text):
    assert [line for line in said(text) if re.search(r"manage\.py \S", line) and MANAGE not in line] == []


@pytest.mark.parametrize("text", pages())
def test_pages_say_what_the_short_form_stands_for(text):
    first = next((found for found in INLINE.finditer(FENCED.sub("", text)) if SHORT.match(found[1])), None)
    assert first is None or STANDS in FENCED.sub("", text)[: first.start()]


@pytest.mark.parametrize("text", pages())
def test_commands_are_taken_as_they_stand(text):
    for name, *words in commands(text):
        taken(name, words)


@pytest.mark.parametrize("text", pages())
def test_commands_in_short_are_there(text, capsys):
    for name in {line.split()[1] for line in said(text) if SHORT.match(line)}:
        taken("memory", [name, "--help"])


def test_there_are_commands_to_check():
    assert sum(len(list(commands(page.read_text()))) for page in PAGES) > 15
