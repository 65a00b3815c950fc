"""Which part of a message asks, so that nobody takes it for something that was decided. English, the language of the bot's
phrases, is known to ask by how it begins, any other only by its marks."""

from __future__ import annotations

import re

_MARKS = "?\uff1f\u061f\u037e\u203d\u2047\u2048\u2049"
_ENDS = r"[.!?\u2026\u203d\u2047-\u2049]"  # of a sentence, before a space; within a word they are part of an address or a number
_WIDE = r"\u3002\uff01\uff1f\u061f\u037e"  # with or without one
_END = rf"{_ENDS}(?:[\"'\u201d\u2019\u00bb)\]]|{_ENDS})*+"  # with what closes behind it, all of it
_SENTENCE = re.compile(rf"(?:(?!{_ENDS})[^{_WIDE}]|{_END}(?!\s|$))*+(?:{_END}(?:\s|$)|[{_WIDE}]+|$)")

_WHO = "i|you|we|they|he|she"
_ANY = rf"{_WHO}|it|this|that|these|those|there|the|my|your|our|their|any\w*|some\w*|every\w*|nobody|people"
_HELPS = "did|does|should|shall|can|could|would|will|may|might|must|is|are|am|was|were|has|had"
_NOT = "(?:n?'?t|not| not)?"
# “Do the dishes” and “have it ready” ask nothing, nor does “when we deploy, do it on Friday”.
_ASKS = rf"(?:(?:do|have){_NOT} (?:{_WHO})|(?:{_HELPS}|wo|sha){_NOT} (?:{_ANY}))\b"
_OPENING = re.compile(
    r"(?:^|[,:;\u2013\u2014-] )(?:(?:so|and|but|or|ok|okay|well|hey|hi|hmm|also|then|now|wait|sorry|please|@\S+) )*"
    rf"(?:{_ASKS}|who\b|whom\b|whose\b|why\b|what if\b|how come\b|(?:what|how) about\b"
    rf"|(?:what|which|how|when|where)(?: [\w']+){{0,2}} {_ASKS})",
    re.IGNORECASE,
)


def stated(text: str) -> str:
    """What a text on one line, with straight apostrophes, says without asking."""
    return " ".join(filter(None, (_stated(found.group().strip()) for found in _SENTENCE.finditer(text))))


def _stated(sentence: str) -> str:
    behind = sentence[len(sentence.rstrip(f"{_MARKS}!.\u2026\"'\u201d\u2019\u00bb)] ")) :]
    if "\u00bf" in sentence or any(mark in behind for mark in _MARKS):
        return ""
    asking = _OPENING.search(sentence)
    return sentence[: asking.start()] if asking else sentence
