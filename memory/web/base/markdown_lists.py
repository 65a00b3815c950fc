"""Lists as CommonMark has them and bots write them: right below a paragraph, and nested by standing below the text of their item.
The renderer wants an empty line before a list, and four columns for each level of it."""

from __future__ import annotations

import re
from typing import Any

from markdown import Extension, Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.preprocessors import Preprocessor

STEP = 4  # columns of a level, as the renderer has it
BEFORE_FENCES, BEFORE_PARAGRAPHS = 28, 12  # what else is asked about lines and blocks has other numbers

_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}\.)[ ]{1,4}(?=\S)")
_RULE = re.compile(r"([-*_])(?:[ ]*\1){2,}[ ]*$")
_FENCE = re.compile(r"`{3,}|~{3,}")
_BELOW = re.compile(r"\n(?=[ ]{0,3}(?:[-*+]|1\.)[ ]+\S)")


class Lists(Extension):  # type: ignore[misc]
    """Makes a renderer read lists so."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(_Levels(md), "levels", BEFORE_FENCES)
        md.parser.blockprocessors.register(_Below(md.parser), "list_below", BEFORE_PARAGRAPHS)


class _Below(BlockProcessor):  # type: ignore[misc]
    """Begins a list below the last line of a paragraph."""

    def test(self, parent: Any, block: str) -> bool:
        return bool(_BELOW.search(block))

    def run(self, parent: Any, blocks: list[str]) -> None:
        paragraph, some = _BELOW.split(blocks.pop(0), maxsplit=1)
        self.parser.parseBlocks(parent, [paragraph])
        blocks.insert(0, some)


class _Levels(Preprocessor):  # type: ignore[misc]
    """Indents what belongs to an item by its level."""

    def run(self, lines: list[str]) -> list[str]:
        items = _Items()
        return [items.placed(line) for line in lines]


class _Items:
    """The items that the next line may belong to, the outermost first, each by the column at which its text begins."""

    def __init__(self) -> None:
        self._columns: list[int] = []
        self._fence = ""  # that is open
        self._is_below_nothing = False

    def placed(self, line: str) -> str:
        """A line where the renderer wants it."""
        bare = line.lstrip(" ")
        indent, after = len(line) - len(bare), self._is_below_nothing
        self._is_below_nothing = not bare
        if not bare:
            return line
        fence = _FENCE.match(bare)
        item = None if self._fence or _RULE.match(bare) else _ITEM.match(bare)
        if not self._fence and (item or fence or after or bare[0] == "#"):  # other lines go on with the one above
            self._leave(indent)
        if item and indent - self._column < STEP:
            return self._begun(line, bare, indent, item.end())
        if fence and (not self._fence or bare.startswith(self._fence)):
            self._fence = "" if self._fence else fence.group()
        return self._moved(line, bare, indent)

    @property
    def _column(self) -> int:
        return self._columns[-1] if self._columns else 0

    def _leave(self, indent: int) -> None:
        while indent < self._column:
            self._columns.pop()

    def _begun(self, line: str, bare: str, indent: int, width: int) -> str:
        level = len(self._columns)
        self._columns.append(indent + width)
        return " " * STEP * level + bare if level else line

    def _moved(self, line: str, bare: str, indent: int) -> str:
        if not self._columns or indent < self._column:
            return line
        return " " * (STEP * len(self._columns) + indent - self._column) + bare
