"""Autobot as a plug-in: how its workspace is told from others, and its configuration."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from memory import journal, llm
from memory.bots import open_bot
from memory.bots.family import BY_ITS_OWN, Family, Recognised
from memory.dialects.autobot import DIALECT, home, layout, sample
from memory.dialects.autobot.consolidation import blocks, job, whereabouts
from memory.dialects.autobot.permissions import Permissions
from memory.dialects.autobot.settings import WRITE
from memory.domain.fields import Configured
from memory.models import Bot, Delivery, Job
from memory.text.sentences import say

BY = journal.By("delivery")
BY_CONFIG = say("An Autobot’s config.yml is beside it.")
BY_TRANSCRIPT = say("Its transcripts begin as only Autobot begins them.")


class AutobotFamily(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    homes = ("workspace",)
    dull = frozenset({"workspace"})
    works: ClassVar[Mapping[str, str]] = {Job.Kind.SUMMARY: "memory.dialects.autobot.consolidation.job"}
    commands = ("memory.dialects.autobot.commands.consolidation",)
    pages = "memory.dialects.autobot.pages.urls"
    places: ClassVar[Mapping[str, Any]] = {
        "memory": (("history_log", gettext_lazy("Search by date")),),
        "tidy": (("consolidation", gettext_lazy("Consolidation")), ("permissions", gettext_lazy("Permissions"))),
    }
    checks = (Permissions(),)
    configuration = home.CONFIG
    sample_name = gettext_lazy("Sample Autobot")
    write_sample = staticmethod(sample.write)
    timeline = staticmethod(whereabouts.timeline)

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        if not {layout.MEMORY, layout.HISTORY, layout.SESSIONS} & set(names):
            return None
        workspace = Path(path)
        if home.has_config(workspace):
            return Recognised(self.name, "", BY_CONFIG, BY_ITS_OWN)
        return Recognised(self.name, "", BY_TRANSCRIPT, BY_ITS_OWN) if home.has_own_transcript(workspace) else None

    def directory_of(self, path: Path) -> Path | None:
        return home.workspace_of(path.expanduser()) if path.name == home.CONFIG else None

    def after_turn(self, bot: Bot, delivery: Delivery) -> None:
        """Sum the chat up where nobody but Kenoweb writes it down and the bot itself would."""
        chat, wanted = delivery.session_id, open_bot(bot).settings.capture == WRITE
        if not wanted or delivery.trial or llm.server() is None:
            return
        moved = blocks.archive(bot, chat, BY, due=True)
        if isinstance(moved, blocks.Moved):
            job.start(bot, moved.path, BY)

    def sums_up(self, bot: Bot, chat: str) -> Any:
        return gettext_lazy("Consolidate all but the newest messages into HISTORY.md and MEMORY.md")

    def configured(self, bot: Bot) -> Configured:
        return home.configured(open_bot(bot).memory_path)


FAMILY = AutobotFamily()
