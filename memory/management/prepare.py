"""What must stand before anything else runs: the database's tables and the first bot."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from memory.bots import families
from memory.domain.errors import Refusal
from memory.storage import locks
from memory.text.sentences import say

OLD = say(
    "This database was made before the first release. Move it out of KENOWEB_HOME or set another one in "
    "DATABASE_URL, then start again. Memory files aren’t touched, and the old history stays in the old database."
)


def prepare(with_sample: bool = False) -> list[str]:
    """Bring the tables up to date and make the first bot; quick when both stand. Returns what was done, for people.

    Commands that start together wait for each other. Raises Refusal.
    """
    with locks.lock("prepare"):
        if connection.vendor == "sqlite":
            _make_unless_there(Path(connection.settings_dict["NAME"]))
        begun: Path = settings.KENOWEB_HOME / "migrating"  # what follows the last migration leaves no other sign
        if _is_behind() or begun.exists():
            begun.touch()
            _migrate()
            begun.unlink()
        return families.first().first_bot(with_sample)


def _migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def _make_unless_there(file: Path) -> None:
    """Make the tables beside the file and move them there when they are whole: Django commits some migrations before it records
    them, and a start killed in between could not be gone on with. It will hold every version of every memory, so nobody else
    reads it."""
    if file.exists() and file.stat().st_size:
        return
    beside = file.with_name(f"{file.name}.new")
    for left in ("", "-wal", "-shm"):
        beside.with_name(f"{beside.name}{left}").unlink(missing_ok=True)
    beside.touch(mode=0o600)
    connection.close()
    connection.settings_dict["NAME"] = beside
    try:
        _migrate()
        connection.close()  # which brings into the file what stands in its log
        beside.rename(file)
    finally:
        connection.settings_dict["NAME"] = file


def _is_behind() -> bool:
    """Raises Refusal for a database of before the first release, whose tables no migration leads from."""
    applied, known = MigrationRecorder(connection).applied_migrations().keys(), _known()
    if any(app == "memory" for app, _ in applied - known):
        raise Refusal(OLD)
    return not known <= applied


def _known() -> set[tuple[str, str]]:
    """Every migration that there is, by its file: a graph of them all takes as long as a command."""
    return {(app.label, one.name) for app in apps.get_app_configs() for one in iter_modules([f"{app.path}/migrations"])}
