"""One bot opened: its row, its family, how it writes, where its memory lies, which settings hold for it, what time it is for it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, time as clock, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.utils import timezone

from memory.bots import automation, costs, directories, families, privacy
from memory.bots.automation import Automation
from memory.bots.costs import Costs
from memory.bots.directories import Access
from memory.bots.family import Family
from memory.bots.privacy import Privacy
from memory.domain.attributes import AttributesAbility, Whose
from memory.domain.changes import MEMORY_ROOT, split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import Unreadable
from memory.domain.fields import settings_from
from memory.domain.places import Kind
from memory.domain.prompt import Limit
from memory.models import Bot
from memory.storage import Content, Vault
from memory.text.byte_cache import ByteCache
from memory.text.markdown.entries import FactAt
from memory.text.message import Message

DAY_NS = 86_400 * 10**9
NOTES = (Kind.LONG_TERM, Kind.DAILY, Kind.WORKING)
# What is set for a bot of any family, by which fields
OURS = ((Costs, costs.FIELDS), (Automation, automation.FIELDS), (Privacy, privacy.FIELDS))
ROOM, TIMES = 32 << 20, 4  # bytes of documents whose facts are kept while it is open, and how much they are of one


class OpenBot:
    """A row of a bot and what follows from it. How it writes and its settings are read off its files once."""

    def __init__(self, row: Bot) -> None:
        self.row = row

    @cached_property
    def family(self) -> Family:
        """Its dialect, and what hangs from that."""
        return families.get(self.row.dialect)

    @property
    def compacts(self) -> bool:
        """Whether it keeps logs that can be compacted."""
        return self.dialect.compacting is not None

    @property
    def writes_turns(self) -> bool:
        """Whether the turns that it reports are written down here; else they are only logged."""
        capturing = self.dialect.capturing
        return capturing is not None and capturing.writes_turns(self.settings)

    @property
    def learns_by_reply(self) -> bool:
        """Whether its own replies say what is to be remembered."""
        capturing = self.dialect.capturing
        return capturing is not None and capturing.by_reply

    @cached_property
    def dialect(self) -> Dialect:
        """How this bot writes, and where: some families keep the same documents in one place or in another."""
        return self.family.opened(self.row)

    @cached_property
    def settings(self) -> Any:
        """The dialect's settings: what the owner saved, else what the environment says, else the dialect's defaults."""
        return self.dialect.settings({**self._unsaved, **of_the_dialect(self.row.settings)})

    @cached_property
    def unsaved_settings(self) -> Any:
        """The same as they would be if the owner had saved none."""
        return self.dialect.settings(self._unsaved)

    @cached_property
    def _unsaved(self) -> dict[str, object]:
        fields = self.dialect.fields
        given = {field.name: site.BOT_DEFAULTS[field.env] for field in fields if field.env in site.BOT_DEFAULTS}
        return {**self.family.observed(self.row), **given}

    def check(self, values: Mapping[str, object]) -> None:
        """Raises ValueError, with a sentence that names the setting, if these cannot be its settings."""
        if why := self.dialect.unfit(self.dialect.settings({**self._unsaved, **of_the_dialect(values)})):
            raise ValueError(why)
        for of_any, fields in OURS:
            settings_from(of_any, fields, values)

    # Where its memory lies

    @cached_property
    def memory_path(self) -> Path:
        """The directory of its memory."""
        return Path(self.row.directories.get(MEMORY_ROOT, ""))

    @cached_property
    def vaults(self) -> dict[str, Vault]:
        """Its vaults by root name; `memory` is always among them."""
        skip, roots = self.dialect.passes_over, self.row.directories
        return {name: self.family.vault(name, Path(path), self.memory_path, skip) for name, path in roots.items()}

    @cached_property
    def access(self) -> Access:
        """What can be done with its memory now. Where there is a database, too, directories don't tell that nothing can be
        written."""
        if not directories.is_there(self.memory_path):
            return Access.MISSING
        if not self.unwritable:
            return Access.FULL
        if not any(map(directories.may_write, self._notes)):
            return Access.READ_ONLY
        return Access.FULL if any(vault.transactional for vault in self.vaults.values()) else Access.PARTLY

    @cached_property
    def unwritable(self) -> Sequence[Path]:
        """The directories of its notes that nothing can be written to now."""
        return directories.unwritable(self._notes)

    def may_write(self, path: str) -> bool:
        """Whether a document can be written to now, as far as its file and its directory tell."""
        file = self._file(path)
        return self.access is not Access.MISSING and (file is None or directories.may_write(file))

    @cached_property
    def _notes(self) -> Sequence[Path]:
        """A file of each kind that its notes may lie in, its own and a chat's, and one of each sort of facts that have attributes,
        whether or not it is there."""
        today = self.today()
        paths = [self.dialect.path(kind, scope, today) for kind in NOTES for scope in ("", "chat")]
        if known := self.attributes:
            scopes = [scope for sort in known.addable for scope in known.scopes(Whose(sort, "chat", "1", "1"))]
            paths += map(known.path, scopes)
        files = (self._file(path) for path in paths if path is not None)
        return [file for file in files if file is not None]

    def _file(self, path: str) -> Path | None:
        """Where a document lies on the disk; of one in a database, where that is. None where its root is not known."""
        root, below = split_path(path)
        vault, directory = self.vaults.get(root), Path(self.row.directories.get(root, ""))
        return None if vault is None else directory if vault.transactional else directory / below

    def facts(self, path: str, data: bytes | None) -> Sequence[FactAt]:
        """The facts of a document that reads so (None: there is none). What was asked last is not read again: an act reads its
        documents, and so do those who write down what it did."""
        if not data:
            return ()
        found = self._facts.get((path, data))
        if found is None:
            found = self.dialect.facts(path, data)
            self._facts.put((path, data), found, TIMES * len(data))
        return found

    @cached_property
    def _facts(self) -> ByteCache[tuple[str, bytes], Sequence[FactAt]]:
        return ByteCache(ROOM)

    @property
    def long_term(self) -> str:
        """Where its own long-term memory lies, whether or not it is there."""
        return self.dialect.path(Kind.LONG_TERM) or "MEMORY.md"

    def keeps(self, kind: Kind) -> bool:
        """Whether it has documents of a kind, of its own or of a chat."""
        return any(self.dialect.path(kind, scope, self.today()) is not None for scope in ("", "chat"))

    @property
    def attributes(self) -> AttributesAbility | None:
        """How its facts have attributes; None if they have none, or where the root is not known that they lie in."""
        known = self.dialect.attributes
        return known if known and known.root in self.row.directories else None

    def chat(self, named: str) -> str:
        """What its documents call the chat of a session id, in whatever form; an id that names none stays."""
        try:
            return self.dialect.session(named, "", "") if named else ""
        except ValueError:
            return named

    # What time it is for it

    @property
    def zone(self) -> ZoneInfo:
        """The zone whose midnight ends its day."""
        return ZoneInfo(self.row.time_zone)

    def now(self) -> datetime:
        """The time it is for it, aware."""
        return timezone.now().astimezone(self.zone)

    def today(self) -> str:
        """Its day, YYYY-MM-DD."""
        return self.now().date().isoformat()

    def tomorrow(self) -> datetime:
        """When its next day begins, aware."""
        return datetime.combine(self.now().date() + timedelta(days=1), clock(), self.zone)

    @property
    def working_days(self) -> int:
        """For how many days after its last change it reads a chat's working memory; 0 for a family that keeps none."""
        days: int = getattr(self.settings, "working_memory_days", 0)
        return days

    def stale_before(self) -> int:
        """Working memory last written before this (ns since 1970) is not read any more."""
        return time.time_ns() - self.working_days * DAY_NS

    def old_before(self, days: int | None = None) -> str:
        """Daily logs of days before this one (YYYY-MM-DD) are old enough to be compacted, by its retention or a given one."""
        oldest = self.now().date() - timedelta(days=days or self.settings.memory_retention_days)
        return oldest.isoformat()

    def deleted_before(self) -> str:
        """Daily logs of days before this one the bot deletes by itself; "" where it deletes none."""
        days = self.family.deletes_after(self.settings)
        return (self.now().date() - timedelta(days=days)).isoformat() if days else ""

    def content(self, path: str) -> Content | None:
        """A document as its vault has it; None if there is none. Raises Unreadable."""
        root, below = split_path(path)
        return self.vaults[root].read(below) if root in self.vaults else None

    @property
    def has_records(self) -> bool:
        """Whether each of its transcripts is one record, which is read as a whole."""
        talking = self.dialect.talking
        return talking is not None and not talking.in_lines

    def recorded(self, path: str) -> tuple[Sequence[Message], int] | None:
        """The messages of a transcript that is one record, and the size of its file; None if there is no such document. Raises
        Unreadable."""
        content, talking = self.content(path), self.dialect.talking
        if content is None or talking is None:
            return None
        try:
            return talking.messages(path, content.data), len(content.data)
        except ValueError as error:
            raise Unreadable(str(error)) from None

    def messages(self, data: bytes, limit: int) -> tuple[Message, ...]:
        """The newest `limit` messages in a piece of a transcript, oldest first; none where the family reads none."""
        talking = self.dialect.talking
        return talking.history(data, limit) if talking else ()

    # What it reads

    @property
    def limit(self) -> Limit | None:
        """What its own long-term memory is held against; None where no limit is known."""
        return self.dialect.limit(self.settings)

    @property
    def reads_by_message(self) -> bool:
        """Whether it chooses what it reads by the words of the message."""
        return self.dialect.reads_by_message(self.settings)

    @property
    def reads_by_chat(self) -> bool:
        """Whether what it reads depends on the chat that it answers in."""
        return self.dialect.reads_by_chat

    @property
    def reads_by_sender(self) -> bool:
        """Whether what it reads depends on who writes there."""
        return self.dialect.reads_by_sender


def open_bot(row: Bot) -> OpenBot:
    """The bot of a row, opened once for as long as the row says the same: a request or a job has a row of its own."""
    said = (row.dialect, {**row.settings})
    kept: tuple[object, OpenBot] | None = row.__dict__.get("_opened")
    if kept is None or kept[0] != said:
        kept = row.__dict__["_opened"] = (said, OpenBot(row))
    return kept[1]


def reopen(row: Bot) -> None:
    """Let what follows from a row be found out anew: its roots changed, or so much time went by that its files may have."""
    row.__dict__.pop("_opened", None)


def of_the_dialect(values: Mapping[str, object]) -> dict[str, object]:
    """The saved values that are the dialect's own."""
    ours = {field.name for _settings, fields in OURS for field in fields}
    return {name: value for name, value in values.items() if name not in ours}
