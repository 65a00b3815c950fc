"""The bots we look after: where their memory lies, which rules and settings hold for them, what time it is for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from datetime import time as clock
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.utils import timezone

from memory.bots import automation, costs, families
from memory.bots.family import Family
from memory.domain.attributes import AttributesAbility
from memory.domain.changes import MEMORY_ROOT
from memory.domain.dialect import Dialect, Kind, Limit
from memory.models import Bot
from memory.storage import Vault
from memory.storage.files import FileVault


def default_bot() -> Bot | None:
    """The bot of the environment, else the oldest one; None if there is none yet."""
    return Bot.present.order_by("-from_environment", "id").first()


def family(bot: Bot) -> Family:
    """The family of a bot: its dialect, and what hangs from that."""
    return families.get(bot.dialect)


def dialect(bot: Bot) -> Dialect:
    """How this bot writes, and where: some families keep the same documents in one place or in another."""
    return family(bot).opened(bot)


def vaults(bot: Bot) -> dict[str, Vault]:
    """The bot's vaults by root name; `memory` is always among them."""
    skip, memory = dialect(bot).passes_over, Path(memory_path(bot))
    return {name: vault(family(bot), name, Path(path), memory, skip) for name, path in bot.directories.items()}


def vault(of: Family, name: str, path: Path, memory: Path, skip: Callable[[str], bool]) -> Vault:
    """The vault of one root of a bot of a family, beside the directory of its memory."""
    return of.storage(name, path, memory) or FileVault(path, skip=skip)


def keeps(bot: Bot, kind: Kind) -> bool:
    """Whether a bot of this family has documents of a kind, of its own or of a chat."""
    opened, day = dialect(bot), today(bot)
    return any(opened.path(kind, scope, day) is not None for scope in ("", "chat"))


def attributes(bot: Bot) -> AttributesAbility | None:
    """How the facts of this bot have attributes; None if they have none, or where the root is not known that they lie in."""
    known = dialect(bot).attributes
    return known if known and known.root in bot.directories else None


def long_term(bot: Bot) -> str:
    """Where the bot's own long-term memory lies, whether or not it is there."""
    return dialect(bot).path(Kind.LONG_TERM) or "MEMORY.md"


def settings(bot: Bot) -> Any:
    """The dialect's settings: what the owner saved, else what the environment says, else the dialect's defaults."""
    return dialect(bot).settings({**_unsaved(bot), **of_the_dialect(bot.settings)})


def check(bot: Bot, values: Mapping[str, object]) -> None:
    """Raises ValueError, with a sentence that names the setting, if these cannot be a bot's settings."""
    dialect(bot).settings(of_the_dialect(values))
    costs.costs_from(values)
    automation.automation_from(values)


def of_the_dialect(values: Mapping[str, object]) -> dict[str, object]:
    """The saved values that are the dialect's own."""
    return {name: value for name, value in values.items() if name not in costs.NAMES | automation.NAMES}


def unsaved_settings(bot: Bot) -> Any:
    """The dialect's settings as they would be if the owner had saved none."""
    return dialect(bot).settings(_unsaved(bot))


def _unsaved(bot: Bot) -> dict[str, object]:
    fields = dialect(bot).fields
    given = {field.name: site.BOT_DEFAULTS[field.env] for field in fields if field.env in site.BOT_DEFAULTS}
    return {**family(bot).observed(bot), **given}


def zone(bot: Bot) -> ZoneInfo:
    """The zone whose midnight ends the bot's day."""
    return ZoneInfo(bot.time_zone)


def now(bot: Bot) -> datetime:
    """The time it is for the bot, aware."""
    return timezone.now().astimezone(zone(bot))


def today(bot: Bot) -> str:
    """The bot's day, YYYY-MM-DD."""
    return now(bot).date().isoformat()


def tomorrow(bot: Bot) -> datetime:
    """When the bot's next day begins, aware."""
    return datetime.combine(now(bot).date() + timedelta(days=1), clock(), zone(bot))


def limit(bot: Bot) -> Limit | None:
    """What the bot's own long-term memory is held against; None where no limit is known."""
    return dialect(bot).limit(settings(bot))


def stale_before(bot: Bot) -> int:
    """Working memory last written before this (ns since 1970) is not read by the bot any more."""
    return time.time_ns() - working_days(bot) * 86_400 * 10**9


def working_days(bot: Bot) -> int:
    """For how many days after its last change the bot reads a chat's working memory; 0 for a family that keeps none."""
    days: int = getattr(settings(bot), "working_memory_days", 0)
    return days


def old_before(bot: Bot, days: int | None = None) -> str:
    """Daily logs of days before this one (YYYY-MM-DD) are old enough to be compacted, by the bot's retention or a given one."""
    oldest = now(bot).date() - timedelta(days=days or settings(bot).memory_retention_days)
    return oldest.isoformat()


def reads_by_message(bot: Bot) -> bool:
    """Whether the bot chooses what it reads by the words of the message."""
    return dialect(bot).reads_by_message(settings(bot))


def reads_by_chat(bot: Bot) -> bool:
    """Whether what the bot reads depends on the chat that it answers in."""
    return dialect(bot).reads_by_chat


def memory_path(bot: Bot) -> str:
    """The directory of the bot's memory."""
    return bot.directories.get(MEMORY_ROOT, "")
