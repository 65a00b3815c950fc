"""Why a message brings back what it does: each recalled entry with the parts of its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory import bots, library
from memory.dialects.nanobot import layout
from memory.dialects.nanobot.prompt import recalled
from memory.dialects.nanobot.recall import FIT, IMPORTANCE, RECENCY
from memory.models import Bot
from memory.templatetags.desk import addresses
from memory.views.entries import KINDS, WHOSE


@dataclass(frozen=True, slots=True)
class Reason:
    """One recalled entry: its score and what each part gives to it, as text with two digits; `words` of the message it holds."""

    url: str
    text: str
    kind: str
    whose: str
    score: str
    fit: str
    importance: str
    recency: str
    words: str


def reasons(bot: Bot, chat: str, query: str) -> Sequence[Reason]:
    """The entries that a message recalls in a chat now, best first; none for a bot that keeps no entries. Raises Unreadable."""
    if layout.DATABASE not in bot.directories or not chat or not query:
        return ()
    found = recalled(library.BotMemory(bot), chat, query, bots.now(bot), bots.settings(bot))
    url_of = addresses("facts", bot)
    return [
        Reason(
            url=f"{url_of(hit.entry.path)}?line={hit.entry.fact.line}",
            text=hit.entry.text,
            kind=str(KINDS.get(hit.entry.kind, hit.entry.kind)),
            whose=str(WHOSE.get(hit.layer, "")),
            score=f"{hit.score:.2f}",
            fit=f"{FIT * hit.fit:.2f}",
            importance=f"{IMPORTANCE * hit.entry.importance:.2f}",
            recency=f"{RECENCY * hit.recency:.2f}",
            words=", ".join(hit.found),
        )
        for hit in found.hits
    ]
