"""When the newest fact of a bot was learned, as far as the facts themselves say."""

from __future__ import annotations

import re

from django.db.models import Max

from memory.bots import open_bot
from memory.domain.places import LOGS
from memory.index.attributes import usual
from memory.models import Bot, Day, Fact

_CLOCK = re.compile(r"[0-2]\d:[0-5]\d")


def newest(bot: Bot) -> tuple[str, str]:
    """Its day and its clock (HH:MM) by the bot's own, "" for what is not known."""
    if open_bot(bot).attributes:
        updated = usual(bot).aggregate(newest=Max("updated"))["newest"] or ""
        return updated[:10], _clock(updated[11:16])
    filled = Day.objects.filter(bot=bot, facts__gt=0, day__lte=open_bot(bot).today()).order_by("-day")
    day = filled.values_list("day", flat=True).first() or ""
    facts = Fact.objects.filter(document__bot=bot, document__kind__in=LOGS, document__day=day)
    return day, _clock(facts.aggregate(newest=Max("since"))["newest"] or "") if day else ""


def _clock(text: str) -> str:
    return text if _CLOCK.fullmatch(text) else ""
