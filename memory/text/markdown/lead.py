"""What a text of several lines is called where it is folded: its title, and the first that it says."""

from __future__ import annotations

import re
from textwrap import shorten

LONGEST_TITLE = 80  # characters
LONGEST_FIRST = 160

_LEADING = re.compile(r"(?:#{1,6}|[-*+>]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE = re.compile(r"[-=_*|:\s]{3,}")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]{1,200})\*\*:?[ \t]*")
_ALONE = re.compile(r"#{1,6}[ \t][^\n]{1,200}|\*\*[^*\n]{1,200}\*\*:?")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\((?:[^()\s]|\([^()\s]*\)){0,500}(?:[ \t]+\"[^\"\n]{0,300}\")?\)")
_ADDRESS = re.compile(r"<(https?://[^<>\s]{1,500})>")
_MARKS = re.compile(r"\*{2,3}|_{2,3}|~~|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")


def lead(text: str) -> tuple[str, str]:
    """(title, first words) of a text, without their Markdown; ("", "") of a single line, which needs neither.

    The title is a bold beginning, or else the first line; the first words are what follows it, with what a bold line or a
    heading stands above."""
    lines = _lines(text)
    if len(lines) < 2:
        return "", ""
    head = _bare(lines[0])
    bold = _BOLD.match(head)
    rest = [head[bold.end() :], *lines[1:3]] if bold and bold.end() < len(head) else lines[1:3]
    first = _plain(_bare(rest[0]), LONGEST_FIRST)
    if len(rest) > 1 and _ALONE.fullmatch(rest[0]):
        first = cut(f"{first}: {_plain(_bare(rest[1]), LONGEST_FIRST)}", LONGEST_FIRST)
    return _plain(bold[1] if bold else head, LONGEST_TITLE), first


def plain(text: str) -> str:
    """A text in one line without its Markdown, as it stands where nothing else is in it."""
    return " ".join(filter(None, (_unmarked(_bare(line)) for line in _lines(text)))) or text


def below(text: str, title: str) -> str:
    """A text without the line that its `title` repeats; all of it where that line says more."""
    head, _end, rest = text.lstrip().partition("\n")
    return rest if _plain(_bare(head.strip()), LONGEST_TITLE) == title else text


def cut(text: str, longest: int) -> str:
    """A text in one line of about so many characters, cut at a word with dots."""
    flat = " ".join(text.split())
    if len(flat) <= longest:
        return flat
    short = shorten(flat, longest, placeholder="…")
    return f"{flat[:longest]}…" if short == "…" else short


def _lines(text: str) -> list[str]:
    """The lines that say something: no rules, and nothing that underlines."""
    return [line for line in map(str.strip, text.splitlines()) if line and not _RULE.fullmatch(line)]


def _bare(line: str) -> str:
    found = _LEADING.match(line)
    return line[found.end() :] if found else line


def _plain(line: str, longest: int) -> str:
    return cut(_unmarked(line[: 8 * longest]).removesuffix(":"), longest)


def _unmarked(line: str) -> str:
    """A line without its Markdown: of a link and an image what it is called, of a row of a table its cells."""
    if line.startswith("|"):
        line = " · ".join(filter(None, map(str.strip, line.split("|"))))
    for _within in range(2):  # an image may be a link, and a link stand in an image's name
        line = _LINK.sub(r"\1", line)
    return _MARKS.sub("", _ADDRESS.sub(r"\1", line)).strip()
