"""What of a message is worth an entry, by the bot's own phrases, and why the rest is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.dialects.nanobot import lines, questions
from memory.dialects.nanobot.settings import BOTS_WAY, Settings
from memory.text.injection import INVISIBLE, SETTING_ASIDE
from memory.text.sentences import say

USER, ASSISTANT = "user", "assistant"
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
EPISODES_HAVE = 0.75  # confidence
_WEIGHTS = {  # importance, confidence
    "preference": (0.85, 0.92),
    "fact": (0.80, 0.88),
    "decision": (0.90, 0.90),
    "episodic": (0.60, EPISODES_HAVE),
}
_UNSAFE = (
    *("```", "ignore previous", "system prompt", "developer message", "tool call", "function_call", "jailbreak"),
    "sudo rm -rf",
)
_COMMAND = re.compile(r"\$|(?:bash|sh|zsh|python|node) ")
# A sentence that tells of a program is none of its commands.
_SENTENCE = re.compile(r"(?:bash|sh|zsh|python|node) (?:is|was|has|can|will|should|seems|and|or)\b")

UNSAFE = say("It may contain instructions to a model.")
COMMAND = say("A command.")
TOO_SHORT = say("Shorter than %(limit)s characters.", limit=SHORTEST)
TOO_LONG = say("Longer than %(limit)s characters.", limit=LONGEST)
QUESTION = say("A question.")
UNSURE = say("The bot isn’t confident enough.")
UNIMPORTANT = say("Not important enough.")
TOO_MANY = say("This turn has reached its limit of entries.")


def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_FOUND = {kind: _pattern(phrases) for kind, phrases in _PHRASES.items()}
# `do <anything> not <anything>` in two, so that no text takes longer than its length.
_DO = re.compile(r"\bdo\s+\S", re.IGNORECASE)
_NOT = re.compile(r"\snot\s+\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CandidateEntry:
    """An entry that a turn could become. `role`: who said it, user or assistant."""

    kind: str
    content: str
    importance: float
    confidence: float
    role: str = USER


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was not kept, and why, for people. `kind` "" for a message that nothing was picked out of."""

    kind: str
    content: str
    why: str


@dataclass(frozen=True, slots=True)
class Picked:
    """The entries of a turn in the bot's order, and what was not kept."""

    kept: tuple[CandidateEntry, ...]
    dropped: tuple[Dropped, ...]


def picked(message: str, settings: Settings, reply: str | None = None) -> Picked:
    """What a message gives, and the reply to it if that is looked at too."""
    dropped: list[Dropped] = []
    found = _candidates(message, settings, dropped, USER)
    if reply is not None:
        found += _candidates(reply, settings, dropped, ASSISTANT)
    kept: list[CandidateEntry] = []
    is_full = False  # and then the bot looks at nothing more
    for one in _unlike(found):
        problem = "" if is_full else _weighed(one, settings)
        is_full = is_full or (not problem and len(kept) >= settings.max_entries_per_turn)
        if problem or is_full:
            dropped.append(Dropped(one.kind, one.content, problem or TOO_MANY))
        else:
            kept.append(one)
    return Picked(tuple(kept), tuple(dropped))


def _unlike(found: Iterable[CandidateEntry]) -> Iterable[CandidateEntry]:
    """Those that say something of their kind for the first time."""
    told: dict[tuple[str, str], CandidateEntry] = {}
    for one in found:
        told.setdefault((one.kind, lines.normal(one.content)), one)
    return told.values()


def is_unsafe(text: str) -> bool:
    """Whether a text holds words that could lead a model astray, those that the bot knows and others that set aside what it was
    told, however they are spaced and with whatever between their letters that nobody sees."""
    said = _plain(lines.collapsed(text))
    return _is_unsafe(said) or SETTING_ASIDE.search(said) is not None


def _is_unsafe(said: str) -> bool:
    low = said.lower()
    return any(words in low for words in _UNSAFE)


def _stops(said: str, settings: Settings) -> str:
    """Why nothing at all is picked out of a message; "" if something may be."""
    if (_is_unsafe if settings.patterns == BOTS_WAY else is_unsafe)(said):
        return UNSAFE
    if _COMMAND.match(said) and (settings.patterns == BOTS_WAY or not _SENTENCE.match(said)):
        return COMMAND
    return TOO_SHORT if len(said) < SHORTEST else ""


def _candidates(message: str, settings: Settings, dropped: list[Dropped], role: str) -> list[CandidateEntry]:
    """What a text could become, in the bot's order. Only what the user says is an episode."""
    text = lines.collapsed(message)
    said = text if settings.patterns == BOTS_WAY else _plain(text)
    if problem := _stops(said, settings):
        dropped.append(Dropped("", text, problem))
        return []
    found: list[CandidateEntry] = []
    for kind, pattern in _FOUND.items():
        if not _says(kind, pattern, said):
            continue
        if len(text) > LONGEST:
            dropped.append(Dropped(kind, text, TOO_LONG))
        elif settings.patterns != BOTS_WAY and kind == "decision" and not _says(kind, pattern, questions.stated(said)):
            dropped.append(Dropped(kind, text, QUESTION))
        else:
            found.append(CandidateEntry(kind, text, *_WEIGHTS[kind], role))
    if role == USER:
        short = text[:EPISODE] + ("..." if len(text) > EPISODE else "")
        found.append(CandidateEntry("episodic", f"User message: {short}", *_WEIGHTS["episodic"]))
    return found


def _says(kind: str, pattern: re.Pattern[str], said: str) -> bool:
    return pattern.search(said) is not None or (kind == "decision" and _do_not(said))


def _do_not(said: str) -> bool:
    found = _DO.search(said)
    return found is not None and _NOT.search(said, found.end()) is not None


def _weighed(one: CandidateEntry, settings: Settings) -> str:
    if one.confidence < settings.min_confidence:
        return UNSURE
    return UNIMPORTANT if one.importance < settings.min_importance else ""


def _plain(text: str) -> str:
    """A text as it looks: without what nobody sees, and with straight apostrophes."""
    if text.isascii():
        return text
    return INVISIBLE.sub("", text).replace("\u2019", "'").replace("\u2018", "'")
