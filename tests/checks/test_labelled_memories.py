"""How often the rules about whole memories are right, as test_labelled.py asks of those about facts: what the wrong chat reads,
what nobody uses, what is read otherwise than it was meant, is open to others, is never loaded or was removed at once."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from django.db import transaction

from memory import index
from memory.bots.opened import OpenBot
from memory.checks import findings, leaks, never_loaded, permissions, references, removals, stale, structure
from memory.journal import By, pinning
from memory.models import Bot, Fact, Finding, Root
from memory.prompts import uses
from tests.checks.labelled_lines import LANGUAGES, TOKENS, hold, lines
from tests.support.amounts import some

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
WATCHED = 600  # days since uses are recorded
FIRST = 1000  # number of the first case's bot: of none whose rows are gone again another one has the number
FLAVOURS = ("claude-code", "openclaw", "hkuds", "plain")
CHATS = {"a": "telegram-1", "b": "telegram-2", "c": "telegram-3"}
STAMPS = {"": "{:%Y-%m-%d} 10:00 — ", "[": "[{:%Y-%m-%d}] ", "(": "({:%Y-%m-%d}) ", "-": "{:%Y-%m-%d}: "}
# What each rule finds of what it should: stated, and not to get worse unnoticed.
RECALL = {
    "leaks": 0.8,
    "stale": 0.85,
    "structure": 0.8,
    "permissions": 0.9,
    "never": 0.95,
    "removals": 0.9,
    "references": 0.85,
}


@dataclass
class Memory:
    """A bot of one case, and its files."""

    bot: Bot
    root: Path

    def write(self, path: str, text: str) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
        os.utime(target, (NOW.timestamp(), NOW.timestamp()))
        return target

    def finds(self, rule: str) -> bool:
        """Whether a walk and a look find something."""
        index.refresh(self.bot, accept_vanished=True)
        findings.look(self.bot)
        return Finding.objects.filter(bot=self.bot, rule=rule, gone=None).exists()


class Making:
    """Makes the memory of each case, with the clock that all of them have."""

    def __init__(self, tmp_path, monkeypatch):
        self.tmp_path, self.monkeypatch, self.numbers = tmp_path, monkeypatch, count()
        self.at(NOW)

    def at(self, now):
        self.monkeypatch.setattr(OpenBot, "now", lambda _self: now)

    def memory(self, name="kenobot", settings=None):
        family = "workspace" if name in FLAVOURS else name
        settings = {"flavour": name} if name in FLAVOURS else settings or {}
        number = next(self.numbers)
        bot = Bot.objects.create(pk=FIRST + number, slug=f"case-{number}", name=name, dialect=family, settings=settings)
        root = self.tmp_path / f"case-{number}"
        root.mkdir()
        Root.objects.create(bot=bot, name="memory", path=str(root))
        return Memory(bot, root)


@pytest.fixture
def making(db, tmp_path, kenoweb_home, monkeypatch):
    monkeypatch.setattr(permissions, "_is_reachable", lambda _place: True)  # a test's own directory is its owner's only
    return Making(tmp_path, monkeypatch)


def cases(name):
    """(whether it is to be found, language, text) of each."""
    return [(sign == "+", language, text) for sign, (language,), text in lines(name)]


def written(parts, facts=()):
    """The text of "<first>-<last> <line>" or of lines, one below the other; "№" is the number, "{}" the fact with that number."""
    made = []
    for part in parts.split(" | ") if parts else ():
        first, last, line = re.fullmatch(r"(?:(\d+)-(\d+) )?(.*)", part).groups()
        for number in range(int(first or 1), int(last or 1) + 1):
            made += line.replace("№", str(number)).replace("{}", facts[number - 1] if facts else "").split("|")
    return "".join(f"{line}\n" for line in made)


def leaks_found(making, _language, text):
    memory = making.memory()
    for part in text.split(" | "):
        where, day, said = re.match(r"(all|[abc])(\d*) (.*)", part).groups()
        folder = "" if where == "all" else f"chats/{CHATS[where]}/"
        if day:
            memory.write(f"{folder}2026-03-0{day}.md", f"## 10:00 — {said}\n\n")
        else:
            memory.write(f"{folder}MEMORY.md", f"- {said}\n")
    return memory.finds(leaks.NAME)


def stale_found(making, _language, text):
    place, how, age, use, said = re.match(r"(\w+) (\D?)(\d+)/(\w+) (.*)", text).groups()
    memory, then = making.memory(settings={"version": "0.7"}), NOW - timedelta(days=int(age))
    path = {"chat": "chats/telegram-1/MEMORY.md", "working": "working/telegram-1.md", "log": f"{then:%Y-%m-%d}.md"}
    stamp = "" if place == "log" or how == "m" else STAMPS[how].format(then)
    line = f"## 10:00 — {said}\n\n" if place == "log" else f"- {stamp}{said}\n"
    file = memory.write(path.get(place, "MEMORY.md"), line)
    if how == "m":
        os.utime(file, (then.timestamp(), then.timestamp()))
    index.refresh(memory.bot)
    (key,) = Fact.objects.filter(bot=memory.bot).values_list("key", flat=True)
    for days, keys in [(WATCHED, ["0" * 32]), (10, ["1" * 32]), *([(int(use), [key])] if use.isdigit() else [])]:
        making.at(NOW - timedelta(days=days))
        uses.record(memory.bot, keys)
    making.at(NOW)
    if use == "pin":
        pinning.mark(memory.bot, [key], By("Ana"), pinned=True)
    return memory.finds(stale.NAME)


def structure_found(making, _language, text):
    memory = making.memory()
    memory.write("MEMORY.md", text.replace("⏎", "\n"))
    return memory.finds(structure.NAME)


def permissions_found(making, _language, text):
    mode, path, said = text.split(" ", 2)
    memory = making.memory()
    form = "## 10:00 — {}\n" if path[0] == "2" else "- {}\n"
    files = {"chats/telegram-1/MEMORY.md": "- Likes tea\n", "working/telegram-1.md": "- Topic: taxes\n"}
    for name, text in {**files, path.rstrip("/"): form.format(said.format(**TOKENS))}.items():
        if not (memory.root / name).is_dir():
            memory.write(name, text)
    for one in memory.root.rglob("*"):
        one.chmod(0o755 if one.is_dir() else 0o644)
    (memory.root / path).chmod(int(mode, 8))
    return memory.finds(permissions.NAME)


def never_found(making, _language, text):
    name, path, parts = text.split(" ", 2)
    memory = making.memory(name)
    memory.write(path, written(parts))
    return memory.finds(never_loaded.NAME)


FACTS = {}
for _sign, (_language,), _text in lines("removals", "="):
    FACTS.setdefault(_language, []).append(_text)


def removals_found(making, language, text):
    memory = making.memory()
    for side in text.split("=>"):
        for file in memory.root.rglob("*.*"):
            file.unlink()
        for file in side.split(" & ") if side.strip() else ():
            path, _space, parts = file.strip(" ").partition(" ")
            memory.write(path, written(parts, FACTS[language]))
        found = memory.finds(removals.NAME)
    return found


def references_found(making, _language, text):
    memory = making.memory()
    for path in ("people/ana.md", "notes/garden plan.md", "projects/boot.md"):
        memory.write(path, "- Likes tea\n")
    memory.write("MEMORY.md", f"- {text}\n")
    return memory.finds(references.NAME)


FOUND = {
    "leaks": leaks_found,
    "stale": stale_found,
    "structure": structure_found,
    "permissions": permissions_found,
    "never": never_found,
    "removals": removals_found,
    "references": references_found,
}


def judged(making, name, case):
    """Whether the rule finds something in a case, of which no row stays: a first look goes through those of all bots."""
    with transaction.atomic():
        found = FOUND[name](making, *case)
        transaction.set_rollback(True)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_rule_is_right_about_what_it_shows_and_finds_most_of_it(making, name):
    """A long run makes the memory of each case, any other of every third, in each language and of either kind."""
    chosen = some(sorted(cases(name)), 3)
    hold(name, [(found, judged(making, name, case)) for found, *case in chosen], RECALL[name])


@pytest.mark.parametrize("name", FOUND)
def test_each_set_has_both_in_four_languages(name):
    assert {(language, found) for found, language, _text in cases(name)} == {
        (language, found) for language in LANGUAGES for found in (True, False)
    }
