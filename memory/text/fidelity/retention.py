"""The retention gate: what a line does not say of a fact that it should hold, and what it says that no fact does.

Code decides this and no model: whoever rewrites facts is believed only as far as these functions can see. They look at words and
numbers, not at sense, so they err on the side of missing something: a line that says the same in other words is not let through.
Agreement is: "like" for "likes" and "cat" for "cats" in an English text, but never "liked".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memory.text.fidelity.atoms import Atom, AtomKind, atoms, collapse_spaces, inner_text, is_month
from memory.text.fidelity.datetimes import has_date
from memory.text.words.english import FILLER, FUNCTION
from memory.text.words.function_words import TIGHT_NEGATION, is_function_word, language

_AGREE = {"is": "are", "am": "are", "has": "have", "does": "do", "goes": "go", "was": "were", "uses": "use"}
_WHOLE = "news goods customs means arms lens species series glasses pants this always"
_NO_PLURALS = frozenset(_WHOLE.split())
_IN_A_WORD = re.compile(r"\w")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)e\Z")
LOUD = (AtomKind.NUMBER, AtomKind.DATE, AtomKind.TIME, AtomKind.EXACT)
_PARTICLES = frozenset("的のはがをに은는이가을를에의도와과")
_JOINING = "both too still additionally respectively instead"
_PLAIN = FUNCTION | FILLER | frozenset(_JOINING.split())


def missing_words(fact: str, line: str) -> tuple[str, ...]:
    """The content words and numbers of a fact that a line does not contain, as they are written in the fact, in its order.

    Every word counts but little ones (`function_words`); of negations also how many there are."""
    if collapse_spaces(fact) == collapse_spaces(line):
        return ()
    said, code = _said(line), language(words_of(fact))
    lost = [atom.shown for atom in atoms(fact) if not _is_said(atom, said, code)]
    return tuple(dict.fromkeys([*lost, *_lost_negations(fact, line)]))


def invented_words(line: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The names, numbers, dates, addresses, quotes and negations of a line that none of its sources has."""
    known = [_said(source) for source in sources]
    found = []
    for atom in atoms(line):
        if atom.kind is AtomKind.NUMBER and atom.shown.casefold() == "one":
            continue  # "the one that", "one of them"
        if _is_telling(atom) and not any(_is_said(atom, said, "") for said in known):
            found.append(atom.shown)
    if TIGHT_NEGATION.search(line) and not any(TIGHT_NEGATION.search(said.text) for said in known):
        found.append(TIGHT_NEGATION.search(line)[0])  # type: ignore[index]
    return tuple(dict.fromkeys(found))


