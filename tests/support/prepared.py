"""A KENOWEB_HOME that has its tables and static files, made once a run: what begins with an empty one copies it."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".pytest_cache" / "tables"
MADE_FROM = (
    "memory/models/**/*.py",
    "memory/migrations/*.py",
    "memory/apps.py",
    "kenoweb/settings.py",
    "requirements*.txt",
)


def database() -> Path:
    """An SQLite file with empty tables. All processes of a run share it, tests/settings.py says where; the next run has it too,
    unless what the tables are made from changed."""
    return _once("kenoweb.sqlite3", "migrate", "--verbosity", "0", kept=KEPT / f"{_print()}.sqlite3")


def home(folder: Path) -> Path:
    """Make `folder` a KENOWEB_HOME in which nothing happened yet but what a first start does."""
    folder.mkdir(mode=0o700, parents=True)
    shutil.copyfile(database(), folder / "kenoweb.sqlite3")
    (folder / "kenoweb.sqlite3").chmod(0o600)
    collect = "from memory.management.commands.serve import Command; Command().collect_static()"
    shutil.copytree(_once("static", "shell", "--no-imports", "-c", collect), folder / "static")
    return folder


def _print() -> str:
    """What tables are made from, as a word: models and migrations of ours, and which packages bring theirs."""
    files = [path for place in MADE_FROM for path in sorted(ROOT.glob(place))]
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()[:16]


def _once(name: str, *words: str, kept: Path | None = None) -> Path:
    """What `manage.py` with these words makes by this name in its KENOWEB_HOME, unless somebody asked for it before: in this run,
    or where it is `kept`."""
    shared = Path(os.environ["KENOWEB_TESTS_SHARED"])
    made, making = shared / name, shared / f"making {name}"
    KEPT.mkdir(parents=True, exist_ok=True)
    with FileLock(KEPT.with_suffix(".lock")):  # of all runs
        if not made.exists() and kept and kept.exists():
            shutil.copyfile(kept, made)
        if not made.exists():
            environment = {"PATH": os.environ["PATH"], "HOME": str(making), "KENOWEB_HOME": str(making)}
            subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=environment, check=True)
            if made.suffix == ".sqlite3":
                _fold(making / name)
            if kept:
                for old in kept.parent.iterdir():
                    old.unlink()
                shutil.copyfile(making / name, kept.with_suffix(".new"))
                kept.with_suffix(".new").rename(kept)
            (making / name).rename(made)
    return made


def _fold(database: Path) -> None:
    """Bring into the file what stands in its log beside it."""
    file = sqlite3.connect(database)
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
