from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from memory import index, registry
from memory.dialects.nanobot.database.vault import RowsVault
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.commands import over
from tests.web.conftest import Visitor


@pytest.fixture
def there(tmp_path, monkeypatch):
    """The workspace and the database of a bot, in a home where nobody else has one."""
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    return home.make(tmp_path / ".nanobot")


@pytest.fixture
def bot(there):
    found = registry.add(there[0])
    index.refresh(found, patience=5)
    return found


@pytest.fixture
def desk(bot, there):
    return Visitor(bot, there[0], User.objects.create_superuser("ana"))


@pytest.fixture
def commands(there):
    return over(*there)


@pytest.fixture
def workspace(tmp_path):
    found = tmp_path / "workspace"
    found.mkdir()
    return found


@pytest.fixture
def of(workspace):
    return golden.workspace_id(workspace)


@pytest.fixture(params=["wal", "no wal"])
def file(tmp_path, of, request):
    rows = [
        golden.row("i prefer tabs", of, kind="preference", of="user", n=1),
        golden.row("my name is Ana", of, of="user", n=2),
        golden.row("let's use Postgres", of, kind="decision", n=3),
        golden.row("we will use HTMX", of, kind="decision", n=4),
        golden.row(
            "a blob of MEMORY.md", of, of="global", n=5, source="import", meta_json='{"file": "memory/MEMORY.md"}'
        ),
        golden.row("of another workspace", "0" * 16, n=6),
    ]
    return golden.make(tmp_path / "memory" / "longterm.db", rows, wal=request.param == "wal")


@pytest.fixture
def vault(file, of):
    return RowsVault(file, of)
