"""What a bot's raw reply carries for its memory: `<memory>` and its kin taken out, the rest left for the user to see."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What JavaScript calls white space: tab to carriage return, every Zs, the two Unicode line ends and the byte order mark.
# Not U+200B, not U+0085, not U+001C: Python's own strip() differs in all of these.
JS_SPACE = (
    "\t\n\x0b\x0c\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_BLANK_LINES = re.compile(r"\n{3,}")
_BOOTSTRAP = re.compile(f"<bootstrap-complete[{re.escape(JS_SPACE)}]*+/?>")


@dataclass(frozen=True, slots=True)
class Extracted:
    """A reply taken apart. `working_memory` and `chat_context` are None when the reply says nothing new about them."""

    clean_text: str
    memories: tuple[str, ...] = ()
    chat_memories: tuple[str, ...] = ()
    working_memory: str | None = None
    chat_context: str | None = None
    user: tuple[str, ...] = ()
    bootstrap_complete: bool = False


def js_trim(text: str) -> str:
    """The text without white space at its ends, as JavaScript's trim() understands white space."""
    return text.strip(JS_SPACE)


def extract(reply: str) -> Extracted:
    """Take every memory tag out of a raw reply, stage by stage as the bot does; contents are trimmed, empty ones dropped."""
    text, memories = _stage(reply, "memory")
    text, chat_memories = _stage(text, "chat-memory")
    text, contexts = _stage(text, "chat-context")
    text, working = _stage(text, "working-memory")
    text, user = _stage(text, "user")
    text, marks = _BOOTSTRAP.subn("", text)
    return Extracted(
        clean_text=_tidy(text),
        memories=memories,
        chat_memories=chat_memories,
        working_memory=working[-1] if working else None,
        chat_context=contexts[-1] if contexts else None,
        user=user,
        bootstrap_complete=marks > 0,
    )


def _stage(text: str, tag: str) -> tuple[str, tuple[str, ...]]:
    """The text without `<tag>…</tag>`, tidied, and the contents that are not empty, in order.

    A scan instead of `<tag>(.*?)</tag>`: the same result, but linear when many tags are opened and none is closed.
    """
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept: list[str] = []
    contents: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        inside = start + len(opening)
        end = text.find(closing, inside)
        if end < 0:
            break
        kept.append(text[at:start])
        contents.append(js_trim(text[inside:end]))
        at = end + len(closing)
    kept.append(text[at:])
    return _tidy("".join(kept)), tuple(content for content in contents if content)


def _tidy(text: str) -> str:
    return js_trim(_BLANK_LINES.sub("\n\n", text))
