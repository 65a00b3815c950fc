"""What is cut from a text that is longer than a bot loads: each family's own way, with what is gone said for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.domain.prompt import PromptLine
from memory.domain.prompt_lines import part_of, text_of
from memory.text.sentences import say
from memory.text.utf16 import count_units, prefix as first_units

LEAST_LEFT = 64  # characters; OpenClaw loads no further document when its budget is down to less
_HEAD, _TAIL = 0.7, 0.2


@dataclass(frozen=True, slots=True)
class Kept:
    """What is loaded of a text. `why` says for people what is not, "" if nothing is missing."""

    lines: Sequence[PromptLine]
    why: str = ""


def whole(lines: list[PromptLine]) -> Kept:
    return Kept(lines)


def middle_cut(lines: list[PromptLine], name: str, most: int) -> Kept:
    """OpenClaw's way: white space at the end goes; of more than `most` characters 70 % from the beginning and 20 % from the end
    stay, with its own two lines between them."""
    text = text_of(lines).rstrip()
    length = count_units(text)
    if length <= most:
        return Kept(part_of(lines, 0, len(text)))
    head, tail = ends(most)
    marker = f"\n\n[...truncated, read {name} for full content...]\n…(truncated {name}: kept {head}+{tail} chars of {length})…\n\n"
    end, start = len(first_units(text, head)), len(first_units(text, length - tail))
    kept = [*part_of(lines, 0, end), PromptLine(marker), *part_of(lines, start, len(text))]
    return Kept(kept, _why_cut(text, end, start, length, head + tail))


def ends(most: int) -> tuple[int, int]:
    """How much OpenClaw keeps of the beginning and of the end of what is longer than `most`."""
    return int(most * _HEAD), int(most * _TAIL)


def _why_cut(text: str, end: int, start: int, length: int, kept: int) -> str:
    first, last = _line_at(text, end), _line_at(text, start - 1)
    if first < last:
        return say(
            "Lines %(first)s to %(last)s are cut: it has %(length)s characters, and the bot loads %(kept)s.",
            first=first,
            last=last,
            length=f"{length:,}",
            kept=f"{kept:,}",
        )
    before = text.rfind("\n", 0, end) + 1
    begin, until = f"{end - before + 1:,}", f"{start - before:,}"
    return say(
        "Characters %(begin)s to %(until)s of line %(first)s are cut: it has %(length)s characters, and the bot loads %(kept)s.",
        begin=begin,
        until=until,
        first=first,
        length=f"{length:,}",
        kept=f"{kept:,}",
    )


def head_only(lines: list[PromptLine], most: int) -> Kept:
    """The first `most` characters, counted as OpenClaw does."""
    return _head(lines, count_units, first_units, most)


def head_of_letters(lines: list[PromptLine], most: int) -> Kept:
    """The first `most` characters, counted as Python does, in which HKUDS nanobot is written."""
    return _head(lines, len, lambda text, number: text[:number], most)


def _head(lines: list[PromptLine], count: Callable[[str], int], first: Callable[[str, int], str], most: int) -> Kept:
    text = text_of(lines)
    length = count(text)
    if length <= most:
        return Kept(lines)
    end = len(first(text, most))
    why = say(
        "It is cut at line %(line)s: it has %(length)s characters, and the bot loads %(most)s.",
        line=_line_at(text, end),
        length=f"{length:,}",
        most=f"{most:,}",
    )
    return Kept(part_of(lines, 0, end), why)


def first_lines(lines: list[PromptLine], most_lines: int, most_bytes: int) -> Kept:
    """Claude Code's way: the first lines, and of them no more whole ones than fit into `most_bytes`; of a single line that is
    longer its beginning."""
    text = text_of(lines)
    parts = text.split("\n")
    end = sum(len(part) + 1 for part in parts[:most_lines])
    kept, by_lines, by_bytes = text[:end], len(parts) > most_lines and bool(text[end:].strip()), False
    if len(kept.encode("utf-8", "surrogatepass")) > most_bytes:
        by_bytes = True
        fitting = kept.encode("utf-8", "surrogatepass")[:most_bytes].decode("utf-8", "ignore")
        end = fitting.rfind("\n") + 1 or len(fitting)
    if not (by_lines or by_bytes):
        return Kept(lines)
    last = text.count("\n") + (not text.endswith("\n"))
    return Kept(part_of(lines, 0, end), _why_missing(text, end, last, most_bytes if by_bytes else most_lines, by_bytes))


def _why_missing(text: str, end: int, last: int, most: int, by_bytes: bool) -> str:
    first = _line_at(text, end)
    if not text[:end].endswith("\n"):
        at = f"{end - text.rfind(chr(10), 0, end) - 1:,}"
        return say(
            "Nothing after character %(at)s of line %(first)s is loaded: the bot loads the first %(most)s bytes.",
            at=at,
            first=first,
            most=f"{most:,}",
        )
    if first == last:
        if by_bytes:
            return say(
                "Line %(first)s is not loaded: the bot loads the first %(most)s bytes.", first=first, most=f"{most:,}"
            )
        return say(
            "Line %(first)s is not loaded: the bot loads the first %(most)s lines.", first=first, most=f"{most:,}"
        )
    if by_bytes:
        return say(
            "Lines %(first)s to %(last)s are not loaded: the bot loads the first %(most)s bytes.",
            first=first,
            last=last,
            most=f"{most:,}",
        )
    return say(
        "Lines %(first)s to %(last)s are not loaded: the bot loads the first %(most)s lines.",
        first=first,
        last=last,
        most=f"{most:,}",
    )


def _line_at(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
