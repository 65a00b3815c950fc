"""Other forms of a word that somebody asks for, as the index has them: "deliveries" is also "deliver", "entregó" also "entrega".

The index stems every Latin word as English, because one text mixes languages. What is asked for is one word, so here Snowball's
Spanish and German stem it too, and each stem takes the endings that its language puts there, a German verb its participle, an
irregular one what its table has. Most of what comes of it is no word; the index is asked which are there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memory.text.words.function_words import is_function_word
from memory.text.words.irregular import SEPARABLE, irregular_german, irregular_spanish
from memory.text.words.terms import LONGEST, fold, is_common, stemmer, words

SHORTEST = 3  # letters of a stem
REMEMBERED = 4096

# As the index has them: English has taken off an "s" already, and most of an "e".
_SPANISH = """
    a o e an en ar er ir ad ado ada id ido ida ando iendo aba aban ia ian amo emo imo aron ieron io aste iste ara aran ere eran
    ire iran ue ues
"""
_GERMAN = "e en er em ern n s est end ung ungen"
_GERMAN_VERB = "en n ung ungen"
# "decide, decision", also "conclude, conclusion" and "respond, response"
_DECIDED = re.compile("[a-z]{2,}[^aeiou][aiou][ds]|[a-z]{4,}n[ds]")
_REGULAR, _WITH_E = "st t ten", "est et eten"  # "macht", but "arbeitet"
_TAKES_E = re.compile("(?:[td]|(?:ch|[bdfgkpst])[mn])$")
_WITH_R = ("ern", "eln")
_NO_VERB = ("er", *_WITH_R)  # the stem of "liefern" is that of "lief" to Snowball, and of "Finger" that of "fing"
_PARTICIPLE = re.compile(rf"({'|'.join(SEPARABLE)})?ge(\w{{2,}}?[^\Waeio])e?t(?:e[mnrs]?)?")
_NOUNS = """
    geburt gedicht gehalt gerecht gericht gerucht gesamt geschaft geschicht geschlecht gesicht gestalt gewalt gewicht
"""
_NO_PARTICIPLES = frozenset(_NOUNS.split())  # folded
_SOUNDS = (*(f"{vowel}z {vowel}ces" for vowel in "aeiouí"), "zar cé", "car qué")  # that Spanish writes in two ways
_SPELLED = tuple(tuple(pair.split()) for pair in _SOUNDS)


@lru_cache(REMEMBERED)
def forms(typed: str) -> frozenset[str]:
    """What the index may have for other forms of a word; nothing for what is no word of Latin letters."""
    word, plain = typed.casefold(), fold(typed)
    if len(plain) > LONGEST or not (plain.isascii() and plain.isalpha()):
        return frozenset()
    (known,) = words(plain)
    spanish, german = stemmer("spanish").stemWord(word), stemmer("german").stemWord(word)
    found = {*_english(known), *_inflected(spanish, _SPANISH), *_inflected(german, _GERMAN)}
    verb = fold(_verb(word, german))
    found |= {*_verbal(verb), *_respelled(word), *irregular_spanish(plain)}
    found |= irregular_german(plain, "" if plain.endswith(_NO_VERB) else fold(german)) or _past(plain, verb)
    return frozenset(one for one in found if one != known and not _says_nothing(one))


def rejoined_forms(typed: str, last: str) -> frozenset[str]:
    """The same of a German verb whose beginning is the last word that is asked for: "ruft … an" is of "anrufen"."""
    whole = last + typed
    return forms(whole).union(words(fold(whole))) if fold(last) in SEPARABLE else frozenset()


def related_stem(known: str) -> str:
    """A verb's noun and the other way, as the index has them: "decis" of "decid"; any other word as it is. It says the same only
    where nobody says the word itself."""
    return known[:-1] + ("s" if known.endswith("d") else "d") if _DECIDED.fullmatch(known) else known


def _says_nothing(word: str) -> bool:
    return is_common(word) or is_function_word(word, "es") or is_function_word(word, "de")


def _english(known: str) -> set[str]:
    """A delivery is what somebody delivers, which Snowball keeps apart."""
    if known.endswith("eri"):
        return {known[:-3], known[:-1]}
    return {f"{known}eri", f"{known}i", related_stem(known)} if len(known) > SHORTEST else set()


def _verb(word: str, stem: str) -> str:
    """The stem of what looks like a German verb, "" for others: to Snowball "wohnt" and "wohnen" are two words."""
    if word.endswith(_WITH_R):
        return word[:-1]
    if word.endswith(("en", "ung")):
        return stem
    return stem.removesuffix("t") if word.endswith(("t", "te", "ten")) and stem.endswith("t") else ""


def _verbal(stem: str) -> set[str]:
    """A German verb's stem with its endings."""
    return _ended(stem, f"{_GERMAN_VERB} {_WITH_E if _TAKES_E.search(stem) else _REGULAR}")


def _past(plain: str, stem: str) -> set[str]:
    """The verb of which a word is the participle, as it looks, or else that of a regular German verb's stem: "ge" stands before
    it, or behind what stands before that, as in "angemeldet"."""
    found = _PARTICIPLE.fullmatch(plain)
    if found and f"ge{found[2]}t" not in _NO_PARTICIPLES:
        verb = f"{found[1] or ''}{found[2]}"
        return {verb, *_verbal(verb)}
    ending = "et" if _TAKES_E.search(stem) else "t"
    heads = [one for one in ("", *SEPARABLE) if stem.startswith(one) and len(stem) >= len(one) + SHORTEST]
    return {f"{one}ge{stem.removeprefix(one)}{ending}" for one in heads} - _NO_PARTICIPLES


def _respelled(word: str) -> Iterator[str]:
    """A "lápiz" is "lápices", "buscar" is "busqué", and the other way."""
    for one, other in _SPELLED:
        for typed, meant in ((one, other), (other, one)):
            if word.endswith(typed) and word != typed:
                yield from words(word.removesuffix(typed) + meant)


def _inflected(stem: str, endings: str) -> set[str]:
    """A stem by itself, as it is and as the index has it, and with the endings of its language."""
    return {*words(stem), *_ended(stem, endings), *_ended(stem, "")}


def _ended(stem: str, endings: str) -> set[str]:
    bare = fold(stem)
    return {bare + ending for ending in endings.split() or [""]} if len(bare) >= SHORTEST else set()
