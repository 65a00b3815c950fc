"""Where a benchmark runs: a home of its own that is gone afterwards, and a line about the machine."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kenoweb.env import VARIABLES
from memory.storage.mounts import file_system

if TYPE_CHECKING:
    from memory.models import Bot

ROOT = Path(__file__).resolve().parent.parent.parent
SECRET = "a benchmark's secret"


@contextmanager
def directory(above: Path | None) -> Iterator[Path]:
    """A directory that is removed afterwards; `above` says on which disk."""
    made = Path(tempfile.mkdtemp(prefix="kenoweb-bench-", dir=above))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def environment(home: Path, settings: str = "kenoweb.settings") -> dict[str, str]:
    """Variables for a Kenoweb that knows nothing of whoever runs the benchmark. The KenoBot's memory is `home`/bot."""
    foreign = {name for one in VARIABLES for name in (one.name, f"{one.name}_FILE")}
    kept = {name: value for name, value in os.environ.items() if name not in foreign}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": settings,
        "KENOWEB_HOME": str(home / "kenoweb"),
        "MEMORY_DIR": str(home / "bot"),
        "WEBHOOK_SECRET": SECRET,
        "WEBHOOK_RATE": "1000000",
    }


def enter(home: Path, **more: str) -> None:
    """Set this process up as a Kenoweb at `home`, with its tables made; `more`: further variables. Once a process;
    a test's is one already."""
    import django
    from django.apps import apps

    if apps.ready:
        return
    wanted = {**environment(home), **more}
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    os.environ.update(wanted)
    django.setup()
    from memory.management.prepare import prepare

    prepare()


def bot_at(path: Path) -> Bot:
    """A KenoBot whose memory is in `path`, which is made if it is missing. Raises places.Refused."""
    from memory import registry

    path.mkdir(parents=True, exist_ok=True)
    return registry.add(path, "kenobot", path.name)


def machine(at: Path) -> str:
    """One line about what this runs on, with the file system that the files are on: where fsync is free, that shows."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counted = {1: "one core", 2: "two cores"}.get(cores, f"{cores} cores")
    busy = f"load {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else "load unknown"
    kind = file_system(at) or "an unknown file system"
    return f"{counted}, {busy}, {platform.system()}, Python {platform.python_version()}, files on {kind}"
