"""Opening, refreshing and reindexing changes no byte of a bot's home and makes no file there, however its database lies there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from memory import index, registry
from memory.bots import open_bot
from memory.dialects.nanobot.database.vault import RowsVault
from memory.models import Bot, Document, Fact, Root
from tests.dialects.nanobot import golden, home
from tests.index.test_any_tree import seen
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

CHAT = "telegram_123.jsonl"
PAGES = ("", "entries/", "prompt/?chat=telegram_123&q=deploy", f"facts/@database/{CHAT}")
BOT = """
import os, sqlite3, sys
file, mode, act = sys.argv[1:]
db = sqlite3.connect(file, isolation_level=None)
db.execute(f"PRAGMA journal_mode={mode}")
db.execute("UPDATE memory_entries SET importance = 0.77, updated_at = '2026-07-01T00:00:00+00:00' WHERE kind = 'decision'")
if act in ("dies writing", "writes"):
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE memory_entries SET content = content || ' half done', importance = 0.11")
    db.executemany("INSERT INTO memory_meta VALUES (?, ?)", [(str(n), "x" * 3000) for n in range(300)])
print("ready", flush=True)
if act.startswith("dies"):
    os.kill(os.getpid(), 9)
sys.stdin.read()
"""


@contextmanager
def bot(file, mode, act):
    """A process that has the database open: it reads, is in the middle of a transaction, or died."""
    words = [sys.executable, "-c", BOT, str(file), mode, act]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        if act.startswith("dies"):
            process.wait()
        yield
        process.stdin.close()


@contextmanager
def state(file, name):
    """A database of a nanobot, left like this."""
    wal, shm = Path(f"{file}-wal"), Path(f"{file}-shm")
    match name:
        case "the bot has it open":
            with bot(file, "wal", "stays"):
                yield
            return
        case "the bot is writing":
            with bot(file, "wal", "writes"):
                yield
            return
        case "the bot died" | "its shared memory is gone" | "its log is of another database" | "its log is cut off":
            with bot(file, "wal", "dies"):
                pass
        case "the bot died writing" | "it died writing and its shared memory is gone":
            with bot(file, "wal", "dies writing"):
                pass
        case "the bot died writing without a log":
            with bot(file, "delete", "dies writing"):
                pass
            assert Path(f"{file}-journal").stat().st_size
        case "without a log":
            with bot(file, "delete", "stays"):
                pass
        case "an empty log is left":
            wal.touch()
        case "another's database":
            file.unlink()
            with closing(sqlite3.connect(file)) as db:
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("CREATE TABLE visits (url TEXT)")
        case "a newer bot's tables beside":
            with closing(sqlite3.connect(file)) as db:
                db.executescript(golden.NEWER)
        case "no bytes":
            file.write_bytes(b"")
        case "no database":
            file.write_text("- a note\n" * 500)
        case "cut off":
            os.truncate(file, file.stat().st_size // 2 - 100)
        case "cut off in its head":
            os.truncate(file, 60)
        case "a page overwritten":
            data = bytearray(file.read_bytes())
            for page in range(1, len(data) // 4096):
                data[page * 4096 : page * 4096 + 200] = b"\xaa" * 200
            file.write_bytes(data)
        case "a directory":
            file.unlink()
            file.mkdir()
        case "a link to it":
            file.rename(file.with_name("real.db"))
            file.symlink_to("real.db")
        case "may only be read":
            file.chmod(0o444)
            file.parent.chmod(0o555)
    if name in ("its shared memory is gone", "it died writing and its shared memory is gone"):
        shm.unlink()
    if name == "its log is of another database":
        wal.write_bytes(wal.read_bytes()[:16] + b"\0" * 8 + wal.read_bytes()[24:])
    if name == "its log is cut off":
        os.truncate(wal, wal.stat().st_size - 4000)
    yield


def traces(root):
    """Everything but when a log was last given to somebody, which SQLite does if root opens it: to who has it."""
    found = seen(root)
    return {
        path: told[:3] + told[4:] if path.endswith(("-wal", "-shm", "-journal")) else told
        for path, told in found.items()
    }


READ = {
    **dict.fromkeys(("at rest", "an empty log is left", "without a log", "a link to it", "may only be read"), 0.9),
    **dict.fromkeys(("the bot has it open", "the bot is writing", "the bot died", "the bot died writing"), 0.77),
    **dict.fromkeys(("its shared memory is gone", "it died writing and its shared memory is gone"), 0.77),
    **dict.fromkeys(("the bot died writing without a log",), 0.77),
    **dict.fromkeys(("its log is of another database", "its log is cut off"), 0.9),
}
READ["without a log"] = 0.77
ALL = (
    *READ,
    *("another's database", "a newer bot's tables beside", "no bytes", "no database", "cut off", "cut off in its head"),
    *("a page overwritten", "a directory"),
)


@pytest.fixture
def away(tmp_path, monkeypatch):
    """Where copies are made; nothing stays there."""
    found = tmp_path / "away"
    found.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(found))
    return found


@pytest.mark.parametrize("name", ALL)
def test_looking_at_a_database_in_any_state_leaves_no_trace(there, tmp_path, away, name):
    workspace, file = there
    found = registry.add(workspace, "nanobot")
    desk = Visitor(found, workspace, User.objects.create_superuser("ana"))
    with state(file, name):
        before = traces(tmp_path / ".nanobot")
        index.refresh(found, patience=5)
        for page in PAGES:
            shown = desk.client.get(f"/{found.slug}/{page}", follow=True)
            assert shown.status_code in ((200,) if name in READ else (200, 404)), page
            told = shown.content.replace(
                f">{open_bot(found).memory_path}<".encode(), b"><"
            )  # of an operator's directory
            assert str(tmp_path).encode() not in told
        index.look(found, f"@database/{CHAT}")
        index.reindex(found)
        facts = set(Fact.objects.filter(bot=found, document__path=f"@database/{CHAT}").values_list("text", flat=True))
        rows = set(Document.objects.filter(bot=found).values_list("path", "sha256"))
        index.refresh(found, patience=5)
        assert set(Document.objects.filter(bot=found).values_list("path", "sha256")) == rows
        assert traces(tmp_path / ".nanobot") == before
        assert list(away.glob("kenoweb*")) == []
        if name in READ:
            assert "let's use Postgres for the shop" in facts
            data = RowsVault(file, golden.workspace_id(workspace)).read(CHAT).data
            assert f'"importance": {READ[name]}'.encode() in data
            assert b"half done" not in data
    (tmp_path / ".nanobot" / "memory").chmod(0o755)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "at rest",
            "the bot has it open",
            "the bot died writing",
            "its shared memory is gone",
            "no bytes",
            "a directory",
        ),
        *("the bot died writing without a log", "an empty log is left"),
    ],
)
def test_such_a_file_in_a_workspace_is_a_cache_and_left_alone(tmp_path, away, name):
    """What OpenClaw and others keep in a workspace: an index of their own."""
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\n- likes tea\n")
    file = golden.make(root / "memory" / "main.sqlite", home.rows("0" * 16))
    with state(file, name):
        for dialect in ("workspace", "nanobot"):
            found = Bot.objects.create(slug=dialect, name=dialect, dialect=dialect)
            Root.objects.create(bot=found, name="memory", path=str(root))
            desk = Visitor(found, root, User.objects.get_or_create(username="ana", is_superuser=True)[0])
            before = traces(root)
            index.refresh(found, patience=5)
            index.reindex(found)
            for page in ("documents/", "documents/memory/main.sqlite"):
                assert desk.client.get(f"/{dialect}/{page}", follow=True).status_code in (200, 404), page
            assert traces(root) == before
            assert not Fact.objects.filter(bot=found, document__path__contains="sqlite").exists()
            listed = Document.objects.filter(bot=found, path="memory/main.sqlite").values_list("kind", "sha256")
            assert list(listed) == ([] if name == "a directory" else [("cache", "")])
    (root / "memory").chmod(0o755)
    shutil.rmtree(root)
