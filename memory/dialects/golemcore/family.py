"""GolemCore as a plug-in: whose a workspace is, what its memory is called there, and what its own settings say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from memory import journal, llm
from memory.bots import open_bot
from memory.bots.family import BY_ITS_OWN, Family, Recognised
from memory.dialects.golemcore import DIALECT, GolemCore, config, copies, layout, sample
from memory.dialects.golemcore.attributes import as_values
from memory.dialects.golemcore.pages.losses import Losses, due
from memory.dialects.golemcore.session_store import acts, job
from memory.dialects.golemcore.sessions.commands import COMPACT
from memory.domain.changes import Made
from memory.domain.dialect import Dialect
from memory.domain.errors import VaultError
from memory.domain.fields import Configured
from memory.index import cached
from memory.models import Bot, Delivery, Job
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

BY = journal.By("delivery")
OWN = say("It has items, sessions and preferences the way only a GolemCore keeps them.")


class GolemCoreFamily(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    usual = (".golemcore/workspace",)
    dull = frozenset({"workspace"})
    configuration = layout.PREFERENCES
    misread = gettext_lazy("%(key)s in the bot’s %(file)s isn’t valid. Kenoweb uses the default instead.")
    recalls_by = "memory.dialects.golemcore.pages.scores"
    sample_name = gettext_lazy("Sample GolemCore")
    write_sample = staticmethod(sample.write)
    without = staticmethod(copies.without)
    api = "memory.dialects.golemcore.pages.api"
    pages = "memory.dialects.golemcore.pages.urls"
    places: ClassVar[Mapping[str, Any]] = {
        "memory": (
            ("kept_sessions", gettext_lazy("Sessions")),
            ("scores", gettext_lazy("Scores")),
            ("losses", gettext_lazy("About to be dropped")),
        ),
        "settings": (("preferences", gettext_lazy("Bot’s preferences")),),
    }
    checks = (Losses(),)
    works: ClassVar[Mapping[str, str]] = {Job.Kind.SUMMARY: "memory.dialects.golemcore.session_store.job"}
    commands = ("memory.dialects.golemcore.commands.sessions", "memory.dialects.golemcore.commands.tool")

    def recognise(self, path: str, names: Collection[str]) -> Recognised | None:
        workspace = Path(path)
        known = DIALECT.recognises(names) or (
            {layout.SESSIONS, layout.PREFERENCES} <= set(names) and memory_of(workspace)
        )
        return Recognised(self.name, "", OWN, BY_ITS_OWN) if known else None

    def configured(self, bot: Bot) -> Configured:
        workspace = open_bot(bot).memory_path
        found, own = config.configured(dict(_files(workspace))), memory_of(workspace)
        return Configured({**found.values, **({"memoryDirectory": own} if own else {})}, found.wrong)

    def reworded(self, bot: Bot, path: str, data: bytes, fact: FactAt, text: str) -> list[Made]:
        return copies.changed(bot, path, data, fact, content=tidy(text))

    def detailed(
        self, bot: Bot, path: str, data: bytes, fact: FactAt, changes: Mapping[str, Any], now: datetime
    ) -> list[Made]:
        return copies.changed(bot, path, data, fact, **as_values(changes, now))

    def opened(self, bot: Bot) -> Dialect:
        told = {**self.observed(bot), **bot.settings}
        return GolemCore(
            str(told.get("memoryDirectory") or layout.MEMORY),
            open_bot(bot).zone,
            partial(acts.path_of, bot),
            summarises=llm.server() is not None,
        )

    def leaving(self, bot: Bot) -> Mapping[tuple[str, int], str]:
        opened = open_bot(bot)
        state = bot.indexed, f"{opened.now():%Y-%m-%d %H}", opened.settings
        with suppress(VaultError):
            return cached.as_of(bot, "leaving", state, lambda: {(one.path, one.line): one.why for one in due(bot)})
        return {}

    def after_turn(self, bot: Bot, delivery: Delivery) -> None:
        """Have a session compacted for which somebody asked in the chat, where a model sums up what goes."""
        stored = delivery.answer.get("stored", {}) if isinstance(delivery.answer, dict) else {}
        if stored.get("command") == COMPACT and "keep" in stored:
            job.start(bot, delivery.session_id, stored["keep"], BY)


FAMILY = GolemCoreFamily()


def memory_of(workspace: Path) -> str:
    """What the directory of the memory is called in a workspace: the one with items in it, the usual name first; "" for none."""
    with suppress(OSError):
        names = sorted((path.name for path in workspace.iterdir()), key=lambda name: (name != layout.MEMORY, name))
        return next((name for name in names if (workspace / name / layout.ITEMS).is_dir()), "")
    return ""


def _files(workspace: Path) -> list[tuple[str, bytes]]:
    found = []
    for name in layout.SETTINGS:
        with suppress(OSError):
            found.append((name, (workspace / layout.PREFERENCES / name).read_bytes()))
    return found
