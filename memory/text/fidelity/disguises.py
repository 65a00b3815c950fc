"""What a line that was made of others does to their looks: characters that nobody sees, marks that hide a part of it, words in
another case."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from memory.text.fidelity.atoms import AtomKind, atoms

_HIDING = frozenset("<>[]{}~|\\")
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # what is read the other way round
_VARIANTS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef]")
_RANGE = re.compile(r"(?<!\d)\d++[-–]\d[\d–-]*")


def count_invisible(line: str, sources: Iterable[str]) -> int:
    """How many characters of a line nobody sees, those aside that its sources have; what turns the reading round counts always."""
    known = set().union(*sources) - _TURNING
    return sum(_is_unseen(sign) and sign not in known for sign in line)


def hiding_marks(line: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The marks with which a part of a text can be hidden (a comment, a tag, a link) that a line has more of than its sources."""
    more = Counter(sign for sign in line if sign in _HIDING)
    more.subtract(sign for source in sources for sign in source)
    return tuple(sign for sign, count in more.items() if count > 0)


def recased_words(line: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The words of a line that its sources have only in another case (a capital where a sentence begins says nothing), and what
    was "5-8" in a source and is not in the line."""
    texts = tuple(sources)
    shown: dict[str, set[str]] = {}
    opening: dict[str, set[str]] = {}
    for atom in (atom for text in texts for atom in atoms(text) if atom.kind is AtomKind.WORD):
        shown.setdefault(atom.form, set()).add(atom.shown)
        if atom.opens:
            opening.setdefault(atom.form, set()).add(_small(atom.shown))
    found = [
        atom.shown
        for atom in atoms(line)
        if atom.kind is AtomKind.WORD
        and atom.form in shown
        and atom.shown not in shown[atom.form]
        and _small(atom.shown) not in opening.get(atom.form, ())
        and not (atom.opens and _small(atom.shown) in map(_small, shown[atom.form]))
    ]
    ranges = [part for text in texts for part in _RANGE.findall(text) if part not in line]
    return tuple(dict.fromkeys([*found, *ranges]))


def _is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cf", "Cc", "Co", "Cn") or _VARIANTS.match(sign) is not None


def _small(word: str) -> str:
    return word[:1].lower() + word[1:]
