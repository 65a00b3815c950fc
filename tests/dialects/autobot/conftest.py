from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.dialects.owners import owner_of

DATA = Path(__file__).parent / "data"
MODES = json.loads((DATA / "MODES.json").read_text())


@pytest.fixture
def directory(tmp_path):
    found = tmp_path / "machine" / "keeper"
    shutil.copytree(DATA, found)
    for name, mode in MODES.items():
        if (found / name).exists():
            (found / name).chmod(int(mode, 8))
    return found / "workspace"


@pytest.fixture
def owner(db, directory, kenoweb_home, fresh_tally):
    return owner_of(directory, "Keeper")
