"""What was said in a conversation as the bot shows it to a model: the newest messages that have room, each behind its author."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.dialects.discoclaw import javascript
from memory.text.utf16 import count_units

BOT = "Discoclaw"
MOST = 10  # messages before the last turn
_DOTS = "..."


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: who wrote what, and what the bot answered."""

    who: str
    message: str
    reply: str


def before(turns: Iterable[Exchange], budget: int) -> str:
    """The messages of earlier turns, as many of the newest as have room; an answer of the bot's that has none is cut and ends
    them, a message of a user's ends them at once."""
    messages = [one for turn in turns for one in ((turn.who, turn.message), ("", turn.reply))]
    return "\n".join(reversed(list(_that_fit(messages[-MOST:][::-1], budget))))


def _that_fit(newest: Sequence[tuple[str, str]], budget: int) -> Iterable[str]:
    for who, text in newest:
        line = f"[{who or BOT}]: {text}"
        room = budget - (count_units(line) - count_units(text)) - len(_DOTS)
        if count_units(line) > budget:
            if not who and room > 0:
                yield f"{line.removesuffix(text)}{javascript.cut(text, room)}{_DOTS}"
            return
        yield line
        budget -= count_units(line) + 1
        if budget <= 0:
            return
