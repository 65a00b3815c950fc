"""What a text costs a language model, about, without the model; and a cost shared out over the pieces of a text.

Two families of models, each fitted to its own vocabulary. Error of one text (mean, worst), on texts that were not fitted to:

gpt-4, cl100k_base: files of a bot 4 %, 11 %; chat transcripts 4 %, 48 % (long addresses); Spanish 5 %, 15 %; Chinese 8 %,
17 %; Japanese 3 %, 9 %; Python 5 %, 24 %; JavaScript 6 %, 19 %; Markdown 4 %, 15 %. Four letters a token would be 28 %, 45 % on
the first. German and Italian come out some 20 % low, traditional Chinese 25 %, Polish and Ukrainian 16 %, Base64 more.

llama-2, the 32,000 pieces of Llama 2: files of a bot 3 %, 11 %; Spanish 3 %, 6 %; German 2 %, 3 %; French 4 %, 7 %; Russian
2 %, 4 %; Japanese 1 %, 2 %; Korean 3 %, 6 %; Arabic 2 %, 3 %; Python 2 %, 8 %; JavaScript 5 %, 17 %; Markdown 2 %, 4 %. Chinese
comes out 9 % high, traditional Chinese 10 % and Italian 10 % low.

The vocabularies of other models are not to be had offline: for those, the nearest of the two is a guess of unknown error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

# the bytes of UTF-8 behind the first of a letter; with them gone, a byte is a letter
_CONTINUED = bytes(range(0x80, 0xC0))
_LEADS = {  # the bytes that a letter of each kind begins with
    "a": b"abcdefghijklmnopqrstuvwxyz",
    "A": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "1": b"0123456789",
    ".": bytes(byte for byte in range(33, 127) if not chr(byte).isalnum()),
    "\n": b"\n",
    "s": b"\xc2\xe2",  # signs, arrows, dashes
    "e": bytes(range(0xC3, 0xCE)),  # Latin with accents
    "g": b"\xce\xcf",  # Greek
    "r": bytes(range(0xD0, 0xD4)),  # Cyrillic
    "y": bytes(range(0xD4, 0xD7)),  # Armenian
    "h": b"\xd7",  # Hebrew
    "x": bytes(range(0xD8, 0xE0)),  # Arabic
    "i": b"\xe0",  # Devanagari and its kin, Thai
    "v": b"\xe1",  # Vietnamese, Georgian
    "k": b"\xe3\xee\xef",  # kana, CJK punctuation
    "c": bytes(range(0xE4, 0xEA)),  # Chinese characters
    "o": bytes(range(0xEA, 0xEE)),  # Hangul
    "m": bytes(range(0xF0, 0xF8)),  # emoji
}
_KINDS = bytes.maketrans(b"".join(_LEADS.values()), b"".join(kind.encode() * len(b) for kind, b in _LEADS.items()))
_RUNS = {  # a text in which nothing is left but one sort of runs: of Latin letters, of digits, of punctuation
    run: bytes(run[0] if byte in kinds else ord(" ") for byte in range(256))
    for run, kinds in ((b"w", b"aAev"), (b"1", b"1"), (b".", b"."))
}
_PLAIN = (b"\n", b"AA")  # what ASCII has of what costs by the letter


@dataclass(frozen=True, slots=True)
class Family:
    """What the parts of a text cost models of one family, in hundredths of a token; `error` is the mean one on a bot's files, in
    percent. A letter of a kind has its price, or each pair of them; a run its own, and more for each so many of its letters;
    some bytes of a script cost less or more than the letters of its kind."""

    name: str
    called: str
    vocabulary: str
    error: int
    by_letter: Mapping[bytes, int]
    by_run: Mapping[bytes, tuple[int, int, int]]
    by_bytes: Mapping[bytes, int]
    space_and_number: int


GPT_4 = Family(
    name="gpt-4",
    called="GPT-4",
    vocabulary="cl100k_base",
    error=4,
    by_letter={
        b"\n": 85, b"AA": 28, b"e": 218, b"v": 192,
        b"s": 159, b"g": 107, b"r": 54, b"y": 216, b"h": 119, b"x": 86, b"i": 140, b"k": 100, b"c": 113, b"o": 117, b"m": 250,
    },
    by_run={b"w": (87, 5, 51), b"1": (100, 4, 100), b".": (45, 2, 51)},
    by_bytes={b"\xe1\xba": -192, b"\xe1\xbb": -192, b"\xe0\xb8": -42, b"\xe0\xb9": -42},  # Vietnamese and Thai cost less
    space_and_number=100,
)  # fmt: skip
LLAMA_2 = Family(
    name="llama-2",
    called="Llama 2",
    vocabulary="Llama 2",
    error=3,
    by_letter={
        b"\n": 131, b"AA": 51, b"e": 229, b"v": 93,
        b"s": 61, b"g": 114, b"r": 41, b"y": 127, b"h": 121, b"x": 108, b"i": 131, b"k": 103, b"c": 163, b"o": 209, b"m": 541,
    },
    by_run={b"w": (47, 4, 95), b"1": (88, 1, 71), b".": (70, 1, 20)},
    by_bytes={b"\xe1\xba": 362, b"\xe1\xbb": -93, b"\xe0\xb8": 13, b"\xe0\xb9": -124},
    space_and_number=110,
)  # fmt: skip
FAMILIES = {family.name: family for family in (GPT_4, LLAMA_2)}


def estimate(text: str, family: Family = GPT_4) -> int:
    """About how many tokens a text is; 0 only for an empty text.

    Letters are sorted into kinds and counted. For GPT-4 a word in Latin letters costs 0.87, 0.51 more for each whole five letters,
    2.18 more for each accent (Vietnamese aside) and 0.28 for each two capitals; a number 1, 1 more for each whole four digits and
    1 for the space before it; a run of punctuation 0.45, 0.51 more for each two signs; a line end 0.85. Other scripts cost by the
    letter, from 0.54 (Cyrillic) over 1.00 (kana), 1.13 (Chinese) and 1.17 (Hangul) to 2.50 (emoji).
    """
    return whole_tokens(cost(text, family)) if text else 0


def whole_tokens(hundredths: int) -> int:
    """What a text that is not empty costs in whole tokens."""
    return max(round(hundredths / 100), 1)


def cost(text: str, family: Family = GPT_4) -> int:
    """The same in hundredths of a token, not rounded, never negative; 0 also for what is only spaces."""
    data = text.encode("utf-8", "surrogatepass")
    ascii_only = len(data) == len(text)
    kinds = data.translate(_KINDS, b"\r" if ascii_only else b"\r" + _CONTINUED)
    found = sum(family.by_letter[kind] * kinds.count(kind) for kind in (_PLAIN if ascii_only else family.by_letter))
    if not ascii_only:
        found += sum(price * data.count(some) for some, price in family.by_bytes.items())
    for run, (once, size, each) in family.by_run.items():
        alone = b" " + kinds.translate(_RUNS[run])
        found += once * alone.count(b" " + run) + each * alone.count(run * size)
    return found + family.space_and_number * kinds.count(b" 1")


def apportion(whole: int, weights: Sequence[int]) -> list[int]:
    """A whole in parts by their weights (none negative), which sum to it: each part ends where its share of the whole, rounded,
    ends. Without any weight the first part has it all; no parts, no whole."""
    total = sum(weights)
    if total <= 0:
        return [whole, *([0] * (len(weights) - 1))] if weights else []
    ends = [(2 * until * whole + total) // (2 * total) for until in accumulate(weights)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
