"""What a GolemCore reads of its memory before it answers: the items that fit, then MEMORY.md and the notes of the last days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.dialects.golemcore import entries, java, layout, notes, pack, scores
from memory.dialects.golemcore.pack import Pack
from memory.dialects.golemcore.scores import Out, Ranked, ScoredItem
from memory.dialects.golemcore.settings import Settings
from memory.domain.memory import Memory
from memory.domain.places import Kind, Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.domain.prompt_lines import lines_of, part_of, text_of
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.sentences import say

LEGACY = "Legacy Memory"
OFF = say("Memory is turned off in the bot’s settings.")
NO_ROOM = say("No room left within the budgets.")
TOO_OLD = say("It is from before the days that the bot looks back.")
NOTES_OFF = say("Notes by day are turned off, so the bot loads MEMORY.md only when no item fits.")

Runs = list[PromptLine]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a prompt comes about: what was selected, and what of that fits."""

    ranked: Ranked
    pack: Pack


def read(memory: Memory, directory: str, query: str, now: datetime, settings: Settings) -> Reading:
    """What is selected for a message. Raises Unreadable."""
    found = scores.ranked(memory, directory, query, now, settings)
    return Reading(found, pack.pack(found, settings))


def prompt(memory: Memory, directory: str, query: str, now: datetime, settings: Settings) -> Prompt:
    """The memory part of the prompt, byte for byte, and what is left out of it."""
    if not settings.enabled:
        path = layout.path_of(Kind.LONG_TERM, "", "", directory) or ""
        return Prompt((), (LeftOut(path, OFF),) if memory.read(path) else ())
    found = read(memory, directory, query, now, settings)
    structured = _structured(memory, found, now)
    wants_legacy = settings.legacyDailyNotesEnabled or not structured
    legacy = list(context(memory, directory, now, settings)) if wants_legacy else []
    sections = tuple(_framed(structured, _trimmed(legacy)))
    left_out = tuple(_left_out(memory, directory, found, now, settings, has_legacy=wants_legacy))
    return Prompt(sections, left_out, found.pack.counted)


def _structured(memory: Memory, found: Reading, now: datetime) -> list[tuple[str, Runs]]:
    known = {
        (path, fact.line): fact
        for path in dict.fromkeys(one.path for one in found.pack.taken)
        for fact in _taken(memory, path, found, now)
    }
    return [
        (
            heading,
            [
                PromptLine(text, one.path, one.line.number, known.get((one.path, one.line.number)))
                for one, text in lines
            ],
        )
        for heading, lines in pack.headed(found.pack.taken)
    ]


def _taken(memory: Memory, path: str, found: Reading, now: datetime) -> Iterator[FactAt]:
    """The facts of a file that go into the prompt."""
    places: list[ScoredItem | Out] = [*found.ranked.chosen, *found.ranked.out]
    lines = sorted((one.line for one in places if one.path == path), key=lambda line: line.number)
    only = {one.line.number for one in found.pack.taken if one.path == path}
    layer = layout.layer_of(path) or layout.SEMANTIC
    return entries.facts_in(layer, memory.read(path) or b"", lines, now.tzinfo, only)


def _framed(structured: list[tuple[str, Runs]], legacy: Runs) -> Iterator[Section]:
    """The sections with all that the bot puts around them."""
    parts = [(heading, _listed(lines), f"## {heading}\n") for heading, lines in structured]
    if legacy:
        parts.append((LEGACY, legacy, f"## {LEGACY}\n" if structured else ""))
    for number, (heading, runs, head) in enumerate(parts):
        begin = f"# Memory\n{head}" if number == 0 else head
        ends = "\n\n"
        yield Section(
            heading, Tier.GLOBAL, tuple(run for run in (PromptLine(begin), *runs, PromptLine(ends)) if run.text)
        )


def _listed(lines: Runs) -> Runs:
    """Lines with a line feed between any two."""
    return [
        PromptLine(one.text + "\n" * (number < len(lines)), one.path, one.line, one.fact)
        for number, one in enumerate(lines, 1)
    ]


def context(memory: Memory, directory: str, now: datetime, settings: Settings) -> Iterator[PromptLine]:
    """MEMORY.md and the notes of the last days, before what the bot trims from their ends."""
    long_term = layout.path_of(Kind.LONG_TERM, "", "", directory) or ""
    yield from _document(memory, long_term, "## Long-term Memory\n")
    if not settings.legacyDailyNotesEnabled:
        return
    days = [(now - timedelta(days=ago)).date().isoformat() for ago in range(settings.recentDays + 1)]
    yield from _document(memory, layout.notes_path(days[0], directory), "## Today's Notes\n")
    head = "## Recent Context\n"
    for day in days[1:]:
        runs = list(_document(memory, layout.notes_path(day, directory), f"{head}### {day}\n"))
        head = "" if runs else head
        yield from runs


def _document(memory: Memory, path: str, head: str) -> Iterator[PromptLine]:
    data = memory.read(path)
    text = decode(data or b"")
    if java.is_blank(text):
        return
    is_notes = path.rpartition("/")[2] != "MEMORY.md"
    facts = notes.facts(data or b"") if is_notes else memory_facts(text)
    yield PromptLine(head)
    yield from lines_of(path, text, facts)
    yield PromptLine("\n\n")


def _trimmed(runs: Runs) -> Runs:
    text = text_of(runs)
    start = len(text) - len(text.lstrip(java.TRIMMED))
    return part_of(runs, start, len(text.rstrip(java.TRIMMED)))


def _left_out(
    memory: Memory, directory: str, found: Reading, now: datetime, settings: Settings, *, has_legacy: bool
) -> Iterator[LeftOut]:
    yield from _counted([(one.path, one.why) for one in found.ranked.out])
    yield from _counted([(one.path, NO_ROOM) for one in found.pack.dropped])
    first = (now - timedelta(days=settings.recentDays)).date().isoformat()
    for path in memory.paths():
        place = layout.describe(path, directory)
        if place is None or place.kind not in (Kind.DAILY, Kind.LONG_TERM):
            continue
        if place.kind is Kind.DAILY and place.day < first:
            yield LeftOut(path, TOO_OLD)
        elif not place.has_attributes and not has_legacy:
            yield LeftOut(path, NOTES_OFF)


def _counted(found: Iterable[tuple[str, str]]) -> Iterator[LeftOut]:
    for (path, why), count in Counter(found).items():
        yield LeftOut(path, why, count=count)


def instructions(memory: Memory, prompt: Prompt) -> str:
    """The system message where Kenoweb answers: the texts of the bot's prompts, then its memory. Raises Unreadable."""
    texts: Sequence[str] = [
        decode(memory.read(path) or b"").strip()
        for path in memory.paths()
        if path.startswith(f"{layout.PROMPTS}/") and layout.describe(path)
    ]
    return "\n\n".join(text for text in (*texts, prompt.text.strip()) if text)
