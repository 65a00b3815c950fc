"""What a model answers to a consolidation: an entry for the history, and the long-term memory anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memory.dialects.autobot.crystal import BLANKS, loads
from memory.dialects.autobot.sessions import SessionMessage
from memory.text.fidelity.retention import invented_words
from memory.text.markdown.entries import memory_facts
from memory.text.replies import read_json
from memory.text.sentences import say
from memory.text.storable import is_keepable, quote

ENTRY, UPDATE = "history_entry", "memory_update"
NO_JSON = say("The answer isn’t the JSON object that was asked for.")
NO_ENTRY = say("The answer has no history entry.")
NO_MEMORY = say("The answer would empty the long-term memory, or isn’t text.")
NOT_TEXT = say("The answer contains a NUL or an incomplete character and can’t be saved.")
SHRINKS = say("The long-term memory would shrink to less than half.")

_FENCE = "```"
_SMALL = 200  # characters of a memory that may shrink as it likes
_NAMED = 10  # facts that would go, by name
_QUOTED = 80
_DAY, _MINUTE = 10, 16  # characters of a time
ROLES = "user assistant"  # whom a model may speak of though nobody names them


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """`memory` None: it stays as it is."""

    entry: str
    memory: str | None = None


def answer(text: str, *, strict: bool) -> MemoryUpdate:
    """An answer that loses nothing by its form. `strict`: read as Autobot does, else also within a fence or prose. Raises
    ValueError with a sentence."""
    found = _as_the_bot(text) if strict else _leniently(text)
    entry, update = found.get(ENTRY), found.get(UPDATE)
    if not isinstance(entry, str) or not entry.strip(BLANKS):
        raise ValueError(NO_ENTRY)
    if UPDATE in found and (not isinstance(update, str) or not update.strip(BLANKS)):
        raise ValueError(NO_MEMORY)
    if not is_keepable(entry) or not is_keepable(update or ""):
        raise ValueError(NOT_TEXT)
    return MemoryUpdate(entry, update)


def doubts(before: str, after: str | None) -> Sequence[str]:
    """What a person should look at before the long-term memory becomes this: what it would lose."""
    if after is None:
        return ()
    shrinks = len(before) > _SMALL and 2 * len(after) < len(before)
    kept = {fact.key for fact in memory_facts(after)}
    going = [fact.text for fact in memory_facts(before) if fact.key not in kept]
    named = [say("Would be removed or changed: %(text)s.", text=quote(one, _QUOTED)) for one in going[:_NAMED]]
    more = len(going) - len(named)
    rest = [say("And %(count)s more lines would be removed.", count=more)] if more else []
    return [*([SHRINKS] if shrinks else []), *named, *rest]


def made_up(text: str, told: Iterable[SessionMessage], memory: str) -> Sequence[str]:
    """The same of a text that the model wrote of these messages and this memory: names, numbers and dates that neither has."""
    said = [f"{one.timestamp[:_DAY]} {one.timestamp[_DAY + 1 : _MINUTE]} {one.content}" for one in told]
    found = invented_words(text, [*said, memory, ROLES])
    return [say("Not said: %(listed)s.", listed=", ".join(found))] if found else []


def news(before: str, after: str) -> str:
    """The lines of a memory that it did not have before, headings aside."""
    known = set(before.splitlines())
    return "\n".join(line for line in after.splitlines() if line not in known and not line.startswith("#"))


def _as_the_bot(text: str) -> dict[str, Any]:
    """The answer as Autobot's own code reads it."""
    text = text.strip(BLANKS)
    if text.startswith(_FENCE) and "\n" in text:
        text = text.partition("\n")[2].partition(_FENCE)[0].strip(BLANKS)
    try:
        return _object(loads(text))
    except ValueError:
        raise ValueError(NO_JSON) from None


def _leniently(text: str) -> dict[str, Any]:
    try:
        return _as_the_bot(text)
    except ValueError:
        return _object(read_json(text))


def _object(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError(NO_JSON)
    return found
