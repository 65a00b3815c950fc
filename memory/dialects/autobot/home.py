"""An Autobot's own directory: its config.yml beside the workspace, and what in a workspace only an Autobot makes."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

from memory.bots.directories import path_named, same
from memory.dialects.autobot import config, sessions
from memory.dialects.autobot.crystal import loads
from memory.domain.errors import Refusal
from memory.domain.fields import Configured
from memory.text.sentences import say

CONFIG = "config.yml"
OWN_KEYS = {"_type", "created_at", "updated_at", "metadata"}  # of the first line of a transcript
LOOKED_AT = 20  # transcripts
_MOST = 1 << 20  # bytes of a configuration
_LINE = 4096  # bytes of a first line
NO_WORKSPACE = say("This config.yml names no workspace that is there. Enter the workspace instead.")


def configured(workspace: Path) -> Configured:
    """How the bot of a workspace is set by its own file; nothing where there is none, or where it is another workspace's."""
    return config.configured(_config(workspace))


def has_config(workspace: Path) -> bool:
    """Whether a configuration as only an Autobot has it lies beside a workspace and means it."""
    return config.WINDOW in _config(workspace)


def has_own_transcript(workspace: Path) -> bool:
    """Whether a transcript begins as only an Autobot begins one."""
    with suppress(OSError):
        return any(map(_is_own, islice((workspace / "sessions").glob("*.jsonl"), LOOKED_AT)))
    return False


def workspace_of(file: Path) -> Path:
    """The workspace that a config.yml names. Raises Refusal."""
    workspace = _workspace(file, config.values(_text(file)))
    if workspace is None or not workspace.is_dir():
        raise Refusal(NO_WORKSPACE)
    return workspace


def _config(workspace: Path) -> dict[str, str]:
    file = workspace.parent / CONFIG
    found = config.values(_text(file))
    named_there = _workspace(file, found)
    return found if named_there and same(named_there, workspace) else {}


def _workspace(file: Path, found: dict[str, str]) -> Path | None:
    return path_named(found.get(config.WORKSPACE, "./workspace"), file.parent)


def _text(file: Path) -> str:
    with suppress(OSError):
        if file.is_file() and file.stat().st_size <= _MOST:
            return file.read_text("utf-8", "replace")
    return ""


def _is_own(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            first = opened.readline(_LINE)
        line = sessions.parse(first).lines[0]
        return line.is_metadata and not line.why and set(loads(first.decode())) == OWN_KEYS
    except (OSError, ValueError, IndexError):
        return False
