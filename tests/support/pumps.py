"""Texts that a regular expression may take long over, told from its own parts: what it repeats, repeated, and then something else.

For each repetition in it: the shortest text that leads there, thousands of one thing that may stand there, and an end that does not
fit. And the way there itself, thousands of times: what is opened again and again and never closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from re import (
    _compiler as compiler,  # type: ignore[attr-defined]
    _constants as op,  # type: ignore[attr-defined]
    _parser as parser,  # type: ignore[attr-defined]
)
from typing import Any, NamedTuple

END = "\0\n\0"  # fits in few places, whether lines count or not
USUAL = " \n\ra0-"
MOST_SIGNS = 6  # of those that a pattern names
FEW = 10  # repetitions of no more than this take no time
CATEGORIES = {
    op.CATEGORY_DIGIT: re.compile(r"\d"),
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    op.CATEGORY_SPACE: re.compile(r"\s"),
    op.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    op.CATEGORY_WORD: re.compile(r"\w"),
    op.CATEGORY_NOT_WORD: re.compile(r"\W"),
}
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)

Nodes = Iterable[tuple[Any, Any]]


class Pump(NamedTuple):
    """A text of any length."""

    before: str
    again: str
    raw: bool = False  # for a pattern of bytes

    def text(self, size: int) -> str | bytes:
        text = self.before + self.again * (size // len(self.again)) + END
        return text.encode("latin-1") if self.raw else text


def tried(pattern: re.Pattern[Any]) -> Iterator[tuple[re.Pattern[Any], list[Pump]]]:
    """A pattern with the texts for it, each once; of one that is nothing but alternatives each for itself: a slow one hides behind
    many that are quick."""
    nodes = parser.parse(pattern.pattern, pattern.flags)
    only = nodes[0] if len(nodes) == 1 else (None, None)
    for part in only[1][1] if only[0] is op.BRANCH else [nodes]:
        yield compiler.compile(part), _pumps(part, isinstance(pattern.pattern, bytes))


def _pumps(nodes: Nodes, raw: bool) -> list[Pump]:
    found: dict[Pump, None] = {}
    for before, body, beside in _repeated(nodes, ""):
        signs = dict.fromkeys([*islice(_literals(beside), MOST_SIGNS), *USUAL])
        for again in dict.fromkeys([*_fitting(body, signs), before, before + _shortest(body)]):
            if again:
                found[Pump(before, again, raw)] = None
    return list(found)


def _literals(nodes: Nodes) -> Iterator[str]:
    """Some of the signs that a pattern names."""
    for code, said in nodes:
        if code in (op.LITERAL, op.NOT_LITERAL):
            yield chr(said)
        elif code is op.RANGE:
            yield chr(said[0])
        elif code is op.IN:
            yield from list(_literals(said))[:6]
        for part in _inside(code, said):
            yield from _literals(part)


def _inside(code: Any, said: Any) -> list[Nodes]:
    """The patterns within a part of a pattern."""
    if code is op.BRANCH:
        return list(said[1])
    if code is op.GROUPREF_EXISTS:
        return [part for part in said[1:] if part]
    if code in (*REPEATS, op.SUBPATTERN, op.ASSERT, op.ASSERT_NOT):
        return [said[-1]]
    return [said] if code is op.ATOMIC_GROUP else []


def _repeated(nodes: Nodes, before: str) -> Iterator[tuple[str, Nodes, Nodes]]:
    """Everything that may stand many times, with a text that leads to it and what stands beside it."""
    for code, said in nodes:
        if code in REPEATS and said[1] > FEW:
            yield before, said[2], nodes
        for part in _inside(code, said):
            yield from _repeated(part, before)
        before += _shortest([(code, said)])


def _fitting(body: Nodes, signs: Iterable[str]) -> Iterator[str]:
    """What may stand where a body is repeated: of a single place every sign that fits, else each way through it."""
    (first, *rest) = list(body)
    if first[0] is op.SUBPATTERN and not rest:
        yield from _fitting(first[1][-1], signs)
    elif first[0] is op.BRANCH and not rest:
        yield from map(_shortest, first[1][1])
    elif first[0] in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY) and not rest:
        yield from (sign for sign in signs if _fits(first, sign))
    else:
        yield _shortest(body)


def _shortest(nodes: Nodes) -> str:
    """A short text that fits, as far as one can tell without trying."""
    return "".join(_of(code, said) for code, said in nodes)


def _of(code: Any, said: Any) -> str:
    if code is op.LITERAL:
        return chr(said)
    if code is op.IN and said[0][0] is not op.NEGATE:
        return _of(*said[0])
    if code is op.RANGE:
        return chr(said[0])
    if code in (op.NOT_LITERAL, op.IN, op.ANY, op.CATEGORY):
        return next(sign for sign in map(chr, chain(range(97, 123), range(1, 0x3000))) if _fits((code, said), sign))
    if code in REPEATS:
        return _shortest(said[2]) * said[0]
    if code is op.ASSERT:
        return _shortest(said[1]) if said[0] < 0 else ""
    if code in (op.BRANCH, op.SUBPATTERN, op.ATOMIC_GROUP):
        return _shortest(_inside(code, said)[0])
    return ""


def _fits(node: tuple[Any, Any], sign: str) -> bool:
    code, said = node
    if code is op.ANY:
        return sign != "\n"
    if code in (op.LITERAL, op.NOT_LITERAL):
        return (chr(said) == sign) is (code is op.LITERAL)
    if code is op.RANGE:
        return said[0] <= ord(sign) <= said[1]
    if code is op.CATEGORY:
        return CATEGORIES[said].match(sign) is not None
    negated = said[0][0] is op.NEGATE
    return any(_fits(one, sign) for one in said[negated:]) is not negated
