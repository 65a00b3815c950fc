"""What people type in a chat to see and change what the bot remembers, read and answered to the letter."""

from __future__ import annotations

from dataclasses import dataclass

from memory.dialects.discoclaw import durable, layout, rolling
from memory.dialects.discoclaw.budget import selected
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.discoclaw.settings import Settings
from memory.domain.dialect import Memory
from memory.text.markdown.tags import JS_SPACE

SHOW, REMEMBER, FORGET, RESET = "show", "remember", "forget", "reset-rolling"
CLEARED = "Rolling summary cleared for this session."
NO_MATCH = "No matching items found."
_BEGINS = "!memory"


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `text` is what is to be remembered or forgotten."""

    action: str
    text: str = ""


def parse(message: str) -> Command | None:
    """The command of a message; None for one that goes to the model."""
    said = message.strip(JS_SPACE)
    if not said.startswith(_BEGINS):
        return None
    rest = said.removeprefix(_BEGINS).strip(JS_SPACE)
    if rest in ("", SHOW):
        return Command(SHOW)
    for action in (REMEMBER, FORGET):
        if rest.startswith(f"{action} "):
            return Command(action, rest.removeprefix(f"{action} ").strip(JS_SPACE))
    return Command(RESET) if rest == "reset rolling" else None


def remembered(text: str) -> str:
    """What is answered to something that is remembered."""
    return f"Remembered: {text}"


def forgot(count: int) -> str:
    """What is answered to words that so many facts matched."""
    return f"Forgot {count} item(s)." if count else NO_MATCH


def shown(memory: Memory, chat: str, user: str, settings: Settings) -> str:
    """What the bot has in its prompt of who asks and of the conversation."""
    facts, summary = _facts(memory, user, settings), _summary(memory, chat)
    return f"**Durable memory:**\n{facts or '(none)'}\n\n**Rolling summary:**\n{summary}"


def _facts(memory: Memory, user: str, settings: Settings) -> str:
    path = layout.durable_path(user)
    try:
        lines = durable.lines(durable.read((memory.read(path) if path else None) or b"")) or []
    except Malformed:
        return ""
    return "\n".join(line.text for line in selected(lines, settings.durable_chars))


def _summary(memory: Memory, chat: str) -> str:
    try:
        return str(rolling.read(memory.read(layout.rolling_path(chat)) or b"")["summary"])
    except Malformed:
        return "(none)"
