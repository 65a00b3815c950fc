"""The bot's own settings beside those that hold in Kenoweb, and how these are written into its files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import writing
from memory.dialects.golemcore import config, layout
from memory.domain.changes import Put, base_of
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say

WRITTEN = say("Wrote the settings into the bot’s preferences")


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """One key: what the bot's file says, "" for nothing, and what holds in Kenoweb."""

    file: str
    key: str
    theirs: str
    ours: str

    @property
    def differs(self) -> bool:
        """Whether writing would change it."""
        return self.theirs != self.ours


def rows(bot: Bot) -> list[PreferenceRow]:
    """Every key of the bot's files. Raises Unreadable, and ValueError with a sentence."""
    return list(_rows(bot))


def write(bot: Bot, by: journal.By) -> ChangeSet | Refused | None:
    """The bot's files say what holds in Kenoweb, as one change; what else stands in them stays."""
    done = writing.write(bot, partial(_writing, bot), by)
    return done if isinstance(done, Refused) else done.change_set


def path_of(file: str) -> str:
    """Where one of the bot's files lies."""
    return f"{layout.PREFERENCES}/{file}"


def _rows(bot: Bot) -> Iterator[PreferenceRow]:
    held, memory = open_bot(bot).settings, index.BotMemory(bot)
    for file, keys in config.FILES.items():
        said = _read(file, memory.read(path_of(file)))
        for key, setting in keys.items():
            yield PreferenceRow(file, key, _shown(said.get(key)), _shown(getattr(held, setting)))


def _writing(bot: Bot) -> journal.CommitPlan[None]:
    held, memory = open_bot(bot).settings, index.BotMemory(bot)
    changes, made_from = [], []
    for file, keys in config.FILES.items():
        before = memory.read(path_of(file))
        _read(file, before)
        after = config.written(file, before, {setting: getattr(held, setting) for setting in keys.values()})
        if after != before:
            changes.append(Put(path_of(file), after, base_of(before)))
            made_from.append(before)
    return journal.CommitPlan(changes, None, made_from, why=WRITTEN)


def _read(file: str, data: bytes | None) -> dict[str, object]:
    try:
        return config.read(data) if data is not None else {}
    except ValueError:
        raise ValueError(
            say("%(file)s isn’t valid JSON. Repair it first. Nothing was changed.", file=path_of(file))
        ) from None


def _shown(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
