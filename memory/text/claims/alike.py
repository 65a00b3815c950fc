"""Whether two facts say the same in nearly the same words: articles, punctuation, an ending, a slip of the pen apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA
from rensa import RMinHash

from memory.text.fidelity.retention import has_negation, missing_words, words_of
from memory.text.markdown.normal import unstamped_text
from memory.text.words.function_words import is_function_word, language
from memory.text.words.terms import is_common, words

SHORTEST, LONGEST = 12, 400  # characters; in scripts without spaces a third says as much
TIGHTER = 3
WORDS = 20_000  # whose letters are kept
FEWEST = 2  # words that say something
SEED, BANDS, ROWS = 42, 2, 4  # of the sketch: what shares a band may be alike
SLIP = 7  # letters of a word in which one may be wrong
LIKELY = 70  # of a hundred: what is less alike is not looked at word by word
ENDING = 2  # of its last letters none: they may be another person or sex

_DIGITS = re.compile(r"[0-9]+")
# Who it is about needs no word: what the bot remembers is the user's.
_USER = re.compile(
    r"\A(?:(?:the )?user|(?:(?:el|la) )?usuari[oa]|(?:(?:der|die) )?(?:be)?nutzer(?:in)?)(?=\s)\s*|\A用户",
    re.IGNORECASE,
)
_FREE = frozenset(["has", "have", "already", "really", "very", "also", "just"])
_SAME = (
    (re.compile("(?<=[⺀-鿿])(?:的(?=[⺀-鿿])|了(?=\\W*\\Z))"), ""),
    (re.compile(r"\b(?:enjoys?|loves?)\b", re.IGNORECASE), "likes"),
    (re.compile(r"\b(?:resides?|living)\b", re.IGNORECASE), "lives"),
    (re.compile(r"\busing\b", re.IGNORECASE), "uses"),
    (re.compile(r"\bprefer\b", re.IGNORECASE), "prefers"),
    (re.compile(r"\bencantan?\b", re.IGNORECASE), "gusta"),
    (re.compile(r"\bliebt\b", re.IGNORECASE), "mag"),
    (re.compile(r"\bharbor\b", re.IGNORECASE), "harbour"),
)
# a part of each
_ANY_SAME = re.compile("[的了]|enjoy|love|resid|living|using|prefer|encanta|liebt|harbor", re.IGNORECASE)


def bands(text: str) -> tuple[str, ...]:
    """Short names; texts that are alike nearly always share one. () for a text too short or too long to tell."""
    plain = _plain(text)
    if not _fits(plain):
        return ()
    said = [word for word in words(plain) if not is_common(word)]
    if len(said) < FEWEST:
        return ()
    numbers = "+".join(sorted(word for word in said if word.isdigit()))  # another number is another fact
    sketch = RMinHash(BANDS * ROWS, SEED)
    sketch.update(list({three for word in said for three in _threes(word)}))
    found = sketch.digest()
    return tuple(_named(numbers, at, found[at : at + ROWS]) for at in range(0, len(found), ROWS))


def are_alike(one: str, other: str) -> bool:
    """Whether two texts say the same. Other numbers, dates, names, another order of them, or a negation make it something else."""
    first, second = _plain(one), _plain(other)
    if not fuzz.token_sort_ratio(first.casefold(), second.casefold(), score_cutoff=LIKELY):
        return False
    if has_negation(first) != has_negation(second) or _DIGITS.findall(first) != _DIGITS.findall(second):
        return _spelled(first) == _spelled(second)
    lost, found = (
        [word for word in some if word.casefold() not in _FREE]
        for some in (missing_words(first, second), missing_words(second, first))
    )
    is_english = language(words_of(first)) == "en"
    return all(
        _is_slip(*pair, is_english=is_english) for pair in zip_longest(lost, found, fillvalue="")
    ) and _are_in_order(first, second)


def _spelled(text: str) -> str:
    return " ".join(words(text))


def _plain(text: str) -> str:
    """A text without what says nothing of it: its time, whom a bot's memory is about anyway."""
    plain = _USER.sub("", unstamped_text(text).strip()).strip()
    for pattern, word in _SAME if _ANY_SAME.search(plain) else ():
        plain = pattern.sub(word, plain)
    return plain


def _fits(text: str) -> bool:
    tight = any(sign > "⺀" for sign in text)
    return SHORTEST // (TIGHTER if tight else 1) <= len(text) <= LONGEST


@lru_cache(maxsize=WORDS)
def _threes(word: str) -> tuple[str, ...]:
    """Threes of the letters of a word, so that a slip in one leaves most of them."""
    return tuple(word[at : at + 3] for at in range(max(len(word) - 2, 1)))


def _named(numbers: str, at: int, values: Sequence[int]) -> str:
    return "~" + sha256(f"{at}:{numbers}:{values}".encode()).hexdigest()[:24]


def _is_slip(one: str, other: str, *, is_english: bool) -> bool:
    """Whether two words are the same with another ending, or one of them is misspelt. A name is not."""
    if is_english and words(one) == words(other):
        return True
    if one[:1].isupper() or other[:1].isupper() or min(len(one), len(other)) < SLIP:
        return False
    return one[-ENDING:] == other[-ENDING:] and OSA.distance(one, other, score_cutoff=1) <= 1


def _are_in_order(one: str, other: str) -> bool:
    """Whether what both say comes in the same order: who chases whom is told by nothing else."""
    first, second = _telling(one), _telling(other)
    return len(first) == len(second) and all(
        a == b or OSA.distance(a, b, score_cutoff=1) <= 1 for a, b in zip(first, second, strict=True)
    )


def _telling(text: str) -> list[str]:
    code = language(words_of(text))
    little = (word for word in words_of(text) if is_function_word(word, code))
    common = {found for word in (*little, *_FREE) for found in words(word)}
    return [word for word in words(text) if word not in common and not is_common(word)]
