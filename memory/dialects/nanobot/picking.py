"""What of a message is worth an entry, by the bot's own phrases, and why the rest is not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memory.dialects.nanobot import lines
from memory.dialects.nanobot.settings import BOTS_WAY, Settings

SHORTEST, LONGEST = 8, 300  # characters of what is taken for one of the phrases
EPISODE = 180  # characters of a message in an episodic entry

_PHRASES: Mapping[str, tuple[str, ...]] = {
    "preference": (
        *("i prefer", "my preference is", "i like", "i usually use"),
        *("don't use", "do not use", "always use"),
    ),
    "fact": ("my timezone is", "i am in", "my name is", "i work with", "my language is", "i speak"),
    "decision": ("let's use", "we decided", "from now on use", "we will use"),
}
_WEIGHTS = {  # importance, confidence
    "preference": (0.85, 0.92),
    "fact": (0.80, 0.88),
    "decision": (0.90, 0.90),
    "episodic": (0.60, 0.75),
}
_UNSAFE = (
    *("```", "ignore previous", "system prompt", "developer message", "tool call", "function_call", "jailbreak"),
    "sudo rm -rf",
)
_COMMAND = re.compile(r"\$|(?:bash|sh|zsh|python|node) ")
# A sentence that tells of a program is none of its commands.
_SENTENCE = re.compile(r"(?:bash|sh|zsh|python|node) (?:is|was|has|can|will|should|seems|and|or)\b")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")

UNSAFE = "It holds words that could lead a model astray."
COMMAND = "It is a command."
TOO_SHORT = f"It has fewer than {SHORTEST} characters."
TOO_LONG = f"It has more than {LONGEST} characters."
QUESTION = "It is a question."
UNSURE = "The bot is not sure enough of it."
UNIMPORTANT = "It is not important enough."
TOO_MANY = "The turn has given as many entries as it may."


def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_FOUND = {kind: _pattern(phrases) for kind, phrases in _PHRASES.items()}
_DO_NOT = re.compile(r"\bdo\s+.+\s+not\s+\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that a message could become."""

    kind: str
    content: str
    importance: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was not kept, and why, for people. `kind` "" for a message that nothing was picked out of."""

    kind: str
    content: str
    why: str


@dataclass(frozen=True, slots=True)
class Picked:
    """The entries of a message in the bot's order, and what was not kept."""

    kept: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


def picked(message: str, settings: Settings, *, taken: int = 0, episodic: bool = True) -> Picked:
    """What a message gives; `taken`: how many entries the turn has given before."""
    text = lines.collapsed(message)
    said = text if settings.patterns == BOTS_WAY else _plain(text)
    if problem := _stops(said, settings):
        return Picked((), (Dropped("", text, problem),))
    dropped: list[Dropped] = []
    kept: list[Candidate] = []
    for one in _candidates(text, said, settings, dropped, episodic=episodic):
        if problem := _weighed(one, settings):
            dropped.append(Dropped(one.kind, one.content, problem))
        elif taken + len(kept) >= settings.max_entries_per_turn:
            dropped.append(Dropped(one.kind, one.content, TOO_MANY))
        else:
            kept.append(one)
    return Picked(tuple(kept), tuple(dropped))


def _stops(said: str, settings: Settings) -> str:
    """Why nothing at all is picked out of a message; "" if something may be."""
    low = said.lower()
    if any(words in low for words in _UNSAFE):
        return UNSAFE
    if _COMMAND.match(said) and (settings.patterns == BOTS_WAY or not _SENTENCE.match(said)):
        return COMMAND
    return TOO_SHORT if len(said) < SHORTEST else ""


def _candidates(text: str, said: str, settings: Settings, dropped: list[Dropped], *, episodic: bool) -> list[Candidate]:
    found: list[Candidate] = []
    for kind, pattern in _FOUND.items():
        if not (pattern.search(said) or (kind == "decision" and _DO_NOT.search(said))):
            continue
        if len(text) > LONGEST:
            dropped.append(Dropped(kind, text, TOO_LONG))
        elif settings.patterns != BOTS_WAY and kind == "decision" and said.endswith("?"):
            dropped.append(Dropped(kind, text, QUESTION))
        else:
            found.append(Candidate(kind, text, *_WEIGHTS[kind]))
    if episodic:
        short = text[:EPISODE] + ("..." if len(text) > EPISODE else "")
        found.append(Candidate("episodic", f"User message: {short}", *_WEIGHTS["episodic"]))
    return found


def _weighed(one: Candidate, settings: Settings) -> str:
    if one.confidence < settings.min_confidence:
        return UNSURE
    return UNIMPORTANT if one.importance < settings.min_importance else ""


def _plain(text: str) -> str:
    return _INVISIBLE.sub("", text).replace("\u2019", "'").replace("\u2018", "'")
