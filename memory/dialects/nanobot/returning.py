"""Entries that an undo would bring back, and that others say again by now: the bot lets a scope say nothing twice."""

from __future__ import annotations

from collections.abc import Iterable

from memory.dialects.nanobot import lines

Says = tuple[object, str]  # kind and content, as the bot compares them


def returning(wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
    """`wanted` without those of its rows that are not in `had` and that `now` has, or says in another row; and what these say."""
    wants, was, stands = (set(lines.split(data)) for data in (wanted, had, now))
    coming = wants - was - stands
    if not coming:
        return wanted, ()
    changing = {row["id"] for row in _rows(was - wants)}
    others = {str(row["id"]): row for row in _rows(stands - was) if row["id"] not in changing}
    again = {_says(row) for row in others.values()}
    left: dict[bytes, str] = {}
    for line in coming:
        row = lines.loose(line)
        if row.get("id") not in changing and (row.get("id") in others or _says(row) in again):
            left[line] = str(row.get("content"))
    texts = tuple(left[line] for line in lines.split(wanted) if line in left)
    return b"".join(line for line in lines.split(wanted) if line not in left), texts


def _rows(some: Iterable[bytes]) -> list[dict[str, object]]:
    return [row for row in map(lines.loose, some) if isinstance(row.get("id"), str)]


def _says(row: dict[str, object]) -> Says:
    return str(row.get("kind")), lines.normal(str(row.get("content")))
