"""Which facts were used, and when last: in a prompt that went to a model or a program, or as a hit of a search.

What the bot does by itself with its files nobody sees here: the record only says what went through Kenoweb."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memory.bots import open_bot
from memory.domain.prompt import PromptLine
from memory.models import Bot, Use, quick
from memory.prompts.build import PricedLine
from memory.search.statements import id_table, ids

ROW, SAME = ("bot", "key", "how", "day"), ("bot", "key", "how")


def record(bot: Bot, keys: Iterable[str], how: Use.How = Use.How.SEARCH) -> None:
    """Facts that say these things were used today. Of a day only the first use is written."""
    if not (said := set(keys)):
        return
    day, (wanted, given) = open_bot(bot).today(), id_table(said, "text")
    fresh = ids(_FRESH.format(wanted=wanted), [given, bot.pk, how.value, day])
    if not fresh:
        return
    quick.upsert_all(Use, ROW, SAME, [(bot.pk, key, how.value, day) for key in sorted(fresh)])
    if not bot.uses_since:
        bot.uses_since = day
        Bot.objects.filter(pk=bot.pk, uses_since="").update(uses_since=day)


# Asked first, because most of a prompt was in one today, and a statement that may write waits for all who do.
_FRESH = """
    SELECT value FROM {wanted} WHERE NOT EXISTS (
        SELECT 1 FROM memory_use WHERE bot_id = %s AND key = wanted.value AND how = %s AND day = %s
    )
"""


def record_prompt(bot: Bot, lines: Iterable[PromptLine | PricedLine]) -> None:
    """The facts of a prompt were used today."""
    record(bot, (line.fact.key for line in lines if line.fact), Use.How.PROMPT)


def last_days(bot: Bot, keys: Collection[str]) -> dict[str, str]:
    """On which day one of these was last used in each way; a way in which none was is left out."""
    rows = Use.objects.filter(bot=bot, key__in=keys).order_by("day")
    return dict(rows.values_list("how", "day"))
