from __future__ import annotations

import pytest

from memory import index, registry
from tests.dialects.golemcore.bot import files


@pytest.fixture
def there(tmp_path):
    """The workspace of the bot of `data/`."""
    root = tmp_path / "bot" / "workspace"
    for path, data in files().items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return root


@pytest.fixture
def bot(db, kenoweb_home, there):
    added = registry.add(there, name="Golem")
    added.time_zone = "Europe/Berlin"
    added.save()
    index.refresh(added, patience=5)
    added.refresh_from_db()
    return added
