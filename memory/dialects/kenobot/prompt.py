"""The memory section of a KenoBot's system prompt, word for word, with every run tied to where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memory.dialects.kenobot import layout, retrieval
from memory.dialects.kenobot.facts import facts_of
from memory.dialects.kenobot.settings import V07, Settings
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.domain.prompt_lines import lines_of, part_of, text_of
from memory.text import sentences
from memory.text.ages import age, age_of_day
from memory.text.markdown.blocks import decode
from memory.text.markdown.tags import js_trim
from memory.text.sentences import say, say_number

_SEED_WORDS = (
    ("Memory", ("## Memory", "You have persistent memory across conversations. Use it wisely.\n")),
    (
        "How to remember things",
        (
            "### How to remember things",
            "When you learn something worth remembering (important facts, project context, decisions made), "
            "include it in your response:\n",
            "<memory>Short title: fact to remember</memory>\n",
            "For facts specific to THIS conversation or chat context, use:\n",
            "<chat-memory>Short title: chat-specific fact</chat-memory>\n",
            "Rules:",
            "- Only save things that matter across conversations",
            "- Be concise: one line per memory",
            "- Don't save things already in your long-term memory",
            "- You can include multiple <memory> and <chat-memory> tags in one response",
            "- Use <memory> for global facts, <chat-memory> for chat-specific context\n",
        ),
    ),
    (
        "How to maintain working memory",
        (
            "### How to maintain working memory",
            "For maintaining context across long conversations, use:\n",
            "<working-memory>",
            "- Current topic/task being discussed",
            "- Key decisions or facts from this conversation",
            "- What's pending or next",
            "</working-memory>\n",
            "Rules:",
            "- Each update replaces the previous one entirely — include everything relevant",
            "- Keep it concise: bullet points, not paragraphs",
            "- Update when the topic shifts or significant progress is made",
            "- This is your scratchpad for the current conversation, not for long-term facts\n",
        ),
    ),
)

_V07_WORDS = (
    ("Memory", ("## Memory",)),
    (
        "Memory tags",
        (
            "### Memory tags",
            "Include these in your response when something is worth remembering:\n",
            "| Tag | Use for | Scope |",
            "|-----|---------|-------|",
            "| `<memory>fact</memory>` | Important facts, decisions, context | Global, forever |",
            "| `<chat-memory>fact</chat-memory>` | Chat-specific context | This conversation only |",
            "| `<working-memory>bullets</working-memory>` | Current task, pending items | Scratchpad (replaces previous) |",
            "| `<chat-context>description</chat-context>` | Chat type, tone, participants | Per-chat (replaces previous) |\n",
            "_Use sparingly. One line per fact. Don't duplicate what's already saved._\n",
        ),
    ),
)

_DAY = 86400  # seconds
_RULE = "\n\n---\n\n"


FIRST = ("identity/BOOTSTRAP.md", "@identity/BOOTSTRAP.md")
GETS_TO_KNOW = say("In its first conversation, this version doesn’t read memory until this file is gone.")
OTHER_WORDS = say(
    "This version may also search for words from a language model (CONSCIOUSNESS_ENABLED) and find sections by "
    "meaning (EMBEDDING_ENABLED). Kenoweb can’t know either: it shows the sections that the message’s own words find."
)


def prompt(
    memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, *, teaches: bool = False
) -> Prompt:
    """What the bot reads before it answers `query` in `chat` (None: no chat). `now` is aware. `teaches`: how to remember is said
    also where there is nothing to read, as only 0.7 does. Never raises for one bad file: the bot would read it as empty, so it is
    left out and said so."""
    return _Reading(memory, chat or None, query, now, settings, teaches).prompt()


@dataclass
class _Reading:
    """One prompt in the making: what was read, and what was left out on the way."""

    memory: Memory
    chat: str | None
    query: str
    now: datetime
    settings: Settings
    teaches: bool
    left_out: list[LeftOut] = field(default_factory=list)
    by_keyword: bool = False

    def prompt(self) -> Prompt:
        later = self.settings.version == V07
        if later and (first := next((path for path in FIRST if self.is_there(path)), "")):
            return Prompt((), (LeftOut(first, GETS_TO_KNOW),))
        self.by_keyword = later and bool(self.query)
        paths = list(self.memory.paths())
        words = [Section(heading, None, _fixed(lines)) for heading, lines in (_V07_WORDS if later else _SEED_WORDS)]
        read = (self.retrieved(paths) if self.by_keyword else self.loaded(paths, later)) + self.working()
        sections = words + read if read or later or self.teaches else []
        unsure = (OTHER_WORDS,) if self.by_keyword and retrieval.keywords(self.query) else ()
        return Prompt(tuple(_joined(sections)), tuple(self.left_out), unsure=unsure)

    def is_there(self, path: str) -> bool:
        """Whether a document of the identity is there, readable or not."""
        try:
            return self.memory.tail(path, 1) is not None
        except Unreadable:
            return True

    def loaded(self, paths: list[str], later: bool) -> list[Section]:
        """Everything the bot has, as the versions before 0.7 read it, and 0.7 when there is no message."""
        days = self.settings.memory_days
        sections = _headed("Long-term memory", Tier.GLOBAL, self.document(layout.LONG_TERM))
        sections += _headed("Recent notes", Tier.GLOBAL, self.notes(paths, "", days))
        if self.chat is None:
            return sections
        if later:
            sections += _headed("Chat context", Tier.CHAT, self.document(layout.context_path(self.chat)))
        sections += _headed("Chat-specific memory", Tier.CHAT, self.document(layout.long_term_path(self.chat)))
        return sections + _headed("Chat-specific notes", Tier.CHAT, self.notes(paths, self.chat, days))

    def retrieved(self, paths: list[str]) -> list[Section]:
        """What 0.7 finds by the message's words: sections of MEMORY.md and of the chat's newest notes."""
        words = retrieval.keywords(self.query)
        facts = self.matching(self.document(layout.LONG_TERM), words, retrieval.FACTS)
        lines = [PromptLine("# Retrieved Facts\n")] if facts else []
        for runs, part in facts:
            lines += [PromptLine("\n- "), *runs, PromptLine(f" (relevance: {part.score})")]
        sections = _headed("Long-term memory", Tier.GLOBAL, lines)
        self.skip(layout.daily_logs(paths, ""), say("This version doesn’t search shared logs."))
        if self.chat is None:
            return sections
        episodes = self.matching(self.notes(paths, self.chat, retrieval.EPISODE_DAYS), words, retrieval.EPISODES)
        lines = [run for at, (runs, _) in enumerate(episodes) for run in (([PromptLine(_RULE)] if at else []) + runs)]
        sections += _headed("Recent notes", Tier.CHAT, lines)
        sections += _headed("Chat context", Tier.CHAT, self.document(layout.context_path(self.chat)))
        own = layout.long_term_path(self.chat)
        if self.document(own):
            self.left_out.append(LeftOut(own, say("This version doesn’t search a chat’s MEMORY.md.")))
        return sections

    def matching(
        self, runs: list[PromptLine], words: tuple[str, ...], limit: int
    ) -> list[tuple[list[PromptLine], retrieval.ScoredSection]]:
        found = retrieval.retrieve(text_of(runs), words, limit)
        for part in found.left_out:
            lines = [run for run in part_of(runs, part.start, part.end) if run.path]
            label = f"“{part.heading}”" if part.heading else say("Before the first heading")
            why = (
                say("%(limit)s other sections match more words.", limit=limit)
                if part.score
                else say("no word in common")
            )
            self.left_out.append(
                LeftOut(lines[0].path if lines else layout.LONG_TERM, sentences.join_sentences(label, why, by=": "))
            )
        return [(part_of(runs, part.start, part.end), part) for part in found.chosen]

    def working(self) -> list[Section]:
        if self.chat is None:
            return []
        path = layout.working_path(self.chat)
        data, written = self.read(path), self.modified(path)
        if data is None or written is None:
            return []
        limit = self.settings.working_memory_days
        label = age(self.now, written)
        if (self.now - written).total_seconds() / _DAY > limit:
            why = say_number(
                "Working memory is read for %(count)s day after the last change.",
                "Working memory is read for %(count)s days after the last change.",
                count=limit,
            )
            self.left_out.append(LeftOut(path, why, label))
            return []
        heading = f"Working memory (updated {label})"
        return [Section(heading, Tier.WORKING, (PromptLine(f"### {heading}\n"), *self.runs(path, data)))]

    def notes(self, paths: Iterable[str], scope: str, count: int) -> list[PromptLine]:
        """The newest `count` daily logs of a scope by name, newest first, each under its day."""
        logs = layout.daily_logs(paths, scope)
        newest = logs[::-1][:count]
        why = (
            say("Only the newest %(count)s logs are read.", count=count)
            if count > 1
            else say("Only the newest log is read.")
        )
        self.skip(logs[: len(logs) - len(newest)], why if count else say("No daily logs are read."))
        lines: list[PromptLine] = []
        for day, path in newest:
            data = self.read(path)
            if data is None:
                continue
            runs = self.runs(path, data)
            text = text_of(runs)
            start, end = retrieval.trimmed(text, 0, len(text))
            lines += [PromptLine(f"\n\n### {day}\n" if lines else f"### {day}\n", path), *part_of(runs, start, end)]
        return lines

    def skip(self, logs: list[tuple[str, str]], why: str) -> None:
        """Say that these logs are not read, newest first; a blank one has nothing to miss."""
        for day, path in reversed(logs):
            try:
                end = self.memory.tail(path, _ENOUGH)
            except Unreadable as trouble:
                self.left_out.append(LeftOut(path, str(trouble), age_of_day(day, self.now)))
                continue
            if end and (len(end) == _ENOUGH or js_trim(decode(end))):
                self.left_out.append(LeftOut(path, why, age_of_day(day, self.now)))

    def document(self, path: str) -> list[PromptLine]:
        data = self.read(path)
        return self.runs(path, data) if data else []

    def read(self, path: str) -> bytes | None:
        try:
            return self.memory.read(path)
        except Unreadable as trouble:
            self.left_out.append(LeftOut(path, say("%(trouble)s The bot treats it as empty.", trouble=str(trouble))))
            return None

    def modified(self, path: str) -> datetime | None:
        try:
            return self.memory.modified(path)
        except Unreadable:
            return None

    def runs(self, path: str, data: bytes) -> list[PromptLine]:
        place = layout.describe(path)
        return lines_of(path, decode(data), facts_of(place, data) if place else [])


_ENOUGH = 4096  # bytes of a log's end that show whether it says anything


def _fixed(lines: tuple[str, ...]) -> tuple[PromptLine, ...]:
    return (PromptLine("\n".join(lines)),)


def _headed(heading: str, tier: Tier, lines: list[PromptLine]) -> list[Section]:
    """A section of the bot's own text under its heading, or none if there is no text."""
    if not text_of(lines):
        return []
    return [Section(heading, tier, (PromptLine(f"### {heading}\n"), *lines, PromptLine("\n")))]


def _joined(sections: list[Section]) -> list[Section]:
    """The sections with the line end between each two added to the first, so that their texts joined are the prompt."""
    apart = PromptLine("\n")
    return [Section(each.heading, each.tier, (*each.lines, apart)) for each in sections[:-1]] + sections[-1:]
