"""The facts of a text: timed entries of a log, bullets and paragraphs of a long-term memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from memory.text.attributes import Attributes
from memory.text.byte_cache import ByteCache, byte_cached
from memory.text.markdown import normal, titles
from memory.text.markdown.blocks import BOM, HEADING, ITEM, TIMED_LINE, Block, BlockKind, parse, parse_body


@dataclass(frozen=True, slots=True)
class FactAt:
    """One fact and where it stands: lines from 1, both ends included; [start, end) in the decoded text, with the line end
    behind it: what is left without it has no empty line there."""

    line: int
    end_line: int
    start: int
    end: int
    time: str  # "HH:MM" or ""
    text: str  # without markup: heading marks, bullet, time and separator gone; the rest of the lines as they are
    key: str  # hash of the normalised text
    nth: int = 0  # which occurrence of this key in the document, from 0
    # what it stands under, where the document says so of each fact; else it is told from the text around it
    heading: str = ""
    attributes: Attributes | None = None  # where its document has them


@dataclass(frozen=True, slots=True)
class Stray:
    """Lines of a log that are no fact and more than blank or the title with the date."""

    line: int
    end_line: int
    text: str


@dataclass(slots=True)
class _Section:
    """A heading and what stands below it, up to the next heading of any level."""

    level: int
    start: int
    below: int  # where its own line ends
    title: str
    time: str
    words: str
    own: bool  # the bot's own form, to be read to the letter
    timed_below: bool = False


ROOM, TIMES = 8 << 20, 4  # bytes of texts whose facts are kept, and how much they are of one
BEGINNING = 256  # characters by which a log is known again that has grown since

# Where a fact stands, its time and its text: what `_numbered` makes FactAt of.
Found = tuple[int, int, str, str]

_OWN = re.compile(r"## (?:[01][0-9]|2[0-3]):[0-5][0-9] — ")
_OWN_LENGTH = len("## 10:17 — ")
_HEADING_LINE = re.compile(rf"{HEADING.pattern}([^\n]*)")
_HEADING_LINES = re.compile(rf"^{_HEADING_LINE.pattern}", re.MULTILINE)
_RULES = re.compile(r"(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z")
_RETURNS = re.compile(r"(?<!\r)\r+(?=\n)")
_SESSION = re.compile(r"Session:\s*[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ESCAPABLE = re.compile(r"\\*#{1,2}(?![^ \t\r\n])")
_GAP = re.compile(r"\n(\r?\n)\Z")
_SHIELDS = (BlockKind.FENCE, BlockKind.COMMENT)
_LIST_ITEMS = (BlockKind.BULLET, BlockKind.NUMBERED)


def log_facts(text: str) -> list[FactAt]:
    """The entries of a daily log in file order: headed sections whole, and list items and paragraphs that stand in none."""
    return list(_log_facts(text))


def memory_facts(text: str) -> list[FactAt]:
    """The facts of a long-term memory: each top-level list item with what is nested in it, each paragraph."""
    return list(_memory_facts(text))


# Who plans, who verifies the plan and who writes down what became of each fact read the same texts.
@byte_cached(ROOM, TIMES)
def _log_facts(text: str) -> list[FactAt]:
    if _has_shields(text):
        return _log_facts_from(text, [], parse(text))
    facts = _log_facts_from(text, _unchanged(text))
    _last_read.put(text[:BEGINNING], (text, facts), TIMES * len(text))
    return facts


# A bot's log grows by an entry with each turn, before which it is read: what stands above its last entry is as it was.
_last_read: ByteCache[str, tuple[str, list[FactAt]]] = ByteCache(ROOM)


def _unchanged(text: str) -> list[FactAt]:
    """The facts of a log as it was read last, if it only grew since; all but the last, which may have grown too. That one is an
    entry in the bot's own form, which no title above holds anything of and no transcript goes beyond."""
    before, facts = _last_read.get(text[:BEGINNING]) or ("", [])
    whole = bool(facts) and text.startswith(before) and _OWN.match(before, facts[-1].start) is not None
    return facts[:-1] if whole else []


def _log_facts_from(text: str, known: list[FactAt], blocks: list[Block] | None = None) -> list[FactAt]:
    """The facts of a log of which the first are known."""
    start = known[-1].end if known else 0
    sections = _sections(text, blocks, start)
    entries, outside = _judge(text, sections, start)
    if outside:
        loose = list(_loose(text, blocks or parse(text), outside))
        entries = sorted(entries + loose) if loose else entries
    return _numbered(text, entries, known)


@byte_cached(ROOM, TIMES)
def _memory_facts(text: str) -> list[FactAt]:
    found = []
    for block, end in _with_blanks(parse(text)):
        if block.kind in _LIST_ITEMS:
            found.append((block.start, end, "", _item_text(text, block)))
        elif block.kind is BlockKind.PARAGRAPH:
            found.append((block.start, end, "", _tidy(text[block.start : block.end])))
    return _numbered(text, found)


