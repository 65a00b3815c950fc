"""What the hostile tests stand on: the journal's bot over real files, and somebody at its pages."""

from __future__ import annotations

import contextlib
import ctypes
import os

import pytest
from django.contrib.auth.models import User

from tests.journal.conftest import desk  # noqa: F401 - a fixture
from tests.web.conftest import Visitor

_libc = ctypes.CDLL(None, use_errno=True)
_BIND = 4096
_DETACH = 2


def mount(source, target, kind, flags=0, data=""):
    """Mount something for one test; skips where this machine does not let us."""
    words = [os.fsencode(word) for word in (source, target, kind)]
    if _libc.mount(*words, flags, os.fsencode(data)):
        pytest.skip(f"nothing can be mounted here: {os.strerror(ctypes.get_errno())}")


def unmount(target):
    _libc.umount2(os.fsencode(target), _DETACH)


def fill(root):
    """Leave no byte of room on the disk of a directory."""
    with (root / "ballast").open("wb", buffering=0) as ballast:
        for size in (4096, 64, 1):
            try:
                while True:
                    ballast.write(b"x" * size)
            except OSError:
                continue


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system with room for some 256 KB."""
    target = tmp_path / "disk"
    target.mkdir()
    mount("tmpfs", target, "tmpfs", data="size=256k")
    yield target
    unmount(target)


@pytest.fixture
def bound():
    """Lay one file over another as a bind mount, until the test ends."""
    with contextlib.ExitStack() as undo:

        def bind(source, target):
            mount(source, target, "none", _BIND)
            undo.callback(unmount, target)

        yield bind


@pytest.fixture
def ana(desk):  # noqa: F811
    """Somebody logged in before the bot of `desk`."""
    return Visitor(desk.bot, desk.root, User.objects.create_user("ana", password="a long enough one"))
