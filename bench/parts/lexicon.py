"""Made-up facts whose words are as frequent as those of a language: few are said all the time, most hardly ever (Zipf)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from bench.parts import text

LEXICON = 60_000  # words
A_LOG = 100  # facts
CHATS = 20  # beside the bot's own logs: every second log is a chat's
KEPT = 2_000  # facts of which questions are made
RARE = range(3, 40)  # facts that a rare word stands in
COMMON = """
    the a to and of in i is that it for was on with he she my they we at be this have from or had by not but what all were when
    there can an which their said if do will each about how up out them then so some her him would like has
""".split()
_HEADS = "b br c ch d dr f fl g gr h j k l m n p pl r s st t tr v w z".split()
_TAILS = ["", "", "", "l", "m", "n", "r", "s", "t"]


@dataclass
class Memory:
    """What was written: facts that questions can be made of (the chat's name or "", and the text), and each word's facts."""

    bytes: int = 0
    files: int = 0
    kept: list[tuple[str, str]] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)


def write(memory: Path, facts: int) -> Memory:
    """A KenoBot's memory of so many facts."""
    made, told = texts(facts), Memory()
    for number, start in enumerate(range(0, facts, A_LOG)):
        some = [next(made) for _ in range(min(A_LOG, facts - start))]
        chat = f"telegram-{number // 2 % CHATS}" if number % 2 else ""
        path = memory / (f"chats/{chat}/{_day(number // 2 // CHATS)}" if chat else _day(number // 2))
        path.parent.mkdir(parents=True, exist_ok=True)
        written = text.log(some).encode()
        path.write_bytes(written)
        _keep(told, chat, some, len(written), facts)
    return told


def texts(count: int) -> Iterator[str]:
    """`count` facts of six to eighteen words."""
    dice, known = random.Random(1), lexicon()
    weights = list(accumulate(1 / rank for rank in range(1, len(known) + 1)))
    for _ in range(count):
        yield " ".join(dice.choices(known, cum_weights=weights, k=dice.randint(6, 18)))


def lexicon() -> list[str]:
    """Words that can be said, the most frequent first."""
    dice, known = random.Random(2), dict.fromkeys(COMMON)
    while len(known) < LEXICON:
        parts = (dice.choice(_HEADS) + dice.choice("aeiou") + dice.choice(_TAILS) for _ in range(dice.randint(2, 4)))
        known["".join(parts)] = None
    return list(known)


def questions(told: Memory, count: int) -> dict[str, list[dict[str, str]]]:
    """Questions of each kind: what is asked, the same in words for others (`plain`), and the chat it is asked in."""
    dice = random.Random(3)
    made: dict[str, list[dict[str, str]]] = {}
    while any(len(some) < count for some in made.values()) or not made:
        chat, said = dice.choice(told.kept)
        for kind, asked, plain in _of_one(dice, told, chat, said):
            made.setdefault(kind, []).append({"asked": asked, "plain": plain, "chat": chat})
    return {kind: some[:count] for kind, some in made.items()}


def _of_one(dice: random.Random, told: Memory, chat: str, said: str) -> Iterator[tuple[str, str, str]]:
    words = said.split()
    telling = list(dict.fromkeys(word for word in words if word not in COMMON))
    rare = [word for word in telling if told.words[word] in RARE]
    if len(telling) < 5 or not rare:
        return
    three = " ".join(dice.sample(telling, 3))
    yield "one rare word", rare[0], rare[0]
    yield "three words", three, three
    eight = "when did {} {} the {} with {}".format(*dice.sample(telling, 4))
    yield "a question of eight words", eight, eight
    at = dice.randrange(len(words) - 1)
    if words[at] in telling and words[at + 1] in telling:
        pair = f"{words[at]} {words[at + 1]}"
        yield "a phrase", f'"{pair}"', pair
    if chat:
        yield "three words in one chat", f"{three} chat:{chat}", three
    if len(rare[0]) > 6:
        yield "a part of a rare word", rare[0][1:-1], rare[0][1:-1]


def _keep(told: Memory, chat: str, some: list[str], size: int, facts: int) -> None:
    told.bytes += size
    told.files += 1
    for one in some:
        told.words.update(set(one.split()))
    told.kept += [(chat, one) for one in some[:: max(1, facts // KEPT)]]


def _day(back: int) -> str:
    return f"{text.NEWEST.fromordinal(text.NEWEST.toordinal() - back).isoformat()}.md"
