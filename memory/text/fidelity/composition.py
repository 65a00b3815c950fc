"""Whether a line is laid out of its sources: each of them one after the other, what two have in common said once.

Words that are all there can still say something else: "the dog bit the cat" turned round, a "not" that went to another verb, a
password at another account. In whatever language, what stands as it stood says what it said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import itemgetter

from memory.text.fidelity.atoms import Atom, AtomKind, atoms, inner_text
from memory.text.fidelity.retention import strip_s, words_of
from memory.text.sentences import say
from memory.text.words.english import PAST
from memory.text.words.function_words import language

# What a line may leave out or put in: articles that say nothing else, and "and". In German they tell who does it to whom.
_LIGHT = {
    "en": "a an the and",
    "es": "el la los las un una y e",
    "de": "das ein eine und",
    "fr": "le la les un une et",
    "pt": "o a os as um uma e",
    "it": "il lo la gli le un uno una e",
    "nl": "de het een en",
    "ru": "и",
}
_ARTICLES = {code: frozenset(words.split()) for code, words in _LIGHT.items()}
_RELATIVES = frozenset(("who", "which"))  # they tie what follows to the word before them
_JOINS = "also both too additionally but while"
_JOINING = frozenset(_JOINS.split()) | _RELATIVES
_HEDGES = """
    hardly barely rarely seldom sometimes maybe perhaps probably possibly allegedly almost nearly only formerly |
    apenas casi quizá quizás tal raramente solo sólo antes | kaum selten vielleicht fast nur wohl früher |
    rarement presque seulement peut | quase talvez só | quasi forse solo raramente | едва почти может только
