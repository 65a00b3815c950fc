"""What the bot reads before it answers, and what every part of it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from memory import index
from memory.bots import open_bot
from memory.bots.costs import costs_of
from memory.domain.dialect import Dialect
from memory.domain.memory import Memory
from memory.domain.places import Tier
from memory.domain.prompt import LeftOut, Prompt, Section
from memory.models import Bot
from memory.prompts import spill
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.tokens.counters import Counter


class PromptRefused(Exception):
    """There is no prompt to show; the message is for people."""


class Spilled(PromptRefused):
    """A prompt held what belongs to another chat. It must not be shown; a finding tells of it."""


class SessionRefused(PromptRefused):
    """A session id that cannot name the bot's files; the message is for people."""


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A run of the prompt with what it costs: the tokens whose first byte it holds. `path` "" for the bot's own fixed words."""

    text: str
    path: str
    line: int
    fact: FactAt | None
    tokens: int


@dataclass(frozen=True, slots=True)
class PricedSection:
    """One headed part. Its tokens are the sum of its lines'."""

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
    """The memory section of the prompt: its text byte for byte, its cost, its parts, what is not in it, and what of it
    the running bot may read otherwise.

    Its tokens are the sum of its sections', and of its documents' with the bot's own words."""

    text: str
    tokens: int
    sections: tuple[PricedSection, ...]
    left_out: tuple[LeftOut, ...]
    counter: Counter
    unsure: tuple[str, ...] = ()

    @property
    def lines(self) -> Iterator[PricedLine]:
        """Every run of the text, in order."""
        return (line for section in self.sections for line in section.lines)

    @property
    def documents(self) -> dict[str, int]:
        """Path -> tokens of every document in the prompt."""
        return _by_document(self.lines)

    @property
    def own_words(self) -> int:
        """Tokens of what the bot itself says around the documents."""
        return sum(line.tokens for line in self.lines if not line.path)


def build(
    bot: Bot,
    chat: str | None,
    query: str = "",
    now: datetime | None = None,
    memory: Memory | None = None,
    sender: str = "",
) -> Priced:
    """The prompt's memory section for a chat (None or "": none) at `now` (aware), made of the bot's documents or, with `memory`,
    of those in it; `sender` is who writes in the chat, if that is known. Raises SessionRefused, Unreadable and Spilled."""
    prompt = read(bot, chat, query, now, memory, sender)
    counter = costs_of(bot).counter
    sections = tuple(_priced(prompt, counter))
    tokens = sum(section.tokens for section in sections)
    return Priced(prompt.text, tokens, sections, prompt.left_out, counter, prompt.unsure)


def read(
    bot: Bot,
    chat: str | None,
    query: str = "",
    now: datetime | None = None,
    memory: Memory | None = None,
    sender: str = "",
    *,
    answers: bool = False,
) -> Prompt:
    """The same without its price; `answers`: to a message that Kenoweb answers itself. Raises SessionRefused, Unreadable
    and Spilled."""
    dialect = open_bot(bot).dialect
    chat = open_bot(bot).chat(chat or "") or None
    if chat and (problem := dialect.session_id_problem(chat)):
        raise SessionRefused(problem)
    moment = now.astimezone(open_bot(bot).zone) if now else open_bot(bot).now()
    reads = dialect.to_answer if answers else dialect.prompt
    prompt = reads(memory or index.BotMemory(bot), chat, query, moment, open_bot(bot).settings, sender)
    _hold_scopes(bot, dialect, prompt, chat, sender)
    return prompt


def _hold_scopes(bot: Bot, dialect: Dialect, prompt: Prompt, chat: str | None, sender: str) -> None:
    """Make sure that nothing in a prompt belongs to another chat or user. Raises Spilled."""
    if found := spill.spilled(dialect, prompt, chat, sender):
        spill.note(bot, chat, found)
        raise Spilled(say("The prompt included text from another chat, so it isn’t shown."))


def _priced(prompt: Prompt, counter: Counter) -> Iterator[PricedSection]:
    """The sections, counted over the whole text at once: a token may begin in one line and end in the next."""
    tokens = iter(counter.spread([line.text for section in prompt.sections for line in section.lines]))
    for section in prompt.sections:
        yield _section(section, list(islice(tokens, len(section.lines))))


def _section(section: Section, tokens: Sequence[int]) -> PricedSection:
    lines = tuple(
        PricedLine(line.text, line.path, line.line, line.fact, cost)
        for line, cost in zip(section.lines, tokens, strict=True)
    )
    return PricedSection(section.heading, section.tier, section.text, sum(tokens), lines)


def _by_document(lines: Iterable[PricedLine]) -> dict[str, int]:
    costs: dict[str, int] = {}
    for line in lines:
        if line.path:
            costs[line.path] = costs.get(line.path, 0) + line.tokens
    return costs
