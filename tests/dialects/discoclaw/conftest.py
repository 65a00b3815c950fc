from __future__ import annotations

import pytest

from memory import index, registry
from tests.dialects.discoclaw.bot import memory


@pytest.fixture
def there(tmp_path):
    """The memory of the bot of `data/`, beside its workspace."""
    for path, data in memory().documents.items():
        file = tmp_path / "bot" / "data" / (path[1:] if path.startswith("@") else f"memory/{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "bot" / "data" / "memory"


@pytest.fixture
def bot(db, kenoweb_home, there):
    added = registry.add(there, name="Claw")
    index.refresh(added, patience=5)
    added.refresh_from_db()
    return added
