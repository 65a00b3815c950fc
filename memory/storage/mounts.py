"""What kind of file system a directory is on, where the system tells."""

from __future__ import annotations

from pathlib import Path

# What these hold may be changed by other machines, of which this one hears nothing.
_SHARED = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "afs",
    "ceph",
    "gluster",
    "lustre",
    "gpfs",
    "virtiofs",
    "vboxsf",
    "fuse.",
    "davfs",
)


def is_shared(directory: Path) -> bool:
    """Whether a directory may be on another machine's disk."""
    return file_system(directory).startswith(_SHARED)


def file_system(at: Path) -> str:
    """The kind of file system that `at` is on; "" where the system does not tell."""
    best, kind = "", ""
    try:
        lines = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return kind
    for line in lines:
        where, this = line.split(" ")[1:3]
        if len(where) >= len(best) and at.resolve().is_relative_to(where):
            best, kind = where, this
    return kind
