from __future__ import annotations

import contextlib
import os
import traceback

import pytest

from memory.domain.changes import digest
from memory.storage.files import FileVault

VARIANTS = {
    "kernel": {"exchange": True, "lease": True},
    "fallback": {"exchange": False, "lease": False, "quiet_seconds": 0.2},
}


def build(root, variant):
    return FileVault(root, **VARIANTS[variant])


@pytest.fixture(params=sorted(VARIANTS))
def variant(request):
    return request.param


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "memory"
    root.mkdir()
    return root


@pytest.fixture
def vault(root, variant):
    return build(root, variant)


@pytest.fixture
def needs_root():
    if os.geteuid() != 0:
        pytest.skip("only root can do this")


def save(vault, path, slot, data, expected=None, stamp=None):
    """Stage and replace; `expected` as bytes."""
    vault.stage(path, slot, data, stamp)
    return vault.replace(path, slot, data, None if expected is None else digest(expected))


def hidden(root):
    return sorted(path.name for path in root.rglob(".kenoweb-*"))


def opened(root):
    """What this process has open below a directory; other threads may open and close what they like."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{number}"))
    return [name for name in found if name.startswith(f"{root}")]


def as_user(uid, function):
    """Run in a child process as another user; what the child fails at, fails here."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            function()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, "the child failed; its traceback is on stderr"
