"""What a sentence is made of, as people read it: words, numbers with their units, dates, times, addresses, code, quotes.

Finer than what search knows: nothing is stemmed, "80" is not a part of "8080", "5 km" is neither 5 nor "5 kg", and what has to be
said to the letter (code, a quote, an address, a version) is one atom. What is only written in another way is one form: dates
and times in words and numbers, "1,000" and "1000", ">=" and "≥", "two" and "2", "don't" and "do not".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.text.byte_cache import byte_cached
from memory.text.fidelity.datetimes import date_form, time_form
from memory.text.fidelity.patterns import CLAUSE, DASHES, MASTER, MONEY, PARTS, SENTENCE, SIGNS, is_sign
from memory.text.markdown.titles import MONTH
from memory.text.words.english import NUMBERS
from memory.text.words.function_words import NEGATIONS, one_form
from memory.text.words.terms import MARKS


class AtomKind(StrEnum):
    """What an atom is."""

    WORD = "word"
    NOT = "not"  # a word that turns a sentence into its opposite
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    EXACT = "exact"  # an address, a path, a version: by itself and to the letter
    CODE = "code"
    QUOTE = "quote"
    TIGHT = "tight"  # a run of a script without spaces
    SIGN = "sign"  # an emoji, a box to tick, a question mark, "≠", "₺", "′"
    MARK = "mark"  # what says something only by where it stands: the 's of an owner, a dash or a bracket at a number


@dataclass(frozen=True, slots=True)
class Atom:
    """One of them. `form` is what is compared, `clause` counts the parts of its sentence and on; `opens`: a sentence begins with
    it, so that its capital says nothing."""

    kind: AtomKind
    form: str
    shown: str
    clause: int
    opens: bool

    @property
    def is_name(self) -> bool:
        """Whether it is a word with a capital."""
        return self.kind is AtomKind.WORD and self.shown[:1].isupper()


ROOM, TIMES = (
    16 << 20,
    20,
)  # bytes of atoms that are kept, and how much they are of a text: a fact is compared with many lines
_TAILS = {"'s": "'s", "'re": "are", "'m": "am", "'ll": "will", "'ve": "have", "'d": "would", "n't": "not"}
_PRONOUNS = "he she it that this there here who what where how"
_IS = frozenset(_PRONOUNS.split())  # "it's" is "it is", "Ana's" has an owner
_WHOLE = {"can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"), "cannot": ("can", "not")}
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu)'(?=\w{2})")
_LETTERS = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_DECIMALS = re.compile(r"\d+,(?:\d{1,2}|\d{4,})|0,\d+")
_PAIR = re.compile(r"(\d+)[-–](\d+)")
_SPLIT = re.compile(r"[-/:=&+·.]+")


@byte_cached(ROOM, TIMES)
def atoms(text: str) -> tuple[Atom, ...]:
    """The atoms of a text in order. Marks that change only its looks (emphasis, a list's bullets, punctuation) are none."""
    return tuple(_read(unicodedata.normalize("NFC", text)))


def inner_text(atom: Atom) -> str:
    """What stands in a quote or in code."""
    return atom.shown.strip("`") if atom.kind is AtomKind.CODE else atom.shown[1:-1]


def collapse_spaces(text: str) -> str:
    """A text on one line with single spaces, as what is said to the letter is looked for."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _read(text: str) -> Iterator[Atom]:
    clause, at = 0, 0
    for found in MASTER.finditer(text):
        if found.lastgroup == "other" and not is_sign(found[0][0]):
            continue
        gap = text[at : found.start()]
        opens = at == 0 or SENTENCE.search(gap) is not None
        clause += opens or CLAUSE.search(gap) is not None
        at = found.end()
        for atom in _atoms_of(found, clause, opens):
            if atom.form in PARTS:
                clause += 1
            yield atom
            opens = False
            clause = max(clause, atom.clause)


def _atoms_of(found: re.Match[str], clause: int, opens: bool) -> Iterator[Atom]:
    kind, text = str(found.lastgroup), found[0]
    match kind:
        case "noted":
            yield Atom(AtomKind.EXACT, text, text, clause, opens)
        case "code":
            yield Atom(AtomKind.CODE, collapse_spaces(text.strip("`")), text, clause, opens)
        case "quote":
            yield Atom(AtomKind.QUOTE, collapse_spaces(text[1:-1]).rstrip(".,"), text, clause, opens)
        case "strike":
            yield Atom(AtomKind.EXACT, collapse_spaces(text), text, clause, opens)
        case "address" | "path":
            exact = text.rstrip(".,;:!?*_…")
            exact = exact[:-1] if exact.endswith(")") and "(" not in exact else exact
            yield Atom(AtomKind.EXACT, exact, exact, clause, opens)
        case "box":
            yield Atom(AtomKind.SIGN, text.lower(), text, clause, opens)
        case "phone":
            yield Atom(AtomKind.EXACT, "+" + "".join(filter(str.isdigit, text)), text, clause, opens)
        case "date":
            yield Atom(AtomKind.DATE, date_form(found) or text, text, clause, opens)
        case "time":
            yield Atom(AtomKind.TIME, time_form(found) or text, text, clause, opens)
        case "number" | "unit":
            yield Atom(AtomKind.NUMBER, _number(found), text, clause, opens)
        case "tight":
            yield Atom(AtomKind.TIGHT, unicodedata.normalize("NFKC", text), text, clause, opens)
        case "emoji":
            yield Atom(AtomKind.SIGN, text.replace("\ufe0f", ""), text, clause, opens)
        case "asks":
            yield Atom(AtomKind.SIGN, "?", "?", clause, opens)
        case "sign" | "other":
            yield Atom(AtomKind.SIGN, SIGNS.get(text, text), text, clause, opens)
        case "owner":
            yield Atom(AtomKind.MARK, "'s", text, clause, opens)
        case "mark":
            yield Atom(AtomKind.MARK, text.strip().translate(DASHES), text, clause, opens)
        case _:
            yield from _token(text, clause, opens)


def _number(found: re.Match[str]) -> str:
    """A number with what belongs to it: "$ 1,000" is "$1000", "5 km" is "5km". What may mean two things stays as it is."""
    digits = _ascii(found["digits"])
    if _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", "")
    elif _DECIMALS.fullmatch(digits):
        digits = digits.replace(",", ".")
    elif digits.startswith("."):
        digits = f"0{digits}"
    before = found["before"].replace(" ", "").replace("−", "-").replace(">=", "≥").replace("<=", "≤")
    unit = found["unit"] or ""
    return f"{unit}{digits}" if unit in MONEY and unit else f"{before}{digits}{unit}"


def _ascii(digits: str) -> str:
    """The digits of any script as 0 to 9."""
    return digits if digits.isascii() else "".join(str(unicodedata.digit(sign, sign)) for sign in digits)


def _token(text: str, clause: int, opens: bool) -> Iterator[Atom]:
    """The words of what stands between spaces, or one atom where it has to be said to the letter."""
    plain = text.translate(_APOSTROPHES)
    if ("'" in plain and not any(sign.isdigit() for sign in plain)) or plain.casefold() in _WHOLE:
        yield from _glued(plain, clause, opens)
    elif _LETTERS.fullmatch(plain):
        yield _word(text, clause, opens)
    elif plain.isdecimal():
        yield Atom(AtomKind.NUMBER, _ascii(plain), text, clause, opens)
    elif (pair := _PAIR.fullmatch(plain)) and _is_range(pair[1], pair[2]):
        for number in pair.groups():
            yield Atom(AtomKind.NUMBER, number, number, clause, opens)
            opens = False
    elif _is_exact(plain):
        yield Atom(AtomKind.EXACT, plain if "_" in plain or "\\" in plain else plain.casefold(), text, clause, opens)
    else:
        for part in filter(None, _SPLIT.split(plain)):
            yield _word(part, clause, opens)
            opens = False


def _is_exact(text: str) -> bool:
    """Whether a token with marks or digits in it is a thing of its own: a file, a version, a handle, "R&D", "C++"."""
    if any(sign.isdigit() or sign in "_@#$&+\\" for sign in text):
        return True
    if "." in text or text.count("/") > 1:
        return True
    return text.count("=") > 0


def _is_range(first: str, last: str) -> bool:
    return len(first) + len(last) < 9 and len(last) >= len(first) and int(first) < int(last)


def _glued(text: str, clause: int, opens: bool) -> Iterator[Atom]:
    """A word with an apostrophe: what English glues on is a word of its own or none, and so is what French and Italian elide."""
    folded = text.casefold()
    if folded in _WHOLE:
        parts = list(_WHOLE[folded])
    else:
        tail = next((tail for tail in _TAILS if folded.endswith(tail) and len(folded) > len(tail)), "")
        head = text[: len(text) - len(tail)]
        elided = _ELIDED.match(head.casefold())
        heads = [head[: elided.end()], head[elided.end() :]] if elided else [head]
        opens = opens and not (tail == "'s" and len(head) == 1)  # "A's port": no article has that
        glued = "is" if tail == "'s" and head.casefold() in _IS else _TAILS.get(tail, "")
        parts = [*(part.rstrip("'") if part is heads[-1] else part for part in heads), glued]
    for part in filter(None, parts):
        yield Atom(AtomKind.MARK, part, part, clause, opens) if part == "'s" else _word(part, clause, opens)
        opens = False


def _word(text: str, clause: int, opens: bool) -> Atom:
    folded = unicodedata.normalize("NFC", text.casefold())
    if folded in NUMBERS:
        return Atom(AtomKind.NUMBER, NUMBERS[folded], text, clause, opens)
    if folded in NEGATIONS:
        return Atom(AtomKind.NOT, one_form(folded), text, clause, opens)
    return Atom(AtomKind.WORD, folded, text, clause, opens)


def is_month(atom: Atom) -> bool:
    """Whether an atom is a month's name."""
    return atom.kind is AtomKind.WORD and atom.form in MONTH
