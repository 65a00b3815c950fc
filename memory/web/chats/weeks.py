"""What chats learned in each of the last weeks: a small drawing in their list, a chart on the page of one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from operator import attrgetter

from django.db.models import Sum
from django.utils.translation import gettext as _

from memory.domain.places import Kind
from memory.models import Bot, Document
from memory.text.words.days import date_of
from memory.web.base.chart import Bar, BarChart, columns, wide
from memory.web.base.dates import short_day
from memory.web.base.gauges import grouped, number_of

WEEKS = 12
HEIGHT = 20  # of the drawing, in its own units
STEP, BAR = 7, 5  # from one week to the next, and what of it is drawn
LEAST = 1.5  # the height of a week without facts


def drawn(bot: Bot, scopes: Collection[str], today: str) -> Mapping[str, dict[str, object]]:
    """The last WEEKS weeks until today of each of these chats; none for a chat whose logs are all older, or that has none."""
    return {
        scope: _drawn([found[week] for week in range(WEEKS)]) for scope, found in _weeks(bot, scopes, today).items()
    }


def chart(bot: Bot, scope: str, today: str) -> BarChart | None:
    """The same of one chat, to read; None where it learned something in no more than one of them."""
    found = _weeks(bot, [scope], today).get(scope, Counter())
    if len(found) < 2:
        return None
    bars = [_bar(_first(today) + timedelta(days=week * 7), found[week]) for week in range(WEEKS)]
    most, placed = max(bars, key=attrgetter("number")), columns(plot := wide(max(found.values()), 84), bars)
    return BarChart(
        plot=plot,
        title=_("Facts a week"),
        sentence=_("Most in the week from %(day)s: %(number)s") % {"day": most.name, "number": most.words},
        heights=[(plot.ground, "0"), (plot.y(most.number), most.words)],
        names=[(one.x, one.bar.name) for one in placed[::3]],
        heads=(_("Week from"), _("Facts")),
        cells=[bar for bar in bars if bar.number],
        columns=placed,
    )


def firsts(today: str) -> list[str]:
    """The first day of each of the weeks."""
    return [short_day(_first(today) + timedelta(days=week * 7)) for week in range(WEEKS)]


def _bar(day: date, number: int) -> Bar:
    words = number_of("%(count)s fact", "%(count)s facts", number)
    return Bar(name=short_day(day), words=words, number=number, level="chat")


def _first(today: str) -> date:
    return date.fromisoformat(today) - timedelta(days=WEEKS * 7 - 1)


def _weeks(bot: Bot, scopes: Collection[str], today: str) -> Mapping[str, Counter[int]]:
    """How many facts each of these chats learned in which of the weeks."""
    first = _first(today)
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY, scope__in=scopes, day__gte=str(first), day__lte=today)
    weeks: dict[str, Counter[int]] = defaultdict(Counter)
    for scope, day, facts in logs.values_list("scope", "day").annotate(Sum("facts_count")):
        if there := date_of(day):
            weeks[scope][(there - first).days // 7] += facts
    return weeks


def _drawn(facts: Sequence[int]) -> dict[str, object]:
    """The bars of a chat as one SVG path, each of its weeks beside its own fullest, and the same in words and in figures."""
    most = max(*facts, 1)
    heights = (max(round(number / most * HEIGHT, 1), LEAST) for number in facts)
    path = "".join(f"M{week * STEP} {HEIGHT}h{BAR}v-{height}h-{BAR}z" for week, height in enumerate(heights))
    words = _("Facts in each of the last 12 weeks, this week last: %(numbers)s")
    numbers = [grouped(number) for number in facts]
    return {"path": path, "words": words % {"numbers": ", ".join(numbers)}, "numbers": numbers}
