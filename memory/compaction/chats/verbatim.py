"""Whether a line says what somebody said: all of a sentence or a few, and nothing else. Only such a line is written unasked.

Code compares words and not sense, so it goes by whole sentences: half of one may be a condition, a question, or what somebody else
is to have said. Only who speaks may be named otherwise: "I like my tea" is "The user likes the user's tea"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory.text.fidelity.judge import doubts
from memory.text.fidelity.retention import missing_words, strip_s

SENTENCES = 3  # of one message that a line may say, one behind the other
LOOKED_AT = 4  # passages that a line is compared with, those with most words in common
NEAR = 0.5  # of the words of both, for a passage to be looked at
_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_WORDS = re.compile(r"\w+")
_QUOTES = re.compile('["“”„«»「」]')
_BULLET = re.compile(r"(\s*)(?:[-*+•]\s+|(?=#))")
_GREETING = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|by the way|btw|ok|okay|oh|hola|hallo|bonjour|salut|olá|ciao|привет)\s*[,!.…]+\s*(?=\S)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:the )?(user|assistant)\b", re.IGNORECASE)
_LEADING, _THEY = re.compile(r"(they|their)\b", re.IGNORECASE), re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(user|assistant) ([a-z]+)")
_I, _MY = re.compile(r"\b(?:I|[Mm]e|[Mm]yself)\b"), re.compile(r"\b(?:[Mm]y|[Mm]ine)\b")
_YOU, _YOUR = re.compile(r"\b[Yy]ou(?:rself)?\b"), re.compile(r"\b[Yy]ours?\b")
_OTHERS = {"user": "assistant", "assistant": "user"}


@dataclass(frozen=True, slots=True)
class Passage:
    """Some sentences that follow each other, and the headings and points that they stand `under`. `role`: who said it, "" for
    what is written down already."""

    text: str
    under: tuple[str, ...] = ()
    role: str = ""

    @property
    def words(self) -> frozenset[str]:
        return frozenset(word.casefold() for word in _WORDS.findall(_spoken(self)))


def lines_of(text: str, role: str = "") -> list[Passage]:
    """The lines of a text without their bullets, each with what it stands under."""
    found, above = list[Passage](), list[tuple[int, str]]()
    for raw in text.splitlines():
        if not (line := raw.strip()):
            continue
        depth = _depth(raw)
        while above and above[-1][0] >= depth:
            above.pop()
        bullet = _BULLET.match(raw)
        shown = raw[bullet.end() :].strip() if bullet else line
        found.append(Passage(shown, tuple(name for _depth_of, name in above), role))
        above.append((depth, shown))
    return found


def says(line: Passage, source: Passage) -> bool:
    """Whether a line says a passage: every word of it in its order, and no other."""
    if line.under != source.under:
        return False
    said, told = _spoken(source), _named(line.text, source)
    return line.text == source.text or (not missing_words(said, told) and not any(doubts(told, [said])))


class Record:
    """All that was said, to be asked about one line after the other."""

    def __init__(self, lines: Iterable[Passage]) -> None:
        self._passages = [(one, one.words) for line in lines for one in _parts(line)]

    def says(self, line: Passage) -> bool:
        """Whether a line says one passage of it."""
        return any(says(line, one) for one in self.nearest(line))

    def nearest(self, line: Passage) -> list[Passage]:
        """The passages with most words in common with a line, the nearest first."""
        words = line.words
        shares = [2 * len(words & said) / (len(words) + len(said) or 1) for _one, said in self._passages]
        best = sorted((at for at, share in enumerate(shares) if share >= NEAR), key=lambda at: -shares[at])
        return [self._passages[at][0] for at in best[:LOOKED_AT]]


def _depth(raw: str) -> int:
    """How far in a line stands: headings by their level, a line that ends with a colon above the points behind it, points by
    their indent. Plain lines are at the level of the outermost points, and nothing stands under them."""
    text = raw.lstrip()
    if text.startswith("#"):
        return len(text) - len(text.lstrip("#"))
    indent = 10 + 2 * (len(raw.expandtabs(4)) - len(text.expandtabs(4)))
    return indent if _BULLET.match(raw) else indent - text.endswith(":")


def _parts(line: Passage) -> Iterator[Passage]:
    sentences = [line.text] if _QUOTES.search(line.text) else [one for one in _END.split(line.text) if one]
    for start in range(len(sentences)):
        for end in range(start + 1, min(start + SENTENCES, len(sentences)) + 1):
            yield Passage(" ".join(sentences[start:end]), line.under, line.role)


def _spoken(passage: Passage) -> str:
    """What was said, with who said it by name, and without the greeting before it."""
    greeting = _GREETING.match(passage.text) if passage.role else None
    text = passage.text[greeting.end() :] if greeting else passage.text
    if not passage.role or _NAMED.search(text) or _QUOTES.search(text):
        return text
    other = _OTHERS.get(passage.role, passage.role)
    text = _MY.sub(f"{passage.role}'s", _I.sub(passage.role, text))
    return _agreeing(_YOUR.sub(f"{other}'s", _YOU.sub(other, text)))


def _named(text: str, source: Passage) -> str:
    """A line about what somebody said: who said it by the same name as there."""
    if not source.role or _NAMED.search(source.text) or _QUOTES.search(source.text):
        return text
    leading = _LEADING.match(text)
    if leading and not _THEY.search(source.text):
        whose = "'s" if leading[1].casefold() == "their" else ""
        text = f"{source.role}{whose}{text[leading.end() :]}"
    return _agreeing(_NAMED.sub(lambda found: found[1].casefold(), text))


def _agreeing(text: str) -> str:
    return _VERB.sub(lambda found: f"{found[1]} {strip_s(found[2])}", text)
