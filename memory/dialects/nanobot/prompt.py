"""What a nanobot reads of its memory before it answers: the beginning of MEMORY.md, and the entries that the message recalls."""

from __future__ import annotations

from datetime import datetime

from memory.dialects.nanobot import layout, lines, recall, recalling, scopes, unread
from memory.dialects.nanobot.recall import Recalled
from memory.dialects.nanobot.settings import BOTS_WAY, Settings
from memory.domain.memory import Memory
from memory.domain.places import Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.text.markdown.blocks import decode
from memory.text.storable import keepable

LEGACY_CHARS = 800
IDENTITY = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md")  # in the bot's order
HIT, MISS, CHARS = "memory_recall_hit", "memory_recall_miss", "memory_prompt_chars"
_RECALLED = "Retrieved Memory"
_APART = "\n\n---\n\n"


def prompt(
    memory: Memory,
    chat: str | None,
    query: str,
    now: datetime,
    settings: Settings,
    sender: str = "",
    *,
    cares: bool = False,
) -> Prompt:
    """The memory of the bot's prompt: every chat's part, then what is recalled for the message in this chat. `cares`: the same
    where Kenoweb answers, chosen its own way."""
    legacy, cut = _legacy(memory)
    sections, left = ([legacy] if legacy else []), ([cut] if cut else [])
    if not chat:
        return Prompt(tuple(sections), tuple(left))
    cares = cares and settings.recalls != BOTS_WAY
    layers = recalling.layers(memory, chat, settings, user_of(chat, sender), wide=cares)
    if not settings.enabled:
        return Prompt(tuple(sections), (*left, *unread.all_of(layers, unread.OFF)))
    found = recalling.chosen(layers, memory, query, now, settings, cares=cares)
    section = _retrieved(found, settings, is_whole=not cares)
    left += unread.entries(layers, found, query)
    if not (cares and settings.global_results) and memory.tail(layout.entries_path(scopes.GLOBAL), 1):
        left.append(LeftOut(layout.entries_path(scopes.GLOBAL), unread.WIDE))
    counted = {HIT if found.hits else MISS: 1, **({CHARS: len(section.text)} if section else {})}
    return Prompt((*sections, *([section] if section else [])), tuple(left), counted, found.unsure)


def instructions(memory: Memory, prompt: Prompt) -> str:
    """The system message: the identity documents, then every chat's part of the memory. The bot's own words around them, its
    tools and its skills are its program's and not in it. Raises Unreadable."""
    texts = ((name, decode(memory.read(name) or b"").strip()) for name in IDENTITY)
    documents = "\n\n".join(f"## {name}\n\n{text}" for name, text in texts if text)
    remembered = "".join(section.text for section in prompt.sections if section.heading != _RECALLED).strip()
    return _APART.join(part for part in (documents, remembered) if part)


def reminder(prompt: Prompt) -> str:
    """The message that the bot puts right before the user's; "" if there is none."""
    return "".join(section.text for section in prompt.sections if section.heading == _RECALLED)


def recalled(memory: Memory, chat: str, query: str, now: datetime, settings: Settings, sender: str = "") -> Recalled:
    """What the message brings back in a chat. `sender`: who writes there; without one, the chat is taken for the user."""
    return _recalled(memory, chat, query, now, settings, sender, cares=False)


def answered_by(memory: Memory, chat: str, query: str, now: datetime, settings: Settings, sender: str = "") -> Recalled:
    """The same where Kenoweb answers."""
    return _recalled(memory, chat, query, now, settings, sender, cares=settings.recalls != BOTS_WAY)


def _recalled(
    memory: Memory, chat: str, query: str, now: datetime, settings: Settings, sender: str, *, cares: bool
) -> Recalled:
    layers = recalling.layers(memory, chat, settings, user_of(chat, sender), wide=cares)
    return recalling.chosen(layers, memory, query, now, settings, cares=cares)


def user_of(chat: str, sender: str = "") -> str:
    """The name of the scope of who writes in a chat; "" if the chat does not tell."""
    found = scopes.chat_of(chat)
    if found is None:
        return ""
    return scopes.name_of(scopes.user_key(found.channel, sender, found.who), "")


def cut_off(memory: Memory) -> LeftOut | None:
    """What of the part of every chat is cut off; None where nothing is."""
    return _legacy(memory)[1]


def _legacy(memory: Memory) -> tuple[Section | None, LeftOut | None]:
    """The part of every chat, and what of it is cut off."""
    whole = lines.collapsed(keepable(decode(memory.read(layout.LEGACY) or b"")))
    text = recall.shortened(whole, LEGACY_CHARS)
    if not text:
        return None, None
    runs = (
        PromptLine("# Memory\n\n[Legacy MEMORY.md]\n"),
        PromptLine(text, layout.LEGACY, 1),
        PromptLine("\n\n"),
    )
    return Section("Memory", Tier.GLOBAL, runs), unread.cut(layout.LEGACY, whole, LEGACY_CHARS)


def _retrieved(found: Recalled, settings: Settings, *, is_whole: bool) -> Section | None:
    """The message that the bot puts right before the user's; its heading (`is_whole`) also where no entry fits."""
    if not found.shown and not (found.hits and is_whole):
        return None
    heading = recall.HEADING[: max(settings.max_prompt_chars, 0)]
    if not found.shown:
        return Section(_RECALLED, Tier.CHAT, (PromptLine(heading),)) if heading else None
    ends = [*["\n"] * (len(found.shown) - 1), ""]
    rows = [
        PromptLine(line + end, hit.entry.path, hit.entry.fact.line, hit.entry.fact)
        for (hit, line), end in zip(found.shown, ends, strict=True)
    ]
    return Section(_RECALLED, Tier.CHAT, (PromptLine(f"{heading}\n"), *rows))
