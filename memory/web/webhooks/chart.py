"""What became of a bot's last deliveries, as bars drawn by their template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _, pgettext

from memory.bots import open_bot
from memory.models import Bot, Delivery
from memory.web.base.chart import Bar, BarChart, columns, wide
from memory.web.base.dates import ago, as_of, day, moment
from memory.web.base.gauges import grouped, number_of
from memory.web.webhooks.outcome_words import outcome_of
from memory.webhook import chat_lock, held as held_back

LAST = 100
FEWEST = 50  # bars are not drawn wider than if they were so many
HEIGHTS = {
    "good": 0.8,
    "": 0.45,
    "warn": 0.7,
    "bad": 1.0,
}  # by what became of one, so that colours are not all there is
_FIELDS = ("pk", "received", "session_id", "status", "change_set", "change_set__state", "change_set__kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryChart(BarChart):
    """A chart of deliveries. `legend` has the colour of each outcome and how many had it; `newest` how long ago the last was."""

    legend: Sequence[tuple[str, str]]
    newest: str


def last_deliveries(bot: Bot) -> DeliveryChart | None:
    """The chart of a bot's last deliveries, the oldest first; None where there are none."""
    rows = list(Delivery.objects.filter(bot=bot).order_by("-received", "-pk").values(*_FIELDS)[:LAST])[::-1]
    if not rows:
        return None
    taken = chat_lock.chats_answering(bot, {row["session_id"] for row in rows if row["status"] == 0})
    waits = held_back.waits(row["pk"] for row in rows)
    bars = [_bar(bot, row, is_being_answered=row["session_id"] in taken, waits=waits.get(row["pk"])) for row in rows]
    plot = wide(1, height=64)
    zone = open_bot(bot).zone
    ends = [day(row["received"].astimezone(zone).date()) for row in (rows[0], rows[-1])]
    title = number_of("Last delivery", "Last %(count)s deliveries", len(bars))
    counted = Counter((bar.level, bar.words) for bar in bars).most_common()
    shown = pgettext("deliveries", "%(count)s %(word)s")
    legend = [(level, shown % {"count": grouped(count), "word": word}) for (level, word), count in counted]
    newest = _("newest %(ago)s") % {"ago": ago(rows[-1]["received"], bot)}
    return DeliveryChart(
        plot=plot,
        title=title,
        sentence=f"{', '.join(words for _level, words in legend)} · {newest}",
        heights=[(plot.ground, "")],
        names=[(0, ends[0])] if ends[0] == ends[1] else [(0, ends[0]), (plot.width, ends[1])],
        heads=(_("Time"), _("Result")),
        cells=bars,
        columns=columns(plot, bars, FEWEST),
        legend=legend,
        newest=newest,
    )


def _bar(bot: Bot, row: dict[str, Any], *, is_being_answered: bool, waits: bool | None) -> Bar:
    made = (row["change_set"], row["change_set__state"], row["change_set__kind"])
    outcome = outcome_of(row["status"], *made, is_being_answered=is_being_answered, waits=waits)
    return Bar(
        name=as_of(row["received"], bot),
        exactly=moment(row["received"], bot),
        words=outcome.word,
        url=reverse("memory:delivery", args=[bot.slug, row["pk"]]),
        number=HEIGHTS[outcome.level],
        level=outcome.level,
    )
