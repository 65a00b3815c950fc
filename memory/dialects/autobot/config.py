"""The few lines of an Autobot's config.yml that say where its memory is and when it sums a chat up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.domain.fields import Configured

WINDOW = "agents.defaults.memory_window"
WORKSPACE = "agents.defaults.workspace"
_INT32 = 1 << 31
_NUMBER = re.compile(r"[+-]?[0-9]+")
_COMMENT = re.compile(r"(?:^|\s)#")


def values(text: str) -> dict[str, str]:
    """The plain values of a configuration by their dotted names. What YAML can say besides is passed over."""
    return dict(_values(text))


def configured(found: dict[str, str]) -> Configured:
    """What the bot's configuration says of its window; a name in `wrong` where that is no number to it."""
    told = found.get(WINDOW)
    if told is None:
        return Configured()
    if not _NUMBER.fullmatch(told) or not -_INT32 <= int(told[:20]) < _INT32:
        return Configured(wrong=WINDOW)
    return Configured({"memory_window": int(told)})


def _values(text: str) -> Iterator[tuple[str, str]]:
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        key, colon, rest = line.strip().partition(":")
        if not colon or key.startswith(("#", "-")) or (rest and not rest.startswith(" ")):
            continue
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, key))
        if value := _plain(rest.strip()):
            yield ".".join(name for _indent, name in above), value


def _plain(value: str) -> str:
    """A value without its quotes and the comment behind it."""
    if value[:1] in ("'", '"') and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return _COMMENT.split(value, maxsplit=1)[0].strip()
