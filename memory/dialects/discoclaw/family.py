"""DiscoClaw as a plug-in: where its memory and its workspace lie, and what its own configuration says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.bots.family import BY_ITS_OWN, Family
from memory.dialects.discoclaw import (
    DIALECT,
    MOST_ITEMS,
    DiscoClaw,
    config,
    durable,
    layout,
    maintenance,
    rolling,
    sample,
)
from memory.dialects.discoclaw.renewal import heard
from memory.dialects.discoclaw.settings import HEAD
from memory.domain.dialect import Dialect
from memory.domain.fields import Configured
from memory.models import Bot, Job
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import keepable

ENVIRONMENT = ".env"  # of the bot's installation, which keeps its data below itself unless it is told otherwise
SUMMARISE = gettext_lazy("Suggest a new summary from the newest deliveries")
OWN = say("It has directories only a DiscoClaw creates: durable, rolling or shortterm.")


class DiscoClaws(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    recognised_by = (OWN, BY_ITS_OWN)
    homes = ("data/memory", "memory")
    dull = frozenset({"data", "memory"})
    roots_words = {layout.WORKSPACE: gettext_lazy("Workspace")}
    checks = (maintenance.CHECK,)
    places: ClassVar[Mapping[str, Any]] = {
        "memory": (("learned", gettext_lazy("Recently learned")), ("forgotten", gettext_lazy("Forgotten"))),
    }
    pages = "memory.dialects.discoclaw.pages.urls"
    configuration = ENVIRONMENT
    works: ClassVar[Mapping[str, str]] = {
        Job.Kind.SUMMARY: "memory.dialects.discoclaw.renewal.summary",
        Job.Kind.EXTRACTION: "memory.dialects.discoclaw.renewal.learning",
    }
    sample_name = gettext_lazy("Sample DiscoClaw")
    write_sample = staticmethod(sample.write)
    after_turn = staticmethod(heard.after_turn)

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        workspace = memory.parent / layout.WORKSPACE
        return {layout.WORKSPACE: workspace} if workspace.is_dir() else {}

    def configured(self, bot: Bot) -> Configured:
        return config.configured(_environment(bot))

    def conflicts(self, bot: Bot) -> Iterator[str]:
        for name, variable in config.elsewhere(_environment(bot)).items():
            words = _(
                "%(variable)s is set: the bot may keep its files elsewhere than in %(name)s, which is shown here."
            )
            yield words % {"variable": variable, "name": name}

    def own_rule(self, words: str, facts: Iterable[FactAt]) -> str:
        if not words:
            return ""
        active = (one for one in facts if one.attributes and one.attributes.status == durable.ACTIVE)
        count = sum(durable.is_meant(one.text, words) for one in active)
        return say(
            "In a chat, “%(command)s” would forget %(count)s of these: the words must be at least 60%% of a fact, and "
            "users forget only facts about themselves.",
            command=f"!memory forget {words}",
            count=count,
        )

    def sums_up(self, bot: Bot, chat: str) -> Any:
        return SUMMARISE if heard.deliveries(bot, chat).exists() else ""

    def compared(self, path: str, before: str, after: str) -> tuple[str, str]:
        if not path.startswith(f"{layout.ROLLING}/"):
            return super().compared(path, before, after)
        found = rolling.read_or_none(before.encode())
        return rolling.by_sentence(keepable(str(found["summary"])) if found else ""), rolling.by_sentence(after)

    def opened(self, bot: Bot) -> Dialect:
        told = {**self.observed(bot), **bot.settings}
        return DiscoClaw(
            workspace=layout.WORKSPACE in bot.directories,
            most=int(str(told.get("durable_items") or MOST_ITEMS)),
            later=told.get("edition") == HEAD,
            commands=bool(told.get("commands", True)),
            clock=open_bot(bot).now,
        )


def _environment(bot: Bot) -> str:
    """The text of its `.env`; "" if there is none that can be read."""
    try:
        return (open_bot(bot).memory_path.parent.parent / ENVIRONMENT).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


FAMILY = DiscoClaws()
