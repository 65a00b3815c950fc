"""The bots we look after: where their memory lies, which rules and settings hold for them, what time it is for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from datetime import time as clock
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.utils import timezone

from memory import dialects
from memory.bots import automation, costs
from memory.bots.directories import SESSIONS_ROOT, holds_anything, names, resolved, same
from memory.dialects import workspace
from memory.dialects.kenobot.settings import V07
from memory.dialects.nanobot import Nanobot, home
from memory.dialects.nanobot.config import Configured
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.nanobot.layout import DATABASE, STATES, states_of
from memory.dialects.nanobot.scopes import workspace_id
from memory.dialects.nanobot.settings import FACT_DAYS
from memory.domain.changes import MEMORY_ROOT
from memory.domain.dialect import Dialect, Kind, Limit
from memory.models import Bot
from memory.storage import Vault
from memory.storage.files import FileVault

KENOBOT, NANOBOT = "kenobot", "nanobot"
YOUNG_NS = 2_000_000_000  # a directory changed this recently may change again within one tick of its clock


def default_bot() -> Bot | None:
    """The bot of the environment, else the oldest one; None if there is none yet."""
    return Bot.present.order_by("-from_environment", "id").first()


def vaults(bot: Bot) -> dict[str, Vault]:
    """The bot's vaults by root name; `memory` is always among them."""
    skip, memory = dialect(bot).passes_over, Path(memory_path(bot))
    return {name: vault(name, Path(path), memory, skip) for name, path in bot.directories.items()}


def vault(name: str, path: Path, memory: Path, skip: Callable[[str], bool]) -> Vault:
    """The vault of one root, beside the directory of the bot's memory."""
    if name == DATABASE:
        place = str(resolved(memory))
        return RowsVault(path, workspace_id(place), place=place)
    return FileVault(path, skip=skip)


def dialect(bot: Bot) -> Dialect:
    """How this bot writes, and where: some families keep the same documents in one place or in another."""
    if bot.dialect == NANOBOT:
        told = {**_observed(bot), **bot.settings}
        return Nanobot(states_of(str(told.get("state_dir", STATES))), int(told.get("fact_days", FACT_DAYS)))
    if bot.dialect != workspace.DIALECT.name:
        return dialects.get(bot.dialect)
    directory = memory_path(bot)
    changed = _changed(directory), _changed(f"{directory}/memory")
    look = _look if max(changed) < time.time_ns() - YOUNG_NS else _look.__wrapped__
    return look(directory, str(bot.settings.get("flavour") or ""), SESSIONS_ROOT in bot.directories, *changed)


@lru_cache(64)
def _look(directory: str, flavour: str, apart: bool, *changed: int) -> Dialect:
    """A workspace as a directory keeps it; `changed` only tells apart what is remembered."""
    try:
        there = names(Path(directory))
    except OSError:
        there = []
    return workspace.DIALECT.seen(there, flavour, apart=apart)


def _changed(directory: str) -> int:
    """When something was added to a directory or removed from it (ns since 1970); 0 if it cannot be looked at."""
    try:
        return Path(directory).stat().st_mtime_ns
    except OSError:
        return 0


def keeps(bot: Bot, kind: Kind) -> bool:
    """Whether a bot of this family has documents of a kind, of its own or of a chat."""
    family, day = dialect(bot), today(bot)
    return any(family.path(kind, scope, day) is not None for scope in ("", "chat"))


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


def configured(bot: Bot) -> Configured:
    """What the bot's own configuration says of the dialect's settings; nothing for a family that Kenoweb knows none of."""
    return home.configured(Path(memory_path(bot))) if bot.dialect == NANOBOT else home.NOTHING


def _unsaved(bot: Bot) -> dict[str, object]:
    fields = dialect(bot).fields
    given = {field.name: site.BOT_DEFAULTS[field.env] for field in fields if field.env in site.BOT_DEFAULTS}
    return {**_observed(bot), **given}


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
    return bot.dialect == NANOBOT or getattr(settings(bot), "version", "") == V07


def reads_by_chat(bot: Bot) -> bool:
    """Whether what the bot reads depends on the chat that it answers in."""
    family = dialect(bot)
    own = (Kind.LONG_TERM, Kind.DAILY, Kind.WORKING, Kind.CONTEXT)
    return bot.dialect == NANOBOT or any(family.path(kind, "chat", today(bot)) for kind in own)


def stray_memory(bot: Bot) -> Path | None:
    """The `data/memory` that an older KenoBot left beside the `memory` in use, if something lies in it."""
    if bot.dialect != KENOBOT:
        return None
    used = Path(memory_path(bot))
    old_places = [used.parent / "data" / "memory"]
    if bot.from_environment:
        old_places.append(site.DATA_DIR / "memory")
    for old in old_places:
        if not same(old, used) and holds_anything(old):
            return old
    return None


def _observed(bot: Bot) -> Mapping[str, object]:
    """What the files themselves say about settings that nobody has saved: the bot's own configuration, or which KenoBot it is."""
    if bot.dialect == NANOBOT:
        return configured(bot).values
    if bot.dialect != KENOBOT:
        return {}
    memory = Path(memory_path(bot))
    newer = (
        (memory / "procedural").is_dir()
        or (memory / "identity").is_dir()
        or (memory.name == "memory" and memory.parent.name != "data" and (memory.parent / "data").is_dir())
        or bot.has_chat_context
    )
    return {"version": V07} if newer else {}


def memory_path(bot: Bot) -> str:
    """The directory of the bot's memory."""
    return bot.directories.get(MEMORY_ROOT, "")
