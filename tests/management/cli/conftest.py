"""A bot with two chats and some weeks of memory, and the command line as people call it."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from memory.models import Bot, Root

FILES = {
    "MEMORY.md": "# KenoBot Memory\n\n- Likes tea\n- Lives in Lisbon\n",
    "2026-01-02.md": "## 09:00 — Owns a red bicycle\n\n## 09:05 — Likes tea\n\n",
    "2026-01-03.md": "# 2026-01-03\n\nSome prose by hand.\n\n## 10:00 — Plays chess\n\n",
    "2026-03-10.md": "## 08:00 — Had coffee\n\n",
    "chats/telegram-5/2026-01-02.md": "## 11:00 — The trip is in May\n\n",
    "chats/telegram-5/MEMORY.md": "- About a trip\n",
    "working/telegram-5.md": "- planning",
}


@dataclass
class Done:
    """One call: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


@dataclass
class Terminal:
    """The command line over one bot."""

    bot: Bot
    root: Path

    def __call__(self, *words: object, stdin: bytes = b"") -> Done:
        return run(*words, stdin=stdin)

    def json(self, *words: object, stdin: bytes = b"") -> dict[str, Any]:
        done = run(*words, "--json", stdin=stdin)
        assert (done.code, done.err) == (0, ""), done
        return done.json

    def refused(self, *words: object, stdin: bytes = b"") -> Done:
        """A call that exits 1 with one line on stderr, with `--json` one object on stdout."""
        done = run(*words, "--json", stdin=stdin)
        assert done.code == 1, done
        assert done.err.endswith("\n")
        assert done.err.count("\n") == 1
        assert done.json["error"]
        return done

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    def tree(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file() and ".kenoweb-" not in path.name)
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}


def run(*words: object, stdin: bytes = b"") -> Done:
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        call_command("memory", *map(str, words), stdout=out, stderr=err)
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdin = before
    return Done(code, out.getvalue(), err.getvalue())


def fill(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def terminal(db: None, tmp_path: Path, settings: Any, kenoweb_home, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    root = tmp_path / "keno" / "memory"
    root.mkdir(parents=True)
    settings.KENOBOT_VARIABLES = ()
    fill(root, FILES)
    bot = Bot.objects.create(slug="keno", name="Keno", dialect="kenobot", from_environment=True)
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return Terminal(bot, root)
