"""What the bot reads before it answers, and what every part of it costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from memory import bots, library
from memory.dialects.base import Dialect, LeftOut, Memory, Prompt, PromptLine, Section, Tier
from memory.models import Bot
from memory.text.entries import FactAt
from memory.text.tokens import estimate

SHORT = 1000  # characters of a line whose cost is remembered: most lines of a prompt are those of the prompt before
REMEMBERED = 8192


class SessionRefused(ValueError):
    """A session id that cannot name the bot's files; the message is for people."""


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A run of the prompt with what it costs; `path` "" for the bot's own fixed words."""

    text: str
    path: str
    line: int
    fact: FactAt | None
    tokens: int


@dataclass(frozen=True, slots=True)
class PricedSection:
    """One headed part. `tokens` is for the whole text, so it may differ a little from the sum of its lines."""

    heading: str
    tier: Tier | None
    text: str
    tokens: int
    lines: tuple[PricedLine, ...]

    @property
    def documents(self) -> dict[str, int]:
        """Path -> tokens of the documents that this section takes text from."""
        return _by_document(self.lines)


@dataclass(frozen=True, slots=True)
class Priced:
    """The memory section of the prompt: its text byte for byte, its cost, its parts, and what is not in it."""

    text: str
    tokens: int
    sections: tuple[PricedSection, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def documents(self) -> dict[str, int]:
        """Path -> tokens of every document in the prompt."""
        return _by_document(line for section in self.sections for line in section.lines)


def build(
    bot: Bot, chat: str | None, query: str = "", now: datetime | None = None, memory: Memory | None = None
) -> Priced:
    """The prompt's memory section for a chat (None or "": none) at `now` (aware), made of the bot's documents or, with `memory`,
    of those in it. Raises SessionRefused and Unreadable."""
    dialect = bots.dialect(bot)
    chat = chat or None
    if chat and (problem := dialect.session_id_problem(chat)):
        raise SessionRefused(problem)
    moment = now.astimezone(bots.zone(bot)) if now else bots.now(bot)
    prompt = dialect.prompt(memory or library.BotMemory(bot), chat, query, moment, bots.settings(bot))
    hold_scopes(dialect, prompt, chat)
    sections = tuple(_priced(section) for section in prompt.sections)
    return Priced(prompt.text, estimate(prompt.text), sections, prompt.left_out)


def hold_scopes(dialect: Dialect, prompt: Prompt, chat: str | None) -> None:
    """Make sure that nothing in a prompt belongs to another chat. Raises RuntimeError: a leak must not be shown."""
    for path in {line.path for section in prompt.sections for line in section.lines if line.path}:
        place = dialect.describe(path)
        if place and place.scope and place.scope != chat:
            raise RuntimeError("A prompt held what belongs to another chat; it is not shown.")


def _priced(section: Section) -> PricedSection:
    lines = tuple(_priced_line(line) for line in section.lines)
    return PricedSection(section.heading, section.tier, section.text, estimate(section.text), lines)


def _priced_line(line: PromptLine) -> PricedLine:
    return PricedLine(line.text, line.path, line.line, line.fact, _cost(line.text))


def _cost(text: str) -> int:
    return _remembered(text) if len(text) <= SHORT else estimate(text)


@lru_cache(REMEMBERED)
def _remembered(text: str) -> int:
    return estimate(text)


def _by_document(lines: Iterable[PricedLine]) -> dict[str, int]:
    costs: dict[str, int] = {}
    for line in lines:
        if line.path:
            costs[line.path] = costs.get(line.path, 0) + line.tokens
    return costs