def bullet(text: str) -> str:
    """A fact as a list item of a long-term memory; `memory_facts` reads it back as the same text."""
    first, *rest = text.split("\n")
    return "\n".join(["- " + first, *("  " + line if line else "" for line in rest)]) + "\n"


def escape(text: str) -> str:
    """A remembered text as it may stand behind `## HH:MM — `: no line of it reads as a heading that ends the entry."""
    return _with_headings(text, lambda line: "\\" + line)


def unescape(text: str) -> str:
    """The text that `escape` was given."""
    return _with_headings(text, lambda line: line.removeprefix("\\"))


def remainder(text: str, moved: Iterable[FactAt]) -> str:
    """A log without these of its facts. What stood above and below one of them stays apart."""
    kept, at = [], 0
    for fact in sorted(moved, key=lambda fact: fact.start):
        above = text[at : fact.start]
        gap = _GAP.search(text, fact.start, fact.end) if above.strip() and not above.endswith("\n\n") else None
        kept += [above, gap[1] if gap else ""]
        at = max(at, fact.end)
    return "".join(kept) + text[at:]


def line_counts(text: str) -> Counter[str]:
    """How often each line stands in a text, blank ones and white space at line ends aside."""
    return Counter(line for line in (raw.rstrip() for raw in text.removeprefix(BOM).split("\n")) if line)


def strays(text: str) -> list[Stray]:
    """What would be left of a log without its facts, blank lines and the title with its date."""
    covered = [(fact.start, fact.end) for fact in log_facts(text)]
    found, at = [], 0
    for block in parse(text):
        while at < len(covered) and covered[at][1] <= block.start:
            at += 1
        inside = at < len(covered) and covered[at][0] <= block.start
        if inside or block.kind in (BlockKind.BLANK, BlockKind.BOM) or _date_title(text, block):
            continue
        found.append(Stray(block.line, block.end_line, text[block.start : block.end].rstrip("\r\n")))
    return found


def is_spent(text: str, day: str) -> bool:
    """Whether nothing is left in the log of `day` (YYYY-MM-DD) but blank lines and the title that names this day."""
    for block in parse(text):
        if block.kind in (BlockKind.BLANK, BlockKind.BOM):
            continue
        named = _date_title(text, block)
        if not (day in named or day[5:] in named):
            return False
    return True


def _has_shields(text: str) -> bool:
    """Whether a line that looks like a heading may be none, so that the text must be read block by block."""
    return "```" in text or "~~~" in text or "<!--" in text or text.startswith((BOM, "---"))


def _sections(text: str, blocks: list[Block] | None, start: int) -> list[_Section]:
    if blocks is None:
        lines = _HEADING_LINES.finditer(text, start)
    else:
        starts = (block.start for block in blocks if block.kind is BlockKind.HEADING)
        lines = (found for start in starts if (found := _HEADING_LINE.match(text, start)))
    sections: list[_Section] = []
    above: list[_Section] = []
    for line in lines:
        title = line[2].strip(" \t\r")
        time, words = titles.time_and_words(title)
        own = _OWN.match(text, line.start()) is not None
        section = _Section(len(line[1]), line.start(), line.end(), title, time, words, own)
        while above and above[-1].level >= section.level:
            above.pop()
        if time:
            for outer in above:
                outer.timed_below = True
        above.append(section)
        sections.append(section)
    return sections


def _judge(text: str, sections: list[_Section], start: int) -> tuple[list[Found], list[tuple[int, int]]]:
    """The headed entries, and the ranges that stand in none of them but may hold facts of their own."""
    starts = [section.start for section in sections] + [len(text)]
    entries: list[Found] = []
    outside = [(start, starts[0])] if text[start : starts[0]].strip(BOM).strip() else []
    at, count = 0, len(sections)
    while at < count:
        section, after = sections[at], at + 1
        if _is_dump(text, section, starts[after]):
            while after < count and not sections[after].own:
                after += 1
            at = after
            continue
        has_subs = after < count and sections[after].level > section.level
        if section.level == 1 and (has_subs or not section.time):
            if text[section.below : starts[after]].strip():
                outside.append((section.below, starts[after]))
        elif section.time or not section.timed_below:
            while after < count and sections[after].level > section.level:
                after += 1
            _add_entry(entries, text, section, starts[after])
        elif text[section.below : starts[after]].strip():
            _add_entry(entries, text, section, starts[after])
        at = after
    return entries, outside


def _add_entry(entries: list[Found], text: str, section: _Section, end: int) -> None:
    if section.own:
        words = _tidy(unescape(text[section.start + _OWN_LENGTH : end]))
    else:
        words = _without_closing_rule(_tidy(unescape(section.words + text[section.below : end])))
        if titles.days_named(words) or _is_bare(section, text[section.below : end]):
            words = ""
    if words:
        entries.append((section.start, end, section.time, words))


def _is_bare(section: _Section, below: str) -> bool:
    """Whether a heading has no clock and nothing but headings and rules below it: `## Decisions` only names what is not there."""
    return not section.time and all(_is_empty(line.strip()) for line in below.split("\n"))


def _is_empty(line: str) -> bool:
    return not line.strip("-*_") or HEADING.match(line) is not None


