"""What was learned before Kenoweb looked: on a first visit nothing has changed yet, but much may have been remembered."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.dialect import Kind
from memory.models import Bot, Day, Fact, FactAttributes
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of
from memory.web.base.dates import day as day_words
from memory.web.entries.views import day_of

LINES = 6


@dataclass(frozen=True, slots=True)
class Earlier:
    """One entry of the latest day, or of a database: its text, whose it is, when it was said, and the address where it stands."""

    text: str
    tier: str
    whose: str
    when: str
    url: str


def earlier(bot: Bot) -> list[Earlier]:
    """The last entries of a database, or of the latest day that has any, the newest first; at most three statements."""
    if open_bot(bot).attributes:
        return _entries(bot)
    days = Day.objects.filter(bot=bot, facts__gt=0, day__lte=open_bot(bot).today()).order_by("-day")
    day = days.values_list("day", flat=True).first()
    if day is None:
        return []
    # The bot is named by its documents: by its facts SQLite would walk through all of them.
    of_the_day = Fact.objects.filter(document__bot=bot, document__kind=Kind.DAILY, document__day=day)
    facts = of_the_day.order_by("-since", "-ordinal")
    rows = list(facts.values_list("text", "time", "document__tier", "document__scope")[:LINES])
    names = names_of(bot, {scope for _text, _time, _tier, scope in rows})
    url = reverse("memory:day", args=[bot.slug, day])
    return [
        Earlier(
            text=" ".join(text.split())[:200],
            tier=tier,
            whose=names.get(scope, scope) or _("shared"),
            when=f"{day_words(day)}, {time}" if time else day_words(day),
            url=url,
        )
        for text, time, tier, scope in rows
    ]


def _entries(bot: Bot) -> list[Earlier]:
    newest = FactAttributes.objects.filter(bot=bot).order_by("-updated", "-fact_id")
    told = ("fact__text", "fact__line", "document__tier", "document__scope", "document__path", "updated")
    rows = list(newest.values_list(*told)[:LINES])
    names = names_of(bot, {scope for _text, _line, _tier, scope, _path, _at in rows})
    url_of = addresses("facts", bot)
    return [
        Earlier(
            text=" ".join(text.split())[:200],
            tier=tier,
            whose=names.get(scope, scope),
            when=day_of(updated),
            url=f"{url_of(path)}?line={line}",
        )
        for text, line, tier, scope, path, updated in rows
    ]
