"""What a nanobot's own configuration says: where the database of a workspace is, and how the bot is set. Nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from memory.bots.directories import path_named, resolved, same
from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.config import configured as read
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.shared.json_parts import object_in
from memory.domain.errors import Refusal, VaultError
from memory.domain.fields import Configured
from memory.storage.sqlite import begin
from memory.text.sentences import say

HOME = "~/.nanobot"
CONFIG = "config.json"
DATABASE = "memory/longterm.db"
NEWER = ("data/memory/memory.db", "memory/memory.db")  # where newer bots keep theirs, the newest first
WORKSPACE = "workspace"
BACKEND = "sqlite_fts"
_SQLITE = b"SQLite format 3\0"
NOTHING = Configured()


def database_of(workspace: Path) -> Path | None:
    """The database in which a bot keeps the entries of this workspace, whether or not it is there yet; None if no bot's
    configuration leads there."""
    for home in _homes(workspace):
        config, file = _config(home), _database(home)
        own = home == workspace.parent and (config or file.is_file())
        if own or same(_workspace(home), workspace) or _holds(file, workspace):
            return file
    return None


def configured(workspace: Path) -> Configured:
    """How the bot of a workspace is set by its own file; nothing where there is none."""
    for home in _homes(workspace):
        if (home / CONFIG).is_file() and (home == workspace.parent or same(_workspace(home), workspace)):
            return _configured(home, workspace)
    return NOTHING


def _configured(home: Path, workspace: Path) -> Configured:
    found = read(_config(home))
    if path_named(_said(home, "memory", "dbPath"), home) is None:
        return Configured(wrong="memory.dbPath")
    states = found.values.get("state_dir")
    if not isinstance(states, str) or not Path(states).is_absolute():
        return found
    try:
        inside = resolved(Path(states)).relative_to(resolved(workspace)).as_posix()
    except ValueError:  # it is elsewhere, and stays so
        return found
    return replace(found, values=MappingProxyType({**found.values, "state_dir": inside}))


def backend(workspace: Path) -> str:
    """What the bot of a workspace calls its engine; there is only one."""
    home = next(
        (home for home in _homes(workspace) if home == workspace.parent or same(_workspace(home), workspace)), None
    )
    told = _said(home, "memory", "backend") if home and not configured(workspace).wrong else ""
    return told or BACKEND


def workspace_of(file: Path) -> Path:
    """The workspace whose bot keeps its entries in this database. Raises Refusal."""
    for home in _homes(file.parent):
        workspace = _workspace(home)
        if same(_database(home), file) and workspace.is_dir():
            return workspace
    raise Refusal(
        say(
            "This is a database. Enter the bot’s workspace instead: entries belong to a workspace path, and no "
            "config.json names one."
        )
    )


def is_database(path: Path) -> bool:
    """Whether a path leads to an SQLite file."""
    try:
        place = path.expanduser()
        if not place.is_file():  # who opens a pipe waits for ever
            return False
        return begin(place, len(_SQLITE)) in (_SQLITE, None)
    except (OSError, ValueError, RuntimeError):  # the last where ~ names nobody
        return False


def workspace_id(workspace: Path) -> str:
    """How the bot calls a workspace in its database."""
    return scopes.workspace_id(str(resolved(workspace)))


def _homes(inside: Path) -> Iterator[Path]:
    yield inside.parent
    if (home := path_named(HOME, inside)) not in (None, inside.parent):
        yield home


def _config(home: Path) -> Mapping[str, object]:
    file = home / CONFIG
    try:
        return object_in(file.read_bytes() if file.is_file() else b"")
    except OSError:
        return {}


def _said(home: Path, *names: str) -> str:
    found: object = _config(home)
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


def _database(home: Path) -> Path:
    """The database that is named, else the newest bot's that is there."""
    if told := _said(home, "memory", "dbPath"):
        usual = next((usual for usual in NEWER if told == f"{HOME}/{usual}"), DATABASE)
        return _placed(home, told, usual)
    there = (home / usual for usual in NEWER)
    return next((file for file in there if file.is_file()), home / DATABASE)


def _workspace(home: Path) -> Path:
    return _placed(home, _said(home, "agents", "defaults", "workspace"), WORKSPACE)


def _placed(home: Path, told: str, usual: str) -> Path:
    """`~` is the user's home and a relative path begins at the bot's, as the bot reads it."""
    is_usual = told in ("", f"{HOME}/{usual}")
    return (None if is_usual else path_named(told, home)) or home / usual


def _holds(file: Path, workspace: Path) -> bool:
    """Whether a database has entries of a workspace."""
    try:
        return bool(RowsVault(file, workspace_id(workspace)).ask(lambda table: table.keys()))
    except VaultError:
        return False
