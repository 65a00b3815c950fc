"""One fact added, reworded or cut out, byte for byte: what is not that fact stays as it is.

Each function is told how the document is read (`read`: its facts, as `entries.log_facts` gives them), makes the new text and
reads it back. What would not read back as it was meant is refused, so no edit can swallow or split a neighbour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.text.markdown.blocks import BOM, HEADING, ITEM, BlockKind, parse
from memory.text.markdown.entries import FactAt, bullet, escape
from memory.text.merge.lines import match
from memory.text.sentences import say
from memory.text.storable import is_keepable

Read = Callable[[str], Sequence[FactAt]]

EMPTY = say("A fact can’t be empty. Forget it instead.")
NO_TEXT = say("The text contains a NUL or an incomplete character and can’t be saved.")
ELSE = say(
    "The text wouldn’t stay one fact here: it contains a heading, list mark, blank line or time. Change the text or "
    "edit the whole file."
)
SWALLOWED = say(
    "Text added at the end of this file wouldn’t be read as a fact; a code fence or comment may be left open. Edit the whole file."
)
ENTANGLED = say("Removing this would change the text next to it. Edit the whole file.")

_LIST_GOES_ON = (BlockKind.BULLET, BlockKind.NUMBERED, BlockKind.HEADING)
_LONGEST_LEAD = 60  # characters: an emoji or a date before the time


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands around a fact's text and stays: before it (whole lines too, if it begins below its heading), behind it in
    its first line, and before each further line."""

    head: str
    tail: str = ""
    first: int = 0  # in which line of the fact its text begins
    lead: str = ""  # a beginning of the text that stands in the head already: what was before the time


def tidy(text: str) -> str:
    """A text that somebody typed, as a fact holds it. Raises ValueError if nothing is left or it cannot be kept."""
    text = _plain(text).strip()
    if not text:
        raise ValueError(EMPTY)
    if not is_keepable(text):
        raise ValueError(NO_TEXT)
    return text


def replace_fact(text: str, fact: FactAt, new: str, read: Read) -> str:
    """The document in which this fact says `new`: its mark, time, separator and line ends stay. Raises ValueError, with a
    sentence, where such a text cannot stand."""
    new = tidy(new)
    if new == _plain(fact.text):
        return text
    before = read(text)
    for end, words in dict.fromkeys(_candidates(text, fact, new)):  # most of them are the same
        after = text[: fact.start] + words + text[end:]
        if _says(read(after), before, fact, new):
            return after
    raise ValueError(ELSE)


def remove_facts(text: str, facts: Iterable[FactAt], read: Read, *, may_surface: bool = False) -> str:
    """The document without these of its facts. `may_surface`: text that was no fact may become one, as a title with a clock
    does in a log that loses the last entry below it. Raises ValueError if what stands beside them would change."""
    going = sorted(facts, key=lambda fact: fact.start)
    places = {fact.start for fact in going}
    staying = [(fact.time, fact.text) for fact in read(text) if fact.start not in places]
    for gap in ("", "blanks", "line"):
        after = _cut(text, going, gap)
        there = [(fact.time, fact.text) for fact in read(after)]
        if there == staying or (may_surface and not Counter(staying) - Counter(there)):
            return after
    raise ValueError(ENTANGLED)


def append_bullets(text: str, facts: Sequence[str], read: Read) -> str:
    """The document with these facts as list items behind its last line, in the line ends it has. Raises ValueError."""
    facts = [tidy(fact) for fact in facts]
    text += "\n" if text.endswith("\r") else ""  # half a line end would become a whole one
    end = usual_end(text)
    item = "".join(map(bullet, facts)).replace("\n", end)
    last = next((block for block in reversed(parse(text)) if block.kind not in (BlockKind.BLANK, BlockKind.BOM)), None)
    if last is None:
        after = (BOM if text.startswith(BOM) else "") + item
    else:
        gap = "" if last.kind in _LIST_GOES_ON else end
        above, below = text[: last.end], text[last.end :]
        closed = above.endswith("\n")
        after = above + ("" if closed else end) + gap + (item if closed else item.removesuffix(end)) + below
    if [fact.text for fact in read(after)] != [*(fact.text for fact in read(text)), *facts]:
        raise ValueError(SWALLOWED)
    return after


