"""What an Autobot reads of its memory before it answers: MEMORY.md, whole. It never loads its history."""

from __future__ import annotations

from collections.abc import Iterator

from memory.dialects.autobot import layout, sessions, window
from memory.dialects.autobot.settings import Settings
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Kind, Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.domain.prompt_lines import lines_of
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import memory_facts
from memory.text.sentences import say, say_number

HEADING = "# Memory\n\n## Long-term Memory\n"
APART = "\n\n---\n\n"
NEVER_LOADED = say("The bot never loads it. It looks something up in it with grep.")
ON_DEMAND = say("The bot reads it when it looks something up, not at the start.")


def prompt(memory: Memory, chat: str | None, settings: Settings) -> Prompt:
    """The memory part of the bot's prompt, and what is left out of it."""
    text = decode(memory.read(layout.MEMORY) or b"")
    lines = (PromptLine(HEADING), *lines_of(layout.MEMORY, text, memory_facts(text)))
    sections = (Section("Memory", Tier.GLOBAL, lines),) if text else ()
    return Prompt(sections, tuple(_left_out(memory, chat, settings)))


def instructions(memory: Memory, prompt: Prompt) -> str:
    """The system message: the identity files, then the memory. The bot's own words around them, its skills and its tools are its
    program's and not in it. Raises Unreadable."""
    found = ((name, memory.read(name)) for name in layout.IDENTITY)
    documents = "\n\n".join(f"## {name}\n\n{decode(data)}" for name, data in found if data is not None)
    return APART.join(part for part in (documents, prompt.text) if part)


def _left_out(memory: Memory, chat: str | None, settings: Settings) -> Iterator[LeftOut]:
    for path in memory.paths():
        place = layout.describe(path)
        if place and place.kind in (Kind.HISTORY, Kind.TOPIC):
            yield LeftOut(path, NEVER_LOADED if place.kind is Kind.HISTORY else ON_DEMAND)
    if chat and (path := layout.path_of(Kind.TRANSCRIPT, chat) or ""):
        yield from _in_neither(memory, path, settings)


def _in_neither(memory: Memory, path: str, settings: Settings) -> Iterator[LeftOut]:
    """The messages of a chat that are in neither prompt nor memory."""
    try:
        session = sessions.read(memory, path)
    except Unreadable as trouble:
        yield LeftOut(path, str(trouble))
        return
    if session.damaged:
        yield LeftOut(path, session.damage)
        return
    line = window.timeline(len(session.messages), settings.memory_window, settings.session_history_limit)
    if line.neither:
        words = say_number(
            "%(count)s older message is stored, but in neither prompt nor memory yet.",
            "%(count)s older messages are stored, but in neither prompt nor memory yet.",
            count=line.neither,
        )
        yield LeftOut(path, words, count=line.neither)
