"""Whether a line is laid out of its sources: each of them one after the other, what two have in common said once.

Words that are all there can still say something else: "the dog bit the cat" turned round, a "not" that went to another verb, a
password at another account. In whatever language, what stands as it stood says what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.text.atoms import Atom, Kind, atoms, inner
from memory.text.retention import bare

_ARTICLES = """
    a an the is are am be and | el la los las un una es son está están y | der die das ein eine ist sind und | le les est sont et |
    il lo gli uno è sono e | o os um uma é são | het een zijn | и
"""
_LIGHT = frozenset(_ARTICLES.replace("|", " ").split())
_JOINS = "also both too additionally respectively but while who which he she it they his her its their"
_JOINING = frozenset(_JOINS.split())
_FIRST = 0x10000  # signs are of the planes above, one for each form


@dataclass(frozen=True, slots=True)
class _Word:
    """One word, number or letter of a script without spaces. `opens` a sentence, stands in the `clause` of that number."""

    form: str
    shown: str
    negates: bool
    opens: bool
    clause: int


_FIRST = 0x10000  # signs are of the planes above, one for each form
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Run:
    """The words of a text; `sign` has one sign for each, which is the same where the form is."""

    words: Sequence[_Word]
    sign: str

    def places(self, part: _Run, start: int = 0, begins: int = 0) -> Iterator[_Span]:
        """Where another run, from its word `begins` on, stands from `start` on, and no sentence ends in it that goes on there."""
        wanted, size = part.sign[begins:], len(part.sign) - begins
        at = self.sign.find(wanted, start)
        while at >= 0:
            if all(part.words[begins + i].opens or not self.words[at + i].opens for i in range(1, size)):
                yield at, at + size
            at = self.sign.find(wanted, at + 1)

    def negates(self, start: int, end: int) -> bool:
        return any(word.negates for word in self.words[start:end])

    def first(self, count: int) -> _Run:
        return _Run(self.words[:count], self.sign[:count])


def rearranged(line: str, sources: Iterable[str], days: Iterable[str] = ()) -> tuple[str, ...]:
    """The words of a line that do not stand as in its sources, articles and what only joins sentences aside. A source may leave out
    the words that it begins or ends with, where another one says them. `days`: when the sources were noted; a line may name it if
    it was one day for all."""
    signs: dict[str, str] = {}
    texts = [one for one in (_run(_words(source), signs) for source in sources) if one.words]
    noted = {word.form for day in set(days) for word in _words(day)}
    free = (_JOINING | (noted if len(noted) == 1 else set())) - set(signs)
    said = _run((word for word in _words(line) if word.form not in free), signs)
    spans, strange = _spans(texts, said)
    covered = {at for start, end in spans for at in range(start, end)}
    found = (word.shown for at, word in enumerate(said.words) if at not in covered or said.sign[at] in strange)
    return tuple(dict.fromkeys(found))


def _spans(texts: Sequence[_Run], said: _Run) -> tuple[list[_Span], set[str]]:
    """What of a line stands as in these texts, and the signs of those that stand nowhere."""
    places = {text.sign: list(said.places(text)) for text in texts}
    whole = {sign: [span for span in found if _is_parted(span, said)] for sign, found in places.items()}
    spans = [span for found in whole.values() for span in found]
    inside = _inside(spans)
    strange: set[str] = set()
    for text in texts:
        more = [span for span in places[text.sign] if span[0] in inside]
        if not more and not whole[text.sign]:
            more = [one] if (one := _shortened(text, said, texts, whole)) else []
        if not more and not whole[text.sign]:
            strange |= set(text.sign)
        spans += more
    return spans, strange


def _run(words: Iterable[_Word], signs: dict[str, str]) -> _Run:
    """A run of these words. `signs` are those of the forms so far."""
    kept = tuple(words)
    return _Run(kept, "".join(signs.setdefault(word.form, chr(_FIRST + len(signs))) for word in kept))


def _words(text: str) -> Iterator[_Word]:
    opens = True
    for atom in atoms(text):
        opens = opens or atom.opens
        for form, shown in _forms(atom):
            if form not in _LIGHT:
                yield _Word(form, shown, atom.kind is Kind.NOT, opens, atom.clause)
                opens = False


def _forms(atom: Atom) -> Iterator[tuple[str, str]]:
    """What an atom is compared by: the words of a quote and of code, the letters of a script without spaces."""
    match atom.kind:
        case Kind.WORD:
            yield (atom.form if atom.is_name and not atom.opens else bare(atom.form)), atom.shown
        case Kind.TIGHT:
            yield from zip(atom.form, atom.form, strict=True)
        case Kind.CODE | Kind.QUOTE if inside := atoms(inner(atom)):
            for one in inside:
                yield from _forms(one)
        case Kind.DATE:
            yield atom.form[4:] or atom.form, atom.shown
        case _:
            yield atom.form, atom.shown


def _is_parted(span: _Span, said: _Run) -> bool:
    """Whether something parts it from what stands before it."""
    at, words = span[0], said.words
    return at == 0 or words[at].opens or words[at].clause != words[at - 1].clause


def _inside(spans: Iterable[_Span]) -> set[int]:
    """The places within these: what begins there has words in common with one of them."""
    return {at for start, end in spans for at in range(start, end)}


def _shortened(text: _Run, said: _Run, texts: Sequence[_Run], whole: dict[str, list[_Span]]) -> _Span | None:
    """Where a text stands without the words that another one before it begins with, or that one behind it ends with. What is
    negated in the other one would go on."""
    standing = [(one, whole[one.sign][0][1], whole[one.sign][-1][0]) for one in texts if whole[one.sign]]
    for cut in range(1, len(text.sign)):
        begins, ends = text.sign[:cut], text.sign[-cut:]
        before = [
            end for one, end, _ in standing if one.sign.startswith(begins) and not one.negates(cut, len(one.sign))
        ]
        if before and (span := next(said.places(text, min(before), cut), None)):
            return span
        behind = [
            start for one, _, start in standing if one.sign.endswith(ends) and not one.negates(0, len(one.sign) - cut)
        ]
        if behind and (span := next(said.places(text.first(len(text.sign) - cut)), None)) and span[1] <= max(behind):
            return span
    return None
