"""An editor's text laid over the bytes that it was made from, so that a save changes only what was edited.

A textarea and an editor component show every line end as the same, and lose a byte order mark, a final line end or the
spaces at the end of a file. So lines are compared as they show them, and a line that stayed takes its bytes from the base.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from memory.text.merge.lines import Gap, gaps

_BOM = "\ufeff"
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_LINE_END = re.compile(r"\r\n?")


class _Line(NamedTuple):
    text: str
    end: str


def lay_over(base: bytes, text: str) -> bytes:
    """The bytes to save for an editor's text. Lines that stayed, and a text that shows no edit, keep base's bytes.

    A changed line keeps its line end, a new one takes the file's usual one. A last line that stayed keeps its end or its
    lack of one; a last line that is changed or new ends as it was typed.
    """
    old = base.decode("utf-8", "surrogateescape")
    marks = old[: len(old) - len(old.lstrip(_BOM))]
    old, new = old.removeprefix(marks), text
    for mark in marks:
        new = new.removeprefix(mark)
    if _shows_the_same(old, new):
        return base
    if not new:
        return b""
    return (marks + _laid(_lines(old), _lines(new))).encode("utf-8", "surrogateescape")


def _shows_the_same(old: str, new: str) -> bool:
    """Whether an editor that was given `old` may hand back `new` without an edit."""
    old, new = _shown(old), _shown(new)
    if new.removesuffix("\n") == old.removesuffix("\n"):
        return True
    bare = old.rstrip(" \t").removesuffix("\n").rstrip(" \t")
    return new.removesuffix("\n") in (bare, old.rstrip(" \t").removesuffix("\n"))


def _shown(text: str) -> str:
    """A text as an editor has it: one kind of line end, and the mark that browsers put in the place of NUL."""
    return _LINE_END.sub("\n", text).replace("\0", "\ufffd")


def _lines(text: str) -> list[_Line]:
    lines = [_Line(*found.groups()) for found in _LINE.finditer(text)]
    while lines and not any(lines[-1]):
        lines.pop()
    return lines


def _laid(old: list[_Line], new: list[_Line]) -> str:
    """The new lines, each with the text and the end that it is to have in the file."""
    before, after = [_shown(line.text) for line in old], [line.text for line in new]
    if old and new and before[-1].rstrip(" \t") == after[-1]:
        before[-1] = after[-1]  # only the spaces at the end of the file are gone
    laid = list(new)
    stays_last = False
    kept_old = kept_new = 0
    for gap in [*gaps(before, after), Gap(len(old), len(old), len(new), len(new))]:
        laid[kept_new : gap.new_lo] = old[kept_old : gap.lo]
        stays_last = gap.new_lo == len(new) and gap.lo == len(old) > kept_old
        in_place = gap.hi - gap.lo == gap.new_hi - gap.new_lo
        for at in range(gap.new_lo, gap.new_hi):
            laid[at] = _Line(new[at].text, old[gap.lo + at - gap.new_lo].end if in_place else "")
        kept_old, kept_new = gap.hi, gap.new_hi
    usual = _usual_end(old)
    last = laid.pop()
    if not stays_last:
        last = _Line(last.text, (last.end or usual) if new[-1].end else "")
    return "".join([*(line.text + (line.end or usual) for line in laid), *last])


def _usual_end(lines: list[_Line]) -> str:
    """The line end that most lines have; a plain one where there is none."""
    ends = Counter(line.end for line in lines if line.end)
    return ends.most_common(1)[0][0] if ends else "\n"
