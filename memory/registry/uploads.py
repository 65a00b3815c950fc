"""Exports that somebody sent and has not decided about: kept for an hour, for that person and that bot alone, and as long as a job
is to write one.

What may be written is what was shown: the list of documents with their bases lies beside the file.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from memory import journal
from memory.domain.errors import Refusal
from memory.models import Bot, Job
from memory.registry import import_zip
from memory.registry.import_zip import Item, State
from memory.text import sentences
from memory.text.sentences import say
from memory.text.storable import keepable

LIFETIME_SECONDS = 3600
NAME_LENGTH = 120
Kept = Mapping[str, Any]  # an item as such a list has it
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,60}")


@dataclass(frozen=True, eq=False)
class SeenExport:
    """What an export was called, and what it would do, as the list beside it has it: of thousands few are shown."""

    name: str
    items: Sequence[Kept]

    @cached_property
    def by_state(self) -> Mapping[State, Sequence[Kept]]:
        """Those of each state, by path."""
        found: dict[State, list[Kept]] = {state: [] for state in State}
        for one in sorted(self.items, key=itemgetter("path")):
            found[one["state"]].append(one)
        return found


@dataclass(frozen=True, slots=True)
class Arrival:
    """An export that waits for a decision, and what was seen in it."""

    token: str
    seen: SeenExport
    source: Path

    @property
    def name(self) -> str:
        return self.seen.name

    @property
    def items(self) -> list[Item]:
        return list(map(item, self.seen.items))


def keep(bot: Bot, user_pk: int, pieces: Iterable[bytes], name: str) -> Arrival:
    """Keep a sent file and look at it; what this person sent for this bot before is dropped. Raises Refusal."""
    sweep()
    for old in _unwanted(f"{bot.pk}-{user_pk}-*"):
        old.unlink(missing_ok=True)
    token = secrets.token_urlsafe(18)
    source = _source(bot, user_pk, token)
    try:
        with os.fdopen(os.open(source, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(pieces)
        return _examine(bot, source, token, keepable(name)[:NAME_LENGTH])
    except OSError as error:
        _drop(source)
        raise Refusal(
            say("The file couldn’t be stored: %(reason)s. Nothing was changed.", reason=error.strerror or "")
        ) from None
    except Refusal:
        _drop(source)
        raise


def find(bot: Bot, user_pk: int, token: str) -> Arrival | None:
    """What this person sent for this bot under this token, if it is not older than an hour."""
    sweep()
    if not _TOKEN.fullmatch(token):
        return None
    source = _source(bot, user_pk, token)
    beside = _list_of(source)
    try:
        seen = SeenExport(**json.loads(beside.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None
    return Arrival(token, seen, source) if source.exists() else None


def renew(bot: Bot, arrival: Arrival) -> Arrival:
    """Look at it again, because the memory moved on. Raises Refusal."""
    return _examine(bot, arrival.source, arrival.token, arrival.name)


def apply(bot: Bot, arrival: Arrival, by: journal.By, **told: Any) -> journal.Applied | journal.Conflict:
    """Write what was shown, as one change set, and drop the file; on a conflict it stays. `told` as for `import_zip`. Raises
    Refusal."""
    outcome = import_zip.apply(bot, arrival.source, arrival.items, by, f"Import of {arrival.name}", **told)
    if isinstance(outcome, journal.Applied):
        drop(arrival)
    return outcome


def drop(arrival: Arrival) -> None:
    """Forget the file and what was seen in it."""
    _drop(arrival.source)


def import_jobs() -> QuerySet[Job]:
    """The jobs that are to write an upload; each is named by its token."""
    return Job.objects.filter(kind=Job.Kind.IMPORT, state__in=(Job.State.QUEUED, Job.State.RUNNING))


def sweep() -> None:
    """Remove what is older than an hour and no job is to write."""
    oldest = time.time() - LIFETIME_SECONDS
    for path in _unwanted("*"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


def _unwanted(pattern: str) -> list[Path]:
    """The files that are called so and that no job is to write."""
    kept = {f"{job.bot_id}-{job.user_id}-{job.name}" for job in import_jobs().only("bot_id", "user_id", "name")}
    return [path for path in _folder().glob(pattern) if path.stem not in kept]


def _examine(bot: Bot, source: Path, token: str, name: str) -> Arrival:
    items = import_zip.examine(bot, source, count_lines=True)
    seen = SeenExport(name, [{**asdict(one), "why": sentences.dumps(one.why)} for one in items])
    beside = _list_of(source)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, "items": seen.items}))
    written = source.stat().st_mtime
    os.utime(beside, (written, written))  # the hour counts from when the file came
    return Arrival(token, seen, source)


def item(kept: Kept) -> Item:
    """What an export would do with one document."""
    return Item(**{**kept, "state": State(kept["state"]), "why": sentences.loads(kept["why"])})


def _drop(source: Path) -> None:
    source.unlink(missing_ok=True)
    _list_of(source).unlink(missing_ok=True)


def _source(bot: Bot, user_pk: int, token: str) -> Path:
    return _folder() / f"{bot.pk}-{user_pk}-{token}.zip"


def _list_of(source: Path) -> Path:
    return source.with_suffix(".json")


def _folder() -> Path:
    folder: Path = settings.KENOWEB_HOME / "imports"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
