"""Memory that others on the machine can change, and files with secrets that others can read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from shlex import quote

from django.db.models import F

from memory.bots import open_bot
from memory.checks import facts_alone
from memory.checks.subjects import Wrong
from memory.domain.changes import MEMORY_ROOT, split_path
from memory.models import Bot, Document, Finding
from memory.text.sentences import say

NAME = "permissions-wide"
OTHERS_READ, OTHERS_WRITE, OTHERS_PASS = 0o004, 0o002, 0o001
WRITE, READ, DIRECTORY = "write", "read", "directory"  # what is too wide
MOST = 200  # directories that are looked at: who opened one by mistake opened its neighbours
WRITABLE = say("Other users of the machine can change this file.")
READABLE = say("Other users of the machine can read this file, and it holds a secret.")
OPEN = say("Other users of the machine can add and remove files here. To end that, type this in the memory directory.")


def wide(bot: Bot) -> Iterator[tuple[str, Wrong]]:
    """What is too wide now: (path, what is wrong). Nothing is where others cannot even come near."""
    if not _is_reachable(open_bot(bot).memory_path):
        return
    there = Document.objects.filter(bot=bot, error="")
    for path in there.annotate(bits=F("mode").bitand(OTHERS_WRITE)).filter(bits__gt=0).values_list("path", flat=True):
        yield path, Wrong(WRITE, WRITABLE)
    secret = Finding.objects.filter(bot=bot, rule=facts_alone.SECRET, gone=None).values("path")
    legible = there.annotate(bits=F("mode").bitand(OTHERS_READ)).filter(bits__gt=0, path__in=secret)
    for path in legible.values_list("path", flat=True):
        yield path, Wrong(READ, READABLE)
    for name in _directories(bot):
        yield name, Wrong(DIRECTORY, OPEN, f"chmod o-w {quote(name)}")


def _directories(bot: Bot) -> Iterator[str]:
    """The directories of the memory, by their paths in it, that others can write in: "." is the memory itself."""
    root = open_bot(bot).memory_path
    for name in [".", *sorted(_parents(bot))[:MOST]]:
        if _is_open(root / name):
            yield name


def _parents(bot: Bot) -> set[str]:
    paths = Document.objects.filter(bot=bot, path__contains="/").exclude(path__startswith="@")
    below = (split_path(path)[1] for path in paths.values_list("path", flat=True) if split_path(path)[0] == MEMORY_ROOT)
    return {str(above) for path in below for above in PurePosixPath(path).parents} - {"."}


def _is_reachable(place: Path) -> bool:
    """Whether others may pass through every directory on the way, this one too."""
    try:
        return all(one.stat().st_mode & OTHERS_PASS for one in (place, *place.parents))
    except OSError:
        return False


def _is_open(place: Path) -> bool:
    try:
        mode = place.stat().st_mode
    except OSError:
        return False
    return bool(mode & OTHERS_WRITE)
