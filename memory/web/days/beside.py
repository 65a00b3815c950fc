"""The days beside every page of Memory: today and yesterday, the newest months, and what is older in one line; each with facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _, pgettext

from memory.bots import open_bot
from memory.index import cached
from memory.models import Bot, Day
from memory.web.base.calendar import fact_count, known_days, month_name

MONTHS = 3  # that have a line each; a single one more has its own, too


@dataclass(frozen=True, slots=True)
class Stretch:
    """A day or some months with their facts. `current` is how `aria-current` says that it is shown, or a day of it; "" if not."""

    name: str
    url: str
    facts: int
    current: str = ""

    @property
    def told(self) -> str:
        """What its number counts: 41 facts."""
        return fact_count(self.facts)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts of today and yesterday, where there are any, and of the months, the newest first."""

    days: Mapping[str, int]
    months: Sequence[tuple[str, int]]
    older: Sequence[tuple[str, int]]


def days_beside(bot: Bot, shown: str) -> list[Stretch]:
    """The days of a bot's logs, the newest first; `shown` is the day or month of the page, "" for none."""
    today = open_bot(bot).today()
    facts: _Facts = cached.while_indexed(bot, f"days-beside-{today}", partial(_count, bot, today))
    return [*_near(bot, facts.days, today, shown), *_months(bot, facts, "" if shown in facts.days else shown)]


def _count(bot: Bot, today: str) -> _Facts:
    near = (today, str(date.fromisoformat(today) - timedelta(days=1)))
    there = Day.objects.filter(bot=bot, day__in=near, facts__gt=0).order_by("-day")
    months = sorted(known_days(bot).months.items(), reverse=True)
    lines = MONTHS if len(months) > MONTHS + 1 else len(months)
    return _Facts(dict(there.values_list("day", "facts")), months[:lines], months[lines:])


def _near(bot: Bot, facts: Mapping[str, int], today: str, shown: str) -> Iterator[Stretch]:
    for day, number in facts.items():
        url = reverse("memory:day", args=[bot.slug, day])
        yield Stretch(_("Today") if day == today else _("Yesterday"), url, number, "page" if day == shown else "")


def _months(bot: Bot, facts: _Facts, shown: str) -> Iterator[Stretch]:
    page = reverse("memory:days", args=[bot.slug])
    for month, number in facts.months:
        current = "page" if shown == month else "true" if shown[:7] == month else ""
        yield Stretch(month_name(month), f"{page}?month={month}", number, current)
    if facts.older:
        newest, number = facts.older[0][0], sum(number for _month, number in facts.older)
        current = "true" if shown[:7] in dict(facts.older) else ""
        yield Stretch(pgettext("days", "Older"), f"{page}?month={newest}", number, current)
