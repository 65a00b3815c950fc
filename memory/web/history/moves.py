"""Files that a change moved as they were: gone from one path, and there with the same bytes at another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from posixpath import basename

from memory.models import ChangeSet, Revision


@dataclass(frozen=True, slots=True)
class MovedFile:
    """One file, by the numbers of its two revisions."""

    pk: int
    gone_pk: int
    path: str
    from_path: str
    size: int


def moved_files(one: ChangeSet) -> list[MovedFile]:
    """The files that a change set moved, in the order of where they are now."""
    done = one.revisions.filter(done=True)
    gone = defaultdict[str, list[Revision]](list)
    for revision in done.filter(action=Revision.Action.DELETE).only("change_set", "path", "before", "size_before"):
        gone[revision.before].append(revision)
    there = done.filter(before="").exclude(after="").only("change_set", "path", "after") if gone else ()
    found = [_moved(revision, gone[revision.after]) for revision in there if gone[revision.after]]
    return sorted(found, key=lambda file: file.path)


def _moved(revision: Revision, gone: list[Revision]) -> MovedFile:
    """With the one of the same bytes, by preference the one of the same name."""
    name = basename(revision.path)
    old = next((one for one in gone if basename(one.path) == name), gone[0])
    gone.remove(old)
    return MovedFile(revision.pk, old.pk, revision.path, old.path, old.size_before or 0)


def both_ends(files: Sequence[MovedFile], paths: Iterable[str]) -> list[str]:
    """These documents, and of each that was moved its other path too: half a move would leave it twice, or nowhere."""
    other = {file.path: file.from_path for file in files} | {file.from_path: file.path for file in files}
    return [end for path in paths for end in (path, other.get(path, path))]