def added_words(line: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The other words of a line that none of its sources has, those aside that only join sentences."""
    known = [_said(source) for source in sources]
    code = language(words_of(line))
    found = [
        atom.shown
        for atom in atoms(line)
        if atom.kind is AtomKind.WORD
        and not _is_telling(atom)
        and atom.form not in _PLAIN
        and not says_nothing(atom, code)
        and not any(_is_said(atom, said, "") for said in known)
    ]
    return tuple(dict.fromkeys(found))


def shared_words(one: str, other: str) -> tuple[str, ...]:
    """The content words of one text that the other has too; numbers and negations are none."""
    said, code = _said(other), language(words_of(one))
    return tuple(
        atom.shown
        for atom in atoms(one)
        if atom.kind in (AtomKind.WORD, AtomKind.EXACT, AtomKind.TIGHT)
        and not says_nothing(atom, code)
        and (atom.kind is not AtomKind.TIGHT or said.pairs & _pairs(atom.form))
        and (atom.kind is AtomKind.TIGHT or _is_said(atom, said, ""))
    )


def has_negation(text: str) -> bool:
    """Whether a text has a negation."""
    return any(atom.kind is AtomKind.NOT for atom in _deep(text)) or TIGHT_NEGATION.search(text) is not None


def content_words(text: str) -> tuple[str, ...]:
    """The content words of a text, as `shared_words` counts them."""
    return shared_words(text, text)


@dataclass(slots=True)
class _Said:
    """What a line says, to be looked up."""

    text: str
    forms: defaultdict[AtomKind, set[str]] = field(default_factory=lambda: defaultdict(set))
    agreeing: set[str] = field(default_factory=set)  # words that are no names, without their -s
    pairs: set[str] = field(default_factory=set)  # of letters of scripts without spaces
    language: str = ""


def _said(line: str) -> _Said:
    said = _Said(collapse_spaces(line), language=language(words_of(line)))
    for atom in _deep(line):
        said.forms[atom.kind].add(atom.form)
        if atom.kind is AtomKind.WORD and (atom.opens or not atom.is_name):
            said.agreeing.add(strip_s(atom.form))
        elif atom.kind is AtomKind.DATE:
            said.forms[AtomKind.NUMBER] |= {atom.form[:4]} - {"----"}
            said.forms[AtomKind.WORD] |= {word.form for word in atoms(atom.shown.replace(" ", "\n")) if is_month(word)}
        elif atom.kind is AtomKind.TIGHT:
            said.pairs |= _pairs(atom.form)
    return said


def _deep(line: str) -> Iterator[Atom]:
    """The atoms of a line, and those within its quotes and code: what is quoted is said."""
    for atom in atoms(line):
        yield atom
        if atom.kind in (AtomKind.QUOTE, AtomKind.CODE):
            yield from atoms(inner_text(atom))


def _is_said(atom: Atom, said: _Said, code: str) -> bool:
    """Whether a line says an atom. `code`: the language in which little words need not be said, "" for none."""
    match atom.kind:
        case AtomKind.WORD:
            if says_nothing(atom, code) or atom.form in said.forms[AtomKind.WORD]:
                return True
            if (atom.is_name and not atom.opens) or strip_s(atom.form) not in said.agreeing:
                return False
            return (code or said.language) == "en"
        case AtomKind.DATE:
            return has_date(said.forms[AtomKind.DATE], atom.form)
        case AtomKind.CODE | AtomKind.QUOTE:
            return _stands(atom.form, said.text)
        case AtomKind.TIGHT:
            return not _uncovered(atom.form, said)
        case AtomKind.MARK:
            return True  # what a line makes of it is for `laying` to see
        case _:
            return atom.form in said.forms[atom.kind]


def says_nothing(atom: Atom, code: str) -> bool:
    """Whether a word says nothing by itself: "a" does not, A may be anything."""
    return is_function_word(atom.form, code) and (atom.opens or not atom.is_name)


def strip_s(word: str) -> str:
    """An English word without the -s of a plural or of "he likes"; any other as it is."""
    if word in _AGREE:
        return _AGREE[word]
    if len(word) < 4 or not word.isascii() or word in _NO_PLURALS:
        return word
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    if word.endswith("ie") and len(word) > 3:
        return f"{word[:-2]}y"
    return word[:-1] if _SIBILANT.search(word) else word


def _stands(wanted: str, text: str) -> bool:
    """Whether something stands in a text to the letter, not as a part of a longer word, number or path."""
    before = r"(?<!\w)(?<!\w[-./@_:])" if _IN_A_WORD.match(wanted) else ""
    after = r"(?!\w|[-./@_:]\w)" if _IN_A_WORD.match(wanted[-1:]) else ""
    return re.search(before + re.escape(wanted) + after, text) is not None


def _uncovered(run: str, said: _Said) -> bool:
    """Whether a run of a script without spaces has a letter that a line does not say: each has to stand beside one it stands
    beside in the run, or, if it is a word of its own between others that are said, at least anywhere."""
    letters = "".join(sorted(said.forms[AtomKind.TIGHT]))
    covered = [False] * len(run)
    for at in range(len(run) - 1):
        if run[at : at + 2] in said.pairs:
            covered[at] = covered[at + 1] = True
    for at, letter in enumerate(run):
        if covered[at] or letter in _PARTICLES:
            continue
        beside = [covered[near] or run[near] in _PARTICLES for near in (at - 1, at + 1) if 0 <= near < len(run)]
        if letter not in letters or not all(beside) or TIGHT_NEGATION.match(letter):
            return True
    return False


def _pairs(run: str) -> set[str]:
    return {run[at : at + 2] for at in range(len(run) - 1)} or {run}


def _lost_negations(fact: str, line: str) -> Iterator[str]:
    """Negations that a fact has more of than a line."""
    has = Counter(atom.form for atom in _deep(line) if atom.kind is AtomKind.NOT)
    for atom in atoms(fact):
        if atom.kind is AtomKind.NOT:
            has[atom.form] -= 1
            if has[atom.form] < 0:
                yield atom.shown
    if len(TIGHT_NEGATION.findall(fact)) > len(TIGHT_NEGATION.findall(line)):
        yield TIGHT_NEGATION.findall(fact)[-1]


def _is_telling(atom: Atom) -> bool:
    """Whether nothing but a source can be where an atom comes from."""
    if atom.kind in (AtomKind.NOT, AtomKind.CODE, AtomKind.QUOTE, *LOUD):
        return True
    return atom.is_name and not (atom.opens and atom.form in _PLAIN)


def words_of(text: str) -> tuple[str, ...]:
    """What tells a text's language: its words, negations as they are written ("no" is not "not" in Portuguese)."""
    return tuple(atom.shown.casefold() for atom in atoms(text) if atom.kind in (AtomKind.WORD, AtomKind.NOT))