def _is_dump(text: str, section: _Section, end: int) -> bool:
    """Whether a title starts a transcript of a session that a bot put among its logs."""
    if section.level != 1:
        return False
    return (
        bool(_SESSION.match(section.title)) or "**Session Key**" in text[section.below : min(end, section.below + 400)]
    )


def _loose(text: str, blocks: list[Block], outside: list[tuple[int, int]]) -> Iterator[Found]:
    """The facts that stand in no entry: list items, timed lines, and what somebody wrote between them."""
    inside, at = [], 0
    for block, end in _with_blanks(blocks):
        while at < len(outside) and outside[at][1] <= block.start:
            at += 1
        if at < len(outside) and block.start >= outside[at][0]:
            inside.append((block, end))
    for block, end in inside:
        if block.kind in _LIST_ITEMS:
            yield _timed_found(block.start, end, _item_text(text, block))
        elif block.kind is BlockKind.PARAGRAPH:
            for start, stop in pairwise([*_starts(text, block), end]):
                yield _timed_found(start, stop, _tidy(text[start:stop]))


def _starts(text: str, block: Block) -> list[int]:
    """Where a paragraph starts, and lines such as "[10:17] …" in it."""
    starts, at = [block.start], text.find("\n", block.start, block.end) + 1 or block.end
    while at < block.end:
        if TIMED_LINE.match(text, at):
            starts.append(at)
        at = text.find("\n", at, block.end) + 1 or block.end
    return starts


def _timed_found(start: int, end: int, words: str) -> Found:
    first, newline, rest = words.partition("\n")
    time, first = titles.time_and_words(first, leading_only=True)
    return start, end, time, (first + newline + rest).strip()


def _with_blanks(blocks: list[Block]) -> Iterator[tuple[Block, int]]:
    """Each block but the blank ones, with the end of the blank lines below it."""
    for at, block in enumerate(blocks):
        if block.kind is not BlockKind.BLANK:
            below = blocks[at + 1] if at + 1 < len(blocks) else block
            yield block, below.end if below.kind is BlockKind.BLANK else block.end


def _item_text(text: str, block: Block) -> str:
    """The text of a list item: its mark gone, and from the lines below as much space as it stood in."""
    first, *rest = text[block.start : block.end].split("\n")
    mark = ITEM.match(first)
    if mark is None:
        return _tidy(text[block.start : block.end])
    offset = mark.end() if len(mark[3]) <= 4 else mark.end(2) + 1
    return _tidy("\n".join([first[mark.end() :], *(_dedent(line, offset) for line in rest)]))


def _dedent(line: str, offset: int) -> str:
    if line.startswith("\t"):
        return line[1:]
    spaces = len(line) - len(line.lstrip(" "))
    return line[min(spaces, offset) :]


def _tidy(text: str) -> str:
    if "\r" in text:
        text = _RETURNS.sub("", text)
    return text.strip()


def _without_closing_rule(text: str) -> str:
    """A rule drawn below an entry, to part it from the next, is not what was remembered."""
    while True:
        rest, _, last = text.rpartition("\n")
        if not _RULES.match(last) or (rest and rest.rpartition("\n")[2].strip()):
            return text
        text = rest.rstrip()


def _with_headings(text: str, change: Callable[[str], str]) -> str:
    """The text with this done to every line below its first that is, or is kept from being, a heading that ends an entry."""
    if "\n#" not in text and "\n\\" not in text:
        return text
    first, _, body = text.partition("\n")
    lines = body.split("\n")
    code = _shielded(body, len(lines))
    return "\n".join(
        [first, *(change(line) if not code[at] and _ESCAPABLE.match(line) else line for at, line in enumerate(lines))]
    )


def _shielded(body: str, count: int) -> bytearray:
    """Which lines of a text stand in a closed fence or comment; behind a fence that is never closed none does."""
    code = bytearray(count)
    for block in parse_body(body):
        if block.kind is BlockKind.FENCE and not block.closed and not block.level:
            break
        if block.kind in _SHIELDS and block.closed:
            code[block.line - 1 : block.end_line] = b"\1" * (block.end_line - block.line + 1)
    return code


def _date_title(text: str, block: Block) -> frozenset[str]:
    if block.kind is not BlockKind.HEADING:
        return frozenset()
    return titles.days_named(text[block.start : block.end].strip().lstrip("#"))


def _numbered(text: str, found: Iterable[Found], known: Iterable[FactAt] = ()) -> list[FactAt]:
    """Facts with their lines and keys, of what was found in file order below those that are known; what has no text is none."""
    facts = list(known)
    seen = {fact.key: fact.nth + 1 for fact in facts}
    line, at = 1, 0
    for start, end, time, words in found:
        if not words:
            continue
        line += text.count("\n", at, start)
        at = start
        key = normal.key(words)
        nth = seen.get(key, 0)
        seen[key] = nth + 1
        end_line = line + text[start:end].rstrip().count("\n")
        facts.append(FactAt(line, end_line, start, end, time, words, key, nth))
    return facts
