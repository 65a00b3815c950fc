"""What else is to be known of the facts of a plan: which contradict others, and which logs their bot deletes whatever is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.bots import open_bot
from memory.checks import contradictions
from memory.checks.contradictions import Matter
from memory.domain.dialect import Dialect
from memory.models import Bot, Finding


@dataclass(frozen=True, slots=True)
class Asides:
    """`others` says by path and key of a fact how many it contradicts. Logs of days before `deleted_before` (YYYY-MM-DD) the bot
    called `bot` deletes by itself; "" where it deletes none."""

    bot: str = ""
    deleted_before: str = ""
    others: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def deletes(self, dialect: Dialect, path: str) -> bool:
        """Whether the bot deletes a log by itself."""
        place = dialect.describe(path)
        return bool(place and place.day and place.day < self.deleted_before)


def asides(bot: Bot) -> Asides:
    """What is to be known of any plan of a bot."""
    there = Finding.objects.filter(bot=bot, rule=contradictions.NAME, gone=None, ignored=None)
    found = contradictions.matters(bot, list(there.values_list("key", flat=True)))
    others = {at: number for matter in found for at, number in _others(matter).items()}
    return Asides(bot.name, open_bot(bot).deleted_before(), others)


def _others(matter: Matter) -> dict[tuple[str, str], int]:
    """Of each fact of a contradiction, how many answers say something else."""
    return {(fact.path, fact.key): len(matter.answers) - 1 for one in matter.answers for fact in one.facts}
