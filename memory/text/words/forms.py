"""Other forms of a word that somebody asks for, as the index has them: "deliveries" is also "deliver", "entregó" also "entrega".

The index stems every Latin word as English, because one text mixes languages. What is asked for is one word, so here Snowball's
Spanish and German stem it too, and each stem takes the endings that its language puts there. Most of what comes of it is no word;
the index is asked which are there.
"""

from __future__ import annotations

from functools import lru_cache

from memory.text.words.function_words import is_little
from memory.text.words.terms import LONGEST, fold, is_common, stemmer, words

SHORTEST = 3  # letters of a stem
REMEMBERED = 4096

# As the index has them: English has taken off an "s" already, and most of an "e".
_SPANISH = """
    a o e an en ar er ir ad ado ada id ido ida ando iendo aba aban ia ian amo emo imo aron ieron io aste iste ara aran ere eran
    ire iran ue ues
"""
_GERMAN = "e en er em ern n s est end ung ungen"
_GERMAN_VERB = "en n st t te ten ung ungen"


@lru_cache(REMEMBERED)
def forms(typed: str) -> frozenset[str]:
    """What the index may have for other forms of a word; nothing for what is no word of Latin letters."""
    word, plain = typed.casefold(), fold(typed)
    if len(plain) > LONGEST or not (plain.isascii() and plain.isalpha()):
        return frozenset()
    (known,) = words(plain)
    spanish, german = stemmer("spanish").stemWord(word), stemmer("german").stemWord(word)
    found = {*_english(known), *_inflected(spanish, _SPANISH), *_inflected(german, _GERMAN)}
    found |= _ended(_verb(word, german), _GERMAN_VERB)
    return frozenset(one for one in found if one != known and not _says_nothing(one))


def _says_nothing(word: str) -> bool:
    return is_common(word) or is_little(word, "es") or is_little(word, "de")


def _english(known: str) -> set[str]:
    """A delivery is what somebody delivers, which Snowball keeps apart."""
    if known.endswith("eri"):
        return {known[:-3], known[:-1]}
    return {f"{known}eri", f"{known}i"} if len(known) > SHORTEST else set()


def _verb(word: str, stem: str) -> str:
    """The stem of what looks like a German verb, "" for others: to Snowball "wohnt" and "wohnen" are two words."""
    if word.endswith(("ern", "eln")):
        return word[:-1]
    if word.endswith(("en", "ung")):
        return stem
    return stem.removesuffix("t") if word.endswith(("t", "te", "ten")) and stem.endswith("t") else ""


def _inflected(stem: str, endings: str) -> set[str]:
    """A stem by itself, as it is and as the index has it, and with the endings of its language."""
    return {*words(stem), *_ended(stem, endings), *_ended(stem, "")}


def _ended(stem: str, endings: str) -> set[str]:
    bare = fold(stem)
    return {bare + ending for ending in endings.split() or [""]} if len(bare) >= SHORTEST else set()
