"""How often the rules are right: of what they show, and of what they should. The labelled facts are from the sample data and by
hand, in four languages; those that a rule misses and those that it falls for stay in, so that the figures mean something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from memory import index
from memory.bots.opened import OpenBot
from memory.checks import contradictions, facts_alone, findings, injection, near, past_dates
from memory.models import Finding
from tests.checks.labelled_lines import LANGUAGES, TOKENS, hold, lines

ESCAPED = re.compile(r"\\[uU]((?<=u)[0-9a-f]{4}|(?<=U)[0-9a-f]{8})")  # what nobody sees is written out in the cases
# What each rule finds of what it should: stated, and not to get worse unnoticed.
RULES = {
    "contradictions": (contradictions.NAME, 0.8),
    "past": (past_dates.NAME, 0.8),
    "secrets": (facts_alone.SECRET, 0.8),
    "personal": (facts_alone.PERSONAL, 0.8),
    "duplicates": (facts_alone.TWICE, 0.7),
    "near": (near.NAME, 0.8),
    "injection": (injection.NAME, 0.8),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """Facts of one memory with what should be said of them."""

    found: bool
    language: str
    in_logs: bool
    facts: tuple[str, ...]


def labelled(name):
    for sign, (language, *log), line in lines(name):
        text = line.format(**TOKENS) if name == "secrets" else line
        text = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
        yield Labelled(sign == "+", language, bool(log), tuple(text.split(" | ")))


@pytest.fixture
def desk(desk, monkeypatch):
    monkeypatch.setattr(OpenBot, "now", lambda _self: datetime(2026, 11, 20, 12, 0, tzinfo=UTC))
    return desk


def judged(desk, name):
    """Each labelled case with whether the rule found it: every one is the memory of a chat of its own."""
    cases = list(labelled(name))
    for number, case in enumerate(cases):
        logged = case.facts[name == "near" :] if case.in_logs else ()
        for at, text in enumerate(logged, 1):
            desk.write(f"chats/case-{number}/2026-03-0{at + (name == 'near')}.md", f"## 10:00 — {text}\n\n")
        if kept := case.facts[: len(case.facts) - len(logged)]:
            desk.write(f"chats/case-{number}/MEMORY.md", "".join(f"- {text}\n" for text in kept))
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    found = set(Finding.objects.filter(rule=RULES[name][0], gone=None).values_list("scope", flat=True))
    return [(case, f"case-{number}" in found) for number, case in enumerate(cases)]


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_right_about_what_it_shows_and_finds_most_of_it(desk, name):
    hold(name, [(case.found, found) for case, found in judged(desk, name)], RULES[name][1])


def test_there_are_enough_cases_in_four_languages():
    cases = [case for name in RULES for case in labelled(name)]
    assert len(cases) >= 300
    assert {case.language for case in cases} == LANGUAGES
    for language in LANGUAGES:
        assert {case.found for case in cases if case.language == language} == {True, False}
