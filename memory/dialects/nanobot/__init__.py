"""nanobot, the fork with a long-term memory in SQLite: entries by scope, state files of its sessions, mirrors of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memory.dialects.nanobot import chats, curate, entries, layout, mirrors, states
from memory.dialects.nanobot.attributes import Entries
from memory.dialects.nanobot.capture import begun, capture
from memory.dialects.nanobot.picking import EPISODES_HAVE
from memory.dialects.nanobot.prompt import LEGACY_CHARS, cut_off, instructions, prompt, reminder, user_of
from memory.dialects.nanobot.returning import returning
from memory.dialects.nanobot.settings import FACT_DAYS, FIELDS, Settings
from memory.domain.abilities import Capturing, Talking
from memory.domain.changes import Append, Change, appended_bytes
from memory.domain.dialect import Dialect, Leaving
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind, Place
from memory.domain.prompt import Limit, Prompt
from memory.domain.turns import Captured, Exchange, Turn
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt, log_facts, memory_facts
from memory.text.sentences import say

NO_LOGS = say("nanobot stores entries instead of daily logs, so nothing needs compacting. Prune old entries instead.")
NO_GLOBAL = say(
    "The bot never recalls shared entries or a user’s decisions. They are found only here and on its command line."
)
NO_EPISODES = say("With these settings the bot saves no episodes: their confidence is 0.75, below the minimum.")
MOVED = say("The bot identifies entries by the path of its workspace. A moved workspace has none.")


class Nanobot(Capturing, Talking, Dialect):
    """The dialect. Everything it knows is in the modules beside this one; here they meet."""

    name = layout.NAME
    label = say("nanobot (SQLite memory)")
    reads_by_chat = True
    reads_by_sender = True
    fields: tuple[Field, ...] = FIELDS
    made_of = Settings
    attributes = Entries()
    no_logs = NO_LOGS

    # As the modules beside this one have it
    cut_off = staticmethod(cut_off)
    recognises = staticmethod(layout.recognises)
    session_id_problem = staticmethod(layout.session_id_problem)
    session = staticmethod(chats.named)
    edit = staticmethod(curate.edit)
    forget = staticmethod(curate.forget)
    prompt = staticmethod(prompt)
    reminder = staticmethod(reminder)
    history = staticmethod(states.messages)

    def __init__(
        self, states: str = layout.STATES, fact_days: int = FACT_DAYS, whose: layout.Whose = layout.nobodys
    ) -> None:
        self.states = states  # where it notes its sessions
        self.fact_days = fact_days  # for which what is added by hand lasts
        self.whose = whose  # the chat of a state file

    def reads_by_message(self, settings: Settings) -> bool:
        return True

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        episodes = () if settings.min_confidence <= EPISODES_HAVE else (NO_EPISODES,)
        return (NO_GLOBAL, *episodes, MOVED)

    def limit(self, settings: Settings) -> Limit | None:
        return Limit(LEGACY_CHARS, cuts=True)

    def passes_over(self, name: str) -> bool:
        return name in (".git", "node_modules")

    def describe(self, path: str) -> Place | None:
        return layout.describe(path, self.states, self.whose)

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        return layout.path_of(kind, scope, self.states, self.whose)

    def beside(self, chat: str, sender: str = "") -> tuple[str, ...]:
        user = user_of(chat, sender)
        return (user,) if user else ()

    def directory(self, scope: str) -> str | None:
        return None if scope else "memory"

    def returning(self, path: str, wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
        in_rows = path.startswith(f"@{layout.DATABASE}/")
        return returning(wanted, had, now) if in_rows else (wanted, ())

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = self.describe(path)
        if place is None or not place.holds_facts:
            return []
        if path.startswith(f"@{layout.DATABASE}/"):
            return entries.facts(path, data)
        return log_facts(decode(data)) if place.kind is Kind.DAILY else memory_facts(decode(data))

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        added = appended_bytes(before, after)
        if path.startswith(f"@{layout.DATABASE}/"):
            return b'"source": "auto_heuristic"' in added
        return mirrors.are_own(path, before, added)

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        return curate.add(path, data, texts, now, self.fact_days)

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        if not curate.is_rows(target):
            return super().moved(leaving, target, had, now)
        return Append(target, b"".join(self._lines(target, now, *one) for one in leaving))

    def _lines(self, target: str, now: datetime, path: str, data: bytes, facts: Sequence[FactAt]) -> bytes:
        if curate.is_rows(path):
            return curate.moved(data, facts, target, now)
        return curate.by_hand(target, self._told_elsewhere(path, data, facts), now, self.fact_days)

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == "write"

    def capture(self, turn: Turn, memory: Memory, settings: Settings) -> Captured:
        return capture(turn, memory, settings, self.path(Kind.TRANSCRIPT, turn.session_id))

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings, sender, cares=True)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Settings) -> str:
        return instructions(memory, prompt)

    def exchanges(self, path: str, data: bytes) -> Sequence[Exchange] | None:
        place = self.describe(path)
        return states.exchanges(data) if place and place.kind is Kind.TRANSCRIPT else None

    def begun(self, turn: Turn, memory: Memory, settings: Settings) -> tuple[Change, ...]:
        return begun(turn, memory, settings, self.path(Kind.TRANSCRIPT, turn.session_id))


DIALECT = Nanobot()
