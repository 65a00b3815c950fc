"""What the bot learned lately: the facts of its last seven days, or of the last seven before it fell silent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import accumulate, groupby
from statistics import median

from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.places import LOGS
from memory.index.attributes import usual
from memory.models import Bot, Day, Fact, FactAttributes
from memory.text.markdown.lead import lead, truncate
from memory.text.markdown.stamps import text_below_day
from memory.text.words.days import date_of
from memory.web.base import markdown
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of
from memory.web.base.dates import day as day_words, near_day
from memory.web.base.fact_rows import at_row, row_id

WEEK = timedelta(days=6)  # before the last day of one
USUAL = 60  # days with facts that tell how many are usual
LINES = 12
LOOKED_AT = 120  # facts, of which those that say the same are one line
LONGEST = 240  # characters of a line
MONTH = 30  # days


@dataclass(frozen=True, slots=True)
class LearnedRow:
    """A fact: its text (`title` where it has one), whose it is, when it was learned and where it is. `alike`: how many more say
    the same."""

    text: str
    title: str
    tier: str
    whose: str
    day: str
    time: str
    url: str
    alike: int = 0

    @property
    def read(self) -> SafeString:
        """Its text with what is bold or code in it."""
        return markdown.line(self.text, links=False)


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days, each by its name with its newest lines; `count` facts in all. `is_over`: nothing was learned since `until`.
    Both are said in words. `url` leads to the others where not all are here: to their one day, or to the place where days are."""

    days: Sequence[tuple[str, Sequence[LearnedRow]]]
    count: int
    usual: str
    since: str
    until: str
    is_over: bool
    url: str
    months: int = 0  # for how many nothing was learned
    is_one_day: bool = False  # so that its `count` stand where `url` leads

    @property
    def is_cut(self) -> bool:
        """Whether there are more facts than its lines tell."""
        return self.count > sum(1 + line.alike for _name, lines in self.days for line in lines)


def learned(bot: Bot) -> Week | None:
    """What a bot learned lately, the newest first; None if nothing ever. At most three statements."""
    return _entries(bot) if open_bot(bot).attributes else _logged(bot)


def _logged(bot: Bot) -> Week | None:
    today = open_bot(bot).today()
    filled = Day.objects.filter(bot=bot, facts__gt=0, day__lte=today).order_by("-day")
    counts = [(day, number) for day, number in filled.values_list("day", "facts")[:USUAL] if str(date_of(day)) == day]
    if not counts:
        return None
    since, is_over = _week(counts[0][0], today)
    shown = [one for one in counts if one[0] >= since]
    enough = [
        day for (day, _n), so_far in zip(shown, accumulate(n for _d, n in shown), strict=True) if so_far - _n < LINES
    ]
    is_one = len(shown) == 1
    span = day_words(since), day_words(counts[0][0])
    url = reverse("memory:day", args=[bot.slug, shown[0][0]]) if is_one else reverse("memory:days", args=[bot.slug])
    days = _by_day(_told(bot, enough), today)
    count = sum(n for _d, n in shown)
    quiet = _months(counts[0][0], today)
    return Week(days, count, _usual(counts), *span, is_over, url, quiet, is_one_day=is_one)


def _told(bot: Bot, days: Sequence[str]) -> list[LearnedRow]:
    """The newest facts in the logs of some days."""
    # The bot is named by its documents: by its facts SQLite would walk through all of them.
    facts = Fact.objects.filter(document__bot=bot, document__kind__in=LOGS, document__day__in=days)
    newest = facts.order_by("-document__day", "-since", "-ordinal")
    told = ("text", "time", "document__tier", "document__scope", "document__day", "document_id", "key", "nth")
    rows = list(newest.values_list(*told)[:LOOKED_AT])
    names = names_of(bot, {row[3] for row in rows})
    urls = {day: reverse("memory:day", args=[bot.slug, day]) for day in days}
    return [
        _row(text, tier, names.get(scope, scope), day, time, urls[day] + at_row(row_id(*where)))
        for text, time, tier, scope, day, *where in rows
    ]


