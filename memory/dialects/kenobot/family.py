"""KenoBot as a plug-in: its directories, its versions, the bot that the environment names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings as site
from django.utils.translation import gettext_lazy

from memory.bots import open_bot
from memory.bots.directories import holds_anything, names_known, same
from memory.bots.family import BY_ANY, BY_ITS_OWN, BY_PLACE, Family, Named, Recognised
from memory.dialects.kenobot import DIALECT, first_bot
from memory.dialects.kenobot.directories import beside
from memory.dialects.kenobot.settings import V07, Settings
from memory.models import Bot
from memory.text.sentences import say

DELETED_AFTER = 30  # days, which no setting of the bot changes
PLACE = re.compile(r"/\.kenobot(?:/data)?/memory\Z")
PLACED = say("A KenoBot keeps its memory in a directory with this name.")
OWN = say("It has directories only a KenoBot creates: chats, working, procedural or identity.")
BARE = say("It has MEMORY.md and daily logs, as every bot does. A KenoBot often has nothing else.")
ANOTHER_VARIABLE = gettext_lazy(
    "Remove the variable from the environment or point it to another directory, restart Kenoweb, then remove the bot."
)
ANOTHER_PLACE = gettext_lazy(
    "Move that directory away or set KENOBOT_HOME to another one, restart Kenoweb, then remove the bot."
)
BY_DEFAULT = gettext_lazy(
    "Kenoweb looks here by default. To look elsewhere, set KENOBOT_HOME, DATA_DIR or MEMORY_DIR and restart it."
)


class KenoBot(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("data/memory", "memory")
    usual = (".kenobot/data/memory", ".kenobot/memory")
    dull = frozenset({"data"})
    instead_of_sample = gettext_lazy("To see your own bot, set KENOBOT_HOME to its directory and restart Kenoweb.")
    first_bot = staticmethod(first_bot.ensure)

    def deletes_after(self, settings: Settings) -> int | None:
        return DELETED_AFTER if settings.version == V07 else None

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        tops = {name.split("/", 1)[0] for name in names}
        known = DIALECT.recognises(names)
        if known and tops & {"chats", "working", "procedural", "identity"}:
            return Recognised(self.name, "", OWN, BY_ITS_OWN)
        if PLACE.search(path) and (known or any(name.lower().endswith(".md") for name in names)):
            return Recognised(self.name, "", PLACED, BY_PLACE)
        return Recognised(self.name, "", BARE, BY_ANY, doubtful=True) if known else None

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        return beside(memory)

    def sessions_of(self, bot: Bot) -> Path | None:
        stated = first_bot.stated_sessions() if bot.from_environment else None
        above = open_bot(bot).memory_path.parent
        return stated or (above / "data" / "sessions" if (above / "data").is_dir() else above / "sessions")

    def named_by_environment(self, bot: Bot) -> Named | None:
        if not bot.from_environment:
            return None
        if site.KENOBOT_VARIABLES:
            return Named(site.KENOBOT_VARIABLES[0], ANOTHER_VARIABLE)
        return Named("~/.kenobot", ANOTHER_PLACE) if self.by_default(bot) and site.KENOBOT_HOME.is_dir() else None

    def by_default(self, bot: Bot) -> Any:
        unset = bot.from_environment and not site.KENOBOT_VARIABLES
        return BY_DEFAULT if unset and same(open_bot(bot).memory_path, site.MEMORY_DIR) else ""

    def left_behind(self, bot: Bot) -> Path | None:
        used = open_bot(bot).memory_path
        old_places = [used.parent / "data" / "memory"]
        if bot.from_environment:
            old_places.append(site.DATA_DIR / "memory")
        return next((old for old in old_places if not same(old, used) and holds_anything(old)), None)

    def observed(self, bot: Bot) -> Mapping[str, object]:
        """Which KenoBot it is."""
        memory = open_bot(bot).memory_path
        known = () if memory.is_dir() else names_known(bot)
        newer = (
            any((memory / name).is_dir() or name in known for name in ("procedural", "identity"))
            or (memory.name == "memory" and memory.parent.name != "data" and (memory.parent / "data").is_dir())
            or bot.has_chat_context
        )
        return {"version": V07} if newer else {}


FAMILY = KenoBot()
