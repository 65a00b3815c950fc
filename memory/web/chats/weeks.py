"""What chats learned in each of the last weeks: a small drawing in their list."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Sum
from django.utils.translation import gettext as _

from memory.domain.places import Kind
from memory.models import Bot, Document
from memory.web.base.calendar import date_of

WEEKS = 12
HEIGHT = 20  # of the drawing, in its own units
STEP, BAR = 7, 5  # from one week to the next, and what of it is drawn
LEAST = 1.5  # the height of a week without facts


@dataclass(frozen=True, slots=True)
class Drawn:
    """The bars of a chat as one SVG path, each of its weeks beside its own fullest, and the same in words."""

    path: str
    words: str


def drawn(bot: Bot, scopes: Collection[str], today: str) -> Mapping[str, Drawn]:
    """The last WEEKS weeks until today of each of these chats; none for a chat whose logs are all older, or that has none."""
    last = date.fromisoformat(today)
    first = last - timedelta(days=WEEKS * 7 - 1)
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY, scope__in=scopes, day__gte=str(first), day__lte=today)
    weeks: dict[str, Counter[int]] = defaultdict(Counter)
    for scope, day, facts in logs.values_list("scope", "day").annotate(Sum("facts_count")):
        if there := date_of(day):
            weeks[scope][(there - first).days // 7] += facts
    return {scope: _drawn([found[week] for week in range(WEEKS)]) for scope, found in weeks.items()}


def _drawn(facts: Sequence[int]) -> Drawn:
    most = max(*facts, 1)
    heights = (max(round(number / most * HEIGHT, 1), LEAST) for number in facts)
    path = "".join(f"M{week * STEP} {HEIGHT}h{BAR}v-{height}h-{BAR}z" for week, height in enumerate(heights))
    words = _("Facts in each of the last 12 weeks, this week last: %(numbers)s")
    return Drawn(path, words % {"numbers": ", ".join(map(str, facts))})