def usual_end(text: str) -> str:
    """The line end that most lines of a text have."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _candidates(text: str, fact: FactAt, new: str) -> Iterator[tuple[int, str]]:
    """(end, words): what may stand from the fact's start to `end` instead, the likeliest first."""
    raw, shown = text[fact.start : fact.end].split("\n"), fact.text.split("\n")
    mark, indent, escapes = _mark(raw[0])
    for frame in (*_frames(raw, shown[0], mark), *(_others(mark, fact.time) if escapes else ())):
        lines = raw[: frame.first + len(shown)]
        end = fact.start + len("\n".join(lines).rstrip("\r"))
        words = (escape("\n" + new)[1:] if frame.first else escape(new)) if escapes else new
        lines = lines[frame.first :]
        if words.startswith(frame.lead):
            laid = [frame.head + words[len(frame.lead) :].split("\n")[0] + frame.tail]
            laid += [indent + line if line.strip() else line for line in words.split("\n")[1:]]
            for keeps in (True, False):
                yield end, _laid(lines, shown, new.split("\n"), laid, usual_end(text), keeps=keeps)


def _frames(raw: list[str], words: str, mark: str) -> Iterator[_Frame]:
    """Where in a fact's lines the first line of its text may stand."""
    line = raw[0].rstrip("\r")
    full, bare = line.rstrip(), words.rstrip()
    at = len(full) - len(bare)
    if full.endswith(bare) and at >= len(mark):
        yield _Frame(line[:at], line[at + len(words) :])
    if line.startswith(words, len(mark)):
        yield _Frame(mark, line[len(mark) + len(words) :])
    for space in (at for at, sign in enumerate(words[:_LONGEST_LEAD]) if sign == " "):
        lead, rest = words[:space], words[space + 1 :].rstrip()
        if line.startswith(lead, len(mark)) and full.endswith(rest):
            inner, tail = line[len(mark) + space : len(full) - len(rest)], line[len(full) :]
            yield _Frame(mark + lead + inner, tail, lead=lead + " ")
            yield _Frame(mark + inner.lstrip(), tail)
    below = next((at for at, one in enumerate(raw) if at and one.strip()), 0)
    if below and raw[below].strip().lstrip("\\") == bare.lstrip("\\"):
        yield _Frame("\n".join([*raw[:below], raw[below][: len(raw[below]) - len(raw[below].lstrip())]]), first=below)


def _others(mark: str, time: str) -> Iterator[_Frame]:
    """What else may stand before the text of a title, which is no fact without a clock or lines below it."""
    if time:
        yield _Frame(f"{mark}{time} — ")
    else:
        yield from (_Frame("- "), _Frame(f"{mark.rstrip()}\n"))


def _mark(line: str) -> tuple[str, str, bool]:
    """(how a fact's first line begins, the space before its further lines, whether headings in it are escaped)."""
    if heading := HEADING.match(line):
        return line[: len(line) - len(line[heading.end() :].lstrip())], "", True
    if item := ITEM.match(line):
        return item[0], " " * (item.end() if len(item[3]) <= 4 else item.end(2) + 1), False
    return line[: len(line) - len(line.lstrip())], "", False


def _laid(raw: list[str], shown: list[str], new: list[str], laid: list[str], end: str, *, keeps: bool) -> str:
    """The new lines of a fact. If it `keeps`, those below the first that still say the same keep the bytes they have. A line
    ends as the one whose place it takes, a further one as the file's usually do."""
    ends = ["\r" * (len(line) - len(line.rstrip("\r"))) + "\n" for line in raw[:-1]] + [end]
    closes = ends if len(laid) == len(raw) else [ends[0]] + [end] * (len(laid) - 1)
    lines = list(zip(laid, closes, strict=True))
    for run in match(shown[1:], new[1:]) if keeps else ():
        for step in range(1, run.size + 1):
            lines[run.new + step] = raw[run.old + step].rstrip("\r"), ends[run.old + step]
    return "".join(line + close for line, close in lines[:-1]) + lines[-1][0]


def _says(after: Sequence[FactAt], before: Sequence[FactAt], fact: FactAt, new: str) -> bool:
    """Whether a document reads as it did, but for this fact, which says `new` and keeps a time that stands beside its text."""
    if len(after) != len(before):
        return False
    for was, now in zip(before, after, strict=True):
        if was.start != fact.start:
            if (was.time, was.text) != (now.time, now.text):
                return False
        elif _plain(now.text) != new or (was.time != now.time and not _holds_clock(was, now)):
            return False
    return True


def _holds_clock(was: FactAt, now: FactAt) -> bool:
    """Whether a time comes from the text itself, so that it may change with it."""
    return was.time == "" or any(clock in was.text for clock in (was.time, was.time.lstrip("0")))


def _cut(text: str, going: Sequence[FactAt], gap: str) -> str:
    """The text without these facts, with nothing, their closing blank lines or one empty line in their place."""
    kept, at, end = [], 0, usual_end(text)
    for fact in going:
        kept.append(text[at : fact.start])
        raw = text[fact.start : fact.end]
        last = len(raw.rstrip())
        blanks = raw[raw.find("\n", last) + 1 or len(raw) :]
        kept.append({"": "", "blanks": blanks, "line": blanks or end}[gap])
        at = max(at, fact.end)
    return "".join(kept) + text[at:]
