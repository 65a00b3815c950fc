"""What a crash left behind: whether the write of a slot had happened, told from what is on the disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat as kinds

from memory.domain.changes import digest
from memory.storage import Slot, Stat, kernel
from memory.storage.stable_read import open_regular, read_open
from memory.storage.staging import Names
from memory.storage.walk import DirEntry, described

_LINE_ENDS = re.compile(rb"\n")


def inspect(place: DirEntry, names: Names, before: Stat | None, after: str | None) -> Slot:
    """As `Vault.inspect` says; finishes or takes back a rename that was cut off. Raises OSError."""
    if after is None:
        return _removal(place, names)
    new, old = place.look(names.new), place.look(names.old)
    if new is not None and old is not None:  # linked to the stash, and not replaced yet
        if is_same(place.found, old):
            place.drop(names.old)
        return Slot.UNTOUCHED
    if old is not None:
        return Slot.DONE
    if new is not None:
        return _staged(place, names, new, after)
    if place.look(names.now) is not None:
        return _in_place(place, names, before)
    return _by_content(place, before, after)


def is_same(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    """Whether two names lead to one file."""
    return one is not None and other is not None and (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def _removal(place: DirEntry, names: Names) -> Slot:
    old = place.look(names.old)
    if old is None:
        return Slot.DONE if place.found is None else Slot.UNTOUCHED
    if is_same(place.found, old):  # it was being put back
        place.drop(names.old)
        return Slot.UNTOUCHED
    return Slot.DONE


def _staged(place: DirEntry, names: Names, new: os.stat_result, after: str) -> Slot:
    if is_same(place.found, new):  # a new document: it has its own name already
        place.drop(names.new)
        return Slot.DONE
    if not kinds.S_ISREG(new.st_mode):  # exchanged with something that was no document
        kernel.exchange(place.fd, names.new, place.name)
        return Slot.UNTOUCHED
    if digest(_bytes(place, names.new)) == after:
        return Slot.UNTOUCHED
    place.rename(names.new, names.old)  # exchanged: this is what stood there before
    return Slot.DONE


def _in_place(place: DirEntry, names: Names, before: Stat | None) -> Slot:
    data = _bytes(place, names.now)
    found = _found_bytes(place)
    if found is None or before is None:
        return Slot.UNTOUCHED
    if found == data or (found.startswith(data) and _is_cut(found, len(data), before)):
        place.drop(names.now)
        return Slot.DONE
    return Slot.UNTOUCHED if _is_as(place, before) else Slot.TORN


def _by_content(place: DirEntry, before: Stat | None, after: str) -> Slot:
    """No hidden file tells: never begun, or done and tidied up, or done where the directory allows no hidden file."""
    found = _found_bytes(place)
    if found is None:
        return Slot.UNTOUCHED
    if digest(found) == after:
        return Slot.DONE
    if before is not None and (_is_as(place, before) or not _is_inode(place, before)):
        return Slot.UNTOUCHED
    length = _length_of(found, after)
    if before is None:
        return Slot.UNTOUCHED if length is None else Slot.DONE
    if length is not None:
        return Slot.DONE if _is_cut(found, length, before) else Slot.TORN
    return Slot.UNTOUCHED if os.access(".", os.W_OK, dir_fd=place.fd, effective_ids=True) else Slot.TORN


def _is_cut(found: bytes, length: int, before: Stat) -> bool:
    """Whether what follows the new bytes can only have been appended: nothing of the old ones is left there."""
    return length >= before.size or len(found) < before.size


def _length_of(data: bytes, after: str) -> int | None:
    """How many bytes at the start have this sha256, looked for where a line begins or ends."""
    seen, at = hashlib.sha256(), 0
    for end in [0, *(cut for line in _LINE_ENDS.finditer(data) for cut in (line.start(), line.end()))]:
        seen.update(data[at:end])
        at = end
        if seen.hexdigest() == after:
            return end
    return None


def _is_inode(place: DirEntry, before: Stat) -> bool:
    return place.found is not None and described(place.found).inode == before.inode


def _is_as(place: DirEntry, before: Stat) -> bool:
    """Whether nobody wrote to the document since, as far as the journal's records of it can tell: they hold no ctime."""
    if place.found is None:
        return False
    found = described(place.found)
    return (found.size, found.mtime_ns, found.inode) == (before.size, before.mtime_ns, before.inode)


def _found_bytes(place: DirEntry) -> bytes | None:
    if place.found is None or not kinds.S_ISREG(place.found.st_mode):
        return None
    with contextlib.suppress(FileNotFoundError):
        return _bytes(place, place.name)
    return None


def _bytes(place: DirEntry, name: str) -> bytes:
    file = open_regular(place.fd, name, os.O_RDONLY)
    try:
        return read_open(file)
    finally:
        os.close(file)
