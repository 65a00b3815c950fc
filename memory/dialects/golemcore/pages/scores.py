"""Why a message loads which items: each with the parts of its score, and what stays out and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.dialects.golemcore import entries, layout
from memory.dialects.golemcore.attributes import KINDS, SORTS
from memory.dialects.golemcore.directory import directory
from memory.dialects.golemcore.items import ItemLine
from memory.dialects.golemcore.prompt import NO_ROOM, OFF, read
from memory.dialects.golemcore.scores import Out, Score, ScoredItem
from memory.domain.errors import VaultError
from memory.domain.fact_ref import FactRef
from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.fact_rows import fact_ref
from memory.web.base.translation import translate
from memory.web.entries.filters import worded

PART, PAGE = "golemcore/_scored.html", "memory:scores"  # for the page of the prompt
NOTHING = NO_CHAT = gettext_lazy("Nothing is left out.")
QUESTION = 2_000  # characters
AT_ONCE = 50  # items that stay out


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    query = keepable(request.GET.get("q", ""))[:QUESTION]
    meant = fact_ref(request.GET.get("entry", ""))
    context: dict[str, object] = {"bot": bot, "place": "scores", "query": query}
    context["name"] = request.GET.get("entry", "") if meant else ""
    if not open_bot(bot).settings.enabled:
        return render(request, "golemcore/scores.html", context | {"refusal": translate(OFF)})
    try:
        context["found"] = explained(bot, query, meant)
    except VaultError as error:
        context["refusal"] = translate(str(error))
    return render(request, "golemcore/scores.html", context)


def is_offered(bot: Bot) -> bool:
    """Whether this bot has items that a message may load."""
    return bool(open_bot(bot).settings.enabled)


def reasons(bot: Bot, chat: str, query: str, sender: str = "") -> Sequence[dict[str, object]]:
    """The items that a message loads now, best first. Raises Unreadable."""
    return explained(bot, query)["rows"] if is_offered(bot) else ()


def explained(bot: Bot, query: str, meant: FactRef | None = None) -> dict[str, Any]:
    """What a message loads and how that comes about, what it does not, and how full the budgets are. Raises Unreadable."""
    opened, memory = open_bot(bot), index.BotMemory(bot)
    found = read(memory, directory(bot), query, opened.now(), opened.settings)
    rows = _Rows(bot, _line_of(bot, meant))
    out: list[tuple[ScoredItem | Out, str]] = [
        *((one, NO_ROOM) for one in found.pack.dropped),
        *((one, one.why) for one in found.ranked.out),
    ]
    out.sort(key=lambda one: not rows.means(one[0]))
    return {
        "rows": [rows.of(one) for one in found.pack.taken],
        "out": [rows.of(one, why) for one, why in out[:AT_ONCE]],
        "more": max(0, len(out) - AT_ONCE),
        "tokens": found.pack.tokens,
        "soft": found.pack.soft,
        "hard": found.pack.hard,
        "scored": found.pack.candidates,
    }


def _line_of(bot: Bot, meant: FactRef | None) -> tuple[str, int] | None:
    """The path and the line of the item that an address names."""
    layer = layout.layer_of(meant[0]) if meant else None
    if meant is None or layer is None:
        return None
    path, key, nth = meant
    try:
        facts = entries.facts(layer, index.BotMemory(bot, [path]).read(path) or b"")
    except VaultError:
        return None
    return next(((path, fact.line) for fact in facts if (fact.key, fact.nth) == (key, nth)), None)


class _Rows:
    """Items as rows, in the reader's language."""

    def __init__(self, bot: Bot, meant: tuple[str, int] | None) -> None:
        self.url_of = addresses("facts", bot)
        self.kinds, self.layers, self.meant = worded(KINDS), worded(SORTS), meant

    def means(self, one: ScoredItem | Out) -> bool:
        """Whether it is the item that the address names."""
        return (one.path, one.line.number) == self.meant

    def of(self, one: ScoredItem | Out, why: str = "") -> dict[str, object]:
        """An item with its score as text, and whether it is loaded: `why` says why not. `numbers` are the parts: relevance,
        recency, salience, confidence, type and their sum; none for an item that is not scored."""
        line: ItemLine = one.line
        kind = line.item.type or "" if line.item else ""
        layer = layout.layer_of(one.path) or ""
        return {
            "url": f"{self.url_of(one.path)}?line={line.number}",
            "text": keepable(entries.text_of(line)),
            "kind": self.kinds.get(kind, kind),
            "layer": self.layers.get(layer, layer),
            "words": ", ".join(one.score.words) if one.score else "",
            "numbers": _numbers(one.score),
            "why": translate(why),
            "is_meant": self.means(one),
        }


def _numbers(score: Score | None) -> Sequence[str]:
    if score is None:
        return ()
    parts = (score.relevance, score.recency, score.salience, score.confidence, score.type, score.total)
    return [floatformat(part, 2) for part in parts]
