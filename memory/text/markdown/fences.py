"""A code fence that is never closed, and the line that closes it."""

from __future__ import annotations

from memory.text.markdown.blocks import Block, BlockKind, parse
from memory.text.markdown.rewrite import usual_end


def open_fence(text: str) -> Block | None:
    """The first code fence at the margin that is never closed."""
    if "```" not in text and "~~~" not in text:
        return None
    fences = (block for block in parse(text) if block.kind is BlockKind.FENCE)
    return next((block for block in fences if not block.closed and not block.level), None)


def end_fence(text: str, fence: Block) -> str:
    """The text with a line more that closes this fence, where it would end."""
    line = text[fence.start : fence.end].split("\n", 1)[0]
    mark = line[: len(line) - len(line.lstrip(line[0]))]
    end, above, below = usual_end(text), text[: fence.end], text[fence.end :]
    return above + ("" if above.endswith("\n") else end) + mark + end + below
