"""DiscoClaw as a plug-in: where its memory and its workspace lie, and what its own configuration says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from memory.bots import open_bot
from memory.bots.family import BY_ITS_OWN, Family, Recognised
from memory.dialects.discoclaw import DIALECT, MOST_ITEMS, DiscoClaw, config, layout, maintenance, sample
from memory.domain.dialect import Dialect
from memory.domain.fields import Configured
from memory.models import Bot
from memory.text.sentences import say

ENVIRONMENT = ".env"  # of the bot's installation, which keeps its data below itself unless it is told otherwise
OWN = say("It has directories only a DiscoClaw creates: durable, rolling or shortterm.")


class DiscoClaws(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("data/memory", "memory")
    dull = frozenset({"data", "memory"})
    configured_in = ENVIRONMENT
    roots_words = {layout.WORKSPACE: gettext_lazy("Workspace")}
    checks = (maintenance.CHECK,)
    places: ClassVar[Mapping[str, Any]] = {
        "memory": (("learned", gettext_lazy("Recently learned")), ("forgotten", gettext_lazy("Forgotten"))),
    }
    pages = "memory.dialects.discoclaw.pages.urls"
    sample_name = gettext_lazy("Sample DiscoClaw")

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        return Recognised(self.name, "", OWN, BY_ITS_OWN) if DIALECT.recognises(names) else None

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        workspace = memory.parent / layout.WORKSPACE
        return {layout.WORKSPACE: workspace} if workspace.is_dir() else {}

    def write_sample(self, home: Path, now: datetime) -> Path:
        return sample.write(home / "sample-discoclaw", now)

    def configured(self, bot: Bot) -> Configured:
        install = open_bot(bot).memory_path.parent.parent
        try:
            return config.configured((install / ENVIRONMENT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Configured()

    def opened(self, bot: Bot) -> Dialect:
        told = {**self.observed(bot), **bot.settings}
        return DiscoClaw(
            workspace=layout.WORKSPACE in bot.directories,
            most=int(str(told.get("durable_items") or MOST_ITEMS)),
            commands=bool(told.get("commands", True)),
            clock=open_bot(bot).now,
        )


FAMILY = DiscoClaws()
