"""What the bot will drop by itself, before it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.bots.family import FamilyFinding
from memory.dialects.golemcore import entries, items, layout, upsert
from memory.dialects.golemcore.directory import directory
from memory.dialects.golemcore.items import ItemLine
from memory.dialects.golemcore.settings import Settings
from memory.domain.errors import VaultError
from memory.domain.memory import Memory
from memory.models import Bot
from memory.text.sentences import say, say_number
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.translation import translate

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class _Loss:
    """A line, or a part of one, that will be gone; `why` is for people."""

    path: str
    line: int
    text: str
    why: str


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, object] = {"bot": bot, "place": "losses"}
    try:
        page = Paginator(due(bot), AT_ONCE).get_page(request.GET.get("page"))
    except VaultError as error:
        return render(request, "golemcore/losses.html", context | {"refusal": translate(str(error))})
    url_of = addresses("facts", bot)
    found = [(f"{url_of(one.path)}?line={one.line}", keepable(one.text), one.why, one.path) for one in page]
    return render(request, "golemcore/losses.html", context | {"page": page, "found": found})


def due(bot: Bot) -> Sequence[_Loss]:
    """What will be dropped. Raises Unreadable."""
    opened = open_bot(bot)
    return list(losses(index.BotMemory(bot), directory(bot), opened.now(), opened.settings))


class Losses:
    """The check: however many lines will go, they are one finding, which leads to the page."""

    name = "losses"
    page = "losses"
    title = gettext_lazy("Items about to be dropped")
    why = gettext_lazy("The bot drops these the next time it stores a lasting item in their file.")
    act = gettext_lazy("Show items")

    def look(self, bot: Bot) -> FamilyFinding | None:
        found = due(bot)
        if not found:
            return None
        note = say_number(
            "The bot will drop %(count)s item or part of one.",
            "The bot will drop %(count)s items or parts of them.",
            count=len(found),
        )
        return FamilyFinding(found[0].path, keepable(found[0].text), note)


def losses(memory: Memory, directory: str, now: datetime, settings: Settings) -> Iterator[_Loss]:
    """What the bot will drop, by file and line. Raises Unreadable."""
    for layer in layout.LASTING:
        path = layout.items_path(layer, memory=directory)
        for line in items.lines(memory.read(path) or b""):
            if why := _why(line, now, settings):
                yield _Loss(path, line.number, entries.text_of(line), why)


def _why(line: ItemLine, now: datetime, settings: Settings) -> str:
    if line.item is None or not line.is_read:
        return line.why
    if why := upsert.too_old(line.item, now, settings):
        return why
    return say("The bot doesn’t know %(keys)s.", keys=", ".join(line.unknown)) if line.unknown else ""
