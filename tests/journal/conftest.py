"""A bot over a real directory; every test here commits for real, on whichever database is set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from memory import journal
from memory.domain.changes import Append, Change, Delete, Put, digest
from memory.journal import Applied, By, Conflict
from memory.models import Bot, ChangeSet, Root

ANA = By("Ana")


@dataclass
class Desk:
    """One bot and its files, as a test speaks of them."""

    bot: Bot
    root: Path

    def write(self, path: str, data: bytes) -> None:
        """What the bot or a person does without us."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    def add(self, path: str, data: bytes) -> None:
        with (self.root / path).open("ab") as file:
            file.write(data)

    def read(self, path: str) -> bytes | None:
        target = self.root / path
        return target.read_bytes() if target.exists() else None

    def put(self, path: str, data: bytes) -> Put:
        """A put based on what is there now."""
        now = self.read(path)
        return Put(path, data, None if now is None else digest(now))

    def delete(self, path: str) -> Delete:
        return Delete(path, digest(self.read(path) or b""))

    def commit(self, *changes: Change, **more: object) -> Applied | Conflict:
        return journal.commit(self.bot, list(changes), by=ANA, **{"kind": ChangeSet.Kind.EDIT, **more})

    def applied(self, *changes: Change, **more: object) -> ChangeSet:
        outcome = self.commit(*changes, **more)
        assert isinstance(outcome, Applied), outcome
        assert outcome.change_set is not None
        return outcome.change_set

    def append(self, path: str, data: bytes) -> ChangeSet:
        return self.applied(Append(path, data), kind=ChangeSet.Kind.CAPTURE)

    def undo(self, change_set: ChangeSet, **more: object) -> Applied | Conflict:
        return journal.undo(self.bot, change_set, ANA, **more)

    def tree(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.root)): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}

    def hidden(self) -> list[str]:
        return [name for name in self.tree() if ".kenoweb-" in name]


def make_desk(folder: Path, slug: str = "keno") -> Desk:
    root = folder / slug / "memory"
    root.mkdir(parents=True)
    bot = Bot.objects.create(slug=slug, name=slug.title(), dialect="kenobot")
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return Desk(bot, root)


@pytest.fixture
def desk(transactional_db: None, tmp_path: Path, kenoweb_home) -> Desk:
    return make_desk(tmp_path)
