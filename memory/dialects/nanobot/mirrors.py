"""The mirrors: what the bot writes into the workspace's files when it makes an entry, and never touches again.

A line names no entry, so it is tied to one by its kind and text, and by its time where the text was reworded since. All chats
and users share these files: a line still says something as long as any of them has an entry that says it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.dialects.nanobot import layout
from memory.dialects.nanobot.lines import collapsed, normal
from memory.text.markdown.blocks import decode, encode
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.text.words.days import moment_of

FILES = {"preference": "preferences", "fact": "facts", "decision": "decisions"}
EPISODE = "episodic"
REWORDED = say("Its entry was reworded.")
EXPIRED = say("Its entry has expired.")
NOBODYS = say("No entry says this any more.")

_LINE = re.compile(r"- \[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) UTC\] ([^\r\n]+)")
_LINES = re.compile(rf"(?:{_LINE.pattern}\n)+")
_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_KINDS = {name: kind for kind, name in FILES.items()}

Says = tuple[str, str]  # (kind, text as the bot compares it)


@dataclass(frozen=True, slots=True)
class MirrorLine:
    """A line of a mirror that the bot wrote, or could have. `number` counts from 1, `at` is UTC to the second."""

    path: str
    number: int
    kind: str
    at: str
    text: str

    @property
    def says(self) -> Says:
        return says(self.kind, self.text)


@dataclass(frozen=True, slots=True)
class MirroredEntry:
    """An entry, whosever it is, as far as a mirror asks. Times are as the bot writes them, `expires` "" for never."""

    kind: str
    text: str
    created: str
    expires: str = ""

    @property
    def says(self) -> Says:
        return says(self.kind, self.text)


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A line that no live entry says, and why; `instead` is what its entry says now, "" where the line only goes."""

    line: MirrorLine
    why: str
    instead: str = ""


def path_of(kind: str, at: datetime) -> str:
    """The file that a new entry is written into too."""
    if kind in FILES:
        return f"memory/{layout.SEMANTIC}/{FILES[kind]}.md"
    return f"memory/{layout.EPISODIC}/{at.astimezone(UTC):%Y-%m-%d}.md"


def head(path: str) -> str:
    """How a new file begins."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"# {name.capitalize()}\n\n"


def line(text: str, at: datetime) -> str:
    """A new entry as its line."""
    return f"- [{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC] {text}\n"


def kind_of(path: str) -> str:
    """The kind of entry that a file mirrors; "" for one that is no mirror."""
    match path.split("/"):
        case ["memory", layout.SEMANTIC, name]:
            return _KINDS.get(name.removesuffix(".md"), "")
        case ["memory", layout.EPISODIC, name] if name.endswith(".md"):
            return EPISODE
    return ""


def says(kind: str, text: str) -> Says:
    """What tells whether an entry and a line are the same."""
    return kind, normal(collapsed(keepable(text)))


def second(at: str) -> str:
    """A time of the bot's as its mirrors tell it."""
    return at[:19].replace("T", " ")


def mirror_of(kind: str, created: str) -> str:
    """The file that an entry has its line in; "" where its time is none."""
    at = moment_of(created)
    return path_of(kind, at) if at else ""


def read(path: str, data: bytes) -> list[MirrorLine]:
    """The lines of a mirror that have the bot's form. Whatever else stands there is somebody's own and none of them."""
    kind = kind_of(path)
    rows = enumerate(_ROW.findall(decode(data)), 1) if kind else ()
    found = ((number, _LINE.match(row)) for number, row in rows)
    return [MirrorLine(path, number, kind, said[1], keepable(said[2])) for number, said in found if said]


def are_own(path: str, before: bytes, added: bytes) -> bool:
    """Whether this, behind what stood there before, is a mirror's lines as the bot writes them."""
    text = decode(added).removeprefix("" if before else head(path))
    return bool(kind_of(path)) and _LINES.fullmatch(text) is not None


def unmatched(told: Iterable[MirrorLine], rows: Collection[MirroredEntry], now: str) -> list[Unmatched]:
    """The lines that no live entry says, in the order they are given. `now` is a time as the bot writes it."""
    live = {row.says for row in rows if not _is_over(row, now)}
    over = {row.says for row in rows if _is_over(row, now)}
    made = {(row.kind, second(row.created)): row for row in rows}
    lines = list(told)
    mirrored = {one.says for one in lines}
    return [_judged(one, over, made, mirrored, now) for one in lines if one.says not in live]


def mended(data: bytes, instead: Mapping[int, str]) -> bytes:
    """A mirror with other texts in these lines; "" takes a line out. Everything else stays as it is."""
    return encode("".join(_mended(_ROW.findall(decode(data)), instead)))


def _mended(rows: Sequence[str], instead: Mapping[int, str]) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        text = instead.get(number)
        if text is None:
            yield row
        elif text and (said := _LINE.match(row)):
            yield row[: said.start(2)] + collapsed(text) + row[said.end(2) :]


def _judged(
    one: MirrorLine,
    over: Collection[Says],
    made: Mapping[tuple[str, str], MirroredEntry],
    mirrored: Collection[Says],
    now: str,
) -> Unmatched:
    row = made.get((one.kind, one.at))
    # Where another line says already what the entry says now, this one only goes.
    if row is not None and row.says != one.says and not _is_over(row, now):
        return Unmatched(one, REWORDED, "" if row.says in mirrored else row.text)
    return Unmatched(one, EXPIRED if one.says in over else NOBODYS)


def _is_over(row: MirroredEntry, now: str) -> bool:
    return bool(row.expires) and row.expires < now
