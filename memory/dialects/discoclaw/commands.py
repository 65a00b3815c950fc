"""What people type in a chat to see and change what the bot remembers, read and answered to the letter."""

from __future__ import annotations

from dataclasses import dataclass

from memory.dialects.discoclaw import durable, layout, rolling, shortterm
from memory.dialects.discoclaw.budget import selected
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.discoclaw.settings import Settings
from memory.domain.memory import Memory
from memory.text.markdown.tags import JS_SPACE
from memory.text.utf16 import count_units

SHOW, REMEMBER, FORGET, RESET = "show", "remember", "forget", "reset-rolling"
CLEARED = "Rolling summary cleared for this session."
NOBODY = "Memory command error: send user_id with the call, since facts belong to a user."
NO_MATCH = "No matching items found."
_BEGINS = "!memory"
_NONE = "(none)"


@dataclass(frozen=True, slots=True)
class ChatCommand:
    """One command; `text` is what is to be remembered or forgotten."""

    action: str
    text: str = ""


def parse(message: str, *, is_later: bool = False) -> ChatCommand | None:
    """The command of a message; None for one that goes to the model. Bots of March 2026 want white space behind its first word."""
    said = message.strip(JS_SPACE)
    behind = said.removeprefix(_BEGINS)
    if behind == said or (is_later and behind and behind[0] not in JS_SPACE):
        return None
    rest = behind.strip(JS_SPACE)
    if rest in ("", SHOW):
        return ChatCommand(SHOW)
    for action in (REMEMBER, FORGET):
        if rest.startswith(f"{action} "):
            return ChatCommand(action, rest.removeprefix(f"{action} ").strip(JS_SPACE))
    return ChatCommand(RESET) if rest == "reset rolling" else None


def remembered(text: str) -> str:
    """What is answered to something that is remembered."""
    return f"Remembered: {text}"


def forgot(count: int) -> str:
    """What is answered to words that so many facts matched."""
    return f"Forgot {count} item(s)." if count else NO_MATCH


def shown(memory: Memory, chat: str, user: str, settings: Settings, *, server: str = "", now: int = 0) -> str:
    """What the bot has in its prompt of who asks and of the conversation; one of March 2026 tells also what they did lately, and
    how long it all is."""
    facts, summary = _facts(memory, user, settings, now), _summary(memory, chat, settings)
    if not settings.is_later:
        told = _NONE if summary is None else summary
        return f"**Durable memory:**\n{facts or _NONE}\n\n**Rolling summary:**\n{told}"
    lately = _lately(memory, server, user, settings, now)
    texts = {"Durable memory": facts or None, "Rolling summary": summary, "Short-term memory": lately}
    sizes = {name: count_units(text or "") for name, text in texts.items()}
    parts = [f"**{name}:** ({_size(sizes[name])})\n{_NONE if text is None else text}" for name, text in texts.items()]
    return "\n\n".join([*parts, f"**Total prompt memory:** {_size(sum(sizes.values()))}"])


def _size(count: int) -> str:
    return f"{count} chars, ~{-(-count // 4)} tokens"


def _facts(memory: Memory, user: str, settings: Settings, now: int) -> str:
    path = layout.durable_path(user)
    try:
        store = durable.loaded((memory.read(path) if path else None) or b"", is_later=settings.is_later)
    except Malformed:
        return ""
    chosen = durable.chosen(store, settings.durable_chars, is_later=settings.is_later, now=now)
    return "\n".join(line.text for line in chosen or ())


def _summary(memory: Memory, chat: str, settings: Settings) -> str | None:
    found = rolling.read_or_none(memory.read(layout.rolling_path(chat)), is_later=settings.is_later)
    return rolling.shown(found, settings) if found else None


def _lately(memory: Memory, server: str, user: str, settings: Settings, now: int) -> str | None:
    path = layout.short_term_path(server, user) if settings.short_term and user else None
    try:
        store = shortterm.loaded((memory.read(path) if path else None) or b"", is_later=True)
    except Malformed:
        return None
    lines = shortterm.lines(store, now, settings.short_term_age)
    return "\n".join(line.text for line in selected(lines, settings.short_term_chars, skips=True)) or None
