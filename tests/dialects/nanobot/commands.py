"""The command line over a nanobot's workspace, as people call it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import index, registry
from memory.models import Bot
from tests.management.cli.conftest import Done, run


@dataclass
class Commands:
    """One bot and the files that its commands are about."""

    bot: Bot
    workspace: Path
    file: Path

    def __call__(self, *words: object) -> Done:
        return run(*words, "--bot", self.bot.slug)

    def json(self, *words: object) -> dict[str, Any]:
        done = self(*words, "--json")
        assert (done.code, done.err) == (0, ""), done
        return done.json

    def text(self, *words: object) -> str:
        done = self(*words)
        assert (done.code, done.err) == (0, ""), done
        return done.out

    def refused(self, *words: object) -> str:
        """What is said on stderr, one line, by a call that exits with 1."""
        done = self(*words)
        assert done.code == 1, done
        assert done.err.count("\n") == 1
        assert "Traceback" not in done.err
        return done.err.strip()


def over(workspace: Path, file: Path) -> Commands:
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    return Commands(bot, workspace, file)
