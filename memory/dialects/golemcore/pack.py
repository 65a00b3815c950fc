"""Which of the selected items fit into the prompt, and how the bot renders them there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.dialects.golemcore import java
from memory.dialects.golemcore.items import LAYERS, Item
from memory.dialects.golemcore.scores import Ranked, ScoredItem
from memory.dialects.golemcore.settings import Settings
from memory.text.utf16 import count_units

GOOD = 0.85  # the score from which on an item may use the hard budget
SHOWN = 420  # units of a content
_LEAST, _AROUND = 20, 8  # tokens of an item at least, and of what stands around its text
_UNITS = 4  # that are one token


@dataclass(frozen=True, slots=True)
class Pack:
    """What goes into the prompt, best first, and what found no room. `tokens` is the bot's own estimate, `soft` and `hard` are
    its budgets, `candidates` the items that were scored."""

    taken: Sequence[ScoredItem]
    dropped: Sequence[ScoredItem]
    tokens: int
    soft: int
    hard: int
    candidates: int
    selected: int

    @property
    def counted(self) -> Mapping[str, int]:
        """What the bot itself counts, by its own names."""
        counts = {"candidateCount": self.candidates, "selectedCount": len(self.taken)}
        if not self.selected:
            return counts
        used = {"estimatedTokens": self.tokens, "softBudgetTokens": self.soft, "maxBudgetTokens": self.hard}
        return {**counts, "droppedByBudget": len(self.dropped), **used}


def pack(found: Ranked, settings: Settings) -> Pack:
    """As many of the selected items as the budgets take: all up to the soft one, beyond it only the good ones."""
    soft = settings.softPromptBudgetTokens
    hard = max(soft, settings.maxPromptBudgetTokens)
    taken, dropped, used = [], [], 0
    for one in found.chosen:
        whole = used + size(one.item)
        if whole <= soft or (whole <= hard and one.score.total >= GOOD):
            taken.append(one)
            used = whole
        else:
            dropped.append(one)
    return Pack(taken, dropped, used, soft, hard, found.count, len(found.chosen))


def size(item: Item) -> int:
    """How many tokens the bot believes that an item has."""
    length = (
        count_units(item.title or "") + count_units(item.content or "") + sum(count_units(tag) + 1 for tag in item.tags)
    )
    return max(_LEAST, length // _UNITS + _AROUND)


def headed(taken: Iterable[ScoredItem]) -> list[tuple[str, list[tuple[ScoredItem, str]]]]:
    """The parts of the pack that have items, each with its heading and its lines."""
    every = list(taken)
    parts = ((layer, [(one, line(one.item)) for one in every if one.layer == layer]) for layer in LAYERS)
    return [(f"{layer.capitalize()} Memory", lines) for layer, lines in parts if lines]


def line(item: Item) -> str:
    """An item as a line of the prompt, without its line feed."""
    title = "" if java.is_blank(item.title) else f" {item.title}:"
    said = java.cut(java.trim((item.content or "").replace("\n", " ")), SHOWN)
    return f"- [{item.type or 'ITEM'}]{title} {said}"
