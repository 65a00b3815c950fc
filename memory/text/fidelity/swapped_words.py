"""Numbers and names that a line has turned round: each of its words stands in a source, and what it says in none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from memory.text.fidelity.atoms import Atom, AtomKind, atoms
from memory.text.fidelity.retention import LOUD, says_nothing, strip_s, words_of
from memory.text.words.function_words import language

_NEAR = 12  # atoms before and behind
_NO = "¬"  # beside the words of a clause that is negated


def swapped_words(line: str, sources: Iterable[str]) -> tuple[str, ...]:
    """The numbers and names of a line that stand there among other words than in any of its sources: "A has port 80, B has 81"
    turned round, or in another order within one clause ("from 10:00 to 14:00"). Words that stand beside several of them tell
    nothing, and a sentence that became its opposite counts too."""
    texts = tuple(sources)
    around: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for source in texts:
        for name, words in _anchors(source):
            around[name].append(words)
    seen = Counter(word for name in around for word in frozenset().union(*around[name]))
    common = {word for word, count in seen.items() if count > 1 and word != _NO}
    anchors = dict.fromkeys(_anchors(line))
    known = {name: tuple(dict.fromkeys(places)) for name, places in around.items()}
    found = {name for name, words in anchors if name in known and _is_elsewhere(words, known[name], common)}
    was = {pair for source in texts for pair in _pairs_in_order(source)}
    found |= {name for pair in _pairs_in_order(line) if pair not in was and pair[::-1] in was for name in pair}
    return tuple(dict.fromkeys(atom.shown for atom in atoms(line) if atom.form in found))


def _anchors(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Each number and name of a text with the content words of its clause."""
    code = language(words_of(text))
    clauses: defaultdict[int, list[Atom]] = defaultdict(list)
    for atom in atoms(text):
        clauses[atom.clause].append(atom)
    for clause in clauses.values():
        negated = {_NO} if any(atom.kind is AtomKind.NOT for atom in clause) else set()
        for at, atom in enumerate(clause):
            if atom.kind in LOUD or atom.is_name:
                near = clause[max(0, at - _NEAR) : at + _NEAR + 1]
                words = {word for one in near for word in _parts(one, code)} - {atom.form, strip_s(atom.form)}
                yield atom.form, frozenset(words | negated)


def _pairs_in_order(text: str) -> Iterator[tuple[str, str]]:
    """Each two numbers, and each two names, that stand near each other in one clause, as they follow each other."""
    found = [atom for atom in atoms(text) if atom.kind in LOUD or atom.is_name]
    for at, atom in enumerate(found):
        for after in found[at + 1 : at + 1 + _NEAR]:
            if after.clause == atom.clause and after.is_name == atom.is_name and after.form != atom.form:
                yield atom.form, after.form


def _parts(atom: Atom, code: str) -> Iterable[str]:
    if atom.kind is AtomKind.TIGHT:
        return atom.form
    if atom.kind in (AtomKind.NOT, AtomKind.SIGN, AtomKind.MARK) or says_nothing(atom, code):
        return ()
    return (strip_s(atom.form) if atom.kind is AtomKind.WORD else atom.form,)


def _is_elsewhere(words: frozenset[str], known: Sequence[frozenset[str]], common: set[str]) -> bool:
    """Whether no place that is known has a word with this one in common that tells something, or all that have are negated
    where this one is not, or the other way round."""
    telling = words - common - {_NO}
    places = [(place - common - {_NO}, _NO in place) for place in known]
    if not telling or not any(place for place, _negated in places):
        alike = [negated for place, negated in places]
    else:
        alike = [negated for place, negated in places if telling & place]
    return (_NO in words) not in alike