def _entries(bot: Bot) -> Week | None:
    """Of a bot whose facts have attributes: by when each was last said, without those that it forgot since."""
    today = open_bot(bot).today()
    newest = _updated(bot, usual(bot))
    if not newest:
        return None
    since, is_over = _week(newest[0].day, today)
    lines = [line for line in newest if line.day >= since]
    count = usual(bot).filter(updated__gte=since).count()
    url = reverse("memory:entries", args=[bot.slug])
    quiet = _months(newest[0].day, today)
    span = day_words(since), day_words(newest[0].day)
    return Week(_by_day(lines, today), count, "", *span, is_over, url, quiet)


def _months(newest: str, today: str) -> int:
    """How many whole months ago a day was."""
    return max(0, (date.fromisoformat(today) - date.fromisoformat(newest)).days // MONTH)


def _updated(bot: Bot, rows: QuerySet[FactAttributes]) -> list[LearnedRow]:
    """The facts that were last said last, of some that have attributes."""
    told = ("fact__text", "fact__line", "document__tier", "document__scope", "document__path", "updated")
    newest = rows.order_by("-updated", "-fact_id").values_list(*told)[:LOOKED_AT]
    shown = [row for row in newest if str(date_of(row[-1][:10])) == row[-1][:10]]
    names = names_of(bot, {row[3] for row in shown})
    url_of = addresses("facts", bot)
    return [
        _row(text, tier, names.get(scope, scope), at[:10], at[11:16], f"{url_of(path)}?line={line}")
        for text, line, tier, scope, path, at in shown
    ]


def count_between(bot: Bot, since: date, until: date) -> int:
    """How many facts a bot learned from one of its days up to another, which is not counted any more."""
    days = since.isoformat(), until.isoformat()
    if open_bot(bot).attributes:
        return usual(bot).filter(updated__gte=days[0], updated__lt=days[1]).count()
    found = Day.objects.filter(bot=bot, day__gte=days[0], day__lt=days[1]).aggregate(facts=Sum("facts"))
    return int(found["facts"] or 0)


def lines_between(bot: Bot, since: date, until: date) -> list[tuple[str, Sequence[LearnedRow]]]:
    """The newest of them, by day."""
    days = since.isoformat(), until.isoformat()
    if open_bot(bot).attributes:
        return _by_day(
            _updated(bot, usual(bot).filter(updated__gte=days[0], updated__lt=days[1])), open_bot(bot).today()
        )
    there = Day.objects.filter(bot=bot, facts__gt=0, day__gte=days[0], day__lt=days[1]).values_list("day", flat=True)
    return _by_day(_told(bot, list(there)), open_bot(bot).today())


def _week(newest: str, today: str) -> tuple[str, bool]:
    """(first day, whether it is over) of the seven days that end today, or else with the newest."""
    recent = _before(date.fromisoformat(today))
    return (recent, False) if newest >= recent else (_before(date.fromisoformat(newest)), True)


def _before(day: date) -> str:
    """The first of the seven days that end with one; no calendar goes back before the year 1."""
    return (max(day, date.min + WEEK) - WEEK).isoformat()


def _usual(counts: Iterable[tuple[str, int]]) -> str:
    number = median(number for _day, number in counts)
    return number_format(number, 1 if number % 1 else 0, force_grouping=True)


def _row(text: str, tier: str, whose: str, day: str, time: str, url: str) -> LearnedRow:
    text = text_below_day(text, day, time)
    title, first = lead(text)
    return LearnedRow(first if title else truncate(text, LONGEST), title, tier, whose or _("shared"), day, time, url)


def _by_day(lines: Iterable[LearnedRow], today: str) -> list[tuple[str, Sequence[LearnedRow]]]:
    """The newest lines by day, those that say the same on one as one."""
    found: dict[tuple[str, str, str, str], LearnedRow] = {}
    for one in lines:
        key = (one.day, one.whose, one.title, one.text)
        found[key] = replace(found[key], alike=found[key].alike + 1) if key in found else one
    newest = list(found.values())[:LINES]
    return [(near_day(day, today), list(some)) for day, some in groupby(newest, key=lambda one: one.day)]
