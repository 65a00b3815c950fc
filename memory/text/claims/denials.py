"""What a short fact denies: the texts that say the same without its negation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.text.claims.statements import LONGEST, bare_text

FEWEST = 2  # words of what is denied; in Chinese, letters
_HINTS = (
    " not",
    "nicht",
    "n't",
    "n’t",
    "no ",
    "not ",
    "never ",
    "nunca ",
    "cannot",
    "dislikes",
    "hates",
    " nie",
    "kein",
    "不",
    "没",
)
_DOES = re.compile(r"\b(?:does not|doesn['’]t)\s(\w+)", re.IGNORECASE)
_NO_LONGER = re.compile(r"\bno longer\s", re.IGNORECASE)
_NEVER = re.compile(r"\bnever\s", re.IGNORECASE)
_DO_NOT = re.compile(r"\b(?:do not|don['’]t)\s", re.IGNORECASE)
_IS_NOT = re.compile(r"\b(is|are|was|were|has|can|should|must|could|would)(?:\snot|n['’]t)\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(?:cannot|can['’]t)\b", re.IGNORECASE)
_DISLIKES = re.compile(r"\b(?:dislikes|hates)\b", re.IGNORECASE)
_SPANISH = re.compile(r"\b(?:ya no|no|nunca)\s", re.IGNORECASE)
_GERMAN_NOT = re.compile(r"\s(?:nicht mehr|nicht|nie)\b", re.IGNORECASE)
_GERMAN_NO = re.compile(r"\b(?:keine|keinen|keinem|keiner|keines|kein)\s", re.IGNORECASE)
_CHINESE = re.compile("不再|不|没")
# What somebody likes, eats or speaks lasts; that a server runs, or is at home, is true today and not tomorrow.
_LASTS = re.compile(
    r"\b(?:(?:dis)?likes?|loves?|hates?|prefers?|eats?|drinks?|speaks?|smokes?|wants?|owns?|allergic|vegetarian|vegan|married"
    r"|gustan?|bebe|habla|fuma|prefiere|alérgic[oa]|vegetarian[oa]|vegan[oa]|casad[oa]"
    r"|mag|isst|trinkt|spricht|raucht|bevorzugt|liebt|allergisch|vegetarisch|verheiratet)\b|喜欢|吃|喝|说|过敏|素食",
    re.IGNORECASE,
)


def denied_texts(text: str) -> tuple[str, ...]:
    """The texts of which a fact says that they are not so, each as a fact might say it; () if it denies nothing."""
    if len(text) > LONGEST or not any(map(text.lower().__contains__, _HINTS)):
        return ()
    plain = bare_text(text)
    return tuple(dict.fromkeys(one for one in _positive(plain) if one != plain and _is_telling(one)))


def is_lasting(text: str) -> bool:
    """Whether what a text says is so for long, so that a later fact that says otherwise is no other state of the same day."""
    return _LASTS.search(text) is not None


def _positive(text: str) -> Iterator[str]:
    if found := _DOES.search(text):
        yield text[: found.start()] + _third_person(found[1]) + text[found.end() :]
    yield from (pattern.sub("", text, count=1) for pattern in (_NO_LONGER, _NEVER, _DO_NOT, _SPANISH, _GERMAN_NOT))
    yield _NEVER.sub("always ", text, count=1)
    yield _IS_NOT.sub(r"\1", text, count=1)
    yield _CANNOT.sub("can", text, count=1)
    yield from (_DISLIKES.sub(verb, text, count=1) for verb in ("likes", "loves"))
    yield from (_GERMAN_NO.sub(article, text, count=1) for article in ("", "ein ", "eine ", "einen "))
    yield _CHINESE.sub("", text, count=1)


def _third_person(verb: str) -> str:
    """`likes` of `like`, `watches` of `watch`, `flies` of `fly`."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    if verb == "have":
        return "has"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _is_telling(text: str) -> bool:
    return len(text.split()) >= FEWEST or sum(sign > "⺀" for sign in text) >= FEWEST