"""
_WEAKENING = frozenset(_HEDGES.replace("|", " ").split())  # as a "not" does, they would go on to what is joined
_FIRST = 0x10000  # signs are of the planes above, one for each form


@dataclass(frozen=True, slots=True)
class _Word:
    """One word, number or letter of a script without spaces. `opens` a sentence; is `parted` from the word before it by a comma or
    an "and"; is `tied` to it by a "who"."""

    form: str
    shown: str
    weakens: bool
    opens: bool
    is_name: bool
    parted: bool
    tied: bool = False


_Span = tuple[int, int]
_Place = tuple[int, str]  # where a text begins or ends, and its signs


@dataclass(frozen=True, slots=True)
class _Run:
    """The words of a text; `sign` has one sign for each, which is the same where the form is."""

    words: Sequence[_Word]
    sign: str

    def places(self, part: _Run, start: int = 0, begins: int = 0) -> Iterator[_Span]:
        """Where another run, from its word `begins` on, stands from `start` on, parted where it is parted itself; what is a new
        sentence there may be none here."""
        wanted, size = part.sign[begins:], len(part.sign) - begins
        at = self.sign.find(wanted, start)
        while at >= 0:
            if all(_goes_on(part.words[begins + i], self.words[at + i]) for i in range(1, size)):
                yield at, at + size
            at = self.sign.find(wanted, at + 1)

    def weakens(self, start: int, end: int) -> bool:
        return any(word.weakens for word in self.words[start:end])

    def first(self, count: int) -> _Run:
        return _Run(self.words[:count], self.sign[:count])

    @property
    def has_no_subject(self) -> bool:
        """Whether it begins with what looks like an English verb: "lost the keys"."""
        word = self.words[0].shown.casefold()
        return word in PAST or word.endswith(("ed", "s"))


def note(day: str) -> str:
    """How a line says behind a fact when that was noted."""
    return say("(noted %(day)s)", day=day)


def rearranged_words(line: str, sources: Iterable[str], days: Iterable[str] = ()) -> tuple[str, ...]:
    """The words of a line that do not stand as in its sources, articles and what only joins sentences aside. A source may leave out
    the words that it begins or ends with, where another one says them. `days`: when each source was noted, "" if that is not
    known; a line may say it behind that source (`note`)."""
    known = tuple(sources)
    code = language(tuple(word for text in (line, *known) for word in words_of(text)))
    signs: dict[str, str] = {}
    texts = [_run(_words(text, code), signs) for text in known]
    said = _run(_joined(_words(line, code), _JOINING - set(signs)), signs)
    for at, (text, day) in enumerate(zip(known, days, strict=False)):
        dated = _run(_words(f"{text.rstrip('.。 ')} {note(day)}", code), signs)
        if day and dated.sign[-2:] in said.sign:
            texts[at] = dated
    spans, strange = _spans([text for text in texts if text.words], said)
    covered = {at for start, end in spans for at in range(start, end)}
    found = (word.shown for at, word in enumerate(said.words) if at not in covered or said.sign[at] in strange)
    return tuple(dict.fromkeys(found))


def _spans(texts: Sequence[_Run], said: _Run) -> tuple[list[_Span], set[str]]:
    """What of a line stands as in these texts, and the signs of those that stand nowhere."""
    places = {text.sign: list(said.places(text)) for text in texts}
    whole = {text.sign: [span for span in places[text.sign] if _is_parted(span, said, text, texts)] for text in texts}
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


def _words(text: str, code: str) -> Iterator[_Word]:
    """The words of a text; `code` is the language of what it is compared with, its own if it shows none."""
    light = _ARTICLES.get(language(words_of(text)) or code, frozenset())
    opens, clause = True, 0
    for atom in atoms(text):
        opens = opens or atom.opens
        for form, shown in _forms(atom, light):
            is_name = atom.is_name and not atom.opens
            weakens = atom.kind is AtomKind.NOT or atom.form in _WEAKENING
            yield _Word(form, shown, weakens, opens, is_name, atom.clause != clause)
            opens, clause = False, atom.clause


def _forms(atom: Atom, light: frozenset[str]) -> Iterator[tuple[str, str]]:
    """What an atom is compared by: the words of a quote and of code, the letters of a script without spaces, a day and its year."""
    match atom.kind:
        case AtomKind.WORD if atom.form in light and (atom.opens or not atom.is_name):
            return
        case AtomKind.WORD:
            yield strip_s(atom.form), atom.shown
        case AtomKind.TIGHT:
            yield from zip(atom.form, atom.form, strict=True)
        case AtomKind.CODE | AtomKind.QUOTE if inside := atoms(inner_text(atom)):
            marks = [('"', atom.shown)] if atom.kind is AtomKind.QUOTE else []
            yield from marks
            for one in inside:
                yield from _forms(one, light)
            yield from marks
        case AtomKind.DATE if atom.form[4:5] == "-":
            yield atom.form[4:], atom.shown
            if atom.form[0] != "-":
                yield atom.form[:4], atom.shown
        case _:
            yield atom.form, atom.shown


def _joined(words: Iterable[_Word], free: frozenset[str]) -> Iterator[_Word]:
    """Words without those that only join ("too" does where something ends). What is tied to the word before is not parted from
    it."""
    tied, every = False, tuple(words)
    for word, after in zip_longest(every, every[1:]):
        if word.form in free and (word.form != "too" or after is None or after.parted):
            tied = word.form in _RELATIVES
        else:
            yield replace(word, tied=tied, parted=word.parted and not tied)
            tied = False


def _goes_on(source: _Word, said: _Word) -> bool:
    """Whether a word goes on in a line as it did in a source."""
    return source.parted == said.parted and (source.opens or not said.opens)


def _is_parted(span: _Span, said: _Run, text: _Run, texts: Sequence[_Run]) -> bool:
    """Whether something parts a text from what stands before it, and does not make that the one who did it."""
    word = said.words[span[0]]
    if word.opens or not span[0]:
        return True
    joined = text.has_no_subject and word.shown.islower() and not all(one.has_no_subject for one in texts)
    return word.parted and not joined


def _inside(spans: Iterable[_Span]) -> set[int]:
    """The places within these: what begins there has words in common with one of them."""
    return {at for start, end in spans for at in range(start, end)}


def _shortened(text: _Run, said: _Run, texts: Sequence[_Run], whole: dict[str, list[_Span]]) -> _Span | None:
    """Where a text stands without the words that the last one before it begins with, or that the next one behind it ends with."""
    standing = {one.sign: one for one in texts if whole[one.sign]}
    places = [(start, end, sign) for sign in standing for start, end in whole[sign]]
    ends, starts = sorted((end, sign) for _, end, sign in places), sorted((start, sign) for start, _, sign in places)
    for cut in range(1, len(text.sign)):
        if span := _behind(text, cut, said, standing, ends) or _before(text, -cut, said, standing, starts):
            return span
    return None


def _behind(text: _Run, cut: int, said: _Run, standing: Mapping[str, _Run], ends: Sequence[_Place]) -> _Span | None:
    """Where a text stands from its word `cut` on, behind one that begins alike. A "not" in that would go on, and so would its
    subject: "Ana Silva" is not "Ana"."""
    alike = {
        sign
        for sign, one in standing.items()
        if sign.startswith(text.sign[:cut]) and not one.weakens(cut, len(sign)) and _is_whole_subject(one, cut)
    }
    first = next((end for end, sign in ends if sign in alike), None) if alike else None
    span = next(said.places(text, first, cut), None) if first is not None else None
    if span is None or said.words[span[0]].tied:
        return None
    return span if ends[bisect_right(ends, span[0], key=itemgetter(0)) - 1][1] in alike else None


def _before(text: _Run, cut: int, said: _Run, standing: Mapping[str, _Run], starts: Sequence[_Place]) -> _Span | None:
    """Where a text stands up to its word `cut`, counted from its end, before one that ends alike. A "not" in either would go on."""
    alike = {
        sign for sign, one in standing.items() if sign.endswith(text.sign[cut:]) and not one.weakens(0, len(sign) + cut)
    }
    span = next(said.places(text.first(cut)), None) if alike and not text.weakens(0, cut) else None
    after = bisect_left(starts, span[1], key=itemgetter(0)) if span else len(starts)
    return span if after < len(starts) and starts[after][1] in alike else None


def _is_whole_subject(text: _Run, cut: int) -> bool:
    """Whether a text's first words are not only the beginning of who it is about."""
    if cut >= len(text.words):
        return True
    last, after = text.words[cut - 1], text.words[cut]
    return after.form != "'s" and not (after.is_name and (last.is_name or last.opens))
