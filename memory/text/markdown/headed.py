"""The headings of a text, and where the part below one ends."""

from __future__ import annotations

from collections.abc import Iterator

from memory.text.markdown.blocks import HEADING, Block, BlockKind, parse


def titles(text: str) -> list[str]:
    """What its headings say, in order, each once."""
    return list(dict.fromkeys(title for _block, title in _headings(text)))


def end_of(text: str, title: str) -> int | None:
    """Where the part below the first heading of these words ends: at the next heading of any level, or with the text. None if
    there is no such heading."""
    found = list(_headings(text))
    at = next((at for at, (_block, said) in enumerate(found) if said == title), None)
    if at is None:
        return None
    return found[at + 1][0].start if at + 1 < len(found) else len(text)


def _headings(text: str) -> Iterator[tuple[Block, str]]:
    for block in parse(text):
        if block.kind is BlockKind.HEADING and (
            title := HEADING.sub("", text[block.start : block.end], count=1).strip()
        ):
            yield block, title
