"""Rows that the bot would not write, and somebody did: they stay as they are, stand in nobody's way, and can be forgotten.

What is written anew is checked (`lines.check`); of what stands in the database it is only asked which row it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from memory.dialects.nanobot import lines
from memory.domain.errors import WriteFailed
from memory.storage.walk import printable
from memory.text.sentences import say

CHANGED = "updated_at"  # forgetting a row says so there


def whole(data: bytes) -> list[bytes]:
    """The lines of a document. Raises WriteFailed where the last is not ended."""
    if data and not data.endswith(b"\n"):
        raise WriteFailed(say("The last line is incomplete. Nothing was changed."))
    return data.splitlines(keepends=True)


def by_age(path: str, data: bytes, standing: Callable[[], Collection[bytes]]) -> bytes:
    """The lines as their rows would stand. `standing`: what the scope's rows say, asked for where a line is none that the bot could
    have written. Raises WriteFailed for such a line that is no row of the scope either."""
    lined = whole(data)
    known: Collection[bytes] | None = None
    for number, line in enumerate(lined, 1):
        if why := _fault(line):
            known = standing() if known is None else known
            if said(line) not in known:
                raise WriteFailed(
                    say(
                        "Line %(number)s of %(path)s isn’t a valid row: %(why)s. Nothing was changed.",
                        number=number,
                        path=printable(path),
                        why=why,
                    )
                )
    rows = [(lines.loose(line), line) for line in lined]
    names = [row["id"] for row, _ in rows if is_text(row["id"])]
    if len(set(names)) < len(names):
        raise WriteFailed(
            say("%(path)s would contain two rows with one ID. Nothing was changed.", path=printable(path))
        )
    rows.sort(key=lambda one: (_rank(one[0]["created_at"]), _rank(one[0]["id"])))
    return b"".join(line for _, line in rows)


def said(line: bytes) -> bytes:
    """A line but for when its row was changed: how it says the same once it was forgotten."""
    return lines.line({name: value for name, value in lines.loose(line).items() if name != CHANGED})


def named(data: bytes) -> dict[str, bytes]:
    """The lines of a document by the ids of their rows; one whose id is no text is called by what it says."""
    return {_name(line): line for line in lines.split(data)}


def is_text(value: object) -> bool:
    """Whether a value is text that can be asked for."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _name(line: bytes) -> str:
    found = lines.loose(line).get("id")
    return str(found) if is_text(found) else line.decode("utf-8", "surrogateescape")


def _fault(line: bytes) -> str:
    try:
        if lines.line(lines.row(line)) != line:
            return say("it isn’t written the way Kenoweb writes rows")
    except ValueError as error:
        return str(error)
    return ""


def _rank(value: object) -> tuple[int, bytes]:
    """As SQLite orders them: nothing, text, bytes."""
    if isinstance(value, dict):
        return 2, bytes.fromhex(value["hex"])
    return (1, value.encode("utf-8", "surrogateescape")) if isinstance(value, str) else (0, b"")
