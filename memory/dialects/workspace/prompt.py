"""What the bot of a workspace loads when a session starts, and what it leaves out.

Each document stands under its path; the bot's own instructions around them are its program's and are not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory.dialects.workspace import budget, history, layout
from memory.dialects.workspace.budget import Kept
from memory.dialects.workspace.facts import facts_of, is_lines
from memory.dialects.workspace.look import CLAUDE_CODE, HKUDS, OPENCLAW, Look
from memory.dialects.workspace.settings import Settings
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Kind, Place, Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.domain.prompt_lines import lines_of, text_of
from memory.text.ages import age_of_day
from memory.text.markdown.blocks import decode
from memory.text.sentences import say, say_number
from memory.text.utf16 import count_units

# In the order in which each program loads them.
ORDER = {
    OPENCLAW: ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP"),
    CLAUDE_CODE: ("CLAUDE", "CLAUDE.LOCAL"),
    HKUDS: ("AGENTS", "SOUL", "USER", "TOOLS", "IDENTITY"),
}
DREAM_CURSOR = "memory/.dream_cursor"
ON_DEMAND = say("The bot reads it when it looks something up, not at the start.")
ITS_WORDS = say(
    "These are the files this program is known to load, up to the length it loads. Its own headings and instructions "
    "aren’t known to Kenoweb."
)
WHOSE = say(
    "Kenoweb doesn’t know which program reads this workspace. These are the files such programs usually load, in full."
)
_APART = "\n\n"
_WHY_OLD = {
    OPENCLAW: say("The bot reads older logs when it looks something up."),
    CLAUDE_CODE: ON_DEMAND,
    HKUDS: say("This bot doesn’t load daily logs; it keeps a history instead."),
}


def prompt(memory: Memory, look: Look, now: datetime, settings: Settings) -> Prompt:
    """What the bot loads at the start of a session on `now`, aware and in its zone. Never raises for one bad file: it is left out
    and said so."""
    return _Loading(memory, look, now, settings).prompt()


@dataclass
class _Loading:
    """One prompt in the making. `left`: characters that OpenClaw still takes of its documents."""

    memory: Memory
    look: Look
    now: datetime
    settings: Settings
    sections: list[Section] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    left: int = 0

    def prompt(self) -> Prompt:
        self.left = self.settings.documents_chars
        places = {path: place for path in self.memory.paths() if (place := layout.describe(path))}
        for path in [*self.identity(places), *self.long_term(places)]:
            self.load(path)
        if self.settings.flavour == HKUDS:
            self.recent(places)
        elif self.settings.flavour != CLAUDE_CODE:
            self.notes(places)
        self.leave(places)
        known = self.settings.flavour in ORDER
        unsure = (ITS_WORDS if known else WHOSE,) if self.sections else ()
        return Prompt(tuple(self.sections), tuple(self.left_out), unsure=unsure)

    def identity(self, places: dict[str, Place]) -> list[str]:
        """The documents on who the bot is that its program loads, in its order; of an unknown one all, by name."""
        there = {path.rpartition(".")[0].upper(): path for path, place in places.items() if place.kind is Kind.IDENTITY}
        wanted = ORDER.get(self.settings.flavour)
        return [there[name] for name in (sorted(there) if wanted is None else wanted) if name in there]

    def long_term(self, places: dict[str, Place]) -> list[str]:
        return [self.look.long_term] if self.look.long_term in places else []

    def load(self, path: str) -> None:
        """A document at the size that the bot takes it."""
        data = self.bytes_of(path)
        if data is None or _is_blank(data):
            return
        match self.settings.flavour:
            case "openclaw" if self.left < budget.LEAST_LEFT:
                most = f"{self.settings.documents_chars:,}"
                self.leave_out(
                    path,
                    say(
                        "Earlier files have used up the %(most)s characters the bot loads in all.",
                        most=most,
                    ),
                )
                return
            case "openclaw":
                kept = budget.middle_cut(_read(path, data), path, min(self.settings.document_chars, self.left))
                self.left -= count_units(text_of(list(kept.lines)))
            case "claude-code" if path == self.look.long_term:
                kept = budget.first_lines(_read(path, data), self.settings.memory_lines, self.settings.memory_bytes)
            case _:
                kept = budget.whole(_read(path, data))
        self.show(path, kept)

    def notes(self, places: dict[str, Place]) -> None:
        """The notes of the last days, today's first."""
        left = self.settings.notes_chars
        days = [(self.now - timedelta(days=back)).date().isoformat() for back in range(self.settings.memory_days)]
        for path in (path for day in days for path in sorted(places) if _is_log_of(places[path], day)):
            data = self.bytes_of(path)
            if data is None or _is_blank(data):
                continue
            if self.settings.flavour != OPENCLAW:
                self.show(path, budget.whole(_read(path, data)))
            elif left <= 0:
                most = f"{self.settings.notes_chars:,}"
                self.leave_out(
                    path,
                    say("Newer logs have used up the %(most)s characters the bot loads in all.", most=most),
                )
            else:
                kept = budget.head_only(_read(path, data), min(self.settings.note_chars, left))
                left -= count_units(text_of(list(kept.lines)))
                self.show(path, kept)

    def recent(self, places: dict[str, Place]) -> None:
        """The newest entries of history.jsonl that the bot has not worked through."""
        path = next((path for path, place in places.items() if place.kind is Kind.HISTORY and is_lines(path)), "")
        data = self.bytes_of(path) if path else None
        if data is None:
            return
        done = self.cursor()
        fresh = [entry for entry in history.entries(decode(data)) if entry.cursor > done]
        kept = fresh[-self.settings.history_entries :] if self.settings.history_entries else []
        facts = {fact.start: fact for fact in history.line_facts(decode(data))}
        lines = [PromptLine(f"- {history.said(entry)}\n", path, entry.line, facts.get(entry.start)) for entry in kept]
        if kept:
            self.show(path, budget.head_of_letters(lines, self.settings.history_chars))
        if len(kept) < len(fresh):
            self.leave_out(
                path,
                say(
                    "Only the newest %(count)s of %(total)s entries are read.",
                    count=len(kept),
                    total=f"{len(fresh):,}",
                ),
            )
        self.met.add(path)

    def cursor(self) -> int:
        """Up to which entry the bot has worked through its history."""
        try:
            return int((self.memory.read(DREAM_CURSOR) or b"0").strip() or b"0")
        except (ValueError, Unreadable):
            return 0

    def show(self, path: str, kept: Kept) -> None:
        text = text_of(list(kept.lines))
        end = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else _APART
        self.sections.append(Section(path, Tier.GLOBAL, (PromptLine(f"## {path}\n\n"), *kept.lines, PromptLine(end))))
        if kept.why:
            self.leave_out(path, kept.why)

    def leave(self, places: dict[str, Place]) -> None:
        """Say what is not loaded: of the notes the newest first."""
        rest = [(path, place) for path, place in places.items() if path not in self.met and place.holds_facts]
        for path, place in sorted(rest, key=_newest_first):
            self.left_out.append(LeftOut(path, self.why(place), age_of_day(place.day, self.now) if place.day else ""))

    def why(self, place: Place) -> str:
        flavour = self.settings.flavour
        if place.kind is Kind.DAILY:
            days = self.settings.memory_days
            plain = (
                say_number(
                    "The bot reads the logs of %(count)s day.",
                    "The bot reads the logs of %(count)s days.",
                    count=days,
                )
                if days
                else say("No logs are read.")
            )
            return _WHY_OLD.get(flavour, plain)
        if place.kind is Kind.IDENTITY:
            return say("The bot doesn’t load files with this name.")
        return ON_DEMAND

    def leave_out(self, path: str, why: str) -> None:
        self.met.add(path)
        self.left_out.append(LeftOut(path, why))

    def bytes_of(self, path: str) -> bytes | None:
        self.met.add(path)
        try:
            return self.memory.read(path)
        except Unreadable as trouble:
            self.leave_out(path, str(trouble))
            return None


def _is_blank(data: bytes) -> bool:
    return not decode(data).strip()


def _read(path: str, data: bytes) -> list[PromptLine]:
    place = layout.describe(path)
    return lines_of(path, decode(data), facts_of(path, place, data) if place else [])


def _is_log_of(place: Place, day: str) -> bool:
    return place.kind is Kind.DAILY and place.day == day


def _newest_first(one: tuple[str, Place]) -> tuple[bool, Sequence[int], str]:
    path, place = one
    return not place.day, [-ord(sign) for sign in place.day], path
