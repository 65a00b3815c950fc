"""Autobot as a plug-in: how its workspace is told from others, and its configuration."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from django.utils.translation import gettext_lazy

from memory.bots import open_bot
from memory.bots.family import BY_ITS_OWN, Family, Recognised
from memory.dialects.autobot import DIALECT, home, layout, sample
from memory.domain.fields import Configured
from memory.models import Bot
from memory.text.sentences import say

BY_CONFIG = say("An Autobot’s config.yml lies beside it.")
BY_TRANSCRIPT = say("Its transcripts begin as only Autobot begins them.")


class AutobotFamily(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("workspace",)
    dull = frozenset({"workspace"})
    sample_name = gettext_lazy("Sample Autobot")

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        if not {layout.MEMORY, layout.HISTORY, layout.SESSIONS} & set(names):
            return None
        workspace = Path(path)
        if home.has_config(workspace):
            return Recognised(self.name, "", BY_CONFIG, BY_ITS_OWN)
        return Recognised(self.name, "", BY_TRANSCRIPT, BY_ITS_OWN) if home.has_own_transcript(workspace) else None

    def directory_of(self, path: Path) -> Path | None:
        return home.workspace_of(path.expanduser()) if path.name == home.CONFIG else None

    def write_sample(self, home: Path, now: datetime) -> Path:
        return sample.write(home / "sample-autobot", now)

    def configured(self, bot: Bot) -> Configured:
        return home.configured(open_bot(bot).memory_path)


FAMILY = AutobotFamily()
