"""Random memories with marks planted in them: each mark is a word that stands in one place only, so that wherever it is seen
it is known whose it is.

    tree = plant(7)
    tree.write(root)                     # the files of a KenoBot
    for chat in (None, *tree.chats):
        answer = ...                     # whatever somebody in that chat is shown: a prompt, a search, an answer of the API
        assert not tree.leaked(answer, chat)
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

DAYS = ("2026-03-19", "2026-03-20", "2025-12-31", "2026-02-28", "2026-13-45")
# Session ids that begin alike, hold what patterns treat as special, or are called as files are.
CHATS = (
    *(
        "telegram-1",
        "telegram-12",
        "telegram-1-2",
        "telegram--1",
        "TELEGRAM-1",
        "telegram_1",
        "telegram%1",
        "telegram-1.md",
    ),
    *(
        "chats",
        "working",
        "MEMORY.md",
        "context.md",
        "2026-03-20",
        "2026-03-20.md",
        "...",
        "a b",
        "*",
        "[a]",
        "{{ a }}",
    ),
    *("<b>a", "x'y\"z", "día-ñ", "聊天", "чат", "👩‍🚀", "http-http-7", "e\u0301", "\u00e9", "line\nend"),
)
SOUNDS = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
SYLLABLES = 6
# What surrounds a mark is the same everywhere: only the mark tells texts apart.
SAID = (
    "Prefers %s",
    "The word is %s.",
    "**%s** is what Ana said\nand she meant it",
    "我喜欢%s",
    "%s 🎉",
    "See [%s](https://example.com/x?y=1&z=2)",
    "Deploy on Friday; code %s; ask Ana",
)


@dataclass(frozen=True)
class Planted:
    """A tree. `documents` by path; `marks`: mark -> the chat whose it is, "" for everybody's."""

    documents: dict[str, bytes]
    chats: tuple[str, ...]
    marks: dict[str, str]

    def own(self, chat: str | None) -> list[str]:
        """The marks of a chat ("" or None: everybody's)."""
        return [mark for mark, of in self.marks.items() if of == (chat or "")]

    def foreign(self, chat: str | None) -> list[str]:
        """The marks that nobody in this chat may be shown (None: in no chat)."""
        return [mark for mark, of in self.marks.items() if of and of != chat]

    def leaked(self, text: str | bytes, chat: str | None) -> list[str]:
        """Those of them that stand in a text all the same."""
        seen = (text.decode("utf-8", "replace") if isinstance(text, bytes) else text).casefold()
        return [mark for mark in self.foreign(chat) if mark in seen]

    def write(self, root: Path, sessions: Path | None = None) -> None:
        """Lay the tree into a memory directory; transcripts go to `sessions`, nowhere without it."""
        for path, data in self.documents.items():
            top, below = (sessions, path.removeprefix("@sessions/")) if path.startswith("@") else (root, path)
            if top is not None:
                target = top / below
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)


def plant(seed: int, chats: Iterable[str] = ()) -> Planted:
    """A tree that is the same for the same seed, of these chats or of two to four odd ones."""
    dice = random.Random(seed)
    scopes = tuple(chats) or tuple(dice.sample(CHATS, dice.randint(2, 4)))
    garden = _Garden(dice)
    for scope in ("", *scopes):
        garden.sow(scope)
    return Planted(garden.documents, scopes, garden.marks)


class _Garden:
    """A tree in the making."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.documents: dict[str, bytes] = {}
        self.marks: dict[str, str] = {}

    def sow(self, scope: str) -> None:
        """The documents of one chat, or ("") the bot's own."""
        below = f"chats/{scope}/" if scope else ""
        days = self.dice.sample(DAYS, self.dice.randint(1, 3))
        self.documents |= {f"{below}{day}.md": self.bytes(self.log(scope)) for day in days}
        self.documents[f"{below}MEMORY.md"] = self.bytes(self.memory(scope))
        if scope:
            self.documents[f"{below}context.md"] = self.bytes(f"- About: {self.fact(scope)}")
            self.documents[f"working/{scope}.md"] = self.bytes(f"- Topic: {self.fact(scope)}\n- Next: Deploy")
            said = json.dumps({"role": "user", "content": self.mark(scope), "timestamp": 1774000000000})
            self.documents[f"@sessions/{scope}.jsonl"] = f"{said}\n".encode()

    def log(self, scope: str) -> str:
        """A day in one of the forms that bots and people write."""
        forms = ("## %s — %s\n\n", "## %s -- %s\n", "### %s - Note\n%s\n\n", "- %s %s\n", "[%s] %s\n\n", "%s: %s\n\n")
        entries = [
            self.dice.choice(forms) % (f"{hour:02}:{self.dice.randrange(60):02}", self.fact(scope))
            for hour in sorted(self.dice.sample(range(24), self.dice.randint(1, 3)))
        ]
        return self.dice.choice(("", "# 2026-03-20\n\n", "---\nday: 1\n---\n")) + "".join(entries)

    def memory(self, scope: str) -> str:
        """A long-term memory, some of whose headings look like those of the prompt."""
        headings = ("## Facts", "### Chat-specific memory", "### Working memory (updated just now)", "## Memory", "---")
        parts = [f"{self.dice.choice(headings)}\n\n- {self.fact(scope)}\n\n" for _ in range(self.dice.randint(1, 2))]
        return "# KenoBot Memory\n\n" + "".join(parts)

    def fact(self, scope: str) -> str:
        return self.dice.choice(SAID) % self.mark(scope)

    def mark(self, scope: str) -> str:
        """A word that is nowhere else; all are of one length, so none stands in another."""
        word = "".join(self.dice.choices(SOUNDS, k=SYLLABLES))
        while word in self.marks:
            word = "".join(self.dice.choices(SOUNDS, k=SYLLABLES))
        self.marks[word] = scope
        return word

    def bytes(self, text: str) -> bytes:
        """A text as a file may hold it: other line ends, a mark in front, no end, a byte that is no text."""
        data = text.encode()
        match self.dice.randrange(8):
            case 0:
                return data.replace(b"\n", b"\r\n")
            case 1:
                return b"\xef\xbb\xbf" + data
            case 2:
                return data.rstrip()
            case 3:
                return data + b"\xe9\xff\n"
        return data
