"""What a text of several lines is called where it is folded: its title, and the first that it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import shorten

from memory.text.secrets import mask

LONGEST_TITLE = 80  # characters
LONGEST_FIRST = 160

_LEADING = re.compile(r"(?:#{1,6}|[-*+>]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE = re.compile(r"[-=_*|:\s]{3,}|`{3,}[\w+-]*")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]{1,200})\*\*:?[ \t]*")
_ALONE = re.compile(r"#{1,6}[ \t][^\n]{1,200}|\*\*[^*\n]{1,200}\*\*:?")
_CODE = r"`[^`\n]{1,300}`"
# Marks come in pairs, around words: a star or a line alone, in a path, a name of a file or a pattern of one is none.
_PAIRS = (
    r"(?P<ticks>`{1,3})(?!`)(?P<code>[^\n]{1,500}?)(?<!`)(?P=ticks)(?!`)",
    r"!?\[(?P<name>(?:[^\[\]\n]|\[[^\[\]\n]{0,300}\]){0,300})\]"  # a link may be around an image, or stand in the name of one
    r"\((?:[^()\s]|\([^()\s]*\)){0,500}(?:[ \t]+\"[^\"\n]{0,300}\")?\)",
    r"<(?P<address>https?://[^<>\s]{1,500})>",
    rf"(?<![A-Za-z0-9*\\])(?:(?<!/)|(?!\*\*/))(?P<stars>\*{{2,3}})(?![\s*])(?P<bold>(?>{_CODE}|[^*]|\*(?!\*)){{1,500}}?)"
    r"(?<!\s)(?:(?<=\w)|(?!\*\*(?:/|\.\w)))(?P=stars)",
    rf"(?<![\w*/\\.,$^=\]}})])\*(?![\s*])(?P<slanted>(?>{_CODE}|[^*]|\*\*){{1,500}}?)(?<![\s*/\\(\[{{,=])\*(?![\w*/\\$]|\.\w)",
    r"(?<![\w/\\.$^-])(?!__[a-z0-9]+(?:_[a-z0-9]+)*__)(?P<lines>_{1,3})(?![\s_])"  # __init__ is a name
    rf"(?P<lined>(?>{_CODE}|[^_]|(?<=[^\W_])_+(?=[^\W_])){{1,500}}?)(?<![\s_])(?P=lines)(?![\w/\\(\[]|\.\w)",
    r"~~(?![\s~])(?P<struck>[^~]{1,500})(?<!\s)~~",
)
_MARKED = re.compile(rf"(?=[`!\[<*_~])(?:{'|'.join(_PAIRS)})")
_AS_IT_IS = ("code", "address")


def lead(text: str) -> tuple[str, str]:
    """(title, first words) of a text, without their Markdown; ("", "") of a single line, which needs neither.

    The title is a bold beginning, or else the first line; the first words are what follows it, with what a bold line or a
    heading stands above. It hides no less of a secret than the text does."""
    return _hiding(text, _lead)


def plain_text(text: str, longest: int | None = None) -> str:
    """A text in one line without its Markdown, or the beginning of it, as it stands where nothing else is in it. It hides no less
    of a secret than the text does."""
    return _hiding(text, lambda some: (_in_one(some)[:longest], ""))[0]


def _hiding(text: str, words: Callable[[str], tuple[str, str]]) -> tuple[str, str]:
    """What is said of a text: its secrets as they are where who looks for them there finds them still, which pages do; with masks
    where the marks that went were a part of one, or what names it now stands elsewhere."""
    said = words(text)
    hidden = mask(text) if any(said) else text  # a line of a megabyte, of which nothing is said, takes a second
    if hidden == text:
        return said
    instead = words(hidden)
    return said if tuple(map(mask, said)) == instead else instead


def _lead(text: str) -> tuple[str, str]:
    lines = _lines(text)
    if len(lines) < 2:
        return "", ""
    head = _bare(lines[0])
    bold = _BOLD.match(head)
    rest = [head[bold.end() :], *lines[1:3]] if bold and bold.end() < len(head) else lines[1:3]
    first = _plain(_bare(rest[0]), LONGEST_FIRST)
    if len(rest) > 1 and _ALONE.fullmatch(rest[0]):
        first = truncate(f"{first}: {_plain(_bare(rest[1]), LONGEST_FIRST)}", LONGEST_FIRST)
    return _plain(bold[1] if bold else head, LONGEST_TITLE), first


def _in_one(text: str) -> str:
    return " ".join((" ".join(_unmarked(_bare(line)) for line in _lines(text)).strip() or text).split())


def without_title(text: str, title: str) -> str:
    """A text without the line that its `title` repeats; all of it where that line says more."""
    head, _end, rest = text.lstrip().partition("\n")
    return rest if _plain(_bare(head.strip()), LONGEST_TITLE) == title else text


def truncate(text: str, longest: int) -> str:
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
    return truncate(_unmarked(line[: 8 * longest]).removesuffix(":"), longest)


def _unmarked(line: str) -> str:
    """A line without its Markdown: of a link and an image what it is called, of a row of a table its cells."""
    if line.startswith("|"):
        line = " · ".join(filter(None, map(str.strip, line.split("|"))))
    return _MARKED.sub(_within, line).strip()


def _within(found: re.Match[str]) -> str:
    """What stands in a pair of marks; in code, and in an address, none is a mark."""
    name = str(found.lastgroup)
    return found[name] if name in _AS_IT_IS else _MARKED.sub(_within, found[name])
