"""The words of a text as search knows them: folded, stemmed, in any script.

Folding: case, accents and compatibility forms go ("Müller" and "MULLER" are one). Stemming: Snowball's algorithm for the script,
English for every Latin word, because one text mixes languages and both sides are treated alike; irregular English forms and
numbers in words go to one form. Scripts that write no spaces give each two letters that stand together, and the last one of a
run, so that any part of a run is found. An emoji is a word.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import islice

import Stemmer

from memory.text.words.english import EQUAL, FILLER, FUNCTION, IRREGULAR, NUMBERS

LONGEST = 64  # characters of a word that count: what is longer is no word of a language
REMEMBERED = 1 << 16  # words whose analysis is kept: a memory says the same ones again and again

# Marks that belong to the letter before them; Python's \w leaves them out.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_stemmers = threading.local()
_RUN = re.compile(rf"(?:[^\W_]|[{MARKS}])+|[{EMOJI}]")
_ASCII_RUN = re.compile(r"[A-Za-z0-9]+")
_ASCII_WORD = re.compile(rf"([A-Za-z0-9]{{1,{LONGEST}}})[A-Za-z0-9]*+")  # of a run what counts
# Scripts without spaces between words: Han, kana, Hangul (particles stick to its words), Thai, Lao, Myanmar, Khmer.
TIGHT = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
TIGHT += "\u0e01-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3"
_PIECE = re.compile(rf"[{TIGHT}]+|[^{TIGHT}]+")
_IS_TIGHT = re.compile(f"[{TIGHT}]")
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_ALONE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})
# What English glues on with an apostrophe says nothing: Ana's, don't, we'll.
_GLUED = frozenset(("s", "t", "d", "m", "ll", "re", "ve"))
_APOSTROPHES = "'\u2019\u02bc"
_ASCII_GLUED = re.compile(rf"(?<=[A-Za-z0-9]')(?:{'|'.join(sorted(_GLUED))})(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)

_STEMMERS = (  # by the first letter of a word
    ("\u024f", "english"),
    ("\u03ff", "greek"),
    ("\u052f", "russian"),
    ("\u058f", "armenian"),
    ("\u05ff", "yiddish"),
    ("\u06ff", "arabic"),
    ("\u097f", "hindi"),
    ("\u0bff", "tamil"),
)


def words(text: str) -> list[str]:
    """The words of a text in order, as they are indexed."""
    if text.isascii():  # each run is one word
        apart = _ASCII_GLUED.sub("", text) if "'" in text else text
        return [found[0] for found in map(_analysed, _ASCII_WORD.findall(apart))]
    return [word for _start, _end, found in _runs(text) for word in found]


def query_words(text: str) -> list[tuple[str, str]]:
    """The words of what somebody asks for with what was typed, each once: a run of a script without spaces gives its pairs."""
    asked: dict[str, str] = {}
    for start, end, found in _runs(text):
        pairs = found[:-1] if len(found) > 1 and len(found[-1]) == 1 and _IS_TIGHT.match(found[-1]) else found
        for word in pairs:
            asked.setdefault(word, text[start:end])
    return list(asked.items())


def is_start(word: str) -> bool:
    """Whether a query's word has to be looked for as the beginning of a word: one letter of a script without spaces."""
    return len(word) == 1 and _IS_TIGHT.match(word) is not None


def is_common(word: str) -> bool:
    """Whether a word as it is indexed says next to nothing: an English article, pronoun, auxiliary or question word. Those of
    other languages are told by how often they stand: one's "die" is another's."""
    return word in _COMMON


def spans(text: str, wanted: Callable[[str], bool], most: int | None = None) -> list[tuple[int, int]]:
    """Where wanted words stand in a text: [start, end), in order, none touching another. With `most`, so many words at most: the
    text is read no further."""
    found = _ascii_spans(text, wanted) if text.isascii() else _spans(text, wanted)
    return _joined(list(islice(found, most)))


def fold(text: str) -> str:
    """A text without case, accents and compatibility forms."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFKC", bare.translate(_ALONE)).casefold()


def is_filler(typed: str) -> bool:
    """Whether a word is one that questions are made of rather than asked for."""
    return fold(typed) in FILLER


def _runs(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each run of letters with its words; what English glues on is none."""
    for match in (_ASCII_RUN if text.isascii() else _RUN).finditer(text):
        start, end = match.span()
        if not _is_glued(text, start, match[0]) and (found := _analysed(match[0][:LONGEST])):
            yield start, end, found


def _spans(text: str, wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    for start, end, run in _runs(text):
        if _IS_TIGHT.search(text, start, end):
            yield from _tight_spans(text, start, end, wanted)
        elif any(map(wanted, run)):
            yield start, end


def _ascii_spans(text: str, wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    known: dict[str, bool] = {}
    for match in _ASCII_RUN.finditer(text):
        run = match[0]
        if (is_wanted := known.get(run)) is None:
            is_wanted = known[run] = wanted(_analysed(run[:LONGEST])[0])
        if is_wanted and not _is_glued(text, match.start(), run):
            yield match.span()


def _is_glued(text: str, start: int, run: str) -> bool:
    return start > 1 and text[start - 1] in _APOSTROPHES and run.lower() in _GLUED and text[start - 2].isalnum()


@lru_cache(REMEMBERED)
def _analysed(run: str) -> tuple[str, ...]:
    folded = fold(run)
    if folded.isascii():
        return (_stem(folded),) if folded.isalnum() else tuple(map(_stem, _ASCII_RUN.findall(folded)))
    found: list[str] = []
    for piece in _PIECE.findall(folded):
        if _IS_TIGHT.match(piece):
            found += [piece[at : at + 2] for at in range(len(piece))]  # the last one is a single letter
        else:
            found += [_stem(part[0]) for part in _RUN.finditer(piece)]
    return tuple(found)


def _stem(word: str) -> str:
    language = next((name for last, name in _STEMMERS if word[0] <= last), "")
    if not language or word.isdigit():
        return word
    word = IRREGULAR.get(word, word)
    word = NUMBERS.get(word, word)
    stem: str = word if word.isdigit() else stemmer(language).stemWord(word)
    return _EQUALS.get(stem, stem) if word.isascii() else stem or word


def stemmer(language: str) -> Stemmer.Stemmer:
    """A thread's own: a stemmer remembers where in a word it is."""
    own = vars(_stemmers)
    if language not in own:
        own[language] = Stemmer.Stemmer(language, 0)  # which keeps no stems: ours are kept with all else about a word
    return own[language]


def _equals() -> dict[str, str]:
    stem = stemmer("english").stemWord
    return {stem(word): stem(first) for word, first in EQUAL.items() if stem(word) != stem(first)}


_EQUALS = _equals()  # stems that mean the same as another one
_COMMON = frozenset(found for word in FUNCTION for found in words(word))


def _tight_spans(text: str, start: int, end: int, wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Within a run that holds letters of a script without spaces: the pairs that are wanted, and the words between."""
    for piece in _PIECE.finditer(text, start, end):
        if not _IS_TIGHT.match(piece[0]):
            if any(map(wanted, _analysed(piece[0][:LONGEST]))):
                yield piece.span()
            continue
        for at in range(piece.start(), piece.end()):
            pair = fold(text[at : min(at + 2, piece.end())])
            if wanted(pair):
                yield at, min(at + 2, piece.end())
            elif wanted(pair[:1]):
                yield at, at + 1


def _joined(found: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
