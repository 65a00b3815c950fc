"""What the language model cost a bot day by day, as bars drawn by their template."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from django.utils import formats
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.llm import budget
from memory.models import Bot
from memory.web.base.chart import Bar, BarChart, columns, wide
from memory.web.base.dates import day, short_day
from memory.web.base.fact_rows import cost
from memory.web.base.gauges import money

DAYS = 30
WEEK = 7
FAR = 3  # a limit so many times as high as the highest day would press all others flat


def by_day(bot: Bot, spent: Mapping[str, budget.Spent]) -> BarChart | None:
    """The chart of a bot's last days, in dollars where any have been counted, else in tokens; None where nothing was asked."""
    if not spent:
        return None
    today = date.fromisoformat(open_bot(bot).today())
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    in_money = any(one.micros for one in spent.values())
    bars = [_bar(one, spent.get(one.isoformat(), budget.Spent()), in_money=in_money) for one in days]
    wanted = automation_of(bot)
    limit = round(wanted.daily_dollars * budget.MICROS) if in_money else wanted.daily_tokens
    return _drawn(days, bars, limit, in_money=in_money)


def _drawn(days: list[date], bars: list[Bar], limit: int, *, in_money: bool) -> BarChart:
    highest = max(bars, key=lambda bar: bar.number)
    is_near = 0 < limit <= FAR * highest.number
    plot = wide(max(highest.number, limit if is_near else 0))
    room = plot.width / DAYS
    return BarChart(
        plot=plot,
        title=_("Cost by day") if in_money else _("Tokens by day"),
        sentence=_("At most %(words)s, on %(day)s.") % {"words": highest.words, "day": highest.name},
        heights=[(plot.ground, "0"), (plot.y(highest.number), highest.words)],
        names=[(round(room * n, 1), short_day(days[n])) for n in range(0, DAYS, WEEK)],
        heads=(_("Day"), _("Cost") if in_money else _("Tokens")),
        cells=[bar for bar in bars if bar.number],
        columns=columns(plot, bars),
        limit_y=plot.y(limit) if is_near else None,
        limit_words=_("daily limit %(limit)s") % {"limit": _limit_words(limit, in_money=in_money)},
    )


def _bar(one: date, spent: budget.Spent, *, in_money: bool) -> Bar:
    number = spent.micros if in_money else spent.tokens
    return Bar(name=day(one), words=_words(number, in_money=in_money), number=number)


def _words(number: int, *, in_money: bool) -> str:
    if in_money:
        return money(number) or "$0"
    return cost(number)


def _limit_words(limit: int, *, in_money: bool) -> str:
    if in_money:
        return f"${formats.number_format(limit / budget.MICROS, 2, force_grouping=True)}"
    return _words(limit, in_money=False)
