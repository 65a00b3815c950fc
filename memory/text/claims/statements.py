"""What a short fact states of somebody: whose what is which."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.text.claims.answers import answer
from memory.text.claims.vocabulary import (
    ABOUT_THE_USER,
    AROUND,
    ARTICLES,
    FAVOURITE,
    HINTS,
    LANGUAGES,
    NOBODY,
    NOUNS,
    USER,
    VERBS,
    Sort,
)
from memory.text.markdown.normal import unstamped_text
from memory.text.words.terms import fold

LONGEST = 160  # characters: what is longer tells more than one thing
NAME_WORDS, HEADING_WORDS = 4, 3


@dataclass(frozen=True, slots=True)
class Statement:
    """Whose (`subject`, "" is the user) what (`attribute`) is which: `value`, as answers are compared."""

    subject: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """Where in a text something is asked for: what, and how its answers are compared."""

    attribute: str
    sort: Sort
    start: int
    end: int


def _alternatives(words: str) -> str:
    """A pattern of words; those of scripts that leave no spaces stand anywhere."""
    parts = (word if word[0] > "⺀" else rf"\b{word}\b" for word in words.split("|"))
    return "|".join(parts)


def _any(known: dict[str, tuple[Sort, str]], *, plain: bool) -> str:
    groups = (_alternatives(words) if plain else words for _sort, words in known.values())
    edge = "" if plain else r"(?<![^\W⺀-鿿])"
    return "|".join(f"{edge}({group})" for group in groups)


_NOUN, _VERB = re.compile(_any(NOUNS, plain=True), re.IGNORECASE), re.compile(_any(VERBS, plain=False), re.IGNORECASE)
_MARKS = re.compile(r"[*`]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|\A\[[ xX]\] ")
_IS = re.compile(r"\s?[:：=]\s?|\s(?:is|es|ist|cae|falls|fällt)(?:\s(?:on|el|am|auf den|der))?\s|\s?(?:是|为)\s?")
_OF = re.compile(r"\s(?:of|de|del|von)\s", re.IGNORECASE)
_HAS = ("'s", "’s", "'", "’", "的", ":", "：", " -", " –", " —")


def statement(text: str, heading: str = "") -> Statement | None:
    """What a fact under a heading states; None for one that states nothing of these, or that leaves open whose it is."""
    if len(text) > LONGEST or not any(map(text.lower().__contains__, HINTS)):
        return None
    plain = bare_text(text)
    asked = _favourite(plain) or _asked(NOUNS, _NOUN.search(plain))
    return (_of_noun(plain, asked, heading) if asked else None) or _of_verb(plain, heading)


def bare_text(text: str) -> str:
    """A short fact in one line without the time before it and its emphasis; "" for a longer one and for a question."""
    if len(text) > LONGEST or "\n" in text:
        return ""
    plain = _MARKS.sub("", unstamped_text(text)).strip()
    return "" if plain.endswith(("?", "？")) else plain


def _favourite(text: str) -> _Asked | None:
    found = FAVOURITE.search(text)
    if found is None:
        return None
    what = next(word for word in found.groups() if word)
    return _Asked(f"favourite {fold(what)}", Sort.PHRASE, *found.span())


def _asked(known: dict[str, tuple[Sort, str]], found: re.Match[str] | None) -> _Asked | None:
    if found is None or found.lastindex is None:
        return None
    attribute = list(known)[found.lastindex - 1]
    return _Asked(attribute, known[attribute][0], *found.span())


def _of_noun(text: str, asked: _Asked, heading: str) -> Statement | None:
    """`Ana's birthday is …`, `Ana: birthday is …`, `Birthday: …`; `The birthday of Ana is …`."""
    before, after = text[: asked.start], text[asked.end :]
    if joint := _IS.match(f"{after} "):
        whose = _owner(before, heading)
        return _made(whose, asked, after[joint.end() :])
    of = _OF.match(after)
    joint = _IS.search(after, of.end()) if of else None
    if of is None or joint is None or _without_articles(before):
        return None
    return _made(_subject(after[of.end() : joint.start()]), asked, after[joint.end() :])


def _of_verb(text: str, heading: str) -> Statement | None:
    """`Ana lives in …`, `Lives in …`, `Ana wurde am … geboren`."""
    found = _VERB.search(text)
    asked = _asked(VERBS, found)
    if found is None or asked is None:
        return None
    before, after = text[: asked.start].strip(), text[asked.end :].rstrip(".。")
    verb = found[0].casefold()
    if not after[:1].isspace() and verb[-1] < "⺀":
        return None
    behind = AROUND.get(verb, "")
    if not after.endswith(behind):
        return None
    language = next((name for word, name in LANGUAGES.items() if word in verb), "")
    whose = of_the_user(heading) if not before else _subject(before)
    return _made(whose, asked, after.removesuffix(behind), language)


def _made(subject: str | None, asked: _Asked, said: str, language: str = "") -> Statement | None:
    value = answer(asked.sort, said) if subject is not None else ""
    if subject is None or not value:
        return None
    return Statement(subject, f"{asked.attribute} {language}".rstrip(), value)


def _owner(before: str, heading: str) -> str | None:
    """Whose it is by what stands before the noun; None where that is no name."""
    named = _without_articles(before)
    if not named:
        return of_the_user(heading)
    for mark in _HAS:
        if named.endswith(mark):
            return _subject(named.removesuffix(mark))
    return _subject(named) if named[-1] > "⺀" else None  # Chinese needs no mark between the two


def _without_articles(text: str) -> str:
    words = text.strip().split(" ")
    while words and words[-1].casefold() in ARTICLES:
        words.pop()
    return " ".join(words)


def _subject(text: str) -> str | None:
    """Somebody by name as subjects are compared, "" for the user; None for nobody in particular."""
    name = fold(text.strip())
    if name in USER:
        return ""
    words = name.split()
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    known = 0 < len(words) <= NAME_WORDS and all(_is_a_word(word) for word in words)
    return None if not known or NOBODY & {words[0], name} else " ".join(words)


def _is_a_word(word: str) -> bool:
    return word.replace("'", "").replace("’", "").replace("-", "").replace(".", "").isalpha()


def of_the_user(heading: str) -> str | None:
    """Whose a line is that names nobody: that of whom its heading names, else the user's."""
    above = fold(heading.strip())
    words = above.split()
    if not words or ABOUT_THE_USER & set(words):
        return ""
    return _subject(heading) if len(words) <= HEADING_WORDS else None
