"""DiscoClaw: facts about each user, a summary of each conversation, what happened lately on each server, and a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from memory.dialects.discoclaw import capture, commands, curate, entries, layout
from memory.dialects.discoclaw.attributes import Facts
from memory.dialects.discoclaw.prompt import instructions, milliseconds, prompt
from memory.dialects.discoclaw.settings import FIELDS, Settings, settings_from
from memory.domain.abilities import Capturing
from memory.domain.changes import Change, Delete, Put, base_of
from memory.domain.dialect import Dialect, Leaving
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.prompt import Prompt
from memory.domain.turns import Turn
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt, log_facts, memory_facts
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

NO_LOGS = say("DiscoClaw keeps facts and summaries instead of daily logs, so nothing needs compacting.")
DIRECT_ONLY = say("The bot reads the files of its workspace only in direct messages.")
OTHERS = say("Other users’ messages from the channel, and the bot’s own instructions, are not included.")
MOST_ITEMS = 200


class DiscoClaw(Capturing, Dialect):
    """The dialect. Everything it knows is in the modules beside this one; here they meet."""

    name = layout.NAME
    label = "DiscoClaw"
    reads_by_chat = True
    reads_by_sender = True

    fields: tuple[Field, ...] = FIELDS
    attributes = Facts()
    no_logs = NO_LOGS

    # As the modules beside this one have it
    settings = staticmethod(settings_from)
    recognises = staticmethod(layout.recognises)
    describe = staticmethod(layout.describe)
    session = staticmethod(layout.session)
    capture = staticmethod(capture.capture)

    def __init__(
        self,
        *,
        workspace: bool = True,
        most: int = MOST_ITEMS,
        commands: bool = True,
        later: bool = False,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self.workspace = workspace  # whether the bot's workspace is known
        self.commands = commands  # whether it carries out commands
        self.most = most  # facts of a user
        self.later = later  # whether it is a bot of March 2026
        self.clock = clock  # when something is forgotten by hand; None: its time stays

    def reads_by_message(self, settings: Settings) -> bool:
        return settings.is_later

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        return (DIRECT_ONLY, OTHERS)

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        return layout.path_of(kind, scope, day, has_workspace=self.workspace)

    def beside(self, chat: str, sender: str = "") -> tuple[str, ...]:
        user = layout.user_of(chat, sender)
        return (user,) if user else ()

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = layout.describe(path)
        if place is None or not place.holds_facts:
            return []
        if curate.is_own(path):
            return entries.facts(path, data)
        return log_facts(decode(data)) if place.kind is Kind.DAILY else memory_facts(decode(data))

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        return curate.is_own(path) and curate.wrote(before, after)

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        if curate.is_own(path):
            return self._told(path, data, [("fact", text) for text in texts], now)
        return self._noted(path, data, texts, now)

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        if not curate.is_own(target):
            return super().moved(leaving, target, had, now)
        facts = (fact for *_document, some in leaving for fact in some)
        return self._told(
            target, had, [((fact.attributes and fact.attributes.kind) or "fact", fact.text) for fact in facts], now
        )

    def _told(self, path: str, data: bytes | None, told: Iterable[tuple[str, str]], now: datetime) -> Put:
        return curate.add(path, data, told, milliseconds(now), self.most, is_later=self.later)

    def _noted(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Put:
        """List items, or entries of the day where notes stand under headings."""
        try:
            return self._listed(path, data, texts)
        except ValueError:
            if len(texts) == 1 and (not data or log_facts(decode(data)) != self.facts(path, data)):
                raise
        if len(texts) == 1:
            after = decode(data or b"").rstrip("\n") + f"\n\n## {now:%H:%M} — {tidy(texts[0])}\n"
            return Put(path, encode(after), base_of(data))
        whole = data
        for text in texts:
            whole = self._noted(path, whole, [text], now).data
        return Put(path, whole or b"", base_of(data))

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        return curate.edit(path, data, fact, text) if curate.is_own(path) else super().edit(path, data, fact, text)

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        if not curate.is_own(path):
            return super().forget(path, data, facts)
        return curate.forget(path, data, facts, milliseconds(self.clock()) if self.clock else None)

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        return curate.refused(path, before, after, is_later=self.later) if curate.is_own(path) else ""

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings, sender, self.workspace)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Settings) -> str:
        return instructions(memory, prompt, self.workspace)

    def command(self, turn: Turn) -> str | None:
        is_one = self.commands and commands.parse(turn.message, is_later=self.later)
        return turn.message if is_one else None  # `capture` has the answer

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == "write"


DIALECT = DiscoClaw()
